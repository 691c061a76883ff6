/* A model with arrays for the results of a reference formulation. */
#ifndef RCT_TESTS_REFERENCE_CASE_H
#define RCT_TESTS_REFERENCE_CASE_H

#include <riccatree/reference.h>

typedef struct reference_case {
    rct_model *model;
    double *linear, *angular, *force, *moment; /* [n][3] each, NaN until written */
    rct_reference_result result;               /* points to them                 */
    rct_error error;                           /* of the last run                */
} reference_case;

/* Takes ownership of the model. Both abort the test program without memory. */
reference_case *reference_case_create(rct_model *model);
reference_case *reference_case_of(const rct_body *bodies, int32_t count);
void reference_case_free(reference_case *r);

/* Evaluates the initial state. */
rct_status reference_case_run(reference_case *r, rct_reference reference);

/* Largest difference of accelerations, and of forces and moments, relative to the largest of `b`.
 * */
double reference_case_difference(const reference_case *a, const reference_case *b);

/* A rod of length 1 m along -z, radius 5 cm, that hangs by a ball hinge on the end of its
 * parent. */
rct_body reference_rod(int32_t parent, double mass);

/* A hanging chain of rods of 1 kg, each some tenths of a radian off the vertical and rotating. */
reference_case *reference_swinging_chain(int32_t count);

#endif
