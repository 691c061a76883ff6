/* Reading values of a model file, with errors that say where they stand. A reader keeps the path to
 * the value it is at; every function below that fails fills its error with the line of that path. A reader that has
 * failed reads nothing more and keeps its first error, so that not every value needs to be asked after. */
#ifndef RCT_MODEL_JSON_VALUES_H
#define RCT_MODEL_JSON_VALUES_H

#include "model/json/lines.h"
#include "model/keys.h"

#include <riccatree/model.h>

#include <jansson.h>

typedef struct rct_json_reader {
    const char *text;
    int64_t size;
    rct_json_path path;
    const char
        *what; /* "body", "force" or "loop": what is being read, to name it in errors; or NULL */
    int32_t
        number; /* its number                                                                   */
    const json_t
        *item; /* it, if errors say its name, or NULL                                          */
    rct_model *model;
    rct_status status;
    rct_error *error; /* never NULL */
} rct_json_reader;

/* Go down to a member or an element, and back up. */
void rct_json_enter_key(rct_json_reader *reader, const char *key);
void rct_json_enter_index(rct_json_reader *reader, int64_t index);
void rct_json_leave(rct_json_reader *reader);

/* RCT_ERROR_MODEL: "line N: body I "name": " and the text, where a body is being read; N is the line of member `key` of the
 * value, or of the value itself if that is NULL. */
__attribute__((format(printf, 3, 4))) void rct_json_fail(rct_json_reader *reader, const char *key,
                                                         const char *format, ...);

/* What another layer says; if it is about the model, the line of the present path comes before its error. */
void rct_json_heard(rct_json_reader *reader, rct_status status);

/* "an object", "a string", ... for errors. */
const char *rct_json_type(const json_t *value);

/* `value`, which stands at the present path and is called `what`, must be an object that has no keys
 * but `known`, NULL at the end. */
void rct_json_object(rct_json_reader *reader, const json_t *value, const char *what,
                     const char *const *known);

/* Member `key`, or NULL with the error filled: "key" is missing; `advice`. */
const json_t *rct_json_required(rct_json_reader *reader, const json_t *object, const char *key,
                                const char *advice);

/* The number of the type that member "type" of `value` names, 0 on failure. `value` is called `what` in errors, its type
 * "<before>type ... <after>"; `name` gives the names of `count` types. */
typedef struct rct_json_types {
    const char *what, *before, *after, *advice;
    const char *(*name)(int number);
    int count;
} rct_json_types;
int rct_json_type_in(rct_json_reader *reader, const json_t *value, const rct_json_types *types);

/* Do `read` with every element of member `key`, if it is there: an array of `key`, each of them a `what`. */
void rct_json_each(rct_json_reader *reader, const json_t *object, const char *key, const char *what,
                   void (*read)(rct_json_reader *reader, const json_t *value));

/* The next five leave `out` as it is where the object has no member `key`. */

/* Exactly `count` numbers. */
void rct_json_vector(rct_json_reader *reader, const json_t *object, const char *key, double *out,
                     int count);
void rct_json_number(rct_json_reader *reader, const json_t *object, const char *key, double *out);
/* Exactly `count` numbers, one of them without brackets. */
void rct_json_numbers(rct_json_reader *reader, const json_t *object, const char *key, double *out,
                      int count);
/* true or false, as 1 or 0. */
void rct_json_flag(rct_json_reader *reader, const json_t *object, const char *key, int *out);
/* A string that is not empty; it lives as long as the JSON value. */
void rct_json_string(rct_json_reader *reader, const json_t *object, const char *key,
                     const char **out);

/* The body called by member `key`, which is required, or the ground. Its bodies are read before. */
void rct_json_end(rct_json_reader *reader, const json_t *object, const char *key, int32_t *id);

/* Keys (model/keys.h) of kinds `uses`: no other keys are there, none that must be is missing; and what they hold, into
 * `out`, but for what is RCT_HOLDS_OTHER. */
void rct_json_check_keys(rct_json_reader *reader, const json_t *object, const char *what,
                         const rct_keys *keys, int uses);
void rct_json_read_keys(rct_json_reader *reader, const json_t *object, const rct_keys *keys,
                        int uses, void *out);

#endif
