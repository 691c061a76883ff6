/* Begun batches come from outside the library: every error in their bytes is refused, and no damage
 * does harm. A failure while batches are kept or continued ends the run. */
#include "tests/support/cmocka_all.h"

#include "ensemble/begun.h"
#include "tests/ensemble/stopped.h"
#include "tests/support/must.h"

#include <riccatree/riccatree.h>

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS = 16, STEPS = 20, HEAD = sizeof(rct_begun_head) };

static const stopped_when never;

static rct_ensemble *ensemble_of(int32_t count, const rct_variation *variations)
{
    return must_ensemble(must_family("chain", 5, RCT_HINGE_REVOLUTE), MEMBERS, 0.3, count,
                         variations);
}

static rct_ensemble_run_options options_of(void)
{
    static const int32_t track[] = {0, 2};
    rct_ensemble_run_options options = collect_options(STEPS, 5, 8, 1);
    options.tracked = 1;
    options.track = track;
    options.keep_steps = 3;
    return options;
}

/* A batch of 8 members after 9 steps, none of which is done. */
typedef struct fixture {
    rct_ensemble *ensemble;
    rct_ensemble_run_options options;
    collected *straight;
    stopped_run *run;
    stopped_point point;
    char *bytes;
} fixture;

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    f->ensemble = ensemble_of(0, NULL);
    f->options = options_of();
    f->straight = collect(f->ensemble, f->options, RCT_OK, NULL);
    f->run = stopped_begin(f->ensemble, f->options, never);
    f->point = f->run->points[2];
    f->bytes = (char *)f->point.begun[0].bytes;
    *state = f;
    return f->point.count != 1 || f->point.begun[0].steps != 9;
}

static int teardown(void **state)
{
    fixture *f = *state;
    stopped_free(f->run);
    collected_free(f->straight);
    rct_ensemble_free(f->ensemble);
    free(f);
    return 0;
}

static void refused(const fixture *f, const rct_ensemble *ensemble,
                    rct_ensemble_run_options options, const char *says)
{
    stopped_run *run = stopped_go_on(ensemble, options, f->straight, &f->point, never);
    if (run->status != RCT_ERROR_ARGUMENT || run->error.status != run->status ||
        strstr(run->error.text, says) == NULL || run->c->delivered != 0) {
        fail_msg("%s: \"%s\" does not say \"%s\"", rct_status_name(run->status), run->error.text,
                 says);
    }
    stopped_free(run);
}

/* ---- damage ------------------------------------------------------------------------------- */

static void with_number(fixture *f, size_t at, int64_t number, const char *says)
{
    int64_t before;
    memcpy(&before, f->bytes + at, 8);
    memcpy(f->bytes + at, &number, 8);
    refused(f, f->ensemble, f->options,
            "batch number 0 of those begun before cannot be continued: ");
    refused(f, f->ensemble, f->options, says);
    memcpy(f->bytes + at, &before, 8);
}

static void test_heads_that_are_wrong(void **state)
{
    fixture *f = *state;
    static const char sizes[] = "its size is not the one that its head gives";
    static const char order[] = "its numbers of steps and frames do not match";
    static const int64_t odd[] = {INT64_MIN, -1, INT64_MAX, INT64_MAX / 8, (int64_t)1 << 32};
    for (int i = 0; i < 5; i++) {
        with_number(f, offsetof(rct_begun_head, mark), odd[i], "not known;");
        with_number(f, offsetof(rct_begun_head, count), odd[i], sizes);
        with_number(f, offsetof(rct_begun_head, done), odd[i], order);
        with_number(f, offsetof(rct_begun_head, frame), odd[i], order);
        with_number(f, offsetof(rct_begun_head, steps), odd[i], "other steps");
        with_number(f, offsetof(rct_begun_head, dt), odd[i], "other steps");
        with_number(f, offsetof(rct_begun_head, series), odd[i], "other series");
        with_number(f, offsetof(rct_begun_head, tracked), odd[i], "other series");
        with_number(f, offsetof(rct_begun_head, bodies), odd[i], "another number of bodies");
        with_number(f, offsetof(rct_begun_head, state), odd[i], sizes);
        with_number(f, HEAD, odd[i], "its members do not belong to this run, or are not in order");
    }
    with_number(f, offsetof(rct_begun_head, count), 0, sizes);
    with_number(f, offsetof(rct_begun_head, count), 7, sizes);
    with_number(f, offsetof(rct_begun_head, state), 0, sizes);
    with_number(f, offsetof(rct_begun_head, done), 8,
                "other numbers of members or steps than it gives");
    with_number(f, offsetof(rct_begun_head, done), 11, order);
    with_number(f, offsetof(rct_begun_head, done), 4, order);
    with_number(f, offsetof(rct_begun_head, frame), 0, order);
    with_number(f, offsetof(rct_begun_head, frame), 5, order);
    with_number(f, offsetof(rct_begun_head, time), -1, order); /* not a number */
    with_number(f, HEAD, 1, "not in order");
    with_number(f, HEAD + 56, MEMBERS, "do not belong to this run");
    with_number(f, HEAD + 64 + 24, 3, "its members have other numbers of frames than the batch");
}

