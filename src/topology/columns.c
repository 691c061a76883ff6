/* Laying out columns (columns.h). Whatever comes in on a path is an arrival: of a loop, or of a path that hangs on it. Paths of higher
 * labels come first, so that all that arrives on a path is known once it is its turn, and in an order that is the tree's: what is
 * summed over paths has the same bits whatever stands beside it in the sheaves. */
#include "topology/columns.h"

#include "core/memory.h"
#include "topology/column_meeting.h"
#include "topology/rows.h"

#include <stdlib.h>
#include <string.h>

static const char what[] = "the columns of loops";

typedef struct arrival {
    int64_t row;  /* of links                                                                 */
    int32_t path; /* label of the link that it begins with                                    */
    int32_t sheaf, lane, column;
    int32_t of_row;  /* of J                                                                      */
    int32_t end;     /* number, or -1: from a path                                                */
    int32_t freedom; /* of a rate, or -1                                                          */
    int32_t next;    /* on the path, outermost first; -1                                          */
    int32_t onward;  /* on the path that it hangs on, or -1                                       */
} arrival;

typedef struct draft {
    const rct_packing *packing;
    const rct_rows *rows;
    arrival *arrivals; /* [room] */
    int32_t count, room;
    int32_t *first; /* [sheaves][W] arrival on each path, or -1 */
    int fits;
    rct_row_columns *out;
} draft;

/* ---- arrivals ----------------------------------------------------------------------------- */

static arrival *add(draft *d, int32_t link, rct_error *error)
{
    if (d->count == d->room) {
        const int32_t room = 2 * d->room + 64;
        arrival *more = rct_widen(d->arrivals, d->count, room, sizeof *more, what, error);
        if (more == NULL) {
            return NULL;
        }
        d->arrivals = more;
        d->room = room;
    }
    int64_t row;
    int32_t lane;
    if (rct_packing_find(d->packing, link, &row, &lane) != d->rows) {
        d->fits = 0;
        row = lane = 0;
    }
    const int32_t sheaf = rct_rows_sheaf(d->rows, row);
    d->fits = d->fits && !d->rows->narrow[sheaf];
    arrival *a = &d->arrivals[d->count];
    *a = (arrival){.row = row,
                   .sheaf = sheaf,
                   .lane = lane,
                   .end = -1,
                   .freedom = -1,
                   .next = -1,
                   .onward = -1};
    return a;
}

/* The last one added, on its path: among those of the row behind them. */
static void take_place(draft *d)
{
    arrival *a = &d->arrivals[d->count];
    int32_t *at = &d->first[(int64_t)a->sheaf * d->rows->lanes + a->lane];
    while (*at >= 0 && d->arrivals[*at].row >= a->row) {
        at = &d->arrivals[*at].next;
    }
    a->next = *at;
    *at = d->count++;
}

