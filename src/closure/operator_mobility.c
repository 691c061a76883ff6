/* The mobility of a tree by the operators of the host (mobility.h): stations are bodies. */
#include "closure/admittance.h"

#include "operators/six.h"
#include "operators/sweep.h"

#include <math.h>
#include <string.h>

static int slides(const double H[6])
{
    return H[0] == 0.0 && H[1] == 0.0 && H[2] == 0.0;
}

/* The most that rate f gives way to a moment of 1, and to a force of 1 / length: H H* of it by its
 * row of the root of D^-1, displacements as parts of the length; `part` is 1 / length. */
static double gives_most(int freedoms, const double *H, const double root[6], int f, double length,
                         double part)
{
    const double *own = H + 6 * (int64_t)f;
    const double way[6] = {own[0], own[1], own[2], own[3] * part, own[4] * part, own[5] * part};
    const double other = slides(own) ? length : part; /* for rates of the other kind */
    double row[6] = {0.0};
    for (int k = 0; k < freedoms; k++) {
        row[k] = root[k] * (slides(H + 6 * (int64_t)k) == slides(own) ? 1.0 : other);
    }
    return rct_dot6(way, way) * rct_dot6(row, row);
}

/* Take the six columns across one hinge by psi, and add its part to Upsilon. With the root of the
 * operators (H u)* D^-1 (H u) is the square of root H u. */
static void cross_hinge(const rct_operator *m, int32_t body, double length,
                        const rct_reduced_path *p)
{
    const int64_t first = m->tree->first[body];
    const int freedoms = (int)(m->tree->first[body + 1] - first);
    const double *H = m->tree->H + 6 * first, *gain = m->gain + 6 * first;
    const double *root = m->root + 6 * first, part = 1.0 / length;
    double e[6][6];
    for (int f = 0; f < freedoms; f++) {
        memset(e[f], 0, sizeof e[f]);
        for (int r = 0; r < 6; r++) {
            if (H[6 * f + r] != 0.0) {
                rct_add6(H[6 * f + r], p->E[r], e[f]);
            }
        }
    }
    if (operator_is_held(m->tree, body)) { /* only moments of its rotors cross */
        memset(p->E, 0, 3 * sizeof p->E[0]);
    }
    for (int f = 0; f < freedoms; f++) {
        double given[6] = {0.0};
        for (int k = 0; k < freedoms; k++) {
            rct_add6(root[6 * f + k], e[k], given);
        }
        for (int r = 0; r < 6; r++) {
            rct_add6(-gain[6 * f + r], e[f], p->E[r]);
            rct_add6(given[r], given, p->Upsilon[r]);
        }
        const double give = gives_most(freedoms, H, root + 6 * f, f, length, part);
        for (int k = 0; k < 6; k++) {
            p->ready[k] = fmax(p->ready[k], k < 3 ? give : length * length * give);
        }
    }
}

/* phi: wrenches about the hinge point of the parent; across a ball hinge only the force passes. */
static void shift(const rct_operator_tree *tree, int32_t body, double u[6][6])
{
    const double *l = lever_of(tree, body);
    if (operator_loosens(tree, body)) {
        memset(u, 0, 3 * sizeof *u);
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        rct_add6(l[j], u[3 + k], u[i]);
        rct_add6(-l[k], u[3 + j], u[i]);
    }
}

static void walk_bodies(const void *context, int32_t from, int32_t stop, const rct_reduced_path *p)
{
    const rct_closure_problem *problem = &((const rct_admittance *)context)->base.problem;
    const rct_operator *m = problem->operators;
    const double length = rct_closure_length(problem->rows);
    memset(p->E, 0, 6 * sizeof *p->E);
    memset(p->Upsilon, 0, 6 * sizeof *p->Upsilon);
    memset(p->ready, 0, 6 * sizeof *p->ready);
    for (int c = 0; c < 6; c++) {
        p->E[c][c] = 1.0;
    }
    for (int32_t body = from; body != stop; body = m->tree->parent[body]) {
        cross_hinge(m, body, length, p);
        if (m->tree->hinge[body] == RCT_HINGE_FREE) {
            memset(p->E, 0, 6 * sizeof *p->E); /* nothing is left */
            return;
        }
        if (m->tree->parent[body] != RCT_GROUND) {
            shift(m->tree, body, p->E);
        }
    }
}

/* ---- answers ------------------------------------------------------------------------------ */

/* J* lambda: reactions on bodies, and efforts. */
static void give(const rct_closure_rows *rows, const double *lambda, double *reactions,
                 double *effort)
{
    for (int32_t i = 0; i < rows->count; i++) {
        for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
            double *own = reactions + 6 * (int64_t)rows->ends[k].body;
            for (int j = 0; j < 6; j++) {
                own[j] -= rows->ends[k].wrench[j] * lambda[i];
            }
        }
        for (int64_t k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++) {
            effort[rows->rates[k].rate] += rows->rates[k].factor * lambda[i];
        }
    }
}

/* J times motions of bodies and rates. */
static void take(const rct_closure_rows *rows, const double *motion, const double *rates, double *y)
{
    for (int32_t i = 0; i < rows->count; i++) {
        y[i] = 0.0;
        for (int32_t k = rows->ends_at[i]; k < rows->ends_at[i + 1]; k++) {
            y[i] += rct_dot6(rows->ends[k].wrench, motion + 6 * (int64_t)rows->ends[k].body);
        }
        for (int64_t k = rows->rates_at[i]; k < rows->rates_at[i + 1]; k++) {
            y[i] += rows->rates[k].factor * rates[rows->rates[k].rate];
        }
    }
}

static rct_status answer(void *context, const rct_closure_rows *rows, const double *lambda,
                         double *J_change, rct_error *error)
{
    rct_admittance *a = context;
    const rct_operator_tree *tree = a->base.problem.tree;
    (void)error;
    memset(a->effort, 0, (size_t)tree->first[tree->n] * sizeof *a->effort);
    give(rows, lambda, rct_operator_reactions(a->base.problem.operators), a->effort);
    const double *motion = rct_operator_respond(a->base.problem.operators, a->effort, a->change);
    take(rows, motion, a->change, J_change);
    return RCT_OK;
}

static rct_status change_of_answer(void *context, double *change, rct_error *error)
{
    const rct_admittance *a = context;
    const rct_operator_tree *tree = a->base.problem.tree;
    (void)error;
    memcpy(change, a->change, (size_t)tree->first[tree->n] * sizeof *change);
    return RCT_OK;
}

rct_status rct_admittance_take_operators(rct_admittance *a, rct_error *error)
{
    const rct_operator *operators = a->base.problem.operators;
    const rct_operator_tree *tree = operators->tree;
    const int64_t rates = tree->first[tree->n];
    rct_pool *pool = &a->base.pool;
    int32_t *inboard = rct_pool_take(pool, tree->n, sizeof *inboard, error);
    a->effort = rct_pool_take(pool, rates, sizeof *a->effort, error);
    a->change = rct_pool_take(pool, rates, sizeof *a->change, error);
    if (pool->failed) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t b = 0; b < tree->n; b++) {
        inboard[b] = tree->hinge[b] == RCT_HINGE_FREE ? RCT_GROUND : tree->parent[b];
    }
    a->of_operators = (rct_mobility){.context = a,
                                     .stations = tree->n,
                                     .order = operators->order,
                                     .inboard = inboard,
                                     .walk = walk_bodies,
                                     .answer = answer,
                                     .change = change_of_answer};
    return RCT_OK;
}