/* Two sizes that are wrong, but agree with each other. */
static void test_a_state_of_another_size(void **state)
{
    fixture *f = *state;
    rct_ensemble_begun *begun = &f->point.begun[0];
    rct_begun_head head;
    const rct_ensemble_begun before = *begun;
    memcpy(&head, f->bytes, sizeof head);
    head.state -= 8;
    memcpy(f->bytes, &head, sizeof head);
    begun->size -= 64;
    refused(f, f->ensemble, f->options, "its state has another size than that of its solver");
    head.state += 8;
    memcpy(f->bytes, &head, sizeof head);
    *begun = before;
}

static void test_what_is_around_the_bytes(void **state)
{
    fixture *f = *state;
    rct_ensemble_begun *begun = &f->point.begun[0];
    const rct_ensemble_begun before = *begun;
    for (int64_t size = before.size - 1; size >= -8; size -= size > 200 ? 101 : 1) {
        begun->size = size;
        refused(f, f->ensemble, f->options, "cannot be continued: it");
    }
    *begun = before;
    begun->bytes = f->bytes + 4;
    refused(f, f->ensemble, f->options, "not aligned to 8 bytes");
    begun->bytes = NULL;
    refused(f, f->ensemble, f->options, "too short");
    *begun = before;
    begun->count = 7;
    refused(f, f->ensemble, f->options, "other numbers of members or steps than it gives");
    *begun = before;
    begun->steps = 10;
    refused(f, f->ensemble, f->options, "other numbers of members or steps than it gives");
    *begun = before;
    f->point.count = -1;
    refused(f, f->ensemble, f->options, "-1 batches to continue");
    f->point.count = 1;
}

/* Any changed byte: refused, or run to the end with the resulting numbers; also under the
 * sanitizers. */
static void test_any_byte(void **state)
{
    fixture *f = *state;
    for (int64_t at = 0; at < f->point.begun[0].size; at += at < HEAD + 400 ? 1 : 13) {
        f->bytes[at] ^= (char)(1 << at % 8);
        stopped_run *run = stopped_go_on(f->ensemble, f->options, f->straight, &f->point, never);
        assert_true(run->status == RCT_ERROR_ARGUMENT || run->status == RCT_OK ||
                    run->error.text[0] != '\0');
        assert_true(run->status != RCT_OK || run->c->delivered == MEMBERS);
        stopped_free(run);
        f->bytes[at] ^= (char)(1 << at % 8);
    }
    stopped_run *run = stopped_go_on(f->ensemble, f->options, f->straight, &f->point, never);
    stopped_check_whole(run, f->straight);
    stopped_free(run);
}

/* ---- another run -------------------------------------------------------------------------- */

