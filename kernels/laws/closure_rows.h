/* The rows of J of closures (kernels/records/closures.h), for the LANE_WIDTH of the including
 * translation unit. */
#ifndef RCT_KERNELS_LAWS_CLOSURE_ROWS_H
#define RCT_KERNELS_LAWS_CLOSURE_ROWS_H

#include "kernels/laws/closure_step.h"
#include "kernels/laws/measures.h"
#include "kernels/records/closures.h"

#include <stddef.h>

LANE_INLINE const double *closure_constants(const rct_closure_lanes *c, int64_t b)
{
    return c->constant + (int64_t)c->block[b] * CLOSURE_FIELDS * LANE_WIDTH;
}

LANE_INLINE vec3 closure_gravity(const rct_closure_places *at, const int32_t *body)
{
    const double *of[LANE_WIDTH];
    if (at->systems == 0) {
        return vec3_of_one(at->gravity, 0, 1);
    }
    for (int l = 0; l < LANE_WIDTH; l++) {
        of[l] = at->gravity + (body[l] >= 0 ? 3 * (int64_t)(body[l] % at->systems) : 0);
    }
    return vec3_collect(of, 0, 1);
}

/* The known part of the acceleration of a side. */
LANE_INLINE void closure_know(const rct_closure_lanes *c, const rct_closure_places *at, int64_t b,
                              int side, closure_side *s)
{
    const int32_t grounded = c->side[2 * b + side].grounded;
    s->angular = s->linear = vec3_zero();
    if (c->place != NULL) {
        s->linear = closure_gravity(at, c->body + (2 * b + side) * LANE_WIDTH);
    }
    if (grounded != 0) {
        const double *a = at->ground_acceleration;
        const mask fixed = lane_bits(grounded);
        const vec3 angular = {lane_set(a[0]), lane_set(a[1]), lane_set(a[2])};
        const vec3 linear = {lane_set(a[3]), lane_set(a[4]), lane_set(a[5])};
        s->angular = vec3_choose(fixed, angular, s->angular);
        s->linear = vec3_choose(fixed, linear, s->linear);
    }
}

/* The poses of a side of bundle b. */
LANE_INLINE link_pose closure_pose(const rct_closure_lanes *c, const rct_closure_places *at,
                                   int64_t b, int side)
{
    const int64_t *place = c->pose + (2 * b + side) * LANE_WIDTH;
    const double *pose[LANE_WIDTH];
    if (c->side[2 * b + side].straight) {
        return link_pose_load(at->poses + place[0], at->apart);
    }
    for (int l = 0; l < LANE_WIDTH; l++) {
        pose[l] = place[l] < 0 ? at->ground : at->poses + place[l];
    }
    return link_pose_collect(pose, at->apart, POSE_FIELDS);
}

/* The constants of a side of bundle b: 0 the body, 1 the other. */
LANE_INLINE const double *closure_fixed(const rct_closure_lanes *c, int64_t b, int side)
{
    return closure_constants(c, b) + (int64_t)side * CLOSURE_SIDE * LANE_WIDTH;
}

/* From the origin of the link to the hinge point of the body. */
LANE_INLINE vec3 closure_seat(const rct_closure_lanes *c, int64_t b, int side,
                              const closure_side *s)
{
    return mat3_apply(s->turn,
                      vec3_load(closure_fixed(c, b, side) + CLOSURE_SEAT * LANE_WIDTH, LANE_WIDTH));
}

/* The frame of a side of bundle b, of closures of one type. Its origin is that of the link, or, at a
 * `hinge`, the hinge point of the body. */
