/* The solver of a batch: made of the members that go on, and made again when one falls out. */
#ifndef RCT_ENSEMBLE_BATCH_SOLVER_H
#define RCT_ENSEMBLE_BATCH_SOLVER_H

#include "ensemble/batch.h"

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

/* Deliver and take out the member at fault in `fault`, a failure of a step, and go on with the others in a solver without it.
 * An error that is no member's is passed on. */
rct_status rct_batch_take_out(rct_batch *batch, const rct_error *fault, rct_error *error);

#endif
