/* Recorder: the group /model has everything that a model can hold, bit for bit: every hinge type,
 * shapes, forces, loops, the motion of the ground. Unused fields are not there. */
#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "model/forces/force_check.h"
#include "model/model.h"
#include "tests/record/recorded_model.h"
#include "tests/support/systems/any_model.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int exists(hid_t file, const char *name)
{
    return H5Lexists(file, name, H5P_DEFAULT) > 0;
}

static void expect_bodies(hid_t file, const rct_model *model)
{
    const struct {
        const char *name;
        int width;
        size_t offset;
    } fields[] = {
        {"/model/hinge_at", 3, offsetof(rct_body, hinge_at)},
        {"/model/hinge_orientation", 4, offsetof(rct_body, hinge_orientation)},
        {"/model/hinge_axis", 3, offsetof(rct_body, hinge_axis)},
        {"/model/hinge_axis2", 3, offsetof(rct_body, hinge_axis2)},
        {"/model/hinge_pitch", 1, offsetof(rct_body, hinge_pitch)},
        {"/model/hinge_stiffness", 3, offsetof(rct_body, stiffness)},
        {"/model/hinge_rest", 3, offsetof(rct_body, rest)},
        {"/model/hinge_damping", 3, offsetof(rct_body, damping)},
        {"/model/hinge_applied", 3, offsetof(rct_body, applied)},
        {"/model/hinge_armature", 3, offsetof(rct_body, armature)},
        {"/model/initial_orientation", 4, offsetof(rct_body, orientation)},
        {"/model/initial_angular_velocity", 3, offsetof(rct_body, angular_velocity)},
        {"/model/initial_position", 3, offsetof(rct_body, position)},
        {"/model/initial_rate", 3, offsetof(rct_body, rate)},
    };
    const rct_body plain = rct_body_default();
    rct_body *bodies = calloc((size_t)model->count, sizeof *bodies);
    assert_non_null(bodies);
    for (int32_t b = 0; b < model->count; b++) {
        bodies[b] = rct_bodies_get(model->bodies, b);
    }
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
        const size_t size = (size_t)fields[f].width * sizeof(double);
        int used = 0;
        for (int32_t b = 0; b < model->count; b++) {
            used = used || memcmp((const char *)&bodies[b] + fields[f].offset,
                                  (const char *)&plain + fields[f].offset, size) != 0;
        }
        if (exists(file, fields[f].name)) {
            expect_column(file, model->count,
                          (column){fields[f].name, fields[f].width,
                                   (const char *)bodies + fields[f].offset, sizeof *bodies});
        } else {
            assert_false(used);
        }
        assert_true(used || f < 2 || f == 10 || f == 11 || !exists(file, fields[f].name));
    }
    free(bodies);
}

static void expect_shapes(hid_t file, const rct_model *model)
{
    const struct {
        const char *name;
        int width;
        size_t offset;
    } fields[] = {
        {"/model/shapes/at", 3, offsetof(rct_shape, at)},
        {"/model/shapes/orientation", 4, offsetof(rct_shape, orientation)},
        {"/model/shapes/radius", 1, offsetof(rct_shape, radius)},
        {"/model/shapes/length", 1, offsetof(rct_shape, length)},
        {"/model/shapes/size", 3, offsetof(rct_shape, size)},
    };
    const int32_t n = model->shape_count;
    int32_t body[200];
    assert_int_equal(exists(file, "/model/shapes"), n > 0);
    for (size_t f = 0; n > 0 && f < sizeof fields / sizeof fields[0]; f++) {
        expect_column(file, n,
                      (column){fields[f].name, fields[f].width,
                               (const char *)model->shapes + fields[f].offset,
                               sizeof *model->shapes});
    }
    assert_true(n <= 200);
    if (n > 0) {
        recording_read(file, "/model/shapes/body", H5T_NATIVE_INT32, body);
    }
    for (int32_t i = 0; i < n; i++) {
        assert_int_equal(body[i], model->shapes[i].body);
        expect_enum(file, "/model/shapes/type", i, rct_shape_type_name(model->shapes[i].type));
    }
}

