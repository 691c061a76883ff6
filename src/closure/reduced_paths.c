/* Numbers of the reduced tree in a state (reduced_tree.h): paths between nodes, and wrenches of rows. */
#include "closure/reduced_tree.h"

#include "operators/factor.h"
#include "operators/sweep.h"

#include <string.h>

/* psi of one hinge on the six columns, and what it adds to Upsilon. With D = L L*, the cholesky rows of the operators,
 * (H u)* D^-1 (H u) is the square of L^-1 H u. */
static void cross_hinge(const rct_operator *m, int32_t body, rct_reduced_node *node)
{
    const int64_t first = m->tree->first[body];
    const int freedoms = (int)(m->tree->first[body + 1] - first);
    const double *H = m->tree->H + 6 * first, *gain = m->gain + 6 * first;
    const double *L = m->cholesky + 6 * first;
    double given[6][6]; /* [freedom][column] L^-1 H u */
    for (int c = 0; c < 6; c++) {
        double *u = node->Phi[c], e[6];
        for (int f = 0; f < freedoms; f++) {
            e[f] = mixed_along(H + 6 * f, u);
        }
        for (int f = 0; f < freedoms; f++) {
            double rest = e[f];
            for (int k = 0; k < f; k++) {
                rest -= L[6 * f + k] * given[k][c];
            }
            given[f][c] = rest * L[6 * f + f];
            for (int i = 0; i < 6; i++) {
                u[i] -= gain[6 * f + i] * e[f];
            }
        }
    }
    for (int f = 0; f < freedoms; f++) {
        for (int c = 0; c < 6; c++) {
            for (int k = 0; k < 6; k++) {
                node->Upsilon[c][k] += given[f][c] * given[f][k];
            }
        }
    }
}

/* phi: wrenches about the hinge point of the parent; of a ball hinge only the force is left. */
static void shift(const rct_operator_tree *tree, int32_t body, double Phi[6][6])
{
    const int ball = tree->hinge[body] == RCT_HINGE_BALL;
    double l[3], moment[3];
    mixed_lever(tree, body, l);
    for (int c = 0; c < 6; c++) {
        rct_cross(l, Phi[c] + 3, moment);
        for (int i = 0; i < 3; i++) {
            Phi[c][i] = moment[i] + (ball ? 0.0 : Phi[c][i]);
        }
    }
}

static void write_path(const rct_operator *m, const rct_reduced_tree *r, rct_reduced_node *node)
{
    const int32_t stop = node->up < 0 ? RCT_GROUND : r->node[node->up].body;
    memset(node->Upsilon, 0, sizeof node->Upsilon);
    memset(node->Phi, 0, sizeof node->Phi);
    for (int c = 0; c < 6; c++) {
        node->Phi[c][c] = 1.0;
    }
    for (int32_t body = node->body; body != stop; body = m->tree->parent[body]) {
        cross_hinge(m, body, node);
        if (m->tree->hinge[body] == RCT_HINGE_FREE) {
            return; /* nothing is left */
        }
        if (m->tree->parent[body] != RCT_GROUND) {
            shift(m->tree, body, node->Phi);
        }
    }
}

/* The least wrench w on the body of a hinge with H w = an effort along one of its freedoms: a column of
 * H* (H H*)^-1, which is the gain of a body of unit inertia. */
static void wrench_of_effort(const rct_operator_tree *tree, int32_t body, int64_t rate, double w[6])
{
    const int64_t first = tree->first[body];
    double unit[36] = {0.0}, gain[36], cholesky[36];
    for (int i = 0; i < 6; i++) {
        unit[7 * i] = 1.0;
    }
    rct_operator_eliminate((int)(tree->first[body + 1] - first), tree->H + 6 * first, unit, gain,
                           cholesky);
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
        double *w = end[count++].wrench, l[3], moment[3];
        wrench_of_effort(tree, body, rows->rates[k].rate, w);
        for (int j = 0; j < 6; j++) {
            w[j] *= rows->rates[k].factor;
        }
        if (tree->parent[body] != RCT_GROUND) {
            double *back = end[count++].wrench;
            mixed_lever(tree, body, l);
            rct_cross(l, w + 3, moment);
            for (int j = 0; j < 3; j++) {
                back[j] = -w[j] - moment[j];
                back[3 + j] = -w[3 + j];
            }
        }
    }
    return count;
}

void rct_reduced_tree_write(rct_reduced_tree *r, const rct_operator *operators,
                            const rct_closure_rows *rows)
{
    int32_t at = 0;
    for (int32_t i = 0; i < r->nodes; i++) {
        write_path(operators, r, &r->node[i]);
    }
    for (int32_t k = 0; k < r->entries; k++) {
        memset(r->entry[k].u, 0, sizeof r->entry[k].u);
    }
    for (int32_t i = 0; i < r->rows; i++) {
        at += write_ends(r, operators->tree, rows, i, r->end + at);
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
