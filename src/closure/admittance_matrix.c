/* Numbers of the matrix that admittance solves with, from the reduced tree. With W of a piece, how its columns make one
 * another move while what the piece hangs on rests, and u_0 of its columns as they come there,
 *
 *     W = sum over its nodes of u* Upsilon u        (seed 001: Lambda = J M^-1 J* by the recursion of .43)
 *
 *     rows     W lambda + u_0* a = -gap             a of the kept node, as are ends right on it
 *     z        W z + u_0* a - a_kept = 0
 *     a        u_0 (lambda, z) - z_kept = 0
 *
 * Without kept nodes it is Lambda.
 *
 * Places and numbers are in the same order. Pieces come by their roots: the upper triangle of W, column after column,
 * then u_0; then ends on kept nodes; then the unit matrices. */
#include "closure/admittance.h"

#include "operators/six.h"

#include <string.h>

/* ---- places ------------------------------------------------------------------------------- */

/* Where the next place goes; row NULL: nowhere, it is counted. */
typedef struct pen {
    int64_t count, *row, *column;
} pen;

static void put(pen *at, int64_t a, int64_t b)
{
    if (at->row != NULL) {
        at->row[at->count] = a < b ? a : b;
        at->column[at->count] = a < b ? b : a;
    }
    at->count++;
}

static void put_piece(pen *at, const rct_reduced_tree *r, const rct_reduced_node *root)
{
    for (int32_t b = root->first; b < root->end; b++) {
        for (int32_t a = root->first; a <= b; a++) {
            put(at, r->entry[a].unknown, r->entry[b].unknown);
        }
    }
    for (int32_t a = root->first; a < root->end && root->up >= 0; a++) {
        for (int32_t j = 0; j < 6; j++) {
            put(at, r->entry[a].unknown, rct_reduced_motion(r, r->node[root->up].kept) + j);
        }
    }
}

int64_t rct_admittance_places(const rct_reduced_tree *r, int64_t *row, int64_t *column)
{
    pen at = {0, row, column};
    for (int32_t i = 0; i < r->nodes; i++) {
        if (rct_reduced_is_root(r, &r->node[i])) {
            put_piece(&at, r, &r->node[i]);
        }
    }
    for (int32_t e = 0; e < r->ends; e++) {
        const int32_t kept = r->node[r->end[e].node].kept;
        for (int32_t j = 0; j < 6 && kept >= 0; j++) {
            put(&at, r->end[e].row, rct_reduced_motion(r, kept) + j);
        }
    }
    for (int32_t k = 0; k < r->kept; k++) {
        for (int32_t j = 0; j < 6; j++) {
            put(&at, rct_reduced_wrench(r, k) + j, rct_reduced_motion(r, k) + j);
        }
    }
    for (int32_t i = 0; i < r->rows; i++) {
        put(&at, i, i);
    }
    return at.count;
}

/* ---- order ---------------------------------------------------------------------------------- */

/* Each kept node is eliminated at once, its wrench by what it is and its motion by what it does: both have -1 there. */
rct_status rct_admittance_order(const rct_reduced_tree *r, const rct_sparse_places *places,
                                rct_pool *pool, int64_t *order, int64_t *equation, rct_error *error)
{
    int64_t *group = rct_pool_take(pool, places->size, sizeof *group, error);
    if (group == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < r->rows; i++) {
        group[i] = equation[i] = i;
    }
    for (int32_t k = 0; k < r->kept; k++) {
        for (int32_t j = 0; j < 6; j++) {
            const int32_t z = rct_reduced_wrench(r, k) + j, a = rct_reduced_motion(r, k) + j;
            group[z] = group[a] = r->rows + k;
            equation[z] = a;
            equation[a] = z;
        }
    }
    return rct_sparse_order(places, group, r->rows + r->kept, order, error);
}

/* ---- numbers ------------------------------------------------------------------------------ */

static void apply(const double A[6][6], const double u[6], double y[6])
{
    memset(y, 0, 6 * sizeof *y);
    for (int c = 0; c < 6; c++) {
        rct_add6(u[c], A[c], y);
    }
}

/* Add u* Upsilon u of a node to W of its piece. */
static void add_admittance(const rct_reduced_tree *r, const rct_reduced_node *node,
                           const rct_reduced_path *path, double *W)
{
    for (int32_t b = node->first; b < node->end; b++) {
        double given[6];
        const int64_t q = r->entry[b].place;
        apply(path->Upsilon, r->entry[b].u, given);
        for (int32_t a = node->first; a <= b; a++) {
            const int64_t p = r->entry[a].place;
            W[p < q ? q * (q + 1) / 2 + p : p * (p + 1) / 2 + q] += rct_dot6(given, r->entry[a].u);
        }
    }
}

/* Columns of a node to the next one inboard, or of a root to u_0. */
static void carry(rct_reduced_tree *r, const rct_reduced_node *node, const rct_reduced_path *path,
                  double *u_0)
{
    for (int32_t k = node->first; k < node->end && node->up >= 0; k++) {
        double u[6];
        apply(path->Phi, r->entry[k].u, u);
        for (int j = 0; j < 6; j++) {
            if (r->entry[k].up >= 0) {
                r->entry[r->entry[k].up].u[j] += u[j];
            } else {
                u_0[6 * (k - node->first) + j] = u[j];
            }
        }
    }
}

/* Where the numbers of each piece begin; how many there are of all. */
static int64_t place_pieces(rct_reduced_tree *r)
{
    int64_t at = 0;
    for (int32_t i = 0; i < r->nodes; i++) { /* roots in the order of their places */
        rct_reduced_node *node = &r->node[i];
        if (rct_reduced_is_root(r, node)) {
            const int64_t m = node->end - node->first;
            node->piece = at;
            at += m * (m + 1) / 2 + (node->up >= 0 ? 6 * m : 0);
        }
    }
    for (int32_t i = r->nodes - 1; i >= 0; i--) {
        if (!rct_reduced_is_root(r, &r->node[i])) {
            r->node[i].piece = r->node[r->node[i].up].piece;
        }
    }
    return at;
}

/* Numbers of pieces; how many. */
static int64_t write_pieces(rct_reduced_tree *r, const rct_mobility *mobility, double *values)
{
    const int64_t count = place_pieces(r);
    memset(values, 0, (size_t)count * sizeof *values);
    for (int32_t i = 0; i < r->nodes; i++) {
        rct_reduced_node *node = &r->node[i];
        const rct_reduced_path path =
            mobility->walk(mobility->context, node->station,
                           node->up < 0 ? RCT_GROUND : r->node[node->up].station);
        const int64_t m = node->end - node->first;
        for (int j = 0; j < 6; j++) {
            node->gives[j] = path.Upsilon[j][j];
        }
        node->ready = path.ready;
        add_admittance(r, node, &path, values + node->piece);
        carry(r, node, &path, values + node->piece + m * (m + 1) / 2);
    }
    return count;
}

void rct_admittance_write(rct_reduced_tree *r, const rct_mobility *mobility, double *values)
{
    int64_t at = write_pieces(r, mobility, values);
    for (int32_t e = 0; e < r->ends; e++) {
        if (r->node[r->end[e].node].kept >= 0) {
            memcpy(values + at, r->end[e].wrench, sizeof r->end[e].wrench);
            at += 6;
        }
    }
    for (int32_t k = 0; k < 6 * r->kept; k++) {
        values[at++] = -1.0;
    }
}
