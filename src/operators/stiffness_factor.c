/* K - shift M factored, from the tips inward, and solved with (stiffness.h). Blocks D of hinges are
 * divided along their eigenvectors, because D may have any signs. */
#include "operators/factor.h"
#include "operators/stiffness.h"
#include "operators/stiffness_parts.h"
#include "operators/symmetric.h"

#include "core/rotation.h"
#include "model/inertia.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Least pivot relative to its value if S were the same about all axes; smaller pivots are
 * rounding. */
static const double least_pivot = 0x1p-48;

/* The part of that size by which pivots grow in a descent; negative pivots within it are
 * rounding. */
static const double small_pivot = 0x1p-30;

/* A hinge during its elimination. */
typedef struct elimination {
    int freedoms;
    double g[6][6]; /* rows H S + c* */
    double D[6][6]; /* D with its rates as lengths */
    double way[6];  /* lengths per rate: 1, or 1 / length for turns */
    double Q[6][6]; /* columns: eigenvectors of D, as rates */
    double size[6]; /* the size of the numbers that sum up to its diagonal */
} elimination;

static double size_of(const double *S)
{
    return fabs(S[0]) + fabs(S[7]) + fabs(S[14]);
}

/* Row of H of freedom i of a body. */
static void row_of(const rct_operator_tree *tree, int32_t body, int i, double H[6])
{
    memset(H, 0, 6 * sizeof *H);
    if (is_absolute(tree, body)) {
        H[i] = 1.0;
    } else {
        memcpy(H, tree->H + 6 * (tree->first[body] + i), 6 * sizeof *H);
    }
}

/* Balls turn absolutely: the turn of the parent enters only by the coupling. */
static void set_up(const rct_stiffness *k, double shift, int convex, int32_t body, double S[36],
                   elimination *e)
{
    const rct_operator_tree *tree = k->op->tree;
    const int64_t first = tree->first[body];
    const double *rotors = operator_rotors(tree, body);
    const int ball = tree->hinge[body] == RCT_HINGE_BALL;
    double H[6][6];
    memset(e, 0, sizeof *e);
    e->freedoms = (int)(tree->first[body + 1] - first);
    for (int i = 0; i < e->freedoms; i++) {
        const double *c = k->couple + 3 * (first + i);
        row_of(tree, body, i, H[i]);
        e->way[i] = rct_dot(H[i], H[i]) > 0.0 ? 1.0 / k->length : 1.0;
        for (int r = 0; r < 6; r++) {
            rct_add6(H[i][r], S + 6 * r, e->g[i]);
        }
        for (int j = 0; j <= i; j++) {
            e->D[i][j] = e->D[j][i] = rct_dot6(e->g[i], H[j]);
        }
        const double rotor = rotors != NULL ? shift * rotors[i] : 0.0;
        e->D[i][i] += k->slope[first + i] - rotor;
        e->size[i] = rct_dot(H[i], H[i]) * size_of(S) +
                     rct_dot(H[i] + 3, H[i] + 3) * size_of(S + 21) + fabs(k->slope[first + i]) +
                     fabs(rotor);
        for (int j = 0; j < 3; j++) { /* after D, which c does not enter */
            e->g[i][j] = (ball ? 0.0 : e->g[i][j]) + (convex ? 0.0 : c[j]);
        }
    }
    for (int i = 0; i < 3 && ball; i++) {
        for (int j = 0; j < 6; j++) {
            S[6 * i + j] = S[6 * j + i] = 0.0;
        }
    }
    if (tree->hinge[body] == RCT_HINGE_UNIVERSAL && !convex) {
        e->D[0][1] += k->twist[body];
        e->D[1][0] += k->twist[body];
    }
}

