/* Blocks of six by six (kernels/lane/blocks.h) of every width of this machine, of one to six rows,
 * against sums written out: equal to rounding, and no other memory changes. */
#include "kernels/sweeps/lanes.h"
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <string.h>

typedef struct problem {
    rct_six A[6], B[6], C[6], L[6], wanted[6];
    double x[6], y[6], sums[6];
    int rows;
} problem;

static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

static problem draw_problem(int rows, uint64_t seed)
{
    problem p = {.rows = rows};
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            p.A[i][j] = draw(&seed);
            p.B[i][j] = draw(&seed);
            p.C[i][j] = draw(&seed);
            p.L[i][j] = i == j ? 1.5 + draw(&seed) : draw(&seed);
        }
        p.x[i] = draw(&seed);
        p.y[i] = draw(&seed);
    }
    return p;
}

static void expect_near(const double *x, const double *wanted, int count)
{
    for (int i = 0; i < count; i++) {
        assert_true(fabs(x[i] - wanted[i]) <= 1e-14);
    }
}

/* wanted = sum over k < depth of a(i, k) b(k, j), of `rows` rows; the others 0. */
static void write_out(problem *p, int rows, int depth, int turned_A, int turned_B)
{
    memset(p->wanted, 0, sizeof p->wanted);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < (turned_B ? p->rows : 6); j++) {
            for (int k = 0; k < depth; k++) {
                p->wanted[i][j] +=
                    (turned_A ? p->A[k][i] : p->A[i][k]) * (turned_B ? p->B[j][k] : p->B[k][j]);
            }
        }
    }
}

static void check(const rct_block_kernels *kernels, problem p)
{
    const problem before = p;
    rct_six C[6];
    write_out(&p, p.rows, 6, 0, 0);
    kernels->product(p.rows, p.A, p.B, C);
    expect_near(C[0], p.wanted[0], 36);
    write_out(&p, 6, 6, 1, 0);
    kernels->turned_product(p.A, p.B, C);
    expect_near(C[0], p.wanted[0], 36);
    write_out(&p, p.rows, 6, 0, 1);
    kernels->product_turned(p.rows, p.A, p.B, C);
    expect_near(C[0], p.wanted[0], 36);

    write_out(&p, 6, p.rows, 1, 0);
    memcpy(C, p.C, sizeof C);
    kernels->take_off(p.rows, p.A, p.B, C);
    for (int i = 0; i < 36; i++) {
        p.wanted[i / 6][i % 6] = p.C[i / 6][i % 6] - p.wanted[i / 6][i % 6];
    }
    expect_near(C[0], p.wanted[0], 36);

    kernels->turn(p.A, C);
    for (int i = 0; i < 36; i++) {
        assert_true(C[i / 6][i % 6] == p.A[i % 6][i / 6]);
    }

    memcpy(C, p.C, sizeof C);
    kernels->reduce(p.rows, p.L, C);
    for (int i = 0; i < p.rows;
         i++) { /* L C is what C was, whose diagonal is the inverse of that here */
        for (int j = 0; j < 6; j++) {
            double sum = C[i][j] / p.L[i][i];
            for (int k = 0; k < i; k++) {
                sum += p.L[i][k] * C[k][j];
            }
            assert_true(fabs(sum - p.C[i][j]) <= 1e-10);
        }
    }
    expect_near((const double *)C + 6 * p.rows, (const double *)p.C + 6 * p.rows, 36 - 6 * p.rows);

    double y[6];
    memcpy(y, p.y, sizeof y);
    kernels->apply(p.rows, p.A, p.x, y);
    for (int i = 0; i < 6; i++) {
        p.sums[i] = p.y[i];
        for (int k = 0; k < 6 && i < p.rows; k++) {
            p.sums[i] += p.A[i][k] * p.x[k];
        }
    }
    expect_near(y, p.sums, 6);
    memcpy(y, p.y, sizeof y);
    kernels->apply_turned(p.rows, p.A, p.x, y);
    for (int i = 0; i < 6; i++) {
        p.sums[i] = p.y[i];
        for (int k = 0; k < p.rows; k++) {
            p.sums[i] += p.A[k][i] * p.x[k];
        }
    }
    expect_near(y, p.sums, 6);
    memcpy(p.wanted, before.wanted, sizeof p.wanted);
    memcpy(p.sums, before.sums, sizeof p.sums);
    assert_memory_equal(&p, &before, sizeof p);
}

static void test_blocks(void **state)
{
    (void)state;
    int widths = 0;
    for (const rct_lane_kernels *const *k = rct_lane_kernels_list(); *k != NULL; k++, widths++) {
        for (int rows = 1; rows <= 6; rows++) {
            for (uint64_t seed = 1; seed <= 50; seed++) {
                check((*k)->blocks, draw_problem(rows, 10 * seed + (uint64_t)rows));
            }
        }
    }
    assert_true(widths >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
