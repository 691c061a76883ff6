/* Components of the matrix of admittance, how large each is, and its rank (admittance.h). */
#include "closure/admittance.h"

#include "algebra/dense.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

/* E over the largest number on the diagonal of the component. Rounding is some 1e-16 of it. */
static const double shift_of_scale = 1e-12;

/* Pivots up to this are those of rows that others already hold: a few E, and more where many rows do together. */
static const double least_pivot = 1e-9;

/* The least scale of what hinges could give: E is then beyond what is rounding there. */
static const double held = 1e-3;

/* If no pivot is smaller, no row depends on others. */
static const double plain_pivot = 1e-5;

/* ---- components --------------------------------------------------------------------------- */

/* The first unknown of the component, as far as it is known. */
static int32_t first_of(int32_t *of, int32_t i)
{
    while (of[i] != i) {
        of[i] = of[of[i]];
        i = of[i];
    }
    return i;
}

/* Number the components by their first rows; of: the first unknown of each, then its number. Rows have lower numbers
 * than other unknowns, and every component has one. */
static int32_t number_components(int32_t *of, int32_t unknowns)
{
    int32_t count = 0;
    for (int32_t i = 0; i < unknowns; i++) {
        const int32_t first = first_of(of, i);
        of[i] = first == i ? i : first;
    }
    for (int32_t i = 0; i < unknowns; i++) {
        of[i] = of[i] == i ? -1 - count++ : of[of[i]]; /* the first comes before */
    }
    for (int32_t i = 0; i < unknowns; i++) {
        of[i] = -1 - of[i];
    }
    return count;
}

/* Rows and numbers of each component, by counting. */
static void list_components(rct_admittance *a, const int32_t *of)
{
    rct_admittance_components *c = &a->components;
    const int32_t rows = a->reduced->rows;
    const int64_t numbers = a->numbers - rows;
    for (int32_t i = 0; i < rows; i++) {
        c->of_row[i] = of[i];
        c->first[of[i] + 1]++;
    }
    for (int64_t k = 0; k < numbers; k++) {
        c->first_at[of[a->number_row[k]] + 1]++;
        c->estimated[of[a->number_row[k]]] |= a->number_column[k] >= rows;
    }
    for (int32_t i = 0; i < c->count; i++) {
        c->first[i + 1] += c->first[i];
        c->first_at[i + 1] += c->first_at[i];
    }
    for (int32_t i = rows - 1; i >= 0; i--) {
        c->row[--c->first[of[i] + 1]] = i;
    }
    for (int64_t k = numbers - 1; k >= 0; k--) {
        c->number[--c->first_at[of[a->number_row[k]] + 1]] = k;
    }
    /* each now begins where the one before it ends, at its successor's place */
    memmove(c->first, c->first + 1, (size_t)c->count * sizeof *c->first);
    memmove(c->first_at, c->first_at + 1, (size_t)c->count * sizeof *c->first_at);
    c->first[c->count] = rows;
    c->first_at[c->count] = numbers;
    for (int32_t i = 0; i < c->count; i++) {
        c->estimated[i] |=
            a->reduced->kept > 0 && c->first[i + 1] - c->first[i] > RCT_ADMITTANCE_DENSE;
    }
}

/* The largest component that is ranked dense, rows. */
static int64_t largest_dense(const rct_admittance_components *c)
{
    int64_t most = 0;
    for (int32_t i = 0; i < c->count; i++) {
        const int64_t rows = c->first[i + 1] - c->first[i];
        most = rows > most && rows <= RCT_ADMITTANCE_DENSE && !c->estimated[i] ? rows : most;
    }
    return most;
}

