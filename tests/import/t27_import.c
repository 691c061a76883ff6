/* Imports as a whole: files and memory, reports, formats, damaged texts, failing allocations, other
 * locales, and the further way through a JSON file. */
#include "tests/import/import_check.h"
#include "tests/support/draw.h"
#include "tests/support/systems/models_alike.h"

#include "tests/support/cmocka_all.h"

#include "core/memory.h"

#include <riccatree/loop.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MASS "<inertial><mass value='1.5'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"

static const char robot[] = "<robot name='r'><link name='a'>" MASS "</link></robot>";

/* A file of the examples, in memory; freed by the caller. */
static char *read_example(const char *name, int64_t *size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", RCT_EXAMPLES, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(1 << 16);
    *size = (int64_t)fread(bytes, 1, 1 << 16, file);
    fclose(file);
    assert_true(*size > 0 && *size < 1 << 16);
    return bytes;
}

static void count_hinges(const rct_model *model, int counts[RCT_HINGE_TYPES])
{
    for (int32_t i = 0; i < rct_model_body_count(model); i++) {
        rct_body body;
        rct_model_body(model, i, &body, NULL);
        counts[body.hinge]++;
    }
}

static void test_the_examples(void **state)
{
    (void)state;
    rct_error error;
    rct_import_report report;
    const rct_import_options options = {.report = &report};
    rct_model *arm = rct_model_import(RCT_EXAMPLES "/arm7.urdf", &options, &error);
    assert_non_null(arm);
    assert_int_equal(report.format, RCT_IMPORT_URDF);
    assert_int_equal(report.ignored, 0);
    int hinges[RCT_HINGE_TYPES] = {0};
    count_hinges(arm, hinges);
    assert_int_equal(hinges[RCT_HINGE_REVOLUTE], 7);
    assert_int_equal(rct_model_body_count(arm), 7);
    rct_model *figure = rct_model_import(RCT_EXAMPLES "/figure17.xml", &options, &error);
    assert_non_null(figure);
    assert_int_equal(report.format, RCT_IMPORT_MJCF);
    memset(hinges, 0, sizeof hinges);
    count_hinges(figure, hinges);
    assert_int_equal(rct_model_body_count(figure), 17);
    assert_int_equal(hinges[RCT_HINGE_FREE], 1);
    assert_int_equal(hinges[RCT_HINGE_BALL], 4);
    assert_int_equal(hinges[RCT_HINGE_UNIVERSAL], 6);
    assert_int_equal(hinges[RCT_HINGE_REVOLUTE], 6);
    rct_model_free(arm);
    rct_model_free(figure);
}

static void test_what_is_ignored_is_reported(void **state)
{
    (void)state;
    text t = {.size = 0};
    rct_import_report report;
    const rct_import_options options = {.ignore_unsupported = 1, .report = &report};
    text_add(&t, "<robot name='r'>\n<link name='a'>" MASS "</link>\n");
    for (int i = 0; i < RCT_IMPORT_NOTES + 3; i++) {
        text_add(&t, "<thing name='t%d'/>\n", i);
    }
    text_add(&t, "</robot>");
    rct_model *model = import_text(t.at, &options);
    assert_int_equal(rct_model_body_count(model), 1);
    assert_int_equal(report.ignored, RCT_IMPORT_NOTES + 3);
    assert_int_equal(report.notes, RCT_IMPORT_NOTES);
    for (int i = 0; i < RCT_IMPORT_NOTES; i++) {
        char line[RCT_IMPORT_NOTE_SIZE];
        snprintf(line, sizeof line, "<thing> \"t%d\": this element is not supported in <robot>", i);
        assert_int_equal(report.note[i].line, 3 + i);
        assert_string_equal(report.note[i].text, line);
    }
    rct_model_free(model);
}

static void expect_error(rct_model *model, const rct_error *error, rct_status status,
                         const char *words)
{
    assert_null(model);
    assert_int_equal(error->status, status);
    if (strstr(error->text, words) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error->text, words);
    }
}

