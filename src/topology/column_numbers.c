/* Numbers of rows of J from those of their columns, after the last sweep (columns.h). */
#include "core/error.h"
#include "core/memory.h"
#include "topology/column_draft.h"
#include "topology/rows.h"
#include "topology/sorting.h"

#include <stdlib.h>
#include <string.h>

static const char what[] = "the columns of loops";

/* ---- laying ------------------------------------------------------------------------------- */

int rct_columns_hang(const rct_packing *packing, rct_row_columns *out, int32_t *hung)
{
    const rct_rows *r = &packing->lanes;
    const int64_t pose = POSE_FIELDS * (int64_t)r->lanes;
    const int32_t *parent = packing->plan->links.parent;
    int fits = 1;
    out->ground_pose = r->rows * pose;
    for (int64_t k = 0; k < (int64_t)r->sheaves.count * r->lanes; k++) {
        hung[k] = (int32_t)out->ground_pose; /* also lanes without a path */
    }
    for (int64_t at = 0; at < r->rows * r->lanes; at++) {
        const int64_t row = at / r->lanes;
        const int32_t lane = (int32_t)(at % r->lanes), sheaf = rct_rows_sheaf(r, row);
        if (r->label[at] >= 0) {
            out->pose_at[r->label[at]] = row * pose + lane;
        }
        if ((r->starts[row] >> lane & 1) != 0) {
            const int32_t up = parent[r->label[at]];
            int64_t up_row;
            int32_t up_lane;
            if (up >= 0) {
                rct_packing_find(packing, up, &up_row, &up_lane);
                fits = fits && (r->narrow[sheaf] || !r->narrow[rct_rows_sheaf(r, up_row)]);
                hung[(int64_t)sheaf * r->lanes + lane] = (int32_t)(up_row * pose + up_lane);
            }
        }
    }
    return fits;
}

int64_t rct_columns_pass(const rct_columns *c, const rct_sheaves *s, int32_t *alive,
                         int64_t *gain_at)
{
    int64_t gains = 0;
    for (int32_t sheaf = 0; sheaf < s->count; sheaf++) {
        int32_t k = c->first_entry[sheaf], passing = 0;
        for (int64_t g = s->first_row[sheaf + 1] - 1; g >= s->first_row[sheaf]; g--) {
            for (; k < c->first_entry[sheaf + 1] && c->entry[k].row == g; k++) {
                const int32_t own = c->entry[k].column - c->first[sheaf] + 1;
                passing = own > passing ? own : passing;
            }
            alive[g] = passing;
            gain_at[g] = gains;
            gains += passing * (s->state_at[g + 1] - s->state_at[g] - s->coordinates[g]);
        }
    }
    return gains;
}

/* Sorts meetings by rows, then by columns. */
static void sort(const rct_column_meeting *all, int32_t count, int32_t rows, int32_t *room,
                 int32_t *order)
{
    int32_t *key = room, *by_column = room + count, *begin = room + 2 * (int64_t)count;
    for (int32_t k = 0; k < count; k++) {
        key[k] = all[k].column;
    }
    rct_sort_by_key(by_column, begin, key, count, rows);
    for (int32_t k = 0; k < count; k++) {
        key[k] = all[by_column[k]].row;
    }
    rct_sort_by_key(order, begin, key, count, rows);
    for (int32_t k = 0; k < count; k++) {
        order[k] = by_column[order[k]];
    }
}

/* Terms of sums, as lists of places. */
typedef struct term_lists {
    int32_t *at, *place;
} term_lists;

/* Rows, columns and sources of the numbers of all meetings. `room`: [3 count + rows + 1]. */
static void number_meetings(rct_row_columns *out, const rct_column_meeting *all, int32_t count,
                            int32_t *room, term_lists *sources)
{
    int32_t *order = room;
    sort(all, count, out->rows, room + count, order);
    for (int32_t k = 0; k < count; k++) {
        const rct_column_meeting *m = &all[order[k]];
        const int64_t last = out->numbers - 1;
        if (last < 0 || out->row[last] != m->row || out->column[last] != m->column) {
            out->row[out->numbers] = m->row;
            out->column[out->numbers] = m->column;
            sources->at[out->numbers++] = k;
        }
        sources->place[k] = m->source;
    }
    sources->at[out->numbers] = count;
}

/* ---- of arrivals -------------------------------------------------------------------------- */

/* By paths, those of a tree before what hangs on it; on a path by columns. */
static int by_path(const void *a, const void *b)
{
    const rct_column_arrival *x = a, *y = b;
    return x->path != y->path ? (x->path < y->path ? -1 : 1)
                              : (x->column > y->column) - (x->column < y->column);
}

/* Places in h of each row: of all arrivals, or only of those of loops. */
static void list_places(const rct_column_draft *d, int only_ends, int32_t *at, int32_t *place)
{
    const int32_t rows = d->out->rows;
    for (int32_t k = 0; k < d->count; k++) {
        at[d->arrivals[k].of_row + 1] += !only_ends || d->arrivals[k].end >= 0;
    }
    for (int32_t i = 0; i < rows; i++) {
        at[i + 1] += at[i];
    }
    for (int32_t k = d->count - 1; k >= 0; k--) {
        const rct_column_arrival *a = &d->arrivals[k];
        if (!only_ends || a->end >= 0) {
            place[--at[a->of_row + 1]] = a->column * d->rows->lanes + a->lane;
        }
    }
    memmove(at, at + 1, (size_t)rows * sizeof *at);
    at[rows] = only_ends ? (int32_t)d->out->ends : d->count;
}

