/* Absolute coordinates and multipliers in the plane (absolute_plane.h). */
#include "tests/reference/absolute_plane.h"

#include <math.h>
#include <stdlib.h>

plane_vector plane_turn(long double angle, plane_vector v)
{
    const long double c = cosl(angle), s = sinl(angle);
    return (plane_vector){c * v.x - s * v.y, s * v.x + c * v.y};
}

plane_vector plane_place(const plane_system *system, int body, plane_vector at)
{
    const long double *x = system->body[body].x;
    const plane_vector u = plane_turn(x[2], at);
    return (plane_vector){x[0] + u.x, x[1] + u.y};
}

plane_vector plane_velocity(const plane_system *system, int body, plane_vector at)
{
    const long double *v = system->body[body].v;
    const plane_vector u = plane_turn(system->body[body].x[2], at);
    return (plane_vector){v[0] - v[2] * u.y, v[1] + v[2] * u.x};
}

plane_vector plane_acceleration(const plane_system *system, int body, plane_vector at)
{
    const long double *a = system->a[body], w = system->body[body].v[2];
    const plane_vector u = plane_turn(system->body[body].x[2], at);
    return (plane_vector){a[0] - a[2] * u.y - w * w * u.x, a[1] + a[2] * u.x - w * w * u.y};
}

void plane_push(plane_system *system, int body, plane_vector place, plane_vector force)
{
    plane_body *b = &system->body[body];
    if (!b->given) {
        b->f[0] += force.x;
        b->f[1] += force.y;
        b->f[2] += (place.x - b->x[0]) * force.y - (place.y - b->x[1]) * force.x;
    }
}

void plane_constrain(plane_system *system, plane_constraint constraint)
{
    if (system->constraints == PLANE_MOST_CONSTRAINTS) {
        abort();
    }
    system->constraint[system->constraints++] = constraint;
}

typedef struct equations {
    int size;
    long double *a; /* [size][size + 1] */
} equations;

static long double *at(equations *e, int row, int column)
{
    return &e->a[row * (e->size + 1) + column];
}

/* A row of J and its transpose: the point's acceleration along (x, y), moment about the centre. */
static void put(equations *e, const plane_system *system, int row, int body, const long double j[3])
{
    for (int k = 0; k < 3; k++) {
        *at(e, row, 3 * body + k) += j[k];
        if (!system->body[body].given) {
            *at(e, 3 * body + k, row) -= j[k];
        }
    }
}

/* n . (acceleration of the point of `one` - that of `other`) = right */
static void put_points(equations *e, const plane_system *system, int row, const plane_constraint *c,
                       plane_vector n, long double right)
{
    const int ends[2] = {c->one, c->other};
    const plane_vector ats[2] = {c->at, c->other_at};
    for (int k = 0; k < 2; k++) {
        const plane_body *body = &system->body[ends[k]];
        const plane_vector u = plane_turn(body->x[2], ats[k]);
        const long double sign = k == 0 ? 1 : -1;
        const long double j[3] = {sign * n.x, sign * n.y, sign * (n.y * u.x - n.x * u.y)};
        put(e, system, row, ends[k], j);
        right += sign * body->v[2] * body->v[2] * (n.x * u.x + n.y * u.y);
    }
    *at(e, row, e->size) += right;
}

/* The point of `one` relative to that of `other`, seen in the rotating axes of the latter but
 * written in inertial axes: d, and its rate there. */
static void see(const plane_system *system, const plane_constraint *c, plane_vector *d,
                plane_vector *rate)
{
    const plane_vector p = plane_place(system, c->one, c->at);
    const plane_vector o = plane_place(system, c->other, c->other_at);
    const plane_vector pv = plane_velocity(system, c->one, c->at);
    const plane_vector ov = plane_velocity(system, c->other, c->other_at);
    const long double w = system->body[c->other].v[2];
    *d = (plane_vector){p.x - o.x, p.y - o.y};
    *rate = (plane_vector){pv.x - ov.x + w * d->y, pv.y - ov.y - w * d->x};
}

/* n . (acceleration of d in the axes of `other`) = right: the accelerations of the points plus
 * those of rotating axes, alpha x d, - w^2 d, 2 w x rate. */
