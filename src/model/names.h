/* Names of bodies, loops and models, and an index of them: name -> id. Names of any length are
 * copied into blocks that never move, so pointers to them stay valid as long as the index lives. */
#ifndef RCT_MODEL_NAMES_H
#define RCT_MODEL_NAMES_H

#include <riccatree/model.h>

/* The name that item `number` answers to: its own name, or, if that is NULL or "", WORD and the
 * number, which is not negative. */
void rct_answer(char text[RCT_NAME_SIZE], const char *name, const char *word, int64_t number);

/* The number in a made-up name; -1 if it is not made up. */
int32_t rct_made_up(const char *name, const char *word);

/* Why a model file could not hold `name`, as the end of a sentence about it, or NULL if it can. */
const char *rct_name_trouble(const char *name);

/* The same for a body, whose name must also be usable as the parent of other bodies. */
const char *rct_body_name_trouble(const char *name);

typedef struct rct_names rct_names;

rct_names *rct_names_create(rct_error *error);

/* Add an owner, who may read the names entered before; returns `names`. Remove an owner; the
 * last one frees. */
rct_names *rct_names_share(rct_names *names);
void rct_names_free(rct_names *names);

/* Copy `name` and enter it with `id`; an existing name gets the new id. Returns the copy, or
 * NULL if memory is short. */
const char *rct_names_add(rct_names *names, const char *name, int32_t id, rct_error *error);

/* One owner's share of the bytes held. */
int64_t rct_names_bytes(const rct_names *names);

/* The id entered with `name`, or -1. */
int32_t rct_names_find(const rct_names *names, const char *name);

/* rct_did_you_mean over the names entered, for an error about a `name` that does not exist. */
const char *rct_names_hint(const rct_names *names, const char *name, const char *advice,
                           char text[RCT_ERROR_TEXT_SIZE]);

#endif
