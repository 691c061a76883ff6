/* The reader of JSON texts alone: invalid JSON and its place, numbers to the last bit, strings,
 * parts left out of a tree, the same values in any order, failing allocations. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "model/families/draw.h"
#include "model/json/print.h"
#include "model/json/tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rct_status read_text(rct_json_tree *tree, const char *text, rct_error *error)
{
    return rct_json_read(tree, text, (int64_t)strlen(text), NULL, error);
}

static void test_what_is_no_json(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "line 1, column 1: not valid JSON: '[' or '{' expected near end of file"},
        {"\n \n", "line 3, column 1: not valid JSON: '[' or '{' expected near end of file"},
        {"1", "line 1, column 1: not valid JSON: '[' or '{' expected near '1'"},
        {"[] x", "line 1, column 4: not valid JSON: end of file expected near 'x'"},
        {"[1 2]", "line 1, column 4: not valid JSON: ']' expected near '2'"},
        {"[1,]", "line 1, column 4: not valid JSON: a comma before ']'; remove it"},
        {"{\"a\":1,}", "line 1, column 8: not valid JSON: a comma before '}'; remove it"},
        {"{\"a\":1,2}", "line 1, column 8: not valid JSON: string expected near '2'"},
        {"[1, // two\n2]", "line 1, column 5: not valid JSON: JSON has no comments near '/'"},
        {"{\"a\":1 /**/}", "line 1, column 8: not valid JSON: JSON has no comments near '/'"},
        {"[1", "line 1, column 2: not valid JSON: ']' expected near end of file"},
        {"[1,", "line 1, column 3: not valid JSON: ']' expected near end of file"},
        {"{,}", "line 1, column 2: not valid JSON: string or '}' expected near ','"},
        {"{\"a\" 1}", "line 1, column 6: not valid JSON: ':' expected near '1'"},
        {"{\"a\":}", "line 1, column 6: not valid JSON: unexpected token near '}'"},
        {"{\"a\":1 \"b\"}", "line 1, column 10: not valid JSON: '}' expected near '\"b\"'"},
        {"{\"a\":1,\n\"a\":2}",
         "line 2, column 3: not valid JSON: duplicate object key near '\"a\"'"},
        {"{\"a\":1,\"\\u0061\":2}", "duplicate object key near '\"\\u0061\"'"},
        {"{\"\\u0000\":1}", "NUL byte in object key not supported near '\"\\u0000\"'"},
        {"[\"\\u0000\"]", "line 1, column 9: not valid JSON: \\u0000 is not allowed near"},
        {"[01]", "line 1, column 2: not valid JSON: invalid token near '0'"},
        {"[1.]", "line 1, column 3: not valid JSON: invalid token near '1.'"},
        {"[.5]", "line 1, column 2: not valid JSON: invalid token near '.'"},
        {"[-]", "line 1, column 2: not valid JSON: invalid token near '-'"},
        {"[1e+]", "line 1, column 4: not valid JSON: invalid token near '1e+'"},
        {"[1e400]", "line 1, column 6: not valid JSON: real number overflow near '1e400'"},
        {"[nul]", "line 1, column 4: not valid JSON: invalid token near 'nul'"},
        {"[truth]", "line 1, column 6: not valid JSON: invalid token near 'truth'"},
        {"[\"a\nb\"]", "line 1, column 3: not valid JSON: unexpected newline near '\"a'"},
        {"[\"a\tb\"]", "line 1, column 3: not valid JSON: control character 0x9 near '\"a'"},
        {"[\"\\x\"]", "line 1, column 4: not valid JSON: invalid escape near '\"\\x'"},
        {"[\"\\u12g4\"]", "line 1, column 7: not valid JSON: invalid escape near '\"\\u12g'"},
        {"[\"\\", "line 1, column 3: not valid JSON: invalid escape near '\"\\'"},
        {"[\"\\xc3\xa9", "line 1, column 4: not valid JSON: invalid escape near '\"\\x'"},
        {"[\"\\\xc3\xa9\"]", "invalid escape near '\"\\\xc3\xa9'"},
        {"[\"\\ud800\"]", "invalid Unicode '\\uD800' near '\"\\ud800\"'"},
        {"[\"\\udc00\"]", "invalid Unicode '\\uDC00' near '\"\\udc00\"'"},
        {"[\"\\ud800\\u0041\"]", "invalid Unicode '\\uD800\\u0041' near"},
        {"[\"ab", "line 1, column 4: not valid JSON: premature end of input near '\"ab'"},
        {"[\"a\xff\"]", "line 1, column 3: not valid JSON: unable to decode byte 0xff near '\"a'"},
        {"[\xc3", "line 1, column 1: not valid JSON: unable to decode byte 0xc3"},
        {"[1\xff]", "unable to decode byte 0xff near '1'"},
        {"[true\xed\xa0\x80]", "unable to decode byte 0xed near 'true'"},
        {"[\xc3\xa9]", "line 1, column 2: not valid JSON: invalid token near '\xc3\xa9'"},
        {"[\"\xc3\xa9\" 1]", "line 1, column 6: not valid JSON: ']' expected near '1'"},
        {"[ \"a string of more than twenty\" 1]", "']' expected near '1'"},
        {"[1 \"a string of more than twenty\"]", "']' expected"},
    };
    rct_json_tree tree = {.count = 0};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        rct_error error;
        assert_int_equal(read_text(&tree, bad[i].text, &error), RCT_ERROR_SYNTAX);
        if (strstr(error.text, bad[i].says) == NULL) {
            fail_msg("%s: \"%s\" does not say \"%s\"", bad[i].text, error.text, bad[i].says);
        }
    }
    rct_json_free(&tree);
}

