/* Recorded models (recorded_model.h). */
#include "tests/record/recorded_model.h"

#include "tests/support/cmocka_all.h"

#include "model/model.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

rct_recorder *recorded_create(const rct_model *model, rct_error *error)
{
    rct_model *chain = recording_chain(rct_model_body_count(model), 0);
    rct_solver *solver = recording_solver(chain);
    rct_recorder_options options = rct_recorder_options_default();
    options.overwrite = 1;
    rct_recorder *recorder =
        rct_recorder_create(recording_path(0, "any.h5"), model, solver, &options, error);
    rct_solver_free(solver);
    rct_model_free(chain);
    return recorder;
}

hid_t recorded_write(const rct_model *model)
{
    struct stat found;
    rct_error error = {.text = ""};
    rct_recorder *recorder = recorded_create(model, &error);
    assert_string_equal(error.text, "");
    assert_int_equal(rct_recorder_close(recorder, 0, NULL), RCT_OK);
    assert_int_equal(stat(recording_path(0, "any.h5"), &found), 0);
    const int64_t announced = rct_recorder_file_bytes(model, 1);
    assert_true(announced >= found.st_size);
    const double slack = 65536.0 + (model->loop_count > 0 ? 24576.0 : 0.0) + /* of attributes */
                         (model->force_count > 0 ? 24576.0 : 0.0) +
                         (model->shape_count > 0 ? 12288.0 : 0.0);
    assert_true((double)(announced - found.st_size) <= 0.02 * (double)announced + slack);
    return recording_open(recording_path(0, "any.h5"));
}

void expect_column(hid_t file, int64_t rows, column c)
{
    double *values = calloc((size_t)(rows * c.width), sizeof *values);
    recording_read(file, c.name, H5T_NATIVE_DOUBLE, values);
    for (int64_t i = 0; i < rows; i++) {
        const char *item = (const char *)c.first + (size_t)i * c.stride;
        if (memcmp(values + i * c.width, item, (size_t)c.width * sizeof *values) != 0) {
            fail_msg("%s, row %d", c.name, (int)i);
        }
    }
    free(values);
}

void expect_enum(hid_t file, const char *name, int64_t row, const char *wanted)
{
    int8_t *values = calloc(100000, 1);
    char member[32] = "";
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t type = H5Dget_type(dataset);
    recording_read(file, name, type, values);
    assert_true(H5Tenum_nameof(type, &values[row], member, sizeof member) >= 0);
    assert_string_equal(member, wanted);
    H5Tclose(type);
    H5Dclose(dataset);
    free(values);
}