LANE_INLINE void closure_find(const rct_closure_lanes *c, const rct_closure_places *at, int64_t b,
                              int holds, int side, int hinge, closure_side *s)
{
    const double *own = closure_fixed(c, b, side);
    const link_pose x = closure_pose(c, at, b, side);
    s->turn = x.frame.rotation;
    LANE_UNROLL
    for (int i = 0; i < 3; i++) {
        s->axes[i] = vec3_zero();
        if (closure_takes_axis(holds, side, i)) {
            const double *axis = own + (int64_t)(CLOSURE_AXES + 3 * i) * LANE_WIDTH;
            s->axes[i] = mat3_apply(s->turn, vec3_load(axis, LANE_WIDTH));
        }
    }
    s->w = mat3_apply(s->turn, x.frame.rate);
    s->root = x.position;
    s->rest = x.rest;
    s->origin = x.velocity;
    s->reach = s->arm = mat3_apply(s->turn, vec3_load(own, LANE_WIDTH));
    if (hinge) {
        const vec3 seat = closure_seat(c, b, side, s);
        s->arm = vec3_sub(s->reach, seat);
        s->origin = vec3_add(s->origin, vec3_cross(s->w, seat));
    }
    closure_move(s);
    closure_know(c, at, b, side, s);
}

LANE_INLINE real closure_larger(real a, real b)
{
    return lane_select(lane_greater(b, a), b, a);
}

/* The largest coordinate. */
LANE_INLINE real closure_farthest(vec3 a)
{
    return closure_larger(closure_larger(lane_abs(a.x), lane_abs(a.y)), lane_abs(a.z));
}

LANE_INLINE real closure_sizes(vec3 a, vec3 b)
{
    return lane_abs(a.x * b.x) + lane_abs(a.y * b.y) + lane_abs(a.z * b.z);
}

/* From the origin of the link to C, link axes. */
LANE_INLINE vec3 closure_hold(const rct_closure_lanes *c, int64_t b, int which,
                              const closure_side *side)
{
    const vec3 fixed = vec3_load(closure_fixed(c, b, which), LANE_WIDTH);
    const vec3 d = vec3_sub(side->lever, side->arm);
    return which == 0 ? fixed : vec3_add(fixed, mat3_apply_transposed(side->turn, d));
}

/* From the hinge point of the body to C. */
LANE_INLINE vec3 closure_lever(const rct_closure_lanes *c, int64_t b, int which,
                               const closure_side *side)
{
    const vec3 seat = vec3_sub(side->reach, side->arm);
    return vec3_add(side->lever, vec3_sub(seat, closure_seat(c, b, which, side)));
}

/* The wrench of row i of bundle b on a side (0 the body, 1 the other) enters columns as one about
 * the origin of the link, in its axes. */
LANE_INLINE void closure_come_in(const rct_closure_lanes *c, int64_t b, int i, int which,
                                 const closure_side *side, vec3 hold, const closure_row *row)
{
    const int64_t straight = c->into[2 * (b * MOST_CLOSURE_ROWS + i) + which];
    const int32_t *other = c->body + (2 * b + 1) * LANE_WIDTH, *end = c->end + b * LANE_WIDTH;
    const int32_t lanes = c->own[b];
    double left[6 * LANE_WIDTH], *in = c->in;
    double *to = straight >= 0 ? in + straight : left;
    const int64_t apart = straight >= 0 ? c->in_apart : LANE_WIDTH, in_apart = c->in_apart;
    if (straight == CLOSURE_NOWHERE) {
        return;
    }
    const vec3 given = mat3_apply_transposed(side->turn, row->push);
    const vec3 push = which == 0 ? given : vec3_sub(vec3_zero(), given);
    vec3_store(to, (int)apart, row->turns ? vec3_zero() : push);
    vec3_store(to + 3 * apart, (int)apart, row->turns ? push : vec3_cross(hold, push));
    for (int l = 0; l < lanes && straight < 0; l++) {
        const int ends = other[l] < 0 ? 1 : 2;
        const int64_t place = which < ends ? c->place[end[l] + i * ends + which] : -1;
        for (int j = 0; j < 6 && place >= 0; j++) {
            in[place + j * in_apart] = left[j * LANE_WIDTH + l];
        }
    }
}

