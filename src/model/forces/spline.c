/* Natural cubic splines (spline.h). */
#include "model/forces/spline.h"

#include "core/memory.h"
#include "core/numbers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What is wrong with row i, given the rows before it; NULL: nothing. */
static const char *row_trouble(const double *table, int columns, int64_t i)
{
    const int width = columns + 1;
    const double *row = table + i * width;
    if (!rct_all_finite(row, width)) {
        return "a number is not finite";
    }
    if (i > 0 && !(row[0] > row[-width])) {
        return "its first number is not larger than that of the row before; first numbers must "
               "increase";
    }
    for (int k = 1; i > 0 && k < width; k++) {
        if (!isfinite((row[k] - row[k - width]) / (row[0] - row[-width]))) {
            return "its numbers differ too much from the row before, whose first number is too "
                   "close; give smaller numbers or rows further apart";
        }
    }
    return NULL;
}

const char *rct_splines_trouble(const double *table, int columns, int64_t rows,
                                char text[RCT_TABLE_TROUBLE])
{
    for (int64_t i = 0; i < rows; i++) {
        const char *trouble = row_trouble(table, columns, i);
        if (trouble != NULL) {
            snprintf(text, RCT_TABLE_TROUBLE, "row %" PRId64 " of its table: %s", i + 1, trouble);
            return text;
        }
    }
    return NULL;
}

/* The tridiagonal system h_i-1 M_i-1 + 2 (h_i-1 + h_i) M_i + h_i M_i+1 = 6 (slope_i - slope_i-1)
 * of column k of the table. */
static void bend(const double *table, int64_t rows, int columns, int k, double *gain, double *bends)
{
    const int width = columns + 1;
    for (int64_t i = 1; i + 1 < rows; i++) {
        const double *at = table + i * width;
        const double before = at[0] - at[-width], after = at[width] - at[0];
        const double slope = (at[k] - at[k - width]) / before,
                     next = (at[k + width] - at[k]) / after;
        const double pivot = 2.0 * (before + after) - (i > 1 ? before * gain[i - 1] : 0.0);
        const double last = i > 1 ? bends[(i - 1) * columns + k - 1] : 0.0;
        gain[i] = after / pivot;
        bends[i * columns + k - 1] = (6.0 * (next - slope) - before * last) / pivot;
    }
    for (int64_t i = rows - 3; i >= 1; i--) {
        double *at = bends + i * columns + k - 1;
        at[0] -= gain[i] * at[columns];
    }
}

int rct_splines_bend(const double *table, int64_t rows, int columns, double *gain, double *bends)
{
    for (int k = 0; k < columns; k++) {
        bends[k] = bends[(rows - 1) * columns + k] = 0.0;
        bend(table, rows, columns, k + 1, gain, bends);
    }
    return rct_all_finite(bends, rows * columns);
}

/* Between rows i and i + 1: x + s (v + s (a / 2 + s j / 6)) at s from row i, h to the next. */
typedef struct piece {
    double s, h, x, v, a, j;
} piece;

static piece piece_at(const rct_splines *p, int64_t i, int k, double t)
{
    const int width = p->columns + 1;
    const double *at = p->table + i * width, *bends = p->bends + i * p->columns + k;
    const double h = at[width] - at[0];
    const double slope = (at[k + 1 + width] - at[k + 1]) / h;
    return (piece){t - at[0], h,
                   at[k + 1], slope - h * (2.0 * bends[0] + bends[p->columns]) / 6.0,
                   bends[0],  (bends[p->columns] - bends[0]) / h};
}

int64_t rct_splines_row(const rct_splines *p, double t)
{
    int64_t low = 0, high = p->rows - 1;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (p->table[middle * (p->columns + 1)] <= t) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* t, limited to the table. */
static double inside(const rct_splines *p, double t)
{
    const double begin = p->table[0], end = p->table[(p->rows - 1) * (p->columns + 1)];
    return isnan(t) ? t : fmin(fmax(t, begin), end);
}

rct_on_spline rct_splines_at(const rct_splines *p, int k, double t)
{
    const double within = inside(p, t);
    const piece c = piece_at(p, rct_splines_row(p, t), k, within);
    rct_on_spline m = {c.x + c.s * (c.v + c.s * (c.a / 2.0 + c.s * c.j / 6.0)),
                       c.v + c.s * (c.a + c.s * c.j / 2.0), c.a + c.s * c.j};
    if (t < within || t > within) { /* beyond its ends a natural spline is straight */
        m.x += m.v * (t - within);
        m.a = 0.0;
    }
    return m;
}

static double area(piece c)
{
    return c.s * (c.x + c.s * (c.v / 2.0 + c.s * (c.a / 6.0 + c.s * c.j / 24.0)));
}

double rct_splines_integral(const rct_splines *p, int k, double t)
{
    const double within = inside(p, t), beyond = t - within;
    const int64_t last = rct_splines_row(p, within);
    double sum = area(piece_at(p, last, k, within));
    for (int64_t i = 0; i < last; i++) {
        sum += area(piece_at(p, i, k, p->table[(i + 1) * (p->columns + 1)]));
    }
    if (beyond != 0.0) {
        const rct_on_spline end = rct_splines_at(p, k, within);
        sum += beyond * (end.x + end.v * beyond / 2.0);
    }
    return sum;
}

double *rct_splines_own(const double *table, int64_t rows, rct_status *status, rct_error *error)
{
    const int64_t one = sizeof(double);
    double *own = rct_allocate(rows, 3 * one, "a table", error);
    double *gain = rct_allocate(rows, one, "a table", error);
    *status = own == NULL || gain == NULL ? RCT_ERROR_MEMORY : RCT_OK;
    if (*status == RCT_OK) {
        memcpy(own, table, 2 * (size_t)rows * sizeof *own);
        *status = rct_splines_bend(own, rows, 1, gain, own + 2 * rows) ? RCT_OK : RCT_ERROR_MODEL;
    }
    rct_release(gain);
    if (*status != RCT_OK) {
        rct_release(own);
        own = NULL;
    }
    return own;
}

rct_on_spline rct_splines_own_at(const double *own, int64_t rows, double t)
{
    const rct_splines splines = {own, own + 2 * rows, rows, 1};
    return rct_splines_at(&splines, 0, t);
}
