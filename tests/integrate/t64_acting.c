/* Motions under friction, limits, servos, curves, cables and drag: closed forms, their work against
 * the change of energy, and the use of their slopes in implicit stages. One file: each case is a
 * row of a system, a force and an answer. */
#include "tests/support/cmocka_all.h"

#include "tests/integrate/adaptive_case.h"
#include "tests/support/answers/motion.h"
#include "tests/support/must.h"
#include "tests/support/systems/hinge_system.h"

#include <riccatree/solver.h>

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846, g = 9.81;

/* A block of 2 kg on a slide along x, from `at` on at `rate`. */
static rct_model *block(double at, double rate)
{
    rct_model *model = rct_model_create("block", NULL);
    rct_body body = rct_body_default();
    body.hinge = RCT_HINGE_PRISMATIC;
    body.hinge_axis[0] = 1.0, body.hinge_axis[2] = 0.0;
    body.mass = 2.0;
    body.position[0] = at;
    body.rate[0] = rate;
    must_add(model, &body);
    return model;
}

static rct_force force_of(rct_force_type type)
{
    rct_force f = rct_force_default();
    f.type = type;
    return f;
}

static void state_of(const rct_solver *solver, double *q, double *u)
{
    rct_solver_get_coordinates(solver, q, u);
}

static void ended(rct_solver *solver, rct_model *model)
{
    rct_solver_free(solver);
    rct_model_free(model);
}

/* m u. = -F far from rest: u = u0 - F t / m; then it sticks: under a load below breakaway it creeps
 * at the rate whose friction equals the load, slip atanh(load / coulomb), and no further. */
static void test_a_block_comes_to_rest_and_sticks(void **state)
{
    (void)state;
    double q, u;
    rct_force f = force_of(RCT_FORCE_FRICTION);
    f.coulomb = 4.0;
    f.slip = 1e-4;
    rct_model *model = block(0.0, 3.0);
    must_force(model, &f);
    rct_solver *solver = adaptive_solver(model, RCT_INTEGRATOR_IMPLICIT, 1e-8);
    must_step(solver, 0.1, 10);
    state_of(solver, &q, &u);
    assert_true(fabs(u - (3.0 - 2.0 * 1.0)) < 1e-7 && fabs(q - (3.0 - 1.0)) < 1e-7);
    must_step(solver, 0.1, 10);
    state_of(solver, &q, &u);
    assert_true(fabs(u) < 1e-6 && fabs(q - 2.25) < 1e-4); /* u0^2 m / 2 F */
    ended(solver, model);
    model = block(0.0, 0.0);
    must_force(model, &f);
    rct_force wrench = rct_force_default();
    wrench.force[0] = 3.0;
    must_force(model, &wrench);
    solver = adaptive_solver(model, RCT_INTEGRATOR_IMPLICIT, 1e-8);
    must_step(solver, 1.0, 100);
    state_of(solver, &q, &u);
    assert_true(fabs(u / (1e-4 * atanh(0.75)) - 1.0) < 1e-6);
    assert_true(fabs(q / (100.0 * u) - 1.0) < 1e-3);
    assert_true(
        evaluations_of(solver) <
        3000); /* the slope in the pivots: explicit steps would be of 5e-5 s, 8e6 evaluations */
    ended(solver, model);
}

/* Breakaway: the load that moves it is above coulomb; a sliding block needs less. */
static void test_what_sticks_breaks_away(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        double q, u;
        rct_force f = force_of(RCT_FORCE_FRICTION), wrench = rct_force_default();
        f.coulomb = 4.0, f.breakaway = 6.0, f.stribeck = 0.1, f.slip = 1e-4;
        wrench.force[0] = 5.0;
        rct_model *model = block(0.0, k == 0 ? 0.0 : 1.0);
        must_force(model, &f);
        must_force(model, &wrench);
        rct_solver *solver = adaptive_solver(model, RCT_INTEGRATOR_IMPLICIT, 1e-7);
        must_step(solver, 0.5, 4);
        state_of(solver, &q, &u);
        if (k == 0) {
            assert_true(u < 2e-4);
        } else {
            assert_true(fabs(u - 2.0) < 1e-4); /* 1 + (5 - 4) / 2 t */
        }
        ended(solver, model);
    }
}

