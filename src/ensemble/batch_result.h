/* What is read of the members of a batch: frames on the way, results in the end. */
#ifndef RCT_ENSEMBLE_BATCH_RESULT_H
#define RCT_ENSEMBLE_BATCH_RESULT_H

#include "ensemble/batch.h"

/* Energies, and series where they are wanted, of the present state of all that go on: their frame number `frame`. */
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
