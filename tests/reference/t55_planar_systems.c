/* Point-to-line and cam-follower joints of seed 003 and random trees of all joints with loops, by both semi-recursive
 * formulations, against absolute coordinates with multipliers and differences of positions. */
#include "tests/support/cmocka_all.h"

#include "reference/planar/planar.h"
#include "tests/reference/absolute_plane.h"
#include "tests/reference/planar_case.h"
#include "tests/support/draw.h"

#include <math.h>
#include <string.h>

/* B.3: one body whose point slides along a line on the ground. */
static void test_point_to_line(void **unused)
{
    (void)unused;
    rct_planar_system system;
    assert_int_equal(rct_planar_make(&system, 1, 1, 0, NULL), RCT_OK);
    planar_set_body(&system, 0, RCT_GROUND, PLANAR_POINT_TO_LINE, pair(0.3, 0.1), pair(-0.4, 0.1));
    system.body[0].joint.h = pair(0.6, 0.8);
    system.body[0].joint.theta_c = 0.4;
    system.gravity = pair(1, -9.81);
    system.load[0] = (rct_planar_load){.body = 0, .moment = -0.4};
    rct_planar_state *state = rct_planar_state_create(&system, NULL);
    state->z[0] = 0.7;
    state->z[1] = -1.2;
    state->z_dot[0] = 1.1;
    state->z_dot[1] = 2.3;
    planar_check(&system, state);
    const quad2 P = pair(0.3 + 0.6 * 0.7, 0.1 + 0.8 * 0.7);
    assert_true(fabs((double)(state->q[2] + 0.8)) < 1e-15);
    const quad2 arm = quad2_tilde(quad2_less(origin_of(state, 0), P));
    const double right[2][3] = {{0.6, 0.8, 0.0}, {(double)arm.x[0], (double)arm.x[1], 1.0}};
    for (int j = 0; j < 2; j++) {
        for (int r = 0; r < 3; r++) {
            assert_true(fabs((double)state->V[2 * r + j] - right[j][r]) < 1e-15);
        }
    }
    rct_planar_state_free(state);
    rct_planar_free(&system);
}

/* Fig. B.10: cam 1 on the ground, follower 2 touching it with a point. In the angle z_3 of B.6, which counts
 * from the ground, the columns are those of B.7: z_cam has V^cam - V^angle. */
static void test_cam_follower(void **unused)
{
    (void)unused;
    for (int k = 0; k < 8; k++) {
        rct_planar_system system;
        assert_int_equal(rct_planar_make(&system, 2, 1, 0, NULL), RCT_OK);
        planar_set_body(&system, 0, RCT_GROUND, PLANAR_REVOLUTE, pair(0.2, -0.1), pair(0.1, 0.05));
        planar_set_body(&system, 1, 0, PLANAR_CAM_FOLLOWER, pair(0.1, 0.05), pair(0.3, -0.4));
        system.gravity = pair(0, -9.81);
        system.load[0] = (rct_planar_load){.body = 0, .moment = 2.0};
        rct_planar_state *state = rct_planar_state_create(&system, NULL);
        const double z[3] = {0.3 + k, 0.8 * k, 1.0 - k}, z_dot[3] = {1.5, -2.0 + k, 0.7};
        for (int j = 0; j < 3; j++) {
            state->z[j] = z[j];
            state->z_dot[j] = z_dot[j];
        }
        planar_check(&system, state);
        long double s[3];
        outline(z[1], s);
        const long double polar = (long double)z[0] + z[1];
        const plane_vector a = plane_turn(polar, (plane_vector){s[0], 0});
        const plane_vector slope = plane_turn(polar, (plane_vector){s[1], s[0]});
        const double P[2] = {0.2 + (double)a.x, -0.1 + (double)a.y};
        const double right[3][3] = {
            {-(double)a.y, (double)a.x, 0.0},
            {(double)slope.x, (double)slope.y, 0.0},
            {-((double)state->q[4] - P[1]), (double)state->q[3] - P[0], 1.0},
        };
        for (int r = 0; r < 3; r++) {
            const quad *V = state->V + (3 + r) * 3;
            assert_true(fabs((double)(V[0] - V[2]) - right[0][r]) < 1e-14);
            assert_true(fabs((double)V[1] - right[1][r]) < 1e-14);
            assert_true(fabs((double)V[2] - right[2][r]) < 1e-14);
        }
        rct_planar_state_free(state);
        rct_planar_free(&system);
    }
}

static quad draw_quad(uint64_t *seed, double size)
{
    return draw_between(seed, -size, size);
}

static quad2 draw_pair(uint64_t *seed, double size)
{
    const quad x = draw_quad(seed, size);
    return (quad2){{x, draw_quad(seed, size)}};
}

static int32_t draw_end(uint64_t *seed, int32_t n)
{
    return (int32_t)(draw_bits(seed) % (uint64_t)(n + 1)) - 1;
}

static quad2 draw_direction(uint64_t *seed)
{
    return quad2_of_angle(draw_quad(seed, 3.0));
}

