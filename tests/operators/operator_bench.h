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

/* With or without forces of a user. */
bench bench_of(const hinge_system *system, int user);
void bench_end(bench *b);

/* Every hinge type alone, then all of them, small and large, with and without all kinds of forces. */
void on_random_benches(void (*check)(bench *b));

/* The absolute value of the largest number. */
double size_of(const double *a, int64_t count);

/* Differ by less than `limit` times `scale`. */
void expect_close(const double *a, const double *b, int64_t count, double scale, double limit);

#endif
