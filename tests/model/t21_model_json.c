/* Model files: a written file is read back to the same bits; repeat, parents and names have the
 * meaning that the format says. */
#include "tests/model/round_trip.h"
#include "tests/support/systems/models_alike.h"

#include "tests/support/cmocka_all.h"

#include "core/memory.h"

#include <riccatree/model.h>

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static rct_model *parse(const char *text)
{
    rct_error error;
    rct_model *model = rct_model_parse(text, (int64_t)strlen(text), &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    return model;
}

static void test_families_round_trip(void **state)
{
    (void)state;
    for (int i = 0; rct_family_names()[i] != NULL; i++) {
        for (int variant = 0; variant < 8; variant++) {
            rct_family family = {.family = rct_family_names()[i], .seed = (uint64_t)variant + 1};
            family.bodies = 9 + 90 * (variant / 4);
            family.hinge = variant % 2 == 0 ? RCT_HINGE_BALL : RCT_HINGE_FIXED;
            family.perturb = variant % 4 < 2 ? 0.0 : 0.3;
            rct_model *model = rct_model_generate(&family, NULL);
            if (model == NULL) { /* loops that would not close with fixed hinges */
                assert_true(family.hinge == RCT_HINGE_FIXED && i >= 7);
                continue;
            }
            round_trip(model);
            rct_model_free(model);
        }
    }
}

static void test_long_chain_is_a_short_file(void **state)
{
    (void)state;
    rct_family family = rct_family_default();
    family.bodies = 100000;
    rct_model *model = rct_model_generate(&family, NULL);
    assert_true(round_trip(model) < 2000);
    rct_model_free(model);
}

static rct_body rod(const char *name, int32_t parent)
{
    rct_body body = rct_body_default();
    body.name = name;
    body.parent = parent;
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    return body;
}

static void add(rct_model *model, rct_body body)
{
    rct_error error;
    if (rct_model_add_body(model, &body, NULL, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

/* Every way in which a run of equal bodies can begin, break and end. */
static void test_runs_of_names_and_parents(void **state)
{
    (void)state;
    const struct {
        const char *name;
        int32_t parent;
    } bodies[] = {
        {NULL, -1},    {NULL, -1},  {NULL, -1},      {"a.1", 2},      {"a.2", 3},   {"a.3", 4},
        {"a.5", 5},    {"b.1", 6},  {NULL, 7},       {NULL, 8},       {"c.1", 8},   {"c.2", 8},
        {"c.3", 8},    {"d.2", 12}, {"d.3", 13},     {".1", 14},      {".2", 15},   {"e", 16},
        {"e.1", 17},   {"e.2", 18}, {"ground.1", 0}, {"ground.2", 0}, {NULL, 25},   {NULL, 25},
        {"f.1", 25},   {"g", -1},   {"body26.1", 0}, {"body26.2", 0}, {"h.01", 27}, {"h.1.1", 28},
        {"h.1.2", 29},
    };
    rct_model *model = rct_model_create("runs", NULL);
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        add(model, rod(bodies[i].name, bodies[i].parent));
    }
    round_trip(model);
    rct_model_free(model);
}

static void test_bodies_that_differ_in_one_bit_are_not_one_run(void **state)
{
    (void)state;
    rct_model *model = rct_model_create(NULL, NULL);
    add(model, rod(NULL, RCT_GROUND));
    for (int i = 0; i < 12; i++) {
        rct_body body = rod(NULL, i);
        double *const change[12] = {NULL,
                                    &body.mass,
                                    &body.com[0],
                                    &body.inertia[5],
                                    &body.hinge_at[2],
                                    NULL,
                                    &body.com[2],
                                    &body.inertia[0],
                                    NULL,
                                    &body.orientation[1],
                                    NULL,
                                    &body.angular_velocity[1]};
        if (change[i] != NULL) {
            *change[i] = *change[i] == 0.0 ? -0.0 : nextafter(*change[i], 0.0);
        }
        add(model, body);
    }
    round_trip(model);
    rct_model_free(model);
}

static void test_numbers_keep_their_bits(void **state)
{
    (void)state;
    const double numbers[] = {
        0.0,       -0.0,   1.0,     -1.0, 0.1,  1.0 / 3.0, 1e22,   1e23,     DBL_MAX,
        DBL_MIN,   5e-324, -5e-324, 1e15, 1e16, 1e-9,      1e-10,  123456,   999999.9,
        1e6,       1e17,   9.81,    0.3,  2e-9, 1.5e-9,    1e-300, -DBL_MAX, 4503599627370497.5,
        0.1 + 0.2, 1e9,    1e5};
    const double gravity[3] = {-0.0, 1e-320, 9.8066499999999994};
    rct_model *model = rct_model_create("numbers", NULL);
    assert_int_equal(rct_model_set_gravity(model, gravity, NULL), RCT_OK);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        rct_body body = rod(NULL, RCT_GROUND);
        body.hinge_at[0] = numbers[i];
        body.com[1] = -numbers[i];
        add(model, body);
    }
    uint64_t bits = 1;
    for (int i = 0; i < 20000; i++) { /* any finite bits at all */
        rct_body body = rod(NULL, i);
        bits = bits * 6364136223846793005ULL + 1442695040888963407ULL;
        memcpy(&body.hinge_at[1], &bits, sizeof bits);
        body.hinge_at[2] = rint(1e4 * (double)(bits >> 32)) / 1e9; /* short decimals */
        if (isfinite(body.hinge_at[1])) {
            add(model, body);
        }
    }
    round_trip(model);
    /* a locale with a decimal comma must not show, where one is installed */
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") != NULL) {
        round_trip(model);
        setlocale(LC_NUMERIC, "C");
    }
    rct_model_free(model);
}

static void test_names_of_any_text(void **state)
{
    (void)state;
    char longest[RCT_NAME_SIZE];
    memset(longest, 'n', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    const char *names[] = {"a \"quoted\" \\ name/",
                           "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
                           "\t\n\x01\x1f\x7f",
                           " ",
                           "body",
                           "body007",
                           "null",
                           longest};
    rct_model *model = rct_model_create(names[0], NULL);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        add(model, rod(names[i], i == 0 ? 7 : 0));
        model->bodies->parent[i] = i == 7 ? RCT_GROUND : model->bodies->parent[i];
    }
    round_trip(model);
    rct_model_free(model);
}

#define MATTER "\"mass\": 1, \"inertia\": [1, 1, 1, 0, 0, 0], \"hinge\": { \"type\": \"ball\" }"

static void test_parents_and_repeat(void **state)
{
    (void)state;
    rct_model *model =
        parse("{ \"riccatree\": 1, \"bodies\": ["
              "{ \"parent\": \"link.3\", " MATTER " },"
              "{ \"repeat\": 3, \"body\": { \"name\": \"link\", \"parent\": "
              "\"top\", " MATTER " } },"
              "{ \"repeat\": 2, \"body\": { \"parent\": \"previous\", " MATTER " } },"
              "{ \"parent\": \"body0\", " MATTER " },"
              "{ \"name\": \"top\", \"parent\": \"ground\", " MATTER " },"
              "{ \"repeat\": 1.0, \"body\": { \"name\": \"one\", \"parent\": "
              "\"previous\", " MATTER " } } ] }");
    const int32_t parents[] = {3, 7, 7, 7, 3, 4, 0, -1, 7};
    assert_int_equal(rct_model_body_count(model), 9);
    for (int32_t i = 0; i < 9; i++) {
        assert_int_equal(model->bodies->parent[i], parents[i]);
    }
    assert_int_equal(rct_model_find_body(model, "link.1"), 1);
    assert_int_equal(rct_model_find_body(model, "link.3"), 3);
    assert_int_equal(rct_model_find_body(model, "one.1"), 8);
    assert_null(rct_model_own_name(model, 4));
    round_trip(model);
    rct_model_free(model);
}

static void test_defaults(void **state)
{
    (void)state;
    rct_model *model =
        parse(" \r\n{\"riccatree\":1.0,\"bodies\":[{\"parent\":\"ground\"," MATTER "}]}\t\n");
    rct_body expected = rct_body_default();
    expected.mass = expected.inertia[0] = expected.inertia[1] = expected.inertia[2] = 1.0;
    const rct_body first = rct_bodies_get(model->bodies, 0);
    assert_true(bodies_alike(&first, &expected));
    double gravity[3];
    rct_model_gravity(model, gravity);
    assert_true(gravity[0] == 0.0 && gravity[1] == 0.0 && gravity[2] == -9.81);
    assert_string_equal(rct_model_name(model), "");
    rct_model_free(model);
    /* whole numbers beyond any integer type are numbers all the same; key names may be escaped */
    model = parse("{ \"riccatree\": 1, \"gr\\u0061vity\": [0, 0, -100000000000000000000],"
                  "\"bodies\": [ { \"parent\": \"gr\\u006fund\", " MATTER " } ] }");
    rct_model_gravity(model, gravity);
    assert_true(gravity[2] == -1e20);
    rct_model_free(model);
}

static rct_model *example(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", RCT_EXAMPLES, name);
    rct_error error;
    rct_model *model = rct_model_read(path, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    round_trip(model);
    return model;
}

static void test_examples(void **state)
{
    (void)state;
    rct_model *model = example("two-rods.json");
    assert_int_equal(rct_model_body_count(model), 33334);
    assert_int_equal(model->bodies->parent[33333], 33332);
    assert_true(rct_bodies_at(model->bodies, 0)->hinge_at[2] == 10.0 &&
                rct_bodies_at(model->bodies, 1)->inertia[2] == 0.001);
    rct_model_free(model);

    model = example("four-body.json");
    assert_int_equal(rct_model_body_count(model), 4);
    const rct_body bar = rct_bodies_get(model->bodies, rct_model_find_body(model, "body7"));
    assert_true(bar.parent == RCT_GROUND && bar.com[0] == 0.0 && bar.orientation[0] == 1.0);
    const char *const rods[3][2] = {{"body1", "body7"}, {"body5", "body7"}, {"body3", "body5"}};
    const double at[3] = {-0.5, 0.5, -1.0};
    for (int i = 0; i < 3; i++) {
        const rct_body own = rct_bodies_get(model->bodies, rct_model_find_body(model, rods[i][0]));
        const rct_body *body = &own;
        assert_int_equal(body->parent, rct_model_find_body(model, rods[i][1]));
        assert_true(body->hinge_at[0] == at[i] && body->com[0] == -0.5);
        assert_true(body->orientation[0] == body->orientation[3]); /* a quarter turn about z */
        assert_true(fabs(body->orientation[0] - sqrt(0.5)) < 1e-15);
        assert_true(body->inertia[2] == 1.0 / 12.0); /* 4 m a^2 / 3 about its end, seed 000 */
    }
    rct_model_free(model);
}

/* A request larger than the machine is refused before any allocation. */
static void test_more_bodies_than_fit(void **state)
{
    (void)state;
    static const char text[] =
        "{ \"riccatree\": 1, \"bodies\": [ { \"repeat\": 2000000000, \"body\": "
        "{ \"parent\": \"ground\", " MATTER " } } ] }";
    static const char expected[] = "out of memory: 2000000000 bodies take 24.0 GB";
    const rct_family family = {.family = "chain", .bodies = 2000000000};
    rct_error error;
    rct_memory_assume(INT64_C(23000000000));
    assert_null(rct_model_parse(text, (int64_t)strlen(text), &error));
    assert_int_equal(error.status, RCT_ERROR_MEMORY);
    assert_memory_equal(error.text, expected, strlen(expected));
    assert_null(rct_model_generate(&family, &error));
    assert_memory_equal(error.text, expected, strlen(expected));
    rct_memory_assume(-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_families_round_trip),
        cmocka_unit_test(test_long_chain_is_a_short_file),
        cmocka_unit_test(test_runs_of_names_and_parents),
        cmocka_unit_test(test_bodies_that_differ_in_one_bit_are_not_one_run),
        cmocka_unit_test(test_numbers_keep_their_bits),
        cmocka_unit_test(test_names_of_any_text),
        cmocka_unit_test(test_parents_and_repeat),
        cmocka_unit_test(test_more_bodies_than_fit),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_examples),
    };
    return cmocka_run_group_tests(tests, make_model_file, remove_model_file);
}
