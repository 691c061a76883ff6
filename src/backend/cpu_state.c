/* States and results between label order and the layout of a CPU run: nodes of the reduced tree, and
 * segments in tiles. */
#include "backend/cpu_run.h"

#include "core/rotation.h"

#include <string.h>

/* Segment s: its links one after the other, `fields` numbers each, to or from label order. */
static void copy_segment(const rct_run *run, int32_t s, double *tiles, double *labels, int in)
{
    const rct_segment *segment = &run->partition->segments[s];
    const int32_t lanes = run->packing->lanes;
    for (int32_t k = 0; k < segment->length; k++) {
        double *in_tile = tiles + rct_packing_address(run->packing, s, k, STATE_FIELDS);
        double *row = labels + (int64_t)(segment->first + k) * STATE_FIELDS;
        for (int32_t f = 0; f < STATE_FIELDS; f++) {
            if (in) {
                in_tile[f * lanes] = row[f];
            } else {
                row[f] = in_tile[f * lanes];
            }
        }
    }
}

static void copy_states(const rct_run *run, double *nodes, double *tiles, double *labels, int in)
{
    const rct_partition *p = run->partition;
    const size_t row = STATE_FIELDS * sizeof(double);
    for (int32_t n = 0; n < p->reduced.count; n++) {
        double *node = nodes + (int64_t)n * STATE_FIELDS;
        double *label = labels + (int64_t)p->label[n] * STATE_FIELDS;
        if (p->segment[n] < 0) {
            memcpy(in ? node : label, in ? label : node, row);
        }
    }
    for (int32_t s = 0; s < p->segment_count; s++) {
        copy_segment(run, s, tiles, labels, in);
    }
}

void rct_cpu_scatter(rct_run *run, const double *state)
{
    copy_states(run, run->state, run->packing->tiles.state, (double *)state, 1);
}

void rct_cpu_gather(const rct_run *run, double *state)
{
    copy_states(run, run->state, run->packing->tiles.state, state, 0);
}

/* Turn a vector of a tile record into inertial axes. */
static void turn_out(double m[3][3], const double *field, int32_t stride, double out[3])
{
    const double v[3] = {field[0], field[stride], field[2 * stride]};
    rct_rotate(m, v, out);
}

static void link_rotation(const rct_run *run, int32_t s, int32_t k, double m[3][3])
{
    const int32_t lanes = run->packing->lanes;
    const double *state =
        run->packing->tiles.state + rct_packing_address(run->packing, s, k, STATE_FIELDS);
    const double q[4] = {state[0], state[lanes], state[2 * lanes], state[3 * lanes]};
    rct_rotation(q, m);
}

void rct_cpu_read_accelerations(const rct_run *run, double *accelerations)
{
    const rct_partition *p = run->partition;
    const int32_t lanes = run->packing->lanes;
    for (int32_t n = 0; n < p->reduced.count; n++) {
        if (p->segment[n] < 0) {
            run->serial->accelerations(&p->reduced, run->state, run->work, n,
                                       accelerations + 6 * (int64_t)p->label[n]);
        }
    }
    for (int32_t s = 0; s < p->segment_count; s++) {
        for (int32_t k = 0; k < p->segments[s].length; k++) {
            const double *result = run->packing->tiles.results +
                                   rct_packing_address(run->packing, s, k, RESULT_FIELDS);
            double *row = accelerations + 6 * (int64_t)(p->segments[s].first + k);
            double m[3][3];
            link_rotation(run, s, k, m);
            turn_out(m, result + RESULT_LINEAR * lanes, lanes, row);
            turn_out(m, result + RESULT_ANGULAR * lanes, lanes, row + 3);
            for (int i = 0; i < 3 && run->method == RCT_METHOD_ABI; i++) {
                row[i] += run->plan->gravity[i]; /* abi counts from a ground that accelerates */
            }
        }
    }
    for (int32_t l = 0; l < run->plan->links.count; l++) {
        if (run->plan->parent[l] < 0) { /* hinged to the ground: at rest, not nearly so */
            memset(accelerations + 6 * (int64_t)l, 0, 3 * sizeof *accelerations);
        }
    }
}

void rct_cpu_read_forces(const rct_run *run, double *forces)
{
    const rct_partition *p = run->partition;
    const int32_t lanes = run->packing->lanes;
    for (int32_t n = 0; n < p->reduced.count; n++) {
        if (p->segment[n] < 0) {
            run->serial->force(run->state, run->work, n, forces + 6 * (int64_t)p->label[n]);
        }
    }
    for (int32_t s = 0; s < p->segment_count; s++) {
        for (int32_t k = 0; k < p->segments[s].length; k++) {
            const double *result = run->packing->tiles.results +
                                   rct_packing_address(run->packing, s, k, RESULT_FIELDS);
            double *row = forces + 6 * (int64_t)(p->segments[s].first + k);
            double m[3][3];
            link_rotation(run, s, k, m);
            turn_out(m, result + RESULT_FORCE * lanes, lanes, row);
            memset(row + 3, 0, 3 * sizeof *row);
        }
    }
}
