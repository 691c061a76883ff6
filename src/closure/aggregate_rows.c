/* Rows of J of an aggregate in relative rates (aggregate.h). */
#include "closure/aggregate.h"

#include "operators/sweep.h"

#include <math.h>
#include <string.h>

/* The body where the ends of a row meet. */
static int32_t meet(const rct_aggregation *a, const rct_aggregate_rates *of, int32_t row)
{
    const rct_closure_rows *rows = of->rows;
    const int32_t first = rows->ends_at[row];
    return rows->ends_at[row + 1] - first == 2
               ? rct_aggregation_meet(a, of->tree, rows->ends[first].body,
                                      rows->ends[first + 1].body)
               : RCT_GROUND;
}

static void touch(int32_t place, int32_t *touched, int32_t *count)
{
    if (touched != NULL) {
        touched[(*count)++] = place;
    }
}

/* Add the elements of a wrench for the rates on the way to the body `until`; returns the size they
 * could have. */
static double take_end(const rct_aggregate_rates *of, const rct_closure_end *end, int32_t until,
                       double *J, int32_t stride, int32_t *touched, int32_t *count)
{
    const rct_operator_tree *tree = of->tree;
    const double pull = operator_length(end->wrench + 3);
    double F[6], turn = operator_length(end->wrench), most = 0.0;
    memcpy(F, end->wrench, sizeof F);
    for (int32_t k = end->body; k != until; k = tree->parent[k]) {
        for (int64_t r = tree->first[k]; r < tree->first[k + 1]; r++) {
            const double *H = tree->H + 6 * r;
            const int32_t place = of->column[r];
            J[(int64_t)place * stride] += rct_dot6(H, F);
            touch(place, touched, count);
            most = fmax(most, of->scale[place] *
                                  (operator_length(H) * turn + operator_length(H + 3) * pull));
        }
        operator_carry(tree, k, F);
        turn += operator_length(lever_of(tree, k)) * pull;
    }
    return most;
}

int64_t rct_aggregation_row_size(const rct_aggregation *a, const rct_aggregate_rates *of,
                                 int32_t row)
{
    const rct_closure_rows *rows = of->rows;
    const rct_operator_tree *tree = of->tree;
    const int32_t until = meet(a, of, row);
    int64_t size = rows->rates_at[row + 1] - rows->rates_at[row];
    for (int32_t k = rows->ends_at[row]; k < rows->ends_at[row + 1]; k++) {
        for (int32_t body = rows->ends[k].body; body != until; body = tree->parent[body]) {
            size += tree->first[body + 1] - tree->first[body];
        }
    }
    return size;
}

double rct_aggregation_row(const rct_aggregation *a, const rct_aggregate_rates *of, int32_t row,
                           double *J, int32_t stride, int32_t *touched, int32_t *count)
{
    const rct_closure_rows *rows = of->rows;
    const int32_t until = meet(a, of, row);
    double most = 0.0;
    if (touched != NULL) {
        *count = 0;
    }
    for (int32_t k = rows->ends_at[row]; k < rows->ends_at[row + 1]; k++) {
        most = fmax(most, take_end(of, &rows->ends[k], until, J, stride, touched, count));
    }
    for (int64_t k = rows->rates_at[row]; k < rows->rates_at[row + 1]; k++) {
        const int32_t place = of->column[rows->rates[k].rate];
        J[(int64_t)place * stride] += rows->rates[k].factor;
        touch(place, touched, count);
        most = fmax(most, of->scale[place] * fabs(rows->rates[k].factor));
    }
    return most;
}
