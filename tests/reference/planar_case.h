/* Planar systems of seed 003 by both semi-recursive formulations, and in absolute coordinates with multipliers. */
#ifndef RCT_TESTS_PLANAR_CASE_H
#define RCT_TESTS_PLANAR_CASE_H

#include "reference/planar/planar.h"

/* The cam of all tests, and its radius at a polar angle with two derivatives. */
static const rct_planar_outline cam = {0.6, {0.1, 0, 0, 0}, {0, 0.05, 0, 0}};
void outline(long double z, long double s[3]);

/* By semi-recursive I or II. A failure fails the test. */
void planar_evaluate(int which, rct_planar_state *state);

/* Compares both formulations with each other and with absolute coordinates. */
void planar_check(const rct_planar_system *system, rct_planar_state *state);

quad2 pair(double x, double y);

/* Mass, inertia and centre of mass by number; the joint goes from a point of the parent to one of the body. */
void planar_set_body(rct_planar_system *system, int32_t i, int32_t parent,
                     rct_planar_joint_type type, quad2 from, quad2 to);

/* Fig. 8: lever 1 on the ground, slider 2 on it, crank 3 on the slider and at D on the ground, rod 4 on the
 * lever, ram 5 on the rod and at E, F on the ground. A torque drives the crank, which is at the angle phi. */
rct_planar_state *quick_return(rct_planar_system *system, double phi, double rate);

/* Of body i, in the numbering of the state. */
quad2 origin_of(const rct_planar_state *state, int32_t i);

#endif
