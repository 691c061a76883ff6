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

/* Computes the numbers of a system, `each` per rate; another status than RCT_OK: there are none. */
typedef rct_status extreme_refer(const rct_model *model, const void *context, double *numbers);

/* The derivatives of the rates; `context` is unused. */
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

/* Returns 0 if the reference refuses the system or a rounded one, or if nothing moves. */
int extreme_truth_find(extreme_truth *truth, const rct_model *model, int64_t each,
                       extreme_refer *refer, const void *context);

/* The error of numbers, in units of the effect of rounding; 0 if nothing moves, and nothing may. */
double extreme_truth_off(const extreme_truth *truth, const double *numbers);

/* The ways to solve a system, one thread each: serially or by segments, narrow or wide. */
typedef struct extreme_way {
    rct_method method;
    int64_t segment;
    int32_t lanes;
    int user_forces;
    double margin; /* times the effect of rounding of the system */
} extreme_way;

rct_solver_options extreme_options(const extreme_way *way);

/* Fails unless the error is that of a system without an answer, or whose answer is not found. */
void extreme_expect_refusal(const rct_error *error, uint64_t seed);

/* extreme_truth_off of the accelerations of a system solved in this way, or EXTREME_REFUSED if
 * solving ends in such an error. If there is no truth (NULL): 0. */
enum { EXTREME_REFUSED = -1 };
double extreme_evaluate(const rct_model *model, const rct_solver_options *options,
                        const extreme_truth *truth, uint64_t seed);

#endif