/* Row i of bundle b to its ends. */
LANE_INLINE void closure_leave_ends(const rct_closure_lanes *c, int64_t b, int i,
                                    const closure_row *row, const closure_side *other,
                                    const closure_side *own)
{
    double left[12 * LANE_WIDTH];
    const int32_t *body = c->body + (2 * b + 1) * LANE_WIDTH, lanes = c->own[b];
    const vec3 zero = vec3_zero(), force = closure_force(row);
    const vec3 back = closure_moment(row, closure_lever(c, b, 1, other));
    vec3_store(left, LANE_WIDTH, closure_moment(row, closure_lever(c, b, 0, own)));
    vec3_store(left + 3 * LANE_WIDTH, LANE_WIDTH, force);
    vec3_store(left + 6 * LANE_WIDTH, LANE_WIDTH, vec3_sub(zero, back));
    vec3_store(left + 9 * LANE_WIDTH, LANE_WIDTH, vec3_sub(zero, force));
    LANE_UNROLL
    for (int l = 0; l < LANE_WIDTH && l < lanes; l++) {
        const int ends = body[l] < 0 ? 1 : 2;
        double *to = c->wrench + (int64_t)(c->end[b * LANE_WIDTH + l] + i * ends) * c->apart;
        for (int j = 0; j < 6; j++) {
            to[j] = left[j * LANE_WIDTH + l];
        }
        for (int j = 0; j < 6 && ends == 2; j++) {
            to[c->apart + j] = left[(6 + j) * LANE_WIDTH + l];
        }
    }
}

/* The sum of the absolute terms of what a row takes from motions. */
LANE_INLINE real closure_slides(const closure_row *row, vec3 own, vec3 other)
{
    return row->turns ? lane_set(0.0)
                      : closure_sizes(row->push, own) + closure_sizes(row->push, other);
}

LANE_INLINE real closure_turns(const closure_row *row, const closure_side *own,
                               const closure_side *other, vec3 angular, vec3 other_angular)
{
    return closure_sizes(closure_moment(row, own->lever), angular) +
           closure_sizes(closure_moment(row, other->lever), other_angular);
}

/* What phi'' of row i of bundle b takes. Angular accelerations are known of the ground alone. */
LANE_INLINE void closure_leave_bias(const rct_closure_lanes *c, int64_t b, int i,
                                    const closure_row *row, const closure_side *other,
                                    const closure_side *own)
{
    const int32_t *row_of = c->row + b * LANE_WIDTH, lanes = c->own[b];
    double left[2 * LANE_WIDTH];
    real bias = row->bias + closure_slide(row, own->linear, other->linear);
    real known = closure_slides(row, own->linear, other->linear);
    if ((c->side[2 * b].grounded | c->side[2 * b + 1].grounded) != 0) {
        bias = bias + closure_turn(row, own, other, own->angular, other->angular);
        known = known + closure_turns(row, own, other, own->angular, other->angular);
    }
    lane_store(left, bias);
    lane_store(left + LANE_WIDTH, known);
    LANE_UNROLL
    for (int l = 0; l < LANE_WIDTH && l < lanes; l++) {
        c->bias[row_of[l] + i] = left[l];
        c->known[row_of[l] + i] = left[LANE_WIDTH + l];
    }
}