/* Diagonalize D. */
static void find_pivots(elimination *e)
{
    for (int i = 0; i < e->freedoms; i++) {
        for (int j = 0; j < e->freedoms; j++) {
            e->D[i][j] *= e->way[i] * e->way[j];
        }
    }
    rct_symmetric_eigen(e->freedoms, e->D, e->Q);
    for (int i = 0; i < e->freedoms; i++) {
        for (int v = 0; v < e->freedoms; v++) {
            e->Q[i][v] *= e->way[i];
        }
    }
}

/* The size of the numbers that sum up to pivot v. */
static double size_along(const elimination *e, int v)
{
    double size = 0.0;
    for (int i = 0; i < e->freedoms; i++) {
        size += e->Q[i][v] * e->Q[i][v] * e->size[i];
    }
    return size;
}

/* A pivot made positive: its size, but no less than `least` [rates] asks for along its
 * eigenvector. */
static double upright(const rct_stiffness *k, int32_t body, const elimination *e, int v,
                      const double *least)
{
    const double *own = least + k->op->tree->first[body];
    double square = e->D[v][v] * e->D[v][v];
    for (int i = 0; i < e->freedoms; i++) {
        const double part = e->Q[i][v] * e->way[i] * own[i];
        square += part * part;
    }
    return sqrt(square) + small_pivot * size_along(e, v);
}

/* S' to S, and D by its eigenvectors, never as D^-1, in which a small pivot would take the digits
 * of the others. With `least` pivots become upright, and those negative by more than rounding are
 * counted. */
static rct_inertia eliminate(rct_stiffness *k, int32_t body, elimination *e, const double *least,
                             double S[36])
{
    const int64_t first = k->op->tree->first[body];
    rct_inertia signs = {0, 0};
    find_pivots(e);
    for (int v = 0; v < e->freedoms; v++) {
        double *w = k->op->gain + 6 * (first + v), *vector = k->op->root + 6 * (first + v);
        const double pivot = least != NULL ? upright(k, body, e, v, least) : e->D[v][v];
        const double size = size_along(e, v);
        memset(w, 0, 6 * sizeof *w);
        for (int i = 0; i < e->freedoms; i++) {
            vector[i] = e->Q[i][v];
            rct_add6(e->Q[i][v], e->g[i], w);
        }
        if (fabs(pivot) <= least_pivot * size) {
            signs.zero++;
            k->pivot[first + v] = 0.0;
            continue;
        }
        signs.negative += e->D[v][v] < (least != NULL ? -small_pivot * size : 0.0);
        k->pivot[first + v] = pivot;
        for (int r = 0; r < 6; r++) {
            rct_add6(-w[r] / pivot, w, S + 6 * (int64_t)r);
        }
    }
    return signs;
}

/* Add -shift times the part of a body in M, and its part in K. */
static void add_body(const rct_stiffness *k, double shift, int32_t body, double S[36])
{
    const rct_operator_tree *tree = k->op->tree;
    const double *J = tree->inertia + 6 * (int64_t)body, *own = k->own + 36 * (int64_t)body;
    const double shifted[6] = {-shift * J[0], -shift * J[1], -shift * J[2],
                               -shift * J[3], -shift * J[4], -shift * J[5]};
    rct_operator_add_body(-shift * tree->mass[body], tree->com + 3 * (int64_t)body, shifted, S);
    for (int i = 0; i < 36; i++) {
        S[i] += own[i];
    }
}

/* Instead of these and of couplings: the part of a body in K, with turns as lengths and its
 * eigenvalues without their signs. */
static void add_convex(const rct_stiffness *k, int32_t body, double S[36])
{
    const double *own = k->own + 36 * (int64_t)body;
    const double L = k->length, turn[6] = {L, L, L, 1.0, 1.0, 1.0};
    double A[6][6], Q[6][6];
    for (int i = 0; i < 36; i++) {
        A[i / 6][i % 6] = own[i] / (turn[i / 6] * turn[i % 6]);
    }
    rct_symmetric_eigen(6, A, Q);
    for (int v = 0; v < 6; v++) {
        for (int i = 0; i < 36; i++) {
            S[i] += fabs(A[v][v]) * (turn[i / 6] * Q[i / 6][v]) * (turn[i % 6] * Q[i % 6][v]);
        }
    }
}

