/* Solvers of random trees of every hinge type in a given state, for tests of the public
 * operators. */
#ifndef RCT_TESTS_OPERATOR_BENCH_H
#define RCT_TESTS_OPERATOR_BENCH_H

#include "tests/support/systems/hinge_system.h"
#include "tests/support/zeros.h"

#include <riccatree/operators.h>

static const double time_of_state = 0.3;

typedef struct bench {
    rct_model *model;
    rct_solver *solver;
    int64_t n, v; /* bodies, rates */
    int resting;  /* 1: the ground is at rest */
    uint64_t random;
} bench;

/* With forces of a user or without. */
bench bench_of(const hinge_system *system, int user);
void bench_end(bench *b);

/* Every hinge type alone, then all of them, small and large, with and without all kinds of forces. */
void on_random_benches(void (*check)(bench *b));

/* The size of the largest. */
double size_of(const double *a, int64_t count);

/* Less than `limit` times `scale` apart. */
void expect_close(const double *a, const double *b, int64_t count, double scale, double limit);

#endif
