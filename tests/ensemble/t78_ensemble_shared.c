/* Ranks share the members of an ensemble: each member is run once, with its usual bits, however
 * fast the ranks are; an error that ends the run of one rank ends the runs of all; and kept batches
 * continue on another number of ranks. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "ensemble/begun.h"
#include "ensemble/claims.h"
#include "tests/ensemble/forked_ranks.h"
#include "tests/support/files/collected.h"
#include "tests/support/must.h"
#include "tests/support/one_in.h"

#include <riccatree/riccatree.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MEMBERS = 60, STEPS = 24, MOST_KEPT = 64, BYTES = 1 << 16 };

/* Of all ranks. */
typedef struct board {
    int32_t times[MEMBERS]; /* delivered */
    int32_t wrong, broken;  /* what has gone wrong; whether the rank that breaks has done so */
    int64_t members[FORKED_MOST], steps[FORKED_MOST]; /* of the last progress of each rank */
    int64_t own[FORKED_MOST];                         /* delivered by each                 */
    rct_status status[FORKED_MOST];
    char text[FORKED_MOST][RCT_ERROR_TEXT_SIZE];
    int32_t kept_count[FORKED_MOST]; /* of the last keep of each */
    int64_t kept_size[FORKED_MOST][MOST_KEPT];
    rct_ensemble_begun kept[FORKED_MOST][MOST_KEPT];
    double bytes[FORKED_MOST][MOST_KEPT][BYTES / 8];
} board;

/* The options of a run; `rank` -1: no rank. */
typedef struct plan {
    board *b;
    const rct_ensemble *ensemble;
    rct_ensemble_run_options options;
    const collected *straight;
    int32_t slow;       /* this rank sleeps whenever it looks at the progress */
    int32_t patient;    /* this one does not go on until others have done most */
    int32_t stops;      /* progress ends the run of this rank ...             */
    int64_t stop_after; /* after so many steps                                */
    int32_t breaks;     /* deliver fails on this rank                         */
    int32_t starves;    /* memory fails on this rank, after so many successes */
    int64_t successes;
    int32_t asks_wrongly; /* a rank whose options are wrong                     */
    int32_t own, ranks;
} plan;

static rct_status deliver(void *context, const rct_member_result *r, rct_error *error)
{
    plan *p = context;
    const collected_member *wanted = &p->straight->member[r->member];
    if (p->own == p->breaks) {
        __atomic_store_n(&p->b->broken, 1, __ATOMIC_SEQ_CST);
        error->status = RCT_ERROR_IO;
        snprintf(error->text, sizeof error->text, "the disk is full");
        return RCT_ERROR_IO;
    }
    const size_t q = (size_t)p->straight->coordinates, u = (size_t)p->straight->rates;
    const size_t f = (size_t)p->straight->series;
    const double *numbers = wanted->numbers;
    const int same = memcmp(numbers, r->coordinates, q * sizeof *numbers) == 0 &&
                     memcmp(numbers + q, r->rates, u * sizeof *numbers) == 0 &&
                     memcmp(numbers + q + u, r->series_energy, f * sizeof *numbers) == 0 &&
                     memcmp(&wanted->energy, &r->energy, sizeof r->energy) == 0 &&
                     memcmp(&wanted->drift, &r->energy_drift, sizeof r->energy_drift) == 0 &&
                     wanted->status == r->status && strcmp(wanted->text, r->text) == 0;
    __atomic_fetch_add(&p->b->wrong, !same, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&p->b->times[r->member], 1, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&p->b->own[p->own], 1, __ATOMIC_SEQ_CST);
    return RCT_OK;
}

/* Whether a rank must wait: until others have done more than half, or until the failing rank has
 * failed. */
static int waits(const plan *p)
{
    int64_t others = 0;
    for (int32_t r = 0; r < p->ranks; r++) {
        others += r != p->own ? __atomic_load_n(&p->b->own[r], __ATOMIC_SEQ_CST) : 0;
    }
    return (p->own == p->patient && p->ranks > 1 && others <= MEMBERS / 2) ||
           (p->breaks >= 0 && p->own != p->breaks &&
            !__atomic_load_n(&p->b->broken, __ATOMIC_SEQ_CST));
}

