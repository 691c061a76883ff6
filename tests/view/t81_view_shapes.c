/* Shapes of bodies in pages: as the model gives them, once each; many shapes within the limit of
 * bytes; with failing allocations, and for shapes too large to be drawn, no page is made. */
#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "page.h"
#include "tests/support/must.h"

#include "core/memory.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rct_error error;

/* Given shapes are in the page unchanged, once each, drawn for the bodies that have them; a body
 * without a shape is drawn by its mass. */
static void test_given_shapes(void **state)
{
    (void)state;
    size_t bytes = 0;
    rct_model *model = must_family("chain", 4, RCT_HINGE_BALL);
    rct_shape capsule = rct_shape_default(), box = capsule;
    capsule.radius = 0.25;
    capsule.length = 2.0;
    capsule.at[2] = -1.0;
    capsule.orientation[0] = 0.6;
    capsule.orientation[3] = 0.8;
    box.type = RCT_SHAPE_BOX;
    box.size[0] = 1.0;
    box.size[1] = 2.0;
    box.size[2] = 3.0;
    for (int32_t b = 1; b < 4; b += 2) { /* of 1: a capsule and a box, of 3: the same capsule */
        capsule.body = b;
        assert_int_equal(rct_model_add_shape(model, &capsule, NULL, NULL), RCT_OK);
    }
    box.body = 1;
    assert_int_equal(rct_model_add_shape(model, &box, NULL, NULL), RCT_OK);
    assert_int_equal(rct_view_model(model, recording_path(1, "b.html"), NULL, NULL, &error),
                     RCT_OK);
    char *page = page_read(recording_path(1, "b.html"));
    static const int32_t owners[5] = {0, 1, 1, 2, 3}, numbers[5] = {0, 1, 2, 3, 1};
    static const float wanted[2][11] = {{0, 0.25F, 2, 0, 0, 0, -1, 0.6F, 0, 0, 0.8F},
                                        {1, 1, 2, 3, 0, 0, 0, 1, 0, 0, 0}};
    int32_t *owner = page_array(page, "owner", &bytes);
    assert_int_equal(bytes, sizeof owners);
    assert_memory_equal(owner, owners, sizeof owners);
    int32_t *shape = page_array(page, "shape", &bytes);
    assert_int_equal(bytes, sizeof numbers);
    assert_memory_equal(shape, numbers, sizeof numbers);
    float *shapes = page_array(page, "shapes", &bytes);
    assert_int_equal(bytes, 4 * 11 * sizeof(float));
    for (size_t i = 0; i < 22; i++) {
        assert_true(fabsf(shapes[11 + i] - wanted[i / 11][i % 11]) < 1e-6F);
    }
    free(owner);
    free(shape);
    free(shapes);
    free(page);
    rct_model_free(model);
}

/* A separate shape for each of many bodies, then the same for all: the page keeps its size limit,
 * and reports what it shows. */
static void test_many_shapes(void **state)
{
    (void)state;
    enum { BODIES = 3000, MOST = 150000 };
    for (int same = 0; same < 2; same++) {
        rct_model *model = must_family("chain", BODIES, RCT_HINGE_BALL);
        const rct_view_options options = {.most_bytes = MOST};
        rct_view_report report;
        size_t bytes = 0;
        for (int32_t k = 0; k < 2 * BODIES; k++) {
            rct_shape shape = rct_shape_default();
            shape.type = RCT_SHAPE_SPHERE;
            shape.radius = same ? 1.0 : 1.0 + k;
            shape.body = k / 2;
            assert_int_equal(rct_model_add_shape(model, &shape, NULL, NULL), RCT_OK);
        }
        assert_int_equal(
            rct_view_model(model, recording_path(1, "b.html"), &options, &report, &error), RCT_OK);
        assert_true(report.bytes <= MOST && report.bytes > MOST / 2);
        assert_true(report.bodies_shown < BODIES);
        char *page = page_read(recording_path(1, "b.html"));
        free(page_array(page, "owner", &bytes));
        assert_int_equal(bytes, 2 * report.bodies_shown * 4);
        free(page_array(page, "shapes", &bytes));
        assert_int_equal(bytes, (same ? 1 : 2 * report.bodies_shown) * 44);
        free(page);
        rct_model_free(model);
    }
}

static void test_without_memory(void **state)
{
    (void)state;
    rct_model *model = must_family("chain", 3, RCT_HINGE_BALL);
    rct_shape shape = rct_shape_default();
    shape.radius = shape.length = 1.0;
    assert_int_equal(rct_model_add_shape(model, &shape, NULL, NULL), RCT_OK);
    int64_t failures = 0;
    rct_status status;
    do {
        rct_allocate_fail_after(failures);
        status = rct_view_model(model, recording_path(1, "b.html"), NULL, NULL, &error);
        rct_allocate_fail_after(-1);
        if (status != RCT_OK) {
            assert_int_equal(status, RCT_ERROR_MEMORY);
            assert_int_equal(recording_count_files("html"), 0);
            failures++;
        }
    } while (status != RCT_OK);
    assert_true(failures > 10);
    rct_model_free(model);
}

static void expect_too_large(const rct_model *model, const char *says)
{
    assert_int_equal(rct_view_model(model, recording_path(1, "b.html"), NULL, NULL, &error),
                     RCT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, says));
    assert_int_equal(recording_count_files("html"), 0);
}

/* Browsers draw with numbers of 32 bits: larger numbers would give an empty page, or none. */
static void test_what_is_too_large(void **state)
{
    (void)state;
    static const char *const says[] = {("the shape of a body spans 2e+18 m; a page draws up to "
                                        "1e+18 m: give the model in a larger unit of length"),
                                       "hinge points that are shown span 2e+18 m",
                                       "hinge points that are shown span inf"};
    static const double places[] = {2e17, 1e18, 1.7e308};
    for (int i = 0; i < 3; i++) {
        rct_model *model = rct_model_create("far", NULL);
        rct_body body = rct_body_default();
        rct_shape sphere = rct_shape_default();
        body.hinge = RCT_HINGE_FREE;
        body.mass = body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
        for (int side = -1; side < 2; side += 2) {
            body.position[1] = side * places[i];
            assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
        }
        if (i == 0) {
            assert_int_equal(rct_view_model(model, recording_path(1, "b.html"), NULL, NULL, NULL),
                             RCT_OK);
            assert_int_equal(remove(recording_path(1, "b.html")), 0);
            sphere.type = RCT_SHAPE_SPHERE;
            sphere.radius = 2e18;
            assert_int_equal(rct_model_add_shape(model, &sphere, NULL, NULL), RCT_OK);
        }
        expect_too_large(model, says[i]);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_given_shapes, recording_tidy),
        cmocka_unit_test_teardown(test_many_shapes, recording_tidy),
        cmocka_unit_test_teardown(test_without_memory, recording_tidy),
        cmocka_unit_test_teardown(test_what_is_too_large, recording_tidy),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
