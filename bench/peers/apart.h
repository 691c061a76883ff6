/* A peer with one model for each independent part of a system, called in turn, instead of one
 * model for the whole. */
#ifndef RCT_BENCH_PEERS_APART_H
#define RCT_BENCH_PEERS_APART_H

#include "bench/peers/peer.h"

/* Parts are runs of bodies that no hinge and no loop joins to others. Parts that differ only in
 * their states share a model. As `make` of a peer. */
void *bench_apart_make(const bench_peer *peer, const bench_system *system, char *reason);

/* The other functions of this peer; it has no name and no `make`. */
extern const bench_peer bench_apart;

#endif
