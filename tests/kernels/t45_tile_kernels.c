/* The lane kernels of every width and both methods, one tile at a time, without a backend: handles and
 * accelerations of segments against all their equations at once in long double; a segment is the
 * composition of its parts; neutral links change nothing to the last bit. */
#include "tests/support/cmocka_all.h"

#include "tests/kernels/dense_chain.h"
#include "tests/kernels/tile_bench.h"
#include "tests/support/draw.h"

#include <string.h>

/* ---- inertial axes and back ---------------------------------------------------------------- */

static vec3 turned(const tile_bench *b, int32_t link, int back, const long double v[3])
{
    long double m[3][3], out[3];
    dense_rotation(b->state + link * STATE_FIELDS + STATE_ORIENTATION, m);
    for (int i = 0; i < 3; i++) {
        out[i] = 0.0L;
        for (int j = 0; j < 3; j++) {
            out[i] += (back ? m[j][i] : m[i][j]) * v[j];
        }
    }
    return (vec3){(double)out[0], (double)out[1], (double)out[2]};
}

static void expect_close(vec3 is, vec3 should, double size, const char *what)
{
    const vec3 d = vec3_sub(is, should);
    if (!(sqrt(vec3_dot(d, d)) <= 2e-13 * size)) {
        fail_msg("%s off by %g of %g", what, sqrt(vec3_dot(d, d)), size);
    }
}

/* What both methods call A: abi's counts from a ground that accelerates by -g. Masses and points are of
 * unit size, so that results are of the size of what goes in. */
static void shift(const tile_bench *b, long double a[3], int sign)
{
    for (int i = 0; i < 3 && b->riccati; i++) {
        a[i] += sign * b->plan->gravity[i];
    }
}

static void draw_wide(uint64_t *random, long double v[3], double size)
{
    double narrow[3];
    draw_numbers(random, narrow, 3, size);
    for (int i = 0; i < 3; i++) {
        v[i] = narrow[i];
    }
}

/* What stands in for the links behind segment s. */
static double stand_in(const tile_bench *b, int32_t s)
{
    const int32_t next = b->segments[s].first + b->segments[s].length;
    return next < TILE_BENCH_LINKS ? b->plan->links.sweep[(int64_t)next * LINK_FIELDS + LINK_MASS]
                                   : 0.0;
}

/* F = S A + e + E lambda and A_out = E^T A + h - Psi lambda are what the equations of the segment give,
 * for any A and lambda: so S, Psi, E and its transpose are all right. */
static void check_handles(const tile_bench *b, int32_t s, uint64_t *random)
{
    const abi_span span = tile_bench_span(b, s);
    const int32_t first = b->segments[s].first, last = first + b->segments[s].length - 1;
    dense_end end = {.s = {{0.0L}}};
    long double a[3];
    draw_wide(random, a, 10.0);
    draw_wide(random, end.e, 100.0);
    end.s[0][0] = end.s[1][1] = end.s[2][2] = stand_in(b, s);
    const vec3 a0 = turned(b, first, 1, a), lambda = turned(b, last, 1, end.e);
    shift(b, a, -1);
    for (int i = 0; i < 3 && b->riccati; i++) { /* whose A has no gravity in it */
        end.e[i] += stand_in(b, s) * b->plan->gravity[i];
    }
    dense_chain all =
        dense_chain_solve(&b->plan->links, b->state, first, b->segments[s].length, a, &end);
    shift(b, all.a[b->segments[s].length], 1);
    vec3 f = vec3_add(sym3_apply(span.handle.s, a0), span.handle.e);
    f = vec3_add(f, mat3_apply(span.through, lambda));
    vec3 out = vec3_add(mat3_apply_transposed(span.through, a0), span.free);
    out = vec3_sub(out, sym3_apply(span.compliance, lambda));
    expect_close(f, turned(b, first, 1, all.force[0]), 1e4, "force");
    expect_close(out, turned(b, last, 1, all.a[b->segments[s].length]), 1e6, "acceleration");
}

