/* Trees on a moving ground: an accelerating ground acts as a tilted gravity, a ground at constant
 * velocity has no effect; carousels; tables that sample the motion of given constants. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/motion.h"
#include "tests/support/must.h"

#include <math.h>
#include <string.h>

enum { RELATIVE = ALL_HINGES & ~(1 << RCT_HINGE_FREE) };

static const double pi = 3.14159265358979323846;

static rct_model *tree(uint64_t seed)
{
    const hinge_system system = {.tree = {.shape = (random_shape)(seed % 4),
                                          .bodies = 12,
                                          .shuffled = 1,
                                          .spin = 1.0,
                                          .seed = seed},
                                 .hinges = RELATIVE,
                                 .joint_forces = 1,
                                 .forces = 6};
    return motion_model(&system, STAY_DAMPING | STAY_DRIVES, NULL);
}

static void set_base(rct_model *model, const rct_base *base)
{
    rct_error error = {0};
    if (rct_model_set_base(model, base, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

/* ---- grounds that translate --------------------------------------------------------------- */

/* Gravity g on a ground with acceleration a equals g - a on a ground at rest. */
static void check_acceleration(uint64_t seed)
{
    const double g[3] = {0.5, -1.0, -9.0}, less[3] = {-1.5, -2.5, -6.0};
    rct_base base = rct_base_default();
    rct_model *moves = tree(seed), *rests = tree(seed);
    for (int i = 0; i < 3; i++) {
        base.acceleration[i] = g[i] - less[i];
        base.velocity[i] = 3.0 - i;
    }
    set_base(moves, &base);
    assert_int_equal(rct_model_set_gravity(moves, g, NULL), RCT_OK);
    assert_int_equal(rct_model_set_gravity(rests, less, NULL), RCT_OK);
    rct_solver *a = motion_any(moves, seed), *b = motion_any(rests, seed);
    must_step(a, 1e-3, 200);
    must_step(b, 1e-3, 200);
    assert_true(motion_coordinates_apart(a, b) < 1e-11);
    assert_true(motion_apart(a, b) > 0.1); /* but it has gone elsewhere */
    rct_solver_free(a);
    rct_solver_free(b);
    rct_model_free(moves);
    rct_model_free(rests);
}

static void test_an_accelerating_ground_is_tilted_gravity(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        check_acceleration(seed);
    }
}

/* The places of bodies on a moving ground: the place of the ground plus the places on a ground at
 * rest. */
static void test_constant_velocity_is_no_motion(void **state)
{
    (void)state;
    rct_base base = rct_base_default();
    memcpy(base.velocity, (double[]){2.0, -1.0, 0.5}, sizeof base.velocity);
    rct_model *moves = tree(3), *rests = tree(3);
    set_base(moves, &base);
    rct_solver *a = motion_any(moves, 3), *b = motion_any(rests, 3);
    double ra[36], va[36], rb[36], vb[36];
    must_step(a, 1e-3, 300);
    must_step(b, 1e-3, 300);
    rct_solver_get_state(a, NULL, NULL, ra, va);
    rct_solver_get_state(b, NULL, NULL, rb, vb);
    for (int i = 0; i < 36; i++) {
        assert_true(fabs(ra[i] - rb[i] - 0.3 * base.velocity[i % 3]) < 1e-11);
        assert_true(fabs(va[i] - vb[i] - base.velocity[i % 3]) < 1e-10);
    }
    rct_solver_free(a);
    rct_solver_free(b);
    rct_model_free(moves);
    rct_model_free(rests);
}

/* ---- carousels ---------------------------------------------------------------------------- */

/* One body on a ground that rotates about z. */
static rct_solver *carousel(const rct_body *body, double rate)
{
    rct_model *model = rct_model_create("carousel", NULL);
    rct_base base = rct_base_default();
    base.rate = rate;
    assert_int_equal(rct_model_add_body(model, body, NULL, NULL), RCT_OK);
    set_base(model, &base);
    rct_solver *solver = motion_any(model, 0);
    rct_model_free(model);
    return solver;
}

