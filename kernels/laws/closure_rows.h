/* The rows of J of closures (kernels/records/closures.h), and as what comes in to columns (kernels/records/columns.h), for the LANE_WIDTH of the including translation unit. */
#ifndef RCT_KERNELS_LAWS_CLOSURE_ROWS_H
#define RCT_KERNELS_LAWS_CLOSURE_ROWS_H

#include "kernels/laws/closure_step.h"
#include "kernels/records/columns.h"

LANE_INLINE vec3 closure_vector(const double *const *from)
{
    return (vec3){lane_collect(from, 0), lane_collect(from, 1), lane_collect(from, 2)};
}

/* The frame of a side of bundle b: 0 the body, 1 the other. */
LANE_INLINE closure_side closure_find(const rct_closure_lanes *c, const rct_closure_bodies *at,
                                      int64_t b, int side)
{
    const double *q[LANE_WIDTH], *w[LANE_WIDTH], *x[LANE_WIDTH], *v[LANE_WIDTH];
    const double *own = c->constant + (b * CLOSURE_FIELDS + side * CLOSURE_OTHER_ARM) * LANE_WIDTH;
    closure_side s;
    for (int l = 0; l < LANE_WIDTH; l++) {
        const int64_t body = c->body[(2 * b + side) * LANE_WIDTH + l];
        q[l] = body < 0 ? at->ground : at->orientation + 4 * body;
        w[l] = body < 0 ? at->ground + 4 : at->angular_velocity + 3 * body;
        x[l] = body < 0 ? at->ground + 7 : at->position + 3 * body;
        v[l] = body < 0 ? at->ground + 10 : at->velocity + 3 * body;
    }
    const mat3 m = quat_rotation(
        (quat){lane_collect(q, 0), lane_collect(q, 1), lane_collect(q, 2), lane_collect(q, 3)});
    s.arm = mat3_apply(m, vec3_load(own, LANE_WIDTH));
    for (int i = 0; i < 3; i++) {
        s.axes[i] = mat3_apply(m, vec3_load(own + (int64_t)(3 + 3 * i) * LANE_WIDTH, LANE_WIDTH));
    }
    s.w = closure_vector(w);
    s.origin = closure_vector(v);
    s.point = vec3_add(closure_vector(x), s.arm);
    const vec3 turning = vec3_cross(s.w, s.arm);
    s.velocity = vec3_add(s.origin, turning);
    s.centripetal = vec3_cross(s.w, turning);
    return s;
}

/* Row i of bundle b to where it goes. */
LANE_INLINE void closure_leave(const rct_closure_lanes *c, const rct_closure_bodies *at, int64_t b,
                               int i, const closure_row *row, const closure_side *other,
                               const closure_side *own)
{
    double left[15 * LANE_WIDTH];
    const int32_t *body = c->body + (2 * b + 1) * LANE_WIDTH;
    const double *a = at->ground_acceleration;
    vec3_store(left, LANE_WIDTH, row->moment);
    vec3_store(left + 3 * LANE_WIDTH, LANE_WIDTH, row->force);
    vec3_store(left + 6 * LANE_WIDTH, LANE_WIDTH, row->other_moment);
    vec3_store(left + 9 * LANE_WIDTH, LANE_WIDTH, row->other_force);
    lane_store(left + 12 * LANE_WIDTH, row->phi);
    lane_store(
        left + 13 * LANE_WIDTH,
        (vec3_dot(row->moment, own->w) + vec3_dot(row->force, own->origin)) +
            (vec3_dot(row->other_moment, other->w) + vec3_dot(row->other_force, other->origin)));
    lane_store(left + 14 * LANE_WIDTH, row->bias);
    for (int l = 0; l < LANE_WIDTH; l++) {
        const int ends = body[l] < 0 ? 1 : 2;
        const int64_t at_row = c->row[b * LANE_WIDTH + l] + i;
        double *to = c->wrench + (int64_t)(c->end[b * LANE_WIDTH + l] + i * ends) * c->apart;
        double given = 0.0;
        for (int j = 0; j < 6; j++) {
            const double taken = left[(6 + j) * LANE_WIDTH + l];
            to[j] = left[j * LANE_WIDTH + l];
            if (ends == 2) {
                to[c->apart + j] = taken;
            } else {
                given += taken * a[j];
            }
        }
        c->phi[at_row] = left[12 * LANE_WIDTH + l];
        c->speed[at_row] = left[13 * LANE_WIDTH + l];
        c->bias[at_row] = left[14 * LANE_WIDTH + l] + given;
    }
}

LANE_FUNCTION void closures_write(const rct_closure_lanes *c, const rct_closure_bodies *at)
{
    for (int64_t b = 0; b < c->bundles; b++) {
        closure_row rows[MOST_CLOSURE_ROWS];
        const closure_side own = closure_find(c, at, b, 0), other = closure_find(c, at, b, 1);
        const double *length = c->constant + (b * CLOSURE_FIELDS + CLOSURE_LENGTH) * LANE_WIDTH;
        const double *harmonic = c->holds[b] & CLOSURE_OUTLINE
                                     ? c->outline + b * 2 * CLOSURE_HARMONICS * LANE_WIDTH
                                     : NULL;
        const int count =
            closure_rows(c->holds[b], lane_load(length), harmonic, &other, &own, rows);
        for (int i = 0; i < count; i++) {
            closure_leave(c, at, b, i, &rows[i], &other, &own);
        }
        double upright[LANE_WIDTH];
        lane_store(upright, lane_select(closure_upright(c->holds[b], &other, &own), lane_set(1.0),
                                        lane_set(0.0)));
        c->flipped[b] = 0;
        for (int l = 0; l < LANE_WIDTH; l++) {
            c->flipped[b] |= upright[l] == 0.0 ? (int32_t)(1u << l) : 0;
        }
    }
}

/* The lanes behind the last wrench have it once more. */
LANE_FUNCTION void closure_wrenches(const rct_column_wrench *wrenches, int64_t count, int32_t apart,
                                    double *in)
{
    for (int64_t first = 0; first < count; first += LANE_WIDTH) {
        const double *wrench[LANE_WIDTH], *seat[LANE_WIDTH], *m[LANE_WIDTH];
        double left[6 * LANE_WIDTH];
        for (int l = 0; l < LANE_WIDTH; l++) {
            const rct_column_wrench *own = &wrenches[first + l < count ? first + l : count - 1];
            wrench[l] = own->wrench;
            seat[l] = own->seat;
            m[l] = own->rotation;
        }
        const mat3 turn = {lane_collect(m, 0), lane_collect(m, 1), lane_collect(m, 2),
                           lane_collect(m, 3), lane_collect(m, 4), lane_collect(m, 5),
                           lane_collect(m, 6), lane_collect(m, 7), lane_collect(m, 8)};
        const vec3 moment = closure_vector(wrench);
        const vec3 force =
            mat3_apply_transposed(turn, (vec3){lane_collect(wrench, 3), lane_collect(wrench, 4),
                                               lane_collect(wrench, 5)});
        vec3_store(left, LANE_WIDTH, force);
        vec3_store(
            left + 3 * LANE_WIDTH, LANE_WIDTH,
            vec3_add(mat3_apply_transposed(turn, moment), vec3_cross(closure_vector(seat), force)));
        for (int l = 0; l < LANE_WIDTH && first + l < count; l++) {
            for (int i = 0; i < 6; i++) {
                in[wrenches[first + l].place + (int64_t)i * apart] = left[i * LANE_WIDTH + l];
            }
        }
    }
}

#endif
