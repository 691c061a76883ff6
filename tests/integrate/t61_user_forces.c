/* Forces of the user: a spring in the callback acts as the model's spring, times are those of the
 * stages, the callback sees the rows of the state, and its forces act on every body, welded ones
 * too. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/motion.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"

#include <riccatree/operators.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 12 };

static rct_solver *solver_for(const rct_model *model, int64_t segment)
{
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    options.segment = segment;
    options.user_forces = 1;
    return motion_solver(model, &options);
}

static rct_model *tree(uint64_t seed, int hinges, int32_t forces)
{
    const hinge_system system = {
        .tree = {.shape = SHAPE_TREE, .bodies = BODIES, .shuffled = 1, .spin = 1.0, .seed = seed},
        .hinges = hinges,
        .joint_forces = 1,
        .forces = forces,
        .ground_moves = 1};
    return motion_model(&system, STAY_ALL, NULL);
}

/* ---- forces of the model by hand ---------------------------------------------------------- */

static void rotate(const double q[4], const double x[3], double out[3])
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

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

typedef struct rows {
    const double *q, *w, *r, *v;
    double *force, *moment;
} rows;

/* Arm, place and velocity of a point. */
static void point(const rows *s, int32_t b, const double at[3], double arm[3], double place[3],
                  double speed[3])
{
    memset(arm, 0, 3 * sizeof *arm);
    memset(speed, 0, 3 * sizeof *speed);
    memcpy(place, at, 3 * sizeof *place);
    if (b != RCT_GROUND) {
        rotate(s->q + 4 * b, at, arm);
        cross(s->w + 3 * b, arm, speed);
        for (int i = 0; i < 3; i++) {
            place[i] = s->r[3 * b + i] + arm[i];
            speed[i] += s->v[3 * b + i];
        }
    }
}

static void push(const rows *s, int32_t b, const double arm[3], const double force[3],
                 const double moment[3])
{
    double turning[3];
    cross(arm, force, turning);
    for (int i = 0; i < 3 && b != RCT_GROUND; i++) {
        s->force[3 * b + i] += force[i];
        s->moment[3 * b + i] += turning[i] + moment[i];
    }
}

static void exert(const rows *s, const rct_force *f)
{
    double arm[2][3], at[2][3], speed[2][3], along[3], force[3], moment[3] = {0.0}, back[3];
    point(s, f->body, f->at, arm[0], at[0], speed[0]);
    if (f->type == RCT_FORCE_WRENCH) {
        memcpy(force, f->force, sizeof force);
        memcpy(moment, f->moment, sizeof moment);
        if (f->in_body_axes) {
            rotate(s->q + 4 * f->body, f->force, force);
            rotate(s->q + 4 * f->body, f->moment, moment);
        }
        push(s, f->body, arm[0], force, moment);
        return;
    }
    point(s, f->other, f->other_at, arm[1], at[1], speed[1]);
    double length = 0.0, rate = 0.0;
    for (int i = 0; i < 3; i++) {
        along[i] = at[1][i] - at[0][i];
        length += along[i] * along[i];
        rate += along[i] * (speed[1][i] - speed[0][i]);
    }
    length = sqrt(length);
    rate /= length;
    for (int i = 0; i < 3; i++) {
        force[i] = (f->stiffness * (length - f->length) + f->damping * rate) * (along[i] / length);
        back[i] = -force[i];
    }
    push(s, f->body, arm[0], force, moment);
    push(s, f->other, arm[1], back, moment);
}

/* All forces of a model, which is the context. */
static void as_the_model(void *context, double time, int32_t bodies, const double *q,
                         const double *w, const double *r, const double *v, double *force,
                         double *moment)
{
    const rct_model *model = context;
    const rows s = {q, w, r, v, force, moment};
    (void)time;
    assert_int_equal(bodies, BODIES);
    for (int32_t i = 0; i < rct_model_force_count(model); i++) {
        rct_force f;
        assert_int_equal(rct_model_force(model, i, &f, NULL), RCT_OK);
        exert(&s, &f);
    }
}

static void expect_equal(const double *a, const double *b, int count, double limit)
{
    double size = 1.0;
    for (int i = 0; i < count; i++) {
        size = larger(size, fabs(b[i]));
    }
    for (int i = 0; i < count; i++) {
        if (!(fabs(a[i] - b[i]) <= limit * size)) {
            fail_msg("%g is not %g, size %g", a[i], b[i], size);
        }
    }
}

