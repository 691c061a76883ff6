/* A random chain cut into segments and packed for some lanes. */
#include "tests/kernels/tile_bench.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/draw.h"
#include "tests/support/systems/random_system.h"

#include <stdlib.h>

static void draw_state(tile_bench *b, uint64_t seed)
{
    draw_numbers(&seed, b->state, TILE_BENCH_LINKS * STATE_FIELDS, 1.0);
    for (int32_t i = 0; i < TILE_BENCH_LINKS; i++) {
        b->state[i * STATE_FIELDS] += b->state[i * STATE_FIELDS] < 0.0 ? -0.5 : 0.5;
    }
}

tile_bench *tile_bench_open_some(const rct_tile_kernels *kernels, int riccati, const int32_t *at,
                                 int32_t most, uint64_t seed)
{
    const random_system system = {.shape = SHAPE_CHAIN, .bodies = TILE_BENCH_LINKS, .seed = seed};
    tile_bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->model = random_system_create(&system);
    b->plan = rct_plan_create(b->model, NULL);
    assert_non_null(b->plan);
    int32_t *count = &b->partition.segment_count;
    for (; *count < most && at[*count] < TILE_BENCH_LINKS; (*count)++) {
        b->segments[*count] = (rct_segment){at[*count], at[*count + 1] - at[*count], 0};
    }
    b->partition.segments = b->segments;
    b->packing = rct_packing_create(b->plan, &b->partition, kernels->lanes, riccati, NULL);
    assert_non_null(b->packing);
    b->riccati = riccati;
    b->method = riccati ? &kernels->riccati : &kernels->abi;
    draw_state(b, seed);
    for (int32_t s = 0; s < b->partition.segment_count; s++) {
        for (int32_t k = 0; k < b->segments[s].length; k++) {
            double *to =
                b->packing->tiles.state + rct_packing_address(b->packing, s, k, STATE_FIELDS);
            for (int32_t f = 0; f < STATE_FIELDS; f++) {
                to[f * kernels->lanes] = b->state[(b->segments[s].first + k) * STATE_FIELDS + f];
            }
        }
    }
    return b;
}

tile_bench *tile_bench_open(const rct_tile_kernels *kernels, int riccati, const int32_t *at,
                            uint64_t seed)
{
    return tile_bench_open_some(kernels, riccati, at, TILE_BENCH_LINKS, seed);
}

void tile_bench_close(tile_bench *b)
{
    rct_packing_free(b->packing);
    rct_plan_free(b->plan);
    rct_model_free(b->model);
    free(b);
}

void tile_bench_condense(tile_bench *b)
{
    for (int32_t t = 0; t < b->packing->tiles.count; t++) {
        const rct_tile_result result = b->method->condense(&b->packing->tiles, t);
        assert_int_equal(result.end, SWEEP_DONE);
        for (int32_t lane = 0; lane < b->packing->lanes; lane++) {
            assert_int_equal(result.step[lane], -1);
        }
    }
}

abi_span tile_bench_span(const tile_bench *b, int32_t s)
{
    return abi_span_load(b->packing->tiles.handles +
                             rct_packing_tile_address(b->packing, s, SPAN_FIELDS),
                         b->packing->lanes);
}