rct_status rct_admittance_split(rct_admittance *a, rct_error *error)
{
    rct_admittance_components *c = &a->components;
    rct_pool *pool = &a->base.pool;
    const int64_t rows = a->reduced->rows, unknowns = rct_reduced_unknowns(a->reduced);
    int32_t *of = rct_allocate(unknowns, sizeof *of, pool->what, error);
    if (of == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < unknowns; i++) {
        of[i] = i;
    }
    for (int64_t k = 0; k < a->numbers; k++) {
        const int32_t one = first_of(of, (int32_t)a->number_row[k]);
        const int32_t other = first_of(of, (int32_t)a->number_column[k]);
        of[one > other ? one : other] = one > other ? other : one;
    }
    c->count = number_components(of, (int32_t)unknowns);
    c->of_row = rct_pool_take(pool, rows, sizeof *c->of_row, error);
    c->first = rct_pool_take(pool, c->count + 1, sizeof *c->first, error);
    c->row = rct_pool_take(pool, rows, sizeof *c->row, error);
    c->first_at = rct_pool_take(pool, c->count + 1, sizeof *c->first_at, error);
    c->number = rct_pool_take(pool, a->numbers - rows, sizeof *c->number, error);
    c->estimated = rct_pool_take(pool, c->count, sizeof *c->estimated, error);
    c->scale = rct_pool_take(pool, c->count, sizeof *c->scale, error);
    if (!pool->failed) {
        list_components(a, of);
        const int64_t most = largest_dense(c);
        a->dense = rct_pool_take(pool, most * most, sizeof *a->dense, error);
        a->basis = rct_pool_take(pool, a->reduced->kept > 0 ? RCT_ADMITTANCE_BASIS * rows : 0,
                                 sizeof *a->basis, error);
    }
    rct_release(of);
    return pool->failed ? RCT_ERROR_MEMORY : RCT_OK;
}

/* ---- scale -------------------------------------------------------------------------------- */

/* What is on the diagonal; for ends on kept nodes, as their paths give way. */
void rct_admittance_diagonal(const rct_admittance *a, double *own)
{
    const rct_reduced_tree *r = a->reduced;
    const rct_mobility *mobility = rct_admittance_mobility(a);
    memset(own, 0, (size_t)r->rows * sizeof *own);
    if (mobility->ready != NULL) {
        mobility->ready(mobility->context, own);
        for (int32_t i = 0; i < r->rows; i++) {
            own[i] *= held;
        }
    }
    for (int64_t k = 0; k < a->numbers - r->rows; k++) {
        if (a->number_row[k] == a->number_column[k] && a->number_row[k] < r->rows) {
            own[a->number_row[k]] += a->values[k];
        }
    }
    for (int32_t e = 0; e < r->ends; e++) {
        const rct_reduced_node *node = &r->node[r->end[e].node];
        double *sum = &own[r->end[e].row];
        for (int j = 0; j < 6; j++) {
            const double square = r->end[e].wrench[j] * r->end[e].wrench[j];
            *sum += square * (held * node->ready + (node->kept >= 0 ? node->gives[j] : 0.0));
        }
    }
}

void rct_admittance_shift(rct_admittance *a)
{
    rct_admittance_components *c = &a->components;
    const int32_t rows = a->reduced->rows;
    rct_admittance_diagonal(a, a->right);
    memset(c->scale, 0, (size_t)c->count * sizeof *c->scale);
    for (int32_t i = 0; i < rows; i++) {
        double *scale = &c->scale[c->of_row[i]];
        *scale = a->right[i] > *scale ? a->right[i] : *scale;
    }
    for (int32_t i = 0; i < rows; i++) {
        double *scale = &c->scale[c->of_row[i]];
        *scale = *scale > 0.0 ? *scale : 1.0; /* bodies that are welded to the ground */
        a->shift[i] = shift_of_scale * *scale;
        a->values[a->numbers - rows + i] = a->shift[i];
    }
}

/* ---- rank --------------------------------------------------------------------------------- */

/* Lambda of a component, its lower triangle by columns. */
static void fill_dense(rct_admittance *a, int32_t component)
{
    const rct_admittance_components *c = &a->components;
    const int32_t *row = c->row + c->first[component];
    const int32_t m = c->first[component + 1] - c->first[component];
    memset(a->dense, 0, (size_t)m * (size_t)m * sizeof *a->dense);
    for (int32_t i = 0; i < m; i++) {
        a->local[row[i]] = i;
    }
    for (int64_t k = c->first_at[component]; k < c->first_at[component + 1]; k++) {
        const int32_t i = a->local[a->number_row[c->number[k]]];
        const int32_t j = a->local[a->number_column[c->number[k]]];
        a->dense[(int64_t)m * (i < j ? i : j) + (i < j ? j : i)] += a->values[c->number[k]];
    }
}

/* Of one component, by pivoted Cholesky of its Lambda. */
static int32_t dense_rank(rct_admittance *a, int32_t component, int32_t *dependent)
{
    const rct_admittance_components *c = &a->components;
    const int32_t *row = c->row + c->first[component];
    const int32_t m = c->first[component + 1] - c->first[component];
    fill_dense(a, component);
    const int32_t rank = rct_dense_cholesky_rank(rct_dense_columns(a->dense, m, m, m),
                                                 shift_of_scale * c->scale[component], a->pivots);
    *dependent = rank < m ? row[a->pivots[rank]] : *dependent;
    return rank;
}

