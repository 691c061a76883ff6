/* Laying out columns (columns.h). What enters on a path is an arrival: from a loop, or from a path
 * that hangs on it. Paths of higher labels come first, so that all arrivals on a path are known
 * when its turn comes. The order is that of the tree, so that sums over paths have the same bits
 * whatever stands beside them in the sheaves. */
#include "topology/columns.h"

#include "core/memory.h"
#include "topology/column_draft.h"
#include "topology/rows.h"

#include <stdlib.h>
#include <string.h>

static const char what[] = "the columns of loops";

/* ---- arrivals ----------------------------------------------------------------------------- */

static rct_column_arrival *add(rct_column_draft *d, int32_t link, rct_error *error)
{
    if (d->count == d->room) {
        rct_column_arrival *more =
            rct_widen(d->arrivals, d->count, 2 * d->room, sizeof *more, what, error);
        if (more == NULL) {
            return NULL;
        }
        d->arrivals = more;
        d->room *= 2;
    }
    int64_t row;
    int32_t lane;
    if (rct_packing_find(d->packing, link, &row, &lane) != d->rows) {
        d->fits = 0;
        row = lane = 0;
    }
    const int32_t sheaf = rct_rows_sheaf(d->rows, row);
    d->fits = d->fits && !d->rows->narrow[sheaf];
    rct_column_arrival *a = &d->arrivals[d->count];
    *a = (rct_column_arrival){.row = row,
                              .sheaf = sheaf,
                              .lane = lane,
                              .end = -1,
                              .freedom = -1,
                              .next = -1,
                              .onward = -1};
    return a;
}

/* The last arrival, to its place on its path, among those of the row behind them. */
static void take_place(rct_column_draft *d)
{
    rct_column_arrival *a = &d->arrivals[d->count];
    int32_t *at = &d->first[(int64_t)a->sheaf * d->rows->lanes + a->lane];
    while (*at >= 0 && d->arrivals[*at].row >= a->row) {
        at = &d->arrivals[*at].next;
    }
    a->next = *at;
    *at = d->count++;
}

static rct_status add_ends(rct_column_draft *d, const rct_column_end *ends, int64_t count,
                           rct_error *error)
{
    for (int64_t k = 0; k < count && d->fits; k++) {
        rct_column_arrival *a = add(d, ends[k].link, error);
        if (a == NULL) {
            return RCT_ERROR_MEMORY;
        }
        a->of_row = ends[k].row;
        a->end = (int32_t)k;
        a->freedom = ends[k].freedom;
        take_place(d);
    }
    return RCT_OK;
}

/* Gives columns, counted on the path, to all arrivals on the path that begins with `link`, in that
 * place; the arrivals then continue onto the next path. */
static rct_status finish_path(rct_column_draft *d, int32_t link, int64_t row, int32_t lane,
                              rct_error *error)
{
    const rct_rows *r = d->rows;
    const int32_t sheaf = rct_rows_sheaf(r, row);
    const int inside = r->inside[row] >> lane & 1;
    int32_t column = 0;
    for (int32_t k = d->first[(int64_t)sheaf * r->lanes + lane]; k >= 0; k = d->arrivals[k].next) {
        d->arrivals[k].column = column++;
        d->arrivals[k].path = link;
        if (inside) {
            rct_column_arrival *a = add(d, d->packing->plan->links.parent[link], error);
            if (a == NULL) {
                return RCT_ERROR_MEMORY;
            }
            a->of_row = d->arrivals[k].of_row;
            d->arrivals[k].onward = d->count;
            take_place(d);
        }
    }
    d->fits = d->fits && column <= MOST_COLUMNS;
    return RCT_OK;
}

static rct_status follow_paths(rct_column_draft *d, rct_error *error)
{
    const rct_rows *r = d->rows;
    rct_status status = RCT_OK;
    for (int32_t l = d->packing->plan->links.count - 1; l >= 0 && d->fits && status == RCT_OK;
         l--) {
        int64_t row;
        int32_t lane;
        if (rct_packing_find(d->packing, l, &row, &lane) == r &&
            (r->starts[row] >> lane & 1) != 0) {
            status = finish_path(d, l, row, lane, error);
        }
    }
    return status;
}

/* ---- columns ------------------------------------------------------------------------------ */