static rct_status add_ends(draft *d, const rct_column_end *ends, int64_t count, rct_error *error)
{
    for (int64_t k = 0; k < count && d->fits; k++) {
        arrival *a = add(d, ends[k].link, error);
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

/* All that arrives on the path that begins with `link`, in that place, has its column, counted on the path; and goes on. */
static rct_status finish_path(draft *d, int32_t link, int64_t row, int32_t lane, rct_error *error)
{
    const rct_rows *r = d->rows;
    const int32_t sheaf = rct_rows_sheaf(r, row);
    const int inside = r->inside[row] >> lane & 1;
    int32_t column = 0;
    for (int32_t k = d->first[(int64_t)sheaf * r->lanes + lane]; k >= 0; k = d->arrivals[k].next) {
        d->arrivals[k].column = column++;
        d->arrivals[k].path = link;
        if (inside) {
            arrival *a = add(d, d->packing->plan->links.parent[link], error);
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

static rct_status follow_paths(draft *d, rct_error *error)
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
    const arrival *x = a, *y = b;
    if (x->sheaf != y->sheaf) {
        return x->sheaf < y->sheaf ? -1 : 1;
    }
    if (x->row != y->row) {
        return x->row > y->row ? -1 : 1;
    }
    return x->column != y->column ? (x->column < y->column ? -1 : 1) : x->lane - y->lane;
}

static int32_t *take_numbers(rct_row_columns *c, int64_t count, rct_error *error)
{
    return rct_pool_take(&c->pool, count, sizeof(int32_t), error);
}

static double *take_lanes(const draft *d, int64_t count, rct_error *error)
{
    return rct_pool_take(&d->out->pool, count * d->rows->lanes, sizeof(double), error);
}

/* How many columns and pairs each sheaf has; columns become those of all. */
static void count_columns(draft *d, int32_t *first, int64_t *pair)
{
    const int32_t sheaves = d->rows->sheaves.count;
    for (int32_t k = 0; k < d->count; k++) {
        const arrival *a = &d->arrivals[k];
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

enum { POSE_NUMBERS = sizeof(rct_pose_of_link) / sizeof(double) };

static int64_t place_in(const draft *d, const arrival *a)
{
    return (int64_t)a->column * COLUMN_FIELDS * d->rows->lanes + a->lane;
}

/* Where columns go on, where ends come in, which take rates, and of which rows of J they are. */
static void write_places(draft *d, int32_t *onward, int32_t *efforts, int32_t *row_of)
{
    const int32_t lanes = d->rows->lanes;
    memset(onward, -1,
           (size_t)d->out->columns.first[d->rows->sheaves.count] * (size_t)lanes * sizeof *onward);
    for (int32_t k = 0; k < d->count; k++) {
        const arrival *a = &d->arrivals[k];
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

/* Arrivals as entries, from here on in their order. */
static int32_t write_entries(draft *d, rct_column_entry *entry, int32_t *first)
{
    int32_t count = 0;
    qsort(d->arrivals, (size_t)d->count, sizeof *d->arrivals, by_entry);
    for (int32_t k = 0; k < d->count; k++) {
        const arrival *a = &d->arrivals[k];
        if (k == 0 || entry[count - 1].row != a->row || entry[count - 1].column != a->column) {
            entry[count++] = (rct_column_entry){.row = a->row, .column = a->column};
            first[a->sheaf + 1] = count;
        }
        entry[count - 1].lanes |= (int32_t)(1u << a->lane);
    }
    for (int32_t s = 0; s < d->rows->sheaves.count; s++) {
        first[s + 1] = first[s + 1] > first[s] ? first[s + 1] : first[s];
    }
    return count;
}

static rct_status lay_columns(draft *d, rct_error *error)
{
    rct_row_columns *out = d->out;
    const int64_t sheaves = d->rows->sheaves.count, lanes = d->rows->lanes;
    int32_t *first = take_numbers(out, sheaves + 1, error);
    int32_t *first_entry = take_numbers(out, sheaves + 1, error);
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
    int32_t *onward = take_numbers(out, columns * lanes, error);
    int32_t *efforts = take_numbers(out, columns, error);
    int32_t *row_of = take_numbers(out, columns * lanes, error);
    int32_t *hung = take_numbers(out, sheaves * lanes, error);
    int32_t *alive = take_numbers(out, d->rows->rows, error);
    int64_t *gain_at = rct_pool_take(&out->pool, d->rows->rows, sizeof *gain_at, error);
    out->columns = (rct_columns){
        .most = out->columns.most,
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
        .poses = take_lanes(d, (d->rows->rows + 1) * POSE_NUMBERS, error),
        .in = take_lanes(d, columns * COLUMN_FIELDS, error),
        .h = take_lanes(d, columns, error),
        .terms = take_lanes(d, columns, error),
        .ready = take_lanes(d, columns, error),
        .psi = take_lanes(d, pair[sheaves], error),
        .taken = take_lanes(d, columns, error),
        .multipliers = rct_pool_take(&out->pool, out->rows + 1, sizeof(double), error)};
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

/* ---- numbers of rows ---------------------------------------------------------------------- */

/* By paths, those of the tree before what hangs on it, and on a path by columns. */
static int by_path(const void *a, const void *b)
{
    const arrival *x = a, *y = b;
    return x->path != y->path ? (x->path < y->path ? -1 : 1)
                              : (x->column > y->column) - (x->column < y->column);
}

/* Places in h of each row: of all arrivals, or of those of loops. */
static void list_places(const draft *d, int only_ends, int32_t *at, int32_t *place)
{
    const int32_t rows = d->out->rows;
    for (int32_t k = 0; k < d->count; k++) {
        at[d->arrivals[k].of_row + 1] += !only_ends || d->arrivals[k].end >= 0;
    }
    for (int32_t i = 0; i < rows; i++) {
        at[i + 1] += at[i];
    }
    for (int32_t k = d->count - 1; k >= 0; k--) {
        const arrival *a = &d->arrivals[k];
        if (!only_ends || a->end >= 0) {
            place[--at[a->of_row + 1]] = a->column * d->rows->lanes + a->lane;
        }
    }
    memmove(at, at + 1, (size_t)rows * sizeof *at);
    at[rows] = only_ends ? (int32_t)d->out->ends : d->count;
}

/* Arrivals k and m of one path, k not after m in the order of columns. A row that meets itself in two columns does so twice. */
static int64_t meet(const draft *d, const arrival *a, const arrival *b, rct_column_meeting *out)
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

/* All meetings, counted or written. */
static int64_t list_meetings(const draft *d, rct_column_meeting *out)
{
    int64_t count = 0;
    for (int32_t k = 0; k < d->count; k++) {
        for (int32_t m = k; m < d->count && d->arrivals[m].path == d->arrivals[k].path; m++) {
            count += meet(d, &d->arrivals[k], &d->arrivals[m], out != NULL ? out + count : NULL);
        }
    }
    return count;
}

static rct_status lay_numbers(draft *d, rct_error *error)
{
    rct_row_columns *out = d->out;
    rct_pool rough = {.what = what}, *pool = &out->pool;
    qsort(d->arrivals, (size_t)d->count, sizeof *d->arrivals, by_path);
    const int64_t count = list_meetings(d, NULL);
    rct_column_meeting *all = rct_pool_take(&rough, count, sizeof *all, error);
    int32_t *room = rct_pool_take(&rough, 3 * count + out->rows + 1, sizeof *room, error);
    out->row = rct_pool_take(pool, count, sizeof *out->row, error);
    out->column = rct_pool_take(pool, count, sizeof *out->column, error);
    out->source_at = rct_pool_take(pool, count + 1, sizeof *out->source_at, error);
    out->source = take_numbers(out, count, error);
    out->value = rct_pool_take(pool, count, sizeof *out->value, error);
    out->of_row_at = take_numbers(out, (int64_t)out->rows + 1, error);
    out->taken_at = take_numbers(out, (int64_t)out->rows + 1, error);
    out->of_row = take_numbers(out, d->count, error);
    out->taken = take_numbers(out, out->ends, error);
    const int whole = !rough.failed && !pool->failed;
    if (whole) {
        list_meetings(d, all);
        rct_row_columns_number(out, all, (int32_t)count, room);
        list_places(d, 0, out->of_row_at, out->of_row);
        list_places(d, 1, out->taken_at, out->taken);
    }
    rct_pool_empty(&rough);
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static rct_status build(draft *d, const rct_column_end *ends, rct_error *error)
{
    rct_status status = add_ends(d, ends, d->out->ends, error);
    if (status == RCT_OK) {
        status = follow_paths(d, error);
    }
    if (status == RCT_OK && d->fits) {
        status = lay_columns(d, error);
    }
    return status == RCT_OK && d->fits ? lay_numbers(d, error) : status;
}

rct_status rct_row_columns_create(const rct_packing *packing, const rct_column_end *ends,
                                  int64_t count, int32_t rows, rct_row_columns **columns,
                                  rct_error *error)
{
    const rct_rows *lanes = &packing->lanes;
    const int64_t paths = (int64_t)lanes->sheaves.count * lanes->lanes;
    draft d = {.packing = packing, .rows = lanes, .fits = paths > 0};
    d.out = rct_allocate(1, sizeof *d.out, what, error);
    d.first = rct_allocate(paths, sizeof *d.first, what, error);
    rct_status status = d.out == NULL || d.first == NULL ? RCT_ERROR_MEMORY : RCT_OK;
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
