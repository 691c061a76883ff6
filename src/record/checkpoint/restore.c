/* A state back into a solver, once it is sure that it is a state of that solver's. */
#include "record/checkpoint/checkpoint.h"

#include "core/error.h"
#include "dynamics/raw_state.h"
#include "record/difference.h"
#include "record/model_difference.h"

#include <inttypes.h>

rct_status rct_checkpoint_restore(const rct_checkpoint *checkpoint, const rct_model *model,
                                  rct_solver *solver, rct_error *error)
{
    if (!rct_given(checkpoint, "checkpoint", error) || !rct_given(model, "model", error) ||
        !rct_given(solver, "solver", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_call call;
    char facts[RCT_FACTS_SIZE];
    const int64_t state_bytes = rct_raw_count(solver) * (int64_t)sizeof(double);
    rct_call_begin(&call, checkpoint->path, NULL, error);
    rct_check_origin(&call, model, solver);
    rct_check_model(&call, checkpoint->part[RCT_PART_MODEL], model, "give what it was made from");
    if (call.status == RCT_OK) {
        rct_checkpoint_facts(solver, facts);
        rct_check_text(&call, "solver", checkpoint->part[RCT_PART_FACTS], facts);
    }
    if (checkpoint->head->bytes[RCT_PART_STATE] != state_bytes) {
        rct_call_fail(&call, RCT_ERROR_ARGUMENT,
                      "has a state of %" PRId64 " bytes, this solver one of %" PRId64
                      "; give what it was made from",
                      checkpoint->head->bytes[RCT_PART_STATE], state_bytes);
    }
    rct_status status = rct_call_end(&call);
    if (status == RCT_OK) {
        status = rct_solver_enter(solver, error);
    }
    if (status != RCT_OK) {
        return status;
    }
    status = rct_raw_write(solver, checkpoint->head->time,
                           (const void *)checkpoint->part[RCT_PART_STATE], error);
    return rct_solver_leave(solver,
                            status == RCT_OK ? rct_solver_check_inside(solver, error) : status);
}