/* Arrivals k and m of one path, k not after m in the order of columns. A row that meets itself in
 * two columns does so twice. */
static int64_t meet(const rct_column_draft *d, const rct_column_arrival *a,
                    const rct_column_arrival *b, rct_column_meeting *out)
{
    const int32_t first = d->out->columns.first[a->sheaf];
    const int64_t p = (a->column < b->column ? a : b)->column - first;
    const int64_t q = (a->column < b->column ? b : a)->column - first;
    const int32_t source =
        (int32_t)((d->out->columns.pair[a->sheaf] + q * (q + 1) / 2 + p) * d->rows->lanes +
                  a->lane);
    const int low = a->of_row < b->of_row;
    const rct_column_meeting m = {low ? a->of_row : b->of_row, low ? b->of_row : a->of_row, source};
    const int64_t times = a != b && a->of_row == b->of_row ? 2 : 1;
    for (int64_t k = 0; k < times && out != NULL; k++) {
        out[k] = m;
    }
    return times;
}

/* Counts or writes all meetings. */
static int64_t list_meetings(const rct_column_draft *d, rct_column_meeting *out)
{
    int64_t count = 0;
    for (int32_t k = 0; k < d->count; k++) {
        for (int32_t m = k; m < d->count && d->arrivals[m].path == d->arrivals[k].path; m++) {
            count += meet(d, &d->arrivals[k], &d->arrivals[m], out != NULL ? out + count : NULL);
        }
    }
    return count;
}

rct_status rct_columns_lay_numbers(rct_column_draft *d, rct_error *error)
{
    rct_row_columns *out = d->out;
    rct_pool rough = {.what = what}, *pool = &out->pool;
    qsort(d->arrivals, (size_t)d->count, sizeof *d->arrivals, by_path);
    const int64_t count = list_meetings(d, NULL);
    d->fits = count <= INT32_MAX; /* as their numbers */
    if (!d->fits) {
        return RCT_OK;
    }
    rct_column_meeting *all = rct_pool_take(&rough, count, sizeof *all, error);
    int32_t *room = rct_pool_take(&rough, 3 * count + out->rows + 1, sizeof *room, error);
    term_lists sources = {rct_pool_take(&rough, count + 1, sizeof(int32_t), error),
                          rct_pool_take(&rough, count, sizeof(int32_t), error)};
    term_lists taken = {rct_pool_take(&rough, (int64_t)out->rows + 1, sizeof(int32_t), error),
                        rct_pool_take(&rough, out->ends, sizeof(int32_t), error)};
    out->row = rct_pool_take(pool, count, sizeof *out->row, error);
    out->column = rct_pool_take(pool, count, sizeof *out->column, error);
    out->value = rct_pool_take(pool, count, sizeof *out->value, error);
    out->gap = rct_pool_take(pool, out->rows, sizeof *out->gap, error);
    out->terms = rct_pool_take(pool, out->rows, sizeof *out->terms, error);
    out->of_row_at = rct_columns_take(out, (int64_t)out->rows + 1, error);
    out->of_row = rct_columns_take(out, d->count, error);
    rct_status status = !rough.failed && !pool->failed ? RCT_OK : RCT_ERROR_MEMORY;
    if (status == RCT_OK) {
        list_meetings(d, all);
        number_meetings(out, all, (int32_t)count, room, &sources);
        list_places(d, 0, out->of_row_at, out->of_row);
        list_places(d, 1, taken.at, taken.place);
        status =
            rct_sums_lay(&out->of_numbers, sources.at, sources.place, out->numbers, pool, error);
        RCT_THEN(status,
                 rct_sums_lay(&out->of_rows, out->of_row_at, out->of_row, out->rows, pool, error));
        RCT_THEN(status,
                 rct_sums_lay(&out->of_taken, taken.at, taken.place, out->rows, pool, error));
    }
    rct_pool_empty(&rough);
    return status;
}

void rct_row_columns_free(rct_row_columns *c)
{
    if (c != NULL) {
        rct_pool_empty(&c->pool);
        rct_release(c);
    }
}

int64_t rct_row_columns_bytes(const rct_row_columns *c)
{
    return c == NULL ? 0 : (int64_t)sizeof *c + c->pool.bytes;
}

/* ---- of the last sweep -------------------------------------------------------------------- */

void rct_row_columns_admit(rct_row_columns *c)
{
    rct_sums_add_up(&c->of_numbers, c->columns.psi, c->value);
    rct_sums_add_up(&c->of_rows, c->columns.h, c->gap);
    rct_sums_add_up(&c->of_rows, c->columns.terms, c->terms);
}

void rct_row_columns_ready(const rct_row_columns *c, double *most)
{
    rct_sums_add_up(&c->of_rows, c->ready, most);
}

void rct_row_columns_apply(const rct_row_columns *c, const double *lambda, double *out)
{
    memset(out, 0, (size_t)c->rows * sizeof *out);
    for (int64_t k = 0; k < c->numbers; k++) {
        const int32_t row = c->row[k], column = c->column[k];
        const double value = c->value[k];
        out[row] += value * lambda[column];
        if (column > row) {
            out[column] += value * lambda[row];
        }
    }
}

void rct_row_columns_taken(const rct_row_columns *c, double *accelerations)
{
    rct_sums_add_up(&c->of_taken, c->columns.taken, accelerations);
}
