/* The state of a run into checkpoints, with the constant parts prepared once; and back into a
 * solver, after checking that the state belongs to that solver. */
#include "record/checkpoint/checkpoint.h"

#include "core/error.h"
#include "core/memory.h"
#include "dynamics/raw_state.h"
#include "model/model.h"
#include "record/difference.h"

#include <inttypes.h>
#include <math.h>

/* Bytes, more than any program notes. */
static const int64_t most_note = INT64_C(1) << 40;

struct rct_checkpoint_writer {
    rct_checkpoint_place place;
    const rct_solver *solver;
    double *state; /* [numbers] the state read from the solver */
    int64_t numbers;
};

static void check_model(rct_call *call, const rct_model *model, const rct_solver *solver)
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    if (info.bodies != rct_model_body_count(model)) {
        rct_call_fail(call, RCT_ERROR_ARGUMENT,
                      "the model has %" PRId32 " bodies, but the solver has %" PRId32
                      "; give the model that the solver was made from",
                      rct_model_body_count(model), info.bodies);
    }
    rct_check_origin(call, model, solver);
}

rct_checkpoint_writer *rct_checkpoint_writer_create(const char *path, const rct_model *model,
                                                    const rct_solver *solver, rct_error *error)
{
    if (!rct_given(path, "path", error) || !rct_given(model, "model", error) ||
        !rct_given(solver, "solver", error)) {
        return NULL;
    }
    rct_call call;
    rct_call_begin(&call, path, NULL, error);
    check_model(&call, model, solver);
    rct_checkpoint_writer *writer =
        rct_call_allocate(&call, 1, sizeof *writer, "writing checkpoints");
    if (writer != NULL) {
        writer->solver = solver;
        writer->numbers = rct_raw_count(solver);
        rct_checkpoint_place_open(&writer->place, &call, RCT_CHECKPOINT_RUN,
                                  rct_checkpoint_facts(&call, solver), model);
        writer->state =
            rct_call_allocate(&call, writer->numbers, sizeof(double), "writing checkpoints");
    }
    if (rct_call_end(&call) != RCT_OK) {
        rct_checkpoint_writer_free(writer);
        writer = NULL;
    }
    return writer;
}

void rct_checkpoint_writer_free(rct_checkpoint_writer *writer)
{
    if (writer != NULL) {
        rct_checkpoint_place_close(&writer->place);
        rct_release(writer->state);
        rct_release(writer);
    }
}

rct_status rct_checkpoint_write(rct_checkpoint_writer *writer, int64_t steps, const void *note,
                                int64_t bytes, rct_error *error)
{
    if (!rct_given(writer, "writer", error) || (bytes > 0 && !rct_given(note, "note", error))) {
        return RCT_ERROR_ARGUMENT;
    }
    if (steps < 0) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%" PRId64 " steps: give the number of steps made, 0 or more", steps);
    }
    if (bytes < 0 || bytes > most_note) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "a note of %" PRId64 " bytes: give 0 to %" PRId64, bytes, most_note);
    }
    if (rct_solver_enter(writer->solver, error) != RCT_OK) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_call call;
    const double time = writer->solver->time;
    rct_raw_read(writer->solver, writer->state);
    rct_status status =
        rct_solver_leave(writer->solver, rct_solver_check_inside(writer->solver, error));
    if (status == RCT_OK && !isfinite(time)) {
        status = rct_fail(error, RCT_ERROR_ARGUMENT,
                          "the time of the solver is not finite; set another one");
    }
    if (status != RCT_OK) {
        return status;
    }
    const rct_bytes state = {writer->state, writer->numbers * (int64_t)sizeof(double)};
    rct_call_begin(&call, writer->place.path, NULL, error);
    rct_checkpoint_put(&writer->place, &call, time, steps, (rct_checkpoint_pieces){1, &state},
                       (rct_bytes){note, bytes});
    return rct_call_end(&call);
}

rct_status rct_checkpoint_restore(const rct_checkpoint *checkpoint, const rct_model *model,
                                  rct_solver *solver, rct_error *error)
{
    if (!rct_given(checkpoint, "checkpoint", error) || !rct_given(model, "model", error) ||
        !rct_given(solver, "solver", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_call call;
    const int64_t state_bytes = rct_raw_count(solver) * (int64_t)sizeof(double);
    rct_call_begin(&call, checkpoint->path, NULL, error);
    rct_check_origin(&call, model, solver);
    rct_check_model(&call, checkpoint->part[RCT_PART_MODEL], model,
                    "give the model and options that it was made from");
    char *facts = rct_checkpoint_facts(&call, solver);
    rct_check_text(&call, "solver", checkpoint->part[RCT_PART_FACTS], facts);
    rct_release(facts);
    if (checkpoint->head->bytes[RCT_PART_STATE] != state_bytes) {
        rct_call_fail(&call, RCT_ERROR_ARGUMENT,
                      "has a state of %" PRId64 " bytes, but the state of this solver has %" PRId64
                      "; give the model and options that it was made from",
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
