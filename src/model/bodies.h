/* The bodies of a model: of each its parent, its name, and which it has of the distinct records, for huge models are of few, and of the distinct
 * starts. Plans share them with the model they are made from, and keep them when it changes or goes: what has several owners is
 * const, and who would change it has a copy of his own first (rct_bodies_own).
 */
#ifndef RCT_MODEL_BODIES_H
#define RCT_MODEL_BODIES_H

#include "core/distinct.h"

#include <riccatree/model.h>

#include <stdatomic.h>
#include <stddef.h>

/* The state that a body starts in, as rct_body has it. */
typedef struct rct_start {
    double orientation[4], angular_velocity[3], position[3], rate[3];
} rct_start;

typedef struct rct_bodies {
    atomic_int owners;
    int32_t capacity;
    int32_t *parent;    /* [capacity] id, or RCT_GROUND                                       */
    int32_t *record;    /* [capacity] which record a body has                                 */
    int32_t *start;     /* [capacity] which start                                             */
    const char **name;  /* [named_room] of its own, in `texts`, or NULL                       */
    int32_t named_room; /* bodies that may have names; 0: none has                            */
    struct rct_names *texts; /* NULL: there are no names                                        */
    rct_distinct records; /* rct_body without parent, name and start; some of no body any more  */
    rct_distinct starts;  /* rct_start                                                          */
} rct_bodies;

/* None, of one owner; NULL: RCT_ERROR_MEMORY. */
rct_bodies *rct_bodies_create(rct_error *error);

enum { RCT_BODY_LABEL = RCT_NAME_SIZE + 24 };

/* How an error calls body `id`: `body 17 "link7"`, or `body 17` if it has no name. Gives `label` back. */
const char *rct_bodies_label(const rct_bodies *bodies, int32_t id, char label[RCT_BODY_LABEL]);

/* Room for names of as many bodies as there is room for; the names are copies in `texts`. On failure all is as before. */
rct_status rct_bodies_reserve_names(rct_bodies *bodies, struct rct_names *texts, rct_error *error);

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

/* All of body `id` but its parent, its name and its start. */
static inline const rct_body *rct_bodies_at(const rct_bodies *bodies, int64_t id)
{
    return (const rct_body *)bodies->records.records + bodies->record[id];
}

static inline const rct_start *rct_bodies_start(const rct_bodies *bodies, int64_t id)
{
    return (const rct_start *)bodies->starts.records + bodies->start[id];
}

/* Body `id` but for its name. */
rct_body rct_bodies_get(const rct_bodies *bodies, int64_t id);

/* The numbers of body `id` at `offset` in rct_body. */
const double *rct_bodies_numbers(const rct_bodies *bodies, int64_t id, size_t offset);

/* Whether two bodies are the same, bit for bit, but for parents and names. */
int rct_bodies_alike(const rct_bodies *bodies, int64_t id, const rct_bodies *others, int64_t other);

/* The share that one owner has of the bytes held. */
int64_t rct_bodies_bytes(const rct_bodies *bodies);

#endif