static rct_inertia factor(rct_stiffness *k, double shift, int convex, const double *least)
{
    const rct_operator_tree *tree = k->op->tree;
    rct_inertia all = {0, 0};
    memset(k->op->inertia, 0, (size_t)tree->n * 36 * sizeof *k->op->inertia);
    for (int32_t at = tree->n - 1; at >= 0; at--) {
        const int32_t body = k->op->order[at], up = tree->parent[body];
        double *S = k->op->inertia + 36 * (int64_t)body;
        elimination e;
        if (convex) {
            add_convex(k, body, S);
        } else {
            add_body(k, shift, body, S);
        }
        set_up(k, shift, convex, body, S, &e);
        const rct_inertia signs = eliminate(k, body, &e, least, S);
        all.negative += signs.negative;
        all.zero += signs.zero;
        if (up != RCT_GROUND) {
            rct_operator_pass(0, lever_of(tree, body), S, k->op->inertia + 36 * (int64_t)up);
        }
    }
    return all;
}

rct_inertia rct_stiffness_factor(rct_stiffness *k, double shift)
{
    return factor(k, shift, 0, NULL);
}

int64_t rct_stiffness_factor_upright(rct_stiffness *k, rct_upright upright, const double *least)
{
    return factor(k, 0.0, upright == RCT_UPRIGHT_BODIES, least).negative;
}

/* Inward: y = Q* (x - H z) over the pivots, where z comes from outboard; the parent gets g along
 * the eigenvectors besides. */
static void solve_inward(const rct_stiffness *k, int32_t body, double *y)
{
    const rct_operator_tree *tree = k->op->tree;
    const int64_t first = tree->first[body];
    const int freedoms = (int)(tree->first[body + 1] - first);
    double *own = k->op->force + 6 * (int64_t)body, e[6];
    for (int i = 0; i < freedoms; i++) {
        e[i] = y[first + i] - operator_effort(tree, body, first + i, own);
    }
    if (tree->hinge[body] ==
        RCT_HINGE_BALL) { /* a ball passes on no moment except that of its spring */
        memset(own, 0, 3 * sizeof *own);
    }
    for (int v = 0; v < freedoms; v++) {
        const double pivot = k->pivot[first + v];
        double along = 0.0;
        for (int i = 0; i < freedoms; i++) {
            along += k->op->root[6 * (first + v) + i] * e[i];
        }
        y[first + v] = pivot != 0.0 ? along / pivot : 0.0;
        rct_add6(y[first + v], k->op->gain + 6 * (first + v), own);
    }
    operator_pass(k->op, body, own, 1);
}

/* Outward: Q (y - g times the motion from inboard, over the pivots). */
static void solve_outward(const rct_stiffness *k, int32_t body, double *y)
{
    const rct_operator_tree *tree = k->op->tree;
    const int64_t first = tree->first[body];
    const int freedoms = (int)(tree->first[body + 1] - first);
    double *own = k->op->motion + 6 * (int64_t)body, x[6] = {0.0};
    operator_come(k->op, body, own, 1);
    for (int v = 0; v < freedoms; v++) {
        const double pivot = k->pivot[first + v];
        const double come = rct_dot6(k->op->gain + 6 * (first + v), own);
        const double along = pivot != 0.0 ? y[first + v] - come / pivot : 0.0;
        for (int i = 0; i < freedoms; i++) {
            x[i] += along * k->op->root[6 * (first + v) + i];
        }
    }
    memcpy(y + first, x, (size_t)freedoms * sizeof *x);
    if (tree->hinge[body] == RCT_HINGE_BALL) {
        memset(own, 0, 3 * sizeof *own);
    }
    operator_add_rates(tree, body, y, own);
}

