/* The team: a new generation number and an open gate announce a job. Members count themselves in
 * and out at the gate. When the caller has done the work it could claim, it shuts the gate and
 * waits for members inside. Spinning bridges the gaps between the phases of an evaluation
 * (microseconds); a condition variable wakes sleeping members. */
#define _GNU_SOURCE
#include "core/team.h"

#include "core/error.h"
#include "core/memory.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

enum { SPINS = 4000, YIELD_AFTER = 1000, SHUT = -(1 << 30) };

typedef struct member {
    rct_team *team;
    pthread_t thread;
    int32_t number;
} member;

struct rct_team {
    int32_t count;   /* members, the caller included */
    int32_t started; /* threads running */
    member *members; /* [count]; number 0 is the caller and has no thread */
    int forks;       /* forks of the process that owns the threads */
    rct_job *job;
    void *context;
    atomic_int generation; /* of the job announced last; -1: threads end */
    atomic_int gate;       /* members inside; SHUT is added while there is no job */
    atomic_int sleepers;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
};

/* How many forks lie between this process and the one that made its first team. Reading it is a
 * load; getpid would be a system call per phase. */
static atomic_int forks;
static pthread_once_t forks_counted = PTHREAD_ONCE_INIT;

static void count_fork(void)
{
    atomic_fetch_add(&forks, 1);
}

static void count_forks(void)
{
    pthread_atfork(NULL, NULL, count_fork);
}

/* After a fork the other members are missing: their threads belong to the parent. */
static int is_at_home(const rct_team *team)
{
    return atomic_load_explicit(&forks, memory_order_relaxed) == team->forks;
}

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* Wait for a generation other than `seen`. */
static int await(rct_team *team, int seen)
{
    for (int i = 0; i < SPINS; i++) {
        const int now = atomic_load_explicit(&team->generation, memory_order_acquire);
        if (now != seen) {
            return now;
        }
        relax();
    }
    pthread_mutex_lock(&team->mutex);
    atomic_fetch_add(&team->sleepers, 1);
    while (atomic_load(&team->generation) == seen) {
        pthread_cond_wait(&team->wake, &team->mutex);
    }
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->mutex);
    return atomic_load(&team->generation);
}

static void announce(rct_team *team, int generation)
{
    atomic_store(&team->generation, generation);
    if (atomic_load(&team->sleepers) > 0) {
        pthread_mutex_lock(&team->mutex);
        pthread_cond_broadcast(&team->wake);
        pthread_mutex_unlock(&team->mutex);
    }
}

static void *serve(void *argument)
{
    const member *self = argument;
    rct_team *team = self->team;
    int seen = 0;
    while ((seen = await(team, seen)) >= 0) {
        if (atomic_fetch_add_explicit(&team->gate, 1, memory_order_acquire) >= 0) {
            team->job(team->context, self->number, team->count);
        }
        atomic_fetch_sub_explicit(&team->gate, 1, memory_order_release);
    }
    return NULL;
}

rct_team *rct_team_create(int32_t members, rct_error *error)
{
    rct_team *team = rct_allocate(1, sizeof *team, "a team of threads", error);
    if (team == NULL) {
        return NULL;
    }
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->wake, NULL);
    atomic_store(&team->gate, SHUT);
    team->count = members;
    pthread_once(&forks_counted, count_forks);
    team->forks = atomic_load(&forks);
    team->members = rct_allocate(members, sizeof *team->members, "a team of threads", error);
    int failure = team->members == NULL;
    for (int32_t i = 1; i < members && !failure; i++) {
        team->members[i] = (member){.team = team, .number = i};
        failure = pthread_create(&team->members[i].thread, NULL, serve, &team->members[i]) != 0;
        team->started += !failure;
    }
    if (failure) {
        if (team->members != NULL) {
            rct_fail(error, RCT_ERROR_MEMORY, "cannot start %d threads; ask for fewer threads",
                     members);
        }
        rct_team_free(team);
        return NULL;
    }
    return team;
}

void rct_team_free(rct_team *team)
{
    if (team != NULL) {
        if (is_at_home(team)) {
            announce(team, -1);
            for (int32_t i = 1; i <= team->started; i++) {
                pthread_join(team->members[i].thread, NULL);
            }
            pthread_cond_destroy(&team->wake);
            pthread_mutex_destroy(&team->mutex);
        }
        rct_release(team->members);
        rct_release(team);
    }
}

int32_t rct_team_members(const rct_team *team)
{
    return team->count;
}

/* Shut the gate and wait for the members inside. */
static void finish(rct_team *team)
{
    atomic_fetch_add_explicit(&team->gate, SHUT, memory_order_relaxed);
    for (int64_t spins = 0; atomic_load_explicit(&team->gate, memory_order_acquire) != SHUT;
         spins++) {
        if (spins > YIELD_AFTER) {
            sched_yield();
        } else {
            relax();
        }
    }
}

void rct_team_run(rct_team *team, rct_job *job, void *context)
{
    const int shared = team->count > 1 && is_at_home(team);
    if (shared) {
        team->job = job;
        team->context = context;
        atomic_fetch_sub_explicit(&team->gate, SHUT, memory_order_release); /* open */
        const int last = atomic_load(&team->generation);
        announce(team, last < 1000000000 ? last + 1 : 1);
    }
    job(context, 0, team->count);
    if (shared) {
        finish(team);
    }
}

int32_t rct_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return 1;
    }
    const int count = CPU_COUNT(&set);
    return count > 0 ? count : 1;
}
