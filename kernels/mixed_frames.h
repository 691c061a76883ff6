/* Frames of the links of a mixed tree, outward, for the LANE_WIDTH of the including translation unit; and what a sweep of
 * a group carries along. */
#ifndef RCT_KERNELS_MIXED_FRAMES_H
#define RCT_KERNELS_MIXED_FRAMES_H

#include "kernels/mixed_motion.h"

/* A group while it is swept. */
typedef struct mixed_sweep {
    const rct_mixed_sheaves *s;
    double *scratch;
    double *twigs; /* records of those that hang on its links, whatever the lane of this thread */
    int64_t fields;
    int64_t first; /* row */
    int32_t first_sheaf;
    int32_t fault; /* the smallest label at fault, or -1                                          */
    int32_t cause; /* the same of vanishing pivots that were numbers until then                  */
    int results;   /* whether those are asked for                                                */
    int what;      /* of all that rows may have, what narrow ones of a device have               */
} mixed_sweep;

LANE_FUNCTION double *mixed_scratch_row(const mixed_sweep *w, int64_t g)
{
    return w->scratch + (g - w->first) * w->fields * MW;
}

/* The record of the twigs of a sheaf of a bush. */
LANE_FUNCTION double *mixed_twigs(const mixed_sweep *w, int32_t sheaf)
{
    return w->twigs + (int64_t)(1 + sheaf - w->first_sheaf) * TWIG_FIELDS * MW + lane_member();
}

LANE_FUNCTION double *mixed_path(const rct_mixed_sheaves *s, int32_t sheaf)
{
    return s->paths + s->path_at[sheaf] * MW;
}

/* Where places of records count from, whatever the lane of this thread. */
LANE_FUNCTION double *mixed_records(const rct_mixed_sheaves *s)
{
    return s->paths - lane_member();
}

LANE_FUNCTION mixed_sweep mixed_begin(const rct_mixed_sheaves *s, int32_t group, double *scratch)
{
    const int32_t first = s->first_sheaf[group];
    const int bush = group < s->bushes;
    const int64_t twigs = 1 + (bush ? s->first_sheaf[group + 1] - first : 0);
    return (mixed_sweep){s,
                         scratch + twigs * TWIG_FIELDS * MW,
                         bush ? scratch - lane_member()
                              : mixed_records(s) + (int64_t)PATH_ABOVE * MW,
                         s->row_fields,
                         s->first_row[first],
                         first,
                         -1,
                         -1,
                         0,
                         ~0};
}

/* Keep the smallest label among the lanes of row g where `good` does not hold. */
LANE_FUNCTION void mixed_note(int32_t *fault, const rct_mixed_sheaves *s, int64_t g, mask good)
{
    double lane[LANE_WIDTH];
    lane_store(lane, lane_select(good, lane_set(1.0), lane_set(0.0)));
    for (int l = 0; l < LANE_WIDTH; l++) {
        const int32_t label = s->label[g * MW + l];
        const int first = *fault < 0 || label < *fault;
        if (lane[l] == 0.0 && label >= 0 && first) { /* neutral links have no faults */
            *fault = label;
        }
    }
}

/* How a sweep inward ended: only what is finite is singular. */
LANE_FUNCTION rct_sweep_result mixed_inward_end(const mixed_sweep *w)
{
    if (w->cause >= 0) {
        return (rct_sweep_result){SWEEP_SINGULAR, w->cause};
    }
    return (rct_sweep_result){w->fault >= 0 ? SWEEP_NOT_FINITE : SWEEP_DONE, w->fault};
}

LANE_FUNCTION rct_sweep_result mixed_outward_end(const mixed_sweep *w)
{
    return (rct_sweep_result){w->fault >= 0 ? SWEEP_NOT_FINITE : SWEEP_DONE, w->fault};
}

/* Write `count` fields, LANE_WIDTH apart in `from`, to field `field` of the records at `places` [W] of all, if there are
 * any. */
LANE_INLINE void mixed_leave_at(double *records, const int32_t *places, int field,
                                const double *from, int count)
{
    for (int l = 0; l < LANE_WIDTH; l++) {
        const int32_t place = places[l];
        double *to = records + place + (int64_t)field * MW;
        if (place != 0) {
            LANE_UNROLL
            for (int f = 0; f < count; f++) {
                to[(int64_t)f * MW] = from[f * LANE_WIDTH + l];
            }
        }
    }
}

/* The same of the paths that hang on row g, but twigs. */
LANE_FUNCTION void mixed_leave(const rct_mixed_sheaves *s, int64_t g, int field, const double *from,
                               int count)
{
    for (int64_t k = s->first_kid[g]; k < s->first_kid[g + 1]; k++) {
        mixed_leave_at(mixed_records(s), s->kid + k * MW, field, from, count);
    }
}