static int look(void *context, int64_t members, int64_t steps)
{
    plan *p = context;
    board *b = p->b;
    const int sound = members >= b->members[p->own] && steps >= b->steps[p->own];
    __atomic_fetch_add(&b->wrong, !sound, __ATOMIC_SEQ_CST);
    b->members[p->own] = members;
    b->steps[p->own] = steps;
    if (p->own == p->slow) {
        usleep(5000);
    }
    while (waits(p)) {
        usleep(1000);
    }
    return p->own == p->stops && steps >= p->stop_after;
}

static rct_status keep(void *context, int32_t count, const rct_ensemble_begun *begun,
                       rct_error *error)
{
    plan *p = context;
    board *b = p->b;
    (void)error;
    b->kept_count[p->own] = count;
    for (int32_t i = 0; i < count; i++) {
        if (count > MOST_KEPT || begun[i].size > BYTES) {
            b->wrong++;
            return RCT_OK;
        }
        memcpy(b->bytes[p->own][i], begun[i].bytes, (size_t)begun[i].size);
        b->kept[p->own][i] = begun[i];
        b->kept[p->own][i].bytes = b->bytes[p->own][i];
    }
    return RCT_OK;
}

static int body(rct_ranks *ranks, void *context)
{
    plan p = *(const plan *)context;
    rct_error error = {.text = ""};
    p.own = rct_ranks_number(ranks);
    p.ranks = rct_ranks_count(ranks);
    p.options.ranks = ranks;
    p.options.deliver = deliver;
    p.options.progress = look;
    p.options.keep = keep;
    p.options.context = &p;
    p.options.threads = 1 + p.own % 2;
    if (p.own == p.asks_wrongly) {
        p.options.threads = -1;
    }
    if (p.own == p.starves) {
        rct_allocate_fail_after(p.successes);
    }
    p.b->status[p.own] = rct_ensemble_run(p.ensemble, &p.options, &error);
    rct_allocate_fail_after(-1);
    memcpy(p.b->text[p.own], error.text, sizeof error.text);
    return forked_polls(ranks) > 0 || p.options.threads < 0 || p.own == p.starves ? 0 : 1;
}

/* ---- the ensemble ------------------------------------------------------------------------- */

static rct_ensemble *ensemble_of(void)
{
    static const rct_variation stiff = {"bodies.body2.hinge.stiffness", RCT_VARY_GRID, 1.0, 1e8, 4};
    return must_ensemble(must_family("chain", 4, RCT_HINGE_REVOLUTE), MEMBERS, 0.3, 1, &stiff);
}

static plan plan_of(const rct_ensemble *ensemble, board *b)
{
    plan p = {.b = b,
              .ensemble = ensemble,
              .options = collect_options(STEPS, 5, 8, 0),
              .slow = -1,
              .patient = -1,
              .stops = -1,
              .breaks = -1,
              .starves = -1,
              .asks_wrongly = -1};
    p.options.keep_steps = 5;
    p.straight = collect(ensemble, p.options, RCT_OK, NULL);
    memset(b, 0, sizeof *b);
    return p;
}

static void plan_free(plan *p)
{
    collected_free((collected *)p->straight);
}

/* All ranks return the same. */
static void check_status(const board *b, int32_t ranks, rct_status status, const char *says)
{
    assert_int_equal(b->wrong, 0);
    for (int32_t r = 0; r < ranks; r++) {
        if (b->status[r] != status || strstr(b->text[r], says) == NULL) {
            fail_msg("rank %d: %s, \"%s\"", (int)r, rct_status_name(b->status[r]), b->text[r]);
        }
    }
}

/* ---- tests -------------------------------------------------------------------------------- */

