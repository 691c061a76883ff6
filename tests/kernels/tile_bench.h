/* A random chain cut into segments at given places and packed for some lanes: what the lane kernels need,
 * without a backend. */
#ifndef RCT_TESTS_TILE_BENCH_H
#define RCT_TESTS_TILE_BENCH_H

#include "kernels/abi_span_step.h"
#include "topology/packing.h"

enum { TILE_BENCH_LINKS = 12, TILE_BENCH_LANES = 8 };

/* A chain cut at given places, packed for some lanes. */
typedef struct tile_bench {
    rct_model *model;
    rct_plan *plan;
    rct_partition partition; /* of segments alone */
    rct_segment segments[TILE_BENCH_LINKS];
    rct_packing *packing;
    const rct_tile_method *method;
    int riccati;
    double state[TILE_BENCH_LINKS * STATE_FIELDS];
    double scratch[TILE_BENCH_LINKS * SCRATCH_FIELDS * TILE_BENCH_LANES];
} tile_bench;

/* The chain of `seed` cut at `at`: first links of the segments, TILE_BENCH_LINKS at the end. All of it,
 * or the first `most` segments. They end the test on failure. */
tile_bench *tile_bench_open(const rct_tile_kernels *kernels, int riccati, const int32_t *at,
                            uint64_t seed);
tile_bench *tile_bench_open_some(const rct_tile_kernels *kernels, int riccati, const int32_t *at,
                                 int32_t most, uint64_t seed);
void tile_bench_close(tile_bench *b);

/* Condense all tiles; the handles of segment s then. */
void tile_bench_condense(tile_bench *b);
abi_span tile_bench_span(const tile_bench *b, int32_t s);

#endif
