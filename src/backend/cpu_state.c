/* States and results between label order and the layout of a CPU run: nodes of the reduced tree, segments
 * in tiles, tasks in bushes. */
#include "backend/cpu_run.h"

#include "core/rotation.h"

#include <string.h>

/* One link between lanes, fields `lanes` apart, and label order. */
static void copy_link(double *lane, int32_t lanes, double *label, int in)
{
    for (int32_t f = 0; f < STATE_FIELDS; f++) {
        if (in) {
            lane[f * lanes] = label[f];
        } else {
            label[f] = lane[f * lanes];
        }
    }
}

static void copy_lanes(const rct_run *run, double *labels, int in)
{
    const rct_partition *p = run->partition;
    const int32_t lanes = run->packing->lanes;
    for (int32_t s = 0; s < p->segment_count; s++) {
        for (int32_t k = 0; k < p->segments[s].length; k++) {
            copy_link(run->packing->tiles.state +
                          rct_packing_address(run->packing, s, k, STATE_FIELDS),
                      lanes, labels + (int64_t)(p->segments[s].first + k) * STATE_FIELDS, in);
        }
    }
    const rct_bushes *bushes = &run->planted->bushes;
    for (int64_t at = 0; at < bushes->waves * lanes; at++) {
        if (bushes->label[at] >= 0) {
            copy_link(bushes->state + at / lanes * STATE_FIELDS * lanes + at % lanes, lanes,
                      labels + (int64_t)bushes->label[at] * STATE_FIELDS, in);
        }
    }
}

/* Whether node n is a link by itself: its records are those of the serial sweep. */
static int is_link(const rct_partition *p, int32_t n)
{
    return p->segment[n] < 0 && p->task[n] < 0;
}

static void copy_states(const rct_run *run, double *labels, int in)
{
    const rct_partition *p = run->partition;
    for (int32_t n = 0; n < p->reduced.count; n++) {
        if (is_link(p, n)) {
            copy_link(run->state + (int64_t)n * STATE_FIELDS, 1,
                      labels + (int64_t)p->label[n] * STATE_FIELDS, in);
        }
    }
    copy_lanes(run, labels, in);
}

void rct_cpu_scatter(rct_run *run, const double *state)
{
    copy_states(run, (double *)state, 1);
}

void rct_cpu_gather(const rct_run *run, double *state)
{
    copy_states(run, state, 0);
}

/* ---- results ------------------------------------------------------------------------------ */

/* Write the results of a link in lanes, fields `lanes` apart, in inertial axes to its row. */
typedef void write_row(const rct_run *run, const double *state, const double *result, double *row);

/* Turn a vector of a record into inertial axes. */
static void turn_out(const rct_run *run, const double *state, const double *field, double out[3])
{
    const int32_t lanes = run->packing->lanes;
    const double q[4] = {state[0], state[lanes], state[2 * lanes], state[3 * lanes]};
    const double v[3] = {field[0], field[lanes], field[2 * lanes]};
    double m[3][3];
    rct_rotation(q, m);
    rct_rotate(m, v, out);
}

static void write_accelerations(const rct_run *run, const double *state, const double *result,
                                double *row)
{
    const int32_t lanes = run->packing->lanes;
    turn_out(run, state, result + RESULT_LINEAR * lanes, row);
    turn_out(run, state, result + RESULT_ANGULAR * lanes, row + 3);
    for (int i = 0; i < 3 && run->method == RCT_METHOD_ABI; i++) {
        row[i] += run->plan->gravity[i]; /* abi counts from a ground that accelerates */
    }
}

static void write_force(const rct_run *run, const double *state, const double *result, double *row)
{
    turn_out(run, state, result + RESULT_FORCE * run->packing->lanes, row);
    memset(row + 3, 0, 3 * sizeof *row);
}

static void read_lanes(const rct_run *run, write_row *write, double *rows)
{
    const rct_partition *p = run->partition;
    const rct_packing *packing = run->packing;
    const rct_bushes *b = &run->planted->bushes;
    const int32_t lanes = packing->lanes;
    for (int32_t s = 0; s < p->segment_count; s++) {
        for (int32_t k = 0; k < p->segments[s].length; k++) {
            write(run, packing->tiles.state + rct_packing_address(packing, s, k, STATE_FIELDS),
                  packing->tiles.results + rct_packing_address(packing, s, k, RESULT_FIELDS),
                  rows + 6 * (int64_t)(p->segments[s].first + k));
        }
    }
    for (int64_t at = 0; at < b->waves * lanes; at++) {
        if (b->label[at] >= 0) {
            write(run, b->state + at / lanes * STATE_FIELDS * lanes + at % lanes,
                  b->results + at / lanes * RESULT_FIELDS * lanes + at % lanes,
                  rows + 6 * (int64_t)b->label[at]);
        }
    }
}

void rct_cpu_read_accelerations(const rct_run *run, double *accelerations)
{
    const rct_partition *p = run->partition;
    for (int32_t n = 0; n < p->reduced.count; n++) {
        if (is_link(p, n)) {
            run->serial->accelerations(&p->reduced, run->state, run->work, n,
                                       accelerations + 6 * (int64_t)p->label[n]);
        }
    }
    read_lanes(run, write_accelerations, accelerations);
    for (int32_t l = 0; l < run->plan->links.count; l++) {
        if (run->plan->parent[l] < 0) { /* hinged to the ground: at rest, not nearly so */
            memset(accelerations + 6 * (int64_t)l, 0, 3 * sizeof *accelerations);
        }
    }
}

void rct_cpu_read_forces(const rct_run *run, double *forces)
{
    const rct_partition *p = run->partition;
    for (int32_t n = 0; n < p->reduced.count; n++) {
        if (is_link(p, n)) {
            run->serial->force(run->state, run->work, n, forces + 6 * (int64_t)p->label[n]);
        }
    }
    read_lanes(run, write_force, forces);
}
