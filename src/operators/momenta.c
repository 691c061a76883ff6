/* Momenta of the discrete Lagrangian of Moser and Veselov (1991). Over a step of h a body whose
 * centre of mass moves by s and that turns by F has the kinetic energy
 *
 *     m s.s / 2h + tr((1 - F) Jd) / h         Jd = tr(J) / 2 - J
 *
 * and, with the turn as the quaternion (w, v) in inertial axes and J at the start, the momenta
 *
 *     linear = m s / h                         spin = 2 (w J v + v x J v) / h
 *
 * which are the same at the start and at the end of the step. */
#include "operators/sweep.h"
#include "operators/tree.h"

#include <string.h>

/* The scalar of a turn from its vector, for less than half a turn. NaN: no turn has so long a
 * vector. */
static double scalar_of(const double v[3])
{
    return sqrt(1.0 - rct_dot(v, v));
}

/* out += the displacement of x by the turn v, (E - 1) x = 2 v x (w x + v x x) */
static void add_swing(const double v[3], const double x[3], double out[3])
{
    const double w = scalar_of(v);
    double inner[3], swing[3];
    rct_cross(v, x, inner);
    for (int i = 0; i < 3; i++) {
        inner[i] += w * x[i];
    }
    rct_cross(v, inner, swing);
    for (int i = 0; i < 3; i++) {
        out[i] += 2.0 * swing[i];
    }
}

/* v becomes the turn `angle` about `axis`, followed by v. */
static void turn_after(double v[3], const double axis[3], double angle)
{
    const double w = scalar_of(v), c = cos(0.5 * angle), s = sin(0.5 * angle);
    double both[3];
    rct_cross(v, axis, both);
    for (int i = 0; i < 3; i++) {
        v[i] = w * s * axis[i] + c * v[i] + s * both[i];
    }
}

/* The turn by a rotation vector, as sine of half of it. */
static void turn_by(const double vector[3], double v[3])
{
    const double angle = operator_length(vector);
    const double share = angle > 0.0 ? sin(0.5 * angle) / angle : 0.5;
    for (int i = 0; i < 3; i++) {
        v[i] = share * vector[i];
    }
}

/* Add the motion of the hinge of a body to `own`, which begins with the turn of the parent. The
 * hinge turns about its axes in their order, the second of two going with the body, and slides
 * along axes of the parent. */
static void add_hinge(const rct_operator_tree *tree, int32_t body, const double *delta,
                      double own[6])
{
    double slide[3] = {0.0};
    for (int64_t r = tree->first[body]; r < tree->first[body + 1]; r++) {
        for (int i = 0; i < 3; i++) {
            slide[i] += delta[r] * tree->H[6 * r + 3 + i];
        }
    }
    for (int i = 0; i < 3; i++) {
        own[3 + i] += slide[i];
    }
    add_swing(own, slide, own + 3);
    for (int64_t r = tree->first[body]; r < tree->first[body + 1]; r++) {
        if (rct_dot(tree->H + 6 * r, tree->H + 6 * r) > 0.0) {
            turn_after(own, tree->H + 6 * r, delta[r]);
        }
    }
}

/* Write the turn of the body and the displacement of its hinge point to motion. */
static void move(rct_operator *m, int32_t body, const double *delta)
{
    const rct_operator_tree *tree = m->tree;
    const int32_t up = tree->parent[body];
    const double *own_delta = delta + tree->first[body];
    double *own = m->motion + 6 * (int64_t)body;
    memset(own, 0, 6 * sizeof *own);
    if (tree->hinge[body] == RCT_HINGE_FREE) {
        turn_by(own_delta, own);
        memcpy(own + 3, own_delta + 3, 3 * sizeof *own);
        return;
    }
    if (up != RCT_GROUND) {
        memcpy(own, m->motion + 6 * (int64_t)up, 6 * sizeof *own);
        add_swing(own, lever_of(tree, body), own + 3);
    }
    if (tree->hinge[body] == RCT_HINGE_BALL) {
        turn_by(own_delta, own);
    } else {
        add_hinge(tree, body, delta, own);
    }
}

/* (spin, linear) of a body with this motion in a step of h */
static void momentum_of(const rct_operator_tree *tree, int32_t body, const double motion[6],
                        double h, double out[6])
{
    const double *v = motion;
    const double w = scalar_of(v), two = 2.0 / h, rate = tree->mass[body] / h;
    double turned[3], gyration[3], way[3] = {motion[3], motion[4], motion[5]};
    operator_spin(tree, body, v, turned);
    rct_cross(v, turned, gyration);
    add_swing(v, tree->com + 3 * (int64_t)body, way);
    for (int i = 0; i < 3; i++) {
        out[i] = two * (w * turned[i] + gyration[i]);
        out[3 + i] = rate * way[i];
    }
}

void rct_operator_momenta(rct_operator *m, const double *delta, double h, double *momenta)
{
    for (int32_t k = 0; k < m->tree->n; k++) {
        const int32_t body = m->order[k];
        move(m, body, delta);
        momentum_of(m->tree, body, m->motion + 6 * (int64_t)body, h, momenta + 6 * (int64_t)body);
    }
}

void rct_operator_rates_of(rct_operator *m, const double *momenta, const double *delta, double h,
                           double *y)
{
    const rct_operator_tree *tree = m->tree;
    for (int64_t i = 0; i < tree->n; i++) {
        const double *own = momenta + 6 * i;
        double *out = m->force + 6 * i, moment[3];
        rct_cross(tree->com + 3 * i, own + 3, moment);
        for (int k = 0; k < 3; k++) {
            out[k] = -(own[k] + moment[k]);
            out[3 + k] = -own[3 + k];
        }
    }
    for (int64_t r = 0; r < tree->first[tree->n]; r++) {
        y[r] = operator_with_rotor(tree, r, delta[r] / h, 0.0);
    }
    rct_operator_respond(m, y, y);
}
