/* Derivatives of accelerations along a direction (tangent.h). */
#include "operators/tangent.h"

#include "core/memory.h"
#include "operators/inverse_parts.h"
#include "operators/tangent_parts.h"

#include <string.h>

/* ---- the state ------------------------------------------------------------------------------ */

/* The passes of inverse dynamics in this state. */
static void look(rct_tangent *t)
{
    rct_operator *op = t->op;
    const rct_operator_tree *tree = op->tree;
    const size_t rows = (size_t)tree->n * 6 * sizeof *t->F;
    for (int32_t k = 0; k < tree->n; k++) {
        rct_operator_move(op, op->order[k], t->a, t->V);
    }
    memcpy(t->alpha, op->motion, rows);
    for (int64_t i = 0; i < tree->n; i++) {
        rct_operator_ask(op, (int32_t)i, t->V + 6 * i, t->own + 6 * i);
    }
    memcpy(t->F, t->own, rows);
    rct_tangent_push(t, t->F);
    rct_tangent_push_ties(t, t->F);
    for (int32_t k = tree->n - 1; k >= 0; k--) {
        const int32_t body = op->order[k];
        operator_pass_among(tree, body, t->F + 6 * (int64_t)body, 0, t->F);
    }
}

rct_tangent *rct_tangent_create(rct_operator *op, const rct_operator_laws *laws, const double *a,
                                rct_error *error)
{
    static const char what[] = "derivatives of accelerations";
    const int64_t n = op->tree->n, rates = op->tree->first[n], one = sizeof(double);
    rct_tangent *t = rct_allocate(1, sizeof *t, what, error);
    if (t == NULL) {
        return NULL;
    }
    t->op = op;
    t->laws = laws;
    t->V = rct_allocate(n, 36 * one, what, error);
    t->a = t->V != NULL ? rct_allocate(rates, 4 * one, what, error) : NULL;
    if (t->a == NULL) {
        rct_tangent_free(t);
        return NULL;
    }
    double **rows[] = {&t->alpha, &t->own, &t->F, &t->by_V, &t->by_alpha};
    for (int k = 0; k < 5; k++) {
        *rows[k] = t->V + 6 * (k + 1) * n;
    }
    t->dq = t->a + rates;
    t->du = t->dq + rates;
    t->dtau = t->du + rates;
    memcpy(t->a, a, (size_t)rates * sizeof *a);
    look(t);
    return t;
}

void rct_tangent_free(rct_tangent *t)
{
    if (t != NULL) {
        rct_release(t->V);
        rct_release(t->a);
        rct_release(t);
    }
}

/* ---- outward -------------------------------------------------------------------------------- */

/* The turn that moves row r of a hinge. */
static const double *turn_of(const rct_tangent *t, int32_t body, int64_t r)
{
    const rct_operator_tree *tree = t->op->tree;
    return operator_row(t->op->motion,
                        operator_goes_along(tree, body, r) ? body : tree->parent[body]);
}

/* out += the change of H* x; x [rates] */
static void add_turned_rows(const rct_tangent *t, int32_t body, const double *x, double out[6])
{
    const rct_operator_tree *tree = t->op->tree;
    for (int64_t r = tree->first[body]; r < tree->first[body + 1]; r++) {
        double row[6] = {0.0};
        operator_add_turned(turn_of(t, body, r), tree->H + 6 * r, row);
        rct_add6(x[r], row, out);
    }
}

/* The parent turns the lever, and slides lengthen it. */
static void change_lever(const rct_tangent *t, int32_t body, double change[3])
{
    const rct_operator_tree *tree = t->op->tree;
    rct_cross(operator_row(t->op->motion, tree->parent[body]), lever_of(tree, body), change);
    for (int64_t r = tree->first[body]; r < tree->first[body + 1] && !is_absolute(tree, body);
         r++) {
        for (int i = 0; i < 3; i++) {
            change[i] += t->dq[r] * tree->H[6 * r + 3 + i];
        }
    }
}

