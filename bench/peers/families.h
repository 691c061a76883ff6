/* The systems that peers are timed on, made by the families of Riccatree and written as neutral files. */
#ifndef RCT_BENCH_PEERS_FAMILIES_H
#define RCT_BENCH_PEERS_FAMILIES_H

#include "bench/peers/system.h"

#include <riccatree/model.h>

typedef struct bench_family {
    const char *family;
    rct_hinge_type hinge; /* ball or revolute */
    int32_t bodies, systems;
} bench_family;

/* The perturbed family with the axes of revolute hinges x, y, z in turn along the bodies of a system, so that it moves in
 * space. NULL: `reason` [BENCH_REASON] says why. */
bench_system *bench_system_make(const bench_family *family, char *reason);

/* All that are timed; their number. */
int bench_families(const bench_family **families);

#endif
