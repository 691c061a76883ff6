/* Models of many loops for tests and benchmarks. All rods are 1 m and 1 kg; NULL on failure. */
#ifndef RCT_TESTS_LOOP_MODELS_H
#define RCT_TESTS_LOOP_MODELS_H

#include "closure/closures.h"

#include <riccatree/loop.h>

/* `loops` four-bars side by side: vertical rods hinged to the ground, horizontal rods from the top
 * of each to the top of the next, closed there by a loop of `type`; all axes z, at rest, gravity
 * along -y. */
rct_model *loop_model_four_bars(int32_t loops, rct_loop_type type, rct_error *error);

/* Two upright chains of `rungs` rods, their tops joined pairwise by rods: hinged to the one chain, closed at the
 * other. Axes z. */
rct_model *loop_model_ladder(int32_t rungs, rct_loop_type type, rct_error *error);

/* A ring of rods on ball hinges in the x-y plane, hanging from the ground at the origin, where it
 * closes. */
rct_model *loop_model_necklace(int32_t rods, rct_error *error);

/* Adds `count` ball closures evenly along a chain of bodies that hang on one another in order: in
 * turn to the ground, and to the body `span` before. They are not closed at the start. */
rct_status loop_model_close(rct_model *model, int32_t count, int32_t span, rct_error *error);

/* The poses of n bodies, each taken for a link, and then that of the ground, [n + 1], from the
 * results of rct_solver_get_state. */
void loop_poses(const double *orientation, const double *angular_velocity, const double *position,
                const double *velocity, int32_t n, const rct_base_motion *ground,
                rct_pose_of_link *poses);

#endif
