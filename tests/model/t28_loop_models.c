/* Loops of a model: checks that need the whole model, and loops read back. */
#include "tests/support/systems/models_alike.h"

#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/model/loop_fields.h"
#include "tests/support/systems/any_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void test_names(void **state)
{
    (void)state;
    const struct {
        const char *name, *says;
    } bad[] = {
        {"first", "loop 1: the name \"first\" belongs to loop 0; give each a name of its own"},
        {"loop0", "its name is reserved for loops without a name; give another name"},
        {"loop1", "is reserved for loops without a name"},
        {"loop00017", "is reserved for loops without a name"},
        {"caf\xe9", "its name is not UTF-8 text; give it in UTF-8"},
    };
    rct_loop loop = closure(RCT_LOOP_BALL);
    char text[RCT_NAME_SIZE + 1];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        loop.name = bad[i].name;
        expect_refused(loop, bad[i].says);
    }
    memset(text, 'x', sizeof text);
    text[RCT_NAME_SIZE] = '\0';
    loop.name = text;
    expect_refused(loop, "its name is longer than 127 bytes; shorten it");

    const char *const good[] = {"a", NULL, "loop", "", "loopy1", "loop1 ", "body0", "ground"};
    rct_model *model = four_bodies();
    for (int32_t i = 0; i < 8; i++) {
        char name[RCT_NAME_SIZE], expected[RCT_NAME_SIZE];
        const int named = good[i] != NULL && good[i][0] != '\0';
        snprintf(expected, sizeof expected, "loop%d", (int)i);
        loop.name = good[i];
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
        rct_model_loop_name(model, i, name);
        assert_string_equal(name, named ? good[i] : expected);
        assert_int_equal(rct_model_find_loop(model, name), i);
    }
    const char *const none[] = {
        "loop0", "loop8", "loop01", "loop-1", "loop+1", "loop1x", "loop99999999999999999999",
        "b",     "",      "Loop1"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_int_equal(rct_model_find_loop(model, none[i]), -1);
    }
    rct_model_loop_name(model, 99, text);
    assert_string_equal(text, "loop99");
    rct_model_free(model);
}