/* phi and phi' of row i of bundle b, and their sizes. */
LANE_INLINE void closure_leave_gap(const rct_closure_lanes *c, int64_t b, int i,
                                   const closure_row *row, const closure_side *other,
                                   const closure_side *own)
{
    const int32_t *row_of = c->row + b * LANE_WIDTH, lanes = c->own[b];
    double left[5 * LANE_WIDTH];
    const vec3 apart = vec3_sub(own->root, other->root);
    lane_store(left, row->phi);
    lane_store(left + LANE_WIDTH, closure_slide(row, own->origin, other->origin) +
                                      closure_turn(row, own, other, own->w, other->w));
    lane_store(left + 2 * LANE_WIDTH, closure_slides(row, own->origin, other->origin) +
                                          closure_turns(row, own, other, own->w, other->w));
    lane_store(left + 3 * LANE_WIDTH,
               closure_larger(closure_farthest(own->root), closure_farthest(other->root)));
    lane_store(left + 4 * LANE_WIDTH,
               closure_larger(closure_larger(closure_farthest(own->reach), closure_farthest(apart)),
                              closure_farthest(other->reach)));
    LANE_UNROLL
    for (int l = 0; l < LANE_WIDTH && l < lanes; l++) {
        const int64_t at_row = row_of[l] + i;
        c->phi[at_row] = left[l];
        c->speed[at_row] = left[LANE_WIDTH + l];
        c->terms[at_row] = left[2 * LANE_WIDTH + l];
        c->reach[at_row] = left[3 * LANE_WIDTH + l];
        c->near[at_row] = left[4 * LANE_WIDTH + l];
    }
}

/* The numbers of row i of bundle b. */
LANE_INLINE void closure_leave(const rct_closure_lanes *c, int64_t b, int i, const closure_row *row,
                               const closure_side *other, const closure_side *own)
{
    closure_leave_bias(c, b, i, row, other, own);
    if (!c->only_bias) {
        closure_leave_gap(c, b, i, row, other, own);
    }
    if (c->ends) {
        closure_leave_ends(c, b, i, row, other, own);
    }
    if (c->place != NULL) {
        closure_come_in(c, b, i, 0, own, closure_hold(c, b, 0, own), row);
        closure_come_in(c, b, i, 1, other, closure_hold(c, b, 1, other), row);
    }
}

/* Lanes, by bits, in which an axis that is held is more than 90 degrees from where it should be. */
LANE_INLINE int32_t closure_flipped(int holds, const closure_side *other, const closure_side *own)
{
    const mask upright = closure_upright(holds, other, own);
    double lane[LANE_WIDTH];
    int32_t bits = 0;
    if (lane_all(upright)) {
        return 0;
    }
    lane_store(lane, lane_select(upright, lane_set(1.0), lane_set(0.0)));
    for (int l = 0; l < LANE_WIDTH; l++) {
        bits |= lane[l] == 0.0 ? (int32_t)(1u << l) : 0;
    }
    return bits;
}

/* Bundle b, by what its type `holds`. */
LANE_INLINE void closure_write(const rct_closure_lanes *c, const rct_closure_places *at, int64_t b,
                               int holds)
{
    const double *constants = closure_constants(c, b);
    closure_side own, other;
    closure_row rows[MOST_CLOSURE_ROWS];
    closure_find(c, at, b, holds, 0, c->place == NULL, &own);
    closure_find(c, at, b, holds, 1, c->place == NULL, &other);
    closure_meet(&other, &own);
    const int count = closure_rows(holds, lane_load(constants + CLOSURE_LENGTH * LANE_WIDTH),
                                   constants + CLOSURE_WAVES * LANE_WIDTH, &other, &own, rows);
    LANE_UNROLL
    for (int i = 0; i < count; i++) {
        closure_leave(c, b, i, &rows[i], &other, &own);
    }
    c->flipped[b] = closure_flipped(holds, &other, &own);
}

/* Types that are many in large mechanisms have code of their own, in registers. */
LANE_FUNCTION void closures_write(const rct_closure_lanes *c, const rct_closure_places *at,
                                  int64_t first, int64_t end)
{
    for (int64_t b = first; b < end; b++) {
        switch (c->holds[b]) {
        case CLOSURE_X | CLOSURE_Y: closure_write(c, at, b, CLOSURE_X | CLOSURE_Y); break;
        case CLOSURE_X | CLOSURE_Y | CLOSURE_Z:
            closure_write(c, at, b, CLOSURE_X | CLOSURE_Y | CLOSURE_Z);
            break;
        default: closure_write(c, at, b, c->holds[b]);
        }
    }
}

#endif
