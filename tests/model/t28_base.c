/* The motion of the ground: refused input with reasons, and that the motion and its derivatives are
 * those of the table or the constants. */
#include "tests/support/larger.h"
#include "tests/support/systems/models_alike.h"

#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/support/faults/refusal.h"
#include "tests/support/systems/any_model.h"

#include <math.h>
#include <stdio.h>

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
    expect_bad_base(
        b, "row 3 of its table: its first number is not larger than that of the row before");
    table[10] = 0.5;
    expect_bad_base(
        b, "row 3 of its table: its first number is not larger than that of the row before");
    memcpy(table, still, sizeof table);
    table[8] = 1e300;
    table[10] = 1.0 + 1e-10;
    expect_bad_base(b,
                    "row 3 of its table: its numbers differ too much from the row before, whose");
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

/* Velocities and accelerations at `t` are the differences over 2 h, to `slack`. */
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

/* The largest change of any number from one to the other. */
static double jump(const rct_base_motion *a, const rct_base_motion *b)
{
    double most = 0.0;
    const double *x = (const double *)a, *y = (const double *)b;
    for (size_t i = 0; i < sizeof *a / sizeof *x; i++) {
        most = larger(most, fabs(x[i] - y[i]));
    }
    return most;
}

/* The rows up to the row at `t`, h times 4 after the one before: a cubic has no fourth
 * differences. */
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

/* Through every row, two continuous derivatives, cubics between, straight ends (below): there is
 * only one such curve. */
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
        cmocka_unit_test(test_bad_motions_are_refused),
        cmocka_unit_test(test_the_table_is_copied),
        cmocka_unit_test(test_constant_accelerations),
        cmocka_unit_test(test_splines_pass_their_rows),
        cmocka_unit_test(test_before_and_after_the_table),
        cmocka_unit_test(test_straight_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