/* A top of 0.4 kg m^2 on a ball hinge with friction stops as the block does, whatever the axis. */
static void test_rubbed_balls(void **state)
{
    (void)state;
    const double none[3] = {0.0, 0.0, 0.0};
    double q[4], u[3];
    rct_force f = force_of(RCT_FORCE_FRICTION);
    rct_model *model = rct_model_create("top", NULL);
    rct_body body = rct_body_default();
    assert_int_equal(rct_model_set_gravity(model, none, NULL), RCT_OK);
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.4;
    body.angular_velocity[0] = 1.0, body.angular_velocity[1] = -2.0, body.angular_velocity[2] = 2.0;
    must_add(model, &body);
    f.coulomb = 0.8, f.slip = 1e-5;
    must_force(model, &f);
    rct_solver *solver = adaptive_solver(model, RCT_INTEGRATOR_IMPLICIT, 1e-8);
    must_step(solver, 0.1, 10);
    state_of(solver, q, u);
    assert_true(fabs(u[0] - 1.0 / 3.0) < 1e-7 && fabs(u[1] + 2.0 / 3.0) < 1e-7 &&
                fabs(u[2] - 2.0 / 3.0) < 1e-7); /* 3 - 0.8 / 0.4 t, along (1, -2, 2) / 3 */
    must_step(solver, 0.1, 10);
    state_of(solver, q, u);
    assert_true(fabs(u[0]) + fabs(u[1]) + fabs(u[2]) < 1e-6);
    assert_true(evaluations_of(solver) < 3000); /* explicit ones were of steps of 1e-5 s, 8e5 */
    ended(solver, model);
}

static rct_model *rubbed_chain(void)
{
    rct_model *model = rct_model_create("rubbed", NULL);
    rct_base base = rct_base_default();
    base.rate = 2.0;
    assert_int_equal(rct_model_set_base(model, &base, NULL), RCT_OK);
    for (int32_t b = 0; b < 6; b++) {
        rct_body body = rct_body_default();
        rct_force f = force_of(RCT_FORCE_FRICTION);
        body.parent = b - 1;
        body.hinge = b == 3 ? RCT_HINGE_REVOLUTE : RCT_HINGE_BALL;
        body.mass = 1.0;
        body.com[2] = -0.25;
        body.inertia[0] = body.inertia[1] = 0.1, body.inertia[2] = 0.02;
        body.hinge_at[2] = b > 0 ? -0.5 : 0.0;
        body.hinge_axis[0] = b == 3, body.hinge_axis[2] = b != 3;
        if (b != 3) {
            body.orientation[1] = 0.3 + 0.1 * b, body.orientation[2] = 0.1 * b;
            body.angular_velocity[b % 3] = 1.0;
        }
        must_add(model, &body);
        f.body = b;
        f.coulomb = 2.0, f.slip = 0.02;
        if (b % 2 == 0) {
            f.breakaway = 2.5, f.stribeck = 0.3;
        }
        must_force(model, &f);
    }
    return model;
}

/* On a rotating ground, against short explicit steps. */
static void test_rubbed_balls_in_a_chain(void **state)
{
    (void)state;
    double q[2][24], u[2][18];
    rct_model *model = rubbed_chain();
    for (int k = 0; k < 2; k++) {
        rct_solver *solver =
            adaptive_solver(model, k == 0 ? RCT_INTEGRATOR_RK4 : RCT_INTEGRATOR_IMPLICIT, 1e-8);
        must_step(solver, k == 0 ? 2e-5 : 0.05, k == 0 ? 25000 : 10);
        state_of(solver, q[k], u[k]);
        rct_solver_free(solver);
    }
    for (int i = 0; i < 21; i++) {
        assert_true(fabs(q[0][i] - q[1][i]) < 1e-5);
    }
    rct_model_free(model);
}

