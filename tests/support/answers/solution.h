/* Accelerations and hinge forces of a model, from a method or from the Lagrangian reference, and
 * the difference between two of them. */
#ifndef RCT_TESTS_SOLUTION_H
#define RCT_TESTS_SOLUTION_H

#include <riccatree/reference.h>
#include <riccatree/solver.h>

typedef struct solution {
    double *linear, *angular, *force, *moment; /* [n][3] each */
} solution;

/* For the initial state. They abort the test program on failure, with the reason on stderr. */
solution solution_by(const rct_model *model, rct_method method);
solution solution_by_reference(const rct_model *model);
void solution_free(solution *s);

/* Copy the results of an evaluated solver; free with solution_free. */
solution solution_of(const rct_solver *solver);

/* A solver of the model; ends the test program on failure. */
rct_solver *solution_solver(const rct_model *model, rct_method method);

/* The largest difference of any kind, each relative to its largest size: accelerations to max(|a|,
 * |g|), angular ones to max(|alpha|, |g| / 1 m), forces to |f|, moments to |f| 1 m and |moment|;
 * body by body, in vector lengths. A NaN is returned. */
double solution_difference(const rct_model *model, const solution *a, const solution *truth);

#endif
