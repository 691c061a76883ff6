/* Rows of J of an aggregate, in relative rates (embedding.h): what wrenches take from the hinges between where they act and where
 * the ends of their row meet, and what relations take from rates. */
#include "closure/embedding.h"

#include <math.h>
#include <string.h>

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Add what a wrench takes from the rates on the way to the body `until`. How large that could be. */
static double take_end(rct_embedding *e, const rct_closure_end *end, int32_t until, double *J,
                       int32_t *count)
{
    const rct_operator_tree *tree = e->sweep->tree;
    const double pull = length(end->wrench + 3);
    double F[6], turn = length(end->wrench), most = 0.0;
    memcpy(F, end->wrench, sizeof F);
    for (int32_t k = end->body; k != until; k = tree->parent[k]) {
        for (int64_t r = tree->first[k]; r < tree->first[k + 1]; r++) {
            const double *H = tree->H + 6 * r;
            const int32_t column = e->column[r];
            J[column] += rct_dot6(H, F);
            e->touched[(*count)++] = column;
            most = fmax(most, e->scale[column] * (length(H) * turn + length(H + 3) * pull));
        }
        operator_carry(tree, k, F);
        turn += length(lever_of(tree, k)) * pull;
    }
    return most;
}

/* Where the ends of a row meet. */
static int32_t meet(const rct_embedding *e, int32_t row)
{
    const rct_closure_rows *rows = e->base.problem.rows;
    const int32_t first = rows->ends_at[row];
    return rows->ends_at[row + 1] - first == 2
               ? rct_aggregation_meet(e->aggregation, e->sweep->tree, rows->ends[first].body,
                                      rows->ends[first + 1].body)
               : RCT_GROUND;
}

int64_t rct_embed_row_size(const rct_embedding *e, int32_t row)
{
    const rct_closure_rows *rows = e->base.problem.rows;
    const rct_operator_tree *tree = e->sweep->tree;
    const int32_t until = meet(e, row);
    int64_t size = rows->rates_at[row + 1] - rows->rates_at[row];
    for (int32_t k = rows->ends_at[row]; k < rows->ends_at[row + 1]; k++) {
        for (int32_t body = rows->ends[k].body; body != until; body = tree->parent[body]) {
            size += tree->first[body + 1] - tree->first[body];
        }
    }
    return size;
}

double rct_embed_add_row(rct_embedding *e, int32_t row, double *J, int32_t *count)
{
    const rct_closure_rows *rows = e->base.problem.rows;
    const int32_t first = rows->ends_at[row], end = rows->ends_at[row + 1];
    const int32_t until = meet(e, row);
    double most = 0.0;
    *count = 0;
    for (int32_t k = first; k < end; k++) {
        most = fmax(most, take_end(e, &rows->ends[k], until, J, count));
    }
    for (int64_t k = rows->rates_at[row]; k < rows->rates_at[row + 1]; k++) {
        const int32_t column = e->column[rows->rates[k].rate];
        J[column] += rows->rates[k].factor;
        e->touched[(*count)++] = column;
        most = fmax(most, e->scale[column] * fabs(rows->rates[k].factor));
    }
    return most;
}
