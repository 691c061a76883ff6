/* The closing of segments of trees against 12 equations in long double. */
#include "tests/support/cmocka_all.h"

#include "kernels/records/trunk.h"
#include "tests/kernels/dense_six.h"
#include "tests/support/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STRIDE = 4, NODES = 3 };

/* A segment on the ground whose ends move as one, another one on it, and a task on that: records of
 * paths STRIDE numbers apart. */
typedef struct closing {
    double paths[NODES * PATH_OPEN_FIELDS * STRIDE];
    double work[2 * TRUNK_FIELDS];
    rct_sheaves rows;
    rct_trunk trunk;
    matrix through, psi, own, end;
    vector free, oe, ee;
    double stand_in[2];
} closing;

static int32_t node_parent[NODES] = {-1, 0, 1}, node_row[NODES] = {-1, -1, -1};

static int32_t node_open[NODES] = {1, 1, 0}, node_slot[NODES] = {0, 1, -1};

static int64_t node_path[NODES] = {0, PATH_OPEN_FIELDS *STRIDE + 2,
                                   2 * PATH_OPEN_FIELDS *STRIDE + 3};

static void put(closing *c, int node, int field, const double *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        c->paths[node_path[node] + (field + i) * STRIDE] = numbers[i];
    }
}

static void put_handle(closing *c, int node, const wide_handle *h)
{
    double numbers[PATH_HANDLE_FIELDS];
    wide_handle_store(numbers, h);
    put(c, node, PATH_SHARE, numbers, PATH_HANDLE_FIELDS);
}

static void fill(closing *c, uint64_t *random)
{
    wide_handle own, end;
    double e[36], free[6], psi[21], upper[36], one[36] = {0.0};
    draw_handle(random, &own, c->own, c->oe);
    draw_handle(random, &end, c->end, c->ee);
    draw_numbers(random, e, 36, 1.0);
    draw_numbers(random, free, 6, 1.0);
    draw_numbers(random, upper, 36, 0.7);
    c->stand_in[0] = draw_between(random, 0.01, 0.2);
    c->stand_in[1] = draw_between(random, 0.01, 0.2);
    for (int i = 0, k = 0; i < 6; i++) {
        c->free[i] = free[i];
        for (int j = 0; j < 6; j++) {
            c->through[i][j] = e[6 * i + j];
        }
        for (int j = i; j < 6; j++, k++) { /* positive: of the squares of what was drawn */
            psi[k] = 0.0;
            for (int l = 0; l < 6; l++) {
                psi[k] += upper[6 * i + l] * upper[6 * j + l];
            }
            c->psi[i][j] = c->psi[j][i] = psi[k];
        }
    }
    for (int i = 0; i < 6; i++) {
        one[7 * i] = 1.0;
    }
    put(c, 0, PATH_THROUGH, one, 36);
    put_handle(c, 1, &own);
    put_handle(c, 2, &end);
    put(c, 1, PATH_THROUGH, e, 36);
    put(c, 1, PATH_FREE, free, 6);
    put(c, 1, PATH_COMPLIANCE, psi, 21);
    put(c, 1, PATH_STAND_IN, c->stand_in, 2);
    draw_numbers(random, c->rows.ground.linear, 3, 3.0);
    draw_numbers(random, c->rows.ground.angular, 3, 3.0);
    c->trunk = (rct_trunk){.count = NODES,
                           .parent = node_parent,
                           .row = node_row,
                           .path = node_path,
                           .kind = node_open,
                           .slot = node_slot,
                           .slots = 2,
                           .stride = STRIDE,
                           .paths = c->paths,
                           .work = c->work};
}

/* A_out + Psi lambda = E^T A + h and lambda = S_C A_out + e_C less the stand-in, for A = 0 and the directions of A. */
static void check_closing(uint64_t *random)
{
    closing *c = calloc(1, sizeof *c);
    long double a[GAUSS_MOST][2 * GAUSS_MOST] = {{0.0L}};
    assert_non_null(c);
    fill(c, random);
    for (int i = 0; i < 6; i++) {
        a[i][i] = a[6 + i][6 + i] = 1.0L;
        a[i][12] = c->free[i];
        a[6 + i][12] = c->ee[i];
        for (int j = 0; j < 6; j++) {
            const double stand_in = i == j ? c->stand_in[i / 3] : 0.0;
            a[i][6 + j] = c->psi[i][j];
            a[6 + i][j] = -(c->end[i][j] - stand_in);
            a[i][13 + j] = c->through[j][i];
        }
    }
    gauss(12, 7, a);
    matrix s;
    vector e, out, above;
    list((spatial){vec3_load(c->rows.ground.linear, 1), vec3_load(c->rows.ground.angular, 1)},
         above);
    for (int i = 0; i < 6; i++) {
        e[i] = c->oe[i];
        out[i] = a[i][12];
        for (int k = 0; k < 6; k++) {
            e[i] += c->through[i][k] * a[6 + k][12];
            out[i] += a[i][13 + k] * above[k];
        }
        for (int j = 0; j < 6; j++) {
            s[i][j] = c->own[i][j];
            for (int k = 0; k < 6; k++) {
                s[i][j] += c->through[i][k] * a[6 + k][13 + j];
            }
        }
    }
    assert_int_equal(rct_trunk_abi.inward(&c->rows, &c->trunk).end, SWEEP_DONE);
    const wide_handle share = wide_handle_load(c->work + TRUNK_SHARE);
    expect_handle(&share, s, e, "closed segment");
    assert_int_equal(rct_trunk_abi.outward(&c->rows, &c->trunk, 0, STAGE_NONE, 0.0).end,
                     SWEEP_DONE);
    expect_spatial(spatial_load(c->work + TRUNK_FIELDS + TRUNK_MOTION, 1), out, "end of a segment");
    double left[6];
    for (int i = 0; i < 6; i++) { /* and what hangs there is told */
        left[i] = c->paths[node_path[2] + (PATH_ABOVE + i) * STRIDE];
    }
    expect_spatial((spatial){vec3_load(left, 1), vec3_load(left + 3, 1)}, out, "left");
    free(c);
}

static void test_segments_that_close(void **state)
{
    (void)state;
    uint64_t random = 44;
    for (int n = 0; n < 300; n++) {
        check_closing(&random);
    }
}

/* 1 + Psi S without an inverse is singular; with NaN it is not finite. */
static void test_segments_that_do_not_close(void **state)
{
    (void)state;
    uint64_t random = 45;
    closing *c = calloc(1, sizeof *c);
    const double zero[27] = {0.0}, one[2] = {1.0, 1.0}, none = (double)NAN;
    double unit[21] = {0.0};
    assert_non_null(c);
    fill(c, &random);
    for (int i = 0, k = 0; i < 6; k += 6 - i, i++) {
        unit[k] = 1.0;
    }
    put(c, 1, PATH_COMPLIANCE, unit, 21);
    put(c, 1, PATH_STAND_IN, one, 2);
    put(c, 2, PATH_SHARE, zero, 27); /* 1 + 1 (0 - 1) = 0 */
    rct_sweep_result result = rct_trunk_abi.inward(&c->rows, &c->trunk);
    assert_int_equal(result.end, SWEEP_SINGULAR);
    assert_int_equal(result.link, 1);
    put(c, 2, PATH_SHARE + 4, &none, 1);
    result = rct_trunk_abi.inward(&c->rows, &c->trunk);
    assert_int_equal(result.end, SWEEP_NOT_FINITE);
    assert_int_equal(result.link, 1);
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_segments_that_close),
        cmocka_unit_test(test_segments_that_do_not_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
