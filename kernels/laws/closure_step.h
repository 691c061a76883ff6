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

/* A body, or the ground, and a frame on it; inertial axes. */
typedef struct closure_side {
    mat3 turn;  /* of the link to inertial axes                                                */
    vec3 seat;  /* m, from its origin to the hinge point of the body, its axes                 */
    vec3 place; /* m, that point                                                               */
    vec3 arm;   /* m, from the hinge point of the body (the origin of the ground) to the frame */
    vec3 root, rest;  /* m, the origin of the link, and what rounding has left out of it */
    vec3 reach;       /* m, from there to the frame                                      */
    vec3 axes[3];     /* X, Y, Z of the closure on this side                             */
    vec3 w;           /* rad/s                                                           */
    vec3 origin;      /* m/s, of the hinge point                                         */
    vec3 velocity;    /* m/s, of the point                                               */
    vec3 centripetal; /* m/s^2, w x (w x arm)                                            */
    /* m/s^2, rad/s^2: what is known of the acceleration of the hinge point, and of the body */
    vec3 linear, angular;
} closure_side;

/* Velocity and centripetal acceleration of the frame of a side that turns and whose hinge point
 * moves. */
LANE_INLINE void closure_move(closure_side *s)
{
    const vec3 turning = vec3_cross(s->w, s->arm);
    s->velocity = vec3_add(s->origin, turning);
    s->centripetal = vec3_cross(s->w, turning);
}

/* One constraint: wrenches about the hinge points of the body and of the other, phi, and the part
 * of phi'' that does not come from the accelerations of the two. */
typedef struct closure_row {
    vec3 moment, force, other_moment, other_force;
    real phi, bias;
} closure_row;

/* What the wrenches make of the motions of the body and of the other: from velocities phi', from
 * accelerations their part of phi''. */
LANE_INLINE real closure_motion(const closure_row *row, vec3 angular, vec3 linear,
                                vec3 other_angular, vec3 other_linear)
{
    return (vec3_dot(row->moment, angular) + vec3_dot(row->force, linear)) +
           (vec3_dot(row->other_moment, other_angular) + vec3_dot(row->other_force, other_linear));
}

typedef struct closure_pair {
    const closure_side *p, *c;
    vec3 d, speed;
} closure_pair;

LANE_INLINE vec3 vec3_turned_back(vec3 a)
{
    return (vec3){-a.x, -a.y, -a.z};
}

/* d . E */
LANE_INLINE void closure_along(const closure_pair *at, vec3 E, closure_row *row)
{
    const closure_side *p = at->p, *c = at->c;
    const vec3 reach = vec3_add(p->arm, at->d);
    row->moment = vec3_cross(c->arm, E);
    row->force = E;
    row->other_moment = vec3_turned_back(vec3_cross(reach, E));
    row->other_force = vec3_turned_back(E);
    row->phi = vec3_dot(at->d, E);
    row->bias = vec3_dot(c->centripetal, E) - vec3_dot(p->centripetal, E) +
                lane_set(2.0) * vec3_dot(at->speed, vec3_cross(p->w, E)) +
                vec3_dot(at->d, vec3_cross(p->w, vec3_cross(p->w, E)));
}

/* f . E, times a length */
LANE_INLINE void closure_across(const closure_pair *at, vec3 own, vec3 E, real length,
                                closure_row *row)
{
    const closure_side *p = at->p, *c = at->c;
    const vec3 f = vec3_scale(length, own);
    const vec3 other_turn = vec3_cross(p->w, E), own_turn = vec3_cross(c->w, f);
    const vec3 moment = vec3_cross(f, E);
    row->moment = moment;
    row->force = vec3_zero();
    row->other_moment = vec3_turned_back(moment);
    row->other_force = vec3_zero();
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
    const vec3 e = vec3_scale(inverse, at->d), back = vec3_turned_back(e);
    const real speed = vec3_dot(e, at->speed);
    row->moment = vec3_cross(at->c->arm, e);
    row->force = e;
    row->other_moment = vec3_cross(at->p->arm, back);
    row->other_force = back;
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
    row->moment = vec3_add(vec3_scale(gx, one.moment), vec3_scale(gy, other.moment));
    row->force = vec3_add(vec3_scale(gx, one.force), vec3_scale(gy, other.force));
    row->other_moment =
        vec3_add(vec3_scale(gx, one.other_moment), vec3_scale(gy, other.other_moment));
    row->other_force = vec3_add(vec3_scale(gx, one.other_force), vec3_scale(gy, other.other_force));
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
    const closure_pair at = {other, own, closure_between(other, own),
                             vec3_sub(own->velocity, other->velocity)};
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
