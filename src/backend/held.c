/* What loops that are held in the junction need of the trunk of a run (held.h). */
#include "backend/held.h"
#include "core/memory.h"

#include <string.h>

rct_status rct_held_create(rct_held_trunk *h, rct_error *error)
{
    static const char what[] = "the junction of loops";
    const int64_t count = h->trunk->count, six = 6 * (int64_t)sizeof(double);
    h->paths = rct_allocate(count, sizeof *h->paths, what, error);
    h->wrenches = rct_allocate(count, six, what, error);
    h->motions = rct_allocate(count, six, what, error);
    const int whole = h->paths != NULL && h->wrenches != NULL && h->motions != NULL;
    return whole ? RCT_OK : RCT_ERROR_MEMORY;
}

void rct_held_free(rct_held_trunk *h)
{
    rct_release(h->paths);
    rct_release(h->wrenches);
    rct_release(h->motions);
}

int64_t rct_held_bytes(const rct_held_trunk *h)
{
    const int64_t each = (int64_t)sizeof(rct_through) + 12 * (int64_t)sizeof(double);
    return h->paths == NULL ? 0 : h->trunk->count * each;
}

int32_t rct_held_node(const int32_t *label, int32_t count, int32_t link)
{
    int32_t first = 0, end = count;
    while (end - first > 1) {
        const int32_t middle = first + (end - first) / 2;
        if (label[middle] <= link) {
            first = middle;
        } else {
            end = middle;
        }
    }
    return first;
}

void rct_held_find_paths(void *context, int64_t begin, int64_t end)
{
    const rct_held_trunk *h = context;
    for (int64_t n = begin; n < end; n++) {
        h->kernels->through(h->rows, h->trunk, (int32_t)n, &h->paths[n]);
    }
}

void rct_held_through(const rct_held_trunk *h, int32_t from, int32_t stop, double e[6][6],
                      double psi[6][6])
{
    h->kernels->walk(h->trunk, h->paths, from, stop, e, psi);
}

void rct_held_read(const rct_held_trunk *h, int32_t node, double acceleration[6])
{
    const rct_trunk *t = h->trunk;
    memcpy(acceleration, t->work + (int64_t)t->slot[node] * TRUNK_FIELDS + TRUNK_MOTION,
           6 * sizeof *acceleration);
}

const double *rct_held_derivatives(const rct_held_trunk *h, int32_t node)
{
    return h->rows->results + h->rows->result_at[h->trunk->row[node]] + WIDE_RESULT_RATES;
}

double *rct_held_wrenches(rct_held_trunk *h)
{
    memset(h->wrenches, 0, (size_t)h->trunk->count * 6 * sizeof *h->wrenches);
    return h->wrenches;
}

const double *rct_held_respond(rct_held_trunk *h)
{
    h->kernels->respond(h->trunk, h->paths, h->wrenches, h->motions);
    return h->motions;
}

void rct_held_settle(rct_held_trunk *h, double alone)
{
    h->kernels->settle(h->trunk, h->wrenches, h->motions, alone);
}
