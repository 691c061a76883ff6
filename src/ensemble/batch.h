/* A batch: members that are swept side by side in one solver. One that fails is taken out; the others go on, bit for bit,
 * in a solver made again without it. */
#ifndef RCT_ENSEMBLE_BATCH_H
#define RCT_ENSEMBLE_BATCH_H

#include "dynamics/systems.h"
#include "ensemble/ensemble.h"

/* What a batch asks of the run it is part of. */
typedef struct rct_batch_owner {
    const rct_ensemble *ensemble;
    const rct_ensemble_run_options *options;
    rct_solver_options solver; /* of every batch                                                 */
    int32_t aside;             /* systems of a solver are a multiple of it: fill the lanes       */

    /* One result; and so many steps of so many members made: 1 to stop. Both may be called by any thread. */
    rct_status (*deliver)(struct rct_batch_owner *owner, const rct_member_result *result,
                          rct_error *error);
    int (*advanced)(struct rct_batch_owner *owner, int64_t steps, int64_t members);
} rct_batch_owner;

/* One member in its place. */
typedef struct rct_placed_member {
    int64_t member;
    rct_member_numbers numbers;
    double *values;            /* [variations]                                                    */
    double *series_energy;     /* [series]                                                        */
    double *series_position;   /* [series][tracked][3]                                            */
    double *held;              /* [bodies][RCT_HELD_STATE] its state while solvers change         */
    double first, last, drift; /* J, energies: of its first and last frame, largest change       */
    int64_t frames;            /* reached                                                         */
} rct_placed_member;

typedef struct rct_batch {
    rct_batch_owner *owner;
    int32_t room;              /* members at most                                                */
    rct_placed_member *places; /* [room]                                                         */
    int32_t *live;             /* [live_count] places of those that go on                        */
    int32_t live_count;
    int loads; /* whether hinges of its members have springs, dampers or forces: all or none     */

    rct_solver *solver;  /* NULL: none goes on                                                   */
    rct_solver *rested;  /* of the batch before, to be renewed, or NULL; and                     */
    rct_model *model;    /* the room of its model, or NULL                                       */
    rct_systems systems; /* slot s is that of place live[s], of the last one beyond              */
    int64_t done;        /* steps                                                                */
    double time;         /* s                                                                    */

    /* room for what is read of all slots */
    double *kinetic, *potential; /* [slots]                                                      */
    double *position;            /* [bodies][slots][3]; NULL: nothing is tracked                 */
    double *coordinates, *rates; /* body after body, slot after slot                             */
    double *held;                /* [bodies][slots][RCT_HELD_STATE]                              */
    double *own_coordinates, *own_rates; /* of one member                                        */
    int64_t q, u;                        /* how many those are                                   */
} rct_batch;

/* All zero first; on failure released too. */
rct_status rct_batch_create(rct_batch *batch, rct_batch_owner *owner, int32_t room,
                            rct_error *error);
void rct_batch_release(rct_batch *batch);

/* Take members from `first` on, up to `end`, as many as there is room for and can share a model; those that cannot be made
 * are delivered. Gives the first that was not taken. */
rct_status rct_batch_fill(rct_batch *batch, int64_t first, int64_t end, int64_t *next,
                          rct_error *error);

/* From the start to the end, or until told to stop: then those that go on are not delivered. */
rct_status rct_batch_run(rct_batch *batch, rct_error *error);

#endif
