/* The constraints of one closure from the motion of its two frames (riccatree/loop.h). With d from
 * the point P on the other body to the point C on the body, E an axis that the other carries and f
 * one that the body carries, w and v those of the two,
 *
 *     phi = d . E     phi' = v_C . E - v_P . E + w_P . (E x d)
 *     phi = l f . E   phi' = l (w_C - w_P) . (f x E)     l: a length of the system, so that all rows are lengths
 *     phi = (d . d - L^2) / 2 L          phi' = d . d' / L
 *     phi = rho - s(z)                   phi' = g_x x' + g_y y',    g = e - s_z / rho t
 *
 * with x = d . X, y = d . Y of the other, rho = |(x, y)|, z their polar angle, e = (x, y) / rho, t
 * = (-y, x) / rho. phi'' is the same of accelerations (those of the points are a + alpha x arm +
 * w x (w x arm)), and of what turns with the two bodies. */
#ifndef RCT_KERNELS_LAWS_CLOSURE_STEP_H
#define RCT_KERNELS_LAWS_CLOSURE_STEP_H

#include "kernels/lane/spatial.h"
#include "kernels/records/closures.h"

/* A body, or the ground, and a frame on it; inertial axes. Its origin is that of the link, or the
 * hinge point of the body: where motions and wrenches are taken. */
typedef struct closure_side {
    mat3 turn;        /* of the link to inertial axes                                        */
    vec3 root, rest;  /* m, the origin of the link, and what rounding has left out of it     */
    vec3 reach;       /* m, from there to the frame                                          */
    vec3 arm;         /* m, from the origin of the side to the frame                         */
    vec3 lever;       /* m, from there to C (closure_meet)                                   */
    vec3 axes[3];     /* X, Y, Z of the closure on this side                                 */
    vec3 w;           /* rad/s                                                               */
    vec3 origin;      /* m/s, of the origin of the side                                      */
    vec3 velocity;    /* m/s, of the frame                                                   */
    vec3 centripetal; /* m/s^2, w x (w x arm)                                                */
    /* m/s^2, rad/s^2: what is known of the acceleration of that origin, and of the body */
    vec3 linear, angular;
} closure_side;

/* Velocity and centripetal acceleration of the frame of a side that turns and whose origin moves. */
LANE_INLINE void closure_move(closure_side *s)
{
    const vec3 turning = vec3_cross(s->w, s->arm);
    s->velocity = vec3_add(s->origin, turning);
    s->centripetal = vec3_cross(s->w, turning);
}

/* One constraint: of a place, what pushes the body at C, and the other back there; of a direction,
 * what turns the body, and the other back. Inertial axes. `bias`: the part of phi'' that does not
 * come from the accelerations of the two. */
typedef struct closure_row {
    int turns; /* whether it is of a direction */
    vec3 push;
    real phi, bias;
} closure_row;

LANE_INLINE vec3 closure_force(const closure_row *row)
{
    return row->turns ? vec3_zero() : row->push;
}

/* The moment on the body about its origin; what turns back the other is that of its lever. */
LANE_INLINE vec3 closure_moment(const closure_row *row, vec3 lever)
{
    return row->turns ? row->push : vec3_cross(lever, row->push);
}

/* What a row takes from the linear motions of the two origins, and from the angular motions of
 * the two: from velocities phi', from accelerations their part of phi''. */
LANE_INLINE real closure_slide(const closure_row *row, vec3 own, vec3 other)
{
    return row->turns ? lane_set(0.0) : vec3_dot(row->push, vec3_sub(own, other));
}

LANE_INLINE real closure_turn(const closure_row *row, const closure_side *own,
                              const closure_side *other, vec3 angular, vec3 other_angular)
{
    return row->turns ? vec3_dot(row->push, vec3_sub(angular, other_angular))
                      : vec3_dot(closure_moment(row, own->lever), angular) -
                            vec3_dot(closure_moment(row, other->lever), other_angular);
}

