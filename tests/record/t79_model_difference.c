/* A difference between the model in a file and the given model is reported by its path and both
 * values; equal models pass. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "model/model.h"
#include "record/difference.h"
#include "tests/support/must.h"

#include <stdio.h>
#include <string.h>

/* A model file with places for differences. */
static const char *const parts[] = {
    "{ \"riccatree\": 1, \"name\": ",
    "\"rig\"",
    ", \"gravity\": ",
    "[0.0, 0.0, -9.81]",
    ", \"bodies\": [ { \"name\": \"foot\", \"parent\": \"ground\", \"hinge\": { \"type\": \"ball\" "
    "},"
    " \"mass\": 1, \"com\": [0, 0, -0.5], \"inertia\": [0.1, 0.1, 0.01, 0, 0, 0] },"
    " { \"repeat\": 3, \"body\": { \"name\": \"rod\", \"parent\": \"previous\","
    " \"hinge\": { \"type\": \"revolute\", \"at\": [0, 0, -1], \"axis\": [0, 1, 0] },"
    " \"mass\": 1, \"com\": [0, 0, -0.5], \"inertia\": [0.1, 0.1, 0.01, 0, 0, 0] } },"
    " { \"name\": ",
    "\"tip\"",
    ", \"parent\": ",
    "\"rod.2\"",
    ", \"hinge\": ",
    "{ \"type\": \"revolute\", \"at\": [0, 0, -1], \"axis\": [0, 1, 0], \"damping\": 0.25 }",
    ", \"mass\": ",
    "2",
    ", \"com\": [0, 0, 0], \"inertia\": [0.1, 0.1, 0.01, 0, 0, 0]",
    ", \"shapes\": [ { \"type\": \"sphere\", \"radius\": 0.5 } ]",
    " } ]",
    ", \"forces\": [{ \"type\": \"wrench\", \"body\": \"tip\", \"force\": [1, 0, 0] }]",
    " }"};

enum { PARTS = sizeof parts / sizeof parts[0], TEXT = 4096 };

/* With another part number `k`; 0: none. */
static rct_model *make(size_t k, const char *other)
{
    char text[TEXT] = "";
    rct_error error = {.text = ""};
    size_t used = 0;
    for (size_t i = 0; i < PARTS; i++) {
        const char *part = k > 0 && i == k ? other : parts[i];
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", part);
    }
    rct_model *model = rct_model_parse(text, (int64_t)strlen(text), &error);
    if (model == NULL) {
        fail_msg("%s: %s", error.text, text);
    }
    return model;
}

static rct_status check(const rct_model *saved, const rct_model *own, rct_error *error)
{
    rct_call call;
    int64_t size = 0;
    char *saved_text = rct_model_text(saved, &size, NULL);
    rct_call_begin(&call, "a.h5", NULL, error);
    rct_check_model(&call, saved_text, own, "give that");
    rct_release(saved_text);
    return rct_call_end(&call);
}

static void test_every_difference(void **state)
{
    (void)state;
    const struct {
        size_t part;
        const char *other, *says;
    } cases[] = {
        {1, "\"rag\"", "name is \"rig\" in the file, but \"rag\" now"},
        {3, "[0.0, 0.1, -9.81]", "gravity[1] is 0.0 in the file, but 0.1 now"},
        {3, "[0.0, 0.0, -9.8100000000000005]", NULL},
        {3, "[0.0, 0.0, -9.810000000000002]",
         "gravity[2] is -9.81 in the file, but -9.8100000000000023 now"},
        {7, "\"rod.1\"", "bodies.tip.parent is \"rod.2\" in the file, but \"rod.1\" now"},
        {9, "{ \"type\": \"ball\", \"at\": [0, 0, -1] }",
         "bodies.tip.hinge.type is \"revolute\" in the file, but \"ball\" now"},
        {9, "{ \"type\": \"revolute\", \"at\": [0, 0, -1.5], \"axis\": [0, 1, 0] }",
         "bodies.tip.hinge.at[2] is -1.0 in the file, but -1.5 now"},
        {9, "{ \"type\": \"revolute\", \"at\": [0, 0, -1], \"axis\": [0, 1, 0] }",
         "bodies.tip.hinge.damping is 0.25 in the file, but not given now"},
        {11, "3", "bodies.tip.mass is 2.0 in the file, but 3.0 now"},
        {11, "2, \"initial\": { \"rate\": 1 }",
         "bodies.tip.initial is not given in the file, but given now"},
        {15, "", "forces is a list of 1 in the file, but not given now"},
        {15, ", \"forces\": [{ \"type\": \"wrench\", \"body\": \"tip\", \"force\": [1, 0, 2] }]",
         "forces.0.force[2] is 0.0 in the file, but 2.0 now"},
        {13, "", "bodies.tip.shapes is a list of 1 in the file, but not given now"},
        {13, ", \"shapes\": [ { \"type\": \"sphere\", \"radius\": 0.75 } ]",
         "bodies.tip.shapes.0.radius is 0.5 in the file, but 0.75 now"},
        {12,
         ", \"com\": [0, 0, 0], \"inertia\": [0.1, 0.1, 0.01, 0, 0, 0] }, { \"parent\": \"tip\","
         " \"hinge\": { \"type\": \"fixed\", \"at\": [0, 0, 0] }, \"mass\": 1, \"com\": [0, 0, 0],"
         " \"inertia\": [0.1, 0.1, 0.01, 0, 0, 0]",
         "the number of bodies is 5 in the file, but 6 now"},
    };
    rct_model *saved = make(0, NULL);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char wanted[256] = "";
        rct_error error = {.text = ""};
        rct_model *own = make(cases[k].part, cases[k].other);
        if (cases[k].says != NULL) {
            snprintf(wanted, sizeof wanted, "a.h5: belongs to another model: %s; give that",
                     cases[k].says);
        }
        assert_int_equal(check(saved, own, &error),
                         cases[k].says != NULL ? RCT_ERROR_ARGUMENT : RCT_OK);
        assert_string_equal(error.text, wanted);
        rct_model_free(own);
    }
    rct_model_free(saved);
}

/* A body in the middle of a run of equal ones, which a model file holds as one entry. */
static void test_runs_are_looked_into(void **state)
{
    (void)state;
    rct_error error;
    rct_model *saved = make(0, NULL), *own = make(0, NULL);
    rct_body body = rct_bodies_get(own->bodies, 2);
    body.mass = 1.5;
    must_put(own, 2, &body);
    assert_int_equal(check(saved, own, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(
        strstr(error.text, ": bodies.rod.2.mass is 1.0 in the file, but 1.5 now; give"));
    rct_model_free(saved);
    rct_model_free(own);
}

/* Zeros of either sign are equal, and their bits are not. */
static void test_without_a_place(void **state)
{
    (void)state;
    rct_error error;
    rct_model *saved = make(0, NULL), *own = make(0, NULL);
    rct_body body = rct_bodies_get(own->bodies, 0);
    body.com[0] = -0.0;
    must_put(own, 0, &body);
    assert_int_equal(check(saved, own, &error), RCT_ERROR_ARGUMENT);
    assert_string_equal(error.text, "a.h5: belongs to another model; give that");
    rct_model_free(saved);
    rct_model_free(own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_difference),
        cmocka_unit_test(test_runs_are_looked_into),
        cmocka_unit_test(test_without_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