/* Every segment of a tile is swept on with what hangs on its end. */
static void check_accelerate(tile_bench *b, uint64_t *random)
{
    const int32_t lanes = b->packing->lanes;
    static dense_chain should[TILE_BENCH_LINKS];
    for (int32_t s = 0; s < b->partition.segment_count; s++) {
        const int32_t first = b->segments[s].first, count = b->segments[s].length;
        double *end = b->packing->tiles.ends + rct_packing_tile_address(b->packing, s, END_FIELDS);
        dense_end beyond = {.s = {{2.0L, 0.0L, 0.0L}, {0.0L, 2.0L, 0.0L}, {0.0L, 0.0L, 2.0L}}};
        long double a[3];
        draw_wide(random, a, 10.0);
        draw_wide(random, beyond.e, 20.0);
        const vec3 e = turned(b, first + count - 1, 1, beyond.e);
        vec3_store(end + END_LINEAR * lanes, lanes, turned(b, first, 1, a));
        sym3_store(end + END_HANDLE * lanes, lanes, (sym3){2.0, 2.0, 2.0, 0.0, 0.0, 0.0});
        shift(b, a, -1);
        if (b->riccati) { /* 2 kg beyond: their weight is in e */
            for (int i = 0; i < 3; i++) {
                beyond.e[i] += 2.0L * b->plan->gravity[i];
            }
        }
        vec3_store(end + (END_HANDLE + 6) * lanes, lanes, e);
        should[s] = dense_chain_solve(&b->plan->links, b->state, first, count, a, &beyond);
    }
    for (int32_t t = 0; t < b->packing->tiles.count; t++) {
        const rct_tile_result result =
            b->method->accelerate(&b->packing->tiles, t, STAGE_NONE, 0.0, b->scratch);
        assert_int_equal(result.end, SWEEP_DONE);
    }
    for (int32_t s = 0; s < b->partition.segment_count; s++) {
        for (int32_t k = 0; k < b->segments[s].length; k++) {
            const int32_t link = b->segments[s].first + k;
            const double *row =
                b->packing->tiles.results + rct_packing_address(b->packing, s, k, RESULT_FIELDS);
            shift(b, should[s].a[k], 1);
            expect_close(vec3_load(row + RESULT_LINEAR * lanes, lanes),
                         turned(b, link, 1, should[s].a[k]), 1e4, "A");
            expect_close(vec3_load(row + RESULT_ANGULAR * lanes, lanes),
                         turned(b, link, 1, should[s].alpha[k]), 1e4, "alpha");
            expect_close(vec3_load(row + RESULT_FORCE * lanes, lanes),
                         turned(b, link, 1, should[s].force[k]), 1e4, "F");
        }
    }
}

/* Cuts that leave lanes padded and empty, and cuts that do not. */
static const int32_t cuts[][TILE_BENCH_LINKS + 1] = {
    {0, TILE_BENCH_LINKS},          {0, 6, TILE_BENCH_LINKS},
    {0, 1, TILE_BENCH_LINKS},       {0, 11, TILE_BENCH_LINKS},
    {0, 5, 7, TILE_BENCH_LINKS},    {0, 3, 6, 9, TILE_BENCH_LINKS},
    {0, 4, 5, 9, TILE_BENCH_LINKS}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, TILE_BENCH_LINKS},
};

enum { CUTS = sizeof cuts / sizeof cuts[0] };

static void on_all(void (*check)(const rct_tile_kernels *, int riccati))
{
    int ran = 0;
    for (int i = 0; rct_tile_kernels_list()[i] != NULL; i++) {
        check(rct_tile_kernels_list()[i], 0);
        check(rct_tile_kernels_list()[i], 1);
        ran++;
    }
    assert_true(ran >= 2); /* one lane and two are everywhere */
}

static void check_against_all_equations(const rct_tile_kernels *kernels, int riccati)
{
    uint64_t random = 1;
    for (int n = 0; n < 8 * CUTS; n++) {
        tile_bench *b = tile_bench_open(kernels, riccati, cuts[n % CUTS], (uint64_t)n);
        tile_bench_condense(b);
        for (int32_t s = 0; s < b->partition.segment_count; s++) {
            for (int k = 0; k < 3; k++) {
                check_handles(b, s, &random);
            }
        }
        check_accelerate(b, &random);
        tile_bench_close(b);
    }
}

static void test_segments_against_all_their_equations(void **state)
{
    (void)state;
    on_all(check_against_all_equations);
}

/* ---- composition --------------------------------------------------------------------------- */

