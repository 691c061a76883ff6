/* Orders the bodies so that parents stand before children, for any ids: breadth first from the
 * ground with children chained in lists, no recursion. */
#include "core/memory.h"
#include "topology/topology.h"

#include <stddef.h>

rct_status rct_order_bodies(rct_plan *plan, rct_error *error)
{
    const int32_t n = plan->body_count;
    /* children of body b: first[b + 1], then next[child]...; -1 ends a list; row 0 is the ground */
    int32_t *first = rct_allocate((int64_t)n + 1, sizeof *first, "the order of bodies", error);
    int32_t *next = rct_allocate(n, sizeof *next, "the order of bodies", error);
    if (first == NULL || next == NULL) {
        rct_release(first);
        rct_release(next);
        return RCT_ERROR_MEMORY;
    }
    for (int32_t b = 0; b <= n; b++) {
        first[b] = -1;
    }
    for (int32_t b = n - 1; b >= 0; b--) {
        const int32_t parent = plan->bodies->parent[b];
        next[b] = first[parent + 1];
        first[parent + 1] = b;
    }
    int32_t written = 0;
    for (int32_t b = first[0]; b >= 0; b = next[b]) {
        plan->order[written++] = b;
    }
    for (int32_t read = 0; read < written; read++) {
        for (int32_t b = first[plan->order[read] + 1]; b >= 0; b = next[b]) {
            plan->order[written++] = b;
        }
    }
    rct_release(first);
    rct_release(next);
    return RCT_OK;
}
