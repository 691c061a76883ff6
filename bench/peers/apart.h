/* A peer with one model for each independent part of a system, called in turn, in place of one for the whole. */
#ifndef RCT_BENCH_PEERS_APART_H
#define RCT_BENCH_PEERS_APART_H

#include "bench/peers/peer.h"

/* Parts are runs of bodies that no hinge and no loop joins to others. Those that differ in their states alone share a model.
 * As `make` of a peer. */
void *bench_apart_make(const bench_peer *peer, const bench_system *system, char *reason);

/* What is done with it; has no name and no `make`. */
extern const bench_peer bench_apart;

#endif
