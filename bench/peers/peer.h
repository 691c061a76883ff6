/* The contract of a peer: a library of multibody dynamics behind five functions, in a shared
 * object that bench_peers opens; one object may have several peers, which call the library in
 * different ways.
 *
 * Timed is `forward`, from a state to accelerations, as a user of that library would call it. It
 * takes and returns the library's own coordinates. The conversion from and to the neutral ones
 * of system.h, `adopt` and `yield`, is not timed. Own arrays have the lengths of the neutral
 * ones. */
#ifndef RCT_BENCH_PEERS_PEER_H
#define RCT_BENCH_PEERS_PEER_H

#include "bench/peers/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_peer {
    const char *name;
    const char *version; /* and flags */
    const char *call;    /* the calls of `forward`; NULL: not for systems without loops           */
    const char *closing; /* the same for systems with loops; NULL: not for these                  */

    /* The library's model of a system, which outlives it. NULL: `reason` [BENCH_REASON] says why
     * in one line. */
    void *(*make)(const bench_system *system, char *reason);
    void (*free)(void *made);

    /* A neutral state, in which all loops are closed, to own coordinates and rates. */
    void (*adopt)(void *made, const double *q, const double *u, double *own_q, double *own_u);
    /* Accelerations of the library in that neutral state to derivatives of the neutral rates. */
    void (*yield)(void *made, const double *q, const double *u, const double *own_du, double *du);

    /* Set the state again, find accelerations, return them. 0: the library failed. */
    int (*forward)(void *made, const double *own_q, const double *own_u, double *own_du);
} bench_peer;

/* The one function of a shared object: its peers by number, from 0; NULL: no more. */
typedef const bench_peer *bench_peer_function(int number);
#define BENCH_PEER_FUNCTION "bench_peer_here"
__attribute__((visibility("default"))) const bench_peer *bench_peer_here(int number);

/* Riccatree itself, linked in. */
extern const bench_peer bench_riccatree;

#ifdef __cplusplus
}
#endif
#endif
