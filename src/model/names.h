/* The index of body names: name -> id. Names are copied into blocks that never move, so pointers to
 * them stay valid for the life of the model. */
#ifndef RCT_MODEL_NAMES_H
#define RCT_MODEL_NAMES_H

#include <riccatree/status.h>

typedef struct rct_names rct_names;

rct_names *rct_names_create(rct_error *error);
void rct_names_free(rct_names *names);

/* Copy `name` and enter it with `id`. The copy, or NULL when memory is short. The name must be new
 * (see rct_names_find). */
const char *rct_names_add(rct_names *names, const char *name, int32_t id, rct_error *error);

/* The id entered with `name`, or -1. */
int32_t rct_names_find(const rct_names *names, const char *name);

#endif
