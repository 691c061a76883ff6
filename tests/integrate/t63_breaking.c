/* Hinges that break: a model made breakable moves as before, whatever its tree; after the break the
 * parts fly as closed forms and the Lagrangian reference say. */
#include "tests/integrate/event_case.h"

#include "tests/support/cmocka_all.h"

#include "core/rotation.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/one_in.h"
#include "tests/support/systems/hinge_system.h"
#include "tests/support/systems/loop_system.h"

#include <riccatree/reference.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

/* Poses, velocities and accelerations of all bodies. */
typedef struct motion {
    double orientation[MOST][4], rate[MOST][3], position[MOST][3], velocity[MOST][3];
    double linear[MOST][3], angular[MOST][3];
} motion;

static motion motion_of(rct_solver *solver)
{
    motion m;
    memset(&m, 0, sizeof m);
    rct_solver_get_state(solver, m.orientation[0], m.rate[0], m.position[0], m.velocity[0]);
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    rct_solver_get_accelerations(solver, m.linear[0], m.angular[0]);
    return m;
}

/* The largest difference of numbers; quaternions may have another sign. */
static double apart(const double *a, const double *b, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) {
        most = larger(most, fabs(a[i] - b[i]));
    }
    return most;
}

static void expect_alike(const motion *a, const motion *b, double states, double accelerations)
{
    for (int i = 0; i < MOST; i++) {
        double dot = 0.0;
        for (int k = 0; k < 4; k++) {
            dot += a->orientation[i][k] * b->orientation[i][k];
        }
        assert_true(fabs(dot) > 1.0 - states || dot == 0.0);
    }
    const double size = 1.0 + apart(a->linear[0], (double[3 * MOST]){0.0}, 3 * MOST) +
                        apart(a->angular[0], (double[3 * MOST]){0.0}, 3 * MOST);
    assert_true(apart(a->rate[0], b->rate[0], 3 * MOST) <= states);
    assert_true(apart(a->position[0], b->position[0], 3 * MOST) <= states);
    assert_true(apart(a->velocity[0], b->velocity[0], 3 * MOST) <= states);
    assert_true(apart(a->linear[0], b->linear[0], 3 * MOST) <= accelerations * size);
    assert_true(apart(a->angular[0], b->angular[0], 3 * MOST) <= accelerations * size);
}

/* Universal hinges with perpendicular axes: others have no closure. */
static void make_crosses(rct_model *model)
{
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body;
        rct_error error = {.status = RCT_OK};
        rct_model_body(model, b, &body, NULL);
        if (body.hinge == RCT_HINGE_UNIVERSAL) {
            assert_int_equal(rct_model_loosen(model, b, NULL, &error), RCT_ERROR_MODEL);
            assert_non_null(strstr(
                error.text, "its axes are not perpendicular, and those of its closure must be"));
            double across[3];
            rct_cross(body.hinge_axis, body.hinge_axis2, across);
            const double size = sqrt(rct_dot(across, across));
            for (int k = 0; k < 3; k++) {
                body.hinge_axis2[k] = across[k] / size;
            }
            must_put(model, b, &body);
        }
    }
}

/* Random trees of all hinges, on a ground at rest or in motion: with every hinge made breakable
 * their start and accelerations stay the same. */