/* m q.. + c q. + k q = k g + c g. for g = a sin(w t): in the end q = a |H| sin(w t + arg H), H = (k
 * + i c w) / (k - m w^2 + i c w). */
static void test_a_servo_follows_a_sine(void **state)
{
    (void)state;
    const double m = 2.0, k = 50.0, c = 10.0, w = 3.0, a = 0.4;
    double q, u;
    rct_force f = force_of(RCT_FORCE_SERVO);
    f.stiffness = k, f.damping = c, f.amplitude = a, f.angular_frequency = w;
    rct_model *model = block(0.3, 0.0);
    must_force(model, &f);
    rct_solver *solver = adaptive_solver(model, RCT_INTEGRATOR_RK4, 1e-6);
    must_step(solver, 2e-3, 10000);
    state_of(solver, &q, &u);
    const double re = k - m * w * w, im = c * w, size = re * re + im * im;
    const double h_re = (k * re + im * im) / size, h_im = (im * re - k * im) / size;
    const double t = 20.0, wanted = a * (h_re * sin(w * t) + h_im * cos(w * t));
    assert_true(fabs(q - wanted) < 1e-9);
    ended(solver, model);
    /* one that saturates accelerates by no more */
    model = block(0.0, 0.0);
    f = force_of(RCT_FORCE_SERVO);
    f.stiffness = 1e6, f.target = 100.0, f.saturation = 7.0;
    must_force(model, &f);
    solver = adaptive_solver(model, RCT_INTEGRATOR_IMPLICIT, 1e-8);
    must_step(solver, 0.5, 4);
    state_of(solver, &q, &u);
    assert_true(fabs(q - 0.5 * 3.5 * 4.0) < 1e-9);
    ended(solver, model);
}

/* A mass on a cable from above, slack at first: free fall until the cable is taut. Then it swings
 * as on a spring. */
static void test_a_cable_goes_slack(void **state)
{
    (void)state;
    double q[7], u[6];
    rct_model *model = rct_model_create("cable", NULL);
    rct_body body = rct_body_default();
    body.hinge = RCT_HINGE_FREE;
    body.mass = 2.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    must_add(model, &body);
    rct_force f = force_of(RCT_FORCE_CABLE);
    f.other_at[2] = 0.1, f.length = 1.1, f.stiffness = 800.0;
    must_force(model, &f);
    rct_solver *solver = adaptive_solver(model, RCT_INTEGRATOR_DOPRI5, 1e-10);
    const double taut = sqrt(2.0 * 1.0 / g), w = sqrt(800.0 / 2.0), rest = -1.0 - 2.0 * g / 800.0;
    must_step(solver, taut / 4.0, 3);
    rct_solver_get_coordinates(solver, q, u);
    const double t = 0.75 * taut;
    assert_true(fabs(q[6] + 0.5 * g * t * t) < 1e-12);
    must_step(solver, taut / 4.0 + 0.04, 1);
    rct_solver_get_coordinates(solver, q, u);
    const double swing = rest + (-1.0 - rest) * cos(w * 0.04) - g * taut / w * sin(w * 0.04);
    assert_true(fabs(q[6] - swing) < 1e-7);
    must_step(solver, 0.05, 100); /* it goes slack again and again, and keeps its energy */
    assert_true(fabs(motion_energy(solver)) < 1e-6 * 2.0 * g);
    ended(solver, model);
}

/* A rod lies in a fluid and sinks: m a = weight less buoyancy less drag; in the end the drag is the
 * weight less buoyancy. */
