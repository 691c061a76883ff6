/* Constraints of loops as jets: a quantity with its first and second derivative along the
 * motion. The second derivative is linear in accelerations, so rows are read off at
 * accelerations of 1. */

#include "model/model.h"
#include "reference/lagrange/lagrange.h"

/* The zero quantities, each the product of a pair: d from the point on the other body to that on
 * the body, its axes x y z, those of the other X Y Z. */
static const char *const products[RCT_LOOP_TYPES] = {
    [RCT_LOOP_FIXED] = "dXdYdZzXzYxY",
    [RCT_LOOP_BALL] = "dXdYdZ",
    [RCT_LOOP_REVOLUTE] = "dXdYdZzXzY",
    [RCT_LOOP_PRISMATIC] = "dXdYzXzYxY",
    [RCT_LOOP_UNIVERSAL] = "dXdYdZxZ",
    [RCT_LOOP_CYLINDRICAL] = "dXdYzXzY",
    [RCT_LOOP_PLANAR] = "dZzXzY",
    [RCT_LOOP_DISTANCE] = "",
    [RCT_LOOP_PLANAR_REVOLUTE] = "dXdY",
    [RCT_LOOP_PLANAR_PRISMATIC] = "dYxY",
    [RCT_LOOP_PLANAR_FIXED] = "dXdYxY",
    [RCT_LOOP_SLOT] = "dY",
    [RCT_LOOP_RELATION] = "",
    [RCT_LOOP_CAM] = "",
};

typedef struct jet3 {
    quad3 value, first, second;
} jet3;

/* A body or the ground: its mass centre (the ground: its origin) and its turning. */
typedef struct carrier {
    jet3 centre;
    quad33 R;
    quad3 w, w_dot;
    quad3 com; /* body axes */
} carrier;

static carrier carry(const rct_model *model, const rct_ground *ground, const rct_pose *pose,
                     int32_t body)
{
    const rct_pose *at = rct_pose_of(ground, pose, body);
    carrier c = {.R = at->R, .w = at->omega};
    if (body == RCT_GROUND) {
        c.w_dot = ground->omega_dot;
        c.centre.second = ground->acceleration;
    } else {
        c.com = quad3_of(rct_bodies_at(model->bodies, body)->com);
    }
    const quad3 l = quad33_apply(&c.R, c.com);
    c.centre.value = quad3_add(at->position, l);
    c.centre.first = quad3_add(at->velocity, quad3_cross(c.w, l));
    return c;
}

/* A vector fixed in a body. */
static jet3 turning(const carrier *c, quad3 in_body)
{
    jet3 e = {.value = quad33_apply(&c->R, in_body)};
    e.first = quad3_cross(c->w, e.value);
    e.second = quad3_add(quad3_cross(c->w_dot, e.value), quad3_cross(c->w, e.first));
    return e;
}

static jet3 combine(const jet3 *a, quad factor, const jet3 *b)
{
    return (jet3){quad3_add(a->value, quad3_scale(factor, b->value)),
                  quad3_add(a->first, quad3_scale(factor, b->first)),
                  quad3_add(a->second, quad3_scale(factor, b->second))};
}

static jet3 point_on(const carrier *c, const double at[3])
{
    const jet3 arm = turning(c, quad3_subtract(quad3_of(at), c->com));
    return combine(&c->centre, 1, &arm);
}

/* Axes x y z of the closure in its frame; x is axis2, or any axis perpendicular to z if the type
 * has none. */
static void closure_axes(const rct_loop *loop, quad3 axes[3])
{
    const int has_second = loop->type == RCT_LOOP_UNIVERSAL || loop->type == RCT_LOOP_SLOT ||
                           loop->type == RCT_LOOP_PLANAR_PRISMATIC || loop->type == RCT_LOOP_CAM;
    axes[2] = quad3_unit(quad3_of(loop->axis));
    axes[0] = has_second ? quad3_unit(quad3_of(loop->axis2)) : quad3_across(axes[2]);
    axes[1] = quad3_cross(axes[2], axes[0]);
}

typedef struct sides {
    jet3 d, own[3], other[3];
} sides;

static sides take_sides(const rct_loop *loop, const carrier *own, const carrier *other)
{
    sides s;
    quad3 axes[3];
    const quad33 here = quad33_rotation(loop->orientation),
                 there = quad33_rotation(loop->other_orientation);
    const jet3 to = point_on(own, loop->at), from = point_on(other, loop->other_at);
    closure_axes(loop, axes);
    s.d = combine(&to, -1, &from);
    for (int k = 0; k < 3; k++) {
        s.own[k] = turning(own, quad33_apply(&here, axes[k]));
        s.other[k] = turning(other, quad33_apply(&there, axes[k]));
    }
    return s;
}

static const jet3 *pick(const sides *s, char name)
{
    return name == 'd'                  ? &s->d
           : name >= 'x' && name <= 'z' ? &s->own[name - 'x']
                                        : &s->other[name - 'X'];
}

typedef struct jet {
    quad value, first, second;
} jet;