/* ---- frames ------------------------------------------------------------------------------- */

/* Whether a path begins in row g, in any lane of this thread. */
LANE_FUNCTION int mixed_begins(const rct_mixed_sheaves *s, int64_t g)
{
    return LANE_MEMBERS == 1 ? s->starts[g] != 0 : lane_all(lane_bits(s->starts[g]));
}

/* What the links of row g hang on: along the path, or where it begins, from its record or the ground. */
LANE_INLINE mixed_frame mixed_above(const rct_mixed_sheaves *s, int32_t sheaf, int64_t g,
                                    mixed_frame along)
{
    if (mixed_begins(s, g)) {
        const mixed_frame left = mixed_frame_load(mixed_path(s, sheaf) + (int64_t)PATH_FRAME * MW);
        along = mixed_frame_select(lane_bits(s->starts[g]), left, along);
        if (s->grounded[g] != 0) {
            along = mixed_frame_select(lane_bits(s->grounded[g]), mixed_ground_frame(s), along);
        }
    }
    return along;
}

/* What acts at the hinges of row g, all of one type, by their coordinates q, rates u and motion `m`, in link axes; `rate` is
 * that of the parents. */
LANE_INLINE void mixed_effort(const rct_mixed_sheaves *s, int64_t g, int kind,
                              const mixed_motion *m, const real *q, const real *u, vec3 rate,
                              real effort[3])
{
    const vec3 d = mixed_row_effort(s, g, EFFORT_DAMPING);
    if (kind == RCT_HINGE_BALL) {
        const vec3 slip = vec3_sub(mat3_apply_transposed(m->turn, rate), m->rate);
        effort[0] = d.x * slip.x, effort[1] = d.x * slip.y, effort[2] = d.x * slip.z;
        return;
    }
    const vec3 applied = mixed_row_effort(s, g, EFFORT_APPLIED);
    const vec3 k = mixed_row_effort(s, g, EFFORT_STIFFNESS);
    const vec3 rest = mixed_row_effort(s, g, EFFORT_REST);
    const real all[3][4] = {{applied.x, k.x, rest.x, d.x},
                            {applied.y, k.y, rest.y, d.y},
                            {applied.z, k.z, rest.z, d.z}};
    LANE_UNROLL
    for (int i = 0; i < 3; i++) {
        effort[i] = lane_set(0.0);
        if (kind != RCT_HINGE_FREE && i < mixed_freedoms(kind)) {
            effort[i] = (all[i][0] - all[i][1] * (q[i] - all[i][2])) - all[i][3] * u[i];
        }
    }
    if (kind == RCT_HINGE_PLANAR) { /* from the hinge frame to link axes */
        const real along = effort[0], across = effort[1];
        effort[0] = m->c * along + m->s * across;
        effort[1] = m->c * across - m->s * along;
    }
}

/* The same, kept in the scratch `own` where hinges ask for any. */
LANE_INLINE void mixed_keep_effort(const rct_mixed_sheaves *s, int64_t g, int kind,
                                   const mixed_motion *m, const real *q, const real *u, vec3 rate,
                                   double *own)
{
    if (mixed_row_has(s, g, HAS_EFFORT)) {
        real effort[3];
        mixed_effort(s, g, kind, m, q, u, rate, effort);
        vec3_store(own + (int64_t)(KEEP_LOAD + LOAD_HINGE) * MW, MW,
                   (vec3){effort[0], effort[1], effort[2]});
    }
}

/* The same where the hinges are of several types. */
LANE_FUNCTION void mixed_keep_effort_unlike(const rct_mixed_sheaves *s, int64_t g,
                                            const mixed_motion *m, vec3 rate, double *own)
{
    const int32_t *lanes = s->kind_lanes + (int64_t)(~s->kinds[g]) * RCT_HINGE_TYPES;
    vec3 all = vec3_zero();
    for (int kind = 1; kind < RCT_HINGE_TYPES && mixed_row_has(s, g, HAS_EFFORT); kind++) {
        real q[MIXED_MOST_COORDINATES], u[MIXED_MOST_FREEDOMS], own_effort[3];
        if (lanes[kind] != 0) {
#define MIXED_STEP(TYPE)                                                                           \
    mixed_state_load(s, g, TYPE, q, u);                                                            \
    mixed_effort(s, g, TYPE, m, q, u, rate, own_effort)
            MIXED_CASES(kind, MIXED_STEP)
#undef MIXED_STEP
            all = vec3_choose(lane_bits(lanes[kind]),
                              (vec3){own_effort[0], own_effort[1], own_effort[2]}, all);
        }
    }
    if (mixed_row_has(s, g, HAS_EFFORT)) {
        vec3_store(own + (int64_t)(KEEP_LOAD + LOAD_HINGE) * MW, MW, all);
    }
}

