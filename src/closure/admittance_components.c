/* Components of the matrix of admittance (admittance.h). */
#include "closure/admittance.h"

#include "core/memory.h"

#include <string.h>

/* The first row of the component, as far as known. */
static int32_t first_of(int32_t *of, int32_t i)
{
    while (of[i] != i) {
        of[i] = of[of[i]];
        i = of[i];
    }
    return i;
}

/* Number the components by their first rows; of: the first row of each, then its number. */
static int32_t number_components(int32_t *of, int32_t rows)
{
    int32_t count = 0;
    for (int32_t i = 0; i < rows; i++) {
        const int32_t first = first_of(of, i);
        of[i] = first == i ? i : first;
    }
    for (int32_t i = 0; i < rows; i++) {
        of[i] = of[i] == i ? -1 - count++ : of[of[i]]; /* the first row comes before */
    }
    for (int32_t i = 0; i < rows; i++) {
        of[i] = -1 - of[i];
    }
    return count;
}

static void unite(int32_t *of, int32_t a, int32_t b)
{
    const int32_t one = first_of(of, a), other = first_of(of, b);
    of[one > other ? one : other] = one > other ? other : one;
}

/* Rows of a front are coupled if they are on one tree; row_of [nodes] is work space. */
static void unite_trees(const rct_reduced_tree *r, int32_t *of, int32_t *row_of)
{
    memset(row_of, -1, (size_t)r->nodes * sizeof *row_of);
    for (int32_t e = 0; e < r->ends; e++) {
        int32_t *row = &row_of[r->end[e].node];
        *row = *row < 0 ? r->end[e].row : *row;
        unite(of, *row, r->end[e].row);
    }
    for (int32_t i = 0; i < r->nodes; i++) { /* every path to the ground comes from a row */
        int32_t *row = r->node[i].up >= 0 ? &row_of[r->node[i].up] : &row_of[i];
        *row = *row < 0 ? row_of[i] : *row;
        unite(of, *row, row_of[i]);
    }
}

/* List rows and numbers of each component, by counting. */
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
    /* each entry has moved to where the next one begins */
    memmove(c->first, c->first + 1, (size_t)c->count * sizeof *c->first);
    memmove(c->first_at, c->first_at + 1, (size_t)c->count * sizeof *c->first_at);
    c->first[c->count] = rows;
    c->first_at[c->count] = numbers;
}

/* The rows of the largest component with a dense matrix. */
static int64_t largest_dense(const rct_admittance_components *c)
{
    int64_t most = 0;
    for (int32_t i = 0; i < c->count; i++) {
        const int64_t rows = c->first[i + 1] - c->first[i];
        most = rows > most && rows <= RCT_ADMITTANCE_DENSE ? rows : most;
    }
    return most;
}

rct_status rct_admittance_split(rct_admittance *a, rct_error *error)
{
    rct_admittance_components *c = &a->components;
    rct_pool *pool = &a->base.pool;
    const int64_t rows = a->reduced->rows;
    const int front = a->reduced->front != NULL;
    int32_t *of = rct_allocate(rows + a->reduced->nodes, sizeof *of, pool->what, error);
    if (of == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < rows; i++) {
        of[i] = i;
    }
    for (int64_t k = 0; k < a->numbers; k++) {
        unite(of, (int32_t)a->number_row[k], (int32_t)a->number_column[k]);
    }
    if (front) {
        unite_trees(a->reduced, of, of + rows);
    }
    c->count = number_components(of, (int32_t)rows);
    c->of_row = rct_pool_take(pool, rows, sizeof *c->of_row, error);
    c->first = rct_pool_take(pool, c->count + 1, sizeof *c->first, error);
    c->row = rct_pool_take(pool, rows, sizeof *c->row, error);
    c->first_at = rct_pool_take(pool, c->count + 1, sizeof *c->first_at, error);
    c->number = rct_pool_take(pool, a->numbers - rows, sizeof *c->number, error);
    c->doubted = rct_pool_take(pool, c->count, sizeof *c->doubted, error);
    c->scale = rct_pool_take(pool, c->count, sizeof *c->scale, error);
    c->least = rct_pool_take(pool, c->count, sizeof *c->least, error);
    if (!pool->failed) {
        list_components(a, of);
        const int64_t most = front ? 0 : largest_dense(c);
        a->dense = rct_pool_take(pool, most * most, sizeof *a->dense, error);
        a->basis =
            rct_pool_take(pool, front ? RCT_ADMITTANCE_BASIS * rows : 0, sizeof *a->basis, error);
    }
    rct_release(of);
    return pool->failed ? RCT_ERROR_MEMORY : RCT_OK;
}
