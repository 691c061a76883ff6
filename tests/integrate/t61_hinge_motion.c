/* Motion of random trees of every hinge type: the order of the integrator, and the conserved
 * quantities: energy with springs, momentum and angular momentum without ground, the balance of
 * energy and power with everything. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/motion.h"
#include "tests/support/larger.h"
#include "tests/support/one_in.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 12, RELATIVE = ALL_HINGES & ~(1 << RCT_HINGE_FREE) };

static hinge_system system_of(uint64_t seed, int32_t forces)
{
    return (hinge_system){.tree = {.shape = (random_shape)(seed % 4),
                                   .bodies = BODIES,
                                   .shuffled = 1,
                                   .spin = 1.0,
                                   .seed = seed},
                          .hinges = ALL_HINGES,
                          .joint_forces = 1,
                          .forces = forces};
}

static rct_solver *after(const rct_model *model, uint64_t seed, double t, int64_t steps)
{
    rct_error error = {0};
    rct_solver *solver = motion_any(model, seed);
    assert_non_null(solver);
    if (rct_solver_step(solver, t / (double)steps, steps, &error) != RCT_OK) {
        fail_msg("seed %d: %s", (int)seed, error.text);
    }
    return solver;
}

/* ---- order -------------------------------------------------------------------------------- */

/* Trajectory and energy at steps of t / 50, t / 100 and t / 200. */
static void check_order(const rct_model *model, uint64_t seed, int conservative)
{
    const double t = 0.1;
    rct_solver *start = motion_any(model, seed), *truth = after(model, seed, t, 800);
    double error[3], drift[3];
    for (int k = 0; k < 3; k++) {
        rct_solver *end = after(model, seed, t, 50 << k);
        error[k] = motion_apart(end, truth);
        drift[k] = motion_energy(end) - motion_energy(start);
        rct_solver_free(end);
    }
    for (int k = 0; k < 2; k++) {
        motion_expect_order(error[k], error[k + 1], 3.8, 4.2);
        if (conservative && fabs(drift[k]) > 1e-8) { /* else little but rounding */
            motion_expect_order(drift[k], drift[k + 1], 3.8, 4.5);
        }
    }
    rct_solver_free(truth);
    rct_solver_free(start);
}

/* Springs at hinges, between points and to the ground: energy is conserved to the order of the step. */
static void test_order_with_springs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed += ONE_IN) {
        const hinge_system system = system_of(seed, 8);
        rct_model *model = motion_model(&system, STAY_GROUNDED, NULL);
        check_order(model, seed, 1);
        rct_model_free(model);
    }
}

/* Every hinge type alone. */
static void test_order_of_every_hinge(void **state)
{
    (void)state;
    for (int type = RCT_HINGE_BALL; type < RCT_HINGE_TYPES; type++) {
        hinge_system system = system_of((uint64_t)type + 3, 4);
        system.hinges = 1 << type;
        rct_model *model = motion_model(&system, STAY_GROUNDED, NULL);
        check_order(model, (uint64_t)type, 1);
        rct_model_free(model);
    }
}

/* With dampers and drives on a ground that moves: the times of the stages matter. */
static void test_order_with_everything(void **state)
{
    (void)state;
    for (uint64_t seed = 11; seed <= 14; seed += ONE_IN) {
        hinge_system system = system_of(seed, 8);
        system.ground_moves = 1;
        rct_model *model = motion_model(&system, STAY_ALL, NULL);
        check_order(model, seed, 0);
        rct_model_free(model);
    }
}

/* ---- momentum ----------------------------------------------------------------------------- */

static double total_mass(const rct_model *model)
{
    double sum = 0.0;
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body;
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        sum += body.mass;
    }
    return sum;
}

/* The largest change of momentum, less m g t, and of angular momentum if there is no gravity;
 * relative to their sizes. */
static double change(const rct_model *model, uint64_t seed, double t, int64_t steps)
{
    rct_measures before, now;
    double gravity[3], worst = 0.0, p = 1.0, l = 1.0;
    rct_solver *start = motion_any(model, seed), *end = after(model, seed, t, steps);
    rct_solver_measure(start, &before);
    rct_solver_measure(end, &now);
    rct_model_gravity(model, gravity);
    const double mass = total_mass(model);
    const int falls = gravity[0] != 0.0 || gravity[1] != 0.0 || gravity[2] != 0.0;
    for (int i = 0; i < 3; i++) {
        p = larger(p, fabs(before.momentum[i]));
        l = larger(l, fabs(before.angular_momentum[i]));
    }
    for (int i = 0; i < 3; i++) {
        const double more = now.momentum[i] - before.momentum[i] - mass * gravity[i] * t;
        const double turn = now.angular_momentum[i] - before.angular_momentum[i];
        worst = larger(worst, fabs(more) / (p + mass * 9.81 * t * falls));
        worst = larger(worst, falls ? 0.0 : fabs(turn) / l);
    }
    assert_true(motion_apart(start, end) > 0.05);
    rct_solver_free(start);
    rct_solver_free(end);
    return worst;
}

