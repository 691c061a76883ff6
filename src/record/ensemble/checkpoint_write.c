/* Writing checkpoints of an ensemble: the batches as they are, without a copy of them. */
#include "record/ensemble/checkpoint.h"

#include "core/error.h"
#include "core/memory.h"
#include "ensemble/ensemble.h"
#include "record/ensemble/facts.h"

#include <riccatree/version.h>

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

struct rct_ensemble_checkpoint_writer {
    char *name; /* for messages */
    rct_checkpoint_place place;
    char *facts, *model; /* texts with a zero behind each */
    int64_t facts_size, model_size;
    int64_t first, rows, steps; /* of the run */
};

const char *rct_begun_trouble(const rct_ensemble_begun *batch, int64_t members_at, int64_t first,
                              int64_t rows, int64_t steps)
{
    if (batch->count < 1 || batch->size < 8 * (int64_t)batch->count || members_at < 0 ||
        members_at % 8 != 0 || members_at > batch->size - 8 * (int64_t)batch->count) {
        return "its members do not lie within its bytes";
    }
    if (batch->steps < 0 || batch->steps > steps) {
        return "it has made steps that the run has not";
    }
    for (int32_t k = 0; k < batch->count; k++) {
        if (batch->members[k] < first || batch->members[k] - first >= rows ||
            (k > 0 && batch->members[k] <= batch->members[k - 1])) {
            return "its members are not those of the run, ascending";
        }
    }
    return NULL;
}

rct_ensemble_checkpoint_writer *
rct_ensemble_checkpoint_writer_create_sized(const char *results, int32_t rank,
                                            const rct_ensemble *e, rct_in in, rct_error *error)
{
    rct_ensemble_run_options own;
    const rct_ensemble_run_options *run = &own;
    if (!rct_given(results, "results", error) || !rct_given(e, "ensemble", error) ||
        !rct_ensemble_take_run(&own, in, "run", error)) {
        return NULL;
    }
    rct_call call;
    if (rct_ensemble_check_run(e, run, error) != RCT_OK) {
        return NULL;
    }
    rct_call_begin(&call, results, NULL, error);
    if (rank < 0) {
        rct_call_fail(&call, RCT_ERROR_ARGUMENT, "no rank %" PRId32 ": ranks count from 0", rank);
    }
    rct_ensemble_checkpoint_writer *writer =
        rct_call_allocate(&call, 1, sizeof *writer, "writing checkpoints");
    if (writer != NULL) {
        char *path = rct_results_path(&call, results);
        writer->name = rct_rank_path(&call, path, rank);
        rct_release(path);
        writer->first = run->first;
        writer->rows = run->count > 0 ? run->count : e->members - run->first;
        writer->steps = run->steps;
        writer->facts = rct_ensemble_text(&call, e, run, &writer->facts_size);
        writer->model = rct_checkpoint_text(&call, e->model, &writer->model_size);
    }
    if (writer != NULL && call.status == RCT_OK) {
        call.path = writer->name;
        rct_checkpoint_place_open(&writer->place, &call);
        rct_call_system(&call, rct_call_go(&call) ? access(writer->place.directory, W_OK) : -1,
                        "write checkpoints beside it");
        call.path = results;
    }
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
        rct_release(writer->name);
        rct_release(writer->facts);
        rct_release(writer->model);
        rct_release(writer);
    }
}

/* Entries and bytes in turn, [2 count] pieces. */
static void lay_out(const rct_ensemble_checkpoint_writer *writer, rct_call *call, int32_t count,
                    const rct_ensemble_begun *batches, rct_batch_entry *entries, rct_bytes *pieces)
{
    for (int32_t k = 0; k < count; k++) {
        const rct_ensemble_begun *b = &batches[k];
        /* addresses, not a difference of pointers: they may be of two arrays */
        const int64_t at = (int64_t)((intptr_t)b->members - (intptr_t)b->bytes);
        const char *trouble = rct_begun_trouble(b, at, writer->first, writer->rows, writer->steps);
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
    rct_call call;
    const char *build = rct_build();
    rct_call_begin(&call, writer->place.path, NULL, error);
    rct_batch_entry *entries =
        rct_call_allocate(&call, count, sizeof *entries, "the batches of a checkpoint");
    rct_bytes *pieces =
        rct_call_allocate(&call, 2 * (int64_t)count, sizeof *pieces, "the batches of a checkpoint");
    if (call.status == RCT_OK) {
        lay_out(writer, &call, count, batches, entries, pieces);
    }
    if (call.status == RCT_OK) {
        const rct_bytes texts[] = {{build, (int64_t)strlen(build) + 1},
                                   {writer->facts, writer->facts_size},
                                   {writer->model, writer->model_size + 1}};
        const rct_checkpoint_pieces parts[RCT_PARTS] = {
            [RCT_PART_BUILD] = {1, &texts[0]},
            [RCT_PART_FACTS] = {1, &texts[1]},
            [RCT_PART_MODEL] = {1, &texts[2]},
            [RCT_PART_STATE] = {2 * (int64_t)count, pieces},
        };
        rct_checkpoint_put(&writer->place, &call, RCT_CHECKPOINT_ENSEMBLE, 0.0, count, parts);
    }
    rct_release(entries);
    rct_release(pieces);
    return rct_call_end(&call);
}
