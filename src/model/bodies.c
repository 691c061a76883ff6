/* Bodies shared by a model and its plans (bodies.h). */
#include "model/bodies.h"

#include "core/error.h"
#include "core/memory.h"
#include "model/names.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NO_PARENT = INT32_MIN, START = offsetof(rct_body, orientation) };
_Static_assert(offsetof(rct_body, stiffness) - START == sizeof(rct_start), "starts in one piece");

/* The start of a record. It is NaN, so that using it as the start of a body shows. */
static const rct_start no_start = {
    {NAN, NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}};

static const char what[] = "the bodies of a model";

rct_bodies *rct_bodies_create(rct_error *error)
{
    rct_bodies *bodies = rct_allocate(1, sizeof *bodies, what, error);
    if (bodies != NULL) {
        atomic_init(&bodies->owners, 1);
        bodies->records.size = sizeof(rct_body);
        bodies->starts.size = sizeof(rct_start);
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
        rct_release(bodies->start);
        rct_release(bodies->name);
        rct_names_free(bodies->texts);
        rct_distinct_free(&bodies->records);
        rct_distinct_free(&bodies->starts);
        rct_release(bodies);
    }
}

rct_status rct_bodies_reserve(rct_bodies *bodies, int32_t count, int32_t capacity, rct_error *error)
{
    const int64_t bytes = capacity * (int64_t)(sizeof *bodies->parent + sizeof *bodies->record +
                                               sizeof *bodies->start);
    if (!rct_memory_has(bytes)) {
        return rct_fail(error, RCT_ERROR_MEMORY,
                        "out of memory: %" PRId32
                        " bodies take %.1f GB for the model alone, and that much is not free; make "
                        "the model smaller or free memory",
                        capacity, 1e-9 * (double)bytes);
    }
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
    int32_t *start = rct_widen(bodies->start, count, capacity, sizeof *start, what, error);
    if (start == NULL) {
        return RCT_ERROR_MEMORY;
    }
    bodies->start = start;
    bodies->capacity = capacity;
    return RCT_OK;
}

rct_status rct_bodies_reserve_names(rct_bodies *bodies, struct rct_names *texts, rct_error *error)
{
    const char **names = rct_widen(bodies->name, bodies->named_room, bodies->capacity,
                                   sizeof *names, "the names of bodies", error);
    if (names == NULL) {
        return RCT_ERROR_MEMORY;
    }
    bodies->name = names;
    bodies->named_room = bodies->capacity;
    bodies->texts = bodies->texts != NULL ? bodies->texts : rct_names_share(texts);
    return RCT_OK;
}

const char *rct_bodies_label(const rct_bodies *bodies, int32_t id, char label[RCT_BODY_LABEL])
{
    const char *name = id < bodies->named_room ? bodies->name[id] : NULL;
    snprintf(label, RCT_BODY_LABEL, "body %" PRId32 "%s%s%s", id, name != NULL ? " \"" : "",
             name != NULL ? name : "", name != NULL ? "\"" : "");
    return label;
}

/* Copy the names of the first `count` bodies. There is room for them. */
static rct_status copy_names(rct_bodies *own, const rct_bodies *from, int32_t count,
                             rct_error *error)
{
    if (from->named_room == 0) {
        return RCT_OK;
    }
    const rct_status status = rct_bodies_reserve_names(own, from->texts, error);
    if (status == RCT_OK) {
        const int32_t named = count < from->named_room ? count : from->named_room;
        memcpy(own->name, from->name, (size_t)named * sizeof *own->name);
    }
    return status;
}