/* A tree of all joints on a moving ground, with `closures` loops in a state that violates them. */
static rct_planar_state *draw_system(rct_planar_system *system, int32_t n, int32_t closures,
                                     uint64_t seed)
{
    assert_int_equal(rct_planar_make(system, n, 2, closures, NULL), RCT_OK);
    for (int32_t i = 0; i < n; i++) {
        const rct_planar_joint_type type = (rct_planar_joint_type)(draw_bits(&seed) % 6);
        planar_set_body(system, i, draw_end(&seed, i), type, draw_pair(&seed, 1.0),
                        draw_pair(&seed, 1.0));
        system->body[i].joint.h = draw_direction(&seed);
        system->body[i].joint.theta_c = draw_quad(&seed, 3.0);
    }
    for (int32_t k = 0; k < 2; k++) {
        system->load[k] = (rct_planar_load){.body = n - 1 - k, .moment = draw_quad(&seed, 5.0)};
    }
    for (int32_t k = 0; k < closures; k++) {
        const int32_t body = n - 1 - k;
        system->closure[k] = (rct_planar_closure){
            .type = (rct_planar_closure_type)(draw_bits(&seed) % 3),
            .body = body,
            .other = draw_end(&seed, body - 1),
            .at = draw_pair(&seed, 1.0),
            .other_at = draw_pair(&seed, 1.0),
            .h = draw_direction(&seed),
            .theta_c = draw_quad(&seed, 3.0),
        };
    }
    system->gravity = draw_pair(&seed, 10.0);
    for (int k = 0; k < 3; k++) {
        system->q_0[k] = draw_quad(&seed, 1.0);
        system->q_dot_0[k] = draw_quad(&seed, 1.0);
        system->q_ddot_0[k] = draw_quad(&seed, 1.0);
    }
    rct_planar_state *state = rct_planar_state_create(system, NULL);
    assert_non_null(state);
    for (int64_t j = 0; j < state->n_c; j++) {
        state->z[j] = draw_quad(&seed, 2.0);
        state->z_dot[j] = draw_quad(&seed, 2.0);
    }
    return state;
}

static void test_random_systems(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        rct_planar_system system;
        const int32_t n = 6 + (int32_t)(seed % 9);
        rct_planar_state *state = draw_system(&system, n, 0, seed);
        planar_check(&system, state);
        rct_planar_state_free(state);
        rct_planar_free(&system);
    }
}

/* Random loops may be redundant, or close bodies that cannot move: both formulations must say
 * so. */
static void test_random_loops(void **unused)
{
    (void)unused;
    int checked = 0;
    for (uint64_t seed = 1; seed <= 80; seed++) {
        rct_planar_system system;
        rct_planar_state *state = draw_system(&system, 12, 2, seed);
        rct_error error;
        if (rct_planar_evaluate(1, state, &error) == RCT_OK) {
            planar_check(&system, state);
            checked++;
        } else {
            assert_int_equal(error.status, RCT_ERROR_SINGULAR);
            assert_int_equal(rct_planar_evaluate(2, state, NULL), RCT_ERROR_SINGULAR);
        }
        rct_planar_state_free(state);
        rct_planar_free(&system);
    }
    assert_true(checked > 60);
}

/* The motion a time t later, or earlier, by the accelerations found: q, and C by a state of its
 * own. */
static void place_at(rct_planar_system later, const rct_planar_state *state, quad t,
                     rct_planar_state *moved, quad *violation)
{
    for (int64_t j = 0; j < state->n_c; j++) {
        moved->z[j] = state->z[j] + t * (state->z_dot[j] + t / 2 * state->z_ddot[j]);
    }
    for (int k = 0; k < 3; k++) {
        later.q_0[k] += t * (later.q_dot_0[k] + t / 2 * later.q_ddot_0[k]);
    }
    moved->system = &later;
    rct_semi_recursive_1(moved);
    rct_planar_close(moved, violation);
}

/* Differences of positions over +-t, t = 1e-9 s, are right to t^2 = 1e-18 relative: velocities, accelerations
 * (the paper's V., d and e), and C.. = -2 a C. - b^2 C, eq. 60, in states that violate the constraints. */
static void test_differences_of_positions(void **unused)
{
    (void)unused;
    const quad t = 1e-9;
    for (uint64_t seed = 100; seed < 140; seed++) {
        rct_planar_system system;
        rct_planar_state *state = draw_system(&system, 9, 1, seed);
        rct_planar_state *moved = rct_planar_state_create(&system, NULL);
        quad now[4], before[4], after[4];
        const int which = 1 + (int)(seed % 2);
        system.a = 5;
        system.b = 7;
        if (rct_planar_evaluate(which, state, NULL) == RCT_OK) {
            quad earlier[27];
            rct_planar_close(state, now);
            place_at(system, state, -t, moved, before);
            memcpy(earlier, moved->q, sizeof earlier);
            place_at(system, state, t, moved, after);
            for (int row = 0; row < 27; row++) {
                const quad v = (moved->q[row] - earlier[row]) / (2 * t);
                const quad a = (moved->q[row] - 2 * state->q[row] + earlier[row]) / (t * t);
                assert_true(fabs((double)(v - state->q_dot[row])) < 1e-12);
                assert_true(fabs((double)(a - state->q_ddot[row])) < 1e-10);
            }
            for (int64_t row = 0; row < state->constraints; row++) {
                const quad C_dot = (after[row] - before[row]) / (2 * t);
                const quad C_ddot = (after[row] - 2 * now[row] + before[row]) / (t * t);
                assert_true(fabs((double)(C_dot - now[state->constraints + row])) < 1e-12);
                assert_true(fabs((double)(C_ddot + 10 * C_dot + 49 * now[row])) < 1e-9);
            }
        }
        rct_planar_state_free(moved);
        rct_planar_state_free(state);
        rct_planar_free(&system);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_point_to_line),
        cmocka_unit_test(test_cam_follower),
        cmocka_unit_test(test_random_systems),
        cmocka_unit_test(test_random_loops),
        cmocka_unit_test(test_differences_of_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
