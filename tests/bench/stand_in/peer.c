/* A peer that is Riccatree itself, for bench_peers where no real peer is installed. PEER_DOES:
 * `refuse` the system, `fail` in its calls, return `other` accelerations or `none`, take `trees`
 * alone. */
#include "bench/peers/peer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *refuse(const bench_system *system, char *reason)
{
    snprintf(reason, BENCH_REASON, "no \"%s\" here", system->name);
    return NULL;
}

static int fail(void *made, const double *own_q, const double *own_u, double *own_du)
{
    bench_riccatree.forward(made, own_q, own_u, own_du);
    return 0;
}

static int other(void *made, const double *own_q, const double *own_u, double *own_du)
{
    const int done = bench_riccatree.forward(made, own_q, own_u, own_du);
    own_du[0] += 1.0;
    return done;
}

static int none(void *made, const double *own_q, const double *own_u, double *own_du)
{
    const int done = bench_riccatree.forward(made, own_q, own_u, own_du);
    own_du[0] = NAN;
    return done;
}

const bench_peer *bench_peer_here(int number)
{
    static bench_peer peer;
    const char *does = getenv("PEER_DOES");
    peer = bench_riccatree;
    peer.name = "stand-in";
    if (does != NULL) {
        peer.make = strcmp(does, "refuse") == 0 ? refuse : peer.make;
        peer.closing = strcmp(does, "trees") == 0 ? NULL : peer.closing;
        peer.forward = strcmp(does, "fail") == 0    ? fail
                       : strcmp(does, "other") == 0 ? other
                       : strcmp(does, "none") == 0  ? none
                                                    : peer.forward;
    }
    return number == 0 ? &peer : NULL;
}
