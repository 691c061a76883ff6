/* Reading values of a model file, with errors that say where they stand. A reader knows the value it is at; every function
 * below that fails fills its error with the line of that value or of a member. A reader that has
 * failed reads nothing more and keeps its first error, so that not every value needs to be asked after. */
#ifndef RCT_MODEL_JSON_VALUES_H
#define RCT_MODEL_JSON_VALUES_H

#include "model/hinge_types.h"
#include "model/json/tree.h"
#include "model/keys.h"

#include <riccatree/model.h>

/* What a body may say of its hinge, by the type: hinge.c. All zero: not found yet. */
enum { RCT_JSON_HINGE, RCT_JSON_INITIAL, RCT_JSON_SECTIONS };
typedef struct rct_json_section {
    rct_hinge_type type;
    char what[48]; /* it is called in errors */
    rct_keys keys; /* in `room`              */
    rct_key room[RCT_HINGE_KEYS + 1];
} rct_json_section;

typedef struct rct_json_reader {
    rct_json_tree file;    /* the text, without what is in its large arrays        */
    rct_json_tree element; /* the element of one of these that is being read       */
    const rct_json *at;    /* the value whose line errors give                     */
    const char
        *what; /* "body", "force" or "loop": what is being read, to name it in errors; or NULL */
    int32_t
        number; /* its number                                                                   */
    const rct_json
        *item;    /* it, if errors say its name, or NULL                                      */
    int unlinked; /* a parent was called that had not come yet                                   */
    rct_json_section sections[RCT_JSON_SECTIONS]; /* of the last hinge that came                 */
    rct_model *model;
    rct_status status;
    rct_error *error; /* never NULL */
} rct_json_reader;

/* Go down to a value, and back up to what this gave. */
const rct_json *rct_json_enter(rct_json_reader *reader, const rct_json *value);

/* RCT_ERROR_MODEL: "line N: body I "name": " and the text, where a body is being read; N is the line of member `key` of the
 * value, or of the value itself if that is NULL or not there. */
__attribute__((format(printf, 3, 4))) void rct_json_fail(rct_json_reader *reader, const char *key,
                                                         const char *format, ...);

/* What another layer says; if it is about the model, the line of the present value comes before its error. */
void rct_json_heard(rct_json_reader *reader, rct_status status);

/* "an object", "a string", ... for errors. */
const char *rct_json_type_name(const rct_json *value);

/* `value`, which the reader is at and which is called `what`, must be an object that has no keys
 * but `known`, NULL at the end. */
void rct_json_object(rct_json_reader *reader, const rct_json *value, const char *what,
                     const char *const *known);

/* Member `key`, or NULL with the error filled: "key" is missing; `advice`. */
const rct_json *rct_json_required(rct_json_reader *reader, const rct_json *object, const char *key,
                                  const char *advice);

/* The number of the type that member "type" of `value` names, 0 on failure. `value` is called `what` in errors, its type
 * "<before>type ... <after>"; `name` gives the names of `count` types. */
typedef struct rct_json_types {
    const char *what, *before, *after, *advice;
    const char *(*name)(int number);
    int count;
} rct_json_types;
int rct_json_type_in(rct_json_reader *reader, const rct_json *value, const rct_json_types *types);

/* The next element of an array of the file that stands by itself, behind `*place` (rct_json_element); NULL on failure. */
const rct_json *rct_json_take(rct_json_reader *reader, const rct_json *array, const char **place);

/* Do `read` with every element of such a member `key` of the file, if it is there: an array of `key`, each of them a `what`. */
void rct_json_each(rct_json_reader *reader, const char *key, const char *what,
                   void (*read)(rct_json_reader *reader, const rct_json *value));

/* The next five leave `out` as it is where the object has no member `key`. */

/* Exactly `count` numbers; one number, `one` that is no array. */
void rct_json_vector(rct_json_reader *reader, const rct_json *object, const char *key, double *out,
                     int count);
void rct_json_one(rct_json_reader *reader, const rct_json *object, const char *key, double *out);
/* Exactly `count` numbers, one of them without brackets. */
void rct_json_numbers(rct_json_reader *reader, const rct_json *object, const char *key, double *out,
                      int count);
/* true or false, as 1 or 0. */
void rct_json_flag(rct_json_reader *reader, const rct_json *object, const char *key, int *out);
/* A string that is not empty; it lives as long as the value. */
void rct_json_text(rct_json_reader *reader, const rct_json *object, const char *key,
                   const char **out);

/* The number of the word of member `key`, `number` where there is none; of three that `name` has. */
int rct_json_word(rct_json_reader *reader, const rct_json *object, const char *key,
                  const char *(*name)(int), int number);

/* The body called by member `key`, which is required, or the ground. Its bodies are read before. */
void rct_json_end(rct_json_reader *reader, const rct_json *object, const char *key, int32_t *id);

/* A table, an array of two rows or more of `width` numbers each, which are `like` "[t, x]"; into new memory, which is the caller's, also
 * after an error. */
double *rct_json_table(rct_json_reader *reader, const rct_json *rows, int width, const char *like,
                       int64_t *count);

/* Keys (model/keys.h) of kinds `uses`: no other keys are there, none that must be is missing; and what they hold, into
 * `out`, but for what is RCT_HOLDS_OTHER. */
void rct_json_check_keys(rct_json_reader *reader, const rct_json *object, const char *what,
                         const rct_keys *keys, int uses);
void rct_json_read_keys(rct_json_reader *reader, const rct_json *object, const rct_keys *keys,
                        int uses, void *out);

#endif
