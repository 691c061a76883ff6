/* Recorded models, and reading the columns of /model. */
#ifndef RCT_TESTS_RECORDED_MODEL_H
#define RCT_TESTS_RECORDED_MODEL_H

#include "tests/support/files/recording.h"

/* The recorder asks the solver only for numbers of bodies and for settings, so that of a chain will do. */
rct_recorder *recorded_create(const rct_model *model, rct_error *error);

/* The file of the model, made and closed. */
hid_t recorded_write(const rct_model *model);

/* Doubles of items that are `stride` bytes apart. */
typedef struct column {
    const char *name;
    int width;
    const void *first;
    size_t stride;
} column;

/* The dataset of that name has these rows bit for bit; the value of a row of an enum has this name. */
void expect_column(hid_t file, int64_t rows, column c);
void expect_enum(hid_t file, const char *name, int64_t row, const char *wanted);

#endif
