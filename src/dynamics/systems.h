/* Systems side by side in one solver: body b and force i of the model belong to the systems b and i
 * modulo the number of systems. Energies are found per system. States are held per system too, so
 * that another solver continues them bit for bit. */
#ifndef RCT_DYNAMICS_SYSTEMS_H
#define RCT_DYNAMICS_SYSTEMS_H

#include <riccatree/solver.h>

enum { RCT_HELD_STATE = 13 }; /* the most numbers of state that a solver holds of a body */

typedef struct rct_systems {
    rct_solver *solver;
    int32_t count;
    double *springs; /* [count] J, at the start of the model */
    double *now;     /* [count] the same, in the present state */
    double *state;   /* the state of the run, label order */
    void *sums;      /* [count][2] sums of dynamics/measures.h */
} rct_systems;

/* Make systems of a solver at the start of its model; the solver must outlive them. `systems` is
 * all zero before; release it also after a failure. */
rct_status rct_systems_create(rct_systems *systems, rct_solver *solver, int32_t count,
                              rct_error *error);

/* Renew after the solver was renewed (dynamics/solver.h), as if created. */
void rct_systems_renew(rct_systems *systems);
void rct_systems_release(rct_systems *systems);

/* Kinetic and potential energy of each system, J, as rct_solver_measure gives those of a solver of
 * the system alone. */
void rct_systems_energies(rct_systems *systems, double *kinetic, double *potential);

/* The open loop of a system, as rct_closed_open_loop gives it; -1 without loops. */
int32_t rct_systems_open_loop(const rct_systems *systems, int32_t system, double *open);

/* What rct_closed_start gives of a system; 0 without loops. */
void rct_systems_start(const rct_systems *systems, int32_t system, double start[2]);

/* The states held, [bodies of a system][count][RCT_HELD_STATE]: body b of the model has row b. Rows
 * of fixed bodies are not touched. */
void rct_systems_read(rct_systems *systems, double *held);
void rct_systems_write(rct_systems *systems, const double *held);

#endif
