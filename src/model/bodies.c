/* Bodies that a model and plans share (bodies.h). */
#include "model/bodies.h"

#include "core/memory.h"

#include <string.h>

enum { NO_PARENT = INT32_MIN };

static const char what[] = "the bodies of a model";

rct_bodies *rct_bodies_create(rct_error *error)
{
    rct_bodies *bodies = rct_allocate(1, sizeof *bodies, what, error);
    if (bodies != NULL) {
        atomic_init(&bodies->owners, 1);
        bodies->records.size = sizeof(rct_body);
    }
    return bodies;
}

rct_bodies *rct_bodies_share(rct_bodies *bodies)
{
    atomic_fetch_add_explicit(&bodies->owners, 1, memory_order_relaxed);
    return bodies;
}

void rct_bodies_release(rct_bodies *bodies)
{
    if (bodies != NULL &&
        atomic_fetch_sub_explicit(&bodies->owners, 1, memory_order_acq_rel) == 1) {
        rct_release(bodies->parent);
        rct_release(bodies->record);
        rct_distinct_free(&bodies->records);
        rct_release(bodies);
    }
}

rct_status rct_bodies_reserve(rct_bodies *bodies, int32_t count, int32_t capacity, rct_error *error)
{
    int32_t *parent = rct_widen(bodies->parent, count, capacity, sizeof *parent, what, error);
    if (parent == NULL) {
        return RCT_ERROR_MEMORY;
    }
    bodies->parent = parent;
    int32_t *record = rct_widen(bodies->record, count, capacity, sizeof *record, what, error);
    if (record == NULL) {
        return RCT_ERROR_MEMORY;
    }
    bodies->record = record;
    bodies->capacity = capacity;
    return RCT_OK;
}

rct_status rct_bodies_own(rct_bodies **bodies, int32_t count, rct_error *error)
{
    rct_bodies *shared = *bodies;
    if (atomic_load_explicit(&shared->owners, memory_order_acquire) == 1) {
        shared->records.count = count > 0 ? shared->records.count : 0;
        return RCT_OK;
    }
    rct_bodies *own = rct_bodies_create(error);
    if (own == NULL || rct_bodies_reserve(own, 0, shared->capacity, error) != RCT_OK ||
        (count > 0 && rct_distinct_copy(&own->records, &shared->records, what, error) != RCT_OK)) {
        rct_bodies_release(own);
        return RCT_ERROR_MEMORY;
    }
    if (count > 0) {
        memcpy(own->parent, shared->parent, (size_t)count * sizeof *own->parent);
        memcpy(own->record, shared->record, (size_t)count * sizeof *own->record);
    }
    *bodies = own;
    rct_bodies_release(shared);
    return RCT_OK;
}

rct_status rct_bodies_put(rct_bodies *bodies, int32_t id, const rct_body *body, rct_error *error)
{
    rct_body record;
    memcpy(&record, body, sizeof record);
    record.parent = NO_PARENT;
    record.name = NULL;
    const rct_status status = rct_distinct_put(&bodies->records, &record, bodies->capacity,
                                               &bodies->record[id], what, error);
    if (status == RCT_OK) {
        bodies->parent[id] = body->parent;
    }
    return status;
}

void rct_bodies_list(const rct_bodies *bodies, int32_t count, rct_body *list)
{
    for (int32_t b = 0; b < count; b++) {
        list[b] = rct_bodies_get(bodies, b);
    }
}

int64_t rct_bodies_bytes(const rct_bodies *bodies)
{
    const int64_t one = sizeof *bodies->parent + sizeof *bodies->record;
    return ((int64_t)sizeof *bodies + bodies->capacity * one +
            rct_distinct_bytes(&bodies->records)) /
           atomic_load_explicit(&bodies->owners, memory_order_relaxed);
}
