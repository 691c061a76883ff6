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

/* The known part of the acceleration of the hinge point and the body; `seat`: from the origin of
 * the link to the hinge point, inertial axes. */
LANE_INLINE void closure_know(const rct_closure_lanes *c, const rct_closure_places *at, int64_t b,
                              int side, vec3 seat, closure_side *s)
{
    const int32_t grounded = c->side[2 * b + side].grounded;
    const vec3 turning = vec3_cross(s->w, vec3_cross(s->w, seat));
    s->angular = s->linear = vec3_zero();
    if (c->place != NULL) {
        const int32_t *body = c->body + (2 * b + side) * LANE_WIDTH;
        s->linear = vec3_add(closure_gravity(at, body), turning);
    }
    if (grounded != 0) {
        const double *a = at->ground_acceleration;
        const mask fixed = lane_bits(grounded);
        const vec3 angular = {lane_set(a[0]), lane_set(a[1]), lane_set(a[2])};
        const vec3 linear = {lane_set(a[3]), lane_set(a[4]), lane_set(a[5])};
        const vec3 there = vec3_add(linear, vec3_cross(angular, seat));
        s->angular = vec3_choose(fixed, angular, s->angular);
        s->linear = vec3_choose(fixed, vec3_add(there, turning), s->linear);
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

/* The frame of a side of bundle b, of closures of one type: 0 the body, 1 the other. */
LANE_INLINE void closure_find(const rct_closure_lanes *c, const rct_closure_places *at, int64_t b,
                              int holds, int side, closure_side *s)
{
    const double *own = closure_constants(c, b) + (int64_t)side * CLOSURE_SIDE * LANE_WIDTH;
    const link_pose x = closure_pose(c, at, b, side);
    s->turn = x.frame.rotation;
    s->arm = mat3_apply(s->turn, vec3_load(own, LANE_WIDTH));
    LANE_UNROLL
    for (int i = 0; i < 3; i++) {
        s->axes[i] = vec3_zero();
        if (closure_takes_axis(holds, side, i)) {
            const double *axis = own + (int64_t)(CLOSURE_AXES + 3 * i) * LANE_WIDTH;
            s->axes[i] = mat3_apply(s->turn, vec3_load(axis, LANE_WIDTH));
        }
    }
    s->seat = vec3_load(own + (int64_t)CLOSURE_SEAT * LANE_WIDTH, LANE_WIDTH);
    const vec3 seat = mat3_apply(s->turn, s->seat);
    s->w = mat3_apply(s->turn, x.frame.rate);
    s->place = vec3_add(x.position, seat);
    s->root = x.position;
    s->rest = x.rest;
    s->origin = vec3_add(x.velocity, vec3_cross(s->w, seat));
    s->reach = vec3_add(seat, s->arm);
    closure_move(s);
    closure_know(c, at, b, side, seat, s);
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

/* The wrench of row i of bundle b on a side (0 the body, 1 the other), about the hinge point, inertial
 * axes, enters columns as one about the origin of the link, in its axes. */
LANE_INLINE void closure_come_in(const rct_closure_lanes *c, int64_t b, int i, int which,
                                 const closure_side *side, vec3 moment, vec3 force)
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
    const vec3 f = mat3_apply_transposed(side->turn, force);
    vec3_store(to, (int)apart, f);
    vec3_store(to + 3 * apart, (int)apart,
               vec3_add(mat3_apply_transposed(side->turn, moment), vec3_cross(side->seat, f)));
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
                                    const closure_row *row)
{
    double left[12 * LANE_WIDTH];
    const int32_t *body = c->body + (2 * b + 1) * LANE_WIDTH, lanes = c->own[b];
    vec3_store(left, LANE_WIDTH, row->moment);
    vec3_store(left + 3 * LANE_WIDTH, LANE_WIDTH, row->force);
    vec3_store(left + 6 * LANE_WIDTH, LANE_WIDTH, row->other_moment);
    vec3_store(left + 9 * LANE_WIDTH, LANE_WIDTH, row->other_force);
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

/* What phi'' of row i of bundle b takes. */
LANE_INLINE void closure_leave_bias(const rct_closure_lanes *c, int64_t b, int i,
                                    const closure_row *row, const closure_side *other,
                                    const closure_side *own)
{
    const int32_t *row_of = c->row + b * LANE_WIDTH, lanes = c->own[b];
    double left[2 * LANE_WIDTH];
    lane_store(left, row->bias + closure_motion(row, own->angular, own->linear, other->angular,
                                                other->linear));
    lane_store(left + LANE_WIDTH,
               (closure_sizes(row->moment, own->angular) + closure_sizes(row->force, own->linear)) +
                   (closure_sizes(row->other_moment, other->angular) +
                    closure_sizes(row->other_force, other->linear)));
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
    lane_store(left + LANE_WIDTH,
               closure_motion(row, own->w, own->origin, other->w, other->origin));
    lane_store(left + 2 * LANE_WIDTH,
               (closure_sizes(row->moment, own->w) + closure_sizes(row->force, own->origin)) +
                   (closure_sizes(row->other_moment, other->w) +
                    closure_sizes(row->other_force, other->origin)));
    lane_store(left + 3 * LANE_WIDTH,
               closure_larger(closure_farthest(own->place), closure_farthest(other->place)));
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
        closure_leave_ends(c, b, i, row);
    }
    if (c->place != NULL) {
        closure_come_in(c, b, i, 0, own, row->moment, row->force);
        closure_come_in(c, b, i, 1, other, row->other_moment, row->other_force);
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
    closure_find(c, at, b, holds, 0, &own);
    closure_find(c, at, b, holds, 1, &other);
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
