/* The trunk: what joins the segments of a reduced tree, swept one node after the other. Written once for
 * the host and for one thread of a device; the method is a table of serial kernels.
 *
 * A stretch is one segment, or links whose nodes follow one another, none but the first hung on the
 * ground or on a segment. Stretches stand parents before children.
 */
#ifndef RCT_KERNELS_TRUNK_H
#define RCT_KERNELS_TRUNK_H

#include "kernels/abi_step.h"
#include "kernels/lane.h"
#include "kernels/rk4_step.h"
#include "kernels/serial.h"
#include "kernels/tiles.h"

typedef struct rct_stretch {
    int32_t first; /* node */
    int32_t count; /* nodes */
} rct_stretch;

typedef struct rct_trunk {
    rct_links links;        /* the reduced tree                                                   */
    const int32_t *segment; /* [nodes] index of the segment, or -1: a link                        */
    int32_t count;
    const rct_stretch *stretches;
    double *state; /* [nodes][STATE_FIELDS] what is evaluated                                     */
    double *base;  /* [nodes][STATE_FIELDS] start of the present step                             */
    double *sum;   /* [nodes][STATE_FIELDS] running sum of a step                                 */
    double *work;  /* [nodes][work_fields]                                                        */
    double *spans; /* [segments][SPAN_FIELDS] the two handles of each segment                     */
    double *ends;  /* [segments][END_FIELDS] what reaches it                                      */
} rct_trunk;

/* Outermost first: links to their handles, segments closed. A fault names a node. */
LANE_FUNCTION rct_sweep_result trunk_sweep_inward(const rct_trunk *t,
                                                  const rct_serial_kernels *serial)
{
    rct_sweep_result fault = {SWEEP_DONE, -1};
    for (int32_t k = t->count - 1; k >= 0 && fault.end == SWEEP_DONE; k--) {
        const int32_t n = t->stretches[k].first;
        const int32_t s = t->segment[n];
        if (s < 0) {
            fault = serial->inward(&t->links, t->state, t->work, n, t->stretches[k].count);
        } else if (!serial->close_segment(&t->links, t->work, n,
                                          t->spans + (int64_t)s * SPAN_FIELDS, 1)) {
            fault.end = SWEEP_SINGULAR;
            fault.link = n;
        }
    }
    return fault;
}

/* The acceleration node n hangs on, unless the segment inboard of it has left it there already. */
LANE_FUNCTION void trunk_reach(const rct_trunk *t, const rct_serial_kernels *serial, int32_t n)
{
    const int32_t up = t->links.parent[n];
    if (up < 0 || t->segment[up] < 0) {
        serial->reach(&t->links, t->state, t->work, n);
    }
}

/* Innermost first: accelerations of links, ends of segments. */
LANE_FUNCTION rct_sweep_result trunk_sweep_outward(const rct_trunk *t,
                                                   const rct_serial_kernels *serial)
{
    rct_sweep_result fault = {SWEEP_DONE, -1};
    for (int32_t k = 0; k < t->count; k++) {
        const int32_t n = t->stretches[k].first;
        const int64_t s = t->segment[n];
        trunk_reach(t, serial, n);
        if (s >= 0) {
            serial->open_segment(&t->links, t->work, n, t->spans + s * SPAN_FIELDS, 1,
                                 t->ends + s * END_FIELDS);
            continue;
        }
        const rct_sweep_result result =
            serial->outward(&t->links, t->state, t->work, n, t->stretches[k].count);
        if (fault.end == SWEEP_DONE) {
            fault = result;
        }
    }
    return fault;
}

/* What a task, node n, adds to the side record of the link it hangs on beside a segment, or puts there. */
LANE_FUNCTION void trunk_add_side(const rct_serial_kernels *serial, const double *work, int32_t n,
                                  double *side, int32_t stride, int overwrite)
{
    const double *mine = work + (int64_t)n * serial->work_fields + serial->side;
    double *to = side + (int64_t)serial->side_record * stride;
    for (int k = 0; k < serial->side_fields; k++) {
        to[k * stride] = overwrite ? mine[k] : to[k * stride] + mine[k];
    }
}

/* The acceleration that a task, node n, hangs on beside a segment, from the side record of the link there. */
LANE_FUNCTION void trunk_reach_side(const rct_serial_kernels *serial, const rct_links *links,
                                    double *work, int32_t n, const double *side, int32_t stride)
{
    const vec3 above =
        point_acceleration(vec3_load(side + SIDE_LINEAR * stride, stride),
                           vec3_load(side + SIDE_ANGULAR * stride, stride),
                           vec3_load(side + SIDE_RATE * stride, stride),
                           vec3_load(links->sweep + (int64_t)n * LINK_FIELDS + LINK_AT, 1));
    vec3_store(work + (int64_t)n * serial->work_fields + serial->linear, 1, above);
}

/* The new state of the link that node n is; false where it is not finite. */
LANE_FUNCTION mask trunk_advance(const rct_trunk *t, const rct_serial_kernels *serial, int32_t n,
                                 int stage, double dt)
{
    const int64_t at = (int64_t)n * STATE_FIELDS;
    const rk4_weights weights = rk4_stage_weights(stage, dt);
    const vec3 alpha = vec3_load(t->work + (int64_t)n * serial->work_fields + serial->angular, 1);
    if (stage == 0) {
        rk4_first_stage(t->base + at, t->sum + at, t->state + at, 1, alpha, weights);
    } else if (stage < 3) {
        rk4_inner_stage(t->base + at, t->sum + at, t->state + at, 1, alpha, weights);
    } else {
        return rk4_last_stage(t->sum + at, t->state + at, 1, alpha, weights);
    }
    return lane_greater(lane_set(1.0), lane_set(0.0));
}

#endif
