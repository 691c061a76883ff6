/* Springs and cables between points in implicit stages, as soft loops: rows that give way, closed
 * together with the loops of the model (closure/method.h). */
#ifndef RCT_DYNAMICS_SOFT_SPRINGS_H
#define RCT_DYNAMICS_SOFT_SPRINGS_H

#include "dynamics/solver.h"

/* A spring or cable at the poses read last (forces.c), inertial axes: the arms from the hinge
 * points of its bodies to its ends, the unit vector from the first end to the second (0 where they
 * meet), their distance (m) and its rate (m/s). */
typedef struct rct_stretch {
    double arm[2][3], along[3], distance, rate;
} rct_stretch;
rct_stretch rct_solver_stretch(const rct_solver *solver, const rct_force *force);

/* A stage of delta seconds. Its accelerations a [rates] were found with springs as they are in its
 * state q, u. It is solved for springs at the implicit arguments, which differ from q and u by
 * `moved` and `slipped`: coordinates and rates; for ball and free hinges the turn is a rotation
 * vector, inertial axes. All are [rates], and the caller writes them. */
typedef struct rct_soft_stage {
    double delta;
    double *rotors;          /* added at hinges in the stage, as armature */
    double *moved, *slipped; /* delta^2 a and delta a included */
} rct_soft_stage;

/* Make solver->soft, unless the model has no such springs. RCT_ERROR_MEMORY. */
rct_status rct_soft_create(rct_solver *solver, rct_error *error);
void rct_soft_free(rct_soft *soft);
int64_t rct_soft_bytes(const rct_soft *soft);

/* Allocate all that the loops active now need, so that no stage allocates. RCT_ERROR_MEMORY. */
rct_status rct_soft_warm(const rct_solver *solver, rct_error *error);

/* Note how springs pull at the start of a step, from the poses read last. */
void rct_soft_look(const rct_solver *solver);

/* A stage with room for its arrays. */
rct_soft_stage rct_soft_begin(const rct_soft *soft, double delta);

/* Add to `a` the change of accelerations by springs, in the state evaluated last.
 * RCT_ERROR_SINGULAR, or as admittance fails. */
rct_status rct_soft_yield(const rct_solver *solver, const rct_soft_stage *stage, double *a,
                          rct_error *error);

#endif
