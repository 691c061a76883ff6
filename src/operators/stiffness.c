/* The tangent stiffness of a tree at rest (stiffness.h): its blocks, and its product with
 * columns. */
#include "operators/stiffness.h"

#include "core/memory.h"
#include "model/hinge_types.h"
#include "operators/factor.h"
#include "operators/stiffness_parts.h"

#include <string.h>

rct_stiffness *rct_stiffness_create(rct_operator *op, double length, rct_error *error)
{
    static const char what[] = "the tangent stiffness";
    const int64_t n = op->tree->n, rates = op->tree->first[n], one = sizeof(double);
    rct_stiffness *k = rct_allocate(1, sizeof *k, what, error);
    if (k == NULL) {
        return NULL;
    }
    k->op = op;
    k->length = length;
    k->own = rct_allocate(n, 37 * one, what, error);
    k->couple = k->own != NULL ? rct_allocate(rates, 5 * one, what, error) : NULL;
    if (k->couple == NULL) {
        rct_stiffness_free(k);
        return NULL;
    }
    k->twist = k->own + 36 * n;
    k->slope = k->couple + 3 * rates;
    k->pivot = k->slope + rates;
    return k;
}

void rct_stiffness_free(rct_stiffness *k)
{
    if (k != NULL) {
        rct_release(k->own);
        rct_release(k->couple);
        rct_release(k);
    }
}

/* ---- what acts ------------------------------------------------------------------------------ */

/* The form f . w x (w x r) for a force f that hinges must exert: (f r* + r f*) / 2 - f . r */
static void add_swing(const double f[3], const double r[3], double own[36])
{
    const double along = rct_dot(f, r);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            own[6 * i + j] += 0.5 * (f[i] * r[j] + f[j] * r[i]) - (i == j ? along : 0.0);
        }
    }
}

void rct_stiffness_push(rct_stiffness *k, int32_t body, const double arm[3], const double force[3])
{
    const double against[3] = {-force[0], -force[1], -force[2]};
    double *sum = k->op->force + 6 * (int64_t)body, moment[3];
    rct_cross(arm, against, moment);
    for (int i = 0; i < 3; i++) {
        sum[i] += moment[i];
        sum[3 + i] += against[i];
    }
    add_swing(against, arm, k->own + 36 * (int64_t)body);
}

void rct_stiffness_hold(rct_stiffness *k, int32_t body, const double arm[3], const double C[3][3])
{
    double point[36] = {0.0};
    for (int i = 0; i < 3; i++) {
        memcpy(point + 6 * (3 + i) + 3, C[i], sizeof C[i]);
    }
    rct_operator_pass(0, arm, point, k->own + 36 * (int64_t)body);
}

void rct_stiffness_load(rct_stiffness *k, int32_t body, const double wrench[6])
{
    rct_add6(-1.0, wrench, k->op->force + 6 * (int64_t)body);
}

void rct_stiffness_add(rct_stiffness *k, int32_t body, const double form[36])
{
    for (int i = 0; i < 36; i++) {
        k->own[36 * (int64_t)body + i] += form[i];
    }
}

void rct_stiffness_bend(rct_stiffness *k, int32_t body, const double gradient[3],
                        const double H[3][3])
{
    const rct_operator_tree *tree = k->op->tree;
    const int32_t up = tree->parent[body], ends[2] = {body, up};
    for (int e = 0; e < (up == RCT_GROUND ? 1 : 2); e++) {
        double *own = k->own + 36 * (int64_t)ends[e], *sum = k->op->force + 6 * (int64_t)ends[e];
        for (int i = 0; i < 3; i++) {
            sum[i] += e == 0 ? gradient[i] : -gradient[i];
            for (int j = 0; j < 3; j++) {
                own[6 * i + j] += H[i][j];
            }
        }
    }
    for (int i = 0; i < 3; i++) { /* -H - (gradient x) / 2 */
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        double *c = k->couple + 3 * (tree->first[body] + i);
        c[i] = -H[i][i];
        c[j] = -H[i][j] + 0.5 * gradient[l];
        c[l] = -H[i][l] - 0.5 * gradient[j];
    }
}

