/* The Lagrangian reference with closed loops: mechanisms whose accelerations have formulas; loops
 * that repeat or contradict one another, or hold what hinges already hold; errors. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/reference/loop_reference.h"

#include <riccatree/loop.h>
#include <riccatree/reference.h>

#include <math.h>
#include <string.h>

enum { ALL_TYPES = (1 << RCT_LOOP_TYPES) - 1, MOST_RATES = 400 };

/* ---- formulas ----------------------------------------------------------------------------- */

static int32_t add_rod(rct_model *model, int32_t parent, double x, double y, double angle,
                       double rate)
{
    rct_body body = rct_body_default();
    int32_t id;
    body.parent = parent;
    body.hinge = RCT_HINGE_REVOLUTE;
    memcpy(body.hinge_at, (const double[3]){x, y, 0.0}, sizeof body.hinge_at);
    memcpy(body.hinge_axis, (const double[3]){0.0, 0.0, 1.0}, sizeof body.hinge_axis);
    body.mass = 1.0;
    body.com[0] = 0.5;
    memcpy(body.inertia, (const double[6]){0.001, 1.0 / 12.0, 1.0 / 12.0}, sizeof body.inertia);
    body.position[0] = angle;
    body.rate[0] = rate;
    assert_int_equal(rct_model_add_body(model, &body, &id, NULL), RCT_OK);
    return id;
}

/* N four-bars: N + 1 rods that stand on the ground at an angle to x, joined by N rods along x. */
static rct_model *bars(int32_t count, rct_loop_type type, double angle, double rate)
{
    rct_model *model = rct_model_create(NULL, NULL);
    const double gravity[3] = {0.0, -9.81, 0.0};
    assert_int_equal(rct_model_set_gravity(model, gravity, NULL), RCT_OK);
    for (int32_t i = 0; i <= count; i++) {
        add_rod(model, RCT_GROUND, i, 0.0, angle, rate);
    }
    for (int32_t i = 0; i < count; i++) {
        rct_loop loop = rct_loop_default();
        loop.type = type;
        loop.body = add_rod(model, i, 1.0, 0.0, -angle, -rate);
        loop.other = i + 1;
        loop.at[0] = loop.other_at[0] = 1.0;
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
    return model;
}

/* ((N + 1) / 3 + N) theta'' = -((N + 1) / 2 + N) g cos theta, whatever theta' is. */
static void check_bars(int32_t count, rct_loop_type type, double angle)
{
    const double theta =
        -(0.5 * (count + 1) + count) * 9.81 * cos(angle) / ((count + 1) / 3.0 + count);
    for (double rate = -1.0; rate <= 2.0; rate += 3.0) {
        rct_model *model = bars(count, type, angle, rate);
        double found[MOST_RATES];
        must_refer(model, found);
        for (int32_t i = 0; i < 2 * count + 1; i++) {
            const double expected = i <= count ? theta : -theta;
            if (!(fabs(found[i] - expected) <= 1e-12 * (1.0 + fabs(theta)))) {
                fail_msg("%d bars, %s, angle %g: rod %d has %.17g, not %.17g", (int)count,
                         rct_loop_type_name(type), angle, (int)i, found[i], expected);
            }
        }
        rct_model_free(model);
    }
}

static void test_bars(void **state)
{
    (void)state;
    static const rct_loop_type types[] = {RCT_LOOP_PLANAR_REVOLUTE, RCT_LOOP_REVOLUTE,
                                          RCT_LOOP_BALL};
    static const double angles[] = {1.5707963267948966, 1.0, 0.3, 2.5, -1.2};
    for (int t = 0; t < 3; t++) {
        for (int a = 0; a < 5; a++) {
            check_bars(1, types[t], angles[a]);
            check_bars(5, types[t], angles[a]);
        }
        check_bars(40, types[t], 0.7);
    }
}

static const double wheel_inertia[3] = {0.3, 0.7, 1.1}, wheel_torque[3] = {2.0, -0.5, 0.25};

/* Wheels on the ground about z, with torques, no weight. */
static rct_model *wheels(void)
{
    rct_model *model = rct_model_create(NULL, NULL);
    const double none[3] = {0.0};
    assert_int_equal(rct_model_set_gravity(model, none, NULL), RCT_OK);
    for (int k = 0; k < 3; k++) {
        rct_body body = rct_body_default();
        body.hinge = RCT_HINGE_REVOLUTE;
        memcpy(body.hinge_axis, (const double[3]){0.0, 0.0, 1.0}, sizeof body.hinge_axis);
        body.mass = 1.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = wheel_inertia[k];
        body.applied[0] = wheel_torque[k];
        body.rate[0] = 0.3 * k;
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    return model;
}

static void relate(rct_model *model, const double factor[3], double acceleration)
{
    rct_loop_term terms[3];
    rct_loop loop = rct_loop_default();
    loop.type = RCT_LOOP_RELATION;
    for (int k = 0; k < 3; k++) {
        if (factor[k] != 0.0) {
            terms[loop.term_count++] = (rct_loop_term){.body = k, .factor = factor[k]};
        }
    }
    loop.terms = terms;
    loop.acceleration = acceleration;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
}

/* I_k q_k'' = tau_k + factor_k lambda with sum of factor_k q_k'' = acceleration: gears, a differential, a motor. */
static void test_relations(void **state)
{
    (void)state;
    static const struct {
        double factor[3], acceleration;
    } cases[] = {{{2.0, 3.0, 0.0}, 0.0},
                 {{1.0, 1.0, -2.0}, 0.0},
                 {{0.0, 1.0, 0.0}, 4.0},
                 {{0.0, 1.5, -1.0}, -2.5}};
    for (int c = 0; c < 4; c++) {
        rct_model *model = wheels();
        const double *f = cases[c].factor;
        double open = 0.0, admittance = 0.0, found[3];
        relate(model, f, cases[c].acceleration);
        must_refer(model, found);
        for (int k = 0; k < 3; k++) {
            open += f[k] * wheel_torque[k] / wheel_inertia[k];
            admittance += f[k] * f[k] / wheel_inertia[k];
        }
        const double lambda = (cases[c].acceleration - open) / admittance;
        for (int k = 0; k < 3; k++) {
            const double expected = (wheel_torque[k] + f[k] * lambda) / wheel_inertia[k];
            assert_true(fabs(found[k] - expected) <= 1e-14 * 10.0);
        }
        rct_model_free(model);
    }
}

/* ---- dependent loops ---------------------------------------------------------------------- */

static void test_contradiction(void **state)
{
    (void)state;
    static const double gear[3] = {1.0, -2.0, 0.0};
    rct_model *model = wheels();
    double once[3], found[3];
    rct_error error;
    relate(model, gear, 1.0);
    must_refer(model, once);
    relate(model, gear, 1.0); /* the same again says nothing new */
    must_refer(model, found);
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(found[k] - once[k]) <= 1e-15 * 10.0);
    }
    relate(model, gear, 1.5);
    assert_int_equal(refer(model, 0.0, NULL, NULL, found, &error), RCT_ERROR_LOOP);
    assert_non_null(strstr(error.text, "\"loop"));
    rct_model_free(model);
}

