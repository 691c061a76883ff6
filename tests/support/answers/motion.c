/* Systems in motion (row_motion.h). */
#include "tests/support/answers/motion.h"

#include "tests/support/cmocka_all.h"

#include "core/rotation.h"
#include "tests/support/larger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Masses are of three decades: light bodies get weak springs, so that steps need not be tiny. */
static void keep(rct_body *body, const void *context)
{
    const int stay = *(const int *)context;
    for (int i = 0; i < 3; i++) {
        body->stiffness[i] *= body->mass;
        body->damping[i] *= (stay & STAY_DAMPING) != 0 ? 0.1 * body->mass : 0.0;
        body->applied[i] *= (stay & STAY_DRIVES) != 0 ? body->mass : 0.0;
    }
}

static double mass_of(const rct_model *model, int32_t id)
{
    rct_body body = {.mass = HUGE_VAL};
    if (id != RCT_GROUND) {
        assert_int_equal(rct_model_body(model, id, &body, NULL), RCT_OK);
    }
    return body.mass;
}

static int stays(const rct_model *model, rct_force *f, int stay)
{
    const double mass = fmin(mass_of(model, f->body), mass_of(model, f->other));
    f->stiffness *= mass;
    f->damping *= (stay & STAY_DAMPING) != 0 ? 0.1 * mass : 0.0;
    for (int i = 0; i < 3; i++) {
        f->force[i] *= mass;
        f->moment[i] *= mass;
    }
    if (f->type == RCT_FORCE_WRENCH) {
        return (stay & STAY_DRIVES) != 0;
    }
    return (stay & STAY_GROUNDED) != 0 || (f->body != RCT_GROUND && f->other != RCT_GROUND);
}

rct_model *motion_changed(const rct_model *model,
                          void (*change)(rct_body *body, const void *context), const void *context)
{
    rct_model *copy = rct_model_create("changed", NULL);
    double gravity[3];
    rct_base base;
    assert_non_null(copy);
    rct_model_gravity(model, gravity);
    rct_model_base(model, &base);
    assert_int_equal(rct_model_set_gravity(copy, gravity, NULL), RCT_OK);
    assert_int_equal(rct_model_set_base(copy, &base, NULL), RCT_OK);
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body;
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        if (change != NULL) {
            change(&body, context);
        }
        assert_int_equal(rct_model_add_body(copy, &body, NULL, NULL), RCT_OK);
    }
    for (int32_t k = 0; k < rct_model_force_count(model); k++) {
        rct_force force;
        assert_int_equal(rct_model_force(model, k, &force, NULL), RCT_OK);
        assert_int_equal(rct_model_add_force(copy, &force, NULL, NULL), RCT_OK);
    }
    return copy;
}

/* Springs of balls jump half a turn from rest: frames become those of the start, rotated by about a
 * radian at most. */
static rct_model *held_near_rest(const rct_model *model)
{
    const int32_t n = rct_model_body_count(model);
    rct_solver *solver = motion_any(model, 0);
    double *q = calloc((size_t)n, 4 * sizeof *q);
    rct_model *held = rct_model_create("held", NULL);
    rct_base base;
    double gravity[3];
    assert_true(solver != NULL && q != NULL && held != NULL);
    rct_solver_get_state(solver, q, NULL, NULL, NULL);
    rct_model_gravity(model, gravity);
    rct_model_base(model, &base);
    assert_int_equal(rct_model_set_gravity(held, gravity, NULL), RCT_OK);
    assert_int_equal(rct_model_set_base(held, &base, NULL), RCT_OK);
    for (int32_t b = 0; b < n; b++) {
        static const double ground[4] = {1.0, 0.0, 0.0, 0.0};
        rct_body body;
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        if (body.hinge == RCT_HINGE_BALL && body.stiffness[0] != 0.0) {
            const double *up = body.parent == RCT_GROUND ? ground : q + 4 * (int64_t)body.parent;
            const double back[4] = {up[0], -up[1], -up[2], -up[3]};
            const double off[4] = {1.0, 0.3 * body.com[0], 0.4 * body.com[1], -0.3};
            double turn[4];
            rct_quaternion_product(back, q + 4 * (int64_t)b, turn);
            rct_quaternion_product(turn, off, body.hinge_orientation);
        }
        assert_int_equal(rct_model_add_body(held, &body, NULL, NULL), RCT_OK);
    }
    rct_solver_free(solver);
    free(q);
    return held;
}

