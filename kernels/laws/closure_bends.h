/* The second derivatives of closures (kernels/records/closures.h). The bias of phi'', its part from
 * velocities, is quadratic in those of the two bodies, so its matrix follows from the biases b
 * where one or two of the twelve velocities are 1,
 *
 *     B_ii = b(e_i)      2 B_ij = b(e_i + e_j) - b(e_i) - b(e_j)
 *
 * Angular velocities are scaled by 1 over the reach of the closure: its ends then move as far as at
 * 1 m/s, and no b hides another.
 *
 * For the LANE_WIDTH of the including translation unit. */
#ifndef RCT_KERNELS_LAWS_CLOSURE_BENDS_H
#define RCT_KERNELS_LAWS_CLOSURE_BENDS_H

#include "kernels/laws/closure_rows.h"

/* m, the reach: from hinge points to frames, and between these; 1 m where they coincide. */
LANE_INLINE real closure_span(const closure_side *own, const closure_side *other)
{
    const vec3 apart =
        vec3_sub(vec3_add(own->root, own->reach), vec3_add(other->root, other->reach));
    const real span =
        closure_farthest(own->arm) + closure_farthest(other->arm) + closure_farthest(apart);
    return lane_select(lane_greater(span, lane_set(0.0)), span, lane_set(1.0));
}

/* A side that turns by w / span about its hinge point, which moves by v: motion is (w, v). */
LANE_INLINE void closure_move_by(closure_side *s, const double motion[6], real span)
{
    s->w =
        (vec3){lane_quotient(lane_set(motion[0]), span), lane_quotient(lane_set(motion[1]), span),
               lane_quotient(lane_set(motion[2]), span)};
    s->origin = (vec3){lane_set(motion[3]), lane_set(motion[4]), lane_set(motion[5])};
    closure_move(s);
}

/* Store numbers (i, j) and (j, i) of row k of bundle b. */
LANE_INLINE void closure_leave_bend(const rct_closure_lanes *c, int64_t b, int k, int i, int j,
                                    real value, double *bend)
{
    double left[LANE_WIDTH];
    lane_store(left, value);
    for (int l = 0; l < LANE_WIDTH; l++) {
        double *to = bend + (int64_t)(c->row[b * LANE_WIDTH + l] + k) * CLOSURE_BEND;
        to[CLOSURE_MOTION * i + j] = to[CLOSURE_MOTION * j + i] = left[l];
    }
}

LANE_FUNCTION void closures_bend(const rct_closure_lanes *c, const rct_closure_places *at,
                                 double *bend)
{
    for (int64_t b = 0; b < c->bundles; b++) {
        closure_side own, other;
        closure_find(c, at, b, c->holds[b], 0, 1, &own);
        closure_find(c, at, b, c->holds[b], 1, 1, &other);
        const double *constants = closure_constants(c, b);
        const real span = closure_span(&own, &other);
        real alone[CLOSURE_MOTION][MOST_CLOSURE_ROWS];
        for (int n = 0; n < CLOSURE_MOTION * (CLOSURE_MOTION + 1) / 2; n++) { /* i = j first */
            int apart = 0, i = n;
            while (i >= CLOSURE_MOTION - apart) {
                i -= CLOSURE_MOTION - apart;
                apart++;
            }
            const int j = i + apart;
            double motion[CLOSURE_MOTION] = {0.0};
            closure_row rows[MOST_CLOSURE_ROWS];
            motion[i] = motion[j] = 1.0;
            closure_move_by(&own, motion, span);
            closure_move_by(&other, motion + 6, span);
            const real turns =
                (i % 6 < 3 ? span : lane_set(1.0)) * (j % 6 < 3 ? span : lane_set(1.0));
            const int count =
                closure_rows(c->holds[b], lane_load(constants + CLOSURE_LENGTH * LANE_WIDTH),
                             constants + CLOSURE_WAVES * LANE_WIDTH, &other, &own, rows);
            for (int k = 0; k < count; k++) {
                if (apart == 0) {
                    alone[i][k] = rows[k].bias;
                    closure_leave_bend(c, b, k, i, i, turns * rows[k].bias, bend);
                } else {
                    const real both = rows[k].bias - alone[i][k] - alone[j][k];
                    closure_leave_bend(c, b, k, i, j, lane_set(0.5) * turns * both, bend);
                }
            }
        }
    }
}

#endif