/* On a radial rail: r'' = W^2 r - k / m (r - rest). */
static void test_a_bead_on_a_turning_rail(void **state)
{
    (void)state;
    const double k = 50.0, m = 2.0, rate = 3.0, rest = 0.4, off = 0.1;
    rct_body body = rct_body_default();
    body.hinge = RCT_HINGE_PRISMATIC;
    memcpy(body.hinge_axis, (double[]){1.0, 0.0, 0.0}, sizeof body.hinge_axis);
    body.mass = m;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    body.stiffness[0] = k;
    body.rest[0] = rest;
    const double balance = k * rest / (k - m * rate * rate), pulse = sqrt(k / m - rate * rate);
    for (int i = 0; i < 2; i++) { /* in balance, and beside it */
        double q, u;
        body.position[0] = balance + i * off;
        rct_solver *solver = carousel(&body, rate);
        must_step(solver, 1e-3, 1000);
        rct_solver_get_coordinates(solver, &q, &u);
        assert_true(fabs(q - balance - i * off * cos(pulse)) < (i ? 1e-11 : 1e-13));
        assert_true(fabs(u + i * off * pulse * sin(pulse)) < (i ? 1e-10 : 1e-12));
        rct_solver_free(solver);
    }
}

/* A point mass on a bar of length l, hinged at R about a tangent: W^2 (R + l sin a) = g tan a holds
 * it at this angle. */
static void test_a_seat_of_a_carousel(void **state)
{
    (void)state;
    const double l = 1.5, radius = 2.0, aslant = 0.5;
    const double rate = sqrt(9.81 * tan(aslant) / (radius + l * sin(aslant)));
    rct_body body = rct_body_default();
    body.hinge = RCT_HINGE_REVOLUTE;
    memcpy(body.hinge_axis, (double[]){0.0, -1.0, 0.0}, sizeof body.hinge_axis);
    body.hinge_at[0] = radius;
    body.mass = 20.0;
    body.com[2] = -l;
    body.inertia[0] = body.inertia[2] = 0.3; /* drawn out along the tangent: no moment about it */
    body.position[0] = aslant;
    rct_solver *solver = carousel(&body, rate);
    double q, u, r[3], w[3], v[3];
    must_step(solver, 1e-3, 2000);
    rct_solver_get_coordinates(solver, &q, &u);
    rct_solver_get_state(solver, NULL, w, r, v);
    assert_true(fabs(q - aslant) < 1e-12 && fabs(u) < 1e-12);
    assert_true(fabs(r[0] - radius * cos(2.0 * rate)) < 1e-12);
    assert_true(fabs(r[1] - radius * sin(2.0 * rate)) < 1e-12);
    assert_true(fabs(v[0] + rate * r[1]) < 1e-12 && fabs(w[2] - rate) < 1e-12);
    rct_solver_free(solver);
}

/* On a rotating ground, a body with a ball hinge in its centre of mass keeps its attitude; a body
 * that is welded to the ground rotates with it. */