/* All internal forces: springs, dampers and drives at hinges, dampers between points. */
static rct_model *floating(uint64_t seed, const double *gravity)
{
    hinge_system system = system_of(seed, 8);
    system.hinges = RELATIVE;
    system.floating = 1;
    rct_model *with = motion_model(&system, STAY_DAMPING, gravity);
    system.forces = 0;
    rct_model *drives = motion_model(&system, STAY_DAMPING | STAY_DRIVES, gravity);
    for (int32_t k = 0; k < rct_model_force_count(with); k++) {
        rct_force force;
        assert_int_equal(rct_model_force(with, k, &force, NULL), RCT_OK);
        assert_int_equal(rct_model_add_force(drives, &force, NULL, NULL), RCT_OK);
    }
    rct_model_free(with);
    return drives;
}

static void test_momentum(void **state)
{
    (void)state;
    const double none[3] = {0.0, 0.0, 0.0}, aslant[3] = {1.0, -4.0, -7.0};
    for (uint64_t seed = 1; seed <= 8; seed += ONE_IN) {
        rct_model *model = floating(seed, seed % 2 ? none : aslant);
        const double moved = change(model, seed, 0.1, 1000);
        if (!(moved < 2e-12)) {
            fail_msg("seed %d: momentum changes by %g", (int)seed, moved);
        }
        const double coarse = change(model, seed, 0.4, 40), fine = change(model, seed, 0.4, 80);
        if (coarse > 1e-9) { /* else little but rounding */
            motion_expect_order(coarse, fine, 3.5, 7.0);
        }
        rct_model_free(model);
    }
}

/* A free body whose origin is its centre of mass falls on a parabola, to rounding, whatever its
 * rotation. */
static void test_a_free_body_falls(void **state)
{
    (void)state;
    rct_body body = rct_body_default();
    body.hinge = RCT_HINGE_FREE;
    body.mass = 3.0;
    body.inertia[0] = 1.0, body.inertia[1] = 2.0, body.inertia[2] = 2.5;
    memcpy(body.position, (double[]){1.0, 2.0, 3.0}, sizeof body.position);
    memcpy(body.rate, (double[]){-2.0, 1.0, 7.0}, sizeof body.rate);
    memcpy(body.angular_velocity, (double[]){1.0, 2.0, -3.0}, sizeof body.angular_velocity);
    rct_model *model = rct_model_create("stone", NULL);
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    const double t = 1.5;
    rct_solver *solver = after(model, 0, t, 1000);
    double r[3], v[3];
    rct_solver_get_state(solver, NULL, NULL, r, v);
    for (int i = 0; i < 3; i++) {
        const double g = i == 2 ? -9.81 : 0.0;
        assert_true(fabs(v[i] - (body.rate[i] + g * t)) < 1e-12);
        assert_true(fabs(r[i] - (body.position[i] + body.rate[i] * t + 0.5 * g * t * t)) < 1e-12);
    }
    rct_solver_free(solver);
    rct_model_free(model);
}

/* ---- power -------------------------------------------------------------------------------- */

typedef struct rows {
    double q[BODIES][4], w[BODIES][3], r[BODIES][3], v[BODIES][3];
    double coordinate[8 * BODIES], rate[8 * BODIES];
} rows;

static void turn(const double q[4], const double x[3], double out[3])
{
    double t[3];
    for (int i = 0; i < 3; i++) {
        t[i] = 2.0 * (q[1 + (i + 1) % 3] * x[(i + 2) % 3] - q[1 + (i + 2) % 3] * x[(i + 1) % 3]);
    }
    for (int i = 0; i < 3; i++) {
        out[i] = x[i] + q[0] * t[i] + q[1 + (i + 1) % 3] * t[(i + 2) % 3] -
                 q[1 + (i + 2) % 3] * t[(i + 1) % 3];
    }
}

/* Place and velocity of a point of a body. */
static void point(const rows *s, int32_t body, const double at[3], double place[3], double speed[3])
{
    double arm[3];
    memcpy(place, at, 3 * sizeof *place);
    memset(speed, 0, 3 * sizeof *speed);
    if (body != RCT_GROUND) {
        turn(s->q[body], at, arm);
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            place[i] = s->r[body][i] + arm[i];
            speed[i] = s->v[body][i] + s->w[body][j] * arm[k] - s->w[body][k] * arm[j];
        }
    }
}

