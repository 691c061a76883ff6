/* Forces of a model: refused input with reasons, and forces read back. */
#include "tests/support/systems/models_alike.h"

#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/faults/refusal.h"
#include "tests/support/systems/acting_forces.h"
#include "tests/support/systems/any_model.h"

#include <math.h>

static rct_force wrench(int32_t body)
{
    rct_force force = rct_force_default();
    force.body = body;
    force.force[0] = 1.0;
    return force;
}

static rct_force spring(int32_t body, int32_t other)
{
    rct_force force = rct_force_default();
    force.type = RCT_FORCE_SPRING;
    force.body = body;
    force.other = other;
    force.stiffness = 10.0;
    return force;
}

static void expect_refused(rct_force force, const char *says)
{
    rct_model *model = two_bodies();
    rct_error error = {.status = RCT_OK};
    int32_t index = 77;
    const rct_force good = wrench(1);
    assert_int_equal(rct_model_add_force(model, &good, NULL, NULL), RCT_OK);
    assert_int_equal(rct_model_add_force(model, &force, &index, &error), RCT_ERROR_MODEL);
    assert_int_equal(rct_model_add_force(model, &force, &index, NULL), RCT_ERROR_MODEL);
    expect_words(&error, says);
    expect_words(&error, "force 1: ");
    assert_int_equal(rct_model_force_count(model), 1);
    assert_int_equal(index, 77);
    rct_model_free(model);
}

static void test_numbers_must_be_finite(void **state)
{
    (void)state;
    for (int type = 0; type < 2; type++) {
        rct_force f = type == 0 ? wrench(0) : spring(0, 1);
        double *const numbers[] = {f.at,         f.at + 2,     f.force,    f.force + 2,
                                   f.moment,     f.moment + 2, f.other_at, f.other_at + 2,
                                   &f.stiffness, &f.damping,   &f.length};
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            const double before = *numbers[i];
            *numbers[i] = i % 2 == 0 ? NAN : -INFINITY;
            expect_refused(f, "a number is not finite");
            *numbers[i] = before;
        }
    }
}

static void test_bad_forces_are_refused(void **state)
{
    (void)state;
    const char *foreign = "a wrench has no other end, stiffness, damping or length";
    const char *own = "a spring has no force, moment or axes, which wrenches have";
    expect_refused(wrench(RCT_GROUND), "a wrench on the ground moves nothing; name a body");
    rct_force f = wrench(0);
    f.other = 1;
    expect_refused(f, foreign);
    for (int i = 0; i < 4; i++) {
        f = wrench(0);
        double *const fields[] = {&f.other_at[2], &f.stiffness, &f.damping, &f.length};
        *fields[i] = 1e-300;
        expect_refused(f, foreign);
    }
    expect_refused(spring(1, 1),
                   "springs and cables are between two bodies: \"body\" and \"other\" must differ");
    expect_refused(spring(RCT_GROUND, RCT_GROUND),
                   "springs and cables are between two bodies: \"body\" and \"other\" must differ");
    for (int i = 0; i < 5; i++) {
        f = spring(0, 1);
        double *const fields[] = {&f.stiffness, &f.damping, &f.length, &f.force[1], &f.moment[2]};
        *fields[i] = -1e-300;
        expect_refused(
            f, i < 3 ? "stiffness, damping and length of a spring or cable must not be negative"
                     : own);
    }
    f = spring(0, 1);
    f.in_body_axes = 1;
    expect_refused(f, own);
    f = wrench(0);
    f.type = (rct_force_type)RCT_FORCE_TYPES;
    expect_refused(f, "unknown type; this version knows wrench, spring, friction");
}

