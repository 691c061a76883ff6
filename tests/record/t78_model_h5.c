/* Models in HDF5 are read back bit for bit, as the models of a recording and of an ensemble are;
 * every damage is detected; every failing step leaves the older file. t78_foreign_models tests
 * files of other programs. */
#include "tests/support/cmocka_all.h"
#include "tests/support/faults/damage.h"
#include "tests/support/files/recording.h"
#include "tests/support/files/small_ensemble.h"
#include "tests/support/systems/any_model.h"
#include "tests/support/systems/models_alike.h"

#include "core/memory.h"
#include "record/file/call.h"

#include <riccatree/riccatree.h>

#include <string.h>

/* The model of the file is this one, bit for bit. */
static void expect_model(const char *path, const rct_model *model)
{
    rct_error error = {.text = ""};
    rct_model *found = rct_model_read_h5(path, &error);
    assert_string_equal(error.text, "");
    assert_non_null(found);
    assert_true(models_alike(found, model));
    rct_model_free(found);
}

/* ---- what is written ---------------------------------------------------------------------- */

static void test_models_come_back(void **state)
{
    (void)state;
    const char *path = recording_path(0, "a.h5"), *again = recording_path(1, "b.h5");
    for (uint64_t seed = 1; seed <= 40; seed++) {
        rct_model *model = any_model(seed, 60, NULL);
        rct_file_info info;
        assert_int_equal(rct_model_write_h5(model, path, NULL), RCT_OK);
        assert_int_equal(rct_model_write_h5(model, again, NULL), RCT_OK);
        expect_model(path, model);
        damage_same_bytes(path, again);
        assert_int_equal(rct_file_check(path, &info, NULL), RCT_OK);
        assert_int_equal(info.kind, RCT_FILE_MODEL);
        assert_int_equal(info.written, model->count);
        assert_int_equal(info.complete + info.checked, 2);
        rct_model_free(model);
    }
    assert_int_equal(recording_count_files(".part"), 0);
}

/* More bodies than are read at a time, some of them named. */
static void test_many_bodies(void **state)
{
    (void)state;
    const char *path = recording_path(0, "a.h5");
    for (int named = 0; named < 2; named++) {
        rct_model *model = recording_chain(40000, named);
        assert_int_equal(rct_model_write_h5(model, path, NULL), RCT_OK);
        expect_model(path, model);
        rct_model_free(model);
    }
}

static void test_models_of_results(void **state)
{
    recording *f = *state;
    const char *path = recording_path(0, "a.h5");
    rct_recorder *recorder = recording_create(f, path, NULL);
    assert_int_equal(rct_recorder_close(recorder, 0, NULL), RCT_OK);
    expect_model(path, f->model);
    small_file(recording_path(1, "e.h5"));
    rct_model *base = rct_model_read_h5(recording_path(1, "e.h5"), NULL);
    assert_non_null(base);
    assert_int_equal(rct_model_body_count(base), 3);
    rct_model_free(base);
}

static rct_status open_damaged(void *context, rct_error *error)
{
    rct_model *model = rct_model_read_h5(context, error);
    const rct_status status = model != NULL ? RCT_OK : error->status;
    rct_model_free(model);
    return status;
}

static void test_the_reader_of_json_names_that_of_hdf5(void **state)
{
    recording *f = *state;
    const char *path = recording_path(0, "a.h5");
    rct_error error = {.status = RCT_OK};
    assert_int_equal(rct_model_write_h5(f->model, path, NULL), RCT_OK);
    assert_null(rct_model_read(path, &error));
    assert_int_equal(error.status, RCT_ERROR_SYNTAX);
    assert_non_null(strstr(error.text, "it is no model but HDF5; rct_model_read_h5 reads models"));
}

static void test_damaged_files(void **state)
{
    recording *f = *state;
    const char *path = recording_path(0, "a.h5");
    assert_int_equal(rct_model_write_h5(f->model, path, NULL), RCT_OK);
    const int64_t unseen = damage_flip_all(path, 41, open_damaged, (void *)path);
    assert_true(unseen <= 1); /* the counters, which a model has no use for */
}

/* ---- every step, every allocation --------------------------------------------------------- */

static void test_every_step_of_writing_can_fail(void **state)
{
    recording *f = *state;
    const char *path = recording_path(0, "a.h5");
    rct_status status = RCT_ERROR_IO;
    recording_write_text(path, "older");
    int64_t k = 0;
    for (; status != RCT_OK; k++) {
        rct_error error = {.status = RCT_OK, .text = ""};
        rct_call_fail_after(k);
        status = rct_model_write_h5(f->model, path, &error);
        rct_call_fail_after(-1);
        assert_int_equal(error.status, status);
        assert_int_equal(recording_count_files(".part"), 0);
        if (status != RCT_OK && strstr(error.text, "close the file") == NULL) {
            recording_expect_text(path, "older");
        }
    }
    assert_true(k > 200);
    expect_model(path, f->model);
}

static void test_every_step_of_reading_can_fail(void **state)
{
    (void)state;
    const char *path = recording_path(0, "a.h5");
    rct_model *model = any_model(3, 20, NULL), *found = NULL;
    assert_int_equal(rct_model_write_h5(model, path, NULL), RCT_OK);
    for (int64_t k = 0; found == NULL; k++) {
        rct_error error = {.status = RCT_OK, .text = ""};
        rct_call_fail_after(k);
        found = rct_model_read_h5(path, &error);
        rct_call_fail_after(-1);
        assert_int_equal(error.status, found == NULL ? RCT_ERROR_IO : RCT_OK);
    }
    rct_model_free(found);
    rct_model_free(model);
}

static void test_every_allocation_can_fail(void **state)
{
    (void)state;
    const char *path = recording_path(0, "a.h5");
    rct_model *model = any_model(3, 20, NULL), *found = NULL;
    rct_status status = RCT_ERROR_MEMORY;
    for (int64_t k = 0; status != RCT_OK; k++) {
        rct_allocate_fail_after(k);
        status = rct_model_write_h5(model, path, NULL);
        rct_allocate_fail_after(-1);
        assert_true(status == RCT_OK || status == RCT_ERROR_MEMORY);
    }
    for (int64_t k = 0; found == NULL; k++) {
        rct_error error = {.status = RCT_OK, .text = ""};
        rct_allocate_fail_after(k);
        found = rct_model_read_h5(path, &error);
        rct_allocate_fail_after(-1);
        assert_int_equal(error.status, found == NULL ? RCT_ERROR_MEMORY : RCT_OK);
    }
    rct_model_free(found);
    rct_model_free(model);
}

#define MODEL_TEST(name) cmocka_unit_test_setup_teardown(name, recording_begin, recording_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        MODEL_TEST(test_models_come_back),
        MODEL_TEST(test_many_bodies),
        MODEL_TEST(test_models_of_results),
        MODEL_TEST(test_the_reader_of_json_names_that_of_hdf5),
        MODEL_TEST(test_damaged_files),
        MODEL_TEST(test_every_step_of_writing_can_fail),
        MODEL_TEST(test_every_step_of_reading_can_fail),
        MODEL_TEST(test_every_allocation_can_fail),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
