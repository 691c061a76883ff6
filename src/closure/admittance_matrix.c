/* Lambda of pieces and of small trees, from the reduced tree: the upper triangle of each by
 * columns, in the order of their roots:
 *
 *     Lambda = sum over nodes of u* Upsilon u        (seed 001: J M^-1 J* by the recursion of
 * .43) */
#include "closure/admittance.h"

#include "closure/front/front.h"

#include "operators/six.h"

#include <string.h>

int64_t rct_admittance_places(const rct_reduced_tree *r, int64_t *row, int64_t *column)
{
    int64_t count = 0;
    for (int32_t i = 0; i < r->nodes; i++) {
        const rct_reduced_node *root = &r->node[i];
        for (int32_t b = root->first; rct_reduced_is_root(r, root) && b < root->end; b++) {
            for (int32_t a = root->first; a <= b; a++, count++) {
                const int32_t p = r->entry[a].row, q = r->entry[b].row;
                if (row != NULL) {
                    row[count] = p < q ? p : q;
                    column[count] = p < q ? q : p;
                }
            }
        }
    }
    for (int32_t i = 0; i < r->rows; i++, count++) {
        if (row != NULL) {
            row[count] = column[count] = i;
        }
    }
    return count;
}

static void apply(double A[6][6], const double u[6], double y[6])
{
    for (int r = 0; r < 6; r++) {
        y[r] = rct_dot6(A[r], u);
    }
}

/* Add u* Upsilon u of a node to the numbers W of its tree. */
static void add_admittance(const rct_reduced_tree *r, const rct_reduced_node *node,
                           double Upsilon[6][6], double *W)
{
    for (int32_t b = node->first; b < node->end; b++) {
        double given[6];
        const int64_t q = r->entry[b].place;
        apply(Upsilon, r->entry[b].u, given);
        for (int32_t a = node->first; a <= b; a++) {
            const int64_t p = r->entry[a].place;
            W[p < q ? q * (q + 1) / 2 + p : p * (p + 1) / 2 + q] += rct_dot6(given, r->entry[a].u);
        }
    }
}

/* Carry the columns of a node to the next one inboard. */
static void carry(rct_reduced_tree *r, const rct_reduced_node *node, double E[6][6])
{
    for (int32_t k = node->first; k < node->end && node->up >= 0; k++) {
        const rct_reduced_entry *own = &r->entry[k];
        double u[6];
        apply(E, own->u, u);
        rct_add6(1.0, u,
                 own->up >= 0 ? r->entry[own->up].u
                              : rct_front_wrench(r->front, own->touch, own->row));
    }
}

/* Find where the numbers of each root begin; returns the number of all. */
static int64_t place_numbers(rct_reduced_tree *r)
{
    int64_t at = 0;
    for (int32_t i = 0; i < r->nodes; i++) { /* roots in the order of their places */
        const int64_t m = r->node[i].end - r->node[i].first;
        if (rct_reduced_is_root(r, &r->node[i])) {
            r->node[i].numbers = at;
            at += m * (m + 1) / 2;
        }
    }
    for (int32_t i = r->nodes - 1; i >= 0; i--) {
        if (!r->node[i].front && !rct_reduced_is_root(r, &r->node[i])) {
            r->node[i].numbers = r->node[r->node[i].up].numbers;
        }
    }
    return at;
}

typedef struct front_walks {
    rct_reduced_tree *r;
    const rct_mobility *mobility;
} front_walks;

static void walk_front(void *context, int64_t begin, int64_t end)
{
    const front_walks *w = context;
    rct_front *front = w->r->front;
    for (int64_t i = begin; i < end; i++) {
        if (w->r->node[i].front) {
            rct_reduced_walk(w->r, w->mobility, (int32_t)i, front->E[i], front->Upsilon[i]);
        }
    }
}

void rct_admittance_write(rct_reduced_tree *r, const rct_mobility *mobility, double *values)
{
    enum { AT_ONCE = 64 }; /* takes some microseconds */
    memset(values, 0, (size_t)place_numbers(r) * sizeof *values);
    if (r->front != NULL) {
        rct_share_out(mobility->sharing, AT_ONCE, r->nodes, walk_front,
                      &(front_walks){r, mobility});
    }
    for (int32_t i = 0; i < r->nodes; i++) {
        double E[6][6], Upsilon[6][6];
        if (!r->node[i].front) {
            rct_reduced_walk(r, mobility, i, E, Upsilon);
            add_admittance(r, &r->node[i], Upsilon, values + r->node[i].numbers);
            carry(r, &r->node[i], E);
        }
    }
}