/* A column of forces exists if a force uses it; those of wrenches and springs always exist. */
static void expect_force_column(hid_t file, const rct_model *model, const rct_key *key)
{
    const int always = key->uses & (1 << RCT_FORCE_WRENCH | 1 << RCT_FORCE_SPRING);
    char name[64];
    int used = always;
    for (int32_t i = 0; i < model->force_count; i++) {
        used |= key->uses >> model->forces[i].type & 1;
    }
    snprintf(name, sizeof name, "/model/forces/%s", key->name);
    assert_int_equal(exists(file, name), used != 0);
    if (used) {
        expect_column(file, model->force_count,
                      (column){name, key->count, (const char *)model->forces + key->offset,
                               sizeof *model->forces});
    }
}

static void expect_force_tables(hid_t file, const rct_model *model)
{
    int32_t coordinate[100], rows[100];
    double table[2000], *at = table;
    if (exists(file, "/model/forces/coordinate")) {
        recording_read(file, "/model/forces/coordinate", H5T_NATIVE_INT32, coordinate);
    }
    if (exists(file, "/model/forces/table")) {
        recording_read(file, "/model/forces/rows", H5T_NATIVE_INT32, rows);
        recording_read(file, "/model/forces/table", H5T_NATIVE_DOUBLE, table);
    }
    for (int32_t i = 0; i < model->force_count; i++) {
        const rct_force *f = &model->forces[i];
        if (f->coordinate != 0) {
            assert_int_equal(coordinate[i], f->coordinate);
        }
        if (f->rows > 0) {
            assert_int_equal(rows[i], f->rows);
            assert_memory_equal(at, f->table, 2 * (size_t)f->rows * sizeof *at);
            at += 2 * f->rows;
        }
    }
}

static void expect_forces(hid_t file, const rct_model *model)
{
    const int32_t n = model->force_count;
    int32_t body[100], other[100], turning[100];
    assert_int_equal(exists(file, "/model/forces"), n > 0);
    if (n == 0) {
        return;
    }
    for (int k = 0; k < rct_force_keys.count; k++) {
        if (rct_force_keys.key[k].count > 0) {
            expect_force_column(file, model, &rct_force_keys.key[k]);
        }
    }
    expect_force_tables(file, model);
    recording_read(file, "/model/forces/body", H5T_NATIVE_INT32, body);
    recording_read(file, "/model/forces/other", H5T_NATIVE_INT32, other);
    recording_read(file, "/model/forces/in_body_axes", H5T_NATIVE_INT32, turning);
    for (int32_t i = 0; i < n; i++) {
        const rct_force *force = &model->forces[i];
        assert_true(body[i] == force->body && other[i] == force->other);
        assert_int_equal(turning[i], force->in_body_axes);
        expect_enum(file, "/model/forces/type", i, rct_force_type_name(force->type));
    }
}

static void expect_terms(hid_t file, const rct_model *model, const int64_t *first)
{
    int32_t body[100], freedom[100], row = 0;
    double factor[100];
    for (int32_t i = 0; i < model->loop_count; i++) {
        assert_int_equal(first[i], row);
        row += model->loops[i].term_count;
    }
    assert_int_equal(exists(file, "/model/loops/term_body"), row > 0);
    if (row == 0) {
        return;
    }
    recording_read(file, "/model/loops/term_body", H5T_NATIVE_INT32, body);
    recording_read(file, "/model/loops/term_coordinate", H5T_NATIVE_INT32, freedom);
    recording_read(file, "/model/loops/term_factor", H5T_NATIVE_DOUBLE, factor);
    for (int32_t i = 0; i < model->loop_count; i++) {
        for (int32_t k = 0; k < model->loops[i].term_count; k++) {
            const rct_loop_term *term = &model->loops[i].terms[k];
            assert_int_equal(body[first[i] + k], term->body);
            assert_int_equal(freedom[first[i] + k], term->freedom);
            assert_memory_equal(&factor[first[i] + k], &term->factor, sizeof term->factor);
        }
    }
}

static void expect_loop_names(hid_t file, const rct_model *model)
{
    size_t width = 0;
    for (int32_t i = 0; i < model->loop_count; i++) {
        const char *name = model->loops[i].name;
        width = name != NULL && strlen(name) > width ? strlen(name) : width;
    }
    assert_int_equal(exists(file, "/model/loops/name"), width > 0);
    if (width == 0) {
        return;
    }
    char *names = calloc(width * (size_t)model->loop_count, 1);
    const hid_t dataset = H5Dopen2(file, "/model/loops/name", H5P_DEFAULT);
    const hid_t type = H5Dget_type(dataset);
    assert_int_equal(H5Tget_size(type), width);
    recording_read(file, "/model/loops/name", type, names);
    for (int32_t i = 0; i < model->loop_count; i++) {
        const char *name = model->loops[i].name != NULL ? model->loops[i].name : "";
        assert_true(strncmp(names + (size_t)i * width, name, width) == 0);
    }
    H5Tclose(type);
    H5Dclose(dataset);
    free(names);
}

