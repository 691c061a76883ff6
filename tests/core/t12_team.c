/* The team of threads: the caller runs a job once, and no member runs it after its end; members
 * that come in time take part, asleep or not; the caller and the next job see what members wrote; a
 * team that cannot be made leaves nothing behind. */
#define _GNU_SOURCE
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "core/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 8, JOBS = 10000, ITEMS = 64 };

static const int32_t sizes[] = {1, 2, 3, 8};

/* A job of items, each claimed by one member. All numbers but the cursor are plain, so that a
 * missing hand-over is a race. The board is freed after the job, so that a late member reads freed
 * memory. */
typedef struct board {
    atomic_int next;         /* item to be claimed              */
    int32_t members;         /* the job's instruction           */
    int64_t posted;          /* written by the caller           */
    int64_t item[ITEMS];     /* posted + item, by whom it takes */
    int64_t calls[MOST];     /* of each member                  */
    atomic_int inside[MOST]; /* a member never runs twice at once */
    atomic_int wrong;
    int whole; /* wait until all members are in   */
    atomic_int came;
    pthread_t thread[MOST];
} board;

static board *board_of(int32_t members, int64_t posted)
{
    board *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->members = members;
    b->posted = posted;
    return b;
}

static void work(void *context, int32_t member, int32_t members)
{
    board *b = context;
    if (member < 0 || member >= members || members != b->members) {
        atomic_store(&b->wrong, 1);
        return;
    }
    if (atomic_exchange(&b->inside[member], 1) != 0) {
        atomic_store(&b->wrong, 2);
    }
    if (b->calls[member]++ == 0) {
        b->thread[member] = pthread_self();
        atomic_fetch_add(&b->came, 1);
    }
    while (b->whole && atomic_load(&b->came) < members) {
        sched_yield();
    }
    for (int i; (i = atomic_fetch_add_explicit(&b->next, 1, memory_order_relaxed)) < ITEMS;) {
        b->item[i] += b->posted + i;
    }
    atomic_store(&b->inside[member], 0);
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

/* Runs the job: every item is done once, and the caller took part once. */
static void run(rct_team *team, board *b)
{
    rct_team_run(team, work, b);
    assert_int_equal(atomic_load(&b->wrong), 0);
    for (int i = 0; i < ITEMS; i++) {
        assert_int_equal(b->item[i], b->posted + i);
    }
    assert_int_equal(b->calls[0], 1);
    for (int32_t m = 0; m < MOST; m++) {
        assert_int_equal(atomic_load(&b->inside[m]), 0);
        assert_true(b->whole ? (b->calls[m] > 0) == (m < b->members)
                             : m < b->members || b->calls[m] == 0);
    }
}

static void test_every_item_once(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        rct_team *team = team_of(sizes[k]);
        for (int64_t j = 0; j < JOBS; j++) {
            board *b = board_of(sizes[k], 3 * j + 1);
            run(team, b);
            memset(b, 0xff, sizeof *b);
            free(b);
        }
        rct_team_free(team);
    }
}

/* A job that lasts until all members are in: they wake up, whatever the pause before it. */
static void test_members_asleep_wake_up(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        rct_team *team = team_of(sizes[k]);
        for (int64_t j = 0; j < 200; j++) {
            board *b = board_of(sizes[k], j);
            b->whole = 1;
            rest(j % 4 == 0 ? 3000 : 7 * j); /* below and above the time that members spin */
            run(team, b);
            free(b);
        }
        rct_team_free(team);
    }
}

/* Each member is a thread of its own, the same in every job, and member 0 is the caller. */
static void test_members_are_threads(void **state)
{
    (void)state;
    rct_team *team = team_of(MOST);
    board *first = board_of(MOST, 1), *second = board_of(MOST, 2);
    first->whole = second->whole = 1;
    run(team, first);
    run(team, second);
    assert_true(pthread_equal(first->thread[0], pthread_self()));
    for (int32_t m = 0; m < MOST; m++) {
        assert_true(pthread_equal(first->thread[m], second->thread[m]));
        for (int32_t l = 0; l < m; l++) {
            assert_false(pthread_equal(first->thread[m], first->thread[l]));
        }
    }
    free(first);
    free(second);
    rct_team_free(team);
}

/* Cells claimed by one member in one job are read by another in the next. */
typedef struct ring {
    int64_t cell[2][ITEMS];
    atomic_int next;
    int turn;
} ring;

static void pass_on(void *context, int32_t member, int32_t members)
{
    ring *r = context;
    (void)member;
    (void)members;
    for (int i; (i = atomic_fetch_add_explicit(&r->next, 1, memory_order_relaxed)) < ITEMS;) {
        r->cell[!r->turn][i] = r->cell[r->turn][(i + ITEMS - 1) % ITEMS] + 1;
    }
}

static void test_jobs_see_the_job_before(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        rct_team *team = team_of(sizes[k]);
        ring r = {.turn = 0};
        for (int i = 0; i < ITEMS; i++) {
            r.cell[0][i] = 1000000 * i;
        }
        for (int j = 0; j < JOBS; j++) {
            atomic_store(&r.next, 0);
            rct_team_run(team, pass_on, &r);
            r.turn = !r.turn;
        }
        for (int i = 0; i < ITEMS; i++) { /* the values from JOBS places before */
            const int from = (i + ITEMS - JOBS % ITEMS) % ITEMS;
            assert_int_equal(r.cell[r.turn][i], 1000000 * from + JOBS);
        }
        rct_team_free(team);
    }
}

/* Teams that never work, and several at once, each freed while its members spin or sleep. */
static void test_teams_come_and_go(void **state)
{
    (void)state;
    for (int k = 0; k < 60; k++) {
        rct_team *idle = team_of(1 + k % MOST), *busy = team_of(1 + k % 3);
        board *b = board_of(1 + k % 3, k), *c = board_of(1 + k % 3, k);
        run(busy, b);
        rest(k % 3 == 0 ? 1000 : 0);
        rct_team_free(idle);
        run(busy, c);
        rct_team_free(busy);
        free(b);
        free(c);
    }
    rct_team_free(NULL);
}

/* ---- teams that cannot be made ------------------------------------------------------------ */

static int threads_left = -1; /* threads that may still start; -1: any number */
static int threads_started;

/* Replaces pthread_create, by the linker (CMakeLists.txt). */
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
        assert_int_equal(threads_started, left); /* and all of them have ended */
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
        cmocka_unit_test(test_every_item_once),
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