static void test_another_run(void **state)
{
    fixture *f = *state;
    const rct_ensemble_run_options good = f->options;
    rct_ensemble_run_options o = good;
    o.steps++, refused(f, f->ensemble, o, "other steps"), o = good;
    o.dt *= 2.0, refused(f, f->ensemble, o, "other steps"), o = good;
    o.series--, refused(f, f->ensemble, o, "other series"), o = good;
    o.tracked = 2, refused(f, f->ensemble, o, "other series"), o = good;
    o.first = 1, refused(f, f->ensemble, o, "do not belong to this run"), o = good;
    o.count = 7, refused(f, f->ensemble, o, "do not belong to this run"), o = good;
    o.keep_steps = -1, refused(f, f->ensemble, o, "every -1 steps"), o = good;
    o.keep_seconds = -1.0, refused(f, f->ensemble, o, "-1 s: give 0 or more"), o = good;
    o.keep_seconds = NAN, refused(f, f->ensemble, o, "nan s: give 0 or more");
}

/* Members that stood side by side cannot do so in another ensemble, or do not exist there. */
static void test_another_ensemble(void **state)
{
    fixture *f = *state;
    static const rct_variation loads = {"bodies.*.hinge.damping", RCT_VARY_GRID, 0.0, 1.0, 2},
                               mass = {"bodies.body3.mass", RCT_VARY_GRID, 1.0, -1.0, 2};
    rct_ensemble *other = ensemble_of(1, &loads);
    refused(f, other, f->options, "its members cannot stand side by side");
    rct_ensemble_free(other);
    other = ensemble_of(1, &mass);
    refused(f, other, f->options, "one of its members can no longer be made");
    rct_ensemble_free(other);
}

/* ---- failures ----------------------------------------------------------------------------- */

static void test_what_cannot_be_kept_ends_the_run(void **state)
{
    fixture *f = *state;
    for (int32_t threads = 1; threads <= 3; threads++) {
        rct_ensemble_run_options options = f->options;
        options.threads = threads;
        for (int32_t at = 1; at <= 4; at++) {
            stopped_run *run = stopped_begin(f->ensemble, options, (stopped_when){.fail_at = at});
            if (threads > 1 && at > 1 && run->count < at) {
                /* Threads wait for one another to keep batches: a slow thread may leave a single
                 * point. */
                stopped_check_whole(run, f->straight);
            } else {
                assert_int_equal(run->status, RCT_ERROR_IO);
                assert_string_equal(run->error.text, "no room for checkpoints");
                assert_int_equal(run->count, at);
            }
            stopped_free(run);
        }
        options.keep_steps = 0;
        stopped_run *run =
            stopped_begin(f->ensemble, options, (stopped_when){.fail_at = 1, .steps = 100});
        assert_int_equal(run->status, RCT_ERROR_IO);
        assert_string_equal(run->error.text, "no room for checkpoints");
        stopped_free(run);
        run = stopped_begin(f->ensemble, f->options, (stopped_when){.deliveries = 3});
        assert_int_equal(run->status, RCT_ERROR_IO);
        assert_string_equal(run->error.text, "no room for results");
        stopped_free(run);
    }
}

/* Memory fails at any allocation of continuing and keeping; no member is delivered twice. */
static void test_memory_runs_out(void **state)
{
    fixture *f = *state;
    rct_status status = RCT_ERROR_MEMORY;
    int64_t k = 0;
    f->options.batch = 3; /* less room than the batch needs */
    for (; status != RCT_OK; k++) {
        const stopped_when when = {.allocations = k + 1};
        stopped_run *run = stopped_go_on(f->ensemble, f->options, f->straight, &f->point, when);
        status = run->status;
        assert_true(status == RCT_OK || (status == RCT_ERROR_MEMORY &&
                                         strstr(run->error.text, "out of memory") != NULL));
        for (int64_t m = 0; m < MEMBERS; m++) {
            assert_true(run->c->member[m].times <= 1);
        }
        if (status == RCT_OK) {
            stopped_check_whole(run, f->straight);
        }
        stopped_free(run);
    }
    f->options.batch = 8;
    assert_true(k > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heads_that_are_wrong),
        cmocka_unit_test(test_a_state_of_another_size),
        cmocka_unit_test(test_what_is_around_the_bytes),
        cmocka_unit_test(test_any_byte),
        cmocka_unit_test(test_another_run),
        cmocka_unit_test(test_another_ensemble),
        cmocka_unit_test(test_what_cannot_be_kept_ends_the_run),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
