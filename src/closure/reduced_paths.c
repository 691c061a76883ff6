/* Numbers of the reduced tree in a state (reduced_tree.h): paths between nodes, and wrenches of rows. */
#include "closure/reduced_tree.h"

#include "operators/factor.h"
#include "operators/six.h"
#include "operators/sweep.h"

#include <math.h>
#include <string.h>

/* A path as far as it is walked: component r of the wrench that column c has become is u[r][c]. */
typedef struct walk {
    double u[6][6];
} walk;

/* psi of one hinge on the six columns, and what it adds to Upsilon. With the root of the operators (H u)* D^-1 (H u) is the
 * square of root H u. */
static void cross_hinge(const rct_operator *m, int32_t body, walk *at, rct_reduced_path *p)
{
    const int64_t first = m->tree->first[body];
    const int freedoms = (int)(m->tree->first[body + 1] - first);
    const double *H = m->tree->H + 6 * first, *gain = m->gain + 6 * first;
    const double *root = m->root + 6 * first;
    double e[6][6];
    for (int f = 0; f < freedoms; f++) {
        memset(e[f], 0, sizeof e[f]);
        for (int r = 0; r < 6; r++) {
            if (H[6 * f + r] != 0.0) {
                rct_add6(H[6 * f + r], at->u[r], e[f]);
            }
        }
    }
    for (int f = 0; f < freedoms; f++) {
        double given[6] = {0.0};
        for (int k = 0; k < freedoms; k++) {
            rct_add6(root[6 * f + k], e[k], given);
        }
        for (int r = 0; r < 6; r++) {
            rct_add6(-gain[6 * f + r], e[f], at->u[r]);
            rct_add6(given[r], given, p->Upsilon[r]);
        }
        p->ready =
            fmax(p->ready, rct_dot6(H + 6 * f, H + 6 * f) * rct_dot6(root + 6 * f, root + 6 * f));
    }
}

/* phi: wrenches about the hinge point of the parent; of a ball hinge only the force is left. */
static void shift(const rct_operator_tree *tree, int32_t body, double u[6][6])
{
    const double *l = lever_of(tree, body);
    if (tree->hinge[body] == RCT_HINGE_BALL) {
        memset(u, 0, 3 * sizeof *u);
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        rct_add6(l[j], u[3 + k], u[i]);
        rct_add6(-l[k], u[3 + j], u[i]);
    }
}

rct_reduced_path rct_reduced_walk(const rct_reduced_tree *r, const rct_operator *m,
                                  const rct_reduced_node *node)
{
    const int32_t stop = node->up < 0 ? RCT_GROUND : r->node[node->up].body;
    rct_reduced_path p = {.ready = 0.0};
    walk at = {.u = {{0.0}}};
    for (int c = 0; c < 6; c++) {
        at.u[c][c] = 1.0;
    }
    for (int32_t body = node->body; body != stop; body = m->tree->parent[body]) {
        cross_hinge(m, body, &at, &p);
        if (m->tree->hinge[body] == RCT_HINGE_FREE) {
            return p; /* nothing is left */
        }
        if (m->tree->parent[body] != RCT_GROUND) {
            shift(m->tree, body, at.u);
        }
    }
    for (int c = 0; c < 6; c++) {
        for (int k = 0; k < 6; k++) {
            p.Phi[c][k] = at.u[k][c];
        }
    }
    return p;
}

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

/* Ends of row i from `end` on; how many. */
static int32_t write_ends(rct_reduced_tree *r, const rct_operator_tree *tree,
                          const rct_closure_rows *rows, int32_t i, rct_reduced_end *end)
{
    int32_t count = 0;
    for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
        memcpy(end[count++].wrench, rows->ends[k].wrench, sizeof end->wrench);
    }
    for (int64_t k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++) {
        const int32_t body = r->rate_body[k];
        double *w = end[count++].wrench, moment[3];
        wrench_of_effort(tree, body, rows->rates[k].rate, w);
        rct_scale6(rows->rates[k].factor, w);
        if (tree->parent[body] != RCT_GROUND) {
            double *back = end[count++].wrench;
            rct_cross(lever_of(tree, body), w + 3, moment);
            for (int j = 0; j < 3; j++) {
                back[j] = -w[j] - moment[j];
                back[3 + j] = -w[3 + j];
            }
        }
    }
    return count;
}

void rct_reduced_tree_write(rct_reduced_tree *r, const rct_operator_tree *tree,
                            const rct_closure_rows *rows)
{
    int32_t at = 0;
    for (int32_t k = 0; k < r->entries; k++) {
        memset(r->entry[k].u, 0, sizeof r->entry[k].u);
    }
    for (int32_t i = 0; i < r->rows; i++) {
        at += write_ends(r, tree, rows, i, r->end + at);
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
