/* States and results between the device and label order. */
#include "backend/cuda/run.h"
#include "core/rotation.h"

#include <string.h>

/* Tile records of `fields` numbers from the device into `to`, or from `to` onto it. */
static void copy_tiles(rct_run *run, double *host, double *device, int fields,
                       enum cudaMemcpyKind kind)
{
    const size_t bytes = (size_t)(run->device.tiles.steps * fields * WARP) * sizeof *host;
    void *to = kind == cudaMemcpyHostToDevice ? device : host;
    const void *from = kind == cudaMemcpyHostToDevice ? host : device;
    rct_cuda_good(run, cudaMemcpyAsync(to, from, bytes, kind, run->stream), "copying tiles");
    rct_cuda_good(run, cudaStreamSynchronize(run->stream), "copying tiles");
}

/* The rows of the trunk's links, wherever the junction is. */
static void copy_nodes(rct_run *run, double *host, double *device, int fields,
                       enum cudaMemcpyKind kind)
{
    const size_t bytes = (size_t)run->trunk.links.count * (size_t)fields * sizeof *host;
    void *to = kind == cudaMemcpyHostToDevice ? device : host;
    const void *from = kind == cudaMemcpyHostToDevice ? host : device;
    if (!run->junction_on_host) {
        rct_cuda_good(run, cudaMemcpyAsync(to, from, bytes, kind, run->stream), "copying nodes");
        rct_cuda_good(run, cudaStreamSynchronize(run->stream), "copying nodes");
    }
}

/* Between label order and the host's copy of tiles and nodes. */
static void rearrange(const rct_run *run, double *labels, int in)
{
    const rct_partition *p = run->layout->whole;
    const rct_packing *packing = run->layout->packing;
    const size_t row = STATE_FIELDS * sizeof(double);
    for (int32_t n = 0; n < p->reduced.count; n++) {
        double *node = run->trunk.state + (int64_t)n * STATE_FIELDS;
        double *label = labels + (int64_t)p->label[n] * STATE_FIELDS;
        if (p->segment[n] < 0) {
            memcpy(in ? node : label, in ? label : node, row);
        }
    }
    for (int32_t s = 0; s < packing->partition->segment_count; s++) {
        const rct_segment *piece = &packing->partition->segments[s];
        for (int32_t k = 0; k < piece->length; k++) {
            double *tile =
                packing->tiles.state + rct_packing_address(packing, s, k, STATE_FIELDS);
            double *label = labels + (int64_t)(piece->first + k) * STATE_FIELDS;
            for (int f = 0; f < STATE_FIELDS; f++) {
                if (in) {
                    tile[f * WARP] = label[f];
                } else {
                    label[f] = tile[f * WARP];
                }
            }
        }
    }
}

void rct_cuda_write_state(rct_run *run, const double *state)
{
    rearrange(run, (double *)state, 1);
    copy_tiles(run, run->layout->packing->tiles.state, run->device.tiles.state, STATE_FIELDS,
               cudaMemcpyHostToDevice);
    copy_nodes(run, run->trunk.state, run->device.trunk.state, STATE_FIELDS,
               cudaMemcpyHostToDevice);
}

void rct_cuda_read_state(const rct_run *run, double *state)
{
    rct_run *own = (rct_run *)run; /* its staging, not its state */
    copy_tiles(own, run->layout->packing->tiles.state, run->device.tiles.state, STATE_FIELDS,
               cudaMemcpyDeviceToHost);
    copy_nodes(own, run->trunk.state, run->device.trunk.state, STATE_FIELDS,
               cudaMemcpyDeviceToHost);
    rearrange(run, state, 0);
}

/* ---- results ------------------------------------------------------------------------------ */

static void fetch_results(rct_run *run)
{
    copy_tiles(run, run->layout->packing->tiles.state, run->device.tiles.state, STATE_FIELDS,
               cudaMemcpyDeviceToHost);
    copy_tiles(run, run->layout->packing->tiles.results, run->device.tiles.results, RESULT_FIELDS,
               cudaMemcpyDeviceToHost);
    copy_nodes(run, run->trunk.state, run->device.trunk.state, STATE_FIELDS,
               cudaMemcpyDeviceToHost);
    copy_nodes(run, run->trunk.work, run->device.trunk.work, run->serial->work_fields,
               cudaMemcpyDeviceToHost);
}

/* Vector `field` of link k of piece s, turned into inertial axes. */
static void turned(const rct_packing *packing, int32_t s, int32_t k, int field, double out[3])
{
    const double *state = packing->tiles.state + rct_packing_address(packing, s, k, STATE_FIELDS);
    const double *result = packing->tiles.results +
                           rct_packing_address(packing, s, k, RESULT_FIELDS) + field * WARP;
    const double q[4] = {state[0], state[WARP], state[2 * WARP], state[3 * WARP]};
    const double v[3] = {result[0], result[WARP], result[2 * WARP]};
    double m[3][3];
    rct_rotation(q, m);
    rct_rotate(m, v, out);
}

void rct_cuda_read_accelerations(const rct_run *run, double *accelerations)
{
    const rct_partition *p = run->layout->whole;
    const rct_packing *packing = run->layout->packing;
    fetch_results((rct_run *)run);
    for (int32_t n = 0; n < p->reduced.count; n++) {
        if (p->segment[n] < 0) {
            run->serial->accelerations(&p->reduced, run->trunk.state, run->trunk.work, n,
                                       accelerations + 6 * (int64_t)p->label[n]);
        }
    }
    for (int32_t s = 0; s < packing->partition->segment_count; s++) {
        const rct_segment *piece = &packing->partition->segments[s];
        for (int32_t k = 0; k < piece->length; k++) {
            double *row = accelerations + 6 * (int64_t)(piece->first + k);
            turned(packing, s, k, RESULT_LINEAR, row);
            turned(packing, s, k, RESULT_ANGULAR, row + 3);
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

void rct_cuda_read_forces(const rct_run *run, double *forces)
{
    const rct_partition *p = run->layout->whole;
    const rct_packing *packing = run->layout->packing;
    fetch_results((rct_run *)run);
    for (int32_t n = 0; n < p->reduced.count; n++) {
        if (p->segment[n] < 0) {
            run->serial->force(run->trunk.state, run->trunk.work, n,
                               forces + 6 * (int64_t)p->label[n]);
        }
    }
    for (int32_t s = 0; s < packing->partition->segment_count; s++) {
        const rct_segment *piece = &packing->partition->segments[s];
        for (int32_t k = 0; k < piece->length; k++) {
            double *row = forces + 6 * (int64_t)(piece->first + k);
            turned(packing, s, k, RESULT_FORCE, row);
            memset(row + 3, 0, 3 * sizeof *row);
        }
    }
}
