/* Values of a model file as text, and what acts on the bodies. */
#ifndef RCT_MODEL_JSON_PRINT_H
#define RCT_MODEL_JSON_PRINT_H

#include "model/keys.h"
#include "model/model.h"

#include <stdio.h>

/* A number that reads as the same bits; `"key": ` and a number, an array, or one of both by their count. */
void rct_json_print_number(FILE *out, double x);
void rct_json_print_vector(FILE *out, const char *key, const double *x, int count);
void rct_json_print_numbers(FILE *out, const char *key, const double *x, int count);

/* In quotes. */
void rct_json_print_string(FILE *out, const char *text);

/* Whether bits differ. */
int rct_json_differs(const double *x, const double *plain, int count);

/* `"key": ` and the name of a body or "ground". */
void rct_json_print_end(FILE *out, const char *key, const rct_model *model, int32_t body);

/* Keys (model/keys.h) of kinds `uses` that `object` has, a comma before each: bodies, and numbers that a file must give
 * or that are not as in `plain`. */
void rct_json_print_keys(FILE *out, const rct_model *model, const rct_keys *keys, int uses,
                         const void *object, const void *plain);

/* A whole model file. Stops early when the stream fails. */
void rct_json_print_model(FILE *out, const rct_model *model);

/* One body as an object, whatever run of like bodies it stands in; and a model file without its bodies. */
void rct_json_print_body(FILE *out, const rct_model *model, int32_t body);
void rct_json_print_frame(FILE *out, const rct_model *model);

/* The end of a model file: members "forces", "loops", "base" and "events" where the model has any, and the last bracket. */
void rct_json_print_tail(FILE *out, const rct_model *model);

#endif
