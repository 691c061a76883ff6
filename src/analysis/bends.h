/* The spring at a ball hinge (bends.c). */
#ifndef RCT_ANALYSIS_BENDS_H
#define RCT_ANALYSIS_BENDS_H

#include "dynamics/solver.h"

/* The gradient and the symmetric second derivative of the energy of the spring, where the body
 * turns and its parent does not, inertial axes, at the poses read last. */
void rct_bend_at(const rct_solver *solver, int32_t body, double gradient[3], double H[3][3]);

#endif
