/* The order in which a sparse matrix of any shape is eliminated (sparse_rows.h). Pivots are looked
 * for in the columns and rows with fewest numbers. A pivot must be at least the given part of the
 * largest number of its row and of its column; among a few such, the one is taken that can make the
 * fewest new numbers: (numbers of its row - 1) times (numbers of its column - 1) (Markowitz). The
 * matrix is eliminated at once, because the rest decides on the next pivot. Places stay where
 * numbers happen to become zero. */
#include "algebra/sparse_rows.h"

#include "algebra/sparse_lists.h"

#include <math.h>
#include <string.h>

enum { TRIES = 4 }; /* rows and columns with a pivot that are compared */

typedef struct draft {
    rct_sparse_rows *s;
    double least;
    const uint8_t *last;     /* columns to take last, or NULL */
    rct_lists rows, columns; /* of the rest; rows that have had their pivot hold their row of U */
    rct_lists lower;         /* of each row, the pivots that were taken off it */
    rct_ranks by_row, by_column;
    double *row_largest, *column_largest; /* of the rest; -1: not known */
    int32_t *at;                          /* [columns] 1 + place in a row, 0 between uses */
} draft;

typedef struct candidate {
    int32_t row, column; /* -1: none */
    int64_t cost;
} candidate;

/* ---- the next pivot ------------------------------------------------------------------------ */

static int waits(const draft *d, int32_t column)
{
    return d->last != NULL && d->last[column];
}

static double largest_of_row(draft *d, int32_t i)
{
    double *largest = &d->row_largest[i];
    if (*largest < 0.0) {
        *largest = 0.0;
        for (int64_t k = d->rows.start[i]; k < d->rows.start[i] + d->rows.count[i]; k++) {
            if (!waits(d, d->rows.item[k])) {
                *largest = fmax(*largest, fabs(d->rows.value[k]));
            }
        }
    }
    return *largest;
}

static double largest_of_column(draft *d, int32_t j)
{
    double *largest = &d->column_largest[j];
    if (*largest < 0.0) {
        *largest = 0.0;
        for (int64_t k = d->columns.start[j]; k < d->columns.start[j] + d->columns.count[j]; k++) {
            const int32_t i = d->columns.item[k];
            *largest = fmax(*largest, fabs(d->rows.value[rct_lists_find(&d->rows, i, j)]));
        }
    }
    return *largest;
}

/* Whether the number, large enough in its own row or column, is a pivot or could only be one no
 * better than `best`; `best` becomes it if it is better. */
static int weigh(draft *d, int32_t i, int32_t j, int in_row, candidate *best)
{
    const int64_t cost = (int64_t)(d->rows.count[i] - 1) * (d->columns.count[j] - 1);
    if (best->row >= 0 && cost >= best->cost) {
        return 1;
    }
    const double size = fabs(d->rows.value[rct_lists_find(&d->rows, i, j)]);
    const double largest = in_row ? largest_of_column(d, j) : largest_of_row(d, i);
    if (size < d->s->threshold * largest) {
        return 0;
    }
    *best = (candidate){i, j, cost};
    return 1;
}

static int try_row(draft *d, int32_t i, candidate *best)
{
    const double enough = d->s->threshold * largest_of_row(d, i);
    int found = 0;
    for (int64_t k = d->rows.start[i]; k < d->rows.start[i] + d->rows.count[i]; k++) {
        const double size = fabs(d->rows.value[k]);
        if (size > d->least && size >= enough && !waits(d, d->rows.item[k])) {
            found += weigh(d, i, d->rows.item[k], 1, best);
        }
    }
    return found;
}

static int try_column(draft *d, int32_t j, candidate *best)
{
    const double enough = d->s->threshold * largest_of_column(d, j);
    int found = 0;
    for (int64_t k = d->columns.start[j]; k < d->columns.start[j] + d->columns.count[j]; k++) {
        const int32_t i = d->columns.item[k];
        const double size = fabs(d->rows.value[rct_lists_find(&d->rows, i, j)]);
        if (size > d->least && size >= enough) {
            found += weigh(d, i, j, 0, best);
        }
    }
    return found;
}

/* Look through the rows or columns with `count` numbers. Those without a pivot stand aside until a
 * pivot touches them. Returns how many had one. */
static int look(draft *d, rct_ranks *r, int32_t count,
                int (*try_one)(draft *d, int32_t one, candidate *best), int tries, candidate *best)
{
    int32_t next = count <= r->widest ? r->head[count] : -1;
    while (next >= 0 && tries < TRIES) {
        const int32_t one = next;
        next = r->next[one];
        if (try_one(d, one, best)) {
            tries++;
        } else {
            rct_ranks_leave(r, one);
        }
    }
    return tries;
}

