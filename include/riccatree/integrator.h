/* Integrators: how a solver steps in time. */
#ifndef RICCATREE_INTEGRATOR_H
#define RICCATREE_INTEGRATOR_H

#include <riccatree/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How rct_solver_step gets from one multiple of dt to the next. Integrators with error control
 * divide dt into as many steps as the tolerance requires and shorten the last one so that it ends
 * at dt; therefore frames, checkpoints and calls fall on multiples of dt with every integrator.
 *
 * dopri5 makes 6 evaluations per step, with loops 7. implicit makes 6, and springs and dampers at
 * hinges and between points do not limit its step; RCT_ERROR_UNSUPPORTED on backends without its
 * stages.
 *
 * conserving has an error of the energy that oscillates, is proportional to dt^4 and does not grow
 * with every step, and it keeps conserved momenta to rounding. Its steps are symplectic steps of a
 * discrete Lagrangian (Marsden and West 2001; for trees Lee, Liu, Park and Srinivasa 2016), with 6
 * evaluations and about 25 sweeps of operators, which run serially on the host.
 * RCT_ERROR_UNSUPPORTED with dampers, friction, servos, drag, curves over rate or time, forces of
 * the user, a ground that moves, prescribed motions, and drift other than project. */
typedef enum rct_integrator {
    RCT_INTEGRATOR_RK4 = 0,        /* one step of dt: classical Runge-Kutta, 4 evaluations */
    RCT_INTEGRATOR_DOPRI5 = 1,     /* error control: Dormand and Prince (1980), explicit, 5(4) */
    RCT_INTEGRATOR_IMPLICIT = 2,   /* error control: ARK4(3)6L[2]SA, Kennedy and Carpenter (2003) */
    RCT_INTEGRATOR_CONSERVING = 3, /* one step of dt: variational, fourth order */
} rct_integrator;

/* 1: the integrator has error control */
RCT_API int rct_integrator_adapts(rct_integrator integrator);

RCT_API const char *rct_integrator_name(rct_integrator integrator); /* or "unknown" */

#ifdef __cplusplus
}
#endif
#endif