static void test_bad_calls(void **state)
{
    (void)state;
    rct_error e;
    const rct_import_options odd = {.format = (rct_import_format)7};
    const rct_import_options mjcf = {.format = RCT_IMPORT_MJCF}, urdf = {.format = RCT_IMPORT_URDF};
    expect_error(rct_model_import(NULL, NULL, &e), &e, RCT_ERROR_ARGUMENT, "`path` is NULL");
    expect_error(rct_model_import("", NULL, &e), &e, RCT_ERROR_ARGUMENT, "no file was given");
    expect_error(rct_model_import("/nowhere/r.urdf", NULL, &e), &e, RCT_ERROR_IO,
                 "/nowhere/r.urdf: cannot open the file: No such file");
    expect_error(rct_model_import("/", NULL, &e), &e, RCT_ERROR_IO,
                 "/: cannot read the file: it is a directory; name a file in it");
    expect_error(rct_model_import_text(NULL, 3, NULL, &e), &e, RCT_ERROR_ARGUMENT,
                 "`text` is NULL");
    expect_error(rct_model_import_text(robot, -1, NULL, &e), &e, RCT_ERROR_ARGUMENT,
                 "a text of -1 bytes");
    expect_error(rct_model_import_text(robot, INT64_MAX, NULL, &e), &e, RCT_ERROR_UNSUPPORTED,
                 "bytes; at most 1073741824 are read");
    expect_error(rct_model_import_text(robot, sizeof robot - 1, &odd, &e), &e, RCT_ERROR_ARGUMENT,
                 "unknown format 7");
    expect_error(rct_model_import_text(robot, sizeof robot - 1, &mjcf, &e), &e, RCT_ERROR_MODEL,
                 "line 1: <robot> \"r\": the root element must be <mujoco>");
    expect_error(rct_model_import_text("<mujoco/>", 9, &urdf, &e), &e, RCT_ERROR_MODEL,
                 "the root element must be <robot>");
    assert_null(rct_model_import("/nowhere", NULL, NULL));
    assert_null(rct_model_import_text("<", 1, NULL, NULL));
}

/* Attributes with the entities of XML, and numbers for characters. */
static void test_names_are_decoded(void **state)
{
    (void)state;
    rct_model *model = import_text(
        "<robot name='&lt;r&amp;&#xe9;&gt;'><link name='&quot;a&apos;'>" MASS "</link></robot>",
        NULL);
    assert_string_equal(rct_model_name(model), "<r&\xc3\xa9>");
    assert_int_equal(rct_model_find_body(model, "\"a'"), 0);
    rct_model_free(model);
}

/* Lines are counted beyond 65,535, and through tags of many lines. */
static void test_lines_of_long_files(void **state)
{
    (void)state;
    enum { LINES = 70000 };
    char *long_text = malloc(LINES + 200);
    int size = sprintf(long_text, "<robot name='r'><link\n name='a'\n>" MASS "</link>");
    memset(long_text + size, '\n', LINES);
    size += LINES;
    size += sprintf(long_text + size, "<link\n\n name='b'\n/><lnk\n name='c'/></robot>");
    rct_error error;
    assert_null(rct_model_import_text(long_text, size, NULL, &error));
    assert_int_equal(error.line, LINES + 6);
    free(long_text);
}

/* The same model in another encoding. */
static void test_utf16_is_read(void **state)
{
    (void)state;
    char wide[2 * sizeof robot + 2] = "\xff\xfe";
    for (size_t i = 0; i < sizeof robot - 1; i++) {
        wide[2 + 2 * i] = robot[i];
    }
    rct_error error = {.text = ""};
    rct_model *model = rct_model_import_text(wide, 2 * (int64_t)sizeof robot, NULL, &error);
    assert_string_equal(error.text, "");
    assert_non_null(model);
    assert_int_equal(rct_model_find_body(model, "a"), 0);
    rct_model_free(model);
}

static void test_a_point_is_a_point_in_any_locale(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    for (size_t i = 0; i < 4 && setlocale(LC_ALL, names[i]) == NULL; i++) {
    }
    rct_model *model = import_text(robot, NULL);
    rct_body body;
    rct_model_body(model, 0, &body, NULL);
    assert_true(body.mass == 1.5);
    rct_model_free(model);
    setlocale(LC_ALL, "C");
}

/* A copy of exactly `size` bytes, so that reading past its end is found by AddressSanitizer. */
static rct_model *import_exactly(const char *bytes, int64_t size, rct_error *error)
{
    char *copy = malloc(size > 0 ? (size_t)size : 1);
    memcpy(copy, bytes, (size_t)size);
    rct_model *model = rct_model_import_text(copy, size, NULL, error);
    free(copy);
    return model;
}

static void test_every_prefix_is_an_error(void **state)
{
    (void)state;
    static const char *const names[] = {"arm7.urdf", "figure17.xml"};
    for (int i = 0; i < 2; i++) {
        int64_t size = 0;
        char *bytes = read_example(names[i], &size);
        for (int64_t k = 0; k < size - 1; k += 1 + k / 200) {
            rct_error error = {.text = ""};
            assert_null(import_exactly(bytes, k, &error));
            assert_int_equal(error.status, RCT_ERROR_SYNTAX);
            assert_true(error.line >= 1);
        }
        free(bytes);
    }
}

