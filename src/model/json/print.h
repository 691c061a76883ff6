/* Values of a model file as text, and the forces on the bodies. */
#ifndef RCT_MODEL_JSON_PRINT_H
#define RCT_MODEL_JSON_PRINT_H

#include "model/keys.h"
#include "model/model.h"

#include <stdio.h>

/* A number that reads back as the same bits; `"key": ` and a number, an array, or one of both by
 * their count. */
void rct_json_print_number(FILE *out, double x);
void rct_json_print_vector(FILE *out, const char *key, const double *x, int count);
void rct_json_print_numbers(FILE *out, const char *key, const double *x, int count);

/* A string in quotes. */
void rct_json_print_string(FILE *out, const char *text);

/* Whether any bits differ. */
int rct_json_differs(const double *x, const double *plain, int count);

/* `"key": ` and the name of a body or "ground". */
void rct_json_print_end(FILE *out, const char *key, const rct_model *model, int32_t body);

/* The keys (model/keys.h) of kinds `uses` of `object`, a comma before each: bodies, and numbers
 * that are required in a file or differ from `plain`. */
void rct_json_print_keys(FILE *out, const rct_model *model, const rct_keys *keys, int uses,
                         const void *object, const void *plain);

/* A whole model file. Printing stops early if the stream fails. */
void rct_json_print_model(FILE *out, const rct_model *model);

/* One body as an object, even if it is part of a run of like bodies; and a model file without
 * its bodies. */
void rct_json_print_body(FILE *out, const rct_model *model, int32_t body);
void rct_json_print_frame(FILE *out, const rct_model *model);

/* The end of a model file: members "forces", "loops", "base" and "events" if the model has any,
 * and the last bracket. */
void rct_json_print_tail(FILE *out, const rct_model *model);

#endif