static void test_too_many_keys(void **state)
{
    (void)state;
    char text[8192] = "{";
    rct_error error;
    rct_json_tree tree = {.count = 0};
    for (int i = 0; i < 257; i++) {
        const size_t size = strlen(text);
        snprintf(text + size, sizeof text - size, "%s\"%d\":0", i > 0 ? "," : "", i);
        if (i == 255) {
            strcat(text, "}");
            assert_int_equal(read_text(&tree, text, &error), RCT_OK);
            text[strlen(text) - 1] = '\0';
        }
    }
    assert_int_equal(read_text(&tree, strcat(text, "}"), &error), RCT_ERROR_SYNTAX);
    assert_non_null(strstr(error.text, "more than 256 keys in an object near '\"256\"'"));
    rct_json_free(&tree);
}

static double number_in(const char *literal)
{
    char text[2100];
    rct_error error;
    rct_json_tree tree = {.count = 0};
    snprintf(text, sizeof text, "[%s]", literal);
    assert_int_equal(read_text(&tree, text, &error), RCT_OK);
    const double number = rct_json_number(rct_json_at(tree.values, 0));
    rct_json_free(&tree);
    return number;
}

static void check_number(const char *literal)
{
    const double own = number_in(literal), other = strtod(literal, NULL);
    if (memcmp(&own, &other, sizeof own) != 0) {
        fail_msg("%s is read as %a, not as %a", literal, own, other);
    }
}

static void test_numbers_are_rounded_as_they_should_be(void **state)
{
    (void)state;
    static const char *const some[] = {"0",
                                       "-0",
                                       "-0.0",
                                       "0e999999999999999999999",
                                       "1E5",
                                       "1e-999999999999999999999",
                                       "5e-324",
                                       "2.2250738585072011e-308",
                                       "1.7976931348623157e308",
                                       "9007199254740993",
                                       "9007199254740993.00000000000000000000000000000000001",
                                       "0.1e-400",
                                       "1e23",
                                       "8.5e22",
                                       "999999999999999999",
                                       "1000000000000000000",
                                       "9223372036854775807.9",
                                       "18446744073709551617",
                                       "0.99999999999999999999",
                                       "123456789012345678901234567890",
                                       "0.000000000000000000000000000001234567890123456789"};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        check_number(some[i]);
    }
    for (uint64_t seed = 0; seed < 40000; seed++) {
        rct_draw draw = rct_draw_start(seed, 27);
        const double size = rct_draw_unit(&draw), scale = rct_draw_unit(&draw);
        char literal[2048];
        snprintf(literal, sizeof literal, "%.*f", rct_draw_index(&draw, 40), 1e3 * size * scale);
        check_number(literal);
        snprintf(literal, sizeof literal, "-%.*fe%d", rct_draw_index(&draw, 24) + 1, size,
                 rct_draw_index(&draw, 80) - 40);
        check_number(literal);
        snprintf(literal, sizeof literal, "%llu.%0*llu",
                 (unsigned long long)(rct_draw_bits(&draw) >> rct_draw_index(&draw, 64)),
                 rct_draw_index(&draw, 20) + 1,
                 (unsigned long long)(rct_draw_bits(&draw) >> rct_draw_index(&draw, 64)));
        check_number(literal);
    }
    for (uint64_t seed = 0; seed < 300; seed++) { /* the middle of two doubles, to all its digits */
        rct_draw draw = rct_draw_start(seed, 28);
        const double x = 1.0 + rct_draw_unit(&draw);
        char literal[2048];
        snprintf(literal, sizeof literal, "%.60Lf", (long double)x + 0x1p-53L);
        check_number(literal);
        strcat(literal, rct_draw_index(&draw, 2) ? "1" : "0");
        check_number(literal);
        const size_t length = strlen(literal);
        memset(literal + length, '0', 900);
        strcpy(literal + length + 900, rct_draw_index(&draw, 2) ? "1e-3" : "0e3");
        check_number(literal);
    }
}

