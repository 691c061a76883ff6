/* The quick-return mechanism of seed 003 by both semi-recursive formulations: against absolute coordinates with
 * multipliers, the matrices of the paper, and its energy. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "reference/planar/planar.h"
#include "tests/reference/planar_case.h"

#include <math.h>
#include <string.h>

static void test_quick_return(void **unused)
{
    (void)unused;
    for (int k = 0; k < 12; k++) {
        rct_planar_system system;
        rct_planar_state *state = quick_return(&system, 0.5 * k, 3.0 - k);
        quad violation[8];
        planar_check(&system, state);
        rct_planar_close(state, violation);
        for (int row = 0; row < 8; row++) {
            assert_true(fabs((double)violation[row]) < 1e-14);
        }
        rct_planar_state_free(state);
        rct_planar_free(&system);
    }
}

/* Column j, body i of V; eq. 38: [I~ (R_i - r_j); 1], [h; 0] or nothing. */
static void expect_column(const rct_planar_state *state, int32_t i, int64_t j, quad2 move,
                          quad turn)
{
    const quad right[3] = {move.x[0], move.x[1], turn};
    for (int r = 0; r < 3; r++) {
        const quad v = state->V[(3 * i + r) * state->n_c + j];
        assert_true(fabs((double)(v - right[r])) < 1e-25);
    }
}

/* Eq. 38, which D T R_d of semi-recursive II must be too. */
static void test_velocity_transformation(void **unused)
{
    (void)unused;
    static const int path[5][5] = {
        {1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 1, 1, 0, 0}, {1, 0, 0, 1, 0}, {1, 0, 0, 1, 1}};
    for (int which = 1; which <= 2; which++) {
        rct_planar_system system;
        rct_planar_state *state = quick_return(&system, 1.0, 2.0);
        planar_evaluate(which, state);
        for (int32_t i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++) {
                const rct_planar_joint *joint = &system.body[j].joint;
                const quad2 r_j =
                    quad2_add(origin_of(state, j), rct_planar_arm(state, j, joint->to));
                const quad2 arm = quad2_tilde(quad2_less(origin_of(state, i), r_j));
                const quad2 h = rct_planar_arm(state, 0, joint->h);
                const quad2 move = j == 1 ? h : arm;
                expect_column(state, i, j, path[i][j] ? move : pair(0, 0), path[i][j] && j != 1);
            }
        }
        rct_planar_state_free(state);
        rct_planar_free(&system);
    }
}

/* The statements of docs/seed-notes.md about the printed equations, on the slider and the crank of
 * Fig. 8. */
static void test_misprints(void **unused)
{
    (void)unused;
    rct_planar_system system;
    rct_planar_state *state = quick_return(&system, 1.0, 2.0);
    planar_evaluate(2, state);
    const quad *q = state->q, *v = state->q_dot, *bias = state->bias;
    const quad2 h = rct_planar_arm(state, 0, pair(1, 0));
    /* eq. 23, prismatic: theta._i of the crank instead of the lever's, which carries h */
    const quad wrong = (v[8] - v[2]) * quad2_tilde(h).x[0] * state->z_dot[1];
    assert_true(fabs((double)wrong) > 0.01);
    /* eqs. 28, 31: d_1 = theta.^2 r_1 = 0 and e_1 give the lever; at the rod, d = b. z. would not do */
    const quad2 r_4 = quad2_add(origin_of(state, 3), rct_planar_arm(state, 3, pair(-0.2, 0)));
    const quad2 r_4_dot = quad2_scale(v[2], quad2_tilde(r_4));
    const quad d_4 = (v[11] * v[11] - v[2] * v[2]) * r_4.x[0];
    const quad e_4 = -v[11] * v[11] * q[9];
    const quad derivative = -state->z_dot[3] * quad2_tilde(r_4_dot).x[0];
    assert_true(fabs((double)(d_4 + e_4 - bias[9])) < 1e-25);
    assert_true(fabs((double)(derivative + e_4 - bias[9])) > 0.01);
    /* but e = D. Z. with d = b. z. all along the path would: the derivative of Z., not of the material point */
    const quad D_dot_Z = -v[11] * v[10];
    const quad d_1_and_4 = derivative + 0;
    assert_true(fabs((double)(D_dot_Z + d_1_and_4 - bias[9])) < 1e-25);
    rct_planar_state_free(state);
    rct_planar_free(&system);
}

