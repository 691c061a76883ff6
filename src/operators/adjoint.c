/* The transpose of the derivatives of accelerations (tangent.h): the passes of tangent.c,
 * backward. */
#include "operators/inverse_parts.h"
#include "operators/tangent_parts.h"

#include <string.h>

/* From Y . (the force that the body needs) to its velocity, its acceleration and its turn. A turn
 * of everything together does not change it. */
static void ask(const rct_tangent *t, int32_t body)
{
    const rct_operator_tree *tree = t->op->tree;
    const int64_t at = 6 * (int64_t)body;
    const double *Y = t->op->motion + at, *w = t->V + at;
    double *W = t->by_V + at, *P = t->by_alpha + at, *D = t->op->force + at;
    double felt[6], spin[6] = {w[0], w[1], w[2]}, turned[6] = {0.0}, back[3] = {0.0};
    double momentum[6] = {0.0}, against[3] = {-w[0], -w[1], -w[2]}, of_spin[6] = {0.0};
    memset(P, 0, 6 * sizeof *P);
    memset(W, 0, 6 * sizeof *W);
    memset(D, 0, 6 * sizeof *D);
    operator_felt(t, body, felt);
    operator_add_momentum(tree, body, Y, P);
    operator_add_momentum(tree, body, spin, momentum);
    operator_add_turned(against, Y, turned); /* Y x w */
    operator_add_momentum(tree, body, turned, of_spin);
    memcpy(W, of_spin, 3 * sizeof *W);
    operator_add_turning(momentum, Y, W);
    operator_add_turning(Y, t->own + at, back);
    operator_add_cross(w, W, back);
    operator_add_turning(felt, P, back);
    for (int i = 0; i < 3; i++) {
        D[i] = -back[i];
    }
}

/* The part of a hinge with axes: rows of D and W, and what its rows contribute to what turns them:
 * the body, and `turn` of the parent. */
static void answer_axes(rct_tangent *t, int32_t body, const double w[3], const double lever[3],
                        const double *y, double turn[3])
{
    const rct_operator_tree *tree = t->op->tree;
    const int64_t first = tree->first[body], end = tree->first[body + 1], at = 6 * (int64_t)body;
    const double *u = tree->rates, *F = t->F + at, *P = t->by_alpha + at;
    double *D = t->op->force + at, W[6], against[3] = {-2.0 * w[0], -2.0 * w[1], -2.0 * w[2]};
    memcpy(W, t->by_V + at, sizeof W);
    operator_add_cross(against, P + 3, W + 3);
    for (int i = 0; i < 3; i++) {
        against[i] = -w[i];
    }
    operator_add_cross(against, P, W);
    for (int64_t r = end - 1; r >= first; r--) { /* first the row that turns with the body */
        const double *H = tree->H + 6 * r;
        double row[6] = {0.0}, twist = 0.0;
        rct_add6(y[r], F, row);
        rct_add6(u[r], W, row);
        rct_add6(t->a[r], P, row);
        if (tree->hinge[body] == RCT_HINGE_UNIVERSAL) {
            const double *next = tree->H + 6 * (first + (r == first));
            const double rate = u[first + (r == first)], sign = r == first ? 1.0 : -1.0;
            double across[3];
            rct_cross(next, P, across); /* P . u1 u2 H1 x H2 */
            twist = sign * rate * rct_dot(H, across);
            for (int i = 0; i < 3; i++) {
                row[i] += sign * rate * u[r] * across[i];
            }
        }
        operator_add_turning(H, row, operator_goes_along(tree, body, r) ? D : turn);
        t->du[r] = -rct_dot6(H, W) - twist - t->laws->damping[r] * y[r];
        t->dq[r] = -rct_dot(H + 3, lever) - t->laws->stiffness[r] * y[r];
    }
    for (int64_t r = first; r < end; r++) {
        t->dq[r] -= rct_dot6(tree->H + 6 * r, D);
    }
}

