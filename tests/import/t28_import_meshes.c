/* MJCF bodies whose mass comes from meshes in STL files: boxes and non-convex meshes against
 * solids, their places, their scales, and all faults that leave the mass of a mesh unknown. */
#include "tests/import/import_check.h"

#include "tests/support/cmocka_all.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/rct_meshes_XXXXXX";

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL || mkdir(path_of("in"), 0700) != 0;
}

static int drop_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"in/box.stl", "in/step.STL", "in/odd.stl", "m.xml"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        unlink(path_of(names[i]));
    }
    rmdir(path_of("in"));
    return rmdir(folder);
}

/* ---- files -------------------------------------------------------------------------------- */

/* Triangles of four-cornered faces, wound so that they face outward. */
static void put_faces(const char *name, const float (*corner)[3], const int (*face)[4],
                      uint32_t faces)
{
    static const char head[80] = "made by a test";
    static const int half[2][3] = {{0, 1, 2}, {0, 2, 3}};
    static const char none[12]; /* normals are not read, nor what is behind a triangle */
    const uint32_t count = 2 * faces;
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    fwrite(head, 1, sizeof head, file);
    fwrite(&count, 1, sizeof count, file);
    for (uint32_t f = 0; f < faces; f++) {
        for (int h = 0; h < 2; h++) {
            fwrite(none, 1, 12, file);
            for (int i = 0; i < 3; i++) {
                fwrite(corner[face[f][half[h][i]]], 1, sizeof *corner, file);
            }
            fwrite(none, 1, 2, file);
        }
    }
    assert_int_equal(fclose(file), 0);
}

/* From (1, 2, 3) to (2, 4, 7). */
static void put_box(const char *name)
{
    static const float corner[8][3] = {{1, 2, 3}, {2, 2, 3}, {2, 4, 3}, {1, 4, 3},
                                       {1, 2, 7}, {2, 2, 7}, {2, 4, 7}, {1, 4, 7}};
    static const int face[6][4] = {{3, 2, 1, 0}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                   {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    put_faces(name, corner, face, 6);
}

/* A step with two long legs, the middle of whose faces is outside. */
static void put_step(const char *name)
{
    static const float corner[16][3] = {
        {0, 0, 0}, {1, 0, 0}, {5, 0, 0}, {0, 0, 1}, {1, 0, 1}, {5, 0, 1}, {0, 0, 5}, {1, 0, 5},
        {0, 1, 0}, {1, 1, 0}, {5, 1, 0}, {0, 1, 1}, {1, 1, 1}, {5, 1, 1}, {0, 1, 5}, {1, 1, 5}};
    static const int face[14][4] = {
        {0, 1, 4, 3},     {1, 2, 5, 4},   {3, 4, 7, 6},  {8, 11, 12, 9}, {9, 12, 13, 10},
        {11, 14, 15, 12}, {0, 8, 9, 1},   {1, 9, 10, 2}, {2, 10, 13, 5}, {4, 5, 13, 12},
        {4, 12, 15, 7},   {6, 7, 15, 14}, {0, 3, 11, 8}, {3, 6, 14, 11}};
    put_faces(name, corner, face, 14);
}

static rct_model *import(const char *assets, const char *geoms, const rct_import_options *options,
                         rct_error *error)
{
    FILE *file = fopen(path_of("m.xml"), "w");
    assert_non_null(file);
    fprintf(file,
            "<mujoco><compiler meshdir='in'/>%s<worldbody><body name='b'><freejoint/>%s</body>"
            "</worldbody></mujoco>",
            assets, geoms);
    assert_int_equal(fclose(file), 0);
    return rct_model_import(path_of("m.xml"), options, error);
}

static void expect_same(const char *assets, const char *geoms, const char *solids)
{
    rct_error error = {.text = ""};
    rct_model *meshed = import(assets, geoms, NULL, &error);
    if (meshed == NULL) {
        fail_msg("%s", error.text);
    }
    rct_model *solid = import("", solids, NULL, &error);
    if (solid == NULL) {
        fail_msg("%s", error.text);
    }
    const lump got = model_lump(meshed, 0, &frame_none), wanted = model_lump(solid, 0, &frame_none);
    check_lump(&got, &wanted, geoms);
    rct_model_free(meshed);
    rct_model_free(solid);
}

/* ---- tests -------------------------------------------------------------------------------- */

static void test_boxes(void **state)
{
    (void)state;
    put_box("in/box.stl");
    static const char box[] = "<asset><mesh file='box.stl'/></asset>";
    expect_same(box, "<geom type='mesh' mesh='box'/>",
                "<geom type='box' size='.5 1 2' pos='1.5 3 5'/>");
    expect_same(box, "<geom type='mesh' mesh='box' mass='3' pos='1 0 0' euler='0 0 90'/>",
                "<geom type='box' size='1 .5 2' pos='-2 1.5 5' mass='3'/>");
    expect_same(box, "<geom type='mesh' mesh='box' density='2'/><geom type='mesh' mesh='box'/>",
                "<geom type='box' size='.5 1 2' pos='1.5 3 5' density='1002'/>");
    expect_same("<asset><mesh name='m' file='box.stl' scale='2 -1 .5' inertia='exact'/></asset>",
                "<geom type='mesh' mesh='m'/>", "<geom type='box' size='1 1 1' pos='3 -3 2.5'/>");
    expect_same("<compiler strippath='true'/><default><mesh scale='2 1 1'/></default>"
                "<asset><mesh file='far/away/box.stl'/></asset>",
                "<geom type='mesh' mesh='box'/>", "<geom type='box' size='1 1 2' pos='3 3 5'/>");
    /* nothing to weigh, so no file to look for */
    expect_same("", "<geom type='mesh' mesh='none' density='0'/><geom size='1'/>",
                "<geom size='1'/>");
}

static const char legs[] = "<geom type='box' size='2.5 .5 .5' pos='2.5 .5 .5'/>"
                           "<geom type='box' size='.5 .5 2' pos='.5 .5 3'/>";

/* Non-convex meshes: exactly, if the file says so; else as sums of pyramids. */
static void test_steps(void **state)
{
    (void)state;
    rct_error error = {.text = ""};
    rct_body body;
    put_step("in/step.STL");
    expect_same("<asset><mesh name='m' file='step.STL' inertia='exact'/></asset>",
                "<geom type='mesh' mesh='m'/>", legs);
    expect_same(
        "<compiler exactmeshinertia='true'/><asset><mesh name='m' file='step.STL'/></asset>",
        "<geom type='mesh' mesh='m'/>", legs);
    rct_model *model = import("<asset><mesh name='m' file='step.STL'/></asset>",
                              "<geom type='mesh' mesh='m'/>", NULL, &error);
    assert_non_null(model);
    rct_model_body(model, 0, &body, NULL);
    /* as MuJoCo 4.0.0 has it */
    static const double mass = 12713.097610787137,
                        com[3] = {1.696205802022588, 0.5, 1.696205802022588};
    assert_true(fabs(body.mass - mass) < 1e-12 * mass);
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(body.com[k] - com[k]) < 1e-12);
    }
    rct_model_free(model);
}

