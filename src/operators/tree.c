/* Sweeps over a tree of any hinges (tree.h). With l from the hinge point of the parent,
 *
 *     phi* V = (w, v + w x l)      phi F = (n + l x f, f)
 *
 * carry motions outward and forces inward. A takes the part of the parent's motion that reaches a
 * body: all of it, for a ball hinge the linear part, for a free hinge nothing. */
#include "operators/tree.h"

#include "core/memory.h"
#include "operators/factor.h"
#include "operators/sweep.h"

#include <string.h>

/* ---- making --------------------------------------------------------------------------------- */

/* Breadth first, over lists of children; the last entry of heads is for the ground. */
static rct_status order_bodies(const rct_operator_tree *tree, int32_t *order, rct_error *error)
{
    const int64_t n = tree->n;
    int32_t *heads = rct_allocate(n + 1, sizeof *heads, "the order of bodies", error);
    int32_t *next = rct_allocate(n, sizeof *next, "the order of bodies", error);
    const rct_status status = heads != NULL && next != NULL ? RCT_OK : RCT_ERROR_MEMORY;
    if (status == RCT_OK) {
        int32_t count = 0, done = -1;
        memset(heads, -1, (size_t)(n + 1) * sizeof *heads);
        for (int32_t i = tree->n - 1; i >= 0; i--) {
            int32_t *head = &heads[tree->parent[i] == RCT_GROUND ? n : tree->parent[i]];
            next[i] = *head;
            *head = i;
        }
        for (; done < count; done++) {
            for (int32_t i = heads[done < 0 ? n : order[done]]; i >= 0; i = next[i]) {
                order[count++] = i;
            }
        }
    }
    rct_release(heads);
    rct_release(next);
    return status;
}

rct_operator *rct_operator_create(const rct_operator_tree *tree, int factored, rct_error *error)
{
    static const char what[] = "operators";
    const int64_t n = tree->n, rates = tree->first[n], one = sizeof(double);
    rct_operator *m = rct_allocate(1, sizeof *m, what, error);
    if (m == NULL) {
        return NULL;
    }
    m->tree = tree;
    m->order = rct_allocate(n, sizeof *m->order, what, error);
    m->motion = rct_allocate(n, 6 * one, what, error);
    m->force = rct_allocate(n, 6 * one, what, error);
    int whole = m->order != NULL && m->motion != NULL && m->force != NULL;
    if (factored && whole) {
        m->inertia = rct_allocate(n, 36 * one, what, error);
        m->gain = rct_allocate(rates, 6 * one, what, error);
        m->root = rct_allocate(rates, 6 * one, what, error);
        whole = m->inertia != NULL && m->gain != NULL && m->root != NULL;
    }
    if (!whole || order_bodies(tree, m->order, error) != RCT_OK) {
        rct_operator_free(m);
        return NULL;
    }
    return m;
}

void rct_operator_free(rct_operator *m)
{
    if (m != NULL) {
        rct_release(m->order);
        rct_release(m->motion);
        rct_release(m->force);
        rct_release(m->inertia);
        rct_release(m->gain);
        rct_release(m->root);
        rct_release(m);
    }
}

/* ---- M, M^-1, J, J* ------------------------------------------------------------------------- */

/* Motions of all bodies at rates x, outward. */
static void sweep_motion(rct_operator *m, const double *x)
{
    for (int32_t k = 0; k < m->tree->n; k++) {
        const int32_t body = m->order[k];
        double *own = m->motion + 6 * (int64_t)body;
        operator_come(m, body, own, 0);
        operator_add_rates(m->tree, body, x, own);
    }
}

/* y = H of the forces, summed inward, plus the part of rotors at rates x, unless NULL. */
static void sweep_force(rct_operator *m, const double *x, double *y)
{
    const rct_operator_tree *tree = m->tree;
    for (int32_t k = tree->n - 1; k >= 0; k--) {
        const int32_t body = m->order[k];
        const double *own = m->force + 6 * (int64_t)body;
        for (int64_t r = tree->first[body]; r < tree->first[body + 1]; r++) {
            const double effort = operator_effort(tree, body, r, own);
            y[r] = x != NULL ? operator_with_rotor(tree, r, x[r], effort) : effort;
        }
        operator_pass(m, body, own, 0);
    }
}

static void no_force(rct_operator *m)
{
    memset(m->force, 0, (size_t)m->tree->n * 6 * sizeof *m->force);
}

void rct_operator_mass(rct_operator *m, int32_t columns, const double *x, double *y)
{
    for (int32_t c = 0; c < columns; c++) {
        const int64_t at = c * m->tree->first[m->tree->n];
        sweep_motion(m, x + at);
        for (int64_t i = 0; i < m->tree->n; i++) {
            memset(m->force + 6 * i, 0, 6 * sizeof *m->force);
            operator_add_momentum(m->tree, (int32_t)i, m->motion + 6 * i, m->force + 6 * i);
        }
        sweep_force(m, x + at, y + at);
    }
}

