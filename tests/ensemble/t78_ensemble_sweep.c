/* Sweep files and the variations of the command line: their meaning, and all their errors. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/files/recording.h"

#include <riccatree/riccatree.h>

#include <stdio.h>
#include <string.h>

static rct_sweep *read_text(const char *text, rct_error *error)
{
    const char *path = recording_path(0, "sweep.json");
    recording_write_text(path, text);
    return rct_sweep_read(path, error);
}

static const char *const whole =
    "{ \"riccatree_sweep\": 1, \"members\": 12, \"seed\": 7, \"perturb\": 0.5, \"t_end\": 2, "
    "\"dt\": 0.01, \"series\": 5, \"track\": [\"tip\", \"root\"],\n \"vary\": [\n"
    "  { \"path\": \"gravity[2]\", \"from\": -9.81, \"to\": -1, \"count\": 3 },\n"
    "  { \"path\": \"bodies.*.mass\", \"normal\": [1, 0.1] },\n"
    "  { \"path\": \"bodies.tip.mass\", \"uniform\": [1, 2] } ] }";

static void test_a_file_says_it_all(void **state)
{
    (void)state;
    rct_error error = {.text = ""};
    rct_sweep *s = read_text(whole, &error);
    if (s == NULL) {
        fail_msg("%s", error.text);
    }
    const rct_variation *v = s->ensemble.variations;
    assert_true(s->ensemble.members == 12 && s->ensemble.seed == 7 && s->ensemble.perturb == 0.5);
    assert_true(s->t_end == 2.0 && s->dt == 0.01 && s->series == 5 && s->tracked == 2);
    assert_string_equal(s->track[1], "root");
    assert_int_equal(s->ensemble.variation_count, 3);
    assert_true(v[0].type == RCT_VARY_GRID && v[0].a == -9.81 && v[0].b == -1.0 && v[0].count == 3);
    assert_true(v[1].type == RCT_VARY_NORMAL && v[1].a == 1.0 && v[1].b == 0.1);
    assert_true(v[2].type == RCT_VARY_UNIFORM && v[2].a == 1.0 && v[2].b == 2.0);
    assert_string_equal(v[2].path, "bodies.tip.mass");
    rct_sweep_free(s);
    s = read_text("{ \"riccatree_sweep\": 1 }", &error);
    assert_true(s != NULL && s->ensemble.members == 0 && s->ensemble.seed == 1 && s->dt == 0.0 &&
                s->t_end == 1.0 && s->series == 0 && s->ensemble.variation_count == 0);
    rct_sweep_free(s);
    rct_sweep_free(NULL);
}

static void test_wrong_files(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        rct_status status;
        const char *says;
    } wrong[] = {
        {"{ \"riccatree_sweep\": 1,, }", RCT_ERROR_SYNTAX, "line 1, column"},
        {"{ \"riccatree_sweep\": 1, \"seed\": 1, \"seed\": 2 }", RCT_ERROR_SYNTAX, "duplicate"},
        {"[ 1 ]", RCT_ERROR_ARGUMENT, "an object"},
        {"{ \"members\": 3 }", RCT_ERROR_ARGUMENT, "the version of the format, 1"},
        {"{ \"riccatree_sweep\": 2 }", RCT_ERROR_ARGUMENT, "the version of the format, 1"},
        {"{ \"riccatree_sweep\": 1, \"member\": 3 }", RCT_ERROR_ARGUMENT,
         "unknown key \"member\"; did you mean \"members\"? Known keys are riccatree_sweep, "
         "members"},
        {"{ \"riccatree_sweep\": 1, \"members\": -3 }", RCT_ERROR_ARGUMENT, "\"members\": give a"},
        {"{ \"riccatree_sweep\": 1, \"members\": 1.5 }", RCT_ERROR_ARGUMENT, "whole number"},
        {"{ \"riccatree_sweep\": 1, \"members\": 1e-1 }", RCT_ERROR_ARGUMENT, "whole number"},
        {"{ \"riccatree_sweep\": 1, \"members\": 1e19 }", RCT_ERROR_ARGUMENT, "whole number"},
        {"{ \"riccatree_sweep\": 1, \"dt\": 0 }", RCT_ERROR_ARGUMENT,
         "\"dt\": give a positive number"},
        {"{ \"riccatree_sweep\": 1, \"dt\": \"x\" }", RCT_ERROR_ARGUMENT, "\"dt\": give a number"},
        {"{ \"riccatree_sweep\": 1, \"track\": \"tip\" }", RCT_ERROR_ARGUMENT, "names of bodies"},
        {"{ \"riccatree_sweep\": 1, \"track\": [1] }", RCT_ERROR_ARGUMENT, "names of bodies"},
        {"{ \"riccatree_sweep\": 1, \"vary\": 1 }", RCT_ERROR_ARGUMENT, "a list of variations"},
        {"{ \"riccatree_sweep\": 1, \"vary\": [1] }", RCT_ERROR_ARGUMENT,
         "\"vary[0]\": give it as"},
        {"{ \"riccatree_sweep\": 1, \"vary\": [{}] }", RCT_ERROR_ARGUMENT,
         "\"vary[0]\": give it as"},
        {"{ \"riccatree_sweep\": 1, \"vary\": [{\"path\": \"a\", \"normal\": [1]}] }",
         RCT_ERROR_ARGUMENT, "\"vary[0]\": give it as"},
        {"{ \"riccatree_sweep\": 1, \"vary\": [{\"path\": \"a\", \"from\": 1, \"to\": 2}] }",
         RCT_ERROR_ARGUMENT, "\"vary[0]\": give it as"},
        {"{ \"riccatree_sweep\": 1, \"vary\": [{\"path\": \"a\", \"from\": 1, \"uniform\": [1, "
         "2]}] }",
         RCT_ERROR_ARGUMENT, "\"vary[0]\": give it as"},
        {"{ \"riccatree_sweep\": 1, \"vary\": [{\"path\": \"a\", \"step\": 1}] }",
         RCT_ERROR_ARGUMENT, "unknown key \"step\""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        rct_error error = {.text = ""};
        assert_null(read_text(wrong[i].text, &error));
        if (error.status != wrong[i].status || strstr(error.text, wrong[i].says) == NULL ||
            strstr(error.text, "sweep.json") == NULL) {
            fail_msg("\"%s\" does not say \"%s\"", error.text, wrong[i].says);
        }
    }
    rct_error error;
    assert_null(rct_sweep_read(recording_path(1, "absent.json"), &error));
    assert_true(error.status == RCT_ERROR_IO && strstr(error.text, "absent.json") != NULL);
    assert_null(rct_sweep_read(recording_path(1, "absent.json"), NULL));
    assert_null(rct_sweep_read(recording_directory(), &error));
    assert_int_equal(error.status, RCT_ERROR_IO);
    assert_non_null(strstr(error.text, ": cannot read the sweep file: it is a directory; name a"));
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    rct_sweep *s = NULL;
    int64_t k = 0;
    for (; s == NULL; k++) {
        rct_error error;
        rct_allocate_fail_after(k);
        s = read_text(whole, &error);
        rct_allocate_fail_after(-1);
        assert_true(s != NULL || error.status == RCT_ERROR_MEMORY);
    }
    assert_true(k > 6);
    rct_sweep_free(s);
}

static void test_words(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "a",
                                        "a=",
                                        "=1:2:3",
                                        "a=1",
                                        "a=1:2",
                                        "a=1:2:x",
                                        "a=1:2:3:4",
                                        "a=1:2:-3",
                                        "a=1:nan:3",
                                        "a=1:2: 3",
                                        "a=normal:1",
                                        "a=normal:1:",
                                        "a=normal:1:2:",
                                        "a=uniform:1:inf",
                                        "a=gauss:1:2",
                                        "a=1e999:2:3",
                                        "a=1:2:99999999999999999999"};
    rct_variation v;
    int64_t length;
    rct_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (rct_variation_parse(wrong[i], &v, &length, &error) != RCT_ERROR_ARGUMENT ||
            strstr(error.text, "PATH=FROM:TO:COUNT") == NULL) {
            fail_msg("\"%s\" is taken", wrong[i]);
        }
    }
    assert_int_equal(rct_variation_parse("bodies.a=b.mass=-1e-3:2.5:4", &v, &length, NULL), RCT_OK);
    assert_true(length == 15 && v.type == RCT_VARY_GRID && v.a == -1e-3 && v.b == 2.5 &&
                v.count == 4 && v.path == NULL);
    assert_int_equal(rct_variation_parse("g=normal:1:+2", &v, &length, NULL), RCT_OK);
    assert_true(length == 1 && v.type == RCT_VARY_NORMAL && v.a == 1.0 && v.b == 2.0);
    assert_int_equal(rct_variation_parse("g=uniform:-1:0", &v, &length, NULL), RCT_OK);
    assert_true(v.type == RCT_VARY_UNIFORM && v.a == -1.0 && v.b == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_file_says_it_all),
        cmocka_unit_test(test_wrong_files),
        cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
