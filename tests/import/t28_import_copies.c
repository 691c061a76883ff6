/* MJCF elements that stand for more than is written, <replicate>, <frame> and <include>, against
 * the same model written in full; and the accepted forms of XML declarations. */
#include "tests/import/import_check.h"
#include "tests/import/import_files.h"

#include "tests/support/cmocka_all.h"

#include <riccatree/loop.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- copies ------------------------------------------------------------------------------- */

/* The body of that name, whose hinge frame and the frames around it have a place and rotation in
 * the world. */
static void expect_at(const rct_model *model, const char *name, const frame *expected)
{
    static const double q[64][3];
    const int32_t id = rct_model_find_body(model, name);
    if (id < 0) {
        fail_msg("no body is called %s", name);
    }
    const frame f = model_frame(model, id, q);
    check_frame(&f, expected, name);
}

/* Names get the numbers of the innermost copies first; each copy is moved and rotated relative to
 * the one before. */
static void test_replicas_within_each_other(void **state)
{
    (void)state;
    static const char from[] = "<mujoco><compiler angle='degree'/><worldbody>"
                               "<replicate count='3' offset='0 1 0' euler='90 0 0'>"
                               "<replicate count='2' sep='-' offset='1 0 0' euler='0 90 0'>"
                               "<body name='a' pos='0.5 0 0'><joint name='j'/><geom size='0.1'/>"
                               "<body name='b' pos='0 0 2'><joint/><geom size='0.1'/></body></body>"
                               "</replicate></replicate></worldbody>"
                               "<equality><joint joint1='j-12' joint2='j-00'/></equality></mujoco>";
    static const double x[3] = {1.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
    rct_model *model = import_text(from, NULL);
    assert_int_equal(rct_model_body_count(model), 12);
    const frame first = frame_shift(0.5, 0.0, 0.0), tip = frame_shift(0.0, 0.0, 2.0);
    const double right = 2.0 * atan(1.0);
    frame outer = frame_none;
    for (int i = 0; i < 3; i++) {
        frame inner = frame_none;
        for (int k = 0; k < 2; k++) {
            char name[16];
            frame at = frame_of(&outer, &inner);
            at = frame_of(&at, &first);
            snprintf(name, sizeof name, "a-%d%d", k, i);
            expect_at(model, name, &at);
            at = frame_of(&at, &tip);
            name[0] = 'b';
            expect_at(model, name, &at);
            frame step = frame_turn(y, right);
            step.t[0] = 1.0;
            inner = frame_of(&inner, &step);
        }
        frame step = frame_turn(x, right);
        step.t[1] = 1.0;
        outer = frame_of(&outer, &step);
    }
    rct_model_free(model);
}

/* The angles of a copy are its number times the given ones, which is not the power of one rotation
 * if several are nonzero. */
static void test_turns_of_replicas(void **state)
{
    (void)state;
    static const char from[] = "<mujoco><compiler angle='radian'/><worldbody>"
                               "<replicate count='4' offset='1 0.5 0' euler='0.5 0.7 -0.9'>"
                               "<body name='a'><joint/><geom size='0.1'/></body>"
                               "</replicate></worldbody></mujoco>";
    static const double axes[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    static const double angles[3] = {0.5, 0.7, -0.9}, offset[3] = {1.0, 0.5, 0.0};
    rct_model *model = import_text(from, NULL);
    frame at = frame_none;
    for (int i = 0; i < 4; i++) {
        char name[16];
        double next[3];
        frame turned = frame_none;
        for (int k = 0; k < 3; k++) {
            const frame one = frame_turn(axes[k], i * angles[k]);
            turned = frame_of(&turned, &one);
        }
        memcpy(at.r, turned.r, sizeof at.r);
        snprintf(name, sizeof name, "a%d", i);
        expect_at(model, name, &at);
        frame_point(next, &at, offset);
        memcpy(at.t, next, sizeof next);
    }
    rct_model_free(model);
}

/* As many digits as the last number has. */
static void test_digits(void **state)
{
    (void)state;
    static const int counts[] = {10, 11, 101};
    static const char *const last[] = {"a9", "a10", "a100"}, *const second[] = {"a1", "a01",
                                                                                "a001"};
    for (int i = 0; i < 3; i++) {
        static text t;
        t.size = 0;
        text_add(&t,
                 "<mujoco><worldbody><replicate count='%d' offset='1 0 0'><body name='a'><joint/>"
                 "<geom size='1'/></body></replicate></worldbody></mujoco>",
                 counts[i]);
        rct_model *model = import_text(t.at, NULL);
        assert_int_equal(rct_model_body_count(model), counts[i]);
        assert_int_equal(rct_model_find_body(model, second[i]), 1);
        assert_int_equal(rct_model_find_body(model, last[i]), counts[i] - 1);
        rct_model_free(model);
    }
}

/* The class of a frame holds for elements without a class, unless a nearer frame or body has one;
 * an empty frame has no effect. */
static void test_classes_of_frames(void **state)
{
    (void)state;
    static const char from[] =
        "<mujoco><default><joint damping='1'/><default class='two'><joint damping='2'/></default>"
        "<default class='three'><joint damping='3'/></default></default><worldbody>"
        "<frame/><frame childclass='two'><body name='a'><joint/><geom size='1'/></body>"
        "<frame><body name='b'><frame childclass='three'><joint/></frame><geom "
        "size='1'/></body></frame>"
        "<frame childclass='three'><body name='c'><joint/><geom size='1'/></body></frame>"
        "<body name='d' childclass='three'><joint/><geom size='1'/></body></frame>"
        "<body name='e'><joint/><geom size='1'/></body></worldbody></mujoco>";
    static const double damping[5] = {2.0, 3.0, 3.0, 3.0, 1.0};
    rct_model *model = import_text(from, NULL);
    for (int32_t i = 0; i < 5; i++) {
        rct_body body;
        const char name[2] = {(char)('a' + i), '\0'};
        assert_int_equal(rct_model_find_body(model, name), i);
        rct_model_body(model, i, &body, NULL);
        assert_true(body.damping[0] == damping[i]);
    }
    rct_model_free(model);
}

/* ---- files -------------------------------------------------------------------------------- */

/* Sections, defaults, bodies and geoms of other files, in folders below and above, against one file
 * with all of them. Paths are relative to the folder of the first file. */
static void test_includes(void **state)
{
    (void)state;
    import_put("in/deep/model.xml",
               "<?xml version='1.0'?><mujoco model='m'><include file='../../shared.xml'/>"
               "<worldbody><include file='../body.xml'/></worldbody></mujoco>");
    import_put("shared.xml", "<mujocoinclude><option gravity='0 0 -1'/><default><geom density='3'/>"
                             "</default></mujocoinclude>");
    import_put("in/body.xml",
               "<mujocoinclude><body name='b'><joint/><include file='geom.xml'/></body>"
               "<body name='c'><joint/><geom size='2'/></body></mujocoinclude>");
    import_put("in/deep/geom.xml", "<mujoco><geom size='1'/></mujoco>");
    import_put("whole.xml",
               "<mujoco model='m'><option gravity='0 0 -1'/><default><geom density='3'/></default>"
               "<worldbody><body name='b'><joint/><geom size='1'/></body><body name='c'><joint/>"
               "<geom size='2'/></body></worldbody></mujoco>");
    char *parts = import_written("in/deep/model.xml"), *whole = import_written("whole.xml");
    assert_string_equal(parts, whole);
    free(parts);
    free(whole);
}

/* A text has no folder. Notes name the file of an element. */
/* A pipe that a file names is refused without waiting, and so are a device and a folder; a pipe
 * that the user names is read. */
static void test_pipes(void **state)
{
    (void)state;
    static const char *const files[] = {"in/pipe", "in/zero", "in"};
    static const char model[] = "<mujoco><worldbody><body><joint/><geom size='1'/></body>"
                                "</worldbody></mujoco>";
    int ends[2];
    char path[64];
    assert_int_equal(mkfifo(import_path("in/pipe"), 0600), 0);
    assert_int_equal(symlink("/dev/zero", import_path("in/zero")), 0);
    for (int i = 0; i < 3; i++) {
        char content[128];
        rct_error error = {.text = ""};
        snprintf(content, sizeof content, "<mujoco><include file='%s'/></mujoco>", files[i]);
        import_put("main.xml", content);
        assert_null(rct_model_import(import_path("main.xml"), NULL, &error));
        assert_int_equal(error.status, RCT_ERROR_IO);
        assert_non_null(
            strstr(error.text, i < 2 ? "it is not a regular file" : "it is a directory"));
    }
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], model, sizeof model - 1), sizeof model - 1);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    rct_model *read = rct_model_import(path, NULL, NULL);
    assert_non_null(read);
    rct_model_free(read);
    close(ends[0]);
}

