/* Every member of an ensemble is run once, whoever claims it: finished and begun members are left
 * out, with any number of threads; and claims get smaller towards the end. */
#include "tests/support/cmocka_all.h"

#include "ensemble/claims.h"
#include "tests/ensemble/stopped.h"
#include "tests/support/must.h"

#include <riccatree/riccatree.h>

#include <inttypes.h>
#include <string.h>

enum { MEMBERS = 43, STEPS = 9 };

static const stopped_when never;

static int64_t pick(uint64_t *key, int64_t count)
{
    *key = *key * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(*key >> 33) % count;
}

static rct_ensemble *ensemble_on(int64_t members, rct_hinge_type hinge)
{
    return must_ensemble(must_family("chain", 4, hinge), members, 0.3, 0, NULL);
}

static rct_ensemble *ensemble_of(int64_t members)
{
    return ensemble_on(members, RCT_HINGE_BALL);
}

static rct_ensemble_run_options options_of(int32_t threads)
{
    rct_ensemble_run_options options = collect_options(STEPS, 4, 8, threads);
    options.keep_steps = 2;
    return options;
}

/* ---- claims ------------------------------------------------------------------------------- */

static void check_sizes(const rct_ensemble *ensemble, int64_t room, int64_t aside, int64_t workers)
{
    rct_claims claims;
    rct_claim claim;
    rct_error error;
    const rct_ensemble_run_options options = options_of(1);
    int64_t at = 0, last = room, count = 0;
    assert_int_equal(rct_claims_create(&claims, ensemble, &options, &error), RCT_OK);
    const int64_t all = claims.fresh, least = room < aside ? room : aside;
    claims.room = room;
    claims.aside = aside;
    claims.workers = workers;
    for (; rct_claims_take(&claims, &claim); count++) {
        const int64_t size = claim.end - claim.from, left = all - at;
        assert_true(claim.begun == -1 && claim.from == at && claim.end <= all);
        assert_true(size <= last && (size >= least || size == left));
        assert_true(size % aside == 0 || size == room || size == left);
        assert_true(workers == 1 ? size == (left < room ? left : room)
                                 : size < aside + (left + 2 * workers - 1) / (2 * workers));
        assert_true(size == room || size == left || 2 * workers * size >= left);
        last = size;
        at = claim.end;
    }
    assert_true(at == all && !rct_claims_take(&claims, &claim));
    assert_true(workers > 1 || count == (all + room - 1) / room);
    rct_claims_release(&claims);
}

static void test_claims_get_smaller(void **state)
{
    (void)state;
    static const int64_t members[] = {1, 2, 7, 8, 9, 100, 1000, 12345};
    static const int64_t rooms[] = {1, 3, 8, 64, 1000}, asides[] = {1, 8, 32};
    static const int64_t workers[] = {1, 2, 3, 16, 200};
    for (int i = 0; i < 8; i++) {
        rct_ensemble *ensemble = ensemble_of(members[i]);
        for (int k = 0; k < 75; k++) {
            check_sizes(ensemble, rooms[k % 5], asides[k / 5 % 3], workers[k / 15]);
        }
        rct_ensemble_free(ensemble);
    }
}

/* Batches come first, except those whose members are all done; then the members that are neither
 * done nor in a batch. */
