/* Forces and the motion of the ground: what is refused and why, what comes back, and that the motion is what
 * the table or the constants say, with its derivatives. */
#include "models_alike.h"

#include "cmocka_all.h"
#include "support/any_model.h"

#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static rct_model *two_bodies(void)
{
    rct_model *model = rct_model_create(NULL, NULL);
    rct_body body = rct_body_default();
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    for (int32_t i = 0; i < 2; i++) {
        body.parent = i - 1;
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    return model;
}

static void expect_words(const rct_error *error, const char *says)
{
    assert_int_equal(error->status, RCT_ERROR_MODEL);
    if (strstr(error->text, says) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error->text, says);
    }
}

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
    const char *own = "a spring has no force, moment or axes of its own";
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
    expect_refused(spring(1, 1), "a spring needs two different ends");
    expect_refused(spring(RCT_GROUND, RCT_GROUND), "a spring needs two different ends");
    for (int i = 0; i < 5; i++) {
        f = spring(0, 1);
        double *const fields[] = {&f.stiffness, &f.damping, &f.length, &f.force[1], &f.moment[2]};
        *fields[i] = -1e-300;
        expect_refused(f, i < 3 ? "stiffness, damping and length of a spring must not be negative"
                                : own);
    }
    f = spring(0, 1);
    f.in_body_axes = 1;
    expect_refused(f, own);
    f = wrench(0);
    f.type = (rct_force_type)2;
    expect_refused(f, "unknown type; this version knows wrench and spring");
}

/* Bodies may come after the forces; the whole is checked by rct_model_check. */
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
            rct_body body = model->bodies[1];
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

/* Flags are 0 or 1; negative zeros of no use vanish, for a model file could not tell. */
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

static void expect_bad_base(rct_base base, const char *says)
{
    rct_model *model = two_bodies();
    rct_base good = rct_base_default(), kept;
    rct_error error = {.status = RCT_OK};
    good.rate = 3.0;
    assert_int_equal(rct_model_set_base(model, &good, NULL), RCT_OK);
    assert_int_equal(rct_model_set_base(model, &base, &error), RCT_ERROR_MODEL);
    expect_words(&error, says);
    expect_words(&error, "motion of the ground: ");
    rct_model_base(model, &kept); /* as it was */
    assert_true(bases_alike(&kept, &good));
    rct_model_free(model);
}

static void test_bad_motions_are_refused(void **state)
{
    (void)state;
    const double still[15] = {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0};
    double table[15];
    for (int i = 0; i < 11; i++) {
        rct_base b = rct_base_default();
        double *const fields[] = {b.velocity, b.acceleration,          b.axis,
                                  &b.rate,    &b.angular_acceleration, b.velocity + 2,
                                  b.axis + 1};
        if (i < 7) {
            *fields[i] = i % 2 == 0 ? NAN : INFINITY;
            expect_bad_base(b, "a number is not finite");
        }
        b = rct_base_default();
        b.table = still;
        b.rows = 3;
        if (i < 6 && i != 2) {
            *fields[i] = 1e-300;
            expect_bad_base(b, "give either a table or velocities and accelerations, not both");
        }
    }
    rct_base b = rct_base_default();
    b.axis[2] = -0.0;
    expect_bad_base(b, "its axis has length zero");
    b = rct_base_default();
    b.table = still;
    const int32_t rows[] = {1, -1, INT32_MIN};
    for (int i = 0; i < 3; i++) {
        b.rows = rows[i];
        expect_bad_base(b, "a table needs at least two rows");
    }
    b.rows = 3;
    b.table = NULL;
    expect_bad_base(b, "a table needs at least two rows");
    b.table = table;
    for (int i = 0; i < 15; i++) {
        char says[64];
        memcpy(table, still, sizeof table);
        table[i] = NAN;
        snprintf(says, sizeof says, "row %d of its table: a number is not finite", i / 5 + 1);
        expect_bad_base(b, says);
    }
    memcpy(table, still, sizeof table);
    table[10] = 1.0;
    expect_bad_base(b, "row 3 of its table: its time is not after that of the row before");
    table[10] = 0.5;
    expect_bad_base(b, "row 3 of its table: its time is not after that of the row before");
    memcpy(table, still, sizeof table);
    table[8] = 1e300;
    table[10] = 1.0 + 1e-10;
    expect_bad_base(b, "row 3 of its table: it is too far from the row before");
    memcpy(table, still, sizeof table);
    table[0] = -1e-150;
    table[5] = 0.0;
    table[10] = 1e-150;
    table[9] = 1e30;
    expect_bad_base(b, "the splines through its table are not finite");
}