/* Copy the first `count` bodies. There is room for them. */
static rct_status copy_kept(rct_bodies *own, const rct_bodies *from, int32_t count,
                            rct_error *error)
{
    if (count == 0) {
        return RCT_OK;
    }
    memcpy(own->parent, from->parent, (size_t)count * sizeof *own->parent);
    memcpy(own->record, from->record, (size_t)count * sizeof *own->record);
    memcpy(own->start, from->start, (size_t)count * sizeof *own->start);
    rct_status status = rct_distinct_copy(&own->records, &from->records, what, error);
    RCT_THEN(status, rct_distinct_copy(&own->starts, &from->starts, what, error));
    return RCT_THEN(status, copy_names(own, from, count, error));
}

rct_status rct_bodies_own(rct_bodies **bodies, int32_t count, rct_error *error)
{
    rct_bodies *shared = *bodies;
    if (atomic_load_explicit(&shared->owners, memory_order_acquire) == 1) {
        shared->records.count = count > 0 ? shared->records.count : 0;
        shared->starts.count = count > 0 ? shared->starts.count : 0;
        return RCT_OK;
    }
    rct_bodies *own = rct_bodies_create(error);
    if (own == NULL || rct_bodies_reserve(own, 0, shared->capacity, error) != RCT_OK ||
        copy_kept(own, shared, count, error) != RCT_OK) {
        rct_bodies_release(own);
        return RCT_ERROR_MEMORY;
    }
    *bodies = own;
    rct_bodies_release(shared);
    return RCT_OK;
}

rct_status rct_bodies_put(rct_bodies *bodies, int32_t id, const rct_body *body, rct_error *error)
{
    const int32_t items = bodies->capacity;
    rct_body own;
    rct_start start;
    int32_t number[2];
    memcpy(&own, body, sizeof own);
    memcpy(&start, (const char *)body + START, sizeof start);
    memcpy((char *)&own + START, &no_start, sizeof no_start);
    own.parent = NO_PARENT;
    own.name = NULL;
    if (rct_distinct_put(&bodies->records, &own, id, items, &number[0], what, error) != RCT_OK ||
        rct_distinct_put(&bodies->starts, &start, id, items, &number[1], what, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    bodies->record[id] = number[0];
    bodies->start[id] = number[1];
    bodies->parent[id] = body->parent;
    return RCT_OK;
}

rct_body rct_bodies_get(const rct_bodies *bodies, int64_t id)
{
    rct_body body = *rct_bodies_at(bodies, id);
    memcpy((char *)&body + START, rct_bodies_start(bodies, id), sizeof(rct_start));
    body.parent = bodies->parent[id];
    return body;
}

const double *rct_bodies_numbers(const rct_bodies *bodies, int64_t id, size_t offset)
{
    const size_t begin = START, end = begin + sizeof(rct_start);
    const char *from = offset >= begin && offset < end
                           ? (const char *)rct_bodies_start(bodies, id) + (offset - begin)
                           : (const char *)rct_bodies_at(bodies, id) + offset;
    return (const double *)(const void *)from;
}

int rct_bodies_alike(const rct_bodies *bodies, int64_t id, const rct_bodies *others, int64_t other)
{
    const char *a = (const char *)rct_bodies_at(bodies, id);
    const char *b = (const char *)rct_bodies_at(others, other);
    const char *p = (const char *)rct_bodies_start(bodies, id);
    const char *q = (const char *)rct_bodies_start(others, other);
    return (a == b || memcmp(a, b, sizeof(rct_body)) == 0) &&
           (p == q || memcmp(p, q, sizeof(rct_start)) == 0);
}

int64_t rct_bodies_bytes(const rct_bodies *bodies)
{
    const int64_t one = sizeof *bodies->parent + sizeof *bodies->record + sizeof *bodies->start;
    return ((int64_t)sizeof *bodies + bodies->capacity * one +
            bodies->named_room * (int64_t)sizeof *bodies->name +
            (bodies->texts != NULL ? rct_names_bytes(bodies->texts) : 0) +
            rct_distinct_bytes(&bodies->records) + rct_distinct_bytes(&bodies->starts)) /
           atomic_load_explicit(&bodies->owners, memory_order_relaxed);
}