static int by_entry(const void *a, const void *b)
{
    const rct_column_arrival *x = a, *y = b;
    if (x->sheaf != y->sheaf) {
        return x->sheaf < y->sheaf ? -1 : 1;
    }
    if (x->row != y->row) {
        return x->row > y->row ? -1 : 1;
    }
    return x->column != y->column ? (x->column < y->column ? -1 : 1) : x->lane - y->lane;
}

static double *take_lanes(const rct_column_draft *d, int64_t count, rct_error *error)
{
    return rct_pool_take(&d->out->pool, count * d->rows->lanes, sizeof(double), error);
}

static double *take_ones(const rct_column_draft *d, int64_t count, rct_error *error)
{
    double *numbers = take_lanes(d, count, error);
    for (int64_t k = 0; k < count * d->rows->lanes && numbers != NULL; k++) {
        numbers[k] = 1.0;
    }
    return numbers;
}

/* How many columns and pairs each sheaf has; columns are now counted over all sheaves. */
static void count_columns(rct_column_draft *d, int32_t *first, int64_t *pair)
{
    const int32_t sheaves = d->rows->sheaves.count;
    d->out->columns.fields = COLUMN_EFFORT;
    for (int32_t k = 0; k < d->count; k++) {
        const rct_column_arrival *a = &d->arrivals[k];
        d->out->columns.fields = a->freedom >= 0 ? COLUMN_FIELDS : d->out->columns.fields;
        first[a->sheaf + 1] =
            a->column >= first[a->sheaf + 1] ? a->column + 1 : first[a->sheaf + 1];
    }
    for (int32_t s = 0; s < sheaves; s++) {
        const int32_t own = first[s + 1];
        d->out->columns.most = own > d->out->columns.most ? own : d->out->columns.most;
        pair[s + 1] = pair[s] + own * (own + 1) / 2;
        first[s + 1] += first[s];
    }
    for (int32_t k = 0; k < d->count; k++) {
        d->arrivals[k].column += first[d->arrivals[k].sheaf];
    }
}

static int64_t place_in(const rct_column_draft *d, const rct_column_arrival *a)
{
    return (int64_t)a->column * d->out->columns.fields * d->rows->lanes + a->lane;
}

/* Where columns continue, where ends enter, which take rates, and which rows of J they belong
 * to. */
static void write_places(rct_column_draft *d, int32_t *onward, int32_t *efforts, int32_t *row_of)
{
    const int32_t lanes = d->rows->lanes;
    memset(onward, -1,
           (size_t)d->out->columns.first[d->rows->sheaves.count] * (size_t)lanes * sizeof *onward);
    for (int32_t k = 0; k < d->count; k++) {
        const rct_column_arrival *a = &d->arrivals[k];
        if (a->onward >= 0) {
            onward[a->column * lanes + a->lane] = (int32_t)place_in(d, &d->arrivals[a->onward]);
        }
        if (a->end >= 0) {
            d->out->place[a->end] = place_in(d, a);
        }
        efforts[a->column] |= a->freedom >= 0;
        row_of[a->column * lanes + a->lane] = a->of_row + 1;
    }
}

/* Arrivals as entries; from here on they are in the order of entries. */
static void write_entries(rct_column_draft *d, rct_column_entry *entry, int32_t *first)
{
    int32_t count = 0;
    qsort(d->arrivals, (size_t)d->count, sizeof *d->arrivals, by_entry);
    for (int32_t k = 0; k < d->count; k++) {
        const rct_column_arrival *a = &d->arrivals[k];
        if (k == 0 || entry[count - 1].row != a->row || entry[count - 1].column != a->column) {
            entry[count++] = (rct_column_entry){.row = a->row, .column = a->column};
            first[a->sheaf + 1] = count;
        }
        entry[count - 1].lanes |= (int32_t)(1u << a->lane);
    }
    for (int32_t s = 0; s < d->rows->sheaves.count; s++) {
        first[s + 1] = first[s + 1] > first[s] ? first[s + 1] : first[s];
    }
}