static void test_the_table_is_copied(void **state)
{
    (void)state;
    enum { ROWS = 6 };
    double table[5 * ROWS], kept[5 * ROWS];
    rct_draw draw = rct_draw_start(9, 0);
    rct_base base = any_base(&draw, ROWS, table), back;
    base.rate = -0.0;
    rct_model *model = two_bodies();
    memcpy(kept, table, sizeof kept);
    for (int64_t k = 0; k < 3; k++) { /* two copies and room for the solution */
        rct_allocate_fail_after(k);
        assert_int_equal(rct_model_set_base(model, &base, NULL), RCT_ERROR_MEMORY);
        rct_allocate_fail_after(-1);
        assert_false(rct_model_has_base(model));
    }
    assert_int_equal(rct_model_set_base(model, &base, NULL), RCT_OK);
    memset(table, 0, sizeof table);
    rct_model_base(model, &back);
    assert_int_equal(back.rows, ROWS);
    assert_memory_equal(back.table, kept, sizeof kept);
    assert_false(signbit(back.rate));
    back.axis[1] = 0.5; /* set again with the table that lives in the model */
    assert_int_equal(rct_model_set_base(model, &back, NULL), RCT_OK);
    rct_model_base(model, &back);
    assert_memory_equal(back.table, kept, sizeof kept);
    back = rct_base_default();
    assert_int_equal(rct_model_set_base(model, &back, NULL), RCT_OK);
    rct_model_base(model, &back);
    assert_true(back.rows == 0 && back.table == NULL && !rct_model_has_base(model));
    rct_model_free(model);
}

static void assert_close(double a, double b, double slack)
{
    if (!(fabs(a - b) <= slack)) {
        fail_msg("%.17g and %.17g differ by more than %g", a, b, slack);
    }
}

static void test_constant_accelerations(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        rct_draw draw = rct_draw_start(seed, 3);
        rct_base b = rct_base_default();
        for (int k = 0; k < 3; k++) {
            b.velocity[k] = rct_draw_between(&draw, -2.0, 2.0);
            b.acceleration[k] = rct_draw_between(&draw, -2.0, 2.0);
        }
        rct_draw_on_sphere(&draw, b.axis, 3);
        b.rate = rct_draw_between(&draw, -2.0, 2.0);
        b.angular_acceleration = rct_draw_between(&draw, -2.0, 2.0);
        const double t = rct_draw_between(&draw, -3.0, 3.0);
        rct_model *model = two_bodies();
        rct_base_motion m;
        assert_int_equal(rct_model_set_base(model, &b, NULL), RCT_OK);
        rct_model_base_motion(model, t, &m);
        const double angle = b.rate * t + 0.5 * b.angular_acceleration * t * t;
        assert_close(m.orientation[0], cos(0.5 * angle), 1e-14);
        for (int k = 0; k < 3; k++) {
            assert_close(m.orientation[1 + k], sin(0.5 * angle) * b.axis[k], 1e-14);
            assert_close(m.position[k], b.velocity[k] * t + 0.5 * b.acceleration[k] * t * t, 1e-14);
            assert_close(m.velocity[k], b.velocity[k] + b.acceleration[k] * t, 1e-14);
            assert_close(m.acceleration[k], b.acceleration[k], 0.0);
            assert_close(m.angular_velocity[k], (b.rate + b.angular_acceleration * t) * b.axis[k],
                         1e-14);
            assert_close(m.angular_acceleration[k], b.angular_acceleration * b.axis[k], 1e-15);
        }
        rct_model_free(model);
    }
}