/* The derivative of what the hinge with axes of a body adds to its motion, where the angular
 * velocity of the parent changes by dw. */
static void change_hinge(const rct_tangent *t, int32_t body, const double w[3], const double dw[3],
                         double dV[6], double dalpha[6])
{
    const rct_operator_tree *tree = t->op->tree;
    const double *u = tree->rates;
    const int64_t first = tree->first[body];
    double rate[6] = {0.0}, change[6] = {0.0}, twice[3] = {0.0};
    operator_add_rates(tree, body, u, rate);
    operator_add_rates(tree, body, t->du, change);
    add_turned_rows(t, body, u, change);
    rct_add6(1.0, change, dV);
    operator_add_cross(dw, rate, dalpha);
    operator_add_cross(w, change, dalpha);
    operator_add_cross(dw, rate + 3, twice);
    operator_add_cross(w, change + 3, twice);
    for (int i = 0; i < 3; i++) {
        dalpha[3 + i] += 2.0 * twice[i];
    }
    add_turned_rows(t, body, t->a, dalpha);
    if (tree->hinge[body] == RCT_HINGE_UNIVERSAL) {
        const double *H = tree->H + 6 * first, *v = u + first, *dv = t->du + first;
        double axes[3], turned[3] = {0.0}, one[3], two[3];
        rct_cross(turn_of(t, body, first), H, one);
        rct_cross(turn_of(t, body, first + 1), H + 6, two);
        operator_add_cross(one, H + 6, turned);
        operator_add_cross(H, two, turned);
        rct_cross(H, H + 6, axes);
        for (int i = 0; i < 3; i++) {
            dalpha[i] += v[0] * v[1] * turned[i] + (dv[0] * v[1] + v[0] * dv[1]) * axes[i];
        }
    }
}

/* D of a body, and the changes of its velocity and acceleration. */
static void move(const rct_tangent *t, int32_t body)
{
    const rct_operator_tree *tree = t->op->tree;
    const int32_t up = tree->parent[body];
    const int ball = tree->hinge[body] == RCT_HINGE_BALL;
    const rct_carrier on = rct_operator_carrier(tree, t->V, t->alpha, body);
    const double *l = lever_of(tree, body);
    const double *dV_up = operator_row(t->by_V, up), *dalpha_up = operator_row(t->by_alpha, up);
    double *dV = t->by_V + 6 * (int64_t)body, *dalpha = t->by_alpha + 6 * (int64_t)body;
    double *D = t->op->motion + 6 * (int64_t)body, lever[3], carried[3];
    operator_come(t->op, body, D, 0);
    operator_add_rates(tree, body, t->dq, D);
    change_lever(t, body, lever);
    for (int i = 0; i < 6; i++) {
        dV[i] = ball && i < 3 ? 0.0 : dV_up[i];
        dalpha[i] = ball && i < 3 ? 0.0 : dalpha_up[i];
    }
    double swept[3] = {0.0};
    operator_add_cross(dV_up, l, swept);
    operator_add_cross(on.V, lever, swept);
    rct_cross(on.V, l, carried);
    for (int i = 0; i < 3; i++) {
        dV[3 + i] += swept[i];
    }
    operator_add_cross(dalpha_up, l, dalpha + 3);
    operator_add_cross(on.alpha, lever, dalpha + 3);
    operator_add_cross(dV_up, carried, dalpha + 3);
    operator_add_cross(on.V, swept, dalpha + 3);
    if (is_absolute(tree, body)) {
        operator_add_rates(tree, body, t->du, dV);
    } else {
        change_hinge(t, body, on.V, dV_up, dV, dalpha);
    }
}

