/* A batch: members that are swept side by side in one solver. A member that fails is taken out;
 * the others continue, bit for bit, in a solver made again without it. */
#ifndef RCT_ENSEMBLE_BATCH_H
#define RCT_ENSEMBLE_BATCH_H

#include "dynamics/systems.h"
#include "ensemble/ensemble.h"
#include "model/bodies.h"

#include <riccatree/loop.h>

#include <math.h>

struct rct_batch;
struct rct_claims;

/* The options and functions that the run provides to its batches. */
typedef struct rct_batch_owner {
    const rct_ensemble *ensemble;
    const rct_ensemble_run_options *options;
    rct_solver_options solver; /* of every batch                                                 */
    int32_t aside;             /* systems of a solver are a multiple of it, to fill the lanes    */
    int own_gravity;           /* each member has its own; else all share one                    */
    struct rct_claims *claims; /* the members to run                                             */

    /* Deliver a result; report that `members` members advanced by `steps`, returns 1 to stop;
     * report a batch at rest, which is kept if that is due or if the run stops (NULL if batches
     * are not kept). Any thread may call them. */
    rct_status (*deliver)(struct rct_batch_owner *owner, const rct_member_result *result,
                          rct_error *error);
    int (*advanced)(struct rct_batch_owner *owner, int64_t steps, int64_t members);
    rct_status (*reached)(struct rct_batch_owner *owner, struct rct_batch *batch, int stop,
                          rct_error *error);
} rct_batch_owner;

/* A member in its place. */
typedef struct rct_placed_member {
    int64_t member;
    rct_member_numbers numbers;
    double *values;            /* [variations]                                                    */
    double *series_energy;     /* [series]                                                        */
    double *series_position;   /* [series][tracked][3]                                            */
    double *held;              /* [bodies][RCT_HELD_STATE] its state while the solver is replaced */
    double first, last, drift; /* J, energies: of the first and the last frame, largest change;
                                * NaN: no frame, or only one */
    double start[2];           /* as rct_systems_start; NaN: of a member that was begun before    */
    int64_t frames;            /* reached                                                         */
} rct_placed_member;

typedef struct rct_batch {
    rct_batch_owner *owner;
    int32_t worker;            /* that runs the batch                                            */
    int32_t room;              /* most members                                                   */
    rct_placed_member *places; /* [room]                                                         */
    int32_t *live;             /* [live_count] places of the members that continue               */
    int32_t live_count;
    int loads; /* whether hinges have springs, dampers or forces: for all members or none        */

    rct_solver *solver;  /* NULL: no member continues                                            */
    rct_solver *rested;  /* of the previous batch, to be renewed, or NULL                        */
    rct_model *model;    /* memory for its model, or NULL; and for the bodies                    */
    rct_bodies *others;  /* of the next model, while the solver has those of this one; or NULL   */
    rct_systems systems; /* slot s belongs to place live[s], further slots to the last one       */
    int64_t done;        /* steps                                                                */
    int64_t frame;       /* to be taken next                                                     */
    double time;         /* s                                                                    */
    int stopped;         /* by the caller, on the way                                            */

    /* room for the data of all slots */
    double *kinetic, *potential; /* [slots]                                                      */
    double *position;            /* [bodies][slots][3]; NULL: no body is tracked                 */
    double *coordinates, *rates; /* by body, then by slot                                        */
    double *held;                /* [bodies][slots][RCT_HELD_STATE]                              */
    rct_loop_term *terms;        /* [most of a loop]                                             */
    double *gravity;             /* [slots][3] m/s^2, of the model if each member has its own    */
    double *own_coordinates, *own_rates; /* of one member                                        */
    int64_t q, u;                        /* how many these are                                   */
    rct_pool pool;
} rct_batch;

/* All fields are zero first; on failure the batch is released too. */
rct_status rct_batch_create(rct_batch *batch, rct_batch_owner *owner, int32_t room,
                            rct_error *error);
void rct_batch_release(rct_batch *batch);

/* Fill with NaN: no result. */
static inline void rct_batch_void(double *numbers, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        numbers[i] = NAN;
    }
}

/* Remove all members and go back to the start. */
void rct_batch_clear(rct_batch *batch);

/* The next place for a member, with its numbers. If `fault` has a status, they describe no valid
 * model. */
rct_placed_member *rct_batch_seat(rct_batch *batch, int64_t member, rct_error *fault);

/* Add the member seated last; 0: it cannot share a model with the others. */
int rct_batch_join(rct_batch *batch);

/* Take claimed members from `from` up to `end`, as many as there is room for and as can share a
 * model. Members that cannot be made are delivered as failed. `next` is the first member not
 * taken. */
rct_status rct_batch_fill(rct_batch *batch, int64_t from, int64_t end, int64_t *next,
                          rct_error *error);

/* Run from the present step to the end, or until told to stop; then the remaining members are
 * not delivered. */
rct_status rct_batch_run(rct_batch *batch, rct_error *error);

/* ---- the solver of the remaining members (batch_solver.c), made again when one falls out ---- */

/* Systems of a solver for this many members: additional systems repeat the last member. */
int32_t rct_batch_slots(const rct_batch_owner *owner, int32_t members);

/* Try once to make the solver: RCT_OK without a solver if these members allow none; `fault` says
 * why. */
rct_status rct_batch_try_solver(rct_batch *batch, rct_error *fault, rct_error *error);

/* Make the solver of the remaining members, at the start. Members that prevent it are delivered
 * and taken out. There is no solver if none is left. Errors that belong to no member end the
 * batch. */
rct_status rct_batch_make_solver(rct_batch *batch, rct_error *error);
void rct_batch_drop_solver(rct_batch *batch);

/* No member continues; keep what the next batch can use. */
void rct_batch_rest_solver(rct_batch *batch);

/* Whether members with loops can be swept side by side by solvers with the owner's options
 * (dynamics/closed/systems.h). RCT_ERROR_MEMORY, or the error of a solver of the base model. */
rct_status rct_batch_shares_solver(const rct_batch_owner *owner, int *shares, rct_error *error);

/* Deliver and take out the member at fault in `fault`, a failure of a step, and continue with
 * the others in a solver without it. An error that belongs to no member is passed on. */
rct_status rct_batch_take_out(rct_batch *batch, const rct_error *fault, rct_error *error);

/* The same for the member of slot `slot`, which failed with `fault`. */
rct_status rct_batch_take_out_slot(rct_batch *batch, int32_t slot, const rct_error *fault,
                                   rct_error *error);

/* ---- data of its members (batch_result.c): frames on the way, results at the end ------------ */

/* Energies of the present state of all members; returns the first slot whose energy is not
 * finite, or -1. */
int32_t rct_batch_measure(rct_batch *batch);

/* Store these energies, and series if they are wanted, as frame number `frame`. */
void rct_batch_take_frame(rct_batch *batch, int64_t frame);

/* Deliver the members that have finished. */
rct_status rct_batch_deliver_live(rct_batch *batch, rct_error *error);

/* Deliver the failed member of slot `slot`, with its last state if there is a solver; bodies in
 * `fault` are those of the base model. */
rct_status rct_batch_deliver_failed(rct_batch *batch, int32_t slot, const rct_error *fault,
                                    rct_error *error);

/* Deliver a member whose numbers describe no valid model. */
rct_status rct_batch_deliver_unmade(rct_batch *batch, const rct_placed_member *place,
                                    const rct_error *fault, rct_error *error);

#endif
