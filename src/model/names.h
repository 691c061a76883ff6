/* An index of names: name -> id. Names of any length are copied into blocks that never move, so pointers to
 * them stay valid for the life of the index. */
#ifndef RCT_MODEL_NAMES_H
#define RCT_MODEL_NAMES_H

#include <riccatree/status.h>

typedef struct rct_names rct_names;

rct_names *rct_names_create(rct_error *error);
void rct_names_free(rct_names *names);

/* Copy `name` and enter it with `id`; one that is there gets the new id. The copy, or NULL when memory is short. */
const char *rct_names_add(rct_names *names, const char *name, int32_t id, rct_error *error);

int64_t rct_names_bytes(const rct_names *names);

/* The id entered with `name`, or -1. */
int32_t rct_names_find(const rct_names *names, const char *name);

#endif