static void test_every_member_once(void **state)
{
    rct_ensemble *ensemble = ensemble_of();
    for (int32_t ranks = 1; ranks <= 4; ranks++) {
        for (int32_t patient = -1; patient < 2; patient++) {
            plan p = plan_of(ensemble, *state);
            p.patient = patient;
            p.options.batch = 8 * (ranks % 2);
            assert_int_equal(forked_run(ranks, body, &p), 0);
            check_status(p.b, ranks, RCT_OK, "");
            int64_t most = 0, sum = 0;
            for (int64_t k = 0; k < MEMBERS; k++) {
                assert_int_equal(p.b->times[k], 1);
            }
            for (int32_t r = 0; r < ranks; r++) {
                most = p.b->steps[r] > most ? p.b->steps[r] : most;
                sum += p.b->own[r];
                assert_true(p.b->members[r] <= MEMBERS && p.b->steps[r] <= MEMBERS * STEPS);
            }
            assert_int_equal(sum, MEMBERS);
            assert_true(ranks == 1 || patient < 0 || patient >= ranks ||
                        p.b->own[patient] < MEMBERS / 2);
            assert_int_equal(most, p.straight->steps); /* the last to look saw those of all */
            plan_free(&p);
        }
    }
    rct_ensemble_free(ensemble);
}

static void test_a_rank_that_fails_ends_all(void **state)
{
    rct_ensemble *ensemble = ensemble_of();
    for (int32_t ranks = 2; ranks <= 4; ranks++) {
        plan p = plan_of(ensemble, *state);
        int64_t delivered = 0;
        p.breaks = ranks - 1;
        assert_int_equal(forked_run(ranks, body, &p), 0);
        char says[64];
        snprintf(says, sizeof says, "rank %d: the disk is full", (int)ranks - 1);
        check_status(p.b, ranks, RCT_ERROR_IO, says);
        assert_int_equal(p.b->own[ranks - 1], 0);
        for (int32_t r = 0; r < ranks; r++) {
            delivered += p.b->own[r];
        }
        assert_true(delivered <= MEMBERS - 8); /* a batch at least was the other's */
        plan_free(&p);
    }
    rct_ensemble_free(ensemble);
}

/* Other ranks claim between the two reads of the next position: the rest is claimed once, up to its
 * end and not beyond. */
static int overtaken(rct_ranks *ranks, void *context)
{
    const int64_t ahead = *(const int64_t *)context;
    int32_t begun[] = {0, 1, 2};
    rct_claims claims = {.ranks = ranks,
                         .begun_count = 3,
                         .begun = begun,
                         .fresh = 100,
                         .room = 16,
                         .aside = 8,
                         .workers = 3};
    rct_claim claim;
    int64_t next = 0, wrong = 0; /* next: as it stands, batches begun first */
    forked_overtake(ranks, ahead);
    while (rct_claims_take(&claims, &claim)) {
        const int64_t from = claim.begun >= 0 ? claim.begun : 3 + claim.from;
        const int64_t end = claim.begun >= 0 ? from + 1 : 3 + claim.end;
        wrong += from != next + ahead || end <= from || end > 103;
        wrong += claim.begun >= 0 ? claim.begun > 2 : claim.from < 0 || claim.end - claim.from > 16;
        next = end;
    }
    return wrong == 0 && next + ahead >= 103 ? 0 : 1;
}

static void test_others_claim_in_between(void **state)
{
    (void)state;
    for (int64_t ahead = 0; ahead < 120; ahead += ONE_IN) {
        assert_int_equal(forked_run(1, overtaken, &ahead), 0);
    }
}

static void test_options_of_one_rank_are_wrong(void **state)
{
    rct_ensemble *ensemble = ensemble_of();
    plan p = plan_of(ensemble, *state);
    p.asks_wrongly = 1;
    forked_run(3, body, &p); /* nobody polls */
    check_status(p.b, 3, RCT_ERROR_ARGUMENT, "rank 1: -1 threads");
    assert_int_equal(p.b->own[0] + p.b->own[1] + p.b->own[2], 0);
    plan_free(&p);
    rct_ensemble_free(ensemble);
}