/* Bodies may come after the loops; rct_model_check checks the whole. */
static void test_loops_name_bodies_and_coordinates(void **state)
{
    (void)state;
    const struct {
        int32_t body, other, term; /* a relation: term >= -9 is its body, other its freedom */
        const char *says;
    } cases[] = {
        {4, RCT_GROUND, -10,
         "loop 1 \"loop1\": its body 4 does not exist; the model has bodies 0 to 3"},
        {RCT_GROUND, 2, -10, "loop 1 \"loop1\": its body -1 does not exist"},
        {0, 9, -10, "loop 1 \"loop1\": its other body 9 does not exist"},
        {0, -2, -10, "loop 1 \"loop1\": its other body -2 does not exist"},
        {3, 2, -10, NULL},
        {0, RCT_GROUND, -10, NULL},
        {0, 0, 4, "loop 1 \"loop1\": body 4 of term 1 does not exist; the model has bodies 0 to 3"},
        {0, 0, RCT_GROUND, "body -1 of term 1 does not exist"},
        {0, 0, 0, "coordinate 0 of body 0: its ball hinge has no single coordinates"},
        {0, 3, 2, "coordinate 3 of body 2: its free hinge has no single coordinates"},
        {0, 0, 3, "coordinate 0 of body 3: its fixed hinge has no single coordinates"},
        {0, 2, 1, "coordinate 2 of body 1: its universal hinge has no coordinate of that number"},
        {0, -1, 1, "coordinate -1 of body 1: its universal hinge has no coordinate of that number"},
        {0, 1, 1, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rct_model *model = four_bodies();
        rct_error error = {.status = RCT_OK};
        const rct_loop_term terms[2] = {{1, 0, 1.0}, {cases[i].term, cases[i].other, 2.0}};
        const rct_loop good = closure(RCT_LOOP_BALL);
        rct_loop loop = closure(RCT_LOOP_BALL);
        loop.body = cases[i].body;
        loop.other = cases[i].other;
        loop = cases[i].term >= -9 ? relation(terms, 2) : loop;
        assert_int_equal(rct_model_add_loop(model, &good, NULL, NULL), RCT_OK);
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
        const rct_status status = rct_model_check(model, &error);
        assert_int_equal(status, cases[i].says == NULL ? RCT_OK : RCT_ERROR_MODEL);
        if (cases[i].says != NULL) {
            expect_loop_words(&error, RCT_ERROR_MODEL, cases[i].says);
        }
        if (i == 0) { /* the body comes late */
            const rct_body same = rct_bodies_get(model->bodies, 0);
            assert_int_equal(rct_model_add_body(model, &same, NULL, NULL), RCT_OK);
            assert_int_equal(rct_model_check(model, NULL), RCT_OK);
        }
        rct_model_free(model);
    }
}

static void expect_units(const rct_loop *loop)
{
    const struct {
        const double *x;
        int count;
    } units[] = {
        {loop->orientation, 4}, {loop->other_orientation, 4}, {loop->axis, 3}, {loop->axis2, 3}};
    for (int i = 0; i < 4; i++) {
        double square = 0.0;
        for (int k = 0; k < units[i].count; k++) {
            square += units[i].x[k] * units[i].x[k];
        }
        assert_true(fabs(square - 1.0) < 4e-15);
    }
    const double *a = loop->axis, *b = loop->axis2;
    const double along = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    assert_true(fabs(along) < 4e-15 ||
                (loop->type != RCT_LOOP_SLOT && loop->type != RCT_LOOP_PLANAR_PRISMATIC));
}

/* Loops read back, with units; given again they keep their bits. With failing allocations, nothing
 * is added. */
static void test_loops_come_back(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    rct_model *model = four_bodies();
    rct_draw draw = rct_draw_start(6, 0);
    int failures = 0;
    for (int32_t i = 0; i < COUNT; i++) {
        char name[32];
        rct_loop_term terms[ANY_TERMS];
        rct_loop given = any_loop(&draw, model, (rct_loop_type)(i % RCT_LOOP_TYPES), terms);
        rct_loop first, back;
        int32_t index = -1;
        snprintf(name, sizeof name, "number %d", (int)i);
        given.name = i % 3 == 0 ? name : NULL;
        rct_status status = RCT_ERROR_MEMORY;
        for (int64_t k = 0; status == RCT_ERROR_MEMORY; k++) {
            rct_allocate_fail_after(k);
            status = rct_model_add_loop(model, &given, &index, NULL);
            rct_allocate_fail_after(-1);
            failures += status == RCT_ERROR_MEMORY;
            assert_int_equal(rct_model_loop_count(model), i + (status == RCT_OK));
        }
        assert_int_equal(status, RCT_OK);
        assert_int_equal(index, i);
        memset(terms, 0, sizeof terms); /* copied */
        assert_int_equal(rct_model_loop(model, i, &first, NULL), RCT_OK);
        expect_units(&first);
        assert_true(first.active == given.active && first.body == given.body &&
                    first.other == given.other && first.length == given.length);
        assert_true(first.terms != terms && first.term_count == given.term_count);
        rct_model *other = four_bodies();
        assert_int_equal(rct_model_add_loop(other, &first, NULL, NULL), RCT_OK);
        assert_int_equal(rct_model_loop(other, 0, &back, NULL), RCT_OK);
        assert_true(loops_alike(&first, &back));
        rct_model_free(other);
    }
    assert_true(failures > COUNT / RCT_LOOP_TYPES);
    rct_loop back;
    rct_error error;
    const int32_t bad[] = {COUNT, -1, INT32_MAX, INT32_MIN};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(rct_model_loop(model, bad[i], &back, &error), RCT_ERROR_ARGUMENT);
        expect_loop_words(&error, RCT_ERROR_ARGUMENT, "does not exist; the model has 400 loops");
    }
    /* as many as there may be, without the memory */
    const rct_loop loop = closure(RCT_LOOP_BALL);
    const int32_t count = model->loop_count, capacity = model->loop_capacity;
    model->loop_count = model->loop_capacity = INT32_MAX - 1;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, &error), RCT_ERROR_MODEL);
    expect_loop_words(&error, RCT_ERROR_MODEL, "a model holds at most 2147483646 loops");
    model->loop_count = count;
    model->loop_capacity = capacity;
    rct_model_free(model);
}

/* A flag is 0 or 1; negative zeros in unused fields vanish, because a model file could not
 * represent them. */
static void test_what_is_of_no_use_is_cleared(void **state)
{
    (void)state;
    for (int t = 0; t < RCT_LOOP_TYPES; t++) {
        rct_model *model = four_bodies();
        rct_loop loop = of_type((rct_loop_type)t), back;
        loop.active = 5;
        loop.terms = two_terms; /* counted by none but relations */
        for (int i = 0; i < NUMBERS; i++) {
            double *x = number_of(&loop, i);
            *x = *x == 0.0 ? -0.0 : *x;
        }
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
        assert_int_equal(rct_model_loop(model, 0, &back, NULL), RCT_OK);
        assert_int_equal(back.active, 1);
        assert_true((back.terms != NULL) == (t == RCT_LOOP_RELATION));
        for (int i = 0; i < NUMBERS; i++) {
            assert_true(has((rct_loop_type)t, i) || !signbit(*number_of(&back, i)));
        }
        rct_model_free(model);
    }
}

/* Many terms are checked quickly, and their order is kept. */
static void test_a_relation_of_many_terms(void **state)
{
    (void)state;
    enum { MANY = 200000 };
    static rct_loop_term terms[MANY];
    rct_model *model = four_bodies();
    rct_loop back;
    for (int32_t i = 0; i < MANY; i++) {
        terms[i] = (rct_loop_term){(int32_t)((int64_t)i * 7919 % MANY), i % 2, 1.0 + i};
    }
    rct_loop loop = relation(terms, MANY);
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    assert_int_equal(rct_model_loop(model, 0, &back, NULL), RCT_OK);
    assert_int_equal(back.term_count, MANY);
    assert_memory_equal(back.terms, terms, sizeof terms);
    terms[MANY - 1] = terms[0];
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_ERROR_MODEL);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_loops_name_bodies_and_coordinates),
        cmocka_unit_test(test_loops_come_back),
        cmocka_unit_test(test_what_is_of_no_use_is_cleared),
        cmocka_unit_test(test_a_relation_of_many_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