typedef struct closure_pair {
    const closure_side *p, *c;
    vec3 d, speed;
    vec3 drift; /* m/s^2, d'' as the other sees it, without the accelerations of the two */
} closure_pair;

/* d . E */
LANE_INLINE void closure_along(const closure_pair *at, vec3 E, closure_row *row)
{
    *row = (closure_row){0, E, vec3_dot(at->d, E), vec3_dot(at->drift, E)};
}

/* f . E, times a length */
LANE_INLINE void closure_across(const closure_pair *at, vec3 own, vec3 E, real length,
                                closure_row *row)
{
    const closure_side *p = at->p, *c = at->c;
    const vec3 f = vec3_scale(length, own);
    const vec3 other_turn = vec3_cross(p->w, E), own_turn = vec3_cross(c->w, f);
    row->turns = 1;
    row->push = vec3_cross(f, E);
    row->phi = vec3_dot(f, E);
    row->bias = vec3_dot(E, vec3_cross(c->w, own_turn)) +
                vec3_dot(f, vec3_cross(p->w, other_turn)) +
                lane_set(2.0) * vec3_dot(other_turn, own_turn);
}

/* |d| - length. Points that coincide have no direction, and are held in none. */
LANE_INLINE void closure_apart(const closure_pair *at, real length, closure_row *row)
{
    const real zero = lane_set(0.0), size = lane_sqrt(vec3_dot(at->d, at->d));
    const real inverse = lane_select(lane_greater(size, zero), lane_reciprocal(size), zero);
    const vec3 e = vec3_scale(inverse, at->d);
    const real speed = vec3_dot(e, at->speed);
    row->turns = 0;
    row->push = e;
    row->phi = size - length;
    row->bias = vec3_dot(e, at->c->centripetal) - vec3_dot(e, at->p->centripetal) +
                inverse * (vec3_dot(at->speed, at->speed) - speed * speed);
}

/* s and its first and second derivative at the angle with this cosine and sine: polynomials in
 * both, one multiple of the angle after the other. */
LANE_INLINE void closure_outline(real radius, const double *harmonic, real cosine, real sine,
                                 real s[3])
{
    real c = cosine, n = sine;
    s[0] = radius;
    s[1] = s[2] = lane_set(0.0);
    for (int k = 0; k < CLOSURE_HARMONICS; k++) {
        const real a = lane_load(harmonic + (int64_t)(2 * k) * LANE_WIDTH);
        const real b = lane_load(harmonic + (int64_t)(2 * k + 1) * LANE_WIDTH);
        const real order = lane_set((double)(k + 1)), wave = a * c + b * n;
        s[0] = s[0] + wave;
        s[1] = s[1] + order * (b * c - a * n);
        s[2] = s[2] - order * order * wave;
        const real next = c * cosine - n * sine;
        n = n * cosine + c * sine;
        c = next;
    }
}

/* rho - s(z), a function of x and y, from their rows; the last terms are those of x'^2, x' y' and
 * y'^2. */
LANE_INLINE void closure_around(const closure_pair *at, real radius, const double *harmonic,
                                closure_row *row)
{
    const vec3 X = at->p->axes[0], Y = at->p->axes[1];
    closure_row one, other;
    closure_along(at, X, &one);
    closure_along(at, Y, &other);
    const real rho = lane_sqrt(one.phi * one.phi + other.phi * other.phi);
    const real c = lane_quotient(one.phi, rho), n = lane_quotient(other.phi, rho);
    real s[3];
    closure_outline(radius, harmonic, c, n, s);
    const real bend = lane_quotient(s[1], rho);
    const real gx = c + bend * n, gy = n - bend * c;
    const real vx = vec3_dot(at->speed, X) + vec3_dot(at->d, vec3_cross(at->p->w, X));
    const real vy = vec3_dot(at->speed, Y) + vec3_dot(at->d, vec3_cross(at->p->w, Y));
    const real out = c * vx + n * vy, turn = lane_quotient(c * vy - n * vx, rho);
    row->turns = 0;
    row->push = vec3_add(vec3_scale(gx, one.push), vec3_scale(gy, other.push));
    row->phi = rho - s[0];
    row->bias = gx * one.bias + gy * other.bias + (rho - s[2]) * turn * turn +
                lane_set(2.0) * bend * out * turn;
}