/* w of a quaternion and its derivative: 2 dq/dt q^-1. */
static void spin_of(const double *q, const double *d, double w[3])
{
    w[0] = 2.0 * (d[1] * q[0] - d[0] * q[1] - d[2] * q[3] + d[3] * q[2]);
    w[1] = 2.0 * (d[2] * q[0] - d[0] * q[2] - d[3] * q[1] + d[1] * q[3]);
    w[2] = 2.0 * (d[3] * q[0] - d[0] * q[3] - d[1] * q[2] + d[2] * q[1]);
}

/* Velocities and accelerations at `t` are what differences over 2 h say, to `slack`. */
static void check_derivatives(const rct_model *model, double t, double slack)
{
    const double h = 1e-5;
    rct_base_motion before, at, after;
    double slope[4], w[3];
    rct_model_base_motion(model, t - h, &before);
    rct_model_base_motion(model, t, &at);
    rct_model_base_motion(model, t + h, &after);
    for (int k = 0; k < 4; k++) {
        slope[k] = (after.orientation[k] - before.orientation[k]) / (2.0 * h);
    }
    spin_of(at.orientation, slope, w);
    for (int k = 0; k < 3; k++) {
        assert_close(w[k], at.angular_velocity[k], slack);
        assert_close((after.position[k] - before.position[k]) / (2.0 * h), at.velocity[k], slack);
        assert_close((after.velocity[k] - before.velocity[k]) / (2.0 * h), at.acceleration[k],
                     slack);
        assert_close((after.angular_velocity[k] - before.angular_velocity[k]) / (2.0 * h),
                     at.angular_acceleration[k], slack);
    }
}

/* Position and angle of the motion at `t` are those of a row; the axis has length 1. */
static void check_row(const rct_model *model, const double *row, double slack)
{
    rct_base_motion m;
    rct_model_base_motion(model, row[0], &m);
    const double *axis = model->base.axis;
    assert_close(m.orientation[0], cos(0.5 * row[4]), slack);
    for (int k = 0; k < 3; k++) {
        assert_close(m.position[k], row[1 + k], slack);
        assert_close(m.orientation[1 + k], sin(0.5 * row[4]) * axis[k], slack);
    }
}

/* Largest change of anything from one to the other. */
static double jump(const rct_base_motion *a, const rct_base_motion *b)
{
    double most = 0.0;
    const double *x = (const double *)a, *y = (const double *)b;
    for (size_t i = 0; i < sizeof *a / sizeof *x; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
    }
    return most;
}