static double power_of_force(const rows *s, const rct_force *f)
{
    double a[3], va[3], b[3], vb[3], force[3], moment[3], length = 0.0, rate = 0.0, power = 0.0;
    point(s, f->body, f->at, a, va);
    if (f->type == RCT_FORCE_SPRING) {
        point(s, f->other, f->other_at, b, vb);
        for (int i = 0; i < 3; i++) {
            length += (b[i] - a[i]) * (b[i] - a[i]);
            rate += (b[i] - a[i]) * (vb[i] - va[i]);
        }
        return -f->damping * rate * rate / length;
    }
    memcpy(force, f->force, sizeof force);
    memcpy(moment, f->moment, sizeof moment);
    if (f->in_body_axes) {
        turn(s->q[f->body], f->force, force);
        turn(s->q[f->body], f->moment, moment);
    }
    for (int i = 0; i < 3; i++) {
        power += force[i] * va[i] + moment[i] * s->w[f->body][i];
    }
    return power;
}

static double power_of_hinge(const rows *s, int32_t b, const rct_body *body, const double *u)
{
    double power = 0.0;
    if (body->hinge == RCT_HINGE_BALL) {
        const double *q = s->q[b], back[4] = {q[0], -q[1], -q[2], -q[3]};
        double slip[3], own[3];
        for (int i = 0; i < 3; i++) {
            slip[i] = s->w[b][i] - (body->parent == RCT_GROUND ? 0.0 : s->w[body->parent][i]);
        }
        turn(back, slip, own);
        for (int i = 0; i < 3; i++) {
            power -= body->damping[i] * own[i] * own[i];
        }
        return power;
    }
    for (int i = 0; i < rct_hinge_freedoms(body->hinge) && body->hinge != RCT_HINGE_FREE; i++) {
        power += body->applied[i] * u[i] - body->damping[i] * u[i] * u[i];
    }
    return power;
}

/* Of dampers and drives. */
static double power(const rct_model *model, const rct_solver *solver)
{
    rows s;
    double sum = 0.0, *u = s.rate;
    rct_solver_get_state(solver, s.q[0], s.w[0], s.r[0], s.v[0]);
    rct_solver_get_coordinates(solver, s.coordinate, s.rate);
    for (int32_t b = 0; b < BODIES; b++) {
        rct_body body;
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        sum += power_of_hinge(&s, b, &body, u);
        u += rct_hinge_freedoms(body.hinge);
    }
    for (int32_t k = 0; k < rct_model_force_count(model); k++) {
        rct_force force;
        assert_int_equal(rct_model_force(model, k, &force, NULL), RCT_OK);
        sum += power_of_force(&s, &force);
    }
    return sum;
}

/* Gained energy less the work, by Simpson's rule over pairs of steps. */
static double imbalance(const rct_model *model, uint64_t seed, double t, int64_t steps,
                        double *work)
{
    const double h = t / (double)steps;
    rct_solver *solver = motion_any(model, seed);
    const double before = motion_energy(solver);
    double left = power(model, solver);
    *work = 0.0;
    for (int64_t k = 0; k < steps; k += 2) {
        assert_int_equal(rct_solver_step(solver, h, 1, NULL), RCT_OK);
        const double middle = power(model, solver);
        assert_int_equal(rct_solver_step(solver, h, 1, NULL), RCT_OK);
        const double right = power(model, solver);
        *work += h / 3.0 * (left + 4.0 * middle + right);
        left = right;
    }
    const double off = motion_energy(solver) - before - *work;
    rct_solver_free(solver);
    return off;
}

static void check_balance(int stay, uint64_t seed)
{
    const hinge_system system = system_of(seed, 8);
    rct_model *model = motion_model(&system, stay, NULL);
    double work;
    const double coarse = imbalance(model, seed, 0.1, 50, &work);
    const double fine = imbalance(model, seed, 0.1, 100, &work);
    motion_expect_order(coarse, fine, 3.5, 6.0);
    if (!(fabs(fine) < 1e-4 * fabs(work))) {
        fail_msg("seed %d: %g J of %g J are not accounted for", (int)seed, fine, work);
    }
    if (stay == (STAY_DAMPING | STAY_GROUNDED)) {
        assert_true(work < 0.0);
    }
    rct_model_free(model);
}

static void test_power_of_dampers_and_drives(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed += ONE_IN) {
        check_balance(STAY_DAMPING | STAY_GROUNDED, seed);
        check_balance(STAY_ALL, seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_with_springs),
        cmocka_unit_test(test_order_of_every_hinge),
        cmocka_unit_test(test_order_with_everything),
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_a_free_body_falls),
        cmocka_unit_test(test_power_of_dampers_and_drives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
