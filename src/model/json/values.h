/* Reading values of a model file, with errors that say where they stand. A reader keeps the path to
 * the value it is at; every function below that fails fills its error with the line of that path. */
#ifndef RCT_MODEL_JSON_VALUES_H
#define RCT_MODEL_JSON_VALUES_H

#include "model/json/lines.h"

#include <riccatree/model.h>

#include <jansson.h>

typedef struct rct_json_reader {
    const char *text;
    int64_t size;
    rct_json_path path;
    const json_t *body;       /* the body being read, to name it in errors, or NULL */
    int32_t id;               /* its id */
    int32_t force;            /* number of the force being read, or -1 */
    int32_t loop;             /* number of the loop being read, or -1 */
    const json_t *loop_value; /* it, to name it in errors, or NULL */
    rct_model *model;
    rct_error *error; /* never NULL */
} rct_json_reader;

/* Go down to a member or an element, and back up. */
void rct_json_enter_key(rct_json_reader *reader, const char *key);
void rct_json_enter_index(rct_json_reader *reader, int64_t index);
void rct_json_leave(rct_json_reader *reader);

/* RCT_ERROR_MODEL: "line N: body I "name": " and the text, where a body is being read. */
__attribute__((format(printf, 2, 3))) rct_status rct_json_fail(rct_json_reader *reader,
                                                               const char *format, ...);

/* Put the line of the present path before an error that others filled, if it is about the model. */
rct_status rct_json_locate(rct_json_reader *reader, rct_status status);

/* Put printf-style text before the error's text. */
__attribute__((format(printf, 2, 3))) void rct_json_prefix(rct_error *error, const char *format,
                                                           ...);

/* "an object", "a string", ... for errors. */
const char *rct_json_type(const json_t *value);

/* `value`, which stands at the present path and is called `what`, must be an object that has no keys
 * but `known`, NULL at the end. */
rct_status rct_json_object(rct_json_reader *reader, const json_t *value, const char *what,
                           const char *const *known);

/* Member `key`, or NULL with the error filled: "key" is missing; `advice`. */
const json_t *rct_json_required(rct_json_reader *reader, const json_t *object, const char *key,
                                const char *advice);

/* The next five leave `out` as it is where the object has no member `key`. */

/* Exactly `count` numbers. */
rct_status rct_json_vector(rct_json_reader *reader, const json_t *object, const char *key,
                           double *out, int count);
rct_status rct_json_number(rct_json_reader *reader, const json_t *object, const char *key,
                           double *out);
/* Exactly `count` numbers, one of them without brackets. */
rct_status rct_json_numbers(rct_json_reader *reader, const json_t *object, const char *key,
                            double *out, int count);
/* true or false, as 1 or 0. */
rct_status rct_json_flag(rct_json_reader *reader, const json_t *object, const char *key, int *out);
/* A string that is not empty; it lives as long as the JSON value. */
rct_status rct_json_string(rct_json_reader *reader, const json_t *object, const char *key,
                           const char **out);

/* The body called by member `key`, which is required, or the ground. Its bodies are read before. */
rct_status rct_json_end(rct_json_reader *reader, const json_t *object, const char *key,
                        int32_t *id);

#endif