static void expect_unknown(const char *assets, const char *says)
{
    rct_error error = {.text = ""};
    rct_import_report report;
    const rct_import_options ignoring = {.ignore_unsupported = 1, .report = &report};
    static const char geoms[] = "<geom type='mesh' mesh='m'/><geom size='1'/>";
    assert_null(import(assets, geoms, NULL, &error));
    if (error.status != RCT_ERROR_UNSUPPORTED || strstr(error.text, says) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error.text, says);
    }
    assert_int_equal(error.line, 1);
    rct_model *model = import(assets, geoms, &ignoring, &error);
    assert_non_null(model); /* of the sphere */
    assert_true(report.ignored >= 1);
    rct_model_free(model);
}

static void test_unknown_meshes(void **state)
{
    (void)state;
    static const float flat[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    static const float endless[4][3] = {{0, 0, 0}, {1, 0, 0}, {INFINITY, 1, 0}, {0, 1, 0}};
    static const int face[1][4] = {{0, 1, 2, 3}};
    static const char odd[] = "<asset><mesh name='m' file='odd.stl'/></asset>";
    expect_unknown("", "no mesh is called \"m\"");
    expect_unknown("<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>",
                   "\"vertex\" is not known");
    expect_unknown("<asset><mesh name='m'/></asset>", "the mesh has no file");
    expect_unknown("<asset><mesh name='m' file='none.stl'/></asset>", "cannot open the mesh");
    expect_unknown("<asset><mesh name='m' file='../../../../m.stl'/></asset>", "folders above");
    expect_unknown("<asset><mesh name='m' file='box.stl' inertia='convex'/></asset>",
                   "other than legacy and exact");
    assert_int_equal(mkfifo(path_of("in/odd.stl"), 0600), 0);
    expect_unknown(odd, "it is not a regular file"); /* and nobody waits for who writes it */
    unlink(path_of("in/odd.stl"));
    FILE *file = fopen(path_of("in/odd.stl"), "w");
    assert_non_null(file);
    fputs("solid m\nendsolid m\n", file);
    fclose(file);
    expect_unknown(odd, "it is not a binary STL file");
    put_faces("in/odd.stl", endless, face, 1);
    expect_unknown(odd, "triangle 0 is not finite");
    put_faces("in/odd.stl", flat, face, 1);
    expect_unknown(odd, "the mesh has no volume");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_unknown_meshes),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
