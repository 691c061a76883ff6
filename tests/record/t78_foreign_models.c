/* Models in HDF5 of other programs: parents and masses are enough; every wrong file is refused with
 * a one-line message that says what is wrong, by reading and by checking alike. */
#include "tests/support/cmocka_all.h"
#include "tests/support/faults/damage.h"
#include "tests/support/files/recording.h"
#include "tests/support/systems/models_alike.h"

#include <riccatree/riccatree.h>

#include <stdio.h>
#include <string.h>

/* The model of the file is this one, bit for bit. */
static void expect_model(const char *path, const rct_model *model)
{
    rct_error error = {.text = ""};
    rct_model *found = rct_model_read_h5(path, &error);
    assert_string_equal(error.text, "");
    assert_non_null(found);
    assert_true(models_alike(found, model));
    rct_model_free(found);
}

static void expect_refused(const char *path, rct_status status, const char *says)
{
    rct_error error = {.status = RCT_OK, .text = ""};
    assert_null(rct_model_read_h5(path, &error));
    assert_int_equal(error.status, status);
    assert_null(strchr(error.text, '\n'));
    if (strstr(error.text, says) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error.text, says);
    }
}

/* ---- files of other programs -------------------------------------------------------------- */

/* A dataset [rows] or [rows][width] in the group. */
static void put(hid_t group, const char *name, hid_t type, hsize_t rows, hsize_t width,
                const void *values)
{
    const hsize_t extent[2] = {rows, width};
    const hid_t space = H5Screate_simple(width > 0 ? 2 : 1, extent, NULL);
    const hid_t dataset =
        H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(dataset >= 0);
    assert_true(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(dataset);
    H5Sclose(space);
}

static hid_t create(const char *path, hid_t *group)
{
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    *group = H5Gcreate2(file, "model", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0 && *group >= 0);
    return file;
}

static void finish(hid_t file, hid_t group)
{
    H5Gclose(group);
    H5Fclose(file);
}

/* A name of any length, as h5py writes texts. */
static void name_file(hid_t file, const char *name)
{
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    assert_true(H5Tset_size(type, H5T_VARIABLE) >= 0);
    const hid_t attribute = H5Acreate2(file, "model_name", type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, type, &name) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

static const int32_t parents[3] = {-1, 0, 1};
static const double masses[3] = {1.0, 2.0, 3.0};
static const double levers[3][3] = {{0.0, 0.0, -0.5}, {0.0, 0.0, -0.5}, {0.0, 0.0, -0.5}};
static const double inertias[3][6] = {
    {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}, {0.2, 0.2, 0.2, 0.0, 0.0, 0.0}, {0.3, 0.3, 0.3, 0.0, 0.0, 0.0}};

static void put_matter(hid_t group)
{
    put(group, "parent", H5T_NATIVE_INT32, 3, 0, parents);
    put(group, "mass", H5T_NATIVE_DOUBLE, 3, 0, masses);
    put(group, "com", H5T_NATIVE_DOUBLE, 3, 3, levers);
    put(group, "inertia", H5T_NATIVE_DOUBLE, 3, 6, inertias);
}

static rct_model *by_hand(int named)
{
    rct_model *model = rct_model_create("made elsewhere", NULL);
    for (int b = 0; b < 3; b++) {
        static const char *const names[] = {"upper", "", "tip"};
        rct_body body = rct_body_default();
        body.parent = parents[b];
        body.mass = masses[b];
        body.hinge = b == 1 ? RCT_HINGE_REVOLUTE : RCT_HINGE_BALL;
        body.name = named ? names[b] : NULL;
        memcpy(body.com, levers[b], sizeof body.com);
        memcpy(body.inertia, inertias[b], sizeof body.inertia);
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    return model;
}

/* Whole numbers of any size, texts in ASCII. */
static void test_files_of_other_programs(void **state)
{
    (void)state;
    static const int64_t hinges[3] = {RCT_HINGE_BALL, RCT_HINGE_REVOLUTE, RCT_HINGE_BALL};
    static const char names[3][8] = {"upper", "", "tip"};
    const char *path = recording_path(0, "a.h5");
    hid_t group, file = create(path, &group);
    const hid_t text = H5Tcopy(H5T_C_S1);
    assert_true(H5Tset_size(text, sizeof names[0]) >= 0);
    put_matter(group);
    put(group, "hinge", H5T_NATIVE_INT64, 3, 0, hinges);
    put(group, "name", text, 3, 0, names);
    name_file(file, "made elsewhere");
    finish(file, group);
    H5Tclose(text);
    rct_model *wanted = by_hand(1);
    rct_file_info info;
    expect_model(path, wanted);
    assert_int_equal(rct_file_check(path, &info, NULL), RCT_OK);
    assert_int_equal(info.kind, RCT_FILE_MODEL);
    assert_int_equal(info.written, 3);
    assert_false(info.checked);
    rct_model_free(wanted);
}

/* ---- wrong files -------------------------------------------------------------------------- */

typedef struct wrong {
    const char *name; /* of a dataset added beside parents and masses, or replacing them   */
    hid_t type;
    hsize_t rows, width;
    const void *values;
    const char *says;
} wrong;

static void expect_wrong(const wrong *w)
{
    const char *path = recording_path(0, "wrong.h5");
    hid_t group, file = create(path, &group);
    put_matter(group);
    if (H5Lexists(group, w->name, H5P_DEFAULT) > 0) {
        assert_true(H5Ldelete(group, w->name, H5P_DEFAULT) >= 0);
    }
    if (w->values != NULL) {
        put(group, w->name, w->type, w->rows, w->width, w->values);
    }
    finish(file, group);
    rct_error error = {.text = ""}, checked = {.text = ""};
    rct_file_info info;
    assert_null(rct_model_read_h5(path, &error));
    assert_true(error.status == RCT_ERROR_MODEL || error.status == RCT_ERROR_IO);
    assert_int_equal(error.body, strstr(error.text, "body 1") != NULL ? 1 : error.body);
    damage_expect_line(&error, w->says);
    assert_int_equal(rct_file_check(path, &info, &checked), error.status);
    assert_string_equal(checked.text, error.text);
}

static void test_wrong_columns(void **state)
{
    (void)state;
    static const int32_t far[3] = {-1, 0, 7}, ring[3] = {-1, 2, 1};
    static const int8_t unknown[3] = {1, 99, 1};
    static const double none[3] = {1.0, 0.0, 1.0}, parts[3] = {-0.4, 0.7, 1.0};
    const wrong all[] = {
        {"parent", 0, 0, 0, NULL, "has no /model/parent; add this dataset, with a row for each"},
        {"parent", H5T_NATIVE_INT32, 1, 3, parents, "has another shape than one number"},
        {"parent", H5T_NATIVE_INT32, 3, 0, far, "body2"},
        {"parent", H5T_NATIVE_INT32, 3, 0, ring, "ancestor"},
        {"parent", H5T_NATIVE_DOUBLE, 3, 0, parts,
         "its dataset parent does not hold whole numbers"},
        {"hinge", H5T_NATIVE_INT8, 3, 0, unknown, "body1"},
        {"masses", H5T_NATIVE_DOUBLE, 3, 0, masses, "/model/masses is not part of a model"},
        {"mass", 0, 0, 0, NULL, "has no /model/mass; add this dataset, with a row for each"},
        {"mass", H5T_NATIVE_DOUBLE, 3, 0, none, "mass"},
        {"mass", H5T_NATIVE_DOUBLE, 2, 0, masses, "its dataset mass has another shape than [3]"},
        {"com", H5T_NATIVE_DOUBLE, 3, 2, levers, "its dataset com has another shape than [3][3]"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        expect_wrong(&all[i]);
    }
}

/* A model with a format, unless NULL, and an attribute of the value 9; it is read if `says` is NULL. */
static void expect_refused_head(const char *format, const char *attribute, const char *says)
{
    const char *path = recording_path(0, "a.h5");
    const int32_t nine = 9;
    hid_t group, file = create(path, &group);
    const hid_t space = H5Screate(H5S_SCALAR), kind = H5Tcopy(H5T_C_S1);
    put_matter(group);
    if (format != NULL) {
        assert_true(H5Tset_size(kind, strlen(format)) >= 0);
        const hid_t text = H5Acreate2(file, "format", kind, space, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(H5Awrite(text, kind, format) >= 0);
        H5Aclose(text);
    }
    const hid_t number =
        H5Acreate2(file, attribute, H5T_NATIVE_INT32, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(number, H5T_NATIVE_INT32, &nine) >= 0);
    H5Aclose(number);
    H5Tclose(kind);
    H5Sclose(space);
    finish(file, group);
    if (says != NULL) {
        expect_refused(path, says[0] == 'i' ? RCT_ERROR_MODEL : RCT_ERROR_IO, says);
    } else {
        rct_model *model = rct_model_read_h5(path, NULL);
        assert_non_null(model);
        rct_model_free(model);
    }
}

/* Texts of any length, a future version, and attributes that no model has. */
static void test_files_that_are_not_read(void **state)
{
    (void)state;
    static const char *const names[3] = {"upper", "", "tip"};
    const char *path = recording_path(0, "a.h5");
    hid_t group, file = create(path, &group);
    const hid_t text = H5Tcopy(H5T_C_S1);
    assert_true(H5Tset_size(text, H5T_VARIABLE) >= 0);
    put_matter(group);
    put(group, "name", text, 3, 0, names);
    finish(file, group);
    H5Tclose(text);
    expect_refused(path, RCT_ERROR_IO,
                   "holds texts of variable length; give texts of fixed length");

    expect_refused_head("riccatree model", "format_version",
                        "has format version 9; this version reads 1");
    expect_refused_head(NULL, "format_version", "has format version 9; this version reads 1");
    expect_refused_head("something", "format_version",
                        "has the format \"something\"; a model has \"riccatree model\", or none");
    expect_refused_head(
        NULL, "gravty",
        "its attribute \"gravty\" is not part of a model; did you mean \"gravity\"?");
    expect_refused_head(NULL, "author",
                        "its attribute \"author\" is not part of a model; remove it");
    expect_refused_head(NULL, "_NCProperties", NULL);
}

/* Forces, loops and shapes must give their type. */
static void test_groups_that_lack_columns(void **state)
{
    (void)state;
    static const int32_t body[1] = {0};
    static const char *const groups[] = {"forces", "loops", "shapes"};
    for (int k = 0; k < 3; k++) {
        const char *path = recording_path(0, "a.h5");
        char says[64];
        hid_t group, file = create(path, &group);
        put_matter(group);
        const hid_t part = H5Gcreate2(group, groups[k], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        put(part, "body", H5T_NATIVE_INT32, 1, 0, body);
        H5Gclose(part);
        finish(file, group);
        snprintf(says, sizeof says, "has no /model/%s/type; add this dataset, with a row for each",
                 groups[k]);
        expect_refused(path, RCT_ERROR_MODEL, says);
    }
}

/* The body must exist, the type must be known. */
static void test_wrong_shapes(void **state)
{
    (void)state;
    static const struct {
        int8_t type;
        int32_t body;
        double radius;
        const char *says;
    } all[] = {
        {RCT_SHAPE_SPHERE, 3, 1.0, "a shape belongs to body 3, which does not exist"},
        {9, 0, 1.0, "body 0 \"body0\": shape 0: unknown type"},
        {RCT_SHAPE_SPHERE, 2, 0.0, "body 2 \"body2\": shape 0: radius, length and edges must"},
    };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        const char *path = recording_path(0, "a.h5");
        hid_t group, file = create(path, &group);
        put_matter(group);
        const hid_t part = H5Gcreate2(group, "shapes", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        put(part, "type", H5T_NATIVE_INT8, 1, 0, &all[k].type);
        put(part, "body", H5T_NATIVE_INT32, 1, 0, &all[k].body);
        put(part, "radius", H5T_NATIVE_DOUBLE, 1, 0, &all[k].radius);
        H5Gclose(part);
        finish(file, group);
        expect_refused(path, RCT_ERROR_MODEL, all[k].says);
    }
}

/* Terms of relations that begin beyond the terms. */
static void test_wrong_terms(void **state)
{
    (void)state;
    static const int8_t relation[1] = {RCT_LOOP_RELATION};
    static const int32_t body[1] = {1}, coordinate[1] = {0};
    static const double factor[1] = {1.0};
    for (int64_t first = -1; first <= 2; first += 3) {
        const char *path = recording_path(0, "a.h5");
        hid_t group, file = create(path, &group);
        put_matter(group);
        const hid_t loops = H5Gcreate2(group, "loops", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        put(loops, "type", H5T_NATIVE_INT8, 1, 0, relation);
        put(loops, "first_term", H5T_NATIVE_INT64, 1, 0, &first);
        put(loops, "term_body", H5T_NATIVE_INT32, 1, 0, body);
        put(loops, "term_coordinate", H5T_NATIVE_INT32, 1, 0, coordinate);
        put(loops, "term_factor", H5T_NATIVE_DOUBLE, 1, 0, factor);
        H5Gclose(loops);
        finish(file, group);
        expect_refused(path, RCT_ERROR_MODEL, "/model/loops/first_term: terms of loop 0 begin at");
    }
}

static void test_files_that_are_none(void **state)
{
    (void)state;
    const char *path = recording_path(0, "a.h5");
    rct_model *empty = rct_model_create(NULL, NULL);
    rct_error error;
    expect_refused("", RCT_ERROR_ARGUMENT, "no model file was given");
    expect_refused(path, RCT_ERROR_IO, "a.h5: cannot open the file: No such file");
    recording_write_text(path, "{ \"riccatree\": 1 }");
    expect_refused(path, RCT_ERROR_IO, "is not an HDF5 file: it does not begin like one");
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Fclose(file) >= 0);
    expect_refused(path, RCT_ERROR_IO, "has no model: there is no /model in it");
    assert_int_equal(rct_model_write_h5(empty, path, &error), RCT_ERROR_MODEL);
    assert_non_null(strstr(error.text, "has no bodies"));
    assert_int_equal(rct_model_write_h5(empty, "", &error), RCT_ERROR_ARGUMENT);
    assert_int_equal(rct_model_write_h5(NULL, path, &error), RCT_ERROR_ARGUMENT);
    assert_int_equal(rct_model_write_h5(empty, NULL, &error), RCT_ERROR_ARGUMENT);
    assert_null(rct_model_read_h5(NULL, &error));
    assert_int_equal(error.status, RCT_ERROR_ARGUMENT);
    rct_model_free(empty);
}

#define MODEL_TEST(name) cmocka_unit_test_setup_teardown(name, recording_begin, recording_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        MODEL_TEST(test_files_of_other_programs),
        MODEL_TEST(test_wrong_columns),
        MODEL_TEST(test_files_that_are_not_read),
        MODEL_TEST(test_groups_that_lack_columns),
        MODEL_TEST(test_wrong_shapes),
        MODEL_TEST(test_wrong_terms),
        MODEL_TEST(test_files_that_are_none),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
