/* Rows of J of an aggregate in relative rates (aggregate.h). */
#include "closure/aggregate.h"

#include "operators/sweep.h"

#include <math.h>
#include <string.h>

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* What a wrench takes from the rates on the way to the body `until`, and how large that could be. */
static double take_end(const rct_aggregate_rates *of, const rct_closure_end *end, int32_t until,
                       double *J, int32_t stride)
{
    const rct_operator_tree *tree = of->tree;
    const double pull = length(end->wrench + 3);
    double F[6], turn = length(end->wrench), most = 0.0;
    memcpy(F, end->wrench, sizeof F);
    for (int32_t k = end->body; k != until; k = tree->parent[k]) {
        double moment[3];
        for (int64_t r = tree->first[k]; r < tree->first[k + 1]; r++) {
            const double *H = tree->H + 6 * r;
            J[(int64_t)of->column[r] * stride] += rct_dot6(H, F);
            most = fmax(most, of->scale[of->column[r]] * (length(H) * turn + length(H + 3) * pull));
        }
        rct_cross(lever_of(tree, k), F + 3, moment);
        for (int i = 0; i < 3; i++) {
            F[i] += moment[i];
        }
        turn += length(lever_of(tree, k)) * pull;
    }
    return most;
}

double rct_aggregation_row(const rct_aggregation *a, const rct_aggregate_rates *of, int32_t row,
                           double *J, int32_t stride)
{
    const rct_closure_rows *rows = of->rows;
    const int32_t first = rows->ends_at[row], end = rows->ends_at[row + 1];
    int32_t until = RCT_GROUND;
    double most = 0.0;
    if (end - first == 2) {
        until =
            rct_aggregation_meet(a, of->tree, rows->ends[first].body, rows->ends[first + 1].body);
    }
    for (int32_t k = first; k < end; k++) {
        most = fmax(most, take_end(of, &rows->ends[k], until, J, stride));
    }
    for (int64_t k = rows->rates_at[row]; k < rows->rates_at[row + 1]; k++) {
        const int64_t column = of->column[rows->rates[k].rate];
        J[column * stride] += rows->rates[k].factor;
        most = fmax(most, of->scale[column] * fabs(rows->rates[k].factor));
    }
    return most;
}
