/* The motions of the links of a row: computed from their states, stored in the scratch and loaded
 * again, for the LANE_WIDTH of the including translation unit. */
#ifndef RCT_KERNELS_SWEEPS_ROW_MOTION_H
#define RCT_KERNELS_SWEEPS_ROW_MOTION_H

#include "kernels/sweeps/rows.h"

/* Where a motion lies in its scratch. Rows whose hinges are of one type keep what is expensive to
 * compute again, the others keep all of it: what is kept passes through the second cache three
 * times. What most rows keep is last, beside the gains, so that a row is read in one run. */
enum {
    KEEP_R = 0,
    KEEP_ANGULAR = 3,
    KEEP_LOAD = 6,    /* 6: force and moment on the link besides gravity, where anything acts */
    KEEP_EFFORT = 12, /* 3: effort along the freedoms of its hinge, link axes                 */
    KEEP_TURN = 15,
    KEEP_ANGLE = 24,
    KEEP_RATE = 26,
    KEEP_LINEAR = 29
};

LANE_INLINE void row_keep_all(double *to, const link_motion *m)
{
    vec3_store(to + (int64_t)KEEP_RATE * ROW, ROW, m->rate);
    vec3_store(to + (int64_t)KEEP_LINEAR * ROW, ROW, m->bias.l);
    lane_store(to + (int64_t)KEEP_ANGLE * ROW, m->c);
    lane_store(to + (int64_t)(KEEP_ANGLE + 1) * ROW, m->s);
    mat3_store(to + (int64_t)KEEP_TURN * ROW, ROW, m->turn);
    vec3_store(to + (int64_t)KEEP_ANGULAR * ROW, ROW, m->bias.a);
    vec3_store(to + (int64_t)KEEP_R * ROW, ROW, m->r);
}

LANE_INLINE link_motion row_recall_all(const double *from)
{
    return (link_motion){.turn = mat3_load(from + (int64_t)KEEP_TURN * ROW, ROW),
                         .r = vec3_load(from + (int64_t)KEEP_R * ROW, ROW),
                         .rate = vec3_load(from + (int64_t)KEEP_RATE * ROW, ROW),
                         .bias = {vec3_load(from + (int64_t)KEEP_LINEAR * ROW, ROW),
                                  vec3_load(from + (int64_t)KEEP_ANGULAR * ROW, ROW)},
                         .c = lane_load(from + (int64_t)KEEP_ANGLE * ROW),
                         .s = lane_load(from + (int64_t)(KEEP_ANGLE + 1) * ROW)};
}

LANE_INLINE int row_keeps_turn(int kind)
{
    return kind == RCT_HINGE_BALL || kind == RCT_HINGE_FREE || kind == RCT_HINGE_UNIVERSAL;
}

LANE_INLINE void row_keep(int kind, double *to, const link_motion *m)
{
    vec3_store(to + (int64_t)KEEP_RATE * ROW, ROW, m->rate);
    vec3_store(to + (int64_t)KEEP_LINEAR * ROW, ROW, m->bias.l);
    if (row_keeps_turn(kind)) {
        mat3_store(to + (int64_t)KEEP_TURN * ROW, ROW, m->turn);
    }
    if (kind != RCT_HINGE_BALL && kind != RCT_HINGE_FREE && kind != RCT_HINGE_PRISMATIC) {
        lane_store(to + (int64_t)KEEP_ANGLE * ROW, m->c);
        lane_store(to + (int64_t)(KEEP_ANGLE + 1) * ROW, m->s);
    }
    if (kind == RCT_HINGE_UNIVERSAL) {
        vec3_store(to + (int64_t)KEEP_ANGULAR * ROW, ROW, m->bias.a);
    }
}

/* Where the hinge point is in the parent, from the coordinates; as in link_move. */
LANE_INLINE vec3 link_place(int kind, const link_lanes *link, const real *q)
{
    const mat3 f = link->frame;
    const vec3 axis = {f.xz, f.yz, f.zz};
    switch (kind) {
    case RCT_HINGE_PRISMATIC: return vec3_add_scaled(link->at, q[0], axis);
    case RCT_HINGE_CYLINDRICAL: return vec3_add_scaled(link->at, q[1], axis);
    case RCT_HINGE_HELICAL: return vec3_add_scaled(link->at, link->parameter[0] * q[0], axis);
    case RCT_HINGE_PLANAR:
        return vec3_add(link->at, mat3_apply(f, (vec3){q[0], q[1], lane_set(0.0)}));
    default: return link->at;
    }
}

