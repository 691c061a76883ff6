/* A batch: members that are swept side by side in one solver. One that fails is taken out; the others go on, bit for bit,
 * in a solver made again without it. */
#ifndef RCT_ENSEMBLE_BATCH_H
#define RCT_ENSEMBLE_BATCH_H

#include "dynamics/systems.h"
#include "ensemble/ensemble.h"
#include "model/bodies.h"

#include <riccatree/loop.h>

#include <math.h>

struct rct_batch;
struct rct_claims;

/* What a batch asks of the run it is part of. */
typedef struct rct_batch_owner {
    const rct_ensemble *ensemble;
    const rct_ensemble_run_options *options;
    rct_solver_options solver; /* of every batch                                                 */
    int32_t aside;             /* systems of a solver are a multiple of it: fill the lanes       */
    int own_gravity;           /* members of a batch have each their own; else they share one    */
    struct rct_claims *claims; /* the members                                                    */

    /* One result; so many steps of so many members made: 1 to stop; and a batch at rest, to be kept if that is due, or as
     * the run stops: NULL if none is. They may be called by any thread. */
    rct_status (*deliver)(struct rct_batch_owner *owner, const rct_member_result *result,
                          rct_error *error);
    int (*advanced)(struct rct_batch_owner *owner, int64_t steps, int64_t members);
    rct_status (*reached)(struct rct_batch_owner *owner, struct rct_batch *batch, int stop,
                          rct_error *error);
} rct_batch_owner;

/* One member in its place. */
typedef struct rct_placed_member {
    int64_t member;
    rct_member_numbers numbers;
    double *values;            /* [variations]                                                    */
    double *series_energy;     /* [series]                                                        */
    double *series_position;   /* [series][tracked][3]                                            */
    double *held;              /* [bodies][RCT_HELD_STATE] its state while solvers change         */
    double first, last, drift; /* J, energies: of its first and last frame, largest change; NaN: no
                                  frame, no second one                                           */
    int64_t frames;            /* reached                                                         */
} rct_placed_member;

typedef struct rct_batch {
    rct_batch_owner *owner;
    int32_t worker;            /* whose it is                                                    */
    int32_t room;              /* members at most                                                */
    rct_placed_member *places; /* [room]                                                         */
    int32_t *live;             /* [live_count] places of those that go on                        */
    int32_t live_count;
    int loads; /* whether hinges of its members have springs, dampers or forces: all or none     */

    rct_solver *solver;  /* NULL: none goes on                                                   */
    rct_solver *rested;  /* of the batch before, to be renewed, or NULL; and                     */
    rct_model *model;    /* the room of its model, or NULL; and of the bodies                    */
    rct_bodies *others;  /* of the next model, while the solver has those of this; or NULL       */
    rct_systems systems; /* slot s is that of place live[s], of the last one beyond              */
    int64_t done;        /* steps                                                                */
    int64_t frame;       /* the next to be taken                                                 */
    double time;         /* s                                                                    */
    int stopped;         /* told to, on the way                                                  */

    /* room for what is read of all slots */
    double *kinetic, *potential; /* [slots]                                                      */
    double *position;            /* [bodies][slots][3]; NULL: nothing is tracked                 */
    double *coordinates, *rates; /* body after body, slot after slot                             */
    double *held;                /* [bodies][slots][RCT_HELD_STATE]                              */
    rct_loop_term *terms;        /* [most of a loop]                                             */
    double *gravity;             /* [slots][3] m/s^2, of the model if members have their own     */
    double *own_coordinates, *own_rates; /* of one member                                        */
    int64_t q, u;                        /* how many those are                                   */
    rct_pool pool;
} rct_batch;

/* All zero first; on failure released too. */
rct_status rct_batch_create(rct_batch *batch, rct_batch_owner *owner, int32_t room,
                            rct_error *error);
void rct_batch_release(rct_batch *batch);

/* NaN: nothing was found. */
static inline void rct_batch_void(double *numbers, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        numbers[i] = NAN;
    }
}

/* Nobody in it, and at the start. */
void rct_batch_clear(rct_batch *batch);

/* The next place for a member, with its numbers; they describe none if `fault` has a status. */
rct_placed_member *rct_batch_seat(rct_batch *batch, int64_t member, rct_error *fault);

/* The member seated last goes along; 0: it cannot share a model with those that do. */
int rct_batch_join(rct_batch *batch);

/* Take the members claimed `from` on, up to `end`, as many as there is room for and can share a model; those that cannot be
 * made are delivered. Gives the first that was not taken. */
rct_status rct_batch_fill(rct_batch *batch, int64_t from, int64_t end, int64_t *next,
                          rct_error *error);

/* From where it stands to the end, or until told to stop: then those that go on are not delivered. */
rct_status rct_batch_run(rct_batch *batch, rct_error *error);

/* ---- its solver (batch_solver.c): of the members that go on, and made again when one falls out ---- */

/* Systems of a solver of so many members: what is over repeats the last. */
int32_t rct_batch_slots(const rct_batch_owner *owner, int32_t members);

/* One attempt at it: RCT_OK without a solver if one cannot be made of these members, as `fault` says. */
rct_status rct_batch_try_solver(rct_batch *batch, rct_error *fault, rct_error *error);

/* The solver of the members that go on, at the start; those it cannot be made with are delivered and taken out. No
 * solver if none is left. Other errors than those of members end it. */
rct_status rct_batch_make_solver(rct_batch *batch, rct_error *error);
void rct_batch_drop_solver(rct_batch *batch);

/* None goes on; what the next batch can use is kept. */
void rct_batch_rest_solver(rct_batch *batch);

/* Whether members with loops can be swept side by side by solvers as the owner has them (dynamics/closed/systems.h). RCT_ERROR_MEMORY,
 * or as a solver of the base model fails. */
rct_status rct_batch_shares_solver(const rct_batch_owner *owner, int *shares, rct_error *error);

/* Deliver and take out the member at fault in `fault`, a failure of a step, and go on with the others in a solver without it.
 * An error that is no member's is passed on. */
rct_status rct_batch_take_out(rct_batch *batch, const rct_error *fault, rct_error *error);

/* The same of the member of slot `slot`, which failed so. */
rct_status rct_batch_take_out_slot(rct_batch *batch, int32_t slot, const rct_error *fault,
                                   rct_error *error);

/* ---- what is read of its members (batch_result.c): frames on the way, results in the end ---- */

/* Energies of the present state of all that go on; the first slot whose energy is not finite, or -1. */
int32_t rct_batch_measure(rct_batch *batch);

/* Those energies, and series where they are wanted, as frame number `frame`. */
void rct_batch_take_frame(rct_batch *batch, int64_t frame);

/* Those that have come to the end. */
rct_status rct_batch_deliver_live(rct_batch *batch, rct_error *error);

/* The member of slot `slot`, with its last state if there is a solver; bodies in `fault` are those of the base model. */
rct_status rct_batch_deliver_failed(rct_batch *batch, int32_t slot, const rct_error *fault,
                                    rct_error *error);

/* A member whose numbers describe no model. */
rct_status rct_batch_deliver_unmade(rct_batch *batch, const rct_placed_member *place,
                                    const rct_error *fault, rct_error *error);

#endif
