/* A running batch as bytes: checking and writing (begun.h). */
#include "ensemble/begun.h"

#include "core/error.h"
#include "dynamics/raw_state.h"
#include "model/model.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { WORD = 8, HEAD_WORDS = sizeof(rct_begun_head) / WORD };

static_assert(sizeof(rct_begun_head) % WORD == 0, "numbers of 8 bytes");

/* ---- checking ----------------------------------------------------------------------------- */

/* Words of a member besides its number. */
static int64_t place_words(const rct_begun_head *head)
{
    return RCT_BEGUN_PLACE + head->series * (1 + 3 * head->tracked);
}

static const char *check_run(const rct_begun_head *head, const rct_ensemble *e,
                             const rct_ensemble_run_options *run)
{
    if (head->mark != RCT_BEGUN_MARK) {
        return "its format is not known; start its members again";
    }
    if (head->bodies != e->model->count) {
        return "its members have another number of bodies";
    }
    if (memcmp(&head->dt, &run->dt, sizeof head->dt) != 0 || head->steps != run->steps) {
        return "it was begun with other steps";
    }
    if (head->series != run->series || head->tracked != run->tracked) {
        return "it was begun with other series";
    }
    return NULL;
}

/* The batch stands after a frame and not beyond the next. */
static const char *check_progress(const rct_begun_head *head, const rct_ensemble_run_options *run)
{
    const int sound = head->frame >= 1 && head->frame < rct_ensemble_frames(run) &&
                      head->done >= rct_ensemble_frame_step(run, head->frame - 1) &&
                      head->done <= rct_ensemble_frame_step(run, head->frame) &&
                      isfinite(head->time) && head->time >= 0.0;
    return sound ? NULL : "its numbers of steps and frames do not match";
}

/* The sizes of the parts must add up to the whole; `words` after the head. */
static const char *check_size(const rct_begun_head *head, int64_t words, const rct_ensemble *e)
{
    const int64_t most = e->model->count <= RCT_ENSEMBLE_WHOLE ? words : 1;
    const int possible = head->count >= 1 && head->count <= most && head->count <= INT32_MAX &&
                         head->state >= 0 && head->state <= words &&
                         head->series <= words / (1 + 3 * head->tracked);
    const int64_t rest = possible ? words - head->state : 0;
    return possible && rest % head->count == 0 && rest / head->count == 1 + place_words(head)
               ? NULL
               : "its size is not the one that its head gives";
}

static const char *check_members(const rct_ensemble_begun *begun, int64_t count,
                                 const rct_ensemble *e, const rct_ensemble_run_options *run)
{
    const int64_t *member = rct_begun_members(begun);
    const int64_t end = run->count > 0 ? run->first + run->count : e->members;
    for (int64_t k = 0; k < count; k++) {
        if (member[k] < run->first || member[k] >= end || (k > 0 && member[k] <= member[k - 1])) {
            return "its members do not belong to this run, or are not in order";
        }
    }
    return NULL;
}

static const char *check_frames(const rct_begun_head *head, const double *words)
{
    for (int64_t k = 0; k < head->count; k++) {
        int64_t frames;
        memcpy(&frames, words + k * place_words(head) + 3, sizeof frames);
        if (frames != (head->series > 0 ? head->frame : 0)) {
            return "its members have other numbers of frames than the batch";
        }
    }
    return NULL;
}

rct_status rct_begun_check(const rct_ensemble_begun *begun, int32_t number, const rct_ensemble *e,
                           const rct_ensemble_run_options *run, rct_error *error)
{
    const char *trouble = NULL;
    rct_begun_head head = {.mark = 0};
    const int64_t words = begun->size / WORD - HEAD_WORDS;
    if (begun->bytes == NULL || (intptr_t)begun->bytes % WORD != 0 || begun->size % WORD != 0 ||
        words < 0) {
        trouble = "it is too short, or not aligned to 8 bytes";
    } else {
        memcpy(&head, begun->bytes, sizeof head);
        trouble = check_run(&head, e, run);
    }
    trouble = trouble == NULL ? check_progress(&head, run) : trouble;
    trouble = trouble == NULL ? check_size(&head, words, e) : trouble;
    if (trouble == NULL && (begun->count != head.count || begun->steps != head.done)) {
        trouble = "its bytes have other numbers of members or steps than it gives";
    }
    trouble = trouble == NULL ? check_members(begun, head.count, e, run) : trouble;
    trouble = trouble == NULL
                  ? check_frames(&head, (const double *)begun->bytes + HEAD_WORDS + head.count)
                  : trouble;
    return trouble == NULL ? RCT_OK : rct_begun_refuse(number, trouble, error);
}

rct_status rct_begun_refuse(int32_t number, const char *why, rct_error *error)
{
    return rct_fail(error, RCT_ERROR_ARGUMENT,
                    "batch number %" PRId32 " of those begun before cannot be continued: %.400s",
                    number, why);
}

const int64_t *rct_begun_members(const rct_ensemble_begun *begun)
{
    return (const int64_t *)begun->bytes + HEAD_WORDS;
}

/* ---- writing ------------------------------------------------------------------------------ */

