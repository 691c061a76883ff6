/* Recorder: the group /model has all described datasets, in as many bytes as announced, with many
 * forces, loops and rows; and every failure. */
#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "core/memory.h"
#include "model/model.h"
#include "record/file/call.h"
#include "tests/record/recorded_model.h"
#include "tests/support/systems/any_model.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static herr_t expect_described(hid_t file, const char *name, const H5O_info_t *info, void *count)
{
    if (info->type == H5O_TYPE_DATASET) {
        const char *const attributes[] = {"unit", "frame", "description"};
        for (int i = 0; i < 3; i++) {
            assert_true(H5Aexists_by_name(file, name, attributes[i], H5P_DEFAULT) > 0);
        }
        ++*(int *)count;
    }
    return 0;
}

static void add_loops(rct_model *model, rct_draw *draw, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        char name[32];
        rct_loop_term terms[ANY_TERMS];
        rct_loop loop = any_loop(draw, model, (rct_loop_type)(i % RCT_LOOP_TYPES), terms);
        snprintf(name, sizeof name, "joint %d", (int)i);
        loop.name = i % 2 == 0 ? name : NULL;
        loop.type =
            loop.term_count == 0 && loop.type == RCT_LOOP_RELATION ? RCT_LOOP_BALL : loop.type;
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
}

/* A model that uses every field, with `forces` forces, as many loops, and a table of `rows` rows. */
static rct_model *full_model(int32_t bodies, int32_t forces, int32_t rows)
{
    rct_model *model = rct_model_create("full", NULL);
    rct_draw draw = rct_draw_start(7, 74);
    double *table = calloc(5 * (size_t)rows, sizeof *table);
    for (int32_t b = 0; b < bodies; b++) {
        const rct_body body = any_body(&draw, (rct_hinge_type)(b % RCT_HINGE_TYPES), b - 1);
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    for (int32_t i = 0; i < forces; i++) {
        const rct_force force = any_force(&draw, bodies);
        assert_int_equal(rct_model_add_force(model, &force, NULL, NULL), RCT_OK);
    }
    add_loops(model, &draw, forces);
    const rct_base base = any_base(&draw, rows, table);
    assert_int_equal(rct_model_set_base(model, &base, NULL), RCT_OK);
    free(table);
    return model;
}

static void test_every_dataset_is_described(void **state)
{
    (void)state;
    int datasets = 0;
    rct_model *model = full_model(100, 14, 4);
    const hid_t file = recorded_write(model);
    H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, expect_described, &datasets, H5O_INFO_BASIC);
    assert_int_equal(datasets, 2 + 17 + 5 + 20 + 11 + 2 + 25);
    assert_true(H5Fclose(file) >= 0);
    rct_model_free(model);
    model = full_model(20, 0, 0);
    datasets = 0;
    const hid_t other = recorded_write(model);
    H5Ovisit2(other, H5_INDEX_NAME, H5_ITER_INC, expect_described, &datasets, H5O_INFO_BASIC);
    assert_int_equal(datasets, 2 + 15 + 5 + 20 + 5);
    assert_true(H5Fclose(other) >= 0);
    rct_model_free(model);
}

/* More forces, loops and rows than bodies, so that no scratch of the recorder would hold them. */
static void test_many_forces_loops_and_rows(void **state)
{
    (void)state;
    enum { FORCES = 60000, ROWS = 30000 };
    rct_model *model = full_model(3, FORCES, ROWS);
    const hid_t file = recorded_write(model);
    expect_column(
        file, FORCES,
        (column){"/model/forces/force", 3, model->forces[0].force, sizeof *model->forces});
    expect_column(
        file, FORCES,
        (column){"/model/loops/other_at", 3, model->loops[0].other_at, sizeof *model->loops});
    expect_column(file, ROWS,
                  (column){"/model/base/table", 5, model->base.table, 5 * sizeof(double)});
    expect_enum(file, "/model/forces/type", FORCES - 1,
                model->forces[FORCES - 1].type == RCT_FORCE_SPRING ? "spring" : "wrench");
    assert_true(H5Fclose(file) >= 0);
    rct_model_free(model);
}

static void test_short_memory_and_every_step_that_fails(void **state)
{
    (void)state;
    rct_model *model = full_model(9, 13, 3);
    rct_model *chain = recording_chain(9, 0);
    rct_solver *solver = recording_solver(chain);
    rct_recorder *recorder = NULL;
    recording_remove_files();
    const char *path = recording_path(0, "any.h5");
    for (int64_t k = 0; recorder == NULL; k++) {
        rct_error error = {.status = RCT_OK};
        rct_allocate_fail_after(k);
        recorder = rct_recorder_create(path, model, solver, NULL, &error);
        rct_allocate_fail_after(-1);
        assert_int_equal(error.status, recorder == NULL ? RCT_ERROR_MEMORY : RCT_OK);
        assert_int_equal(recording_count_files(NULL), recorder != NULL);
    }
    assert_int_equal(rct_recorder_close(recorder, 0, NULL), RCT_OK);
    recording_remove_files();
    recorder = NULL;
    int64_t steps = 0;
    for (; recorder == NULL; steps += 3) { /* one in three, for time */
        rct_error error = {.status = RCT_OK};
        rct_call_fail_after(steps);
        recorder = rct_recorder_create(path, model, solver, NULL, &error);
        rct_call_fail_after(-1);
        assert_int_equal(error.status, recorder == NULL ? RCT_ERROR_IO : RCT_OK);
        assert_int_equal(recording_count_files(NULL), recorder != NULL);
    }
    assert_true(steps > 1000);
    assert_int_equal(rct_recorder_close(recorder, 0, NULL), RCT_OK);
    rct_solver_free(solver);
    rct_model_free(chain);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_dataset_is_described),
        cmocka_unit_test(test_many_forces_loops_and_rows),
        cmocka_unit_test(test_short_memory_and_every_step_that_fails),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