static rct_status lay_columns(rct_column_draft *d, rct_error *error)
{
    rct_row_columns *out = d->out;
    const int64_t sheaves = d->rows->sheaves.count, lanes = d->rows->lanes;
    int32_t *first = rct_columns_take(out, sheaves + 1, error);
    int32_t *first_entry = rct_columns_take(out, sheaves + 1, error);
    int64_t *pair = rct_pool_take(&out->pool, sheaves + 1, sizeof *pair, error);
    rct_column_entry *entry = rct_pool_take(&out->pool, d->count, sizeof *entry, error);
    out->place = rct_pool_take(&out->pool, out->ends, sizeof *out->place, error);
    out->pose_at =
        rct_pool_take(&out->pool, d->packing->plan->links.count, sizeof *out->pose_at, error);
    if (out->pool.failed) {
        return RCT_ERROR_MEMORY;
    }
    count_columns(d, first, pair);
    const int64_t columns = first[sheaves];
    d->fits =
        columns * d->out->columns.fields * lanes <= INT32_MAX && pair[sheaves] * lanes <= INT32_MAX;
    if (!d->fits) { /* 16 GiB: places have 32 bits */
        return RCT_OK;
    }
    int32_t *onward = rct_columns_take(out, columns * lanes, error);
    int32_t *efforts = rct_columns_take(out, columns, error);
    int32_t *row_of = rct_columns_take(out, columns * lanes, error);
    int32_t *hung = rct_columns_take(out, sheaves * lanes, error);
    int32_t *alive = rct_columns_take(out, d->rows->rows, error);
    int64_t *gain_at = rct_pool_take(&out->pool, d->rows->rows, sizeof *gain_at, error);
    out->columns = (rct_columns){
        .most = out->columns.most,
        .fields = out->columns.fields,
        .first = first,
        .first_entry = first_entry,
        .entry = entry,
        .onward = onward,
        .efforts = efforts,
        .pair = pair,
        .alive = alive,
        .gain_at = gain_at,
        .row_of = row_of,
        .hung = hung,
        .poses = take_lanes(d, (d->rows->rows + 1) * POSE_FIELDS, error),
        .in = take_lanes(d, columns * d->out->columns.fields, error),
        .h = take_lanes(d, columns, error),
        .terms = take_lanes(d, columns, error),
        .psi = take_lanes(d, pair[sheaves], error),
        .taken = take_lanes(d, columns, error),
        .multipliers = rct_pool_take(&out->pool, out->rows + 1, sizeof(double), error)};
    out->ready = take_lanes(d, columns, error);
    out->square = take_ones(d, columns, error);
    if (out->pool.failed) {
        return RCT_ERROR_MEMORY;
    }
    write_places(d, onward, efforts, row_of);
    write_entries(d, entry, first_entry);
    d->fits = rct_columns_hang(d->packing, out, hung);
    out->columns.gains =
        take_lanes(d, rct_columns_pass(&out->columns, &d->rows->sheaves, alive, gain_at), error);
    return out->pool.failed ? RCT_ERROR_MEMORY : RCT_OK;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static rct_status build(rct_column_draft *d, const rct_column_end *ends, rct_error *error)
{
    rct_status status = add_ends(d, ends, d->out->ends, error);
    if (status == RCT_OK) {
        status = follow_paths(d, error);
    }
    if (status == RCT_OK && d->fits) {
        status = lay_columns(d, error);
    }
    return status == RCT_OK && d->fits ? rct_columns_lay_numbers(d, error) : status;
}

rct_status rct_row_columns_create(const rct_packing *packing, const rct_column_end *ends,
                                  int64_t count, int32_t rows, rct_row_columns **columns,
                                  rct_error *error)
{
    const rct_rows *lanes = &packing->lanes;
    const int64_t paths = (int64_t)lanes->sheaves.count * lanes->lanes;
    rct_column_draft d = {.packing = packing, .rows = lanes, .room = 64, .fits = paths > 0};
    const rct_array parts[] = {
        {&d.out, 1, sizeof *d.out}, RCT_ARRAY(d.first, paths), RCT_ARRAY(d.arrivals, d.room)};
    rct_status status = rct_allocate_arrays(parts, 3, what, error);
    if (status == RCT_OK) {
        memset(d.first, -1, (size_t)paths * sizeof *d.first);
        d.out->pool.what = what;
        d.out->lanes = lanes->lanes;
        d.out->rows = rows;
        d.out->ends = count;
        status = build(&d, ends, error);
    }
    if (status != RCT_OK || !d.fits) {
        rct_row_columns_free(d.out);
        d.out = NULL;
    }
    rct_release(d.first);
    rct_release(d.arrivals);
    *columns = d.out;
    return status;
}
