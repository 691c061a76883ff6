/* Reading the batches of all checkpoints beside a file of results, and choosing those with which
 * the run continues. */
#include "record/ensemble/checkpoint.h"

#include "core/error.h"
#include "core/memory.h"
#include "ensemble/ensemble.h"
#include "record/difference.h"
#include "record/ensemble/facts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A batch that was found, in the order of finding. */
typedef struct found_batch {
    rct_ensemble_begun begun;
    int64_t file, number;
} found_batch;

struct rct_ensemble_checkpoints {
    int64_t files;
    rct_checkpoint **file; /* [files] NULL: none of its batches is used                          */
    rct_ensemble_begun *begun;
    int32_t count;
};

/* The run and the facts that the checkpoints must have. */
typedef struct wanted {
    char *facts;
    const rct_model *model;
    rct_ensemble_run_options run;
} wanted;

void rct_ensemble_checkpoints_close(rct_ensemble_checkpoints *c)
{
    if (c != NULL) {
        for (int64_t k = 0; k < c->files; k++) {
            rct_checkpoint_close(c->file[k]);
        }
        rct_release(c->file);
        rct_release(c->begun);
        rct_release(c);
    }
}

int32_t rct_ensemble_checkpoints_begun(const rct_ensemble_checkpoints *c,
                                       const rct_ensemble_begun **batches)
{
    if (batches != NULL) {
        *batches = c != NULL ? c->begun : NULL;
    }
    return c != NULL ? c->count : 0;
}

/* ---- one file ----------------------------------------------------------------------------- */

/* Read the batch at `at` of a state of `size` bytes. Returns where the next one begins, -1 if
 * this is no batch. */
static int64_t read_batch(rct_ensemble_begun *b, const char *state, int64_t at, int64_t size,
                          const wanted *w)
{
    rct_batch_entry entry;
    const int64_t bytes_at = at + (int64_t)sizeof entry;
    if (bytes_at > size) {
        return -1;
    }
    memcpy(&entry, state + at, sizeof entry);
    if (entry.size < 0 || entry.size > size - bytes_at || entry.members_at < 0 ||
        entry.members_at > entry.size || entry.count < 1 || entry.count > INT32_MAX) {
        return -1;
    }
    const char *bytes = state + bytes_at;
    *b = (rct_ensemble_begun){.bytes = bytes,
                              .size = entry.size,
                              .steps = entry.steps,
                              .count = (int32_t)entry.count,
                              .members = (const void *)(bytes + entry.members_at)};
    return rct_begun_trouble(b, entry.members_at, &w->run) == NULL
               ? bytes_at + rct_checkpoint_padded(entry.size)
               : -1;
}

static const char begin_anew[] = "remove it or move it away, and its batches start again";

static void check_file(rct_call *call, const rct_checkpoint *c, const wanted *w)
{
    const int64_t size = c->head->bytes[RCT_PART_STATE];
    int64_t at = 0, batches = 0;
    rct_ensemble_begun b;
    rct_check_model(call, c->part[RCT_PART_MODEL], w->model, begin_anew);
    rct_check_facts(call, c->part[RCT_PART_FACTS], w->facts, begin_anew);
    while (call->status == RCT_OK && at >= 0 && at < size) {
        at = read_batch(&b, c->part[RCT_PART_STATE], at, size, w);
        batches++;
    }
    if (at < 0 || batches != c->head->steps) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is damaged: batch %" PRId64 " of %" PRId64
                      " in it is not a batch; remove it, and its batches start again",
                      batches, c->head->steps);
    }
}

/* ---- choosing ----------------------------------------------------------------------------- */

static int farthest_first(const void *a, const void *b)
{
    const found_batch *x = a, *y = b;
    if (x->begun.steps != y->begun.steps) {
        return x->begun.steps > y->begun.steps ? -1 : 1;
    }
    return (x->number > y->number) - (x->number < y->number);
}