/* Efforts do work along the freedoms of a hinge. */
static void exert(rct_tangent *t, int32_t body, const double *y)
{
    const rct_operator_tree *tree = t->op->tree;
    const double *Y = operator_row(t->op->motion, tree->parent[body]);
    for (int64_t r = tree->first[body]; r < tree->first[body + 1]; r++) {
        t->dtau[r] = y[r] - (tree->hinge[body] == RCT_HINGE_BALL ? Y[r - tree->first[body]] : 0.0);
    }
}

/* From a body to its hinge and to its parent. */
static void answer(rct_tangent *t, int32_t body, const double *y)
{
    const rct_operator_tree *tree = t->op->tree;
    const int64_t at = 6 * (int64_t)body;
    const int32_t up = tree->parent[body];
    const rct_carrier on = rct_operator_carrier(tree, t->V, t->alpha, body);
    const double *l = lever_of(tree, body), *Y = operator_row(t->op->motion, up);
    const double *F = t->F + at, *W = t->by_V + at, *P = t->by_alpha + at, *D = t->op->force + at;
    double lever[3] = {0.0}, turn[3] = {0.0}, spin[3] = {0.0}, carried[3], bent[3] = {0.0};
    operator_add_cross(P + 3, on.V, bent); /* -w x f */
    rct_cross(on.V, l, carried);
    operator_add_cross(carried, P + 3, spin);
    operator_add_cross(l, bent, spin);
    operator_add_cross(F + 3, Y, lever);
    operator_add_cross(W + 3, on.V, lever);
    operator_add_cross(P + 3, on.alpha, lever);
    operator_add_cross(bent, on.V, lever);
    operator_add_cross(l, lever, turn);
    if (is_absolute(tree, body)) {
        for (int64_t r = tree->first[body]; r < tree->first[body + 1]; r++) {
            t->dq[r] = -D[r - tree->first[body]];
            t->du[r] = -W[r - tree->first[body]];
        }
    } else {
        double rate[6] = {0.0}, twice[3];
        operator_add_rates(tree, body, tree->rates, rate);
        operator_add_cross(rate, P, spin);
        rct_cross(rate + 3, P + 3, twice);
        for (int i = 0; i < 3; i++) {
            spin[i] += 2.0 * twice[i];
        }
        answer_axes(t, body, on.V, lever, y, turn);
    }
    operator_pass_among(tree, body, W, 0, t->by_V);
    operator_pass_among(tree, body, P, 0, t->by_alpha);
    operator_pass_among(tree, body, D, 0, t->op->force);
    for (int i = 0; i < 3 && up != RCT_GROUND; i++) {
        t->by_V[6 * (int64_t)up + i] += spin[i];
        t->op->force[6 * (int64_t)up + i] += turn[i];
    }
}

static void give(const double *own, int64_t count, double *out)
{
    if (out != NULL) {
        memcpy(out, own, (size_t)count * sizeof *out);
    }
}

void rct_tangent_transposed(rct_tangent *t, const double *x, const double *z, double *gq,
                            double *gu, double *gtau)
{
    const rct_operator_tree *tree = t->op->tree;
    const int64_t rates = tree->first[tree->n];
    double *y =
        t->dtau; /* until efforts are asked for: from here on Y is the motion of the operators */
    rct_operator_solve(t->op, 1, x, y);
    for (int32_t i = 0; i < tree->n; i++) {
        ask(t, i);
    }
    rct_tangent_gather(t);
    rct_tangent_gather_ties(t);
    rct_tangent_give_forms(t, z);
    for (int32_t k = tree->n - 1; k >= 0; k--) {
        answer(t, t->op->order[k], y);
    }
    for (int32_t i = 0; i < tree->n; i++) {
        exert(t, i, y);
    }
    give(t->dq, rates, gq);
    give(t->du, rates, gu);
    give(t->dtau, rates, gtau);
}
