/* Forces at hinges (model/effort.h) on the links of a plan. */
#ifndef RCT_DYNAMICS_HINGE_FORCES_H
#define RCT_DYNAMICS_HINGE_FORCES_H

#include "backend/backend.h"

typedef struct rct_solver rct_solver;

/* Those at the hinge of links[k] are numbers force[begin[k]] to force[begin[k + 1]] of the surroundings of the plan, ascending. */
typedef struct rct_hinge_forces {
    int32_t *links; /* [count] ascending */
    int32_t *begin; /* [count + 1] */
    int32_t *force;
    double *rotors; /* [count][3] what an implicit stage adds to rotors */
    int32_t count;
} rct_hinge_forces;

/* `forces` is all zero. RCT_ERROR_MEMORY, then zero again. */
rct_status rct_hinge_forces_create(rct_hinge_forces *forces, const rct_plan *plan,
                                   rct_error *error);
void rct_hinge_forces_free(rct_hinge_forces *forces);
int64_t rct_hinge_forces_bytes(const rct_hinge_forces *forces);

/* Read the states of these links, and add what acts at their hinges at `time` to their loads. */
void rct_solver_exert_forces(const rct_solver *solver, double time);

/* Add their energies, J, at the state read last: that of force i to number i mod `systems`. */
void rct_solver_add_hinge_energy(const rct_solver *solver, int32_t systems, double *energy);

/* Add what resists, - d effort / dq and - d effort / du where that is positive, to numbers of all rates, at coordinates and rates of all
 * hinges at `time`. */
void rct_solver_add_slopes(const rct_solver *solver, double time, const double *coordinates,
                           const double *rates, double *stiffness, double *damping);

/* Tell the run, which has just been made or renewed, at which hinges forces will come to implicit stages. */
void rct_solver_expect_delta(const rct_solver *solver);

/* What implicit stages of `delta` seconds solve for, rate by rate; delta 0: explicit ones follow. */
void rct_solver_set_delta(rct_solver *solver, double delta, const double *stiffness,
                          const double *damping);

#endif
