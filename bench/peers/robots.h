/* Robot systems, which are not families of Riccatree: `arm`, `humanoid`. */
#ifndef RCT_BENCH_PEERS_ROBOTS_H
#define RCT_BENCH_PEERS_ROBOTS_H

#include <riccatree/model.h>

/* Bodies of a robot; 0: no robot has this name. */
int32_t bench_robot_bodies(const char *name);

/* This many of a robot, one after the other, each in its own state: angles, and for a free body
 * turn, place and rates, of up to `perturb` rad, m, rad/s and m/s. NULL on failure. */
rct_model *bench_robot_model(const char *name, int64_t systems, double perturb, rct_error *error);

#endif