static void test_where_things_are(void **state)
{
    (void)state;
    rct_error error = {.text = ""};
    rct_import_report report;
    const rct_import_options options = {.ignore_unsupported = 1, .report = &report};
    static const char from[] = "<mujoco><include file='shared.xml'/></mujoco>";
    assert_null(rct_model_import_text(from, (int64_t)strlen(from), NULL, &error));
    assert_int_equal(error.status, RCT_ERROR_MODEL);
    assert_non_null(strstr(error.text, "a model given as text has no folder"));
    import_put("main.xml", "<mujoco>\n<include file='in/body.xml'/>\n</mujoco>");
    import_put("in/body.xml",
               "<mujocoinclude>\n\n<worldbody><body><joint/><geom size='1'/></body>\n"
               "<light/><dark/></worldbody></mujocoinclude>");
    rct_model *model = rct_model_import(import_path("main.xml"), &options, &error);
    assert_non_null(model);
    assert_int_equal(report.notes, 1);
    assert_int_equal(report.note[0].line, 4);
    assert_non_null(
        strstr(report.note[0].text, "<dark> of in/body.xml: this element is not supported"));
    rct_model_free(model);
    assert_null(rct_model_import(import_path("main.xml"), NULL, &error));
    assert_non_null(
        strstr(error.text, "main.xml: in/body.xml: line 4: <dark>: this element is not supported"));
    assert_int_equal(error.line, 4);
}