/* Up to the row at `t`, h times 4 after the one before: a cubic has no fourth differences. */
static void check_piece(const rct_model *model, double t, double h)
{
    const double weights[5] = {1.0, -4.0, 6.0, -4.0, 1.0};
    double fourth[3] = {0.0, 0.0, 0.0};
    for (int s = 0; s < 5; s++) {
        rct_base_motion m;
        rct_model_base_motion(model, t - s * h, &m);
        for (int k = 0; k < 3; k++) {
            fourth[k] += weights[s] * m.position[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        assert_close(fourth[k], 0.0, 1e-12);
    }
}

/* Through every row, two derivatives without a jump, cubics between, ends straight (below): there is only one
 * such curve. */
static void test_splines_pass_their_rows(void **state)
{
    (void)state;
    enum { MOST = 12 };
    for (uint64_t seed = 0; seed < 200; seed++) {
        rct_draw draw = rct_draw_start(seed, 4);
        double table[5 * MOST];
        const int32_t rows = 2 + rct_draw_index(&draw, MOST - 1);
        const rct_base base = any_base(&draw, rows, table);
        rct_model *model = two_bodies();
        assert_int_equal(rct_model_set_base(model, &base, NULL), RCT_OK);
        for (int32_t i = 0; i < rows; i++) {
            const double t = table[5 * i], h = i > 0 ? (t - table[5 * (i - 1)]) / 4.0 : 0.0;
            rct_base_motion before, after;
            check_row(model, table + 5 * (size_t)i, 1e-13);
            rct_model_base_motion(model, t - 1e-12, &before);
            rct_model_base_motion(model, t + 1e-12, &after);
            assert_true(jump(&before, &after) < 1e-6);
            if (i > 0) {
                check_piece(model, t, h);
                check_derivatives(model, rct_draw_between(&draw, t - 3.9 * h, t - 0.1 * h), 1e-4);
            }
        }
        rct_model_free(model);
    }
}

static void test_before_and_after_the_table(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        rct_draw draw = rct_draw_start(seed, 5);
        double table[5 * 6];
        const rct_base base = any_base(&draw, 6, table);
        rct_model *model = two_bodies();
        assert_int_equal(rct_model_set_base(model, &base, NULL), RCT_OK);
        for (int side = 0; side < 2; side++) {
            rct_base_motion end, far;
            const double t = table[side == 0 ? 0 : 25];
            const double past = (side == 0 ? -1.0 : 1.0) * rct_draw_between(&draw, 1e-3, 5.0);
            rct_model_base_motion(model, t, &end);
            rct_model_base_motion(model, t + past, &far);
            for (int k = 0; k < 3; k++) {
                assert_close(end.acceleration[k], 0.0, 1e-10);
                assert_close(end.angular_acceleration[k], 0.0, 1e-10);
                assert_close(far.acceleration[k], 0.0, 0.0);
                assert_close(far.angular_acceleration[k], 0.0, 0.0);
                assert_close(far.velocity[k], end.velocity[k], 1e-12);
                assert_close(far.angular_velocity[k], end.angular_velocity[k], 1e-12);
                assert_close(far.position[k], end.position[k] + past * end.velocity[k], 1e-11);
            }
            check_derivatives(model, t + past, 1e-4);
        }
        rct_model_free(model);
    }
}

/* A natural spline through points of a line is the line. */
static void test_straight_tables(void **state)
{
    (void)state;
    const double table[20] = {0, 1, 2, 3, 0.5, 1, 2, 2, 1, 1.5, 4, 5, 2, -5, 4.5, 5, 6, 2, -7, 5.5};
    for (int32_t rows = 2; rows <= 4; rows++) {
        rct_base base = rct_base_default();
        base.table = table;
        base.rows = rows;
        rct_model *model = two_bodies();
        assert_int_equal(rct_model_set_base(model, &base, NULL), RCT_OK);
        for (int i = 0; i < 27; i++) {
            const double t = -2.0 + 0.37 * i;
            const double row[5] = {t, 1.0 + t, 2.0, 3.0 - 2.0 * t, 0.5 + t};
            rct_base_motion m;
            check_row(model, row, 1e-13);
            rct_model_base_motion(model, t, &m);
            assert_close(m.velocity[0], 1.0, 1e-13);
            assert_close(m.velocity[2], -2.0, 1e-13);
            assert_close(m.angular_velocity[2], 1.0, 1e-13);
            assert_close(m.acceleration[0], 0.0, 1e-13);
        }
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_must_be_finite),
        cmocka_unit_test(test_bad_forces_are_refused),
        cmocka_unit_test(test_forces_name_bodies),
        cmocka_unit_test(test_forces_come_back),
        cmocka_unit_test(test_what_is_of_no_use_is_cleared),
        cmocka_unit_test(test_bad_motions_are_refused),
        cmocka_unit_test(test_the_table_is_copied),
        cmocka_unit_test(test_constant_accelerations),
        cmocka_unit_test(test_splines_pass_their_rows),
        cmocka_unit_test(test_before_and_after_the_table),
        cmocka_unit_test(test_straight_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
