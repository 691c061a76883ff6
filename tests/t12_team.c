/* The team of threads: every member runs every job once and none twice, what a job wrote is seen by the
 * caller and by the next job, members asleep wake up, and a team that cannot be made leaves nothing
 * behind. */
#define _GNU_SOURCE
#include "cmocka_all.h"

#include "core/memory.h"
#include "core/team.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum { MOST = 8, JOBS = 10000 };

static const int32_t sizes[] = {1, 2, 3, 8};

/* What the jobs below work on: plain numbers, so that a missing hand-over is a race. */
typedef struct board {
    int64_t ran[MOST];  /* jobs each member has run                      */
    int64_t seen[MOST]; /* sum of `posted` each member has read          */
    int64_t posted;     /* written by the caller between jobs            */
    int32_t members;    /* what the jobs were told                       */
    int wrong;          /* a member out of range, or a size that is off  */
    pthread_t thread[MOST];
} board;

static void count(void *context, int32_t member, int32_t members)
{
    board *b = context;
    if (member < 0 || member >= members || members != b->members) {
        b->wrong = 1;
    } else {
        b->ran[member]++;
        b->seen[member] += b->posted;
        b->thread[member] = pthread_self();
    }
}

static rct_team *team_of(int32_t members)
{
    rct_team *team = rct_team_create(members, NULL);
    assert_non_null(team);
    assert_int_equal(rct_team_members(team), members);
    return team;
}

static void rest(int64_t microseconds)
{
    const struct timespec time = {.tv_nsec = (long)microseconds * 1000};
    nanosleep(&time, NULL);
}

static void expect_counts(const board *b, int64_t jobs, int64_t sum)
{
    assert_int_equal(b->wrong, 0);
    for (int32_t m = 0; m < MOST; m++) {
        assert_int_equal(b->ran[m], m < b->members ? jobs : 0);
        assert_int_equal(b->seen[m], m < b->members ? sum : 0);
    }
}

/* One job after the other, the counts checked after each. */
static void test_every_member_once_a_job(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        rct_team *team = team_of(sizes[k]);
        board b = {.members = sizes[k]};
        int64_t sum = 0;
        for (int64_t j = 1; j <= JOBS; j++) {
            b.posted = 3 * j + 1;
            sum += b.posted;
            rct_team_run(team, count, &b);
            for (int32_t m = 0; m < sizes[k]; m++) {
                assert_int_equal(b.ran[m], j);
            }
        }
        expect_counts(&b, JOBS, sum);
        rct_team_free(team);
    }
}

/* Pauses on both sides of the time members spin for. */
static void test_members_asleep_wake_up(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        rct_team *team = team_of(sizes[k]);
        board b = {.members = sizes[k], .posted = 1};
        for (int64_t j = 0; j < 200; j++) {
            rest(j % 4 == 0 ? 3000 : 7 * j);
            rct_team_run(team, count, &b);
        }
        expect_counts(&b, 200, 200);
        rct_team_free(team);
    }
}

/* Each member is a thread of its own, the same in every job, and member 0 is the caller. */
static void test_members_are_threads(void **state)
{
    (void)state;
    rct_team *team = team_of(MOST);
    board b = {.members = MOST};
    rct_team_run(team, count, &b);
    const board first = b;
    assert_true(pthread_equal(b.thread[0], pthread_self()));
    for (int32_t m = 0; m < MOST; m++) {
        for (int32_t l = 0; l < m; l++) {
            assert_false(pthread_equal(b.thread[m], b.thread[l]));
        }
    }
    rct_team_run(team, count, &b);
    for (int32_t m = 0; m < MOST; m++) {
        assert_true(pthread_equal(b.thread[m], first.thread[m]));
    }
    rct_team_free(team);
}

/* Members of one job read what other members wrote in the job before. */
typedef struct ring {
    int64_t cell[2][MOST];
    int turn;
} ring;

static void pass_on(void *context, int32_t member, int32_t members)
{
    ring *r = context;
    const int32_t left = (member + members - 1) % members;
    r->cell[!r->turn][member] = r->cell[r->turn][left] + 1;
}

static void test_jobs_see_the_job_before(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        rct_team *team = team_of(sizes[k]);
        ring r = {.turn = 0};
        for (int32_t m = 0; m < sizes[k]; m++) {
            r.cell[0][m] = 1000000 * m;
        }
        for (int j = 0; j < JOBS / 10; j++) {
            rct_team_run(team, pass_on, &r);
            r.turn = !r.turn;
        }
        for (int32_t m = 0; m < sizes[k]; m++) { /* what came round from JOBS / 10 places before */
            const int32_t from = (m + sizes[k] - JOBS / 10 % sizes[k]) % sizes[k];
            assert_int_equal(r.cell[r.turn][m], 1000000 * from + JOBS / 10);
        }
        rct_team_free(team);
    }
}

/* Teams that never work, and several at a time, each freed while its members spin or sleep. */
static void test_teams_come_and_go(void **state)
{
    (void)state;
    for (int k = 0; k < 60; k++) {
        rct_team *idle = team_of(1 + k % MOST), *busy = team_of(1 + k % 3);
        board b = {.members = 1 + k % 3, .posted = 1};
        rct_team_run(busy, count, &b);
        rest(k % 3 == 0 ? 1000 : 0);
        rct_team_free(idle);
        rct_team_run(busy, count, &b);
        expect_counts(&b, 2, 2);
        rct_team_free(busy);
    }
    rct_team_free(NULL);
}

/* ---- teams that cannot be made ------------------------------------------------------------ */

static int threads_left = -1; /* threads that may still start; -1: any number */
static int threads_started;

/* In place of pthread_create, by the linker (tests/CMakeLists.txt). */
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument)
{
    if (threads_left == 0) {
        return 11; /* EAGAIN */
    }
    threads_left -= threads_left > 0;
    threads_started++;
    return __real_pthread_create(thread, attributes, start, argument);
}

static void test_threads_that_do_not_start(void **state)
{
    (void)state;
    for (int left = 0; left < MOST - 1; left++) {
        rct_error error = {.status = RCT_OK};
        threads_left = left;
        threads_started = 0;
        assert_null(rct_team_create(MOST, &error));
        assert_int_equal(threads_started, left); /* and all of them have gone home */
        assert_int_equal(error.status, RCT_ERROR_MEMORY);
        assert_non_null(strstr(error.text, "8 threads"));
        threads_left = left;
        assert_null(rct_team_create(MOST, NULL));
    }
    threads_left = MOST - 1;
    rct_team_free(team_of(MOST));
    threads_left = -1;
}

static void test_memory_that_is_not_there(void **state)
{
    (void)state;
    rct_team *team = NULL;
    int64_t k = 0;
    for (; team == NULL && k < 100; k++) {
        rct_error error = {.status = RCT_OK};
        rct_allocate_fail_after(k);
        team = rct_team_create(3, &error);
        rct_allocate_fail_after(-1);
        assert_int_equal(error.status, team == NULL ? RCT_ERROR_MEMORY : RCT_OK);
    }
    assert_true(team != NULL && k > 2); /* both of its blocks were refused once */
    rct_team_free(team);
}

static void test_processors(void **state)
{
    (void)state;
    assert_true(rct_processors() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_member_once_a_job),
        cmocka_unit_test(test_members_asleep_wake_up),
        cmocka_unit_test(test_members_are_threads),
        cmocka_unit_test(test_jobs_see_the_job_before),
        cmocka_unit_test(test_teams_come_and_go),
        cmocka_unit_test(test_threads_that_do_not_start),
        cmocka_unit_test(test_memory_that_is_not_there),
        cmocka_unit_test(test_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
