/* Model files with everything that a model can hold keep every bit. */
#include "tests/model/round_trip.h"
#include "tests/support/systems/models_alike.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/must.h"
#include "tests/support/systems/any_model.h"

#include "core/memory.h"
#include "model/json/runs.h"
#include "tests/model/hinge_fields.h"

#include <riccatree/model.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void test_random_models_round_trip(void **state)
{
    (void)state;
    int types[RCT_HINGE_TYPES] = {0}, forces[RCT_FORCE_TYPES] = {0}, tables = 0, motions = 0;
    int loops[RCT_LOOP_TYPES] = {0};
    for (uint64_t seed = 0; seed < 150; seed++) {
        rct_error error = {.text = ""};
        rct_model *model = any_model(seed, 30, &error);
        assert_string_equal(error.text, "");
        round_trip(model);
        for (int32_t b = 0; b < model->count; b++) {
            types[rct_bodies_at(model->bodies, b)->hinge]++;
        }
        for (int32_t i = 0; i < model->force_count; i++) {
            forces[model->forces[i].type]++;
        }
        for (int32_t i = 0; i < model->loop_count; i++) {
            loops[model->loops[i].type]++;
        }
        tables += model->base.rows > 0;
        motions += model->base.rows == 0 && rct_model_has_base(model);
        rct_model_free(model);
    }
    for (int t = 0; t < RCT_HINGE_TYPES; t++) {
        assert_true(types[t] > 50);
    }
    for (int t = 0; t < RCT_LOOP_TYPES; t++) {
        assert_true(loops[t] > 15);
    }
    for (int t = 0; t < RCT_FORCE_TYPES; t++) {
        assert_true(forces[t] > 5);
    }
    assert_true(forces[0] > 50 && forces[1] > 50 && tables > 20 && motions > 20);
}

static rct_model *many(const rct_body *body)
{
    rct_model *model = rct_model_create(NULL, NULL);
    for (int i = 0; i < 300; i++) {
        assert_int_equal(rct_model_add_body(model, body, NULL, NULL), RCT_OK);
    }
    return model;
}

/* Of 300 equal bodies the file has one; one changed bit in any field of one body splits the others
 * into two runs. */
static void test_runs_compare_every_field(void **state)
{
    (void)state;
    for (int t = 0; t < RCT_HINGE_TYPES; t++) {
        rct_draw draw = rct_draw_start((uint64_t)t, 2);
        const rct_body body = any_body(&draw, (rct_hinge_type)t, RCT_GROUND);
        rct_model *model = many(&body);
        assert_true(round_trip(model) < 2000);
        rct_model_free(model);
        for (int f = 0; f < FIELDS; f++) {
            if (is_of_use((rct_hinge_type)t, f, 0)) {
                model = many(&body);
                rct_body other = rct_bodies_get(model->bodies, 150);
                double *x = field_of(&other, f);
                x[0] = nextafter(x[0], x[0] < 0.0 ? 0.0 : 2.0 * x[0] + 1.0);
                must_put(model, 150, &other);
                assert_int_equal(rct_json_run_at(model, 0).count, 150);
                assert_int_equal(rct_json_run_at(model, 150).count, 1);
                assert_int_equal(rct_json_run_at(model, 151).count, 149);
                rct_model_free(model);
            }
        }
    }
}

/* Files with everything, and too little memory at every allocation. */
static void test_short_memory_is_an_error(void **state)
{
    (void)state;
    rct_model *model = NULL;
    for (uint64_t seed = 0; model == NULL; seed++) { /* one with forces, loops and a table */
        model = any_model(seed, 10, NULL);
        if (model->force_count < 5 || model->loop_count < 4 || model->base.rows == 0) {
            rct_model_free(model);
            model = NULL;
        }
    }
    assert_int_equal(rct_model_write(model, model_file, NULL), RCT_OK);
    rct_model *back = NULL;
    int failures = 0;
    for (int64_t k = 0; back == NULL; k++) {
        rct_error error = {.status = RCT_OK};
        rct_allocate_fail_after(k);
        back = rct_model_read(model_file, &error);
        rct_allocate_fail_after(-1);
        assert_true(back != NULL || error.status == RCT_ERROR_MEMORY);
        failures += back == NULL;
    }
    assert_true(failures >= 8);
    assert_true(models_alike(model, back));
    rct_model_free(back);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_models_round_trip),
        cmocka_unit_test(test_runs_compare_every_field),
        cmocka_unit_test(test_short_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, make_model_file, remove_model_file);
}
