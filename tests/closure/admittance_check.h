/* Admittance against the dense answer of closed_system.h. */
#ifndef RCT_TESTS_ADMITTANCE_CHECK_H
#define RCT_TESTS_ADMITTANCE_CHECK_H

#include "closure/admittance.h"
#include "tests/support/systems/closed_system.h"

#include <riccatree/loop.h>

enum { ALL_TYPES = (1 << RCT_LOOP_TYPES) - 1, MOST_ROWS = 400 };

/* The largest number of columns of a tree without a front: none, so that the front goes over
 * everything; few, so that there are pieces beside a front; and the default. */
static const int32_t tight = 0;
static const int32_t some = 40;
static const int32_t usual = 96;

/* A random tree on the hinges, 1 << type, with random loops of the types. */
rct_model *admittance_model(uint64_t seed, int32_t bodies, int hinges, int32_t loops, int types);

/* Euclidean. */
double norm(const double *v, int64_t n);
double distance(const double *a, const double *b, int64_t n);

/* The difference between the method and the dense answer. */
typedef struct difference {
    int32_t rank, dense_rank, rows, front; /* 1: there was a front */
    double lambda, change, residual;
    double least; /* the least counted singular value of J L^-* over the largest */
} difference;

difference admittance_compare(closed_system *s, const int32_t *most, const double *gap);

/* Checks without a front, if there are few rows, and with one. The error of Lambda, 1e-16, enters
 * through the square of the least singular value. The change for a gap that can be cancelled is not
 * affected by it. */
void admittance_check(closed_system *s, const double *gap, int consistent, int seed);

/* Draws a gap that motions of the tree cancel. */
void admittance_draw_gap(closed_system *s, uint64_t seed, double *gap);

#endif
