/* Runs that are stopped and resumed (stopped.h). */
#include "tests/ensemble/stopped.h"

#include "core/memory.h"
#include "tests/support/cmocka_all.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct watch {
    stopped_run *run;
    stopped_when when;
    int64_t steps, deliveries;
    int ended;
} watch;

static rct_status take(void *context, const rct_member_result *result, rct_error *error)
{
    watch *w = context;
    if (w->run->status != RCT_OK) {
        fail_msg("delivered after a failure");
    }
    if (++w->deliveries == w->when.deliveries) {
        snprintf(error->text, sizeof error->text, "no room for results");
        return w->run->status = RCT_ERROR_IO;
    }
    return collected_take(w->run->c, result, error);
}

static int look(void *context, int64_t members, int64_t steps)
{
    watch *w = context;
    if (w->ended || w->run->status != RCT_OK || steps < w->steps ||
        members + w->run->delivered != w->run->c->delivered) {
        fail_msg("progress: %" PRId64 " members, %" PRId64 " steps", members, steps);
    }
    w->steps = steps;
    w->ended = w->when.steps > 0 && steps >= w->when.steps;
    return w->ended;
}

static stopped_point copy_point(const collected *c, int32_t count, const rct_ensemble_begun *begun)
{
    stopped_point p = {.done = calloc((size_t)c->members, 1), .count = count};
    p.begun = calloc((size_t)count + 1, sizeof *p.begun);
    for (int64_t k = 0; k < c->members; k++) {
        p.done[k] = c->member[k].times > 0;
    }
    for (int32_t i = 0; i < count; i++) {
        char *bytes = aligned_alloc(64, (size_t)(begun[i].size + 63) / 64 * 64);
        const ptrdiff_t at = (const char *)begun[i].members - (const char *)begun[i].bytes;
        if (at < 0 || at + 8 * begun[i].count > begun[i].size) {
            fail_msg("the members of a batch are not within its bytes");
        }
        memcpy(bytes, begun[i].bytes, (size_t)begun[i].size);
        p.begun[i] = begun[i];
        p.begun[i].bytes = bytes;
        p.begun[i].members = (const int64_t *)(const void *)(bytes + at);
    }
    return p;
}

void stopped_point_free(stopped_point *p)
{
    for (int32_t i = 0; i < p->count; i++) {
        free((void *)p->begun[i].bytes);
    }
    free(p->begun);
    free(p->done);
}

static rct_status keep(void *context, int32_t count, const rct_ensemble_begun *batches,
                       rct_error *error)
{
    watch *w = context;
    stopped_run *run = w->run;
    if (run->status != RCT_OK || count < 1) {
        fail_msg("%" PRId32 " batches kept, status %s", count, rct_status_name(run->status));
    }
    run->points = realloc(run->points, ((size_t)run->count + 1) * sizeof *run->points);
    run->points[run->count++] = copy_point(run->c, count, batches);
    if (run->count == w->when.fail_at) {
        snprintf(error->text, sizeof error->text, "no room for checkpoints");
        return run->status = RCT_ERROR_IO;
    }
    return RCT_OK;
}

static void run_it(stopped_run *run, const rct_ensemble *ensemble, rct_ensemble_run_options options,
                   stopped_when when)
{
    watch w = {.run = run, .when = when, .steps = 0};
    options.deliver = take;
    options.progress = look;
    options.keep = keep;
    options.context = &w;
    run->delivered = run->c->delivered;
    run->error.text[0] = '\0';
    rct_allocate_fail_after(when.allocations - 1);
    const rct_status status = rct_ensemble_run(ensemble, &options, &run->error);
    rct_allocate_fail_after(-1);
    if (run->status != RCT_OK && status != run->status) {
        fail_msg("a failure of the caller's became %s", rct_status_name(status));
    }
    run->status = status;
    run->steps = w.steps;
}

stopped_run *stopped_begin(const rct_ensemble *ensemble, rct_ensemble_run_options options,
                           stopped_when when)
{
    stopped_run *run = calloc(1, sizeof *run);
    run->c = collected_create(ensemble, &options);
    run_it(run, ensemble, options, when);
    return run;
}

stopped_run *stopped_go_on(const rct_ensemble *ensemble, rct_ensemble_run_options options,
                           const collected *before, const stopped_point *point, stopped_when when)
{
    stopped_run *run = calloc(1, sizeof *run);
    collected *c = run->c = collected_create(ensemble, &options);
    for (int64_t k = 0; k < c->members; k++) {
        if (point->done[k]) {
            double *numbers = c->member[k].numbers;
            memcpy(numbers, before->member[k].numbers, (size_t)c->numbers * sizeof *numbers);
            c->member[k] = before->member[k];
            c->member[k].numbers = numbers;
            c->member[k].times = 1;
            c->delivered++;
        }
    }
    options.done = point->done + options.first;
    options.begun_count = point->count;
    options.begun = point->count > 0 ? point->begun : NULL;
    run_it(run, ensemble, options, when);
    return run;
}

stopped_point stopped_end(const stopped_run *run, int was_kept)
{
    const stopped_point *last = run->count > 0 ? &run->points[run->count - 1] : NULL;
    return was_kept && last != NULL ? copy_point(run->c, last->count, last->begun)
                                    : copy_point(run->c, 0, NULL);
}

void stopped_free(stopped_run *run)
{
    for (int32_t i = 0; i < run->count; i++) {
        stopped_point_free(&run->points[i]);
    }
    free(run->points);
    collected_free(run->c);
    free(run);
}

static int is_there(const stopped_point *p, int64_t member, int64_t steps)
{
    int there = p->done[member];
    for (int32_t i = 0; i < p->count && !there; i++) {
        for (int32_t k = 0; k < p->begun[i].count && p->begun[i].steps >= steps; k++) {
            there = there || p->begun[i].members[k] == member;
        }
    }
    return there;
}

void stopped_check_nothing_lost(const stopped_run *run, const stopped_point *from)
{
    for (int32_t at = 0; at < run->count; at++) {
        for (int32_t i = 0; i < from->count; i++) {
            const rct_ensemble_begun *begun = &from->begun[i];
            for (int32_t k = 0; k < begun->count; k++) {
                if (!is_there(&run->points[at], begun->members[k], begun->steps)) {
                    fail_msg("what member %" PRId64 " had done is lost", begun->members[k]);
                }
            }
        }
    }
}

void stopped_check_whole(const stopped_run *run, const collected *straight)
{
    if (run->status != RCT_OK) {
        fail_msg("%s: %s", rct_status_name(run->status), run->error.text);
    }
    for (int64_t k = 0; k < straight->members; k++) {
        if (run->c->member[k].times != straight->member[k].times) {
            fail_msg("member %" PRId64 " delivered %d times", k, run->c->member[k].times);
        }
        if (straight->member[k].times > 0 && !collected_equal(straight, run->c, k)) {
            fail_msg("what went on has other bits");
        }
    }
}
