/* Blocks (blocks.h) row by row, each row in the vectors of the including translation unit: one of
 * four and one of two, or three of two. */
#include "kernels/lane/blocks.h"
#include "kernels/lane/lane.h"
#include "kernels/lane/pair.h"

#if LANE_WIDTH >= 4
typedef double block_four __attribute__((vector_size(32)));
typedef struct block_row {
    block_four a;
    rct_pair b;
} block_row;

LANE_INLINE block_row block_load(const double *x)
{
    block_row r;
    memcpy(&r.a, x, sizeof r.a);
    memcpy(&r.b, x + 4, sizeof r.b);
    return r;
}

LANE_INLINE void block_store(double *x, block_row r)
{
    memcpy(x, &r.a, sizeof r.a);
    memcpy(x + 4, &r.b, sizeof r.b);
}

/* Column k of A as a row. */
LANE_INLINE block_row block_column(rct_six *A, int k)
{
    return (block_row){{A[0][k], A[1][k], A[2][k], A[3][k]}, {A[4][k], A[5][k]}};
}

LANE_INLINE block_row block_scaled(double factor, block_row v)
{
    return (block_row){factor * v.a, factor * v.b};
}

LANE_INLINE block_row block_add(block_row sum, double factor, block_row v)
{
    return (block_row){sum.a + factor * v.a, sum.b + factor * v.b};
}

/* Two numbers whose sum is u . v. */
LANE_INLINE rct_pair block_meet(block_row u, block_row v)
{
    const block_four a = u.a * v.a;
    return (rct_pair){a[0], a[1]} + (rct_pair){a[2], a[3]} + u.b * v.b;
}
#else
typedef struct block_row {
    rct_pair a, b, c;
} block_row;

LANE_INLINE block_row block_load(const double *x)
{
    return (block_row){rct_pair_load(x), rct_pair_load(x + 2), rct_pair_load(x + 4)};
}

LANE_INLINE void block_store(double *x, block_row r)
{
    rct_pair_store(x, r.a);
    rct_pair_store(x + 2, r.b);
    rct_pair_store(x + 4, r.c);
}

LANE_INLINE block_row block_column(rct_six *A, int k)
{
    return (block_row){{A[0][k], A[1][k]}, {A[2][k], A[3][k]}, {A[4][k], A[5][k]}};
}

LANE_INLINE block_row block_scaled(double factor, block_row v)
{
    return (block_row){factor * v.a, factor * v.b, factor * v.c};
}

LANE_INLINE block_row block_add(block_row sum, double factor, block_row v)
{
    return (block_row){sum.a + factor * v.a, sum.b + factor * v.b, sum.c + factor * v.c};
}

LANE_INLINE rct_pair block_meet(block_row u, block_row v)
{
    return u.a * v.a + u.b * v.b + u.c * v.c;
}
#endif

/* a . rows of B */
LANE_INLINE block_row block_combine(const double a[6], const block_row B[6])
{
    block_row sum = block_scaled(a[0], B[0]);
    LANE_UNROLL_ALL
    for (int k = 1; k < 6; k++) {
        sum = block_add(sum, a[k], B[k]);
    }
    return sum;
}

static void block_multiply(int rows, rct_six *A, const block_row B[6], rct_six *C)
{
    for (int i = 0; i < rows; i++) {
        block_store(C[i], block_combine(A[i], B));
    }
    memset(C + rows, 0, (size_t)(6 - rows) * sizeof *C);
}

static void block_product(int rows, rct_six *A, rct_six *B, rct_six *C)
{
    block_row b[6];
    LANE_UNROLL_ALL
    for (int k = 0; k < 6; k++) {
        b[k] = block_load(B[k]);
    }
    block_multiply(rows, A, b, C);
}

static void block_turned_product(rct_six *A, rct_six *B, rct_six *C)
{
    block_row b[6];
    LANE_UNROLL_ALL
    for (int k = 0; k < 6; k++) {
        b[k] = block_load(B[k]);
    }
    for (int i = 0; i < 6; i++) {
        const double column[6] = {A[0][i], A[1][i], A[2][i], A[3][i], A[4][i], A[5][i]};
        block_store(C[i], block_combine(column, b));
    }
}

static void block_product_turned(int rows, rct_six *A, rct_six *B, rct_six *C)
{
    rct_six own[6] = {{0.0}};
    block_row b[6];
    memcpy(own, B, (size_t)rows * sizeof *own);
    LANE_UNROLL_ALL
    for (int k = 0; k < 6; k++) {
        b[k] = block_column(own, k);
    }
    block_multiply(rows, A, b, C);
}

static void block_take_off(int rows, rct_six *A, rct_six *B, rct_six *C)
{
    for (int i = 0; i < 6; i++) {
        block_row sum = block_load(C[i]);
        for (int k = 0; k < rows; k++) {
            sum = block_add(sum, -A[k][i], block_load(B[k]));
        }
        block_store(C[i], sum);
    }
}

static void block_turn(rct_six *A, rct_six *C)
{
    LANE_UNROLL_ALL
    for (int k = 0; k < 6; k++) {
        block_store(C[k], block_column(A, k));
    }
}

static void block_reduce(int rows, rct_six *L, rct_six *C)
{
    for (int i = 0; i < rows; i++) {
        block_row own = block_load(C[i]);
        for (int k = 0; k < i; k++) {
            own = block_add(own, -L[i][k], block_load(C[k]));
        }
        block_store(C[i], block_scaled(L[i][i], own));
    }
}

static void block_apply(int rows, rct_six *A, const double *x, double *y)
{
    const block_row of_x = block_load(x);
    for (int i = 0; i < rows; i++) {
        const rct_pair sums = block_meet(block_load(A[i]), of_x);
        y[i] += sums[0] + sums[1];
    }
}

static void block_apply_turned(int rows, rct_six *A, const double *x, double *y)
{
    block_row sum = block_load(y);
    for (int i = 0; i < rows; i++) {
        sum = block_add(sum, x[i], block_load(A[i]));
    }
    block_store(y, sum);
}

static const rct_block_kernels block_rows = {.product = block_product,
                                             .turned_product = block_turned_product,
                                             .product_turned = block_product_turned,
                                             .take_off = block_take_off,
                                             .turn = block_turn,
                                             .reduce = block_reduce,
                                             .apply = block_apply,
                                             .apply_turned = block_apply_turned};
