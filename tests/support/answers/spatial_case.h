/* A model in a state, its poses, and the results of the spatial-operator reference. */
#ifndef RCT_TESTS_SPATIAL_CASE_H
#define RCT_TESTS_SPATIAL_CASE_H

#include "reference/spatial/spatial.h"
#include "tests/support/systems/hinge_tree.h"

typedef struct spatial_case {
    rct_model *model;
    int32_t n, freedoms;
    double time;
    double *q, *u;
    rct_spatial_pose *pose;                    /* [n] */
    double *linear, *angular, *force, *moment; /* [n][3] */
    double *derivatives;                       /* [freedoms] */
    rct_reference_result result;
} spatial_case;

/* Takes ownership of the model and evaluates it at `time`, in its initial state or in a random one.
 * Stops the test program on failure. */
spatial_case *spatial_case_create(rct_model *model, double time, uint64_t *random);
spatial_case *spatial_case_of(const hinge_tree *what, double time);
void spatial_case_free(spatial_case *c);

/* Of body i: centre of mass from the hinge point, its velocity and acceleration; moment of inertia
 * times x. */
void spatial_com(const spatial_case *c, int32_t i, double lever[3], double velocity[3],
                 double acceleration[3]);
void spatial_inertia(const spatial_case *c, int32_t i, const double x[3], double out[3]);

/* Sum of the kinetic energies of all bodies. */
double spatial_kinetic(const spatial_case *c);

#endif
