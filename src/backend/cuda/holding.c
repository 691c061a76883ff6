/* States and results between label order and where they are held (holding.h). */
#include "backend/cuda/holding.h"

#include "core/rotation.h"

#include <math.h>
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

static void copy_lanes(const rct_holding *h, double *labels, int in)
{
    const rct_partition *p = h->packing->partition;
    const int32_t lanes = h->packing->lanes;
    for (int32_t s = 0; s < p->segment_count; s++) {
        for (int32_t k = 0; k < p->segments[s].length; k++) {
            copy_link(h->packing->tiles.state + rct_packing_address(h->packing, s, k, STATE_FIELDS),
                      lanes, labels + (int64_t)(p->segments[s].first + k) * STATE_FIELDS, in);
        }
    }
    const rct_bushes *bushes = &h->planted->bushes;
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

static void copy_states(const rct_holding *h, double *labels, int in)
{
    const rct_partition *p = h->partition;
    for (int32_t n = 0; n < p->reduced.count; n++) {
        if (is_link(p, n)) {
            copy_link(h->state + (int64_t)n * STATE_FIELDS, 1,
                      labels + (int64_t)p->label[n] * STATE_FIELDS, in);
        }
    }
    copy_lanes(h, labels, in);
}

void rct_holding_scatter(const rct_holding *h, const double *state)
{
    copy_states(h, (double *)state, 1);
}

void rct_holding_gather(const rct_holding *h, double *state)
{
    copy_states(h, state, 0);
}

static int is_finite(const double *state)
{
    const double *q = state + STATE_ORIENTATION;
    int whole = isfinite(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < STATE_FIELDS; i++) {
        whole = whole && isfinite(state[i]);
    }
    return whole;
}

int32_t rct_holding_not_finite(const double *state, int32_t links)
{
    for (int32_t l = 0; l < links; l++) {
        if (!is_finite(state + (int64_t)l * STATE_FIELDS)) {
            return l;
        }
    }
    return -1;
}

/* ---- results ------------------------------------------------------------------------------ */

/* Write the results of link `label` in lanes, fields `lanes` apart, in inertial axes to its row. */
typedef void write_row(const rct_holding *h, int64_t label, const double *state,
                       const double *result, double *rows);

/* Turn a vector of a record into inertial axes. */
static void turn_out(const rct_holding *h, const double *state, const double *field, double out[3])
{
    const int32_t lanes = h->packing->lanes;
    const double q[4] = {state[0], state[lanes], state[2 * lanes], state[3 * lanes]};
    const double v[3] = {field[0], field[lanes], field[2 * lanes]};
    double m[3][3];
    rct_rotation(q, m);
    rct_rotate(m, v, out);
}

static void write_accelerations(const rct_holding *h, int64_t label, const double *state,
                                const double *result, double *rows)
{
    const int32_t lanes = h->packing->lanes;
    const double *gravity = rct_plan_gravity(h->plan, h->plan->head[label]);
    double *row = rows + 6 * label;
    turn_out(h, state, result + RESULT_LINEAR * lanes, row);
    turn_out(h, state, result + RESULT_ANGULAR * lanes, row + 3);
    for (int i = 0; i < 3 && h->method == RCT_METHOD_ABI; i++) {
        row[i] += gravity[i]; /* abi counts from a ground that accelerates */
    }
}

static void write_force(const rct_holding *h, int64_t label, const double *state,
                        const double *result, double *rows)
{
    double *row = rows + 6 * label;
    turn_out(h, state, result + RESULT_FORCE * h->packing->lanes, row);
    memset(row + 3, 0, 3 * sizeof *row);
}

static void read_lanes(const rct_holding *h, write_row *write, double *rows)
{
    const rct_partition *p = h->packing->partition;
    const rct_packing *packing = h->packing;
    const rct_bushes *b = &h->planted->bushes;
    const int32_t lanes = packing->lanes;
    for (int32_t s = 0; s < p->segment_count; s++) {
        for (int32_t k = 0; k < p->segments[s].length; k++) {
            write(h, p->segments[s].first + k,
                  packing->tiles.state + rct_packing_address(packing, s, k, STATE_FIELDS),
                  packing->tiles.results + rct_packing_address(packing, s, k, RESULT_FIELDS), rows);
        }
    }
    for (int64_t at = 0; at < b->waves * lanes; at++) {
        if (b->label[at] >= 0) {
            write(h, b->label[at], b->state + at / lanes * STATE_FIELDS * lanes + at % lanes,
                  b->results + at / lanes * RESULT_FIELDS * lanes + at % lanes, rows);
        }
    }
}

void rct_holding_read_accelerations(const rct_holding *h, double *accelerations)
{
    const rct_partition *p = h->partition;
    for (int32_t n = 0; n < p->reduced.count; n++) {
        if (is_link(p, n)) {
            h->serial->accelerations(&p->reduced, h->state, h->work, n,
                                     accelerations + 6 * (int64_t)p->label[n]);
        }
    }
    read_lanes(h, write_accelerations, accelerations);
    for (int32_t l = 0; l < h->plan->links.count; l++) {
        if (h->plan->parent[l] < 0) { /* hinged to the ground: at rest, not nearly so */
            memset(accelerations + 6 * (int64_t)l, 0, 3 * sizeof *accelerations);
        }
    }
}

void rct_holding_read_forces(const rct_holding *h, double *forces)
{
    const rct_partition *p = h->partition;
    for (int32_t n = 0; n < p->reduced.count; n++) {
        if (is_link(p, n)) {
            h->serial->force(h->state, h->work, n, forces + 6 * (int64_t)p->label[n]);
        }
    }
    read_lanes(h, write_force, forces);
}
