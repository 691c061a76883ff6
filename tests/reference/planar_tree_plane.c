/* Random planar trees as bodies of a plane in absolute coordinates (planar_tree.h). */
#include "tests/reference/planar_tree.h"

#include <math.h>
#include <string.h>

/* From the centre of mass, in the body's frame. */
static plane_vector point_of(const planar_tree *tree, int i, const double at[3])
{
    if (i < 0) {
        return (plane_vector){at[0], at[1]};
    }
    const double *c = tree->body[i].com;
    return (plane_vector){(long double)at[0] - c[0], (long double)at[1] - c[1]};
}

static plane_vector hinge_of(const planar_tree *tree, int i)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    return point_of(tree, i, origin);
}

/* x of the prismatic or planar hinge in the parent's frame. */
static plane_vector slide_of(const tree_body *t)
{
    return plane_turn((long double)t->turn + t->along, (plane_vector){1, 0});
}

static void split(const tree_body *t, const double all[3], long double slide[2], long double *angle)
{
    const int planar = t->hinge == RCT_HINGE_PLANAR;
    slide[0] = planar || t->hinge == RCT_HINGE_PRISMATIC ? all[0] : 0.0;
    slide[1] = planar ? all[1] : 0.0;
    *angle = planar ? all[2] : t->hinge == RCT_HINGE_REVOLUTE ? all[0] : 0.0;
}

/* Sets the place and motion of body i from its hinge coordinates. */
static void stand(const planar_tree *tree, plane_system *s, int i)
{
    const tree_body *t = &tree->body[i];
    const plane_body *p = &s->body[t->parent + 1];
    plane_body *own = &s->body[i + 1];
    long double z[2], u[2], angle, rate;
    split(t, t->z, z, &angle);
    split(t, t->u, u, &rate);
    const plane_vector x = plane_turn(p->x[2], slide_of(t)), y = {-x.y, x.x};
    const plane_vector from = plane_place(s, t->parent + 1, point_of(tree, t->parent, t->at));
    const plane_vector P = {from.x + z[0] * x.x + z[1] * y.x, from.y + z[0] * x.y + z[1] * y.y};
    const plane_vector v = {p->v[0] - p->v[2] * (P.y - p->x[1]) + u[0] * x.x + u[1] * y.x,
                            p->v[1] + p->v[2] * (P.x - p->x[0]) + u[0] * x.y + u[1] * y.y};
    own->x[2] = p->x[2] + t->turn + angle;
    own->v[2] = p->v[2] + rate;
    const plane_vector c = plane_turn(own->x[2], (plane_vector){t->com[0], t->com[1]});
    own->x[0] = P.x + c.x;
    own->x[1] = P.y + c.y;
    own->v[0] = v.x - own->v[2] * c.y;
    own->v[1] = v.y + own->v[2] * c.x;
    own->m = t->m;
    own->J = t->J;
    own->f[0] += t->m * tree->gravity[0];
    own->f[1] += t->m * tree->gravity[1];
}

/* The loads of the hinge's springs, and the constraints of the hinge. */
static void hold(const planar_tree *tree, plane_system *s, int i)
{
    const tree_body *t = &tree->body[i];
    const int one = i + 1, other = t->parent + 1;
    double f[3];
    long double push[2], moment;
    for (int j = 0; j < 3; j++) {
        f[j] = t->applied[j] - t->stiffness[j] * (t->z[j] - t->rest[j]) - t->damping[j] * t->u[j];
    }
    split(t, f, push, &moment);
    const plane_vector x = plane_turn(s->body[other].x[2], slide_of(t)), y = {-x.y, x.x};
    const plane_vector force = {push[0] * x.x + push[1] * y.x, push[0] * x.y + push[1] * y.y};
    const plane_vector P = plane_place(s, one, hinge_of(tree, i));
    plane_push(s, one, P, force);
    plane_push(s, other, P, (plane_vector){-force.x, -force.y});
    s->body[one].f[2] += moment;
    s->body[other].f[2] -= s->body[other].given ? 0 : moment;
    plane_constraint c = {.one = one, .other = other, .at = hinge_of(tree, i), .h = slide_of(t)};
    c.other_at = point_of(tree, t->parent, t->at);
    if (t->hinge == RCT_HINGE_REVOLUTE || t->hinge == RCT_HINGE_FIXED) {
        c.type = PLANE_PIN;
        plane_constrain(s, c);
    }
    if (t->hinge == RCT_HINGE_PRISMATIC || t->hinge == RCT_HINGE_FIXED) {
        c.type = PLANE_TURN;
        plane_constrain(s, c);
    }
    if (t->hinge == RCT_HINGE_PRISMATIC) {
        c.type = PLANE_LINE;
        plane_constrain(s, c);
    }
}