static void check_by_hand(uint64_t seed)
{
    double a[4][3 * BODIES], b[4][3 * BODIES];
    rct_model *with = tree(seed, ALL_HINGES, 12), *bare = tree(seed, ALL_HINGES, 0);
    rct_base base;
    rct_model_base(with, &base);
    assert_int_equal(rct_model_set_base(bare, &base, NULL), RCT_OK);
    rct_solver *model = solver_for(with, 0), *user = solver_for(bare, seed % 2 ? 4 : 0);
    assert_int_equal(rct_solver_set_force_function(user, as_the_model, with, NULL), RCT_OK);
    assert_int_equal(rct_solver_evaluate(model, NULL), RCT_OK);
    assert_int_equal(rct_solver_evaluate(user, NULL), RCT_OK);
    rct_solver_get_accelerations(model, a[0], a[1]);
    rct_solver_get_hinge_forces(model, a[2], a[3]);
    rct_solver_get_accelerations(user, b[0], b[1]);
    rct_solver_get_hinge_forces(user, b[2], b[3]);
    for (int i = 0; i < 4; i++) {
        expect_equal(b[i], a[i], 3 * BODIES, 1e-12);
    }
    assert_int_equal(rct_solver_step(model, 1e-3, 100, NULL), RCT_OK);
    assert_int_equal(rct_solver_step(user, 1e-3, 100, NULL), RCT_OK);
    assert_true(motion_apart(model, user) < 2e-9); /* rounding grows */
    assert_int_equal(rct_solver_set_force_function(user, NULL, NULL, NULL), RCT_OK);
    assert_int_equal(rct_solver_step(user, 1e-3, 100, NULL), RCT_OK);
    assert_int_equal(rct_solver_step(model, 1e-3, 100, NULL), RCT_OK);
    assert_true(motion_apart(model, user) > 1e-6); /* they are gone */
    rct_solver_free(model);
    rct_solver_free(user);
    rct_model_free(with);
    rct_model_free(bare);
}

static void test_forces_of_the_model_by_hand(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        check_by_hand(seed);
    }
}

/* ---- forces in time ----------------------------------------------------------------------- */

static void as_the_square_of_time(void *context, double time, int32_t bodies, const double *q,
                                  const double *w, const double *r, const double *v, double *force,
                                  double *moment)
{
    (void)bodies, (void)q, (void)w, (void)r, (void)v, (void)moment;
    force[2] += *(const double *)context * time * time;
}

/* m z'' = k t^2 from t0 on: Runge-Kutta steps are exact. */
static void test_forces_in_time(void **state)
{
    (void)state;
    double k = 6.0;
    const double mass = 2.0, from = 0.5, t = 2.0;
    rct_body body = rct_body_default();
    body.hinge = RCT_HINGE_PRISMATIC;
    body.mass = mass;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    rct_model *model = rct_model_create("rocket", NULL);
    assert_int_equal(rct_model_set_gravity(model, (double[]){0.0, 0.0, 0.0}, NULL), RCT_OK);
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    rct_solver *solver = solver_for(model, 0);
    double z, v;
    assert_int_equal(rct_solver_set_force_function(solver, as_the_square_of_time, &k, NULL),
                     RCT_OK);
    rct_solver_set_time(solver, from);
    assert_int_equal(rct_solver_step(solver, 0.25, 6, NULL), RCT_OK);
    rct_solver_get_coordinates(solver, &z, &v);
    const double c = k / mass;
    assert_true(fabs(v - c * (pow(t, 3) - pow(from, 3)) / 3.0) < 1e-13);
    assert_true(fabs(z - c * ((pow(t, 4) - pow(from, 4)) / 12.0 -
                              pow(from, 3) * (t - from) / 3.0)) < 1e-13);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* ---- what the function sees --------------------------------------------------------------- */

typedef struct witness {
    int calls;
    double time[8];
    double q[4 * BODIES], w[3 * BODIES], r[3 * BODIES], v[3 * BODIES];
    int clean; /* forces and moments were zero */
} witness;

static void watch(void *context, double time, int32_t bodies, const double *q, const double *w,
                  const double *r, const double *v, double *force, double *moment)
{
    witness *seen = context;
    assert_int_equal(bodies, BODIES);
    assert_in_range(seen->calls, 0, 7);
    seen->time[seen->calls++] = time;
    memcpy(seen->q, q, sizeof seen->q);
    memcpy(seen->w, w, sizeof seen->w);
    memcpy(seen->r, r, sizeof seen->r);
    memcpy(seen->v, v, sizeof seen->v);
    for (int i = 0; i < 3 * BODIES; i++) {
        seen->clean = seen->clean && force[i] == 0.0 && moment[i] == 0.0;
        force[i] = 1e-3 * i;
        moment[i] = -1e-3;
    }
}

/* The rows are those of get_state, bit for bit; one call per evaluation, four per step at the times
 * of its stages. */
static void test_what_the_function_sees(void **state)
{
    (void)state;
    rct_model *model = tree(9, ALL_HINGES, 4);
    rct_solver *solver = solver_for(model, 3);
    witness seen = {.clean = 1};
    double q[4 * BODIES], w[3 * BODIES], r[3 * BODIES], v[3 * BODIES];
    assert_int_equal(rct_solver_set_force_function(solver, watch, &seen, NULL), RCT_OK);
    rct_solver_set_time(solver, 2.0);
    assert_int_equal(rct_solver_step(solver, 0x1p-10, 1, NULL), RCT_OK);
    assert_int_equal(seen.calls, 4);
    for (int i = 0; i < 4; i++) {
        assert_true(seen.time[i] == 2.0 + (i == 0 ? 0.0 : i < 3 ? 0x1p-11 : 0x1p-10));
    }
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    assert_int_equal(seen.calls, 5);
    assert_true(seen.time[4] == 2.0 + 0x1p-10);
    assert_int_equal(seen.clean, 1);
    rct_solver_get_state(solver, q, w, r, v);
    assert_memory_equal(q, seen.q, sizeof q);
    assert_memory_equal(w, seen.w, sizeof w);
    assert_memory_equal(r, seen.r, sizeof r);
    assert_memory_equal(v, seen.v, sizeof v);
    assert_int_equal(seen.calls, 5); /* looking asks for no forces */
    rct_solver_free(solver);
    rct_model_free(model);
}

/* ---- who may ------------------------------------------------------------------------------ */

static void expect_refused(const rct_model *model)
{
    rct_error error = {0};
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    rct_solver *solver = motion_solver(model, &options);
    assert_int_equal(rct_solver_set_force_function(solver, watch, NULL, &error),
                     RCT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "user_forces"));
    assert_int_equal(rct_solver_set_force_function(solver, watch, NULL, NULL),
                     RCT_ERROR_UNSUPPORTED);
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK); /* and is not called */
    rct_solver_free(solver);
}