/* d, accurate to the distance of the two points, however far from the origin they are. */
LANE_INLINE vec3 closure_between(const closure_side *other, const closure_side *own)
{
    return vec3_add(vec3_sub(own->root, other->root),
                    vec3_add(vec3_sub(own->rest, other->rest), vec3_sub(own->reach, other->reach)));
}

/* Both sides are known: their levers. */
LANE_INLINE void closure_meet(closure_side *other, closure_side *own)
{
    own->lever = own->arm;
    other->lever = vec3_add(other->arm, closure_between(other, own));
}

/* Whether the rows of a type, or what says that they are upright, take an axis of a side: 0 the body,
 * 1 the other. */
LANE_INLINE int closure_takes_axis(int holds, int side, int axis)
{
    const int in_place = CLOSURE_OUTLINE | CLOSURE_LINE | CLOSURE_TURN;
    const int of_body = axis == 0 ? CLOSURE_CROSS | CLOSURE_TURN : axis == 2 ? CLOSURE_LINE : 0;
    const int of_other = axis == 0   ? CLOSURE_X | in_place
                         : axis == 1 ? CLOSURE_Y | in_place
                                     : CLOSURE_Z | CLOSURE_CROSS | CLOSURE_LINE;
    return (holds & (side == 0 ? of_body : of_other)) != 0;
}

/* All rows of a type, by what it `holds`; returns their number. `length`: that of a distance, the
 * radius of an outline, or else the factor of rows that turn. */
LANE_INLINE int closure_rows(int holds, real length, const double *harmonic,
                             const closure_side *other, const closure_side *own, closure_row *out)
{
    closure_pair at = {.p = other,
                       .c = own,
                       .d = closure_between(other, own),
                       .speed = vec3_sub(own->velocity, other->velocity)};
    const vec3 turning = vec3_cross(other->w, at.d);
    const vec3 seen = vec3_sub(turning, vec3_add(at.speed, at.speed));
    at.drift = vec3_add(vec3_sub(own->centripetal, other->centripetal), vec3_cross(other->w, seen));
    int count = 0;
    if (holds & CLOSURE_DISTANCE) {
        closure_apart(&at, length, &out[count++]);
    }
    if (holds & CLOSURE_OUTLINE) {
        closure_around(&at, length, harmonic, &out[count++]);
    }
    LANE_UNROLL
    for (int i = 0; i < 3; i++) {
        if (holds & (CLOSURE_X << i)) {
            closure_along(&at, other->axes[i], &out[count++]);
        }
    }
    if (holds & CLOSURE_CROSS) {
        closure_across(&at, own->axes[0], other->axes[2], length, &out[count++]);
    }
    if (holds & CLOSURE_LINE) {
        closure_across(&at, own->axes[2], other->axes[0], length, &out[count++]);
        closure_across(&at, own->axes[2], other->axes[1], length, &out[count++]);
    }
    if (holds & CLOSURE_TURN) {
        closure_across(&at, own->axes[0], other->axes[1], length, &out[count++]);
    }
    return count;
}

/* Lanes in which no axis that is held is more than 90 degrees from where it should be. */
LANE_INLINE mask closure_upright(int holds, const closure_side *other, const closure_side *own)
{
    const real zero = lane_set(0.0);
    const mask all = lane_greater(lane_set(1.0), zero);
    const mask line = lane_greater(zero, vec3_dot(own->axes[2], other->axes[2]));
    const mask turn = lane_greater(zero, vec3_dot(own->axes[0], other->axes[0]));
    return lane_and(holds & CLOSURE_LINE ? lane_not(line) : all,
                    holds & CLOSURE_TURN ? lane_not(turn) : all);
}

#endif