/* Less the work of the torque. */
static quad energy(const rct_planar_system *system, const rct_planar_state *state)
{
    quad sum = 0;
    for (int32_t i = 0; i < system->n_b; i++) {
        const quad *v = state->q_dot + 3 * i;
        quad p[3];
        rct_planar_mass(state, i, v, p);
        const quad2 c =
            quad2_add(origin_of(state, i), rct_planar_arm(state, i, system->body[i].u_C));
        sum += (v[0] * p[0] + v[1] * p[1] + v[2] * p[2]) / 2 -
               system->body[i].m * quad2_dot(system->gravity, c);
    }
    return sum - system->load[0].moment * state->q[8];
}

static void step(int which, rct_planar_state *state, quad dt)
{
    quad z[5], u[5], dz[5] = {0}, du[5] = {0};
    memcpy(z, state->z, sizeof z);
    memcpy(u, state->z_dot, sizeof u);
    for (int stage = 0; stage < 4; stage++) {
        planar_evaluate(which, state);
        const quad weight = stage == 0 || stage == 3 ? 1 : 2, node = stage < 2 ? dt / 2 : dt;
        for (int j = 0; j < 5; j++) {
            const quad rate = state->z_dot[j];
            dz[j] += weight * rate;
            du[j] += weight * state->z_ddot[j];
            state->z[j] = z[j] + (stage < 3 ? node * rate : dt / 6 * dz[j]);
            state->z_dot[j] = u[j] + (stage < 3 ? node * state->z_ddot[j] : dt / 6 * du[j]);
        }
    }
}

/* 0.5 s by Runge-Kutta: with eq. 60 the loops stay closed, and energy changes by the work of the
 * torque. */
static void test_motion_of_the_quick_return(void **unused)
{
    (void)unused;
    for (int which = 1; which <= 2; which++) {
        rct_planar_system system;
        rct_planar_state *state = quick_return(&system, 0.0, 6.0);
        quad violation[8];
        system.a = system.b = 20;
        planar_evaluate(which, state);
        const quad start = energy(&system, state), angle = state->q[8];
        for (int k = 0; k < 250; k++) {
            step(which, state, 0.002);
        }
        planar_evaluate(which, state);
        rct_planar_close(state, violation);
        for (int row = 0; row < 4; row++) {
            assert_true(fabs((double)violation[row]) < 1e-8);
        }
        assert_true(fabs((double)(state->q[8] - angle)) > 0.9);
        assert_true(fabs((double)(energy(&system, state) - start)) < 1e-6);
        rct_planar_state_free(state);
        rct_planar_free(&system);
    }
}

/* The same loop closed twice; and memory that runs out. */
static void test_errors(void **unused)
{
    (void)unused;
    rct_planar_system system;
    rct_error error;
    rct_planar_state *state = quick_return(&system, 1.0, 2.0);
    rct_planar_closure twice[2] = {system.closure[0], system.closure[0]};
    rct_planar_closure *own = system.closure;
    system.closure = twice;
    assert_int_equal(rct_planar_evaluate(1, state, &error), RCT_ERROR_SINGULAR);
    assert_non_null(strstr(error.text, "closure 1: its constraints depend on those before it"));
    system.closure = own;
    for (int which = 1; which <= 2; which++) {
        int fails = 0;
        rct_status status = RCT_ERROR_MEMORY;
        for (; status == RCT_ERROR_MEMORY && fails < 20; fails++) {
            rct_allocate_fail_after(fails);
            status = rct_planar_evaluate(which, state, &error);
            rct_allocate_fail_after(-1);
        }
        assert_int_equal(status, RCT_OK);
        assert_int_equal(fails, which == 1 ? 6 : 8);
    }
    rct_planar_state_free(state);
    rct_planar_free(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quick_return), cmocka_unit_test(test_velocity_transformation),
        cmocka_unit_test(test_misprints),    cmocka_unit_test(test_motion_of_the_quick_return),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