static rct_begun_head head_of(const rct_batch *b)
{
    const rct_ensemble_run_options *run = b->owner->options;
    return (rct_begun_head){.mark = RCT_BEGUN_MARK,
                            .count = b->live_count,
                            .done = b->done,
                            .frame = b->frame,
                            .time = b->time,
                            .dt = run->dt,
                            .steps = run->steps,
                            .series = run->series,
                            .tracked = run->tracked,
                            .bodies = b->owner->ensemble->model->count,
                            .state = rct_raw_count(b->solver)};
}

int64_t rct_begun_size(const rct_batch *b)
{
    const rct_begun_head head = head_of(b);
    return WORD * (HEAD_WORDS + head.count * (1 + place_words(&head)) + head.state);
}

/* Copy `words` of a place in or out; returns where the words of the next place are. */
static double *pass(double *words, rct_placed_member *place, const rct_ensemble_run_options *run,
                    int in)
{
    struct {
        void *own;
        int64_t count;
    } parts[] = {{&place->first, 1},
                 {&place->last, 1},
                 {&place->drift, 1},
                 {&place->frames, 1},
                 {place->series_energy, run->series},
                 {place->series_position, 3 * run->series * run->tracked}};
    for (int i = 0; i < (int)(sizeof parts / sizeof parts[0]); i++) {
        memcpy(in ? parts[i].own : words, in ? words : parts[i].own, (size_t)parts[i].count * WORD);
        words += parts[i].count;
    }
    return words;
}

void rct_begun_write(const rct_batch *b, void *bytes)
{
    const rct_begun_head head = head_of(b);
    int64_t *members = (int64_t *)bytes + HEAD_WORDS;
    double *words = (double *)bytes + HEAD_WORDS + head.count;
    memcpy(bytes, &head, sizeof head);
    for (int32_t s = 0; s < b->live_count; s++) {
        members[s] = b->places[b->live[s]].member;
        words = pass(words, &b->places[b->live[s]], b->owner->options, 0);
    }
    rct_raw_read(b->solver, words);
}

rct_ensemble_begun rct_begun_of(const void *bytes, int64_t size)
{
    rct_begun_head head;
    memcpy(&head, bytes, sizeof head);
    return (rct_ensemble_begun){.bytes = bytes,
                                .size = size,
                                .steps = head.done,
                                .count = (int32_t)head.count,
                                .members = (const int64_t *)bytes + HEAD_WORDS};
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Seat the members as they were; words of their places follow `members`. Returns NULL or what is
 * wrong. */
static const char *seat(rct_batch *b, const rct_ensemble_begun *begun, const double **words)
{
    const int64_t *members = rct_begun_members(begun);
    const double *next = (const double *)members + begun->count;
    for (int32_t k = 0; k < begun->count; k++) {
        rct_error fault;
        rct_placed_member *place = rct_batch_seat(b, members[k], &fault);
        if (fault.status != RCT_OK) {
            return "one of its members can no longer be made";
        }
        if (!rct_batch_join(b)) {
            return "its members cannot stand side by side";
        }
        next = pass((double *)next, place, b->owner->options, 1);
    }
    *words = next;
    return NULL;
}

/* A solver could not be made or brought to its state: because of the members or of the machine. */
static rct_status not_made(const rct_error *fault, int32_t number, rct_error *error)
{
    if (fault->status == RCT_ERROR_MEMORY || fault->status == RCT_ERROR_DEVICE ||
        fault->status == RCT_ERROR_UNSUPPORTED) {
        *error = *fault;
        return fault->status;
    }
    return rct_begun_refuse(number, fault->text, error);
}

static rct_status restore(rct_batch *b, const rct_begun_head *head, const double *state,
                          int32_t number, rct_error *error)
{
    rct_error fault;
    rct_status status = rct_batch_try_solver(b, &fault, error);
    if (status == RCT_OK && b->solver == NULL) {
        return not_made(&fault, number, error);
    }
    if (status == RCT_OK && head->state != rct_raw_count(b->solver)) {
        return rct_begun_refuse(number, "its state has another size than that of its solver",
                                error);
    }
    if (status == RCT_OK && rct_raw_write(b->solver, head->time, state, &fault) != RCT_OK) {
        return not_made(&fault, number, error);
    }
    b->time = head->time;
    b->done = head->done;
    b->frame = head->frame;
    return status;
}

rct_status rct_begun_read(rct_batch *b, const rct_ensemble_begun *begun, int32_t number,
                          rct_error *error)
{
    rct_status status = RCT_OK;
    rct_begun_head head;
    memcpy(&head, begun->bytes, sizeof head);
    if (begun->count > b->room) {
        rct_batch_owner *owner = b->owner;
        const int32_t worker = b->worker;
        rct_batch_release(b);
        status = rct_batch_create(b, owner, begun->count, error);
        b->worker = worker;
    }
    if (status == RCT_OK) {
        const double *state = NULL;
        rct_batch_clear(b);
        const char *trouble = seat(b, begun, &state);
        status = trouble == NULL ? restore(b, &head, state, number, error)
                                 : rct_begun_refuse(number, trouble, error);
    }
    if (status != RCT_OK) {
        rct_batch_release(b);
    }
    return status;
}
