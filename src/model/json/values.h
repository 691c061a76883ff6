/* Read values of a model file, with errors that say where they are. A reader knows the value it
 * is at. Every function below that fails fills the error with the line of that value or of a
 * member. A reader that has failed reads nothing more and keeps its first error, so a caller
 * need not test after every value. */
#ifndef RCT_MODEL_JSON_VALUES_H
#define RCT_MODEL_JSON_VALUES_H

#include "model/hinge_types.h"
#include "model/json/tree.h"
#include "model/keys.h"

#include <riccatree/model.h>

/* The keys of a body's hinge, by its type: hinge.c. All zero: not found yet. */
enum { RCT_JSON_HINGE, RCT_JSON_INITIAL, RCT_JSON_SECTIONS };
typedef struct rct_json_section {
    rct_hinge_type type;
    char what[48]; /* its name in errors */
    rct_keys keys; /* in `room`              */
    rct_key room[RCT_HINGE_KEYS + 1];
} rct_json_section;

typedef struct rct_json_reader {
    rct_json_tree file;    /* the text, without the content of its large arrays    */
    rct_json_tree element; /* the element of such an array that is being read      */
    const rct_json *at;    /* the value whose line errors give                     */
    const char
        *what; /* "body", "force" or "loop": the kind of item being read, for errors; or NULL */
    int32_t
        number; /* its number                                                                   */
    const rct_json
        *item;    /* the item, if errors give its name, or NULL                               */
    int unlinked; /* a name of a parent came before the parent                                   */
    rct_json_section sections[RCT_JSON_SECTIONS]; /* of the last hinge read                      */
    rct_model *model;
    rct_status status;
    rct_error *error; /* never NULL */
} rct_json_reader;

/* Enter a value; leave it to the value that entering returned. */
const rct_json *rct_json_enter(rct_json_reader *reader, const rct_json *value);

/* RCT_ERROR_MODEL: "line N: body I "name": " and the text, while a body is being read. N is the
 * line of member `key` of the value, or of the value itself if `key` is NULL or missing. */
__attribute__((format(printf, 3, 4))) void rct_json_fail(rct_json_reader *reader, const char *key,
                                                         const char *format, ...);

/* Pass on the status of another layer. If the error is about the model, put the line of the
 * present value before it. */
void rct_json_heard(rct_json_reader *reader, rct_status status);

/* "an object", "a string", ... for errors. */
const char *rct_json_type_name(const rct_json *value);

/* `value`, at which the reader is and which errors call `what`, must be an object with no keys
 * except `known`, which ends with NULL. */
void rct_json_object(rct_json_reader *reader, const rct_json *value, const char *what,
                     const char *const *known);

/* Member `key`, or NULL with the error: "key" is missing; `advice`. */
const rct_json *rct_json_required(rct_json_reader *reader, const rct_json *object, const char *key,
                                  const char *advice);

/* The number of the type that member "type" of `value` names, 0 on failure. Errors call `value`
 * `what` and its type "<before>type ... <after>"; `name` gives the names of `count` types. */
typedef struct rct_json_types {
    const char *what, *before, *after, *advice;
    const char *(*name)(int number);
    int count;
} rct_json_types;
int rct_json_type_in(rct_json_reader *reader, const rct_json *value, const rct_json_types *types);

/* The next element, behind `*place`, of an array that is kept out of the tree
 * (rct_json_element). NULL on failure. */
const rct_json *rct_json_take(rct_json_reader *reader, const rct_json *array, const char **place);

/* Do `read` with every element of member `key` of the file, if the member exists: an array
 * `key`, each element a `what`. */
void rct_json_each(rct_json_reader *reader, const char *key, const char *what,
                   void (*read)(rct_json_reader *reader, const rct_json *value));

/* The next five leave `out` unchanged if the object has no member `key`. */

/* Exactly `count` numbers; one number that is not an array. */
void rct_json_vector(rct_json_reader *reader, const rct_json *object, const char *key, double *out,
                     int count);
void rct_json_one(rct_json_reader *reader, const rct_json *object, const char *key, double *out);
/* Exactly `count` numbers; a single number stands without brackets. */
void rct_json_numbers(rct_json_reader *reader, const rct_json *object, const char *key, double *out,
                      int count);
/* true or false, as 1 or 0. */
void rct_json_flag(rct_json_reader *reader, const rct_json *object, const char *key, int *out);
/* A string that is not empty. It lives as long as the value. */
void rct_json_text(rct_json_reader *reader, const rct_json *object, const char *key,
                   const char **out);

/* The number of the word in member `key`, `number` if the member is missing. `name` gives the
 * three words. */
int rct_json_word(rct_json_reader *reader, const rct_json *object, const char *key,
                  const char *(*name)(int), int number);

/* The body that member `key`, which is required, names, or the ground. The bodies are read
 * before. */
void rct_json_end(rct_json_reader *reader, const rct_json *object, const char *key, int32_t *id);

/* A table, an array of at least two rows of `width` numbers each; `like` is their form, such as
 * "[t, x]". It is new memory of the caller, also after an error. */
double *rct_json_table(rct_json_reader *reader, const rct_json *rows, int width, const char *like,
                       int64_t *count);

/* Check the keys (model/keys.h) of kinds `uses`: no other key exists and no required key is
 * missing. Then read their content into `out`, except that of RCT_HOLDS_OTHER. */
void rct_json_check_keys(rct_json_reader *reader, const rct_json *object, const char *what,
                         const rct_keys *keys, int uses);
void rct_json_read_keys(rct_json_reader *reader, const rct_json *object, const rct_keys *keys,
                        int uses, void *out);

#endif
