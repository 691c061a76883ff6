/* How far two solvers of one model are apart. */
#ifndef RCT_TESTS_APART_H
#define RCT_TESTS_APART_H

#include <riccatree/solver.h>

/* The largest difference of a coordinate. */
double apart(const rct_solver *a, const rct_solver *b);

#endif
