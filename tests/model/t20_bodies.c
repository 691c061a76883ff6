/* Bodies that a model shares: equal bodies are held once, every sharer keeps the bodies it was
 * given, and no failure changes anything. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "model/model.h"
#include "model/names.h"
#include "tests/support/must.h"
#include "tests/support/systems/models_alike.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { BODIES = 500 };

static rct_body rod(int32_t parent, double mass)
{
    rct_body body = rct_body_default();
    body.parent = parent;
    body.mass = mass;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    return body;
}

/* Masses of `kinds` in turn; every tenth body has a name. */
static rct_model *model_of(int32_t kinds)
{
    rct_model *model = rct_model_create("rods", NULL);
    assert_non_null(model);
    for (int32_t b = 0; b < BODIES; b++) {
        char name[RCT_NAME_SIZE];
        rct_body body = rod(b - 1, 1.0 + b % kinds);
        snprintf(name, sizeof name, "rod.%d", (int)b);
        body.name = b % 10 == 9 ? name : NULL;
        must_add(model, &body);
    }
    return model;
}

static void test_like_bodies_are_held_once(void **state)
{
    (void)state;
    static const int32_t kinds[] = {1, 3, 8, BODIES};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        rct_model *model = model_of(kinds[k]);
        assert_int_equal(model->bodies->records.count, kinds[k]);
        for (int32_t b = 0; b < BODIES; b++) {
            rct_body body, expected = rod(b - 1, 1.0 + b % kinds[k]);
            assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
            assert_int_equal(body.name != NULL, b % 10 == 9);
            expected.name = body.name;
            assert_true(bodies_alike(&body, &expected));
        }
        rct_model_free(model);
    }
}

/* A start of its own does not make a body different. */
static void test_starts(void **state)
{
    (void)state;
    rct_model *model = rct_model_create(NULL, NULL);
    for (int32_t b = 0; b < BODIES; b++) {
        rct_body body = rod(b - 1, 1.0);
        body.angular_velocity[1] = 0.1 * (b / 2);
        must_add(model, &body);
    }
    assert_int_equal(model->bodies->records.count, 1);
    assert_int_equal(model->bodies->starts.count, BODIES / 2);
    for (int32_t b = 0; b < BODIES; b++) {
        const rct_body body = rct_bodies_get(model->bodies, b),
                       *at = rct_bodies_at(model->bodies, b);
        const size_t place = offsetof(rct_body, angular_velocity);
        assert_true(body.parent == b - 1 && body.angular_velocity[1] == 0.1 * (b / 2));
        assert_true(body.orientation[0] == 1.0 && body.rate[2] == 0.0 && body.stiffness[0] == 0.0);
        assert_true(rct_bodies_numbers(model->bodies, b, place)[1] == 0.1 * (b / 2));
        assert_true(rct_bodies_numbers(model->bodies, b, offsetof(rct_body, mass)) == &at->mass);
        assert_int_equal(rct_bodies_alike(model->bodies, b, model->bodies, 3), b == 2 || b == 3);
    }
    rct_model_free(model);
}

/* No change of the model, nor its end, is visible to those who share its bodies. */
static void test_sharing(void **state)
{
    (void)state;
    rct_model *model = model_of(2), *as_before = model_of(2);
    const int64_t own = rct_model_bytes(model), alone = rct_bodies_bytes(model->bodies);
    rct_bodies *shared = rct_bodies_share(model->bodies);
    assert_int_equal(rct_bodies_bytes(shared), alone / 2);
    assert_int_equal(rct_model_bytes(model), own - alone + alone / 2);
    const rct_body other = rod(7, 9.0);
    must_add(model, &other);
    assert_ptr_not_equal(model->bodies, shared);
    must_put(model, 3, &other);
    const int64_t names = rct_names_bytes(model->names); /* now of three owners, two before */
    assert_true(rct_bodies_bytes(shared) <= alone && rct_bodies_bytes(shared) >= alone - names);
    assert_true(rct_model_bytes(model) >= own - names - 3); /* thirds */
    rct_model_free(model);
    assert_true(rct_bodies_bytes(shared) >= alone);
    for (int32_t b = 0; b < BODIES; b++) {
        const rct_body body = rct_bodies_get(shared, b);
        const rct_body expected = rct_bodies_get(as_before->bodies, b);
        assert_true(bodies_alike(&body, &expected));
    }
    rct_bodies_release(shared);
    rct_model_free(as_before);
}

static void is_called(const rct_bodies *bodies, int32_t id, const char *wanted)
{
    char label[RCT_BODY_LABEL];
    assert_string_equal(rct_bodies_label(bodies, id, label), wanted);
}

/* Errors call bodies by their names; sharers keep the names when the model gets more bodies, and
 * when it is freed. */
static void test_names(void **state)
{
    (void)state;
    rct_model *model = rct_model_create(NULL, NULL);
    rct_body body = rod(RCT_GROUND, 1.0);
    must_add(model, &body);
    rct_bodies *unnamed = rct_bodies_share(model->bodies);
    body.name = "arm";
    must_add(model, &body);
    rct_bodies *shared = rct_bodies_share(model->bodies);
    for (int k = 0; k < 1000; k++) {
        char name[RCT_NAME_SIZE];
        snprintf(name, sizeof name, "more%d", k);
        body.name = k % 2 == 0 ? name : NULL;
        must_add(model, &body);
    }
    is_called(model->bodies, 0, "body 0");
    is_called(model->bodies, 1, "body 1 \"arm\"");
    is_called(model->bodies, 1000, "body 1000 \"more998\"");
    is_called(model->bodies, 1001, "body 1001");
    assert_int_equal(rct_model_find_body(model, "more998"), 1000);
    rct_model_free(model);
    is_called(shared, 0, "body 0");
    is_called(shared, 1, "body 1 \"arm\"");
    is_called(shared, 2, "body 2");
    is_called(unnamed, 0, "body 0");
    is_called(unnamed, 1, "body 1");
    rct_bodies_release(shared);
    rct_bodies_release(unnamed);
}

/* A body is added where memory runs out, with bodies shared or not, with or without a name: the
 * model stays unchanged. */
static void test_short_memory(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        rct_model *model = model_of(5), *as_before = model_of(5);
        rct_bodies *shared = k % 2 == 0 ? rct_bodies_share(model->bodies) : NULL;
        rct_status status = RCT_ERROR_MEMORY;
        rct_body body = rod(0, 77.0);
        int failures = 0;
        body.name = k / 2 == 0 ? "another" : NULL;
        for (; status != RCT_OK; failures++) {
            rct_error error = {.status = RCT_OK};
            rct_allocate_fail_after(failures);
            status = rct_model_add_body(model, &body, NULL, &error);
            rct_allocate_fail_after(-1);
            if (status != RCT_OK) {
                assert_int_equal(status, RCT_ERROR_MEMORY);
                assert_non_null(strstr(error.text, "out of memory"));
                assert_true(models_alike(model, as_before));
            }
        }
        assert_true(failures > (k % 2 == 0 ? 3 : 0) && model->count == BODIES + 1);
        rct_bodies_release(shared);
        rct_model_free(model);
        rct_model_free(as_before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_like_bodies_are_held_once),
        cmocka_unit_test(test_starts),
        cmocka_unit_test(test_sharing),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