static jet product(const jet3 *a, const jet3 *b)
{
    return (jet){quad3_dot(a->value, b->value),
                 quad3_dot(a->first, b->value) + quad3_dot(a->value, b->first),
                 quad3_dot(a->second, b->value) + 2 * quad3_dot(a->first, b->first) +
                     quad3_dot(a->value, b->second)};
}

/* |d|.. of two points */
static quad second_of_distance(const sides *s)
{
    const jet square = product(&s->d, &s->d);
    const quad size = quad_root(square.value), speed = square.first / (2 * size);
    return (square.second / 2 - speed * speed) / size;
}

/* (rho - s(z)).. of a cam (seed 003, eqs. B.5, B.6), directly in polar coordinates, the waves of
 * s by products of turns. */
static quad second_of_cam(const rct_loop *loop, const sides *s)
{
    const jet x = product(&s->d, &s->other[0]), y = product(&s->d, &s->other[1]);
    const quad rho = quad_root(x.value * x.value + y.value * y.value);
    const quad out = (x.value * x.first + y.value * y.first) / rho;
    const quad turn = (x.value * y.first - y.value * x.first) / (rho * rho);
    const quad outward = (x.first * x.first + y.first * y.first + x.value * x.second +
                          y.value * y.second - out * out) /
                         rho;
    const quad turning_more =
        (x.value * y.second - y.value * x.second) / (rho * rho) - 2 * out * turn / rho;
    quad once = 0, twice = 0, c = 1, n = 0;
    for (int k = 1; k <= RCT_LOOP_HARMONICS; k++) {
        const quad a = loop->cosine[k - 1], b = loop->sine[k - 1];
        const quad next = (c * x.value - n * y.value) / rho;
        n = (n * x.value + c * y.value) / rho;
        c = next;
        once += k * (b * c - a * n);
        twice -= (quad)k * k * (a * c + b * n);
    }
    return outward - once * turning_more - twice * turn * turn;
}

/* phi'' of all constraints of a closure; returns how many. */
static int seconds(const rct_loop *loop, const carrier *own, const carrier *other, quad *out)
{
    const sides s = take_sides(loop, own, other);
    int count = 0;
    if (loop->type == RCT_LOOP_CAM) {
        out[count++] = second_of_cam(loop, &s);
    } else if (loop->type == RCT_LOOP_DISTANCE) {
        out[count++] = second_of_distance(&s);
    }
    for (const char *pair = products[loop->type]; *pair != '\0'; pair += 2) {
        const jet3 *a = pick(&s, pair[0]), *b = pick(&s, pair[1]); /* (a . b).. */
        out[count++] = quad3_dot(a->second, b->value) + 2 * quad3_dot(a->first, b->first) +
                       quad3_dot(a->value, b->second);
    }
    return count;
}

/* Side 0 is the body, 1 the other. */
static int write_closure(const rct_model *model, const rct_ground *ground, const rct_pose *pose,
                         int32_t number, rct_loop_row *rows)
{
    const rct_loop *loop = &model->loops[number];
    const int32_t body[2] = {loop->body, loop->other};
    carrier on[2] = {carry(model, ground, pose, body[0]), carry(model, ground, pose, body[1])};
    quad rest[RCT_LOOP_MOST_CONSTRAINTS], moved[RCT_LOOP_MOST_CONSTRAINTS];
    const int count = seconds(loop, &on[0], &on[1], rest);
    for (int i = 0; i < count; i++) {
        rows[i] = (rct_loop_row){.loop = number, .rest = rest[i]};
    }
    for (int side = 0; side < 2 && body[side] != RCT_GROUND; side++) {
        for (int k = 0; k < 6; k++) {
            quad *acceleration = k < 3 ? &on[side].centre.second.x[k] : &on[side].w_dot.x[k - 3];
            *acceleration = 1;
            seconds(loop, &on[0], &on[1], moved);
            *acceleration = 0;
            for (int i = 0; i < count; i++) {
                rct_loop_row *row = &rows[i];
                quad3 *part = k < 3 ? &row->r[side] : &row->w[side];
                part->x[k % 3] = moved[i] - rest[i];
                row->body[side] = body[side];
                row->ends = side + 1;
            }
        }
    }
    return count;
}

int64_t rct_loop_row_count(const rct_model *model)
{
    int64_t count = 0;
    for (int32_t i = 0; i < model->loop_count; i++) {
        count += model->loops[i].active ? rct_loop_constraints(model->loops[i].type) : 0;
    }
    return count;
}

void rct_loop_row_write(const rct_model *model, const rct_ground *ground, const rct_pose *pose,
                        rct_loop_row *rows)
{
    for (int32_t i = 0; i < model->loop_count; i++) {
        const rct_loop *loop = &model->loops[i];
        if (loop->active && loop->type == RCT_LOOP_RELATION) {
            *rows++ = (rct_loop_row){.loop = i, .rest = -rct_relation_second(loop, ground->time)};
        } else if (loop->active) {
            rows += write_closure(model, ground, pose, i, rows);
        }
    }
}
