/* Wrenches of rows at the nodes of the reduced tree (reduced_tree.h) in a state, and the paths
 * between these. */
#include "closure/reduced_tree.h"

#include "closure/front/front.h"

#include "operators/six.h"
#include "operators/tree.h"

#include <string.h>

/* Bring a wrench on a body to the end at its station. */
static void put(const rct_mobility *m, int32_t body, const double wrench[6], rct_reduced_end *end)
{
    memcpy(end->wrench, wrench, sizeof end->wrench);
    if (m->bring != NULL) {
        m->bring(m->context, body, end->wrench);
    }
}

/* Write the ends of row i from `end` on; returns their number. */
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
        double w[6], back[6];
        rct_operator_wrench(tree, body, rows->rates[k].rate, rows->rates[k].factor, w, back);
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
    if (r->front != NULL) {
        rct_front_write_ends(r->front);
    }
}

rct_status rct_reduced_answer(const rct_reduced_tree *r, const rct_mobility *m,
                              const double *lambda, double *J_change, rct_error *error)
{
    double *wrenches;
    const rct_status status = m->wrenches(m->context, &wrenches, error);
    if (status != RCT_OK) {
        return status;
    }
    for (int32_t e = 0; e < r->ends; e++) {
        const rct_reduced_end *end = &r->end[e];
        rct_add6(lambda[end->row], end->wrench, wrenches + 6 * (int64_t)r->node[end->node].station);
    }
    const double *motions = m->respond(m->context);
    memset(J_change, 0, (size_t)r->rows * sizeof *J_change);
    for (int32_t e = 0; e < r->ends; e++) {
        const rct_reduced_end *end = &r->end[e];
        const double *motion = motions + 6 * (int64_t)r->node[end->node].station;
        J_change[end->row] += rct_dot6(end->wrench, motion);
    }
    return RCT_OK;
}

void rct_reduced_walk(rct_reduced_tree *r, const rct_mobility *mobility, int32_t i, double E[6][6],
                      double Upsilon[6][6])
{
    rct_reduced_node *node = &r->node[i];
    const rct_reduced_path to = {E, Upsilon, node->ready};
    mobility->walk(mobility->context, node->station,
                   node->up < 0 ? RCT_GROUND : r->node[node->up].station, &to);
    for (int j = 0; j < 6; j++) {
        node->gives[j] = Upsilon[j][j];
    }
}
