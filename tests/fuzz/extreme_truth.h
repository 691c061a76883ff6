/* The true results of a random system from the refined Lagrangian system, and the allowed errors:
 * from numbers of the system, and from their changes with roundings of the system
 * (extreme_rounded). */
#ifndef RCT_TESTS_EXTREME_TRUTH_H
#define RCT_TESTS_EXTREME_TRUTH_H

#include "tests/fuzz/extreme_system.h"

#include <riccatree/solver.h>

enum {
    EXTREME_RATES = 6 * EXTREME_BODIES,
    EXTREME_EACH = 2,
    EXTREME_NUMBERS = EXTREME_EACH * EXTREME_RATES
};

/* Numbers of a system, of every rate `each`; another status than RCT_OK: it has none. */
typedef rct_status extreme_refer(const rct_model *model, const void *context, double *numbers);

/* Derivatives of the rates; `context` is not looked at. */
extreme_refer extreme_derivatives;

typedef struct extreme_truth {
    double numbers[EXTREME_NUMBERS];
    double weight
        [EXTREME_RATES]; /* the measure of a rate: the root of its inertia, of the diagonal of M */
    double slack
        [EXTREME_EACH]; /* by which numbers may be off, in that measure: of every rate its first, its second */
    int64_t rates, each;
    rct_status end; /* of the reference, of the system itself */
} extreme_truth;

/* 0: the reference refuses the system, or a rounded one, or nothing moves. */
int extreme_truth_find(extreme_truth *truth, const rct_model *model, int64_t each,
                       extreme_refer *refer, const void *context);

/* How far numbers are off, in units of what rounding explains; 0 where nothing moves, and none may. */
double extreme_truth_off(const extreme_truth *truth, const double *numbers);

/* Serial or by segments, narrow or wide: the ways in which a system is solved, one thread each. */
typedef struct extreme_way {
    rct_method method;
    int64_t segment;
    int32_t lanes;
    int user_forces;
    double margin; /* of what rounding of the system explains */
} extreme_way;

rct_solver_options extreme_options(const extreme_way *way);

/* Fails unless it is an error of a system that has no answer, or none that is found. */
void extreme_expect_refusal(const rct_error *error, uint64_t seed);

/* extreme_truth_off of the accelerations of a system solved so, EXTREME_REFUSED of one that ends in such an error; where there is no
 * truth, NULL, 0. */
enum { EXTREME_REFUSED = -1 };
double extreme_evaluate(const rct_model *model, const rct_solver_options *options,
                        const extreme_truth *truth, uint64_t seed);

#endif
