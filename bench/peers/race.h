/* Riccatree and peers in turn on one system: do they agree, and how long does a call take. */
#ifndef RCT_BENCH_PEERS_RACE_H
#define RCT_BENCH_PEERS_RACE_H

#include "bench/peers/peer.h"

#include <stdio.h>

enum { RACE_PEERS = 8, RACE_ROUNDS = 64 };

/* One library on the system. */
typedef struct bench_racer {
    const bench_peer *peer;
    const bench_peer *by;      /* that made it: the peer, or bench_apart     */
    void *made;                /* NULL: it is left out                        */
    char reason[BENCH_REASON]; /* for leaving it out                          */
    double *q[BENCH_STATES], *u[BENCH_STATES],
        *du;                     /* in its own coordinates                      */
    int64_t calls;               /* of a slice, alternating states              */
    int rounds;                  /* of these: fewer where calls are long         */
    int state;                   /* of the last call                            */
    double difference;           /* of accelerations, over the largest of them  */
    double seconds[RACE_ROUNDS]; /* per call; of Riccatree where no peer runs   */
    double before[RACE_ROUNDS];  /* per call of Riccatree, just before          */
} bench_racer;

typedef struct bench_race {
    const bench_system *system;
    int apart;                /* 1: peers have a model for each independent part         */
    double *du[BENCH_STATES]; /* neutral accelerations by Riccatree                       */
    int peers, rounds;
    double slice; /* s, minimum of the calls between two reads of the clock */
    bench_racer riccatree, peer[RACE_PEERS];
} bench_race;

/* `opened` [peers]; 0: Riccatree itself cannot run, `race->riccatree.reason` says why. */
int race_begin(bench_race *race, const bench_system *system, const bench_peer *const *opened);
void race_run(bench_race *race);                     /* all rounds */
int race_alone(const bench_race *race);              /* 1: no peer is in it */
void race_print(FILE *file, const bench_race *race); /* a JSON object */
void race_end(bench_race *race);

#endif