static void test_a_loosened_model_is_the_model(void **state)
{
    (void)state;
    int loosened = 0;
    for (uint64_t seed = 1; seed <= 40; seed += ONE_IN) {
        const hinge_system system = {
            .tree = {.bodies = 12, .seed = seed, .spin = 1.0, .shape = (random_shape)(seed % 3)},
            .hinges = ALL_HINGES & ~(1 << RCT_HINGE_FREE),
            .ground_moves = seed % 2 == 0};
        rct_model *model = hinge_system_create(&system);
        assert_non_null(model);
        make_crosses(model);
        rct_solver *solver = event_solver(model);
        const motion before = motion_of(solver);
        rct_solver_free(solver);
        for (int32_t b = 0; b < 12; b++) {
            rct_body body;
            rct_model_body(model, b, &body, NULL);
            if (body.hinge != RCT_HINGE_HELICAL && (b + (int32_t)seed) % 4 != 0) {
                int32_t loop = -1;
                rct_error error;
                if (rct_model_loosen(model, b, &loop, &error) != RCT_OK) {
                    fail_msg("%s", error.text);
                }
                assert_int_equal(loop, rct_model_loop_count(model) - 1);
                rct_model_body(model, b, &body, NULL);
                assert_int_equal(body.hinge, RCT_HINGE_FREE);
                loosened++;
            }
        }
        rct_solver_options options = loop_options(RCT_CLOSING_QR);
        options.as_given = 1;
        solver = loop_solver(model, &options);
        const rct_loop_info open = loop_info(solver);
        assert_true(open.position < 1e-12 && open.velocity < 1e-12);
        assert_int_equal(open.redundant, 0);
        const motion after = motion_of(solver);
        expect_alike(&before, &after, 1e-12, 1e-9);
        rct_solver_free(solver);
        rct_model_free(model);
    }
    print_message("%d hinges loosened\n", loosened);
    assert_true(loosened > 200 / ONE_IN);
}

/* A chain of rods of 1 m under gravity, with hinge types in turn; bodies from `first` on may break
 * by event. */
static rct_model *chain(rct_hinge_type hinge, int32_t bodies)
{
    const double gravity[3] = {0.0, 0.0, -9.81};
    rct_model *model = event_model();
    rct_model_set_gravity(model, gravity, NULL);
    for (int32_t i = 0; i < bodies; i++) {
        rct_body rod = event_body(hinge);
        rod.parent = i - 1;
        rod.hinge_at[0] = i > 0 ? 1.0 : 0.0;
        rod.com[0] = 0.5;
        rod.inertia[0] = 0.01;
        rod.inertia[1] = rod.inertia[2] = 1.0 / 12.0;
        if (hinge == RCT_HINGE_REVOLUTE) {
            rod.hinge_axis[2] = 0.0;
            rod.hinge_axis[1] = 1.0;
        }
        event_add_body(model, &rod);
    }
    return model;
}