/* Only for a solver that was made for it, whatever else the model has. */
static void test_solvers_made_for_no_function(void **state)
{
    (void)state;
    const random_system balls = {.bodies = BODIES, .spin = 1.0, .seed = 1};
    rct_model *model = random_system_create(&balls);
    assert_non_null(model);
    expect_refused(model);
    rct_model_free(model);
    model = tree(1, 1 << RCT_HINGE_REVOLUTE, 4);
    expect_refused(model);
    rct_model_free(model);
}

static void push_wildly(void *context, double time, int32_t bodies, const double *orientation,
                        const double *angular_velocity, const double *position,
                        const double *velocity, double *force, double *moment)
{
    (void)time, (void)orientation, (void)angular_velocity, (void)position, (void)velocity;
    (void)moment;
    force[3 * (bodies - 1)] = *(const double *)context;
}

/* A force that is not finite is blamed on the function and the body, not on the step. */
static void test_a_force_that_is_not_finite(void **state)
{
    (void)state;
    rct_error error;
    double size = NAN;
    rct_model *model = tree(1, 1 << RCT_HINGE_REVOLUTE, 4);
    rct_solver *solver = solver_for(model, 0);
    assert_int_equal(rct_solver_set_force_function(solver, push_wildly, &size, NULL), RCT_OK);
    assert_int_equal(rct_solver_step(solver, 1e-3, 1, &error), RCT_ERROR_DIVERGED);
    assert_int_equal(error.body, BODIES - 1);
    assert_non_null(strstr(error.text, "the force function gave it a force or moment that is not"));
    const double still[6 * BODIES] = {0.0};
    double efforts[6 * BODIES];
    assert_int_equal(rct_solver_inverse_dynamics(solver, still, NULL, NULL, efforts, &error),
                     RCT_ERROR_DIVERGED);
    assert_int_equal(error.body, BODIES - 1);
    size = 1.0;
    assert_int_equal(rct_solver_step(solver, 1e-3, 1, &error), RCT_OK);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* After many steps, however they are divided among calls, times are multiples of the step. */
static void test_times_are_multiples_of_the_step(void **state)
{
    (void)state;
    enum { STEPS = 20000 };
    const rct_integrator integrators[] = {RCT_INTEGRATOR_RK4, RCT_INTEGRATOR_CONSERVING,
                                          RCT_INTEGRATOR_DOPRI5};
    rct_model *model = must_family("chain", 1, RCT_HINGE_BALL);
    for (int i = 0; i < 3; i++) {
        rct_solver_options options = rct_solver_options_default();
        options.integrator = integrators[i];
        options.user_forces = i == 2; /* conserving takes none */
        rct_solver *solver = motion_solver(model, &options);
        must_step(solver, 1e-3, STEPS / 2);
        for (int k = 0; k < STEPS / 2; k++) {
            must_step(solver, 1e-3, 1);
        }
        assert_true(rct_solver_time(solver) == STEPS * 1e-3);
        rct_solver_set_time(solver, 0.1234567); /* off the multiples times are sums */
        must_step(solver, 1e-3, 1);
        assert_true(rct_solver_time(solver) == 0.1234567 + 1e-3);
        rct_solver_free(solver);
    }
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_force_that_is_not_finite),
        cmocka_unit_test(test_times_are_multiples_of_the_step),
        cmocka_unit_test(test_forces_of_the_model_by_hand),
        cmocka_unit_test(test_forces_in_time),
        cmocka_unit_test(test_what_the_function_sees),
        cmocka_unit_test(test_solvers_made_for_no_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