/* Memory of one rank fails, at any allocation: all ranks end, none waits. */
static void test_memory_of_one_rank_runs_out(void **state)
{
    rct_ensemble *ensemble = ensemble_of();
    int ended = 0;
    int64_t k = 0;
    for (; k < 100000 && !ended; k += 1 + k / 8) {
        plan p = plan_of(ensemble, *state);
        p.starves = 1;
        p.successes = k;
        forked_run(2, body, &p);
        ended = p.b->status[0] == RCT_OK;
        check_status(p.b, 2, ended ? RCT_OK : RCT_ERROR_MEMORY,
                     ended ? "" : "rank 1: out of memory");
        plan_free(&p);
    }
    assert_true(ended &&
                k > 1); /* some fail at least, even where the other rank takes all members */
    rct_ensemble_free(ensemble);
}

/* Every begun member is delivered, or kept with at least as many steps, and by one rank. */
static void check_nothing_lost(const board *b, int32_t count, const rct_ensemble_begun *begun)
{
    for (int32_t i = 0; i < count; i++) {
        const int64_t *members = rct_begun_members(&begun[i]);
        for (int32_t k = 0; k < begun[i].count; k++) {
            int found = b->times[members[k]] > 0;
            for (int32_t r = 0; r < FORKED_MOST; r++) {
                for (int32_t j = 0; j < b->kept_count[r]; j++) {
                    const rct_ensemble_begun *kept = &b->kept[r][j];
                    const int64_t *others = rct_begun_members(kept);
                    for (int32_t m = 0; m < kept->count && kept->steps >= begun[i].steps; m++) {
                        found = found || others[m] == members[k];
                    }
                }
            }
            assert_true(found);
        }
    }
}

/* One rank ends the run in the middle; the kept batches continue on other ranks. */
static void test_stopped_and_gone_on_with(void **state)
{
    static rct_ensemble_begun begun[FORKED_MOST * MOST_KEPT];
    rct_ensemble *ensemble = ensemble_of();
    board *saved = forked_allocate(sizeof *saved);
    for (int32_t round = 0; round < 24; round += ONE_IN) {
        const int32_t ranks = 1 + round % 4, then = 1 + round / 4 % 4;
        plan p = plan_of(ensemble, *state);
        p.stops = round % ranks;
        p.stop_after = 40 + 41 * round;
        p.slow = (round + 1) % 3;
        assert_int_equal(forked_run(ranks, body, &p), 0);
        check_status(p.b, ranks, RCT_OK, "");
        int8_t done[MEMBERS];
        for (int parts = 0; parts < 3; parts++) { /* stopped again, and again, then to the end */
            memcpy(saved, p.b, sizeof *saved);
            int32_t count = 0;
            for (int32_t r = 0; r < FORKED_MOST; r++) {
                for (int32_t i = 0; i < saved->kept_count[r]; i++) {
                    begun[count] = saved->kept[r][i];
                    begun[count++].bytes = saved->bytes[r][i];
                }
            }
            for (int64_t k = 0; k < MEMBERS; k++) {
                done[k] = (int8_t)(saved->times[k] > 0);
            }
            p.options.done = done;
            p.options.begun_count = count;
            p.options.begun = begun;
            p.stops = parts < 2 ? 0 : -1;
            p.stop_after = 100;
            memset(p.b, 0, sizeof *p.b);
            memcpy(p.b->times, saved->times, sizeof p.b->times);
            assert_int_equal(forked_run(then, body, &p), 0);
            check_status(p.b, then, RCT_OK, "");
            check_nothing_lost(p.b, count, begun);
        }
        for (int64_t k = 0; k < MEMBERS; k++) {
            assert_int_equal(p.b->times[k], 1);
        }
        plan_free(&p);
    }
    forked_release(saved, sizeof *saved);
    rct_ensemble_free(ensemble);
}

static int make_board(void **state)
{
    *state = forked_allocate(sizeof(board));
    return *state == NULL;
}

static int free_board(void **state)
{
    forked_release(*state, sizeof(board));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_member_once),
        cmocka_unit_test(test_a_rank_that_fails_ends_all),
        cmocka_unit_test(test_others_claim_in_between),
        cmocka_unit_test(test_options_of_one_rank_are_wrong),
        cmocka_unit_test(test_memory_of_one_rank_runs_out),
        cmocka_unit_test(test_stopped_and_gone_on_with),
    };
    return cmocka_run_group_tests(tests, make_board, free_board);
}