/* The printf form: 15 digits if it has no more than nine places, else 17, with a point or an
 * exponent. */
static void check_written(double x)
{
    char own[64], other[64];
    FILE *out = fmemopen(own, sizeof own, "w");
    rct_json_print_number(out, x);
    fclose(out);
    snprintf(other, sizeof other, rint(x * 1e9) / 1e9 == x && fabs(x) < 1e6 ? "%.15g" : "%.17g", x);
    if (strpbrk(other, ".e") == NULL) {
        strcat(other, ".0");
    }
    assert_string_equal(own, other);
    const double again = number_in(own);
    assert_memory_equal(&again, &x, sizeof x);
}

static void test_numbers_are_written_as_printf_does(void **state)
{
    (void)state;
    check_written(0.0);
    check_written(-0.0);
    check_written(5e-324);
    check_written(1.7976931348623157e308);
    for (int e = -7; e < 20; e++) { /* about every power of ten */
        double below = pow(10.0, e), above = below;
        for (int k = 0; k < 40; k++) {
            check_written(below);
            check_written(-above);
            below = nextafter(below, 0.0);
            above = nextafter(above, INFINITY);
        }
    }
    for (uint64_t seed = 0; seed < 20000; seed++) {
        rct_draw draw = rct_draw_start(seed, 29);
        const double x = rct_draw_unit(&draw);
        check_written(ldexp(x, rct_draw_index(&draw, 80) - 20));
        check_written(ldexp(rct_draw_index(&draw, 1000), -rct_draw_index(&draw, 70)));
        check_written(1e-3 * rct_draw_index(&draw, 1000000));
    }
}

static void test_values(void **state)
{
    (void)state;
    const char text[] =
        "{ \"a\": [1, -2.5, 1e0, 99999999999999999999], \"b\": { \"c\": true, \"d\": "
        "null },\n \"e\": \"\\u00e9\\ud83d\\ude00\\n\\/\xe2\x82\xac\", \"f\": {} }";
    rct_error error;
    rct_json_tree tree = {.count = 0};
    assert_int_equal(read_text(&tree, text, &error), RCT_OK);
    const rct_json *root = tree.values, *a = rct_json_member(root, "a");
    int64_t whole = 0;
    assert_int_equal(root->count, 4);
    assert_int_equal(rct_json_count(a), 4);
    assert_true(rct_json_integer(rct_json_at(a, 0), &whole) && whole == 1);
    assert_true(rct_json_integer(rct_json_at(a, 2), &whole) && whole == 1);
    assert_false(rct_json_integer(rct_json_at(a, 1), &whole));
    assert_false(rct_json_integer(rct_json_at(a, 3), &whole));
    assert_true(rct_json_number(rct_json_at(a, 3)) == 1e20);
    assert_null(rct_json_at(a, 4));
    assert_null(rct_json_at(a, -1));
    assert_null(rct_json_at(root, 0));
    assert_null(rct_json_member(a, "a"));
    assert_null(rct_json_member(NULL, "a"));
    assert_null(rct_json_string(a));
    assert_false(rct_json_integer(root, &whole));
    assert_true(rct_json_is(rct_json_member(rct_json_member(root, "b"), "d"), RCT_JSON_NULL));
    assert_string_equal(rct_json_string(rct_json_member(root, "e")),
                        "\xc3\xa9\xf0\x9f\x98\x80\n/\xe2\x82\xac");
    rct_json_free(&tree);
}