static void put_relative(equations *e, const plane_system *system, int row,
                         const plane_constraint *c, plane_vector n, long double right)
{
    const long double w = system->body[c->other].v[2];
    plane_vector d, rate;
    see(system, c, &d, &rate);
    right += 2 * w * (n.y * rate.x - n.x * rate.y) - w * w * (n.x * d.x + n.y * d.y);
    put_points(e, system, row, c, n, right);
    const long double j[3] = {0, 0, n.x * d.y - n.y * d.x};
    put(e, system, row, c->other, j);
}

/* r - s(phi): r.. - s' phi.. - s'' phi.^2 = 0 in polar coordinates of d. */
static void put_cam(equations *e, const plane_system *system, int row, const plane_constraint *c)
{
    plane_vector d, rate;
    long double s[3];
    see(system, c, &d, &rate);
    const long double r = hypotl(d.x, d.y);
    const plane_vector out = {d.x / r, d.y / r}, round = {-d.y / r, d.x / r};
    c->outline(atan2l(d.y, d.x) - system->body[c->other].x[2], s);
    const long double r_dot = out.x * rate.x + out.y * rate.y;
    const long double phi_dot = (round.x * rate.x + round.y * rate.y) / r;
    const plane_vector n = {out.x - s[1] / r * round.x, out.y - s[1] / r * round.y};
    put_relative(e, system, row, c, n,
                 s[2] * phi_dot * phi_dot - r * phi_dot * phi_dot - 2 * s[1] * r_dot * phi_dot / r);
}

static void put_line(equations *e, const plane_system *system, int row, const plane_constraint *c)
{
    const plane_vector h = plane_turn(system->body[c->other].x[2], c->h);
    put_relative(e, system, row, c, (plane_vector){-h.y, h.x}, 0);
}

static int rows_of(const plane_constraint *c)
{
    return c->type == PLANE_PIN ? 2 : 1;
}

static void put_constraint(equations *e, const plane_system *system, int row,
                           const plane_constraint *c)
{
    const long double turn[3] = {0, 0, 1}, back[3] = {0, 0, -1};
    switch (c->type) {
    case PLANE_PIN:
        put_points(e, system, row, c, (plane_vector){1, 0}, 0);
        put_points(e, system, row + 1, c, (plane_vector){0, 1}, 0);
        break;
    case PLANE_TURN:
        put(e, system, row, c->one, turn);
        put(e, system, row, c->other, back);
        break;
    case PLANE_LINE: put_line(e, system, row, c); break;
    case PLANE_CAM: put_cam(e, system, row, c); break;
    }
}

/* Gauss-Jordan with partial pivoting; the solution is the last column. */
static int eliminate(equations *e)
{
    for (int p = 0; p < e->size; p++) {
        int best = p;
        for (int i = p + 1; i < e->size; i++) {
            best = fabsl(*at(e, i, p)) > fabsl(*at(e, best, p)) ? i : best;
        }
        if (*at(e, best, p) == 0) {
            return 0;
        }
        for (int k = p; k <= e->size && best != p; k++) {
            const long double keep = *at(e, p, k);
            *at(e, p, k) = *at(e, best, k);
            *at(e, best, k) = keep;
        }
        for (int i = 0; i < e->size; i++) {
            const long double factor = i == p ? 0 : *at(e, i, p) / *at(e, p, p);
            for (int k = p; k <= e->size && factor != 0; k++) {
                *at(e, i, k) -= factor * *at(e, p, k);
            }
        }
    }
    return 1;
}

int plane_solve(plane_system *system)
{
    equations e = {.size = 3 * system->bodies};
    for (int k = 0; k < system->constraints; k++) {
        e.size += rows_of(&system->constraint[k]);
    }
    e.a = calloc((size_t)(e.size * (e.size + 1)), sizeof *e.a);
    if (e.a == NULL) {
        abort();
    }
    int row = 3 * system->bodies;
    for (int k = 0; k < system->constraints; k++) {
        put_constraint(&e, system, row, &system->constraint[k]);
        row += rows_of(&system->constraint[k]);
    }
    for (int i = 0; i < 3 * system->bodies; i++) {
        const plane_body *b = &system->body[i / 3];
        *at(&e, i, i) = b->given ? 1 : i % 3 == 2 ? b->J : b->m;
        *at(&e, i, e.size) = b->f[i % 3];
    }
    const int solved = eliminate(&e);
    for (int i = 0; i < 3 * system->bodies; i++) {
        system->a[i / 3][i % 3] = *at(&e, i, e.size) / *at(&e, i, i);
    }
    free(e.a);
    return solved;
}
