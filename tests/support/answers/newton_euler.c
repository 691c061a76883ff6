/* Newton's and Euler's equations of every body, m a_C = sum of forces and J w. + w x J w = sum of
 * moments about the centre of mass, and the acceleration and spin across every hinge. */
#include "tests/support/answers/newton_euler.h"

#include "tests/support/larger.h"

#include <math.h>
#include <stdlib.h>

typedef struct vec {
    long double x[3];
} vec;

typedef struct mat {
    long double a[3][3];
} mat;

typedef struct placed {
    mat R;
    vec w;      /* angular velocity                                         */
    vec force;  /* sum of forces on the body                                */
    vec moment; /* sum of moments about the centre of mass                  */
    vec scale;  /* x[0]: largest force, x[1]: largest moment               */
} placed;

static vec of(const double *v)
{
    return (vec){{v[0], v[1], v[2]}};
}

static vec cross(vec a, vec b)
{
    return (vec){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                  a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static vec sum(vec a, long double s, vec b)
{
    return (vec){{a.x[0] + s * b.x[0], a.x[1] + s * b.x[1], a.x[2] + s * b.x[2]}};
}

static long double size(vec a)
{
    return larger_l(fabsl(a.x[0]), larger_l(fabsl(a.x[1]), fabsl(a.x[2])));
}

static vec turn(const mat *R, vec v)
{
    vec r = {{0}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            r.x[i] += R->a[i][k] * v.x[k];
        }
    }
    return r;
}

static vec turn_back(const mat *R, vec v)
{
    vec r = {{0}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            r.x[i] += R->a[k][i] * v.x[k];
        }
    }
    return r;
}

/* Columns are the axes turned by the quaternion: v + 2 w (u x v) + 2 u x (u x v). */
static mat rotation(const double *q)
{
    const long double length = sqrtl((long double)q[0] * q[0] + (long double)q[1] * q[1] +
                                     (long double)q[2] * q[2] + (long double)q[3] * q[3]);
    const vec u = {{q[1] / length, q[2] / length, q[3] / length}};
    mat R;
    for (int k = 0; k < 3; k++) {
        vec axis = {{0}};
        axis.x[k] = 1;
        const vec once = cross(u, axis);
        const vec turned = sum(sum(axis, 2 * q[0] / length, once), 2, cross(u, once));
        for (int i = 0; i < 3; i++) {
            R.a[i][k] = turned.x[i];
        }
    }
    return R;
}

static mat product(const mat *a, const mat *b)
{
    mat r = {{{0}}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) {
                r.a[i][j] += a->a[i][k] * b->a[k][j];
            }
        }
    }
    return r;
}