static void test_a_rod_sinks_at_terminal_velocity(void **state)
{
    (void)state;
    for (int upright = 0; upright < 2; upright++) {
        double q[7], u[6];
        rct_model *model = rct_model_create("rod", NULL);
        rct_body body = rct_body_default();
        body.hinge = RCT_HINGE_FREE;
        body.mass = 3.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.3;
        must_add(model, &body);
        rct_force f = force_of(RCT_FORCE_DRAG);
        f.at[upright ? 2 : 0] = -0.5, f.end[upright ? 2 : 0] = 0.5;
        f.diameter = 0.05, f.density = 1000.0, f.normal = 1.1, f.tangential = 0.01;
        f.current[2] = 0.2;
        must_force(model, &f);
        rct_solver *solver = adaptive_solver(model, RCT_INTEGRATOR_DOPRI5, 1e-9);
        must_step(solver, 1.0, 60);
        rct_solver_get_coordinates(solver, q, u);
        const double area = pi * 0.05 * 0.05 / 4.0, left = (3.0 - 1000.0 * area) * g;
        const double drag = 0.5 * 1000.0 * 0.05 * (upright ? pi * 0.01 : 1.1);
        assert_true(fabs(u[5] - (0.2 - sqrt(left / drag))) < 1e-8);
        ended(solver, model);
    }
}

/* ---- work and energy ---------------------------------------------------------------------- */

/* The power of all forces at hinges except those with energy. */
static double power_of(const rct_model *model, const rct_solver *solver)
{
    double q[16], u[16], power = 0.0;
    rct_solver_get_coordinates(solver, q, u);
    for (int32_t i = 0; i < rct_model_force_count(model); i++) {
        rct_force f = rct_force_default();
        rct_force_effort e;
        rct_model_force(model, i, &f, NULL);
        assert_int_equal(rct_model_force_effort(model, i, rct_solver_time(solver), q[f.body],
                                                u[f.body], &e, NULL),
                         RCT_OK);
        power += (e.effort - e.kept) * u[f.body];
    }
    return power;
}

/* A pendulum of three rods on revolute hinges with one force each. */
static rct_model *pendulum(const rct_force *forces, int32_t count)
{
    rct_model *model = rct_model_create("pendulum", NULL);
    for (int32_t b = 0; b < 3; b++) {
        rct_body body = rct_body_default();
        body.parent = b - 1;
        body.hinge = RCT_HINGE_REVOLUTE;
        body.hinge_axis[1] = 1.0, body.hinge_axis[2] = 0.0;
        body.hinge_at[2] = b > 0 ? -1.0 : 0.0;
        body.mass = 1.0;
        body.com[2] = -0.5;
        body.inertia[0] = body.inertia[1] = 1.0 / 12.0, body.inertia[2] = 1e-3;
        body.position[0] = 0.4 + 0.3 * b;
        body.rate[0] = 0.5 - 0.4 * b;
        must_add(model, &body);
    }
    for (int32_t i = 0; i < count; i++) {
        must_force(model, &forces[i]);
    }
    return model;
}

/* Work less change of energy over 1 s by steps of 1 / steps s, with the work by Simpson's rule over
 * two steps. */
static double imbalance(const rct_model *model, rct_integrator integrator, int64_t steps)
{
    rct_solver *solver = adaptive_solver(model, integrator, 1e-11);
    const double h = 1.0 / (double)steps, energy = motion_energy(solver);
    double work = 0.0;
    for (int64_t k = 0; k < steps; k += 2) {
        const double before = power_of(model, solver);
        must_step(solver, h, 1);
        const double middle = power_of(model, solver);
        must_step(solver, h, 1);
        work += h / 3.0 * (before + 4.0 * middle + power_of(model, solver));
    }
    const double change = motion_energy(solver) - energy;
    rct_solver_free(solver);
    return fabs(work - change);
}

static const double hardening[] = {-3.0, 20.0, -1.0, 4.0, 0.0, 0.0, 1.0, -4.0, 3.0, -20.0};
static const double resisting[] = {-2.0, 3.0, 0.0, 0.0, 0.5, -0.2, 2.0, -5.0};
static const double pushing[] = {0.0, 0.0, 0.3, 2.0, 0.7, -1.0, 1.0, 0.5};