/* A revolute loop parallel to a revolute hinge: no constraint is left, and the tree falls as
 * before. */
static void test_held(void **state)
{
    (void)state;
    for (int32_t body = 0; body < 2; body++) {
        rct_model *model = rct_model_create(NULL, NULL);
        double open[2], closed[2];
        rct_loop loop = rct_loop_default();
        add_rod(model, RCT_GROUND, 0.3, 0.1, 0.4, 1.0);
        add_rod(model, 0, 1.0, 0.2, 0.7, -2.0);
        must_refer(model, open);
        loop.type = RCT_LOOP_REVOLUTE;
        loop.body = body;
        loop.other = body - 1;
        loop.other_at[0] = body == 0 ? 0.3 : 1.0;
        loop.other_at[1] = body == 0 ? 0.1 : 0.2;
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
        must_refer(model, closed);
        assert_true(open[0] == closed[0] && open[1] == closed[1]);
        rct_model_free(model);
    }
}

/* ---- errors ------------------------------------------------------------------------------- */

static void test_open_references(void **state)
{
    (void)state;
    static const rct_reference open[] = {RCT_REFERENCE_SPATIAL};
    for (size_t k = 0; k < sizeof open / sizeof *open; k++) {
        rct_model *model = bars(2, RCT_LOOP_PLANAR_REVOLUTE, 1.0, 0.0);
        rct_reference_result result = {0};
        rct_error error;
        assert_int_equal(rct_reference_evaluate(model, open[k], NULL, NULL, &result, &error),
                         RCT_ERROR_UNSUPPORTED);
        assert_non_null(strstr(error.text, "\"loop0\" is active"));
        rct_model_free(model);
    }
}

/* Inactive loops have no effect. */
static void test_inactive(void **state)
{
    (void)state;
    rct_model *model = wheels();
    rct_loop loop = rct_loop_default();
    rct_reference_result result = {0};
    double found[3];
    loop.active = 0;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    must_refer(model, found);
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(found[k] - wheel_torque[k] / wheel_inertia[k]) <= 1e-15 * 10.0);
    }
    assert_int_equal(
        rct_reference_evaluate(model, RCT_REFERENCE_SPATIAL, NULL, NULL, &result, NULL), RCT_OK);
    rct_model_free(model);
}

static void test_too_large(void **state)
{
    (void)state;
    rct_family family = rct_family_default();
    rct_reference_result result = {0};
    rct_error error;
    family.bodies = 7000;
    rct_model *model = rct_model_generate(&family, NULL);
    for (int32_t b = 0; b < 7000; b++) {
        rct_loop loop = rct_loop_default();
        loop.type = RCT_LOOP_DISTANCE;
        loop.length = 1.0;
        loop.body = b;
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
    assert_int_equal(
        rct_reference_evaluate(model, RCT_REFERENCE_LAGRANGE, NULL, NULL, &result, &error),
        RCT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "7000 constraints"));
    rct_model_free(model);
}

static void test_memory(void **state)
{
    (void)state;
    rct_model *model = bars(2, RCT_LOOP_REVOLUTE, 1.0, 0.0);
    double whole[MOST_RATES], found[MOST_RATES];
    rct_status status = RCT_ERROR_MEMORY;
    int failures = 0;
    must_refer(model, whole);
    for (; status == RCT_ERROR_MEMORY; failures++) {
        rct_allocate_fail_after(failures);
        status = refer(model, 0.0, NULL, NULL, found, NULL);
        rct_allocate_fail_after(-1);
    }
    assert_int_equal(status, RCT_OK);
    assert_true(failures > 15);
    assert_true(difference(found, whole, 5) == 0.0);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bars),
        cmocka_unit_test(test_relations),
        cmocka_unit_test(test_contradiction),
        cmocka_unit_test(test_held),
        cmocka_unit_test(test_open_references),
        cmocka_unit_test(test_inactive),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
