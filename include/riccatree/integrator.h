/* Integrators: how a solver steps in time. */
#ifndef RICCATREE_INTEGRATOR_H
#define RICCATREE_INTEGRATOR_H

#include <riccatree/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How rct_solver_step goes from one multiple of dt to the next. Those with error control divide dt into as many steps as the tolerance
 * asks for, the last of which is shortened so that it ends there: frames, checkpoints and calls fall on the multiples of dt with
 * any of them. dopri5 makes 6 evaluations a step, with loops 7. implicit makes 6, and springs and
 * dampers at hinges and between points do not limit its step; backends that have no such stages are RCT_ERROR_UNSUPPORTED.
 * conserving has an error of the energy that swings about, goes with dt^4 and does not grow with every step, and keeps to rounding the momenta that the motion
 * keeps: symplectic steps of a discrete Lagrangian (Marsden and West 2001; of trees Lee, Liu, Park and Srinivasa 2016), with 6 evaluations and some
 * 25 sweeps of operators, which are the host's and serial. Dampers, forces of the user, a ground that moves, prescribed motions and a
 * drift other than project are RCT_ERROR_UNSUPPORTED. */
typedef enum rct_integrator {
    RCT_INTEGRATOR_RK4 = 0,      /* one step of dt: classical Runge-Kutta, 4 evaluations         */
    RCT_INTEGRATOR_DOPRI5 = 1,   /* error control: Dormand and Prince (1980), explicit, 5(4)     */
    RCT_INTEGRATOR_IMPLICIT = 2, /* error control: ARK4(3)6L[2]SA, Kennedy and Carpenter (2003)  */
    RCT_INTEGRATOR_CONSERVING = 3, /* one step of dt: variational, fourth order                   */
} rct_integrator;

/* 1: steps have error control */
RCT_API int rct_integrator_adapts(rct_integrator integrator);

RCT_API const char *rct_integrator_name(rct_integrator integrator); /* or "unknown" */

#ifdef __cplusplus
}
#endif
#endif