static long double height_of(const planar_tree *tree, int i)
{
    long double height = 0;
    for (; i >= 0; i = tree->body[i].parent) {
        height += tree->body[i].at[2];
    }
    return height;
}

static void pull(const planar_tree *tree, plane_system *s, const tree_force *f)
{
    const int one = f->body + 1, other = f->other + 1;
    const plane_vector at = point_of(tree, f->body, f->at);
    const plane_vector P = plane_place(s, one, at), v = plane_velocity(s, one, at);
    if (f->type == RCT_FORCE_WRENCH) {
        const plane_vector force = {f->force[0], f->force[1]};
        plane_push(s, one, P, f->in_body_axes ? plane_turn(s->body[one].x[2], force) : force);
        s->body[one].f[2] += f->moment[2];
        return;
    }
    plane_vector Q = {f->other_at[0], f->other_at[1]}, w = {0, 0};
    if (f->other >= 0) { /* the ground's end is inertial */
        Q = plane_place(s, other, point_of(tree, f->other, f->other_at));
        w = plane_velocity(s, other, point_of(tree, f->other, f->other_at));
    }
    const long double dx = Q.x - P.x, dy = Q.y - P.y;
    const long double dz =
        height_of(tree, f->other) + f->other_at[2] - height_of(tree, f->body) - f->at[2];
    const long double d = sqrtl(dx * dx + dy * dy + dz * dz);
    const long double rate = (dx * (w.x - v.x) + dy * (w.y - v.y)) / d;
    const long double force = (f->stiffness * (d - f->length) + f->damping * rate) / d;
    plane_push(s, one, P, (plane_vector){force * dx, force * dy});
    if (f->other >= 0) {
        plane_push(s, other, Q, (plane_vector){-force * dx, -force * dy});
    }
}

void planar_tree_plane(const planar_tree *tree, plane_system *s)
{
    const long double t = tree->time;
    memset(s, 0, sizeof *s);
    s->bodies = tree->n + 1;
    plane_body *ground = &s->body[0];
    ground->given = 1;
    for (int k = 0; k < 2; k++) {
        const long double v = tree->base_velocity[k], a = tree->base_acceleration[k];
        ground->x[k] = t * (v + a * t / 2);
        ground->v[k] = v + a * t;
        ground->f[k] = a;
    }
    ground->x[2] = t * (tree->base_rate + tree->base_angular_acceleration * t / 2);
    ground->v[2] = tree->base_rate + tree->base_angular_acceleration * t;
    ground->f[2] = tree->base_angular_acceleration;
    for (int i = 0; i < tree->n; i++) {
        stand(tree, s, i);
    }
    for (int i = 0; i < tree->n; i++) {
        hold(tree, s, i);
    }
    for (int k = 0; k < tree->forces; k++) {
        pull(tree, s, &tree->force[k]);
    }
}

plane_vector planar_tree_linear(const planar_tree *tree, const plane_system *s, int i)
{
    return plane_acceleration(s, i + 1, hinge_of(tree, i));
}

/* Relative acceleration of the hinge point in the parent's turning axes. */
void planar_tree_derivatives(const planar_tree *tree, const plane_system *s, int i,
                             long double derivatives[3])
{
    const tree_body *t = &tree->body[i];
    const plane_body *p = &s->body[t->parent + 1];
    const long double *a = s->a[t->parent + 1], w = p->v[2];
    const plane_vector x = plane_turn(p->x[2], slide_of(t)), y = {-x.y, x.x};
    const plane_vector P = plane_place(s, i + 1, hinge_of(tree, i));
    const plane_vector own = planar_tree_linear(tree, s, i);
    const long double rx = P.x - p->x[0], ry = P.y - p->x[1];
    long double u[2], rate;
    split(t, t->u, u, &rate);
    const long double ax =
        own.x - (a[0] - a[2] * ry - w * w * rx) + 2 * w * (u[0] * x.y + u[1] * y.y);
    const long double ay =
        own.y - (a[1] + a[2] * rx - w * w * ry) - 2 * w * (u[0] * x.x + u[1] * y.x);
    const long double turned = s->a[i + 1][2] - a[2];
    derivatives[0] = t->hinge == RCT_HINGE_REVOLUTE ? turned : ax * x.x + ay * x.y;
    derivatives[1] = ax * y.x + ay * y.y;
    derivatives[2] = turned;
}