/* The reference with the loops that are active in the solver. */
static void expect_reference(const rct_model *model, rct_solver *solver)
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    rct_model *now = event_model();
    double gravity[3];
    rct_model_gravity(model, gravity);
    rct_model_set_gravity(now, gravity, NULL);
    for (int32_t b = 0; b < info.bodies; b++) {
        rct_body body;
        rct_model_body(model, b, &body, NULL);
        event_add_body(now, &body);
    }
    for (int32_t k = 0; k < rct_model_loop_count(model); k++) {
        rct_loop loop;
        rct_model_loop(model, k, &loop, NULL);
        loop.active = event_holds(solver, k);
        event_add_loop(now, &loop);
    }
    int64_t count;
    double *q = loop_state(solver, &count);
    motion found = motion_of(solver), slow = found;
    rct_reference_result result = {.linear = slow.linear[0], .angular = slow.angular[0]};
    rct_error error;
    if (rct_reference_evaluate_at(now, RCT_REFERENCE_LAGRANGE, rct_solver_time(solver), q,
                                  q + info.coordinates, &result, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    expect_alike(&slow, &found, 1.0, 1e-10);
    free(q);
    rct_model_free(now);
}

/* The centre of rods 2 and 3, and its velocity. */
static void centre_of(const motion *m, double centre[3], double speed[3])
{
    for (int k = 0; k < 3; k++) {
        centre[k] = speed[k] = 0.0;
    }
    for (int r = 2; r < 4; r++) {
        const double *o = m->orientation[r], *w = m->rate[r];
        const double x[3] = {1.0 - 2.0 * (o[2] * o[2] + o[3] * o[3]),
                             2.0 * (o[1] * o[2] + o[0] * o[3]), 2.0 * (o[1] * o[3] - o[0] * o[2])};
        for (int k = 0; k < 3; k++) {
            const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            centre[k] += 0.5 * (m->position[r][k] + 0.5 * x[k]);
            speed[k] += 0.5 * (m->velocity[r][k] + 0.5 * (w[k1] * x[k2] - w[k2] * x[k1]));
        }
    }
}

/* A chain whose third hinge breaks during the motion: until then it moves as the tree does; then
 * its outer part falls, with its centre on a parabola. */
static void test_a_chain_breaks(void **state)
{
    (void)state;
    const double time = 0.30123, dt = 1e-3, g = 9.81;
    const rct_hinge_type hinges[3] = {RCT_HINGE_REVOLUTE, RCT_HINGE_BALL, RCT_HINGE_UNIVERSAL};
    for (int i = 0; i < 3; i++) {
        rct_model *tree = chain(hinges[i], 4), *model = chain(hinges[i], 4);
        int32_t loop = -1;
        assert_int_equal(rct_model_loosen(model, 2, &loop, NULL), RCT_OK);
        const rct_event event = event_of(RCT_EVENT_TIME, time, loop, RCT_LOOP_RELEASED);
        event_add(model, &event);
        rct_solver *whole = event_solver(tree), *solver = event_solver(model);
        const rct_measures start = event_measures(solver);
        double centre[2][3], speed[2][3];
        must_step(whole, dt, 300);
        must_step(solver, dt, 300);
        const motion one = motion_of(whole), other = motion_of(solver);
        expect_alike(&one, &other, 1e-9, 1e-6);
        must_step(solver, dt, 2); /* it parts in the second */
        assert_true(event_time(solver, 0) == time && !event_holds(solver, loop));
        const motion parted = motion_of(solver);
        centre_of(&parted, centre[0], speed[0]);
        must_step(solver, dt, 400);
        const motion later = motion_of(solver);
        centre_of(&later, centre[1], speed[1]);
        expect_reference(model, solver);
        for (int k = 0; k < 3; k++) {
            const double t = 0.4, fall = k == 2 ? g : 0.0;
            event_near("the centre", centre[1][k],
                       centre[0][k] + speed[0][k] * t - 0.5 * fall * t * t, 1e-9);
            event_near("its speed", speed[1][k], speed[0][k] - fall * t, 1e-9);
        }
        const rct_measures end = event_measures(solver);
        event_near("the energy", end.kinetic + end.potential, start.kinetic + start.potential,
                   1e-6);
        rct_solver_free(whole);
        rct_solver_free(solver);
        rct_model_free(tree);
        rct_model_free(model);
    }
}

/* Every hinge breaks at a force, the first one at the ground: by sweeps of abi and riccati, and
 * with every method of closing, at the same time, and to the same motion. */
static void test_a_chain_breaks_at_a_force(void **state)
{
    (void)state;
    double times[6];
    for (int i = 0; i < 6; i++) {
        rct_model *model = chain(RCT_HINGE_REVOLUTE, 6);
        for (int32_t b = 0; b < 6; b++) {
            int32_t loop = -1;
            assert_int_equal(rct_model_loosen(model, b, &loop, NULL), RCT_OK);
            const rct_event event = event_of(RCT_EVENT_FORCE, 45.0, loop, RCT_LOOP_RELEASED);
            event_add(model, &event);
        }
        rct_solver_options options = loop_options((rct_closing)(i % 5));
        options.method = i == 5 ? RCT_METHOD_RICCATI : RCT_METHOD_ABI;
        rct_solver *solver = loop_solver(model, &options);
        const rct_measures start = event_measures(solver);
        must_step(solver, 2e-3, 250);
        times[i] = event_time(solver, 0);
        assert_int_equal(event_count(solver, 0), 1);
        event_near("the time", times[i], times[0], 1e-9);
        expect_reference(model, solver);
        const rct_measures end = event_measures(solver);
        event_near("the energy", end.kinetic + end.potential, start.kinetic + start.potential,
                   1e-5);
        rct_solver_free(solver);
        rct_model_free(model);
    }
    assert_true(times[0] > 0.1 && times[0] < 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_loosened_model_is_the_model),
        cmocka_unit_test(test_a_chain_breaks),
        cmocka_unit_test(test_a_chain_breaks_at_a_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
