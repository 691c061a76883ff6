/* The race (race.h). Times are processor times of all threads of this process, so that no hidden
 * thread helps; if several threads are allowed, clock times. */
#include "bench/peers/race.h"

#include "bench/peers/apart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static const double patience =
    4.0; /* s of all slices of a peer: with long calls there are fewer rounds */
static const double most = 20.0; /* s a call; longer ones are left out */

static double now(const bench_race *race)
{
    struct timespec t;
    clock_gettime(race->system->threads > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds per call. 0: a call failed. */
static double run(bench_racer *r, const bench_race *race)
{
    int good = 1;
    const double start = now(race);
    for (int64_t k = 0; k < r->calls; k++) {
        r->state = (r->state + 1) % BENCH_STATES;
        good &= r->by->forward(r->made, r->q[r->state], r->u[r->state], r->du);
    }
    return good ? (now(race) - start) / (double)r->calls : 0.0;
}

static void leave(bench_racer *r, const char *reason)
{
    snprintf(r->reason, sizeof r->reason, "%s", reason);
    if (r->made != NULL) {
        r->by->free(r->made);
        r->made = NULL;
    }
}

static int enter(bench_racer *r, const bench_race *race)
{
    const size_t coordinates = (size_t)race->system->coordinates;
    const size_t freedoms = (size_t)race->system->freedoms;
    const int apart = race->apart && r != &race->riccatree;
    r->by = apart ? &bench_apart : r->peer;
    r->rounds = race->rounds;
    r->made = apart ? bench_apart_make(r->peer, race->system, r->reason)
                    : r->peer->make(race->system, r->reason);
    if (r->made == NULL && strstr(r->reason, "bad_alloc") != NULL) {
        struct rlimit memory;
        getrlimit(RLIMIT_AS, &memory);
        snprintf(r->reason, sizeof r->reason, "it asks for more than %.2g GB",
                 1e-9 * (double)memory.rlim_cur);
    }
    r->du = calloc(freedoms, sizeof *r->du);
    int room = r->du != NULL;
    for (int s = 0; s < BENCH_STATES; s++) {
        r->q[s] = calloc(coordinates, sizeof **r->q);
        r->u[s] = calloc(freedoms, sizeof **r->u);
        room = room && r->q[s] != NULL && r->u[s] != NULL;
    }
    if (!room) {
        leave(r, "no memory");
    }
    for (int s = 0; s < BENCH_STATES && r->made != NULL; s++) {
        r->by->adopt(r->made, race->system->q[s], race->system->u[s], r->q[s], r->u[s]);
    }
    return r->made != NULL;
}

/* Neutral accelerations in a state. 0: it fails, or takes too long. */
static int find(bench_racer *r, const bench_race *race, int state, double *du)
{
    const double start = now(race);
    const int good = r->by->forward(r->made, r->q[state], r->u[state], r->du);
    const double taken = now(race) - start;
    if (!good || taken > most) {
        char reason[BENCH_REASON] = "its call fails";
        if (good) {
            snprintf(reason, sizeof reason, "a call takes %.1f s", taken);
        }
        leave(r, reason);
        return 0;
    }
    if (taken * r->rounds > patience) {
        r->rounds = taken < patience ? (int)(patience / taken) : 1;
    }
    r->by->yield(r->made, race->system->q[state], race->system->u[state], r->du, du);
    return 1;
}

/* The largest difference from the accelerations of Riccatree, over the largest of these. */
static void compare(bench_racer *r, const bench_race *race)
{
    const int32_t n = race->system->freedoms;
    double *du = calloc((size_t)n, sizeof *du);
    for (int s = 0; s < BENCH_STATES && r->made != NULL; s++) {
        double size = 0.0, difference = 0.0;
        if (du == NULL || !find(r, race, s, du)) {
            break;
        }
        for (int32_t i = 0; i < n; i++) {
            size = fmax(size, fabs(race->du[s][i]));
            difference =
                fmax(difference, isfinite(du[i]) ? fabs(du[i] - race->du[s][i]) : INFINITY);
        }
        r->difference = fmax(r->difference, difference / size);
    }
    free(du);
}

/* Find how many calls fit in a slice. */
static void weigh(bench_racer *r, const bench_race *race)
{
    r->calls = 1;
    if (r->rounds < race->rounds) {
        return;
    }
    double each = run(r, race);
    while (each > 0.0 && each * (double)r->calls < 0.5 * race->slice) {
        r->calls *= 2;
        each = run(r, race);
    }
    if (each == 0.0) {
        leave(r, "its call fails");
    } else if (each * (double)r->calls < race->slice) {
        r->calls = (int64_t)ceil(race->slice / each);
    }
}

int race_begin(bench_race *race, const bench_system *system, const bench_peer *const *opened)
{
    race->system = system;
    bench_racer *own = &race->riccatree;
    own->peer = &bench_riccatree;
    int good = enter(own, race);
    for (int s = 0; s < BENCH_STATES && good; s++) {
        race->du[s] = calloc((size_t)system->freedoms, sizeof **race->du);
        good = race->du[s] != NULL && find(own, race, s, race->du[s]);
    }
    if (good) {
        weigh(own, race);
    }
    for (int k = 0; k < race->peers && own->made != NULL; k++) {
        bench_racer *r = &race->peer[k];
        r->peer = opened[k];
        if (enter(r, race)) {
            compare(r, race);
        }
        if (r->made != NULL) {
            weigh(r, race);
        }
    }
    return own->made != NULL;
}

int race_alone(const bench_race *race)
{
    int alone = 1;
    for (int k = 0; k < race->peers; k++) {
        alone = alone && race->peer[k].made == NULL;
    }
    return alone;
}

void race_run(bench_race *race)
{
    bench_racer *own = &race->riccatree;
    for (int round = 0; round < own->rounds && race_alone(race); round++) {
        own->seconds[round] = run(own, race);
    }
    for (int round = 0; round < race->rounds; round++) {
        for (int k = 0; k < race->peers; k++) {
            bench_racer *r = &race->peer[k];
            if (r->made != NULL && round < r->rounds) {
                r->before[round] = run(&race->riccatree, race);
                r->seconds[round] = run(r, race);
            }
        }
    }
}

void race_end(bench_race *race)
{
    for (int k = -1; k < race->peers; k++) {
        bench_racer *r = k < 0 ? &race->riccatree : &race->peer[k];
        if (r->made != NULL) {
            r->by->free(r->made);
        }
        free(r->du);
        for (int s = 0; s < BENCH_STATES; s++) {
            free(r->q[s]);
            free(r->u[s]);
        }
    }
    for (int s = 0; s < BENCH_STATES; s++) {
        free(race->du[s]);
    }
}