/* Files included to the largest depth, then one more. */
static void test_depth(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        const int deepest = 31 + more;
        for (int i = 0; i <= deepest; i++) {
            char name[32], content[128];
            snprintf(name, sizeof name, "d%d.xml", i);
            snprintf(content, sizeof content, "<mujoco><include file='d%d.xml'/></mujoco>", i + 1);
            import_put(name, content);
        }
        char last[32];
        snprintf(last, sizeof last, "d%d.xml", deepest + 1);
        import_put(last,
                   "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>");
        rct_error error = {.text = ""};
        rct_model *model = rct_model_import(import_path("d0.xml"), NULL, &error);
        assert_int_equal(model != NULL, !more);
        assert_int_equal(more, strstr(error.text, "more than 32 deep") != NULL);
        rct_model_free(model);
        for (int i = 0; i <= deepest + 1; i++) {
            snprintf(last, sizeof last, "d%d.xml", i);
            unlink(import_path(last));
        }
    }
}

/* Every allocation fails once: of files, copies, names, terms, loops. */
static void test_short_memory(void **state)
{
    (void)state;
    import_put("main.xml",
               "<mujoco><include file='in/body.xml'/>"
               "<tendon><fixed name='t'><joint joint='j0' coef='2'/><joint joint='j1' coef='3'/>"
               "</fixed></tendon><equality><connect body1='a0' body2='a1' anchor='0 0 1'/>"
               "<weld site1='s0' site2='s1'/><tendon tendon1='t'/></equality></mujoco>");
    import_put("in/body.xml",
               "<mujoco><worldbody><replicate count='2' offset='1 0 0'><frame><body name='a'>"
               "<joint name='j'/><joint name='k' type='slide' axis='1 0 0'/><geom size='1'/>"
               "<site name='s'/></body></frame></replicate></worldbody></mujoco>");
    rct_model *model = import_short_of_memory("main.xml");
    assert_int_equal(rct_model_loop_count(model), 3);
    assert_int_equal(rct_model_body_count(model), 4);
    rct_model_free(model);
}

/* ---- declarations ------------------------------------------------------------------------- */

/* Any version, with white space before it, over several lines; lines are counted as in the text. */
static void test_declarations(void **state)
{
    (void)state;
    static const struct {
        const char *declaration;
        int line; /* of the root; 0: refused */
    } cases[] = {{"<?xml version='0.0'?>\n", 2},
                 {"\n\n <?xml version='1.0' encoding='utf-8'?>\n", 4},
                 {"<?xml\nversion='7'\nstandalone='yes' ?>\n\n", 5},
                 {"<?xml version='0.0' encoding='latin-1'?>\n", 0},
                 {"<?xml version='1.0'", 0},
                 {"<?xmlish version='1.0'?>\n", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char from[256];
        rct_error error = {.text = ""};
        snprintf(from, sizeof from, "%s<robot name='r'><lnk/></robot>", cases[i].declaration);
        assert_null(rct_model_import_text(from, (int64_t)strlen(from), NULL, &error));
        assert_int_equal(error.status,
                         cases[i].line > 0 ? RCT_ERROR_UNSUPPORTED : RCT_ERROR_SYNTAX);
        assert_true(cases[i].line == 0 || error.line == cases[i].line);
        snprintf(from, sizeof from, "%s<robot>\n<link></robot>", cases[i].declaration);
        assert_null(rct_model_import_text(from, (int64_t)strlen(from), NULL, &error));
        assert_int_equal(error.status, RCT_ERROR_SYNTAX);
        assert_true(cases[i].line == 0 || error.line == cases[i].line + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replicas_within_each_other),
        cmocka_unit_test(test_turns_of_replicas),
        cmocka_unit_test(test_digits),
        cmocka_unit_test(test_classes_of_frames),
        cmocka_unit_test(test_includes),
        cmocka_unit_test(test_pipes),
        cmocka_unit_test(test_where_things_are),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_short_memory),
        cmocka_unit_test(test_declarations),
    };
    return cmocka_run_group_tests(tests, import_make_folder, import_drop_folder);
}