static candidate search(draft *d)
{
    const int32_t most =
        d->by_row.widest > d->by_column.widest ? d->by_row.widest : d->by_column.widest;
    candidate best = {.row = -1, .column = -1};
    int tries = 0;
    for (int32_t count = 1; count <= most && tries < TRIES; count++) {
        const int64_t fewer = count - 1;
        if (best.row >= 0 && best.cost <= fewer * fewer) {
            break;
        }
        tries = look(d, &d->by_column, count, try_column, tries, &best);
        if (best.row < 0 || best.cost > fewer * count) {
            tries = look(d, &d->by_row, count, try_row, tries, &best);
        }
    }
    return best;
}

static void forget(double *largest, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        largest[i] = -1.0;
    }
}

/* Enter all that have numbers, also those that stood aside. */
static void enter_all(draft *d)
{
    for (int32_t i = d->s->rows - 1; i >= 0; i--) {
        rct_ranks_enter(&d->by_row, i, d->s->row[i] < 0 ? d->rows.count[i] : 0);
    }
    for (int32_t j = d->s->columns - 1; j >= 0; j--) {
        rct_ranks_enter(&d->by_column, j,
                        d->s->place[j] < 0 && !waits(d, j) ? d->columns.count[j] : 0);
    }
}

/* The status of the lists: whether a number found no room. */
static rct_status status_of(const draft *d)
{
    return d->rows.status != RCT_OK      ? d->rows.status
           : d->columns.status != RCT_OK ? d->columns.status
                                         : d->lower.status;
}

/* The next pivot; if none is found, all rows and columns are tried once more, and then those that
 * come last. */
static candidate next_pivot(draft *d)
{
    candidate best = search(d);
    if (best.row < 0) {
        enter_all(d);
        best = search(d);
    }
    if (best.row < 0 && d->last != NULL) {
        d->last = NULL;
        forget(d->row_largest, d->s->rows);
        enter_all(d);
        best = search(d);
    }
    return best;
}

/* ---- elimination ---------------------------------------------------------------------------- */

/* Take the row of the pivot off row i. */
static void take_off(draft *d, const candidate *p, double pivot, int32_t i)
{
    rct_lists *rows = &d->rows;
    const int64_t own = rct_lists_find(rows, i, p->column);
    const double factor = rows->value[own] / pivot;
    rct_lists_erase(rows, i, own);
    rct_lists_append(&d->lower, i, d->s->rank, 0.0);
    for (int32_t k = 0; k < rows->count[i]; k++) {
        d->at[rows->item[rows->start[i] + k]] = k + 1;
    }
    for (int32_t k = 0; k < rows->count[p->row] && status_of(d) == RCT_OK; k++) {
        const int32_t j = rows->item[rows->start[p->row] + k];
        const double less = factor * rows->value[rows->start[p->row] + k];
        if (d->at[j] > 0) {
            rows->value[rows->start[i] + d->at[j] - 1] -= less;
        } else {
            rct_lists_append(rows, i, j, -less);
            rct_lists_append(&d->columns, j, i, 0.0);
        }
    }
    for (int32_t k = 0; k < rows->count[i]; k++) {
        d->at[rows->item[rows->start[i] + k]] = 0;
    }
    d->row_largest[i] = -1.0;
    rct_ranks_enter(&d->by_row, i, rows->count[i]);
}

static void eliminate(draft *d, const candidate *p)
{
    rct_lists *rows = &d->rows, *columns = &d->columns;
    const int64_t own = rct_lists_find(rows, p->row, p->column);
    const double pivot = rows->value[own];
    rct_lists_erase(rows, p->row, own);
    rct_ranks_leave(&d->by_row, p->row);
    rct_ranks_leave(&d->by_column, p->column);
    d->s->row[p->row] = d->s->rank;
    d->s->place[p->column] = d->s->rank;
    rct_lists_erase(columns, p->column, rct_lists_find(columns, p->column, p->row));
    for (int32_t k = 0; k < rows->count[p->row]; k++) {
        const int32_t j = rows->item[rows->start[p->row] + k];
        rct_lists_erase(columns, j, rct_lists_find(columns, j, p->row));
    }
    for (int32_t k = 0; k < columns->count[p->column] && status_of(d) == RCT_OK; k++) {
        take_off(d, p, pivot, columns->item[columns->start[p->column] + k]);
    }
    for (int32_t k = 0; k < rows->count[p->row]; k++) {
        const int32_t j = rows->item[rows->start[p->row] + k];
        d->column_largest[j] = -1.0;
        rct_ranks_enter(&d->by_column, j, waits(d, j) ? 0 : columns->count[j]);
    }
    d->s->rank++;
}

/* ---- what came out -------------------------------------------------------------------------- */

