/* The ground as trees feel it: gravity is an acceleration of the ground, and trees may differ in
 * it. */
#ifndef RCT_BACKEND_GROUND_H
#define RCT_BACKEND_GROUND_H

#include "kernels/records/states.h"

/* ground->linear (kernels/records/states.h) of a tree with this gravity, from the true
 * acceleration. It is computed in one place, so that all callers get the same bits. */
void rct_ground_less(double linear[3], const rct_ground *ground, const double gravity[3]);

#endif