/* Every type on its own, the order of the method: 4. */
static void test_work_is_the_change_of_energy(void **state)
{
    (void)state;
    rct_force all[6];
    for (int k = 0; k < 6; k++) {
        static const rct_force_type types[] = {RCT_FORCE_FRICTION, RCT_FORCE_LIMIT,
                                               RCT_FORCE_SERVO,    RCT_FORCE_CURVE,
                                               RCT_FORCE_CURVE,    RCT_FORCE_CURVE};
        static const double *const tables[] = {hardening, resisting, pushing};
        all[k] = force_of(types[k]);
        all[k].body = k % 3;
        if (k >= 3) {
            all[k].over = (rct_curve_over)(k - 3);
            all[k].rows = k == 3 ? 5 : 4;
            all[k].table = tables[k - 3];
        }
    }
    all[0].coulomb = 0.4, all[0].breakaway = 0.7, all[0].stribeck = 0.5, all[0].slip = 0.4;
    all[1].lower = all[1].upper = -4.0; /* beyond it all the while */
    all[1].stiffness = 3.0, all[1].damping = 0.2;
    all[2].stiffness = 5.0, all[2].damping = 1.0, all[2].amplitude = 0.3;
    all[2].angular_frequency = 4.0;
    for (int k = 0; k <= 6; k++) {
        rct_model *model = pendulum(k < 6 ? &all[k] : all, k < 6 ? 1 : 6);
        const double coarse = imbalance(model, RCT_INTEGRATOR_RK4, 40);
        const double fine = imbalance(model, RCT_INTEGRATOR_RK4, 640); /* 4 halvings */
        const double least = k < 3 ? 3.5 : 3.0; /* third derivatives of splines jump */
        if (!(coarse < 3e-2 && log2(coarse / fine) / 4.0 > least)) {
            fail_msg("force %d: %.2e, %.2e", k, coarse, fine);
        }
        assert_true(imbalance(model, RCT_INTEGRATOR_DOPRI5, 800) < 1e-8);
        assert_true(imbalance(model, RCT_INTEGRATOR_IMPLICIT, 800) < 1e-8);
        rct_model_free(model);
    }
}

/* Limits without dampers, curves over the coordinate: no energy is lost. */
static void test_what_has_an_energy_keeps_it(void **state)
{
    (void)state;
    rct_force limit = force_of(RCT_FORCE_LIMIT), curve = force_of(RCT_FORCE_CURVE);
    limit.body = 1, limit.lower = -0.3, limit.upper = 0.5, limit.stiffness = 2000.0;
    curve.rows = 5, curve.table = hardening;
    const rct_force both[] = {limit, curve};
    rct_model *model = pendulum(both, 2);
    static const rct_integrator integrators[] = {RCT_INTEGRATOR_DOPRI5, RCT_INTEGRATOR_IMPLICIT};
    for (int k = 0; k < 2; k++) {
        rct_solver *solver = adaptive_solver(model, integrators[k], 1e-10);
        const double energy = motion_energy(solver);
        must_step(solver, 0.1, 20);
        assert_true(fabs(motion_energy(solver) - energy) < 5e-6);
        rct_solver_free(solver);
    }
    rct_solver *solver = adaptive_solver(model, RCT_INTEGRATOR_CONSERVING, 1e-6);
    const double energy = motion_energy(solver);
    must_step(solver, 1e-3, 2000);
    assert_true(fabs(motion_energy(solver) - energy) < 1e-2);
    ended(solver, model);
}

static void test_conserving_refuses_what_loses(void **state)
{
    (void)state;
    rct_solver_options options = rct_solver_options_default();
    options.integrator = RCT_INTEGRATOR_CONSERVING;
    for (int k = 0; k < 6; k++) {
        rct_error error = {.status = RCT_OK};
        rct_force f = force_of(RCT_FORCE_FRICTION);
        switch (k) {
        case 0: f.coulomb = f.slip = 1.0; break;
        case 1: f.type = RCT_FORCE_SERVO, f.stiffness = 1.0; break;
        case 2:
            f.type = RCT_FORCE_CURVE, f.over = RCT_OVER_RATE, f.rows = 4, f.table = resisting;
            break;
        case 3: f.type = RCT_FORCE_LIMIT, f.damping = 1.0; break;
        case 4: f.type = RCT_FORCE_CABLE, f.damping = 1.0; break;
        default: f.type = RCT_FORCE_DRAG, f.end[0] = 1.0, f.diameter = 1.0; break;
        }
        rct_model *model = pendulum(&f, 1);
        assert_null(rct_solver_create(model, &options, &error));
        assert_int_equal(error.status, RCT_ERROR_UNSUPPORTED);
        assert_non_null(strstr(error.text, rct_force_type_name(f.type)));
        rct_model_free(model);
    }
}

