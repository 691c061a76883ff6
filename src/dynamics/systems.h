/* Systems side by side in one solver: body b and force i of the model belong to systems b and i mod their number. What of
 * a solver is asked system by system: energies, and states as they are held, so that they go on bit for bit in another
 * solver. */
#ifndef RCT_DYNAMICS_SYSTEMS_H
#define RCT_DYNAMICS_SYSTEMS_H

#include <riccatree/solver.h>

enum { RCT_HELD_STATE = 13 }; /* most numbers that a solver holds of the state of a body */

typedef struct rct_systems {
    rct_solver *solver;
    int32_t count;
    double *springs; /* [count] J, of the model's start                                          */
    double *now;     /* [count] the same, of the present state                                   */
    double *state;   /* the state of the run, label order                                        */
    void *sums;      /* [count][2] of dynamics/measures.h                                        */
} rct_systems;

/* Of a solver at the model's start, which must outlive it. All zero first; on failure released too. */
rct_status rct_systems_create(rct_systems *systems, rct_solver *solver, int32_t count,
                              rct_error *error);

/* Of its solver renewed (dynamics/solver.h), as if created. */
void rct_systems_renew(rct_systems *systems);
void rct_systems_release(rct_systems *systems);

/* Kinetic and potential energy of each, J, as rct_solver_measure has those of a solver of it alone. */
void rct_systems_energies(rct_systems *systems, double *kinetic, double *potential);

/* The loop of one of them that is open, as rct_closed_open_loop has it; -1 without loops. */
int32_t rct_systems_open_loop(const rct_systems *systems, int32_t system, double *open);

/* The states held, [bodies of a system][count][RCT_HELD_STATE]: body b of the model has row b. Rows of fixed bodies
 * are not touched. */
void rct_systems_read(rct_systems *systems, double *held);
void rct_systems_write(rct_systems *systems, const double *held);

#endif