static void test_what_there_is_to_claim(void **state)
{
    (void)state;
    rct_ensemble *ensemble = ensemble_of(MEMBERS);
    rct_ensemble_run_options options = options_of(1);
    stopped_run *run = stopped_begin(ensemble, options, never); /* batches of 8 */
    const rct_ensemble_begun begun[] = {run->points[0].begun[0], run->points[4].begun[0],
                                        run->points[8].begun[0]};
    int8_t done[MEMBERS] = {0};
    memset(done + 8, 1, 8);
    done[3] = done[20] = done[30] = 1;
    options.done = done;
    options.begun_count = 3;
    options.begun = begun;
    rct_claims claims;
    rct_claim claim;
    rct_error error;
    assert_int_equal(rct_claims_create(&claims, ensemble, &options, &error), RCT_OK);
    claims.room = 100;
    assert_int_equal(claims.begun_count, 2);
    assert_int_equal(claims.fresh, MEMBERS - 24 - 1);
    assert_int_equal(rct_claims_begun_taken(&claims), 0);
    assert_true(rct_claims_take(&claims, &claim) && claim.begun == 0);
    assert_int_equal(rct_claims_begun_taken(&claims), 1);
    assert_true(rct_claims_take(&claims, &claim) && claim.begun == 2);
    assert_true(rct_claims_take(&claims, &claim) && claim.begun == -1 && claim.from == 0);
    assert_int_equal(rct_claims_begun_taken(&claims), 2);
    assert_int_equal(claim.end, claims.fresh);
    for (int64_t k = 0, member = 24; k < claims.fresh; k++, member++) {
        member += member == 30;
        assert_int_equal(rct_claims_member(&claims, k), member);
    }
    assert_false(rct_claims_take(&claims, &claim));
    rct_claims_release(&claims);
    stopped_free(run);
    rct_ensemble_free(ensemble);
}

static void test_a_member_begun_twice(void **state)
{
    (void)state;
    rct_ensemble *ensemble = ensemble_of(MEMBERS);
    rct_ensemble_run_options options = options_of(1);
    collected *straight = collect(ensemble, options, RCT_OK, NULL);
    stopped_run *run = stopped_begin(ensemble, options, never);
    const rct_ensemble_begun begun[] = {run->points[5].begun[0], run->points[4].begun[0]};
    int8_t done[MEMBERS] = {0};
    const stopped_point twice = {done, 2, (rct_ensemble_begun *)begun};
    stopped_run *other = stopped_go_on(ensemble, options, straight, &twice, never);
    assert_int_equal(other->status, RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(other->error.text, "member 8 is in two of the batches"));
    assert_int_equal(other->c->delivered, 0);
    stopped_free(other);
    stopped_free(run);
    collected_free(straight);
    rct_ensemble_free(ensemble);
}

/* ---- runs --------------------------------------------------------------------------------- */

/* With any members done, begun and kept anew, and any threads. */
static void test_every_member_once(void **state)
{
    (void)state;
    uint64_t key = 11;
    rct_ensemble *ensemble = ensemble_of(MEMBERS);
    for (int round = 0; round < 60; round++) {
        rct_ensemble_run_options options = options_of(1 + (int32_t)pick(&key, 4));
        options.first = pick(&key, 20);
        options.count = MEMBERS - options.first - pick(&key, 20);
        options.batch = pick(&key, 12);
        collected *straight = collect(ensemble, options, RCT_OK, NULL);
        const stopped_when when = {.steps = 1 + pick(&key, MEMBERS * STEPS)};
        stopped_run *run = stopped_begin(ensemble, options, when);
        stopped_point from =
            run->count > 0 ? run->points[pick(&key, run->count)] : stopped_end(run, 0);
        const int64_t sparse = 1 + pick(&key, 20);
        for (int64_t k = 0; k < options.count; k++) {
            from.done[options.first + k] |= pick(&key, sparse) == 0;
        }
        options.threads = 1 + (int32_t)pick(&key, 4);
        options.batch = pick(&key, 12);
        options.keep_steps = pick(&key, 3);
        options.keep_seconds = pick(&key, 2) ? 1e-9 : 0.0;
        stopped_run *other = stopped_go_on(ensemble, options, straight, &from, never);
        stopped_check_whole(other, straight);
        stopped_check_nothing_lost(other, &from);
        if (run->count == 0) {
            stopped_point_free(&from);
        }
        stopped_free(other);
        stopped_free(run);
        collected_free(straight);
    }
    rct_ensemble_free(ensemble);
}

