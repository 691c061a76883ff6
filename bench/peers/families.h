/* The systems on which peers are timed, made by the families of Riccatree, and robots
 * (robots.h), written as neutral files. */
#ifndef RCT_BENCH_PEERS_FAMILIES_H
#define RCT_BENCH_PEERS_FAMILIES_H

#include "bench/peers/system.h"

#include <riccatree/model.h>

typedef struct bench_family {
    const char *family;   /* or a robot       */
    rct_hinge_type hinge; /* ball or revolute */
    int32_t bodies, systems;
} bench_family;

/* The perturbed family, or robot. Without loops the axes of revolute hinges are x, y, z in turn
 * along the bodies of a system, so that it moves in space, and the second state has all turns
 * reversed. With loops the system is perturbed again for the second state, and both states are
 * closed. Families with loops: `fourbars` and `necklace`. NULL: `reason` [BENCH_REASON] says
 * why. */
bench_system *bench_system_make(const bench_family *family, char *reason);

/* All timed systems, with loops or without; returns their number. They stay until the next call. */
int bench_families(int closed, const bench_family **families);

#endif