void rct_operator_velocities(rct_operator *m, int32_t columns, const double *x, double *linear,
                             double *angular)
{
    const int64_t n = m->tree->n;
    for (int32_t c = 0; c < columns; c++) {
        sweep_motion(m, x + c * m->tree->first[n]);
        for (int64_t i = 0; i < n; i++) {
            if (angular != NULL) {
                memcpy(angular + 3 * (c * n + i), m->motion + 6 * i, 3 * sizeof *angular);
            }
            if (linear != NULL) {
                memcpy(linear + 3 * (c * n + i), m->motion + 6 * i + 3, 3 * sizeof *linear);
            }
        }
    }
}

void rct_operator_gather(rct_operator *m, int32_t columns, const double *force,
                         const double *moment, double *y)
{
    const int64_t n = m->tree->n;
    for (int32_t c = 0; c < columns; c++) {
        no_force(m);
        for (int64_t i = 0; i < n; i++) {
            if (moment != NULL) {
                memcpy(m->force + 6 * i, moment + 3 * (c * n + i), 3 * sizeof *moment);
            }
            if (force != NULL) {
                memcpy(m->force + 6 * i + 3, force + 3 * (c * n + i), 3 * sizeof *force);
            }
        }
        sweep_force(m, NULL, y + c * m->tree->first[n]);
    }
}

/* y = root e with e = x - H z, inward: the parent gets phi A* (z + G e). The forces hold z at the
 * beginning. */
static void solve_inward(rct_operator *m, const double *x, double *y)
{
    const rct_operator_tree *tree = m->tree;
    for (int32_t k = tree->n - 1; k >= 0; k--) {
        const int32_t body = m->order[k];
        const int64_t first = tree->first[body], end = tree->first[body + 1];
        double *own = m->force + 6 * (int64_t)body, kept[6];
        memcpy(kept, own, sizeof kept);
        for (int64_t r = first; r < end; r++) {
            y[r] = x[r] - operator_effort(tree, body, r, kept);
            for (int i = 0; i < 6; i++) {
                own[i] += m->gain[6 * r + i] * y[r];
            }
        }
        rct_operator_forward((int)(end - first), m->root + 6 * first, y + first);
        for (int i = 0; operator_is_held(tree, body) && i < 3; i++) {
            own[i] -= kept[i]; /* only moments of rotors cross */
        }
        operator_pass(m, body, own, tree->holds);
    }
}

/* y = root* x - G* A phi* alpha, outward */
static void solve_outward(rct_operator *m, const double *x, double *y)
{
    const rct_operator_tree *tree = m->tree;
    for (int32_t k = 0; k < tree->n; k++) {
        const int32_t body = m->order[k];
        const int64_t first = tree->first[body], end = tree->first[body + 1];
        double *own = m->motion + 6 * (int64_t)body;
        memmove(y + first, x + first, (size_t)(end - first) * sizeof *y);
        rct_operator_back((int)(end - first), m->root + 6 * first, y + first);
        operator_come(m, body, own, tree->holds);
        for (int64_t r = first; r < end; r++) {
            y[r] -= rct_dot6(m->gain + 6 * r, own);
        }
        if (operator_is_held(tree, body)) {
            memset(own, 0, 3 * sizeof *own);
        }
        operator_add_rates(tree, body, y, own);
    }
}

void rct_operator_inward(rct_operator *m, int32_t columns, const double *x, double *y)
{
    for (int32_t c = 0; c < columns; c++) {
        const int64_t at = c * m->tree->first[m->tree->n];
        no_force(m);
        solve_inward(m, x + at, y + at);
    }
}

void rct_operator_outward(rct_operator *m, int32_t columns, const double *x, double *y)
{
    for (int32_t c = 0; c < columns; c++) {
        const int64_t at = c * m->tree->first[m->tree->n];
        solve_outward(m, x + at, y + at);
    }
}

void rct_operator_solve(rct_operator *m, int32_t columns, const double *x, double *y)
{
    rct_operator_inward(m, columns, x, y);
    rct_operator_outward(m, columns, y, y);
}

double *rct_operator_reactions(rct_operator *m)
{
    no_force(m);
    return m->force;
}

const double *rct_operator_respond(rct_operator *m, const double *x, double *y)
{
    solve_inward(m, x, y);
    solve_outward(m, y, y);
    return m->motion;
}

/* The least w with H w = an effort is a column of H* (H H*)^-1, the gain of a body of unit
 * inertia. */
void rct_operator_wrench(const rct_operator_tree *tree, int32_t body, int64_t rate, double effort,
                         double wrench[6], double back[6])
{
    const int64_t first = tree->first[body];
    double unit[36] = {0.0}, gain[36], root[36], moment[3];
    for (int i = 0; i < 6; i++) {
        unit[7 * i] = 1.0;
    }
    rct_operator_eliminate((int)(tree->first[body + 1] - first), tree->H + 6 * first, NULL, unit,
                           gain, root);
    memcpy(wrench, gain + 6 * (rate - first), 6 * sizeof *wrench);
    rct_scale6(effort, wrench);
    rct_cross(lever_of(tree, body), wrench + 3, moment);
    for (int i = 0; i < 3; i++) {
        back[i] = -wrench[i] - moment[i];
        back[3 + i] = -wrench[3 + i];
    }
}
