/* Wrenches of rows at the nodes of the reduced tree (reduced_tree.h) in a state. */
#include "closure/reduced_tree.h"

#include "operators/factor.h"
#include "operators/six.h"
#include "operators/sweep.h"

#include <string.h>

/* The least wrench w on the body of a hinge with H w = an effort along one of its freedoms: a column of
 * H* (H H*)^-1, which is the gain of a body of unit inertia. */
static void wrench_of_effort(const rct_operator_tree *tree, int32_t body, int64_t rate, double w[6])
{
    const int64_t first = tree->first[body];
    double unit[36] = {0.0}, gain[36], root[36];
    for (int i = 0; i < 6; i++) {
        unit[7 * i] = 1.0;
    }
    rct_operator_eliminate((int)(tree->first[body + 1] - first), tree->H + 6 * first, NULL, unit,
                           gain, root);
    memcpy(w, gain + 6 * (rate - first), 6 * sizeof *w);
}

/* A wrench on a body, to the end at its station. */
static void put(const rct_mobility *m, int32_t body, const double wrench[6], rct_reduced_end *end)
{
    memcpy(end->wrench, wrench, sizeof end->wrench);
    if (m->bring != NULL) {
        m->bring(m->context, body, end->wrench);
    }
}

/* Ends of row i from `end` on; how many. */
static int32_t write_ends(rct_reduced_tree *r, const rct_mobility *m, const rct_operator_tree *tree,
                          const rct_closure_rows *rows, int32_t i, rct_reduced_end *end)
{
    int32_t count = 0;
    for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
        const rct_closure_end *on = &rows->ends[k];
        if (rct_mobility_station(m, on->body) >= 0) {
            put(m, on->body, on->wrench, &end[count++]);
        }
    }
    for (int64_t k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++) {
        const int32_t body = r->rate_body[k], up = tree->parent[body];
        double w[6], back[6], moment[3];
        wrench_of_effort(tree, body, rows->rates[k].rate, w);
        rct_scale6(rows->rates[k].factor, w);
        rct_cross(lever_of(tree, body), w + 3, moment);
        for (int j = 0; j < 3; j++) {
            back[j] = -w[j] - moment[j];
            back[3 + j] = -w[3 + j];
        }
        put(m, body, w, &end[count++]);
        if (rct_mobility_station(m, up) >= 0) {
            put(m, up, back, &end[count++]);
        }
    }
    return count;
}

void rct_reduced_tree_write(rct_reduced_tree *r, const rct_mobility *m,
                            const rct_operator_tree *tree, const rct_closure_rows *rows)
{
    int32_t at = 0;
    for (int32_t k = 0; k < r->entries; k++) {
        memset(r->entry[k].u, 0, sizeof r->entry[k].u);
    }
    for (int32_t i = 0; i < r->rows; i++) {
        at += write_ends(r, m, tree, rows, i, r->end + at);
    }
    for (int32_t e = 0; e < r->ends; e++) {
        for (int j = 0; j < 6 && r->end[e].entry >= 0; j++) {
            r->entry[r->end[e].entry].u[j] += r->end[e].wrench[j];
        }
    }
    for (int32_t i = 0; i < r->nodes; i++) {
        for (int j = 0; j < 6 && r->node[i].kept >= 0; j++) {
            r->entry[r->node[i].first + j].u[j] = 1.0;
        }
    }
}