LANE_INLINE link_motion row_recall(const rct_sheaves *s, int64_t g, int kind,
                                   const link_lanes *link, const double *from)
{
    const real zero = lane_set(0.0);
    real q[MOST_COORDINATES], u[MOST_FREEDOMS];
    link_motion m = {.turn = link->frame,
                     .rate = vec3_load(from + (int64_t)KEEP_RATE * ROW, ROW),
                     .bias = {vec3_load(from + (int64_t)KEEP_LINEAR * ROW, ROW), vec3_zero()},
                     .c = lane_set(1.0),
                     .s = zero};
    row_state_load(s, g, kind, q, u);
    m.r = link_place(kind, link, q);
    if (row_keeps_turn(kind)) {
        m.turn = mat3_load(from + (int64_t)KEEP_TURN * ROW, ROW);
    }
    if (kind == RCT_HINGE_BALL || kind == RCT_HINGE_FREE || kind == RCT_HINGE_PRISMATIC) {
        return m;
    }
    m.c = lane_load(from + (int64_t)KEEP_ANGLE * ROW);
    m.s = lane_load(from + (int64_t)(KEEP_ANGLE + 1) * ROW);
    if (kind == RCT_HINGE_UNIVERSAL) {
        m.bias.a = vec3_load(from + (int64_t)KEEP_ANGULAR * ROW, ROW);
    } else {
        const real spin = u[kind == RCT_HINGE_PLANAR ? 2 : 0];
        m.turn = mat3_turned_about_z(link->frame, (sine_cosine){m.s, m.c});
        m.bias.a = (vec3){m.rate.y * spin, -(m.rate.x * spin), zero};
    }
    return m;
}

/* The motion and, if `attitude`, the frame of links whose hinges are all of one type; else their
 * rates. */
LANE_FUNCTION link_motion row_move_alike(const rct_sheaves *s, int64_t g, int kind,
                                         const link_lanes *link, const link_frame *parent,
                                         int attitude, link_frame *frame)
{
    link_motion m;
    real q[MOST_COORDINATES], u[MOST_FREEDOMS];
#define HINGE_CASE(TYPE)                                                                           \
    row_state_load(s, g, TYPE, q, u);                                                              \
    m = link_move(TYPE, link, q, u, parent);                                                       \
    *frame =                                                                                       \
        attitude ? link_frame_carry(TYPE, parent, &m, q) : (link_frame){parent->rotation, m.rate}
    HINGE_CASES(kind, HINGE_CASE)
#undef HINGE_CASE
    return m;
}

LANE_INLINE link_motion link_motion_select(mask where, const link_motion *a, const link_motion *b)
{
    return (link_motion){
        mat3_select(where, a->turn, b->turn), vec3_choose(where, a->r, b->r),
        vec3_choose(where, a->rate, b->rate), spatial_select(where, a->bias, b->bias),
        lane_select(where, a->c, b->c),       lane_select(where, a->s, b->s)};
}

LANE_FUNCTION link_motion row_move_unlike(const rct_sheaves *s, int64_t g, const link_lanes *link,
                                          const link_frame *parent, int attitude, link_frame *frame)
{
    const int32_t *lanes = s->kind_lanes + (int64_t)(~s->kinds[g]) * RCT_HINGE_TYPES;
    link_motion all = {.turn = mat3_identity()};
    for (int kind = 1; kind < RCT_HINGE_TYPES; kind++) {
        if (lanes[kind] != 0) {
            link_frame own;
            const link_motion m = row_move_alike(s, g, kind, link, parent, attitude, &own);
            all = link_motion_select(lane_bits(lanes[kind]), &m, &all);
            *frame = link_frame_select(lane_bits(lanes[kind]), own, *frame);
        }
    }
    return all;
}

#endif
