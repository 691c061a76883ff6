/* Writing checkpoints of an ensemble: the batches are written in place, without a copy. */
#include "record/ensemble/checkpoint.h"

#include "core/error.h"
#include "core/memory.h"
#include "ensemble/ensemble.h"
#include "record/ensemble/facts.h"

#include <inttypes.h>
#include <unistd.h>

struct rct_ensemble_checkpoint_writer {
    rct_checkpoint_place place;
    rct_ensemble_run_options run;
};

const char *rct_begun_trouble(const rct_ensemble_begun *batch, int64_t members_at,
                              const rct_ensemble_run_options *run)
{
    if (batch->count < 1 || batch->size < 8 * (int64_t)batch->count || members_at < 0 ||
        members_at % 8 != 0 || members_at > batch->size - 8 * (int64_t)batch->count) {
        return "its members do not lie within its bytes";
    }
    if (batch->steps < 0 || batch->steps > run->steps) {
        return "it has made more steps than the run has";
    }
    for (int32_t k = 0; k < batch->count; k++) {
        if (batch->members[k] < run->first || batch->members[k] - run->first >= run->count ||
            (k > 0 && batch->members[k] <= batch->members[k - 1])) {
            return "its members are not members of the run in ascending order";
        }
    }
    return NULL;
}

rct_ensemble_checkpoint_writer *
rct_ensemble_checkpoint_writer_create_sized(const char *results, int32_t rank,
                                            const rct_ensemble *e, rct_in in, rct_error *error)
{
    rct_call call;
    rct_ensemble_run_options run;
    if (!rct_ensemble_asked(&run, results, "results", e, in, error)) {
        return NULL;
    }
    rct_call_begin(&call, results, NULL, error);
    if (rank < 0) {
        rct_call_fail(&call, RCT_ERROR_ARGUMENT, "there is no rank %" PRId32 ": ranks count from 0",
                      rank);
    }
    rct_ensemble_checkpoint_writer *writer =
        rct_call_allocate(&call, 1, sizeof *writer, "writing checkpoints");
    char *name = rct_rank_path(&call, results, rank);
    if (writer != NULL && name != NULL) {
        char *facts = rct_ensemble_text(&call, e, &run);
        call.path = name;
        writer->run = run;
        rct_checkpoint_place_open(&writer->place, &call, RCT_CHECKPOINT_ENSEMBLE, facts, e->model);
        RCT_SYSTEM(&call, "write checkpoints beside it", access(writer->place.directory, W_OK));
    }
    rct_release(name);
    if (rct_call_end(&call) != RCT_OK) {
        rct_ensemble_checkpoint_writer_free(writer);
        writer = NULL;
    }
    return writer;
}

void rct_ensemble_checkpoint_writer_free(rct_ensemble_checkpoint_writer *writer)
{
    if (writer != NULL) {
        rct_checkpoint_place_close(&writer->place);
        rct_release(writer);
    }
}

/* Lay out entries and bytes alternately: [2 count] pieces. */
static void lay_out(const rct_ensemble_checkpoint_writer *writer, rct_call *call, int32_t count,
                    const rct_ensemble_begun *batches, rct_batch_entry *entries, rct_bytes *pieces)
{
    for (int32_t k = 0; k < count; k++) {
        const rct_ensemble_begun *b = &batches[k];
        /* addresses instead of a difference of pointers: they may be in two arrays */
        const int64_t at = (int64_t)((intptr_t)b->members - (intptr_t)b->bytes);
        const char *trouble = rct_begun_trouble(b, at, &writer->run);
        if (trouble != NULL) {
            rct_call_fail(call, RCT_ERROR_ARGUMENT, "batch %" PRId32 " cannot be kept: %s", k,
                          trouble);
        }
        entries[k] = (rct_batch_entry){b->size, b->steps, b->count, at};
        pieces[2 * k] = (rct_bytes){&entries[k], (int64_t)sizeof entries[k]};
        pieces[2 * k + 1] = (rct_bytes){b->bytes, b->size};
    }
}

rct_status rct_ensemble_checkpoint_write(rct_ensemble_checkpoint_writer *writer, int32_t count,
                                         const rct_ensemble_begun *batches, rct_error *error)
{
    if (!rct_given(writer, "writer", error) ||
        (count > 0 && !rct_given(batches, "batches", error))) {
        return RCT_ERROR_ARGUMENT;
    }
    if (count < 0) {
        return rct_fail(error, RCT_ERROR_ARGUMENT, "%" PRId32 " batches: give 0 or more", count);
    }
    rct_call call;
    rct_call_begin(&call, writer->place.path, NULL, error);
    rct_batch_entry *entries =
        rct_call_allocate(&call, count, sizeof *entries, "the batches of a checkpoint");
    rct_bytes *pieces =
        rct_call_allocate(&call, 2 * (int64_t)count, sizeof *pieces, "the batches of a checkpoint");
    if (call.status == RCT_OK) {
        lay_out(writer, &call, count, batches, entries, pieces);
    }
    if (call.status == RCT_OK) {
        rct_checkpoint_put(&writer->place, &call, 0.0, count,
                           (rct_checkpoint_pieces){2 * (int64_t)count, pieces},
                           (rct_bytes){NULL, 0});
    }
    rct_release(entries);
    rct_release(pieces);
    return rct_call_end(&call);
}