static void test_the_same(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"a\":1,\"b\":[true,null,\"x\"]}", "{\"b\":[true,null,\"\\u0078\"],\"a\":1.0}",
        "{\"a\":1,\"b\":[true,null,\"y\"]}", "{\"a\":1,\"b\":[true,null]}",
        "{\"a\":1,\"c\":[true,null,\"x\"]}", "{\"a\":2,\"b\":[true,null,\"x\"]}",
        "{\"a\":1,\"b\":[false,null,\"x\"]}"};
    rct_error error;
    rct_json_tree first = {.count = 0};
    assert_int_equal(read_text(&first, texts[0], &error), RCT_OK);
    for (int i = 0; i < 7; i++) {
        rct_json_tree tree = {.count = 0};
        assert_int_equal(read_text(&tree, texts[i], &error), RCT_OK);
        assert_int_equal(rct_json_same(first.values, tree.values), i < 2);
        rct_json_free(&tree);
    }
    assert_false(rct_json_same(NULL, first.values));
    rct_json_free(&first);
}

/* Takes three elements and adds up their numbers. */
static int take(void *context, const rct_json *element)
{
    double *sum = context;
    sum[0] += rct_json_number(rct_json_member(element, "x"));
    sum[1] += 1.0;
    return sum[1] < 3.0;
}

static void test_what_is_left_out(void **state)
{
    (void)state;
    const char text[] =
        "{\"in\":[{\"x\":1}],\"taken\":[{\"x\":1},{\"x\":2},{\"x\":4},{\"x\":8.5}],\n"
        "\"out\":[[1,2] ,\n[3,4]],\"after\":[0.1,\"y\"]}";
    double sum[2] = {0.0, 0.0};
    const rct_json_apart apart[] = {{"taken", take, sum}, {"out", NULL, NULL}, {NULL, NULL, NULL}};
    rct_error error;
    rct_json_tree tree = {.count = 0}, element = {.count = 0};
    assert_int_equal(rct_json_read(&tree, text, sizeof text - 1, apart, &error), RCT_OK);
    assert_true(sum[0] == 7.0 && sum[1] == 3.0);
    assert_int_equal(tree.count, 9);
    assert_true(rct_json_number(rct_json_at(rct_json_member(tree.values, "after"), 0)) == 0.1);
    const rct_json *out = rct_json_member(tree.values, "out");
    const char *at = NULL;
    assert_int_equal(rct_json_count(out), 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(rct_json_element(&element, &tree, out, &at, &error), RCT_OK);
        assert_true(rct_json_number(rct_json_at(element.values, 1)) == 2.0 + 2.0 * i);
        assert_int_equal(rct_json_line(&element, element.values->shown), 2 + i);
    }
    rct_json_free(&element);
    rct_json_free(&tree);
}

static void test_short_memory(void **state)
{
    (void)state;
    char text[4096] = "[";
    for (int i = 0; i < 200; i++) {
        strcat(text, "\"a text\", ");
    }
    strcat(text, "0]");
    rct_status status = RCT_ERROR_MEMORY;
    int64_t k = 0;
    for (; status != RCT_OK; k++) {
        rct_json_tree tree = {.count = 0};
        rct_error error;
        rct_allocate_fail_after(k);
        status = read_text(&tree, text, &error);
        rct_allocate_fail_after(-1);
        assert_true(status == RCT_OK || error.status == RCT_ERROR_MEMORY);
        rct_json_free(&tree);
    }
    assert_true(k > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_no_json),
        cmocka_unit_test(test_too_many_keys),
        cmocka_unit_test(test_numbers_are_rounded_as_they_should_be),
        cmocka_unit_test(test_numbers_are_written_as_printf_does),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_the_same),
        cmocka_unit_test(test_what_is_left_out),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
