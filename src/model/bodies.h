/* The bodies of a model: of each its parent, and which of the distinct records it has, for huge models are of few. Plans share them
 * with the model they are made from, and keep them when it changes or goes: what has several owners is const, and who would
 * change it has a copy of his own first (rct_bodies_own).
 */
#ifndef RCT_MODEL_BODIES_H
#define RCT_MODEL_BODIES_H

#include "core/distinct.h"

#include <riccatree/model.h>

#include <stdatomic.h>

typedef struct rct_bodies {
    atomic_int owners;
    int32_t capacity;
    int32_t *parent;      /* [capacity] id, or RCT_GROUND                                       */
    int32_t *record;      /* [capacity] which record a body has                                 */
    rct_distinct records; /* rct_body without parent and name; of some there may be no body more */
} rct_bodies;

/* None, of one owner; NULL: RCT_ERROR_MEMORY. */
rct_bodies *rct_bodies_create(rct_error *error);

/* One owner more; gives the bodies. */
rct_bodies *rct_bodies_share(rct_bodies *bodies);

/* One owner less; the last one frees. NULL does nothing. */
void rct_bodies_release(rct_bodies *bodies);

/* See that the first `count` bodies have one owner: by a copy, if need be. On failure all is as before. */
rct_status rct_bodies_own(rct_bodies **bodies, int32_t count, rct_error *error);

/* Room for `capacity` bodies, of which there are `count`. On failure all is as before. */
rct_status rct_bodies_reserve(rct_bodies *bodies, int32_t count, int32_t capacity,
                              rct_error *error);

/* Write body `id`, below the capacity, but for its name. On failure it is as before. */
rct_status rct_bodies_put(rct_bodies *bodies, int32_t id, const rct_body *body, rct_error *error);

/* All of body `id` but its parent and its name. */
static inline const rct_body *rct_bodies_at(const rct_bodies *bodies, int64_t id)
{
    return (const rct_body *)bodies->records.records + bodies->record[id];
}

/* Body `id` but for its name. */
static inline rct_body rct_bodies_get(const rct_bodies *bodies, int64_t id)
{
    rct_body body = *rct_bodies_at(bodies, id);
    body.parent = bodies->parent[id];
    return body;
}

/* The first `count` bodies, each in one piece. */
void rct_bodies_list(const rct_bodies *bodies, int32_t count, rct_body *list);

/* The share that one owner has of the bytes held. */
int64_t rct_bodies_bytes(const rct_bodies *bodies);

#endif
