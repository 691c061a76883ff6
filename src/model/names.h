/* Names of bodies, loops and models, and an index of them: name -> id. Names of any length are copied into blocks that never
 * move, so pointers to them stay valid for the life of the index. */
#ifndef RCT_MODEL_NAMES_H
#define RCT_MODEL_NAMES_H

#include <riccatree/model.h>

/* The name that item `number` answers to: its own, or, where that is NULL or "", WORD and the number, which is
 * not negative. */
void rct_answer(char text[RCT_NAME_SIZE], const char *name, const char *word, int64_t number);

/* The number in a name that is so made up; -1 if it is not. */
int32_t rct_made_up(const char *name, const char *word);

/* Why a model file could not hold `name`, as the end of a sentence about it, or NULL if it can. */
const char *rct_name_trouble(const char *name);

/* The same for a body, which is besides what other bodies call their parent. */
const char *rct_body_name_trouble(const char *name);

typedef struct rct_names rct_names;

rct_names *rct_names_create(rct_error *error);

/* One owner more, who may read the copies of names that were entered before; gives the names. One less: the last one frees. */
rct_names *rct_names_share(rct_names *names);
void rct_names_free(rct_names *names);

/* Copy `name` and enter it with `id`; one that is there gets the new id. The copy, or NULL when memory is short. */
const char *rct_names_add(rct_names *names, const char *name, int32_t id, rct_error *error);

/* The share that one owner has of the bytes held. */
int64_t rct_names_bytes(const rct_names *names);

/* The id entered with `name`, or -1. */
int32_t rct_names_find(const rct_names *names, const char *name);

/* rct_did_you_mean of the names entered, for an error about a `name` that is not. */
const char *rct_names_hint(const rct_names *names, const char *name, const char *advice,
                           char text[RCT_ERROR_TEXT_SIZE]);

#endif