rct_model *motion_model(const hinge_system *system, int stay, const double *gravity)
{
    hinge_system bare = *system;
    bare.forces = 0;
    rct_model *all = hinge_system_create(system), *plain = hinge_system_create(&bare);
    assert_non_null(all);
    assert_non_null(plain);
    rct_model *kept = motion_changed(plain, keep, &stay), *model = held_near_rest(kept);
    rct_base base;
    rct_model_base(all, &base); /* drawn behind the forces */
    assert_int_equal(rct_model_set_base(model, &base, NULL), RCT_OK);
    for (int32_t k = 0; k < rct_model_force_count(all); k++) {
        rct_force force;
        assert_int_equal(rct_model_force(all, k, &force, NULL), RCT_OK);
        if (stays(all, &force, stay)) {
            assert_int_equal(rct_model_add_force(model, &force, NULL, NULL), RCT_OK);
        }
    }
    if (gravity != NULL) {
        assert_int_equal(rct_model_set_gravity(model, gravity, NULL), RCT_OK);
    }
    rct_model_free(all);
    rct_model_free(plain);
    rct_model_free(kept);
    return model;
}

rct_solver *motion_solver(const rct_model *model, const rct_solver_options *options)
{
    rct_error error = {0};
    rct_solver *solver = rct_solver_create(model, options, &error);
    if (solver == NULL && error.status != RCT_ERROR_UNSUPPORTED) {
        fail_msg("%s", error.text);
    }
    return solver;
}

rct_solver *motion_any(const rct_model *model, uint64_t seed)
{
    static const int64_t lengths[] = {RCT_SEGMENT_AUTO, 3, 1, 5};
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    options.segment = seed > 0 ? lengths[seed % 4] : 0;
    options.lanes = seed > 0 && seed % 3 == 0 ? 2 : 1;
    return motion_solver(model, &options);
}

double motion_energy(const rct_solver *solver)
{
    rct_measures m;
    rct_solver_measure(solver, &m);
    return m.kinetic + m.potential;
}

static double *room(int64_t count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static double largest(const double *a, const double *b, int64_t count)
{
    double worst = 0.0;
    for (int64_t i = 0; i < count; i++) {
        worst = larger(worst, fabs(a[i] - b[i]));
    }
    return worst;
}

/* Rotations separately: quaternions have two signs. */
static double turned(const double *a, const double *b, int64_t n)
{
    double worst = 0.0;
    for (int64_t k = 0; k < n; k++, a += 4, b += 4) {
        double plus = 0.0, minus = 0.0;
        for (int i = 0; i < 4; i++) {
            plus = larger(plus, fabs(a[i] - b[i]));
            minus = larger(minus, fabs(a[i] + b[i]));
        }
        worst = larger(worst, plus < minus ? plus : minus);
    }
    return worst;
}

double motion_apart(const rct_solver *a, const rct_solver *b)
{
    rct_solver_info info;
    rct_solver_get_info(a, &info);
    const int64_t n = info.bodies;
    double *x = room(13 * n), *y = room(13 * n);
    rct_solver_get_state(a, x, x + 4 * n, x + 7 * n, x + 10 * n);
    rct_solver_get_state(b, y, y + 4 * n, y + 7 * n, y + 10 * n);
    const double worst = larger(turned(x, y, n), largest(x + 4 * n, y + 4 * n, 9 * n));
    free(x);
    free(y);
    return worst;
}

double motion_coordinates_apart(const rct_solver *a, const rct_solver *b)
{
    rct_solver_info info;
    rct_solver_get_info(a, &info);
    const int64_t q = info.coordinates, u = info.dof;
    double *x = room(q + u), *y = room(q + u);
    rct_solver_get_coordinates(a, x, x + q);
    rct_solver_get_coordinates(b, y, y + q);
    const double worst = largest(x, y, q + u);
    free(x);
    free(y);
    return worst;
}

void motion_expect_order(double coarse, double fine, double low, double high)
{
    const double order = log2(fabs(coarse) / fabs(fine));
    if (!(order >= low && order <= high)) {
        fail_msg("from %g to %g: order %g", coarse, fine, order);
    }
}