/* The force that a body needs turns with it; relative to it, its motion changes by less. */
static void ask(const rct_tangent *t, int32_t body)
{
    const rct_operator_tree *tree = t->op->tree;
    const int64_t at = 6 * (int64_t)body;
    const double *D = t->op->motion + at, *w = t->V + at;
    double back[3] = {-D[0], -D[1], -D[2]}, felt[6], dalpha[6], spin[6] = {w[0], w[1], w[2]};
    double dspin[6] = {t->by_V[at], t->by_V[at + 1], t->by_V[at + 2]};
    double momentum[6] = {0.0}, change[6] = {0.0}, *dF = t->op->force + at;
    memset(dF, 0, 6 * sizeof *dF);
    operator_felt(t, body, felt);
    memcpy(dalpha, t->by_alpha + at, sizeof dalpha);
    operator_add_turned(back, felt, dalpha);
    operator_add_cross(back, w, dspin);
    operator_add_momentum(tree, body, dalpha, dF);
    operator_add_momentum(tree, body, spin, momentum);
    operator_add_momentum(tree, body, dspin, change);
    operator_add_turned(dspin, momentum, dF);
    operator_add_turned(w, change, dF);
    operator_add_turned(D, t->own + at, dF);
}

/* ---- inward --------------------------------------------------------------------------------- */

/* Efforts at balls change by dtau. */
static void exert(const rct_tangent *t, int32_t body)
{
    const rct_operator_tree *tree = t->op->tree;
    const int32_t ends[2] = {body, tree->parent[body]};
    for (int e = 0; e < 2 && tree->hinge[body] == RCT_HINGE_BALL; e++) {
        for (int i = 0; i < 3 && ends[e] != RCT_GROUND; i++) {
            const double effort = t->dtau[tree->first[body] + i];
            t->op->force[6 * (int64_t)ends[e] + i] += e == 0 ? -effort : effort;
        }
    }
}

/* -dR of a hinge, and dF to the parent. */
static void answer(const rct_tangent *t, int32_t body, double *y)
{
    const rct_operator_tree *tree = t->op->tree;
    const int32_t up = tree->parent[body];
    const double *F = t->F + 6 * (int64_t)body, *dF = t->op->force + 6 * (int64_t)body;
    double lever[3];
    for (int64_t r = tree->first[body]; r < tree->first[body + 1]; r++) {
        y[r] = -operator_effort(tree, body, r, dF);
        if (!is_absolute(tree, body)) {
            double row[6] = {0.0};
            operator_add_turned(turn_of(t, body, r), tree->H + 6 * r, row);
            y[r] -= rct_dot6(row, F) + t->laws->stiffness[r] * t->dq[r] +
                    t->laws->damping[r] * t->du[r];
        }
        if (tree->hinge[body] != RCT_HINGE_BALL) {
            y[r] += t->dtau[r];
        }
    }
    operator_pass(t->op, body, dF, 0);
    if (up != RCT_GROUND) {
        change_lever(t, body, lever);
        operator_add_cross(lever, F + 3, t->op->force + 6 * (int64_t)up);
    }
}

static void take(const double *x, int64_t count, double *own)
{
    if (x != NULL) {
        memcpy(own, x, (size_t)count * sizeof *x);
    } else {
        memset(own, 0, (size_t)count * sizeof *own);
    }
}

void rct_tangent_times(rct_tangent *t, const double *dq, const double *du, const double *dtau,
                       double *da, double *change)
{
    const rct_operator_tree *tree = t->op->tree;
    const int64_t rates = tree->first[tree->n];
    take(dq, rates, t->dq);
    take(du, rates, t->du);
    take(dtau, rates, t->dtau);
    for (int32_t k = 0; k < tree->n; k++) {
        move(t, t->op->order[k]);
    }
    for (int32_t i = 0; i < tree->n; i++) {
        ask(t, i);
    }
    rct_tangent_change(t);
    rct_tangent_change_ties(t);
    rct_tangent_take_forms(t, change);
    for (int32_t i = 0; i < tree->n; i++) {
        exert(t, i);
    }
    for (int32_t k = tree->n - 1; k >= 0; k--) {
        answer(t, t->op->order[k], da);
    }
    rct_operator_solve(t->op, 1, da, da);
}
