/* Recorded models, and reading the columns of /model. */
#ifndef RCT_TESTS_RECORDED_MODEL_H
#define RCT_TESTS_RECORDED_MODEL_H

#include "tests/support/files/recording.h"

/* The recorder asks the solver only for the number of bodies and for settings, so the solver of a
 * chain is enough. */
rct_recorder *recorded_create(const rct_model *model, rct_error *error);

/* The complete file of the model. */
hid_t recorded_write(const rct_model *model);

/* Doubles of items that are `stride` bytes apart. */
typedef struct column {
    const char *name;
    int width;
    const void *first;
    size_t stride;
} column;

/* The dataset of this name has these rows bit for bit; a row of an enum has the value of this
 * name. */
void expect_column(hid_t file, int64_t rows, column c);
void expect_enum(hid_t file, const char *name, int64_t row, const char *wanted);

#endif