void rct_stiffness_begin(rct_stiffness *k)
{
    const rct_operator_tree *tree = k->op->tree;
    memset(k->couple, 0, (size_t)tree->first[tree->n] * 3 * sizeof *k->couple);
    memset(k->own, 0, (size_t)tree->n * 36 * sizeof *k->own);
    memset(k->op->force, 0, (size_t)tree->n * 6 * sizeof *k->op->force);
    for (int32_t i = 0; i < tree->n; i++) {
        const double *g = tree->gravity + 3 * (int64_t)(i % tree->systems);
        const double m = tree->mass[i], weight[3] = {m * g[0], m * g[1], m * g[2]};
        rct_stiffness_push(k, i, tree->com + 3 * (int64_t)i, weight);
    }
}

/* Add the part of the hinge of a body, where F is the force it passes on, to the block of its
 * parent, and c. */
static void add_hinge(rct_stiffness *k, int32_t body, const double F[6])
{
    const rct_operator_tree *tree = k->op->tree;
    const int64_t first = tree->first[body], up = tree->parent[body];
    k->twist[body] = 0.0;
    if (tree->hinge[body] == RCT_HINGE_UNIVERSAL) {
        double axes[3];
        rct_cross(tree->H + 6 * first, tree->H + 6 * (first + 1), axes);
        k->twist[body] = 0.5 * rct_dot(F, axes);
    }
    if (up == RCT_GROUND) {
        return;
    }
    add_swing(F + 3, lever_of(tree, body), k->own + 36 * up);
    for (int64_t r = first; r < tree->first[body + 1] && !is_absolute(tree, body); r++) {
        double turned[3], slid[3];
        rct_cross(tree->H + 6 * r, F, turned);
        rct_cross(tree->H + 6 * r + 3, F + 3, slid);
        for (int i = 0; i < 3; i++) {
            k->couple[3 * r + i] = slid[i] + 0.5 * turned[i];
        }
    }
}

void rct_stiffness_end(rct_stiffness *k, const double *effort, const double *slope,
                       double *gradient)
{
    const rct_operator_tree *tree = k->op->tree;
    const int64_t rates = tree->first[tree->n];
    memcpy(k->slope, slope, (size_t)rates * sizeof *slope);
    for (int32_t at = tree->n - 1; at >= 0; at--) {
        const int32_t body = k->op->order[at];
        const double *F = k->op->force + 6 * (int64_t)body;
        for (int64_t r = tree->first[body]; r < tree->first[body + 1]; r++) {
            gradient[r] = operator_effort(tree, body, r, F) - effort[r];
        }
        add_hinge(k, body, F);
        operator_pass(k->op, body, F, 0);
    }
}

/* ---- products ------------------------------------------------------------------------------- */

/* F = S A of the body alone, at rates x. */
static void move(rct_stiffness *k, int32_t body, const double *x)
{
    double *A = k->op->motion + 6 * (int64_t)body, *F = k->op->force + 6 * (int64_t)body;
    const double *own = k->own + 36 * (int64_t)body;
    operator_come(k->op, body, A, 0);
    operator_add_rates(k->op->tree, body, x, A);
    for (int i = 0; i < 6; i++) {
        F[i] = rct_dot6(own + 6 * (int64_t)i, A);
    }
}

/* Rows of the hinge of a body. */
static void answer(rct_stiffness *k, int32_t body, double *y)
{
    const rct_operator_tree *tree = k->op->tree;
    const int64_t first = tree->first[body], up = tree->parent[body];
    const double *F = k->op->force + 6 * (int64_t)body;
    double x[6];
    memcpy(x, y + first, (size_t)(tree->first[body + 1] - first) * sizeof *x);
    for (int64_t r = first; r < tree->first[body + 1]; r++) {
        const double *c = k->couple + 3 * r;
        y[r] = operator_effort(tree, body, r, F) + k->slope[r] * x[r - first];
        for (int i = 0; i < 3 && up != RCT_GROUND; i++) {
            y[r] += c[i] * k->op->motion[6 * up + i];
            k->op->force[6 * up + i] += c[i] * x[r - first];
        }
    }
    if (tree->hinge[body] == RCT_HINGE_UNIVERSAL) {
        y[first] += k->twist[body] * x[1];
        y[first + 1] += k->twist[body] * x[0];
    }
    operator_pass(k->op, body, F, 0);
}

void rct_stiffness_times(rct_stiffness *k, const double *x, double *y)
{
    const rct_operator_tree *tree = k->op->tree;
    for (int32_t at = 0; at < tree->n; at++) {
        move(k, k->op->order[at], x);
    }
    memmove(y, x, (size_t)tree->first[tree->n] * sizeof *y);
    for (int32_t at = tree->n - 1; at >= 0; at--) {
        answer(k, k->op->order[at], y);
    }
}