static found_batch *list_batches(rct_call *call, const rct_ensemble_checkpoints *c, const wanted *w,
                                 int64_t *count)
{
    int64_t all = 0;
    for (int64_t f = 0; f < c->files; f++) {
        all += c->file[f]->head->steps;
    }
    found_batch *found = rct_call_allocate(call, all, sizeof *found, "the batches of checkpoints");
    *count = 0;
    for (int64_t f = 0; f < c->files && found != NULL; f++) {
        const rct_checkpoint *file = c->file[f];
        for (int64_t at = 0; at < file->head->bytes[RCT_PART_STATE]; (*count)++) {
            found_batch *b = &found[*count];
            at = read_batch(&b->begun, file->part[RCT_PART_STATE], at,
                            file->head->bytes[RCT_PART_STATE], w);
            b->file = f;
            b->number = *count;
        }
    }
    return found;
}

/* Whether a batch has a member that is neither done nor taken, and no member that is taken but
 * not done; if so, take its members. */
static int take_batch(const rct_ensemble_begun *b, const wanted *w, const int8_t *done,
                      int8_t *taken)
{
    int free_ones = 0;
    for (int32_t k = 0; k < b->count; k++) {
        const int64_t row = b->members[k] - w->run.first;
        if ((done == NULL || !done[row]) && taken[row]) {
            return 0;
        }
        free_ones = free_ones || done == NULL || !done[row];
    }
    for (int32_t k = 0; k < b->count && free_ones; k++) {
        taken[b->members[k] - w->run.first] = 1;
    }
    return free_ones;
}

/* Choose batches, and free files none of whose batches is used. */
static void choose(rct_call *call, rct_ensemble_checkpoints *c, const wanted *w, const int8_t *done)
{
    int64_t count = 0;
    found_batch *found = list_batches(call, c, w, &count);
    int8_t *taken = rct_call_allocate(call, w->run.count, 1, "the members of checkpoints");
    int8_t *needed = rct_call_allocate(call, c->files, 1, "the files of checkpoints");
    c->begun = rct_call_allocate(call, count, sizeof *c->begun, "the batches of checkpoints");
    if (call->status == RCT_OK) {
        qsort(found, (size_t)count, sizeof *found, farthest_first);
        for (int64_t k = 0; k < count; k++) {
            if (take_batch(&found[k].begun, w, done, taken)) {
                c->begun[c->count++] = found[k].begun;
                needed[found[k].file] = 1;
            }
        }
        for (int64_t f = 0; f < c->files; f++) {
            if (!needed[f]) {
                rct_checkpoint_close(c->file[f]);
                c->file[f] = NULL;
            }
        }
    }
    rct_release(found);
    rct_release(taken);
    rct_release(needed);
}

/* ---- all of them -------------------------------------------------------------------------- */

static void read_all(rct_call *call, rct_ensemble_checkpoints *c, const rct_checkpoint_names *names,
                     const wanted *w)
{
    rct_error why;
    const char *results = call->path;
    c->file = rct_call_allocate(call, names->count, sizeof(rct_checkpoint *), "checkpoints");
    for (int64_t k = 0; k < names->count && call->status == RCT_OK; k++) {
        call->path = names->name[k].path;
        c->file[k] = rct_checkpoint_read(call->path, RCT_CHECKPOINT_ENSEMBLE, &why);
        if (c->file[k] != NULL) {
            c->files = k + 1;
            check_file(call, c->file[k], w);
        } else {
            rct_call_fail_as(call, &why);
        }
    }
    call->path = results;
}

rct_ensemble_checkpoints *rct_ensemble_checkpoints_open_sized(const char *results,
                                                              const rct_ensemble *e, rct_in in,
                                                              const int8_t *done, rct_error *error)
{
    rct_call call;
    rct_checkpoint_names names;
    rct_ensemble_run_options run;
    if (!rct_ensemble_asked(&run, results, "results", e, in, error)) {
        return NULL;
    }
    rct_call_begin(&call, results, NULL, error);
    wanted w = {rct_ensemble_text(&call, e, &run), e->model, run};
    rct_checkpoint_names_find(&names, &call, results, 0);
    rct_ensemble_checkpoints *c = rct_call_allocate(&call, 1, sizeof *c, "checkpoints");
    if (c != NULL) {
        read_all(&call, c, &names, &w);
    }
    if (call.status == RCT_OK) {
        choose(&call, c, &w, done);
    }
    rct_checkpoint_names_release(&names);
    rct_release(w.facts);
    if (rct_call_end(&call) != RCT_OK) {
        rct_ensemble_checkpoints_close(c);
        c = NULL;
    }
    return c;
}