static void test_what_the_ground_takes_along(void **state)
{
    (void)state;
    rct_base base = rct_base_default();
    base.rate = 0.5;
    base.angular_acceleration = 1.0;
    rct_body body = rct_body_default();
    body.hinge_at[0] = 1.0;
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.2;
    rct_model *model = rct_model_create("turning", NULL);
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    body.hinge = RCT_HINGE_FIXED;
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    set_base(model, &base);
    rct_solver *solver = motion_any(model, 0);
    double q[2][4], w[2][3], r[2][3];
    must_step(solver, 0.02, 100);
    rct_solver_get_state(solver, q[0], w[0], r[0], NULL);
    const double angle = 0.5 * 2.0 + 0.5 * 4.0;
    assert_true(fabs(q[0][0] - 1.0) < 1e-12 && fabs(q[0][3]) < 1e-12 && fabs(w[0][2]) < 1e-12);
    for (int b = 0; b < 2; b++) {
        assert_true(fabs(r[b][0] - cos(angle)) < 1e-12 && fabs(r[b][1] - sin(angle)) < 1e-12);
    }
    assert_true(fabs(fabs(q[1][0]) - fabs(cos(0.5 * angle))) < 1e-12);
    assert_true(fabs(w[1][2] - 2.5) < 1e-12);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* ---- tables ------------------------------------------------------------------------------- */

/* Splines through samples of a straight line are this line; for a parabola the same holds far from
 * the ends of the table, where the second derivative is not forced to vanish: the error of an end
 * decreases by 2 - sqrt(3) per row. */
static void check_table(uint64_t seed, int curved)
{
    enum { ROWS = 81 };
    double table[ROWS][5];
    rct_base base = rct_base_default(), sampled = rct_base_default();
    memcpy(base.axis, (double[]){0.0, 0.6, 0.8}, sizeof base.axis);
    memcpy(sampled.axis, base.axis, sizeof base.axis);
    memcpy(base.velocity, (double[]){1.0, -0.5, 0.7}, sizeof base.velocity);
    base.rate = 0.8;
    if (curved) {
        memcpy(base.acceleration, (double[]){2.0, 1.0, -3.0}, sizeof base.acceleration);
        base.angular_acceleration = 1.5;
    }
    for (int k = 0; k < ROWS; k++) {
        const double t = 0.05 * (k - 38);
        table[k][0] = t;
        for (int i = 0; i < 3; i++) {
            table[k][1 + i] = base.velocity[i] * t + 0.5 * base.acceleration[i] * t * t;
        }
        table[k][4] = base.rate * t + 0.5 * base.angular_acceleration * t * t;
    }
    sampled.rows = ROWS;
    sampled.table = table[0];
    rct_model *given = tree(seed), *read = tree(seed);
    set_base(given, &base);
    set_base(read, &sampled);
    rct_solver *a = motion_any(given, seed), *b = motion_any(read, seed);
    must_step(a, 1e-3, 200);
    must_step(b, 1e-3, 200);
    assert_true(motion_apart(a, b) < 1e-10);
    assert_true(motion_coordinates_apart(a, b) < 1e-10);
    rct_solver_free(a);
    rct_solver_free(b);
    rct_model_free(given);
    rct_model_free(read);
}

static void test_tables_that_sample_constants(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        check_table(seed, 0);
        check_table(seed, 1);
    }
}

/* The ground uses the solver's time: after the time is set back, the motion is the same again. */
static void test_time_may_be_set(void **state)
{
    (void)state;
    rct_base base = rct_base_default();
    base.rate = 2.0 * pi; /* whole turns */
    rct_model *model = tree(5);
    set_base(model, &base);
    rct_solver *a = motion_any(model, 1), *b = motion_any(model, 1);
    rct_solver_set_time(b, 1.0);
    assert_true(motion_apart(a, b) < 1e-13);
    must_step(a, 1e-3, 100);
    must_step(b, 1e-3, 100);
    assert_true(motion_apart(a, b) < 1e-10);
    rct_solver_set_time(b, 0.35); /* moves what hangs on the ground at once */
    assert_true(motion_apart(a, b) > 0.1);
    rct_solver_free(a);
    rct_solver_free(b);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_accelerating_ground_is_tilted_gravity),
        cmocka_unit_test(test_constant_velocity_is_no_motion),
        cmocka_unit_test(test_a_bead_on_a_turning_rail),
        cmocka_unit_test(test_a_seat_of_a_carousel),
        cmocka_unit_test(test_what_the_ground_takes_along),
        cmocka_unit_test(test_tables_that_sample_constants),
        cmocka_unit_test(test_time_may_be_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