/* ---- implicit stages ---------------------------------------------------------------------- */

/* A stiff, damped stop at which a pendulum comes to rest, and a stiff curve: with the slopes in the
 * pivots steps are long. */
static void test_stiff_limits_do_not_limit_the_step(void **state)
{
    (void)state;
    static const double stiff[] = {-1.0, 1e6, 0.0, 0.0, 1.0, -1e6};
    rct_force limit = force_of(RCT_FORCE_LIMIT), curve = force_of(RCT_FORCE_CURVE);
    limit.lower = 0.1, limit.upper = 3.0, limit.stiffness = 1e8, limit.damping = 1e6;
    curve.body = 1, curve.rows = 3, curve.table = stiff;
    rct_force rate = curve, friction = force_of(RCT_FORCE_FRICTION);
    rate.over = RCT_OVER_RATE;
    friction.body = 2, friction.coulomb = 20.0, friction.slip = 1e-5;
    const rct_force all[] = {limit, curve, rate, friction};
    rct_model *model = pendulum(all, 4);
    rct_solver *solver = adaptive_solver(model, RCT_INTEGRATOR_IMPLICIT, 1e-5);
    must_step(solver, 0.5, 10);
    const int64_t before = evaluations_of(solver);
    must_step(solver, 0.5, 40);
    double q[3], u[3];
    state_of(solver, q, u);
    assert_true(fabs(q[0] - 0.1) < 1e-5 && fabs(q[1]) < 1e-3 && fabs(u[2]) < 1e-5);
    const int64_t later = evaluations_of(solver) - before;
    if (!(later < 5000)) { /* explicit steps: 2.8 / (c / m = 3e6), 4e7 evaluations */
        fail_msg("%d evaluations", (int)later);
    }
    ended(solver, model);
}

/* A motion with changing slopes under a fixed tolerance: the error decreases with the tolerance as
 * that of springs does. */
static void test_implicit_keeps_its_order(void **state)
{
    (void)state;
    rct_force curve = force_of(RCT_FORCE_CURVE), friction = force_of(RCT_FORCE_FRICTION);
    curve.rows = 5, curve.table = hardening;
    friction.body = 1, friction.coulomb = 2.0, friction.slip = 0.2;
    const rct_force all[] = {curve, friction};
    rct_model *model = pendulum(all, 2);
    rct_solver *exact = adaptive_solver(model, RCT_INTEGRATOR_DOPRI5, 1e-12);
    must_step(exact, 0.1, 10);
    double before = 0.0;
    for (int k = 0; k < 3; k++) {
        rct_solver *solver = adaptive_solver(model, RCT_INTEGRATOR_IMPLICIT, pow(10.0, -5 - 2 * k));
        must_step(solver, 0.1, 10);
        const double error = motion_coordinates_apart(solver, exact);
        assert_true(error < 30.0 * pow(10.0, -5 - 2 * k) && (k == 0 || error < 0.1 * before));
        before = error;
        rct_solver_free(solver);
    }
    ended(exact, model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_block_comes_to_rest_and_sticks),
        cmocka_unit_test(test_what_sticks_breaks_away),
        cmocka_unit_test(test_rubbed_balls),
        cmocka_unit_test(test_rubbed_balls_in_a_chain),
        cmocka_unit_test(test_a_servo_follows_a_sine),
        cmocka_unit_test(test_a_cable_goes_slack),
        cmocka_unit_test(test_a_rod_sinks_at_terminal_velocity),
        cmocka_unit_test(test_work_is_the_change_of_energy),
        cmocka_unit_test(test_what_has_an_energy_keeps_it),
        cmocka_unit_test(test_conserving_refuses_what_loses),
        cmocka_unit_test(test_stiff_limits_do_not_limit_the_step),
        cmocka_unit_test(test_implicit_keeps_its_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