void rct_stiffness_solve(rct_stiffness *k, const double *x, double *y)
{
    const rct_operator_tree *tree = k->op->tree;
    memset(k->op->force, 0, (size_t)tree->n * 6 * sizeof *k->op->force);
    memmove(y, x, (size_t)tree->first[tree->n] * sizeof *y);
    for (int32_t at = tree->n - 1; at >= 0; at--) {
        solve_inward(k, k->op->order[at], y);
    }
    for (int32_t at = 0; at < tree->n; at++) {
        solve_outward(k, k->op->order[at], y);
    }
}

/* ---- how large eigenvalues may be ------------------------------------------------------------ */

/* The least inertia about an axis through the hinge point, or rounding of the largest. */
static double least_inertia(const rct_operator_tree *tree, int64_t body)
{
    const double *J = tree->own_inertia + 6 * body, *c = tree->own_com + 3 * body;
    const double m = tree->mass[body], square = rct_dot(c, c);
    const double about[6] = {J[0] + m * (square - c[0] * c[0]),
                             J[1] + m * (square - c[1] * c[1]),
                             J[2] + m * (square - c[2] * c[2]),
                             J[3] - m * c[0] * c[1],
                             J[4] - m * c[0] * c[2],
                             J[5] - m * c[1] * c[2]};
    double moments[3];
    rct_principal_moments(about, moments);
    return fmax(moments[0], DBL_EPSILON * moments[2]);
}

/* The inertia of a body alone along a freedom of its hinge; for balls and free hinges about the
 * axis with the least. */
static double inertia_along(const rct_operator_tree *tree, int32_t body, int i, const double H[6])
{
    const double *rotors = operator_rotors(tree, body), turn = rct_dot(H, H);
    double momentum[6] = {0.0};
    if (is_absolute(tree, body) && turn > 0.0) {
        return least_inertia(tree, body);
    }
    operator_add_momentum(tree, body, H, momentum);
    return rct_dot6(H, momentum) + (rotors != NULL ? rotors[i] : 0.0);
}

double rct_stiffness_scale(const rct_stiffness *k)
{
    const rct_operator_tree *tree = k->op->tree;
    double most = 0.0;
    for (int64_t b = 0; b < tree->n; b++) {
        const double *S = k->own + 36 * b;
        for (int64_t r = tree->first[b]; r < tree->first[b + 1]; r++) {
            const int i = (int)(r - tree->first[b]);
            const double *c = k->couple + 3 * r;
            double H[6];
            row_of(tree, (int32_t)b, i, H);
            /* rad per rate, of c */
            const double with = rct_dot(H, H) > 0.0 ? 1.0 : 1.0 / k->length;
            const double stiff = rct_dot(H, H) * size_of(S) +
                                 rct_dot(H + 3, H + 3) * size_of(S + 21) + fabs(k->slope[r]) +
                                 with * (fabs(c[0]) + fabs(c[1]) + fabs(c[2]));
            const double inert = inertia_along(tree, (int32_t)b, i, H);
            most = stiff > 0.0 && inert > 0.0 ? fmax(most, stiff / inert) : most;
        }
    }
    return most;
}

double rct_stiffness_unrest(const rct_stiffness *k, const double *gradient, double length)
{
    const rct_operator_tree *tree = k->op->tree;
    double most = 0.0;
    for (int32_t b = 0; b < tree->n; b++) {
        for (int64_t r = tree->first[b]; r < tree->first[b + 1]; r++) {
            const int i = (int)(r - tree->first[b]);
            double H[6];
            row_of(tree, b, i, H);
            const double inert =
                inertia_along(tree, b, i, H) * (rct_dot(H, H) > 0.0 ? 1.0 : length);
            most = inert > 0.0 ? fmax(most, fabs(gradient[r]) / inert) : most;
        }
    }
    return most;
}