/* Begun batches of two members, many of them waiting or just claimed whenever some are kept. */
static void test_batches_that_wait_are_not_lost(void **state)
{
    (void)state;
    rct_ensemble *ensemble = ensemble_of(MEMBERS);
    rct_ensemble_run_options options = options_of(3);
    collected *straight = collect(ensemble, options, RCT_OK, NULL);
    rct_ensemble_begun begun[MEMBERS / 2];
    options.batch = 2;
    options.threads = 1;
    stopped_run *run = stopped_begin(ensemble, options, never);
    const int32_t each = STEPS / 2; /* points of a batch */
    for (int32_t i = 0; i < MEMBERS / 2; i++) {
        begun[i] = run->points[each * i + i % each].begun[0];
    }
    stopped_point from = stopped_end(run, 0);
    memset(from.done, 0, MEMBERS);
    const stopped_point many = {from.done, MEMBERS / 2, begun};
    options.keep_steps = 1;
    for (options.threads = 1; options.threads <= 4; options.threads++) {
        for (int round = 0; round < 8; round++) {
            stopped_run *other = stopped_go_on(ensemble, options, straight, &many, never);
            stopped_check_whole(other, straight);
            stopped_check_nothing_lost(other, &many);
            stopped_free(other);
        }
    }
    stopped_point_free(&from);
    stopped_free(run);
    collected_free(straight);
    rct_ensemble_free(ensemble);
}

/* Each time batches are handed out, every batch has a later step than the time before. */
static void test_all_are_brought_up_to_date(void **state)
{
    (void)state;
    rct_ensemble *ensemble = ensemble_of(MEMBERS);
    rct_ensemble_run_options options = options_of(3);
    options.steps = 60;
    options.keep_steps = 1;
    stopped_run *run = stopped_begin(ensemble, options, never);
    for (int32_t i = 1; i < run->count; i++) {
        const stopped_point *a = &run->points[i - 1], *b = &run->points[i];
        for (int32_t k = 0; k < a->count * b->count; k++) {
            const rct_ensemble_begun *x = &a->begun[k % a->count], *y = &b->begun[k / a->count];
            assert_true(x->members[0] != y->members[0] || x->steps < y->steps);
        }
    }
    stopped_free(run);
    rct_ensemble_free(ensemble);
}

static void test_all_done(void **state)
{
    (void)state;
    rct_ensemble *ensemble = ensemble_of(MEMBERS);
    const rct_ensemble_run_options options = options_of(2);
    collected *straight = collect(ensemble, options, RCT_OK, NULL);
    stopped_run *run = stopped_begin(ensemble, options, never);
    stopped_point all = stopped_end(run, 1);
    assert_true(all.count > 0);
    stopped_run *other = stopped_go_on(ensemble, options, straight, &all, never);
    stopped_check_whole(other, straight);
    assert_int_equal(other->count, 0);
    stopped_point_free(&all);
    stopped_free(other);
    stopped_free(run);
    collected_free(straight);
    rct_ensemble_free(ensemble);
}

/* On every backend a run continues from every point. */
static void test_on_every_backend(void **state)
{
    (void)state;
    rct_backend_info info;
    for (int32_t i = 0; rct_backend_describe(i, &info, NULL) == RCT_OK; i++) {
        for (int hinge = RCT_HINGE_BALL; hinge <= RCT_HINGE_REVOLUTE && info.available; hinge++) {
            rct_ensemble *ensemble = ensemble_on(MEMBERS, (rct_hinge_type)hinge);
            rct_ensemble_run_options options = options_of(2);
            options.solver.backend = info.name;
            collected *straight = collect(ensemble, options, RCT_OK, NULL);
            stopped_run *run = stopped_begin(ensemble, options, never);
            assert_true(run->count > 0);
            for (int32_t at = 0; at < run->count; at += 1 + run->count / 8) {
                options.batch = 3 + 9 * at % 20;
                stopped_run *other =
                    stopped_go_on(ensemble, options, run->c, &run->points[at], never);
                stopped_check_whole(other, straight);
                stopped_free(other);
            }
            stopped_free(run);
            collected_free(straight);
            rct_ensemble_free(ensemble);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_claims_get_smaller),
        cmocka_unit_test(test_what_there_is_to_claim),
        cmocka_unit_test(test_a_member_begun_twice),
        cmocka_unit_test(test_every_member_once),
        cmocka_unit_test(test_batches_that_wait_are_not_lost),
        cmocka_unit_test(test_all_are_brought_up_to_date),
        cmocka_unit_test(test_all_done),
        cmocka_unit_test(test_on_every_backend),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
