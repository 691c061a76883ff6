/* Solvers for tests of failures, and snapshots of everything visible of a solver's state. */
#ifndef RCT_TESTS_SNAPSHOT_H
#define RCT_TESTS_SNAPSHOT_H

#include <riccatree/solver.h>

enum { SNAPSHOT_BODIES = 30 }; /* most bodies of a solver with a snapshot */

typedef struct snapshot {
    double orientation[SNAPSHOT_BODIES][4], rate[SNAPSHOT_BODIES][3];
    double position[SNAPSHOT_BODIES][3], velocity[SNAPSHOT_BODIES][3];
    double time;
} snapshot;

snapshot snapshot_take(const rct_solver *solver);

/* Fails the test unless the state is still that of `before`, bit for bit. */
void snapshot_expect(const rct_solver *solver, const snapshot *before);

/* set_state with these orientations and rates. */
rct_status snapshot_set(rct_solver *solver, const snapshot *state, rct_error *error);

/* A solver of the model, and a random tree of SNAPSHOT_BODIES, some welded. Both fail the test on
 * errors. */
rct_solver *snapshot_solver(const rct_model *model, rct_method method);
rct_model *snapshot_tree(void);

/* A body of that tree with such a hinge. */
int32_t snapshot_find(const rct_model *model, rct_hinge_type hinge);

#endif
