/* Damaged model files and failing allocations: always an error with its place, never a crash. Keys
 * and elements have the right lines in any layout. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "model/families/draw.h"
#include "model/json/tree.h"

#include <riccatree/model.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char good[] =
    "{ \"riccatree\": 1, \"name\": \"caf\xc3\xa9\", \"gravity\": [0, 0, -9.81],\n"
    "  \"bodies\": [\n"
    "    { \"name\": \"upper \\\"one\\\"\", \"parent\": \"ground\",\n"
    "      \"hinge\": { \"type\": \"ball\", \"at\": [0, 0, 10] },\n"
    "      \"mass\": 1.0, \"com\": [0, 0, -0.5], \"inertia\": [0.0833, 0.0833, 0.001, 0, 0, 0],\n"
    "      \"initial\": { \"orientation\": [1, 0, 0, 0], \"angular_velocity\": [0, 0, 1] } },\n"
    "    { \"repeat\": 3, \"body\": { \"name\": \"l\", \"parent\": \"previous\",\n"
    "      \"hinge\": { \"type\": \"fixed\", \"orientation\": [0, 1, 0, 0] },\n"
    "      \"mass\": 2e0, \"inertia\": [0.1, 0.1, 0.1, 0, 0, 0] } },\n"
    "    { \"parent\": \"l.2\", \"hinge\": { \"type\": \"ball\" }, \"mass\": 1,\n"
    "      \"inertia\": [0.1, 0.1, 0.1, 0, 0, 0] },\n"
    "    { \"parent\": \"l.1\", \"hinge\": { \"type\": \"universal\", \"axis\": [0, 0, 1],\n"
    "      \"axis2\": [1, 0, 0], \"damping\": [0.1, 2] }, \"mass\": 1,\n"
    "      \"inertia\": [1, 1, 1, 0, 0, 0], \"initial\": { \"rate\": [1, 2] } } ],\n"
    "  \"forces\": [ { \"type\": \"spring\", \"body\": \"l.1\", \"other\": \"ground\",\n"
    "    \"stiffness\": 9 }, { \"type\": \"wrench\", \"body\": \"l.2\", \"moment\": [0, 1, 0],\n"
    "    \"axes\": \"body\" } ],\n"
    "  \"loops\": [ { \"type\": \"slot\", \"body\": \"l.1\", \"other\": \"ground\", \"axis\": [0, "
    "1, 0],\n"
    "    \"axis2\": [1, 0, 0], \"active\": false }, { \"name\": \"gear\", \"type\": \"relation\",\n"
    "    \"terms\": [ { \"body\": \"body5\", \"coordinate\": 1, \"factor\": 2 } ], \"rate\": 1 } "
    "],\n"
    "  \"base\": { \"axis\": [0, 1, 0], \"table\": [ [0, 0, 0, 0, 0],\n"
    "    [1, 0, 0.5, 0, 0.1] ] } }";

enum { GOOD_SIZE = sizeof good - 1 };

/* A copy of exactly `size` bytes, so that reading past its end is found by AddressSanitizer. */
static rct_model *parse_exactly(const char *text, int64_t size, rct_error *error)
{
    char *copy = malloc(size > 0 ? (size_t)size : 1);
    memcpy(copy, text, (size_t)size);
    rct_model *model = rct_model_parse(copy, size, error);
    free(copy);
    return model;
}

static void test_every_prefix_is_an_error(void **state)
{
    (void)state;
    rct_error error;
    for (int64_t size = 0; size < GOOD_SIZE; size++) {
        assert_null(parse_exactly(good, size, &error));
        assert_int_equal(error.status, RCT_ERROR_SYNTAX);
        assert_true(error.line >= 1 && error.line <= 22 && error.column >= 1);
    }
    rct_model *model = parse_exactly(good, GOOD_SIZE, &error);
    assert_int_equal(rct_model_body_count(model), 6);
    rct_model_free(model);
}

static void check_damaged(const char *text, int64_t size)
{
    rct_error error = {.text = ""};
    rct_model *model = parse_exactly(text, size, &error);
    if (model != NULL) {
        assert_int_equal(rct_model_check(model, NULL), RCT_OK);
    } else {
        assert_true(error.status == RCT_ERROR_SYNTAX || error.status == RCT_ERROR_MODEL);
        assert_true(error.line >= 1 && strncmp(error.text, "line ", 5) == 0);
    }
    rct_model_free(model);
}

static void test_every_byte_dropped_or_replaced(void **state)
{
    (void)state;
    const char with[] = {'"', '\\', '{', '}', '[',  ']',  ',',   ':',
                         '0', '-',  'e', ' ', '\n', '\0', '\xff'};
    char text[GOOD_SIZE];
    for (int64_t i = 0; i < GOOD_SIZE; i++) {
        memcpy(text, good, (size_t)i);
        memcpy(text + i, good + i + 1, (size_t)(GOOD_SIZE - 1 - i));
        check_damaged(text, GOOD_SIZE - 1);
        memcpy(text, good, GOOD_SIZE);
        for (size_t k = 0; k < sizeof with; k++) {
            text[i] = with[k];
            check_damaged(text, GOOD_SIZE);
        }
    }
}