/* Walks up the fixed hinges to a ball hinge or the ground, and collects the rotations. */
static placed place(const rct_model *model, const newton_euler *s, int32_t i)
{
    placed at = {.R = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    rct_body body;
    rct_model_body(model, i, &body, NULL);
    while (body.hinge == RCT_HINGE_FIXED && body.parent != RCT_GROUND) {
        const mat one = rotation(body.hinge_orientation);
        at.R = product(&one, &at.R);
        i = body.parent;
        rct_model_body(model, i, &body, NULL);
    }
    const mat last = rotation(body.hinge == RCT_HINGE_FIXED ? body.hinge_orientation
                              : s->orientation != NULL      ? &s->orientation[4 * (int64_t)i]
                                                            : body.orientation);
    at.R = product(&last, &at.R);
    if (body.hinge != RCT_HINGE_FIXED) {
        at.w = of(s->angular_velocity != NULL ? &s->angular_velocity[3 * (int64_t)i]
                                              : body.angular_velocity);
    }
    return at;
}

static vec accelerate(vec a, vec w_dot, vec w, vec r)
{
    return sum(sum(a, 1, cross(w_dot, r)), 1, cross(w, cross(w, r)));
}

/* A force at `arm` from the centre of mass, and a moment, on a body. */
static void act(placed *at, long double sign, vec force, vec moment, vec arm)
{
    const vec lever = cross(arm, force);
    at->force = sum(at->force, sign, force);
    at->moment = sum(sum(at->moment, sign, moment), sign, lever);
    at->scale.x[0] = larger_l(at->scale.x[0], size(force));
    at->scale.x[1] = larger_l(at->scale.x[1], size(arm) * size(force) + size(moment));
}

/* The hinge of body i acts on both its bodies; returns the violation of its constraints. */
static long double hinge(const rct_model *model, const newton_euler *s, placed *at, int32_t i)
{
    rct_body body, parent;
    double gravity[3];
    rct_model_body(model, i, &body, NULL);
    rct_model_gravity(model, gravity);
    const vec force = of(&s->force[3 * (int64_t)i]);
    const vec moment = of(&s->moment[3 * (int64_t)i]);
    const vec a = of(&s->linear[3 * (int64_t)i]);
    const vec w_dot = of(&s->angular[3 * (int64_t)i]);
    vec ground_a = {{0}}, ground_w_dot = {{0}};
    act(&at[i], 1, force, moment, turn(&at[i].R, sum((vec){{0}}, -1, of(body.com))));
    if (body.parent != RCT_GROUND) {
        const int64_t p = body.parent;
        rct_model_body(model, body.parent, &parent, NULL);
        act(&at[p], -1, force, moment, turn(&at[p].R, sum(of(body.hinge_at), -1, of(parent.com))));
        ground_w_dot = of(&s->angular[3 * p]);
        ground_a = accelerate(of(&s->linear[3 * p]), ground_w_dot, at[p].w,
                              turn(&at[p].R, of(body.hinge_at)));
    }
    const long double w2 = size(at[i].w) * size(at[i].w);
    const long double gap_a =
        size(sum(a, -1, ground_a)) / (1 + size(a) + size(w_dot) + w2 + size(ground_w_dot));
    const long double load = size(force) + body.mass * size(of(gravity)); /* times 1 m */
    const long double gap_w = body.hinge == RCT_HINGE_FIXED
                                  ? size(sum(w_dot, -1, ground_w_dot)) / (1 + size(w_dot))
                                  : size(moment) / (1 + load);
    return larger_l(gap_a, gap_w);
}

static long double body_violation(const rct_model *model, const newton_euler *s, placed *at,
                                  int32_t i)
{
    rct_body body;
    double gravity[3];
    rct_model_body(model, i, &body, NULL);
    rct_model_gravity(model, gravity);
    const double *j = body.inertia;
    const mat J = {{{j[0], j[3], j[4]}, {j[3], j[1], j[5]}, {j[4], j[5], j[2]}}};
    const vec w_dot = of(&s->angular[3 * (int64_t)i]);
    const vec a_C =
        accelerate(of(&s->linear[3 * (int64_t)i]), w_dot, at[i].w, turn(&at[i].R, of(body.com)));
    const vec w = at[i].w;
    const vec Jw = turn(&at[i].R, turn(&J, turn_back(&at[i].R, w)));
    const vec Jw_dot = turn(&at[i].R, turn(&J, turn_back(&at[i].R, w_dot)));
    const vec h_dot = sum(Jw_dot, 1, cross(w, Jw));
    const vec newton = sum(sum(at[i].force, body.mass, of(gravity)), -body.mass, a_C);
    const vec euler = sum(at[i].moment, -1, h_dot);
    const long double weight = body.mass * size(of(gravity));
    const long double f = at[i].scale.x[0] + body.mass * size(a_C) + weight;
    const long double m =
        at[i].scale.x[1] + size(Jw_dot) + size(cross(w, Jw)) + weight * size(of(body.com));
    return larger_l(f == 0 ? 0 : size(newton) / f, m == 0 ? 0 : size(euler) / m);
}

double newton_euler_violation(const rct_model *model, const newton_euler *solution)
{
    const int32_t n = rct_model_body_count(model);
    placed *at = malloc((size_t)n * sizeof *at);
    long double worst = at != NULL ? 0 : INFINITY;
    for (int32_t i = 0; i < n && at != NULL; i++) {
        at[i] = place(model, solution, i);
    }
    for (int32_t i = 0; i < n && at != NULL; i++) {
        const long double gap = hinge(model, solution, at, i);
        worst = larger_l(worst, gap);
    }
    for (int32_t i = 0; i < n && at != NULL; i++) {
        const long double gap = body_violation(model, solution, at, i);
        worst = larger_l(worst, gap);
    }
    free(at);
    return (double)worst;
}
