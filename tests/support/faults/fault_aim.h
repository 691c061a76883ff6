/* States of fault trees that become singular in a given stage of a given step. */
#ifndef RCT_TESTS_FAULT_AIM_H
#define RCT_TESTS_FAULT_AIM_H

#include "tests/support/systems/fault_tree.h"

/* Rotates the bar of line i in the motion x [n][PLAIN_ROW] such that line and bar have the same
 * axes in `stage` of the step after `steps` others of length dt, and not before. The line is at
 * rest in x. Returns 0 if no such way is found: those of several steps are short of it in each. The
 * solver's state is lost. */
int fault_aim(rct_solver *solver, const fault_tree *tree, int32_t i, double dt, int64_t steps,
              int stage, double *x);

#endif