/* Bytes changed, removed or doubled: a model that passes the checks, or an error with a text. */
static void test_damaged_files(void **state)
{
    (void)state;
    static const char *const names[] = {"arm7.urdf", "figure17.xml"};
    static const char odd[] = "<>\"'&/= -.e0x\n\xe9";
    uint64_t s = 5;
    for (int k = 0; k < 600; k++) {
        int64_t size = 0;
        char *bytes = read_example(names[k % 2], &size);
        for (int n = (int)(draw_bits(&s) % 3); n >= 0; n--) {
            const int64_t at = (int64_t)(draw_bits(&s) % (uint64_t)size);
            if (draw_bits(&s) % 2 == 0) {
                bytes[at] = odd[draw_bits(&s) % (sizeof odd - 1)];
            } else {
                memmove(bytes + at, bytes + at + 1, (size_t)(size - at - 1));
                size--;
            }
        }
        rct_error error = {.text = ""};
        rct_model *model = import_exactly(bytes, size, &error);
        if (model != NULL) {
            assert_int_equal(rct_model_check(model, NULL), RCT_OK);
        } else {
            assert_true(error.text[0] != '\0' && error.status != RCT_OK);
        }
        rct_model_free(model);
        free(bytes);
    }
}

static void test_short_memory(void **state)
{
    (void)state;
    static const char *const names[] = {"arm7.urdf", "figure17.xml"};
    for (int i = 0; i < 2; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", RCT_EXAMPLES, names[i]);
        rct_model *model = NULL;
        for (int64_t successes = 0; model == NULL; successes++) {
            rct_error error = {.text = ""};
            rct_allocate_fail_after(successes);
            model = rct_model_import(path, NULL, &error);
            rct_allocate_fail_after(-1);
            assert_true(model != NULL || error.status == RCT_ERROR_MEMORY);
            assert_true(model != NULL || strstr(error.text, "out of memory") != NULL);
            assert_true(model == NULL || successes > 4);
        }
        rct_model_free(model);
    }
}

/* Written and read again: the same bits. Fixed and ball hinges. */
static void test_the_way_through_json(void **state)
{
    (void)state;
    char path[] = "/tmp/rct-t27-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    rct_model *model = import_text(
        "<mujoco model='m'><option gravity='0.1 0 -1.62'/><worldbody>"
        "<body name='a' pos='0.1 0.2 0.3' euler='10 20 30'><joint type='ball' pos='0 0 0.1' "
        "damping='0'/>"
        "<geom type='capsule' size='0.1' fromto='0 0 0 0.3 0.2 0.1'/>"
        "<body name='b' quat='0.3 0.4 0.5 0.6'><geom type='box' size='0.1 0.2 0.3'/>"
        "<body><joint type='ball'/><geom type='ellipsoid' size='0.1 0.2 0.3' pos='1 2 3'/></body>"
        "</body></body></worldbody></mujoco>",
        NULL);
    rct_error error = {.text = ""};
    assert_int_equal(rct_model_write(model, path, &error), RCT_OK);
    rct_model *again = rct_model_read(path, &error);
    assert_string_equal(error.text, "");
    assert_true(models_alike(model, again));
    rct_model_free(model);
    rct_model_free(again);
    close(file);
    unlink(path);
}

/* The seeds of fuzzers are useful only if they are models. */
static void test_the_seeds_of_fuzzers(void **state)
{
    (void)state;
    static const char *const names[] = {"attach.xml", "copies.xml", "hand.xml", "mimic.urdf",
                                        "ties.xml"};
    static const int32_t bodies[] = {5, 16, 2, 3, 4}, loops[] = {5, 1, 2, 2, 5};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[512];
        rct_error error;
        snprintf(path, sizeof path, "%s/../tests/fuzz/seeds/%s", RCT_EXAMPLES, names[i]);
        rct_model *model = rct_model_import(path, NULL, &error);
        assert_non_null(model);
        assert_int_equal(rct_model_body_count(model), bodies[i]);
        assert_int_equal(rct_model_loop_count(model), loops[i]);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_examples),
        cmocka_unit_test(test_the_seeds_of_fuzzers),
        cmocka_unit_test(test_what_is_ignored_is_reported),
        cmocka_unit_test(test_bad_calls),
        cmocka_unit_test(test_names_are_decoded),
        cmocka_unit_test(test_lines_of_long_files),
        cmocka_unit_test(test_utf16_is_read),
        cmocka_unit_test(test_a_point_is_a_point_in_any_locale),
        cmocka_unit_test(test_every_prefix_is_an_error),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_short_memory),
        cmocka_unit_test(test_the_way_through_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
