/* The bodies of a model: the parent and the name of each body, which distinct record it has, and
 * which distinct start. Huge models have few distinct records. Plans share the bodies of their
 * model and keep them when the model changes or is freed. Bodies with several owners are const:
 * an owner that wants to change them first makes its own copy (rct_bodies_own). */
#ifndef RCT_MODEL_BODIES_H
#define RCT_MODEL_BODIES_H

#include "core/distinct.h"

#include <riccatree/model.h>

#include <stdatomic.h>
#include <stddef.h>

/* The start of a body, as in rct_body. */
typedef struct rct_start {
    double orientation[4], angular_velocity[3], position[3], rate[3];
} rct_start;

typedef struct rct_bodies {
    atomic_int owners;
    int32_t capacity;
    int32_t *parent;    /* [capacity] id, or RCT_GROUND                                       */
    int32_t *record;    /* [capacity] the record of each body                                 */
    int32_t *start;     /* [capacity] the start of each body                                  */
    const char **name;  /* [named_room] a name in `texts`, or NULL                            */
    int32_t named_room; /* bodies that may have names; 0: no body has one                     */
    struct rct_names *texts; /* NULL: no names                                                  */
    rct_distinct records; /* rct_body without parent, name and start; some unused               */
    rct_distinct starts;  /* rct_start                                                          */
} rct_bodies;

/* No bodies, one owner. Returns NULL with RCT_ERROR_MEMORY on failure. */
rct_bodies *rct_bodies_create(rct_error *error);

enum { RCT_BODY_LABEL = RCT_NAME_SIZE + 24 };

/* The words for body `id` in an error: `body 17 "link7"`, or `body 17` without a name. Returns
 * `label`. */
const char *rct_bodies_label(const rct_bodies *bodies, int32_t id, char label[RCT_BODY_LABEL]);

/* Make room for as many names as there is room for bodies; names are copied into `texts`. On
 * failure nothing changes. */
rct_status rct_bodies_reserve_names(rct_bodies *bodies, struct rct_names *texts, rct_error *error);

/* Add an owner. Returns `bodies`. */
rct_bodies *rct_bodies_share(rct_bodies *bodies);

/* Remove an owner; the last one frees the bodies. NULL does nothing. */
void rct_bodies_release(rct_bodies *bodies);

/* Make the first `count` bodies belong to one owner, by a copy if needed. On failure nothing
 * changes. */
rct_status rct_bodies_own(rct_bodies **bodies, int32_t count, rct_error *error);

/* Make room for `capacity` bodies, of which `count` exist. On failure nothing changes. */
rct_status rct_bodies_reserve(rct_bodies *bodies, int32_t count, int32_t capacity,
                              rct_error *error);

/* Write body `id`, which is below the capacity, without its name. On failure the body stays as
 * it was. */
rct_status rct_bodies_put(rct_bodies *bodies, int32_t id, const rct_body *body, rct_error *error);

/* The record of body `id`: all but its parent, name and start. */
static inline const rct_body *rct_bodies_at(const rct_bodies *bodies, int64_t id)
{
    return (const rct_body *)bodies->records.records + bodies->record[id];
}

static inline const rct_start *rct_bodies_start(const rct_bodies *bodies, int64_t id)
{
    return (const rct_start *)bodies->starts.records + bodies->start[id];
}

/* Body `id` without its name. */
rct_body rct_bodies_get(const rct_bodies *bodies, int64_t id);

/* The numbers of body `id` at `offset` in rct_body. */
const double *rct_bodies_numbers(const rct_bodies *bodies, int64_t id, size_t offset);

/* Whether two bodies are the same bit for bit, apart from parent and name. */
int rct_bodies_alike(const rct_bodies *bodies, int64_t id, const rct_bodies *others, int64_t other);

/* One owner's share of the bytes held. */
int64_t rct_bodies_bytes(const rct_bodies *bodies);

#endif
