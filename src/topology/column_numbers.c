/* Numbers of rows of J from those of their columns, as the last sweep left them (columns.h). */
#include "core/memory.h"
#include "topology/column_meeting.h"
#include "topology/rows.h"
#include "topology/sorting.h"

#include <string.h>

/* ---- laying ------------------------------------------------------------------------------- */

int rct_columns_hang(const rct_packing *packing, rct_row_columns *out, int32_t *hung)
{
    const rct_rows *r = &packing->lanes;
    const int64_t pose = (int64_t)(sizeof(rct_pose_of_link) / sizeof(double)) * r->lanes;
    const int32_t *parent = packing->plan->links.parent;
    int fits = 1;
    out->ground_pose = r->rows * pose;
    for (int64_t at = 0; at < r->rows * r->lanes; at++) {
        const int64_t row = at / r->lanes;
        const int32_t lane = (int32_t)(at % r->lanes), sheaf = rct_rows_sheaf(r, row);
        if (r->label[at] >= 0) {
            out->pose_at[r->label[at]] = row * pose + lane;
        }
        if ((r->starts[row] >> lane & 1) != 0) {
            const int32_t up = parent[r->label[at]];
            int64_t up_row = r->rows;
            int32_t up_lane = 0;
            if (up >= 0) {
                rct_packing_find(packing, up, &up_row, &up_lane);
                fits = fits && (r->narrow[sheaf] || !r->narrow[rct_rows_sheaf(r, up_row)]);
            }
            hung[(int64_t)sheaf * r->lanes + lane] = (int32_t)(up_row * pose + up_lane);
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

/* Meetings by rows, then by columns. */
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

void rct_row_columns_number(rct_row_columns *out, const rct_column_meeting *all, int32_t count,
                            int32_t *room)
{
    int32_t *order = room;
    sort(all, count, out->rows, room + count, order);
    for (int32_t k = 0; k < count; k++) {
        const rct_column_meeting *m = &all[order[k]];
        const int64_t last = out->numbers - 1;
        if (last < 0 || out->row[last] != m->row || out->column[last] != m->column) {
            out->row[out->numbers] = m->row;
            out->column[out->numbers] = m->column;
            out->source_at[out->numbers++] = k;
        }
        out->source[k] = m->source;
    }
    out->source_at[out->numbers] = count;
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

void rct_row_columns_admit(const rct_row_columns *c)
{
    for (int64_t k = 0; k < c->numbers; k++) {
        double sum = 0.0;
        for (int64_t m = c->source_at[k]; m < c->source_at[k + 1]; m++) {
            sum += c->columns.psi[c->source[m]];
        }
        c->value[k] = sum;
    }
}

void rct_row_columns_apply(const rct_row_columns *c, const double *lambda, double *out)
{
    memset(out, 0, (size_t)c->rows * sizeof *out);
    for (int64_t k = 0; k < c->numbers; k++) {
        out[c->row[k]] += c->value[k] * lambda[c->column[k]];
        out[c->column[k]] += c->column[k] > c->row[k] ? c->value[k] * lambda[c->row[k]] : 0.0;
    }
}

static void sum_places(const rct_row_columns *c, const int32_t *at, const int32_t *place,
                       const double *from, double *out)
{
    for (int32_t i = 0; i < c->rows; i++) {
        out[i] = 0.0;
        for (int32_t k = at[i]; k < at[i + 1]; k++) {
            out[i] += from[place[k]];
        }
    }
}

void rct_row_columns_gap(const rct_row_columns *c, double *accelerations)
{
    sum_places(c, c->of_row_at, c->of_row, c->columns.h, accelerations);
}

void rct_row_columns_terms(const rct_row_columns *c, double *terms)
{
    sum_places(c, c->of_row_at, c->of_row, c->columns.terms, terms);
}

void rct_row_columns_ready(const rct_row_columns *c, double *ready)
{
    sum_places(c, c->of_row_at, c->of_row, c->columns.ready, ready);
}

void rct_row_columns_taken(const rct_row_columns *c, double *accelerations)
{
    sum_places(c, c->taken_at, c->taken, c->columns.taken, accelerations);
}
