/* The motions of the links of a row: made from their states, kept in the scratch and taken up again, for the LANE_WIDTH of
 * the including translation unit. */
#ifndef RCT_KERNELS_MIXED_MOTION_H
#define RCT_KERNELS_MIXED_MOTION_H

#include "kernels/mixed_rows.h"

/* Where a motion lies in its scratch. Rows whose hinges are of one type keep what is dear to compute again, the others
 * all of it: what is kept passes through the second cache three times. */
enum {
    KEEP_RATE = 0,
    KEEP_LINEAR = 3,
    KEEP_ANGLE = 6,
    KEEP_TURN = 8,
    KEEP_ANGULAR = 17,
    KEEP_R = 20,
    KEEP_LOAD = 23 /* LOAD_FIELDS: all that acts on the link besides gravity, where anything does */
};

LANE_INLINE void mixed_keep_all(double *to, const mixed_motion *m)
{
    vec3_store(to + (int64_t)KEEP_RATE * MW, MW, m->rate);
    vec3_store(to + (int64_t)KEEP_LINEAR * MW, MW, m->bias.l);
    lane_store(to + (int64_t)KEEP_ANGLE * MW, m->c);
    lane_store(to + (int64_t)(KEEP_ANGLE + 1) * MW, m->s);
    mat3_store(to + (int64_t)KEEP_TURN * MW, MW, m->turn);
    vec3_store(to + (int64_t)KEEP_ANGULAR * MW, MW, m->bias.a);
    vec3_store(to + (int64_t)KEEP_R * MW, MW, m->r);
}

LANE_INLINE mixed_motion mixed_recall_all(const double *from)
{
    return (mixed_motion){.turn = mat3_load(from + (int64_t)KEEP_TURN * MW, MW),
                          .r = vec3_load(from + (int64_t)KEEP_R * MW, MW),
                          .rate = vec3_load(from + (int64_t)KEEP_RATE * MW, MW),
                          .bias = {vec3_load(from + (int64_t)KEEP_LINEAR * MW, MW),
                                   vec3_load(from + (int64_t)KEEP_ANGULAR * MW, MW)},
                          .c = lane_load(from + (int64_t)KEEP_ANGLE * MW),
                          .s = lane_load(from + (int64_t)(KEEP_ANGLE + 1) * MW)};
}

LANE_INLINE int mixed_keeps_turn(int kind)
{
    return kind == RCT_HINGE_BALL || kind == RCT_HINGE_FREE || kind == RCT_HINGE_UNIVERSAL;
}

LANE_INLINE void mixed_keep(int kind, double *to, const mixed_motion *m)
{
    vec3_store(to + (int64_t)KEEP_RATE * MW, MW, m->rate);
    vec3_store(to + (int64_t)KEEP_LINEAR * MW, MW, m->bias.l);
    if (mixed_keeps_turn(kind)) {
        mat3_store(to + (int64_t)KEEP_TURN * MW, MW, m->turn);
    }
    if (kind != RCT_HINGE_BALL && kind != RCT_HINGE_FREE && kind != RCT_HINGE_PRISMATIC) {
        lane_store(to + (int64_t)KEEP_ANGLE * MW, m->c);
        lane_store(to + (int64_t)(KEEP_ANGLE + 1) * MW, m->s);
    }
    if (kind == RCT_HINGE_UNIVERSAL) {
        vec3_store(to + (int64_t)KEEP_ANGULAR * MW, MW, m->bias.a);
    }
}

/* Where the hinge point is in the parent, from the coordinates; as mixed_move has it. */
LANE_INLINE vec3 mixed_place(int kind, const mixed_link *link, const real *q)
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

LANE_INLINE mixed_motion mixed_recall(const rct_mixed_sheaves *s, int64_t g, int kind,
                                      const mixed_link *link, const double *from)
{
    const real zero = lane_set(0.0);
    real q[MIXED_MOST_COORDINATES], u[MIXED_MOST_FREEDOMS];
    mixed_motion m = {.turn = link->frame,
                      .rate = vec3_load(from + (int64_t)KEEP_RATE * MW, MW),
                      .bias = {vec3_load(from + (int64_t)KEEP_LINEAR * MW, MW), vec3_zero()},
                      .c = lane_set(1.0),
                      .s = zero};
    mixed_state_load(s, g, kind, q, u);
    m.r = mixed_place(kind, link, q);
    if (mixed_keeps_turn(kind)) {
        m.turn = mat3_load(from + (int64_t)KEEP_TURN * MW, MW);
    }
    if (kind == RCT_HINGE_BALL || kind == RCT_HINGE_FREE || kind == RCT_HINGE_PRISMATIC) {
        return m;
    }
    m.c = lane_load(from + (int64_t)KEEP_ANGLE * MW);
    m.s = lane_load(from + (int64_t)(KEEP_ANGLE + 1) * MW);
    if (kind == RCT_HINGE_UNIVERSAL) {
        m.bias.a = vec3_load(from + (int64_t)KEEP_ANGULAR * MW, MW);
    } else {
        const real spin = u[kind == RCT_HINGE_PLANAR ? 2 : 0];
        m.turn = mat3_turned_about_z(link->frame, (sine_cosine){m.s, m.c});
        m.bias.a = (vec3){m.rate.y * spin, -(m.rate.x * spin), zero};
    }
    return m;
}

/* The motion and, if `attitude`, the frame of links whose hinges are all of one type; else their rates. */
LANE_FUNCTION mixed_motion mixed_move_alike(const rct_mixed_sheaves *s, int64_t g, int kind,
                                            const mixed_link *link, const mixed_frame *parent,
                                            int attitude, mixed_frame *frame)
{
    mixed_motion m;
    real q[MIXED_MOST_COORDINATES], u[MIXED_MOST_FREEDOMS];
#define MIXED_STEP(TYPE)                                                                           \
    mixed_state_load(s, g, TYPE, q, u);                                                            \
    m = mixed_move(TYPE, link, q, u, parent);                                                      \
    *frame = attitude ? mixed_carry(TYPE, parent, &m, q) : (mixed_frame){parent->rotation, m.rate}
    MIXED_CASES(kind, MIXED_STEP)
#undef MIXED_STEP
    return m;
}

LANE_INLINE mixed_motion mixed_motion_select(mask where, const mixed_motion *a,
                                             const mixed_motion *b)
{
    return (mixed_motion){
        mat3_select(where, a->turn, b->turn), vec3_choose(where, a->r, b->r),
        vec3_choose(where, a->rate, b->rate), spatial_select(where, a->bias, b->bias),
        lane_select(where, a->c, b->c),       lane_select(where, a->s, b->s)};
}

LANE_FUNCTION mixed_motion mixed_move_unlike(const rct_mixed_sheaves *s, int64_t g,
                                             const mixed_link *link, const mixed_frame *parent,
                                             int attitude, mixed_frame *frame)
{
    const int32_t *lanes = s->kind_lanes + (int64_t)(~s->kinds[g]) * RCT_HINGE_TYPES;
    mixed_motion all = {.turn = mat3_identity()};
    for (int kind = 1; kind < RCT_HINGE_TYPES; kind++) {
        if (lanes[kind] != 0) {
            mixed_frame own;
            const mixed_motion m = mixed_move_alike(s, g, kind, link, parent, attitude, &own);
            all = mixed_motion_select(lane_bits(lanes[kind]), &m, &all);
            *frame = mixed_frame_select(lane_bits(lanes[kind]), own, *frame);
        }
    }
    return all;
}

#endif