/* From the place of each item, -1 if it has none, to the item in each place. */
static void invert(int32_t size, int32_t rank, int32_t *place, int32_t *in_place)
{
    for (int32_t i = 0; i < size; i++) {
        place[i] = place[i] < 0 ? rank++ : place[i];
        in_place[place[i]] = i;
    }
}

static void write_row(draft *d, int32_t place, int32_t row, int64_t *l, int64_t *u)
{
    rct_sparse_rows *s = d->s;
    const int32_t *item = d->rows.item + d->rows.start[row];
    s->L.start[place] = *l;
    s->U.start[place] = *u;
    for (int32_t k = 0; k < d->lower.count[row]; k++) {
        s->L.place[(*l)++] = d->lower.item[d->lower.start[row] + k];
    }
    for (int behind = 0; behind < 2; behind++) {
        for (int32_t k = 0; k < d->rows.count[row]; k++) {
            if ((s->place[item[k]] >= s->rank) == behind) {
                s->U.place[(*u)++] = s->place[item[k]];
            }
        }
        s->middle[place] = behind ? s->middle[place] : *u;
    }
}

static rct_status write_factors(draft *d, int32_t *place_of_row, rct_error *error)
{
    rct_sparse_rows *s = d->s;
    int64_t lower = 0, upper = 0;
    invert(s->columns, s->rank, s->place, s->column);
    memcpy(place_of_row, s->row, (size_t)s->rows * sizeof *s->row);
    invert(s->rows, s->rank, place_of_row, s->row);
    for (int32_t i = 0; i < s->rows; i++) {
        lower += d->lower.count[i];
        upper += d->rows.count[i];
    }
    rct_status status = lower + upper > s->most
                            ? RCT_ERROR_UNSUPPORTED
                            : rct_sparse_factor_widen(&s->L, lower, s->pool.what, error);
    if (status == RCT_OK) {
        status = rct_sparse_factor_widen(&s->U, upper, s->pool.what, error);
    }
    lower = upper = 0;
    for (int32_t i = 0; i < s->rows && status == RCT_OK; i++) {
        write_row(d, i, s->row[i], &lower, &upper);
    }
    s->L.start[s->rows] = lower;
    s->U.start[s->rows] = upper;
    return status;
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Bring the matrix to the lists; no row (in `row`) or column (in `place`) has a place yet. */
static void begin(draft *d, const double *value)
{
    rct_sparse_rows *s = d->s;
    memset(s->row, -1, (size_t)s->rows * sizeof *s->row);
    memset(s->place, -1, (size_t)s->columns * sizeof *s->place);
    s->rank = 0;
    for (int32_t i = 0; i < s->rows; i++) {
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++) {
            rct_lists_append(&d->rows, i, s->at[k], value[k]);
            rct_lists_append(&d->columns, s->at[k], i, 0.0);
        }
    }
    forget(d->row_largest, s->rows);
    forget(d->column_largest, s->columns);
    enter_all(d);
}

static rct_status find_order(draft *d, const double *value)
{
    begin(d, value);
    while (status_of(d) == RCT_OK) {
        const candidate p = next_pivot(d);
        if (p.row < 0) {
            break;
        }
        eliminate(d, &p);
    }
    return status_of(d);
}

rct_status rct_sparse_rows_order(rct_sparse_rows *s, const double *value, double least,
                                 const uint8_t *last, rct_error *error)
{
    const int64_t numbers = s->start[s->rows], most = 8 * s->most;
    rct_pool pool = {.what = s->pool.what};
    draft d = {.s = s, .least = least, .last = last};
    d.rows = rct_lists_create(s->rows, 2 * numbers + 1, most, 1, &pool, error);
    d.columns = rct_lists_create(s->columns, 2 * numbers + 1, most, 0, &pool, error);
    d.lower = rct_lists_create(s->rows, numbers + 1, most, 0, &pool, error);
    d.by_row = rct_ranks_create(s->rows, s->columns, &pool, error);
    d.by_column = rct_ranks_create(s->columns, s->rows, &pool, error);
    d.row_largest = rct_pool_take(&pool, s->rows, sizeof *d.row_largest, error);
    d.column_largest = rct_pool_take(&pool, s->columns, sizeof *d.column_largest, error);
    d.at = rct_pool_take(&pool, s->columns, sizeof *d.at, error);
    int32_t *place_of_row = rct_pool_take(&pool, s->rows, sizeof *place_of_row, error);
    rct_status status = pool.failed ? RCT_ERROR_MEMORY : status_of(&d);
    if (status == RCT_OK) {
        status = find_order(&d, value);
    }
    if (status == RCT_OK) {
        status = write_factors(&d, place_of_row, error);
    }
    rct_lists_free(&d.rows);
    rct_lists_free(&d.columns);
    rct_lists_free(&d.lower);
    rct_pool_empty(&pool);
    return status;
}