/* The requirements and unused fields of each type; then its effect. */
static void test_forces_at_hinges_are_checked(void **state)
{
    (void)state;
    static const double falls[] = {0.0, 1.0, 0.0, 2.0}, steep[] = {0.0, -1e308, 1e-300, 1e308};
    rct_force f = wrench(0);
    f.coordinate = 1;
    expect_refused(f, "no field of forces at hinges");
    f = spring(0, 1);
    f.saturation = 1.0;
    expect_refused(f, "no field of forces at hinges");
    for (int type = RCT_FORCE_FRICTION; type <= RCT_FORCE_CURVE; type++) {
        rct_draw draw = rct_draw_start((uint64_t)type, 0);
        double table[2 * ACTING_MOST_ROWS];
        f = any_acting(&draw, type - RCT_FORCE_FRICTION, 0, table);
        f.body = RCT_GROUND;
        expect_refused(f, "it acts on a body or its hinge, not on the ground; name a body");
        f.body = 0;
        f.length = 1.0;
        expect_refused(f, " has only ");
    }
    f = rct_force_default();
    f.type = RCT_FORCE_CURVE;
    f.rows = 2, f.table = falls;
    expect_refused(f, "its first number is not larger than that of the row before");
    f.table = steep;
    expect_refused(f, "its numbers differ too much from the row before, whose");
    f.table = NULL;
    expect_refused(f, "a table needs at least two rows of two numbers");
    f.rows = 0;
    expect_refused(f, "curve: it needs a table");
    f.over = (rct_curve_over)3;
    expect_refused(f, "curve: over must be coordinate, rate or time");
    rct_model *model = two_bodies();
    rct_error error;
    rct_force_effort effort;
    const rct_force good = wrench(0);
    assert_int_equal(rct_model_add_force(model, &good, NULL, NULL), RCT_OK);
    for (int32_t k = -1; k < 2; k++) {
        assert_int_equal(rct_model_force_effort(model, k, 0.0, 0.0, 0.0, &effort, &error),
                         RCT_ERROR_ARGUMENT);
        assert_non_null(strstr(
            error.text, "is not a force at a hinge; name a friction, limit, servo or curve"));
    }
    assert_null(rct_force_type_name((rct_force_type)RCT_FORCE_TYPES));
    assert_null(rct_curve_over_name((rct_curve_over)-1));
    rct_model_free(model);
}

/* Slopes are those of differences, the energy is that of the conservative part. */
static void test_slopes_and_energies_are_those_of_efforts(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        rct_draw draw = rct_draw_start(seed, 1);
        double table[2 * ACTING_MOST_ROWS];
        const double h = 1e-6, q = rct_draw_between(&draw, -2.0, 2.0),
                     u = rct_draw_between(&draw, -2.0, 2.0), t = rct_draw_unit(&draw);
        rct_model *model = two_bodies();
        const rct_force f = any_acting(&draw, (int)(seed % 4), 0, table);
        rct_force_effort at, e[2][2];
        assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
        assert_int_equal(rct_model_force_effort(model, 0, t, q, u, &at, NULL), RCT_OK);
        for (int k = 0; k < 2; k++) {
            const double d = k == 0 ? -h : h;
            assert_int_equal(rct_model_force_effort(model, 0, t, q + d, u, &e[0][k], NULL), RCT_OK);
            assert_int_equal(rct_model_force_effort(model, 0, t, q, u + d, &e[1][k], NULL), RCT_OK);
        }
        assert_true(fabs((e[0][1].effort - e[0][0].effort) / (2.0 * h) - at.by_coordinate) < 1e-4);
        assert_true(fabs((e[1][1].effort - e[1][0].effort) / (2.0 * h) - at.by_rate) < 1e-4);
        assert_true(fabs((e[0][0].energy - e[0][1].energy) / (2.0 * h) - at.kept) < 1e-4);
        rct_model_free(model);
    }
}