/* Several bytes replaced at random, or a piece copied over another. */
static void test_random_damage(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        rct_draw draw = rct_draw_start(seed, 25);
        char text[GOOD_SIZE];
        memcpy(text, good, GOOD_SIZE);
        for (int32_t k = rct_draw_index(&draw, 4); k >= 0; k--) {
            const int32_t from = rct_draw_index(&draw, GOOD_SIZE);
            const int32_t to = rct_draw_index(&draw, GOOD_SIZE);
            const int32_t longest = GOOD_SIZE - (from > to ? from : to);
            const int32_t size = rct_draw_index(&draw, longest < 40 ? longest : 40) + 1;
            memmove(text + to, text + from, (size_t)size);
            if (rct_draw_unit(&draw) < 0.3) {
                text[from] = (char)rct_draw_index(&draw, 256);
            }
        }
        check_damaged(text, GOOD_SIZE);
    }
}

static void test_bad_arguments(void **state)
{
    (void)state;
    rct_error error;
    assert_null(rct_model_parse(NULL, 10, &error));
    assert_int_equal(error.status, RCT_ERROR_ARGUMENT);
    assert_null(rct_model_parse(good, -1, &error));
    assert_int_equal(error.status, RCT_ERROR_ARGUMENT);
    assert_null(rct_model_parse(good, 100, NULL)); /* nobody listens */
    assert_null(rct_model_parse("[]", 2, NULL));
}

static void test_a_million_brackets(void **state)
{
    (void)state;
    const int64_t size = 1000000;
    char *text = malloc((size_t)size);
    rct_error error;
    memset(text, '[', (size_t)size);
    assert_null(rct_model_parse(text, size, &error));
    assert_int_equal(error.status, RCT_ERROR_SYNTAX);
    assert_int_equal(error.column, 65);
    memset(text, ']', (size_t)size);
    assert_null(rct_model_parse(text, size, &error));
    assert_int_equal(error.status, RCT_ERROR_SYNTAX);
    memset(text, '"', (size_t)size);
    assert_null(rct_model_parse(text, size, &error));
    free(text);
}

static void test_short_memory_is_an_error(void **state)
{
    (void)state;
    rct_model *model = NULL;
    for (int64_t k = 0; model == NULL; k++) {
        rct_error error = {.status = RCT_OK};
        rct_allocate_fail_after(k);
        model = rct_model_parse(good, GOOD_SIZE, &error);
        rct_allocate_fail_after(-1);
        assert_int_equal(error.status, model == NULL ? RCT_ERROR_MEMORY : RCT_OK);
    }
    rct_model_free(model);
}

/* The place of the value, member or element at the end of a path, or how far the path goes. */
static int32_t line_of(const rct_json_tree *tree, const char *key, int64_t index,
                       const char *member)
{
    const rct_json *value = tree->values, *next = rct_json_member(value, key);
    value = next != NULL ? next : value;
    next = rct_json_at(next, index);
    value = next != NULL ? next : value;
    next = rct_json_member(next, member);
    return rct_json_line(tree, (next != NULL ? next : value)->shown);
}

static void test_lines_are_found(void **state)
{
    (void)state;
    const char text[] = "\n{ \"x\": [\"]},\\\"\", {\"bodies\":\n[1]}],\n"
                        "\"bodies\"\n:\n[\n 7,\n{ \"b\\u0065\": [{}, {}],\n\"c\": \"\\\\\"},\n"
                        "[[\n]],{\n\"d\":1}]}";
    rct_error error;
    rct_json_tree tree = {.count = 0};
    assert_int_equal(rct_json_read(&tree, text, sizeof text - 1, NULL, &error), RCT_OK);
    assert_int_equal(line_of(&tree, "nothing", 0, "b"), 2);
    assert_int_equal(line_of(&tree, "bodies", 0, "b"), 7); /* element 0 has no members */
    assert_int_equal(line_of(&tree, "bodies", 1, "be"), 8);
    assert_int_equal(line_of(&tree, "bodies", 1, "c"), 9);
    assert_int_equal(line_of(&tree, "bodies", 1, "d"), 8);
    assert_int_equal(line_of(&tree, "bodies", 2, "d"), 10);
    assert_int_equal(line_of(&tree, "bodies", 3, "d"), 12);
    assert_int_equal(line_of(&tree, "bodies", 4, "d"), 4);
    assert_int_equal(line_of(&tree, "x", 1, "bodies"), 2);
    assert_int_equal(rct_json_line(&tree, tree.values->shown), 2);
    rct_json_free(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_prefix_is_an_error),
        cmocka_unit_test(test_every_byte_dropped_or_replaced),
        cmocka_unit_test(test_random_damage),
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_a_million_brackets),
        cmocka_unit_test(test_short_memory_is_an_error),
        cmocka_unit_test(test_lines_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
