/* Small models with loops, solvers of them, and the comparison of their states. All functions fail
 * the test on errors. */
#ifndef RCT_TESTS_LOOP_SYSTEM_H
#define RCT_TESTS_LOOP_SYSTEM_H

#include <riccatree/riccatree.h>

/* Loops that are closed at a point. */
enum { LOOP_POINTLIKE = 1 << RCT_LOOP_BALL | 1 << RCT_LOOP_DISTANCE | 1 << RCT_LOOP_UNIVERSAL };

/* Defaults, on the cpu. */
rct_solver_options loop_options(rct_closing closing);
rct_solver *loop_solver(const rct_model *model, const rct_solver_options *options);

/* Coordinates, then rates, to be freed. */
double *loop_state(const rct_solver *solver, int64_t *count);
void loop_set_state(rct_solver *solver, const double *state);

/* The state equals that one, to the last bit. */
void loop_check_kept(const rct_solver *solver, const double *state);

rct_loop_info loop_info(const rct_solver *solver);

/* The status, the body of its error, and words of the error are as expected. */
void loop_expect(rct_status found, rct_status expected, const rct_error *error, int32_t body,
                 const char *text);

/* A rod of 1 m and 1 kg along x, at the end of its parent. */
rct_body loop_rod(int32_t parent, rct_hinge_type hinge);

/* A chain of rods in zigzag along x, each at this angle (rad) to it, on revolute or ball hinges;
 * its end is pinned to the ground `off` (m, along x) from its place. */
rct_model *loop_chain(int32_t bodies, rct_hinge_type hinge, double bend, double off, int active);

/* A random tree of 14 bodies with two random loops of `types`, closed; with springs, or floating and on its own. */
rct_model *loop_random(uint64_t seed, int types, int floating);

#endif
