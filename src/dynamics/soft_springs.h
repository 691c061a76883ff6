/* Springs and cables between points in implicit stages: soft loops, rows that give way, closed together with the loops of the model
 * (closure/method.h). */
#ifndef RCT_DYNAMICS_SOFT_SPRINGS_H
#define RCT_DYNAMICS_SOFT_SPRINGS_H

#include "dynamics/solver.h"

/* A spring or cable at the poses read last (forces.c), inertial axes: arms from the hinge points of its bodies to its ends, the unit vector from one end
 * to the other, 0 where they meet, their distance (m), its rate (m/s). */
typedef struct rct_stretch {
    double arm[2][3], along[3], distance, rate;
} rct_stretch;
rct_stretch rct_solver_stretch(const rct_solver *solver, const rct_force *force);

/* Of a stage of delta seconds whose accelerations a [rates] were found with springs as they are in its state q, u. What it is
 * solved for are springs as they are at the implicit arguments, which lie `moved` and `slipped` from q and u: coordinates
 * and rates, of ball and free hinges the turn as a vector, inertial axes. All [rates], and the caller's to write. */
typedef struct rct_soft_stage {
    double delta;
    double *rotors;          /* what hinges take in the stage, as their armature does */
    double *moved, *slipped; /* with delta^2 a and delta a in them                   */
} rct_soft_stage;

/* To solver->soft, unless the model has no such springs. RCT_ERROR_MEMORY. */
rct_status rct_soft_create(rct_solver *solver, rct_error *error);
void rct_soft_free(rct_soft *soft);
int64_t rct_soft_bytes(const rct_soft *soft);

/* All that is needed for the loops that are active now: it allocates here, and in no stage. RCT_ERROR_MEMORY. */
rct_status rct_soft_warm(const rct_solver *solver, rct_error *error);

/* How springs pull at the start of a step, from the poses read last. */
void rct_soft_look(const rct_solver *solver);

/* Room for a stage. */
rct_soft_stage rct_soft_begin(const rct_soft *soft, double delta);

/* Add to `a` what springs change by, in the state evaluated last. RCT_ERROR_SINGULAR, or as admittance fails. */
rct_status rct_soft_yield(const rct_solver *solver, const rct_soft_stage *stage, double *a,
                          rct_error *error);

#endif