static void expect_loops(hid_t file, const rct_model *model)
{
    const struct {
        const char *name;
        int width;
        size_t offset;
    } fields[] = {
        {"/model/loops/at", 3, offsetof(rct_loop, at)},
        {"/model/loops/orientation", 4, offsetof(rct_loop, orientation)},
        {"/model/loops/other_at", 3, offsetof(rct_loop, other_at)},
        {"/model/loops/other_orientation", 4, offsetof(rct_loop, other_orientation)},
        {"/model/loops/axis", 3, offsetof(rct_loop, axis)},
        {"/model/loops/axis2", 3, offsetof(rct_loop, axis2)},
        {"/model/loops/length", 1, offsetof(rct_loop, length)},
        {"/model/loops/offset", 1, offsetof(rct_loop, offset)},
        {"/model/loops/rate", 1, offsetof(rct_loop, rate)},
        {"/model/loops/acceleration", 1, offsetof(rct_loop, acceleration)},
    };
    const int32_t n = model->loop_count;
    int32_t body[100], other[100], active[100];
    int64_t first[100];
    assert_int_equal(exists(file, "/model/loops"), n > 0);
    if (n == 0) {
        return;
    }
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
        expect_column(file, n,
                      (column){fields[f].name, fields[f].width,
                               (const char *)model->loops + fields[f].offset,
                               sizeof *model->loops});
    }
    recording_read(file, "/model/loops/body", H5T_NATIVE_INT32, body);
    recording_read(file, "/model/loops/other", H5T_NATIVE_INT32, other);
    recording_read(file, "/model/loops/active", H5T_NATIVE_INT32, active);
    recording_read(file, "/model/loops/first_term", H5T_NATIVE_INT64, first);
    for (int32_t i = 0; i < n; i++) {
        const rct_loop *loop = &model->loops[i];
        assert_true(body[i] == loop->body && other[i] == loop->other);
        assert_int_equal(active[i], loop->active);
        expect_enum(file, "/model/loops/type", i, rct_loop_type_name(loop->type));
    }
    expect_terms(file, model, first);
    expect_loop_names(file, model);
}

static void expect_base(hid_t file, const rct_model *model)
{
    const rct_base *b = &model->base;
    const int moves = rct_model_has_base(model), table = b->rows > 0;
    assert_int_equal(exists(file, "/model/base"), moves);
    if (!moves) {
        return;
    }
    expect_column(file, 1, (column){"/model/base/axis", 3, b->axis, 0});
    assert_int_equal(exists(file, "/model/base/table"), table);
    assert_int_equal(exists(file, "/model/base/velocity"), !table);
    if (table) {
        expect_column(file, b->rows,
                      (column){"/model/base/table", 5, b->table, 5 * sizeof(double)});
    } else {
        const column columns[] = {
            {"/model/base/velocity", 3, b->velocity, 0},
            {"/model/base/acceleration", 3, b->acceleration, 0},
            {"/model/base/rate", 1, &b->rate, 0},
            {"/model/base/angular_acceleration", 1, &b->angular_acceleration, 0},
        };
        for (int i = 0; i < 4; i++) {
            expect_column(file, 1, columns[i]);
        }
    }
}

static void test_all_of_the_model_is_in_the_file(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        rct_model *model = any_model(seed, 20, NULL);
        assert_non_null(model);
        const hid_t file = recorded_write(model);
        expect_bodies(file, model);
        expect_forces(file, model);
        expect_shapes(file, model);
        expect_loops(file, model);
        expect_base(file, model);
        for (int32_t b = 0; b < model->count; b++) {
            expect_enum(file, "/model/hinge", b,
                        rct_hinge_name(rct_bodies_at(model->bodies, b)->hinge));
        }
        assert_true(H5Fclose(file) >= 0);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_of_the_model_is_in_the_file),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
