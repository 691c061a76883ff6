/* Systems with loops and springs between bodies that have a state of rest. The caller frees all of
 * them. */
#ifndef RCT_TESTS_CLOSED_MODELS_H
#define RCT_TESTS_CLOSED_MODELS_H

#include <riccatree/loop.h>

/* Rods of length l and weight 1 on `hinge` (ball, or revolute about y) from the origin to the point
 * (x, z), where a ball loop closes them to the ground. The start is two straight halves. */
rct_model *closed_cable(int32_t rods, double l, const double to[2], rct_hinge_type hinge);

/* Crank, coupler and rocker across y, closed to the ground, with a spring on the crank and one of `stiffness` from the crank to the
 * rocker. */
rct_model *closed_four_bar(double stiffness);

/* Two pendulums with geared angles, and a third one geared to both. */
rct_model *closed_geared(void);

/* n times n points 1 m apart. The outer ones belong to the ground, the others are floating masses,
 * tied to their neighbours by cables of that length (m). */
rct_model *closed_net(int32_t n, double length);

/* A random tree of held_tree.h with one or two loops of a type. NULL if constraints depend on one
 * another: such constraints contradict one another in the open states that the reference also
 * evaluates. */
rct_model *closed_random(rct_loop_type type, uint64_t seed);

#endif