static double sym3_size(sym3 s)
{
    return fabs(s.xx) + fabs(s.yy) + fabs(s.zz) + fabs(s.xy) + fabs(s.xz) + fabs(s.yz);
}

static sym3 sym3_sub(sym3 a, sym3 b)
{
    return (sym3){a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
}

/* The rotation from the axes of one link to those of another. */
static mat3 between(const tile_bench *b, int32_t from, int32_t to)
{
    const mat3 r = quat_rotation(quat_load(b->state + from * STATE_FIELDS, 1));
    const mat3 q = quat_rotation(quat_load(b->state + to * STATE_FIELDS, 1));
    return mat3_transposed_times(q, r);
}

/* All segments of `parts`, composed from the first on, are the one of `whole`. */
static void check_whole(const tile_bench *whole, const tile_bench *parts)
{
    abi_span sum = tile_bench_span(parts, 0);
    for (int32_t s = 1; s < parts->partition.segment_count; s++) {
        abi_span next = tile_bench_span(parts, s);
        const int32_t first = parts->segments[s].first;
        abi_span_turn(between(parts, first, first - 1), &next);
        next.handle = abi_besides(next.handle, stand_in(parts, s - 1));
        mask regular;
        sum = abi_span_compose(&sum, &next, &regular);
        assert_true(regular);
    }
    const abi_span w = tile_bench_span(whole, 0);
    const double *x = (const double *)&sum.through, *y = (const double *)&w.through;
    expect_close(sum.handle.e, w.handle.e, 100.0, "e");
    expect_close(sum.free, w.free, 1e4, "h");
    assert_true(sym3_size(sym3_sub(sum.handle.s, w.handle.s)) <= 1e-11 * sym3_size(w.handle.s));
    assert_true(sym3_size(sym3_sub(sum.compliance, w.compliance)) <=
                1e-11 * sym3_size(w.compliance));
    for (int i = 0; i < 9; i++) {
        assert_true(fabs(x[i] - y[i]) <= 1e-11);
    }
}

static void check_parts(const rct_tile_kernels *kernels, int riccati)
{
    for (int n = 0; n < 8 * CUTS; n++) {
        tile_bench *whole = tile_bench_open(kernels, riccati, cuts[0], (uint64_t)n);
        tile_bench *parts = tile_bench_open(kernels, riccati, cuts[n % CUTS], (uint64_t)n);
        tile_bench_condense(whole);
        tile_bench_condense(parts);
        check_whole(whole, parts);
        tile_bench_close(whole);
        tile_bench_close(parts);
    }
}

static void test_a_segment_is_the_composition_of_its_parts(void **state)
{
    (void)state;
    on_all(check_parts);
}

/* ---- lanes by themselves ------------------------------------------------------------------- */

static void give_ends(tile_bench *b)
{
    for (int32_t s = 0; s < b->partition.segment_count; s++) {
        const int64_t at = rct_packing_tile_address(b->packing, s, END_FIELDS);
        for (int32_t f = 0; f < END_FIELDS; f++) {
            b->packing->tiles.ends[at + f * b->packing->lanes] = f < END_HANDLE ? 3.0 * f - 2.0
                                                                 : f < END_HANDLE + 3 ? 1.5
                                                                                      : 0.1 * f;
        }
    }
}

/* Some stages of a step, so that states have moved, and an evaluation. */
static void run(tile_bench *b, int stages)
{
    give_ends(b);
    for (int32_t t = 0; t < b->packing->tiles.count; t++) {
        for (int stage = 0; stage < stages; stage++) {
            (void)b->method->accelerate(&b->packing->tiles, t, stage, 1e-3, b->scratch);
        }
        (void)b->method->condense(&b->packing->tiles, t);
        (void)b->method->accelerate(&b->packing->tiles, t, STAGE_NONE, 0.0, b->scratch);
    }
}

static void expect_same_bits(const tile_bench *a, const tile_bench *b, int32_t s)
{
    for (int32_t f = 0; f < SPAN_FIELDS; f++) {
        assert_memory_equal(
            &a->packing->tiles.handles[rct_packing_tile_address(a->packing, s, SPAN_FIELDS) +
                                       f * a->packing->lanes],
            &b->packing->tiles.handles[rct_packing_tile_address(b->packing, s, SPAN_FIELDS) +
                                       f * b->packing->lanes],
            sizeof(double));
    }
    for (int32_t k = 0; k < a->segments[s].length; k++) {
        const double *x =
            a->packing->tiles.results + rct_packing_address(a->packing, s, k, RESULT_FIELDS);
        const double *y =
            b->packing->tiles.results + rct_packing_address(b->packing, s, k, RESULT_FIELDS);
        for (int32_t f = 0; f < RESULT_FIELDS; f++) {
            assert_memory_equal(&x[f * a->packing->lanes], &y[f * b->packing->lanes],
                                sizeof(double));
        }
    }
}

/* A segment alone in its tile, and beside longer ones behind which it is padded, in another lane. */
static void check_padding(const rct_tile_kernels *kernels, int riccati)
{
    static const int32_t at[] = {0, 2, 3, 7, TILE_BENCH_LINKS};
    for (uint64_t n = 0; n < 20; n++) {
        tile_bench *all = tile_bench_open(kernels, riccati, at, n);
        run(all, 4);
        for (int32_t count = 1; count < 4; count++) {
            tile_bench *some = tile_bench_open_some(kernels, riccati, at, count, n);
            run(some, 4);
            for (int32_t s = 0; s < count; s++) {
                expect_same_bits(all, some, s);
            }
            tile_bench_close(some);
        }
        tile_bench_close(all);
    }
}

static void test_neutral_links_change_nothing(void **state)
{
    (void)state;
    on_all(check_padding);
}

/* This lane is at fault, at this step or further in, and no other. */
static void expect_fault(const rct_tile_result *result, int32_t lanes, int32_t lane, int32_t most)
{
    for (int32_t l = 0; l < lanes; l++) {
        if (l == lane) {
            assert_in_range(result->step[l], 0, most);
        } else {
            assert_int_equal(result->step[l], -1);
        }
    }
}

/* A link that is not finite is found, and the other lanes do not notice. */
static void check_fault(const rct_tile_kernels *kernels, int riccati)
{
    static const int32_t at[] = {0, 3, 6, 9, TILE_BENCH_LINKS};
    tile_bench *sound = tile_bench_open(kernels, riccati, at, 1),
               *ill = tile_bench_open(kernels, riccati, at, 1);
    const rct_packing *k = ill->packing;
    const int32_t s = 2, step = 1, lanes = k->lanes, lane = (int32_t)(k->at[s] % lanes);
    double *rate =
        k->tiles.state + rct_packing_address(k, s, step, STATE_FIELDS) + STATE_RATE * lanes;
    run(sound, 0);
    *rate = 1e200; /* its square is not finite */
    run(ill, 0);
    for (int32_t other = 0; other < 4; other++) {
        if (other != s) {
            expect_same_bits(sound, ill, other);
        }
    }
    rct_tile_result result =
        ill->method->accelerate(&k->tiles, k->tile_of[s], STAGE_NONE, 0.0, ill->scratch);
    assert_int_equal(result.end, SWEEP_NOT_FINITE);
    expect_fault(&result, lanes, lane, step);
    *rate = 1.0;
    k->tiles.state[rct_packing_address(k, s, step, STATE_FIELDS)] = (double)NAN;
    result = ill->method->condense(&k->tiles, k->tile_of[s]);
    assert_int_equal(result.end, SWEEP_SINGULAR); /* which the backend knows better */
    expect_fault(&result, lanes, lane, step);
    tile_bench_close(sound);
    tile_bench_close(ill);
}

static void test_a_fault_keeps_to_its_lane(void **state)
{
    (void)state;
    on_all(check_fault);
}

static void test_list(void **state)
{
    (void)state;
    const rct_tile_kernels *const *list = rct_tile_kernels_list();
    for (int i = 0; list[i] != NULL; i++) {
        assert_in_range(list[i]->lanes, 1, TILE_BENCH_LANES);
        assert_true(i == 0 || list[i]->lanes < list[i - 1]->lanes);
        assert_true(list[i]->name != NULL && list[i]->name[0] != '\0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_segments_against_all_their_equations),
        cmocka_unit_test(test_a_segment_is_the_composition_of_its_parts),
        cmocka_unit_test(test_neutral_links_change_nothing),
        cmocka_unit_test(test_a_fault_keeps_to_its_lane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