/* By pivots of Lambda + E; the least of them to `least`. */
static int32_t sparse_rank(const rct_admittance *a, int32_t component, int32_t *dependent,
                           double *least)
{
    const rct_admittance_components *c = &a->components;
    int32_t rank = 0;
    *least = INFINITY;
    for (int32_t k = c->first[component]; k < c->first[component + 1]; k++) {
        const double pivot =
            rct_sparse_system_pivot(a->base.system, c->row[k]) / c->scale[component];
        const int independent = pivot > least_pivot;
        rank += independent;
        *dependent = independent ? *dependent : c->row[k];
        *least = pivot < *least ? pivot : *least;
    }
    return rank;
}

static int32_t definite_rank(rct_admittance *a, int32_t component, int32_t *dependent)
{
    const rct_admittance_components *c = &a->components;
    double least;
    int32_t found = *dependent;
    const int32_t rank = sparse_rank(a, component, &found, &least);
    const int small = c->first[component + 1] - c->first[component] <= RCT_ADMITTANCE_DENSE;
    if (small && least < plain_pivot) {
        return dense_rank(a, component, dependent);
    }
    *dependent = found;
    return rank;
}

/* The next vector of the null space, of length 1: what is there of a random one, less the vectors before. Whether there
 * is one, to `any`. */
static rct_status find_null(rct_admittance *a, int32_t before, uint64_t *random, int *any,
                            rct_error *error)
{
    const int32_t rows = a->reduced->rows;
    double *v = a->x, *found = a->basis + (int64_t)before * rows, whole = 0.0, size = 0.0;
    for (int32_t i = 0; i < rows; i++) {
        *random = *random * 6364136223846793005u + 1442695040888963407u;
        v[i] = a->components.estimated[a->components.of_row[i]]
                   ? (double)(*random >> 40) * 0x1p-23 - 1.0
                   : 0.0;
        whole += v[i] * v[i];
    }
    const rct_status status = rct_admittance_null_part(a, v, found, error);
    for (int32_t k = 0; k < 2 * before; k++) { /* twice is enough */
        const double *other = a->basis + (int64_t)(k % before) * rows;
        double along = 0.0;
        for (int32_t i = 0; i < rows; i++) {
            along += other[i] * found[i];
        }
        for (int32_t i = 0; i < rows; i++) {
            found[i] -= along * other[i];
        }
    }
    for (int32_t i = 0; i < rows; i++) {
        size += found[i] * found[i];
    }
    for (int32_t i = 0; i < rows && size > 0.0; i++) {
        found[i] /= sqrt(size);
    }
    *any = size > 1e-12 * whole;
    return status;
}

/* How many rows depend on others where Lambda itself is not at hand, to `deficiency`: as many as its null space has
 * dimensions. */
static rct_status estimate(rct_admittance *a, int32_t *deficiency, int32_t *dependent,
                           rct_error *error)
{
    const int32_t rows = a->reduced->rows;
    uint64_t random = 1;
    int32_t count = 0;
    for (int any = 1; count < RCT_ADMITTANCE_BASIS; count++) {
        const rct_status status = find_null(a, count, &random, &any, error);
        if (status != RCT_OK || !any) {
            *deficiency = count;
            return status;
        }
        const double *found = a->basis + (int64_t)count * rows;
        double most = 0.0;
        for (int32_t i = 0; i < rows; i++) { /* any row with a part in it depends on the others */
            *dependent = fabs(found[i]) > most ? i : *dependent;
            most = fmax(most, fabs(found[i]));
        }
    }
    const int64_t pivots = rct_sparse_system_small_pivots(a->base.system, least_pivot);
    *deficiency = pivots > count ? (int32_t)pivots : count;
    return RCT_OK;
}

rct_status rct_admittance_rank(rct_admittance *a, rct_closure_report *report, rct_error *error)
{
    const rct_admittance_components *c = &a->components;
    int32_t deficiency = 0;
    int any_estimated = 0;
    report->rank = 0;
    report->dependent = -1;
    for (int32_t i = 0; i < c->count; i++) {
        if (c->estimated[i]) {
            report->rank += c->first[i + 1] - c->first[i];
            any_estimated = 1;
        } else {
            report->rank +=
                (a->reduced->kept > 0 ? dense_rank : definite_rank)(a, i, &report->dependent);
        }
    }
    const rct_status status =
        any_estimated ? estimate(a, &deficiency, &report->dependent, error) : RCT_OK;
    report->rank -= deficiency;
    return status;
}