/* Bodies may come after the forces; rct_model_check checks the whole. */
static void test_forces_name_bodies(void **state)
{
    (void)state;
    const struct {
        rct_force force;
        const char *says;
    } cases[] = {
        {wrench(2), "force 1: its body 2 does not exist; the model has bodies 0 to 1"},
        {wrench(-2), "force 1: its body -2 does not exist"},
        {spring(0, 7), "force 1: its other body 7 does not exist"},
        {spring(5, RCT_GROUND), "force 1: its body 5 does not exist"},
        {spring(RCT_GROUND, -3), "force 1: its other body -3 does not exist"},
        {spring(RCT_GROUND, 1), NULL},
        {spring(1, RCT_GROUND), NULL},
        {{.type = RCT_FORCE_FRICTION, .body = 1, .other = RCT_GROUND, .slip = 1.0, .coordinate = 7},
         "force 1: coordinate 7 of body 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rct_model *model = two_bodies();
        rct_error error = {.status = RCT_OK};
        const rct_force good = wrench(1);
        assert_int_equal(rct_model_add_force(model, &good, NULL, NULL), RCT_OK);
        assert_int_equal(rct_model_add_force(model, &cases[i].force, NULL, NULL), RCT_OK);
        const rct_status status = rct_model_check(model, &error);
        assert_int_equal(status, cases[i].says == NULL ? RCT_OK : RCT_ERROR_MODEL);
        if (cases[i].says != NULL) {
            expect_words(&error, cases[i].says);
        }
        if (i == 0) { /* the body comes late */
            rct_body body = rct_bodies_get(model->bodies, 1);
            assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
            assert_int_equal(rct_model_check(model, NULL), RCT_OK);
        }
        rct_model_free(model);
    }
}

static void test_forces_come_back(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    rct_model *model = two_bodies();
    rct_force given[COUNT], back;
    rct_draw draw = rct_draw_start(5, 0);
    for (int32_t i = 0; i < COUNT; i++) {
        int32_t index = -1;
        given[i] = any_force(&draw, 2);
        rct_allocate_fail_after(0); /* short of memory, nothing is added */
        const rct_status status = rct_model_add_force(model, &given[i], NULL, NULL);
        rct_allocate_fail_after(-1);
        assert_true(status == RCT_OK || status == RCT_ERROR_MEMORY);
        if (status != RCT_OK) {
            assert_int_equal(rct_model_force_count(model), i);
            assert_int_equal(rct_model_add_force(model, &given[i], &index, NULL), RCT_OK);
            assert_int_equal(index, i);
        }
    }
    assert_int_equal(rct_model_force_count(model), COUNT);
    for (int32_t i = 0; i < COUNT; i++) {
        assert_int_equal(rct_model_force(model, i, &back, NULL), RCT_OK);
        assert_true(forces_alike(&back, &given[i]));
    }
    rct_error error;
    assert_int_equal(rct_model_force(model, COUNT, &back, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "force 300 does not exist; the model has 300 forces"));
    assert_int_equal(rct_model_force(model, -1, &back, &error), RCT_ERROR_ARGUMENT);
    /* as many as there may be, without the memory */
    const int32_t count = model->force_count, capacity = model->force_capacity;
    model->force_count = model->force_capacity = INT32_MAX - 1;
    assert_int_equal(rct_model_add_force(model, &given[0], NULL, &error), RCT_ERROR_MODEL);
    expect_words(&error, "a model holds at most 2147483646 forces");
    model->force_count = count;
    model->force_capacity = capacity;
    rct_model_free(model);
}

/* A table with the rows of the previous table is held once, whatever forces without a table are in
 * between; each force has its own numbers. */
static void test_tables_alike_are_held_once(void **state)
{
    (void)state;
    static const double tables[2][3][2] = {{{-1.0, 2.0}, {0.0, 0.0}, {1.0, -2.0}},
                                           {{-1.0, 2.0}, {0.0, 0.0}, {1.0, -3.0}}};
    static const int which[] = {0, -1, 0, 1, 1, -1, -1, 1, 0}, copies = 3; /* -1: a wrench */
    enum { COUNT = sizeof which / sizeof which[0], ROW = 3 * sizeof(double) };
    rct_model *model = two_bodies();
    rct_force back[COUNT];
    for (int i = 0; i < COUNT; i++) {
        rct_force f = wrench(1);
        if (which[i] >= 0) {
            f = rct_force_default();
            f.type = RCT_FORCE_CURVE;
            f.rows = 3;
            f.table = tables[which[i]][0];
        }
        assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
    }
    for (int i = 0; i < COUNT; i++) {
        rct_force_effort effort;
        assert_int_equal(rct_model_force(model, i, &back[i], NULL), RCT_OK);
        if (which[i] >= 0) {
            assert_memory_equal(back[i].table, tables[which[i]], sizeof tables[0]);
            assert_int_equal(rct_model_force_effort(model, i, 0.0, 1.0, 0.0, &effort, NULL),
                             RCT_OK);
            assert_true(effort.effort == tables[which[i]][2][1]);
        }
    }
    assert_true(back[0].table == back[2].table && back[3].table == back[7].table);
    assert_true(back[2].table != back[3].table && back[7].table != back[8].table);
    assert_int_equal(rct_model_force_bytes(model),
                     model->force_capacity * (int64_t)sizeof(rct_force) + copies * 3 * ROW);
    rct_model_free(model);
}

/* Flags are 0 or 1; negative zeros in unused fields vanish, because a model file could not
 * represent them. */
static void test_what_is_of_no_use_is_cleared(void **state)
{
    (void)state;
    rct_model *model = two_bodies();
    rct_force f = wrench(0), back;
    f.in_body_axes = 4;
    f.stiffness = f.damping = f.length = f.other_at[1] = -0.0;
    assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
    assert_int_equal(rct_model_force(model, 0, &back, NULL), RCT_OK);
    assert_int_equal(back.in_body_axes, 1);
    assert_false(signbit(back.stiffness) || signbit(back.damping) || signbit(back.length) ||
                 signbit(back.other_at[1]));
    f = spring(0, 1);
    f.force[0] = f.moment[2] = -0.0;
    assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
    assert_int_equal(rct_model_force(model, 1, &back, NULL), RCT_OK);
    assert_false(signbit(back.force[0]) || signbit(back.moment[2]));
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_must_be_finite),
        cmocka_unit_test(test_bad_forces_are_refused),
        cmocka_unit_test(test_forces_at_hinges_are_checked),
        cmocka_unit_test(test_slopes_and_energies_are_those_of_efforts),
        cmocka_unit_test(test_forces_name_bodies),
        cmocka_unit_test(test_forces_come_back),
        cmocka_unit_test(test_tables_alike_are_held_once),
        cmocka_unit_test(test_what_is_of_no_use_is_cleared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