/* All that acts on the links of row g, with what their hinges ask for, to the scratch `own` where anything does. */
LANE_INLINE void mixed_keep_load(const rct_mixed_sheaves *s, int64_t g, mat3 rotation, double *own)
{
    double *kept = own + (int64_t)KEEP_LOAD * MW;
    spatial push = spatial_zero();
    vec3 hinge = vec3_zero();
    if (!mixed_row_has(s, g, HAS_ACTING)) {
        return;
    }
    if (mixed_row_has(s, g, HAS_EFFORT)) {
        hinge = vec3_load(kept + (int64_t)LOAD_HINGE * MW, MW);
    }
    if (mixed_row_has(s, g, HAS_WRENCH)) {
        push = mixed_wrench(s, g, rotation);
    }
    if (mixed_row_has(s, g, HAS_LOAD)) {
        const double *load = s->loads + g * LOAD_FIELDS * MW;
        push = spatial_add(push, spatial_load(load, MW));
        hinge = vec3_add(hinge, vec3_load(load + (int64_t)LOAD_HINGE * MW, MW));
    }
    spatial_store(kept, MW, push);
    vec3_store(kept + (int64_t)LOAD_HINGE * MW, MW, hinge);
}

/* The frames of the links of row g, whose hinges are all of one type, from those of what they hang on, their rotations if
 * `attitude`; their motions to the scratch `own`. */
LANE_INLINE mixed_frame mixed_move_row(const rct_mixed_sheaves *s, int64_t g, int kind,
                                       const mixed_link *before, const mixed_frame *parent,
                                       int attitude, double *own)
{
    real q[MIXED_MOST_COORDINATES], u[MIXED_MOST_FREEDOMS];
    const mixed_link link = mixed_link_here(s, g, before);
    mixed_state_load(s, g, kind, q, u);
    const mixed_motion m = mixed_move(kind, &link, q, u, parent);
    mixed_keep(kind, own, &m);
    mixed_keep_effort(s, g, kind, &m, q, u, parent->rate, own);
    return attitude ? mixed_carry(kind, parent, &m, q) : (mixed_frame){parent->rotation, m.rate};
}

/* The same of any row, with all that acts on its links. */
LANE_INLINE mixed_frame mixed_move_on(const rct_mixed_sheaves *s, int64_t g, mixed_frame parent,
                                      int attitude, double *own)
{
    const mixed_link before = mixed_link_before(s, g);
    const int32_t kind = mixed_row_kind(s, g);
    mixed_frame frame = parent;
    if (mixed_row_unlike(kind)) {
        const mixed_link link = mixed_link_here(s, g, &before);
        const mixed_motion m = mixed_move_unlike(s, g, &link, &parent, attitude, &frame);
        mixed_keep_all(own, &m);
        mixed_keep_effort_unlike(s, g, &m, parent.rate, own);
    } else {
#define MIXED_STEP(TYPE) frame = mixed_move_row(s, g, TYPE, &before, &parent, attitude, own)
        MIXED_CASES(kind, MIXED_STEP)
#undef MIXED_STEP
    }
    mixed_keep_load(s, g, frame.rotation, own);
    return frame;
}

/* A frame to the paths that hang on the links of row g. */
LANE_INLINE void mixed_leave_frame(const rct_mixed_sheaves *s, int64_t g, mixed_frame frame)
{
    double left[12 * LANE_WIDTH];
    mat3_store(left, LANE_WIDTH, frame.rotation);
    vec3_store(left + (int64_t)9 * LANE_WIDTH, LANE_WIDTH, frame.rate);
    mixed_leave(s, g, PATH_FRAME, left, 12);
}

/* Outward: motions to the scratch, frames to the paths that hang on the links. */
LANE_INLINE void mixed_outward_frames(const mixed_sweep *w, int32_t sheaf)
{
    const rct_mixed_sheaves *s = w->s;
    mixed_frame frame = {mat3_identity(), vec3_zero()};
    for (int64_t g = s->first_row[sheaf]; g < s->first_row[sheaf + 1]; g++) {
        frame = mixed_move_on(s, g, mixed_above(s, sheaf, g, frame), s->attitude,
                              mixed_scratch_row(w, g) + (int64_t)ROW_MOTION * MW);
        if (s->first_kid[g] < s->first_kid[g + 1]) {
            mixed_leave_frame(s, g, frame);
        }
        lane_meet(); /* paths of one sheaf may hang on one another */
    }
}

#endif
