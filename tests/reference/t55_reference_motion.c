/* Trees of every hinge type with everything that a model can have: velocities are the derivatives
 * of positions, accelerations those of velocities, and energy changes by the power of the loads.
 * The test computes kinetic and potential energy, power and the work of hinges from the model. */
#include "tests/support/cmocka_all.h"

#include "reference/quad.h"
#include "tests/reference/reference_path.h"
#include "tests/support/answers/ball_torque.h"
#include "tests/support/larger.h"
#include "tests/support/systems/hinge_system.h"

#include <math.h>
#include <stdlib.h>

static reference_path *path_of(int k)
{
    const hinge_system system = {
        .tree = {.shape = (random_shape)(k % 4),
                 .bodies = 1 + k % 12,
                 .shuffled = 1,
                 .spin = 1.5,
                 .seed = (uint64_t)k},
        .hinges = k % 3 == 0 ? 1 << k / 3 % RCT_HINGE_TYPES : ALL_HINGES,
        .joint_forces = k % 2,
        .forces = k % 5,
        .ground_moves = k % 3,
    };
    return reference_path_create(hinge_system_create(&system), 0.3);
}

enum { CASES = 120 };

static void positions(const reference_path *path, double h, const rct_pose *pose, quad *out)
{
    (void)h;
    for (int32_t i = 0; i < path->n; i++) {
        for (int a = 0; a < 3; a++) {
            out[3 * i + a] = pose[i].position.x[a];
        }
    }
}

static void velocities(const reference_path *path, double h, const rct_pose *pose, quad *out)
{
    (void)h;
    for (int32_t i = 0; i < path->n; i++) {
        for (int a = 0; a < 3; a++) {
            out[6 * i + a] = pose[i].velocity.x[a];
            out[6 * i + 3 + a] = pose[i].omega.x[a];
        }
    }
}

/* The axes of all bodies, by columns. */
static void axes(const reference_path *path, double h, const rct_pose *pose, quad *out)
{
    (void)h;
    for (int32_t i = 0; i < path->n; i++) {
        for (int k = 0; k < 9; k++) {
            out[9 * i + k] = pose[i].R.a[k % 3][k / 3];
        }
    }
}

static void expect_close(double a, double b, double size, double most, int k, const char *what)
{
    if (!(fabs(a - b) <= most * (1.0 + size))) {
        fail_msg("case %d, %s: %.17g and %.17g differ, size %g", k, what, a, b, size);
    }
}

static void test_velocities_are_rates_of_positions(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) {
        reference_path *path = path_of(k);
        double *v = calloc((size_t)path->n, 12 * sizeof *v), *e = v + 3 * path->n;
        reference_path_differentiate(path, positions, 3 * (int64_t)path->n, v);
        reference_path_differentiate(path, axes, 9 * (int64_t)path->n, e);
        for (int32_t i = 0; i < path->n; i++) {
            for (int a = 0; a < 3; a++) {
                const double own = (double)path->pose[i].velocity.x[a];
                expect_close(v[3 * i + a], own, 10.0, 1e-12, k, "velocity");
            }
            for (int c = 0; c < 3; c++) { /* e. = w x e */
                const quad33 R = path->pose[i].R;
                const quad3 turned =
                    quad3_cross(path->pose[i].omega, (quad3){{R.a[0][c], R.a[1][c], R.a[2][c]}});
                for (int a = 0; a < 3; a++) {
                    expect_close(e[9 * i + 3 * c + a], (double)turned.x[a], 10.0, 1e-12, k, "axes");
                }
            }
        }
        free(v);
        reference_path_free(path);
    }
}

static void test_accelerations_are_rates_of_velocities(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) {
        reference_path *path = path_of(k);
        double *a = calloc((size_t)path->n, 6 * sizeof *a), largest = 0.0;
        reference_path_differentiate(path, velocities, 6 * (int64_t)path->n, a);
        for (int64_t j = 0; j < path->freedoms; j++) {
            largest = larger(largest, fabs(path->u_dot[j]));
        }
        for (int32_t i = 0; i < path->n; i++) {
            for (int c = 0; c < 3; c++) {
                expect_close(a[6 * i + c], path->linear[3 * i + c], largest, 1e-10, k, "linear");
                expect_close(a[6 * i + 3 + c], path->angular[3 * i + c], largest, 1e-10, k,
                             "angular");
            }
        }
        free(a);
        reference_path_free(path);
    }
}

static quad square(quad3 v)
{
    return quad3_dot(v, v);
}

/* Point of a body, of the ground for springs, where both stay: inertial. */
static void point(const rct_pose *pose, int32_t body, const double at[3], quad3 *x, quad3 *v)
{
    *x = quad3_of(at);
    *v = (quad3){{0, 0, 0}};
    if (body != RCT_GROUND) {
        const quad3 arm = quad33_apply(&pose[body].R, *x);
        *x = quad3_add(pose[body].position, arm);
        *v = quad3_add(pose[body].velocity, quad3_cross(pose[body].omega, arm));
    }
}

/* |x_other - x| and its rate. */
static void stretch(const rct_force *f, const rct_pose *pose, quad *distance, quad *rate)
{
    quad3 x, v, x_other, v_other;
    point(pose, f->body, f->at, &x, &v);
    point(pose, f->other, f->other_at, &x_other, &v_other);
    const quad3 d = quad3_subtract(x_other, x);
    *distance = quad_root(square(d));
    *rate = quad3_dot(d, quad3_subtract(v_other, v)) / *distance;
}

/* sum of m v_C^2 / 2 + w I w / 2 - m g x_C, k (q - rest)^2 / 2, armature u^2 / 2, and k (d - length)^2 / 2 */
static void energy(const reference_path *path, double h, const rct_pose *pose, quad *out)
{
    double gravity[3];
    int64_t at = 0, rate = 0;
    quad sum = 0;
    rct_model_gravity(path->model, gravity);
    for (int32_t i = 0; i < path->n; i++) {
        rct_body body;
        quad3 x, v;
        rct_model_body(path->model, i, &body, NULL);
        point(pose, i, body.com, &x, &v);
        const quad33 I = rct_pose_inertia(&pose[i].R, &body);
        const quad3 w = pose[i].omega;
        sum += body.mass * (square(v) / 2 - quad3_dot(x, quad3_of(gravity)));
        sum += quad3_dot(w, quad33_apply(&I, w)) / 2;
        const int relative = body.hinge != RCT_HINGE_BALL && body.hinge != RCT_HINGE_FREE;
        if (body.hinge == RCT_HINGE_BALL) {
            const rct_ground ground = rct_pose_ground(path->model, path->time + h);
            const rct_pose *up = rct_pose_of(&ground, pose, body.parent);
            sum += ball_energy(&body, &up->R, &pose[i].R);
        }
        for (int k = 0; k < rct_hinge_coordinates(body.hinge); k++, at++) {
            const quad q = path->q[at] + h * path->q_dot[at];
            const int t = relative ? k : 0;
            sum += relative ? body.stiffness[t] * (q - body.rest[t]) * (q - body.rest[t]) / 2 : 0;
        }
        for (int k = 0; k < rct_hinge_freedoms(body.hinge); k++, rate++) {
            const quad u = path->u[rate] + h * path->u_dot[rate];
            sum += relative ? body.armature[k] * u * u / 2 : 0;
        }
    }
    for (int32_t k = 0; k < rct_model_force_count(path->model); k++) {
        rct_force f;
        quad d, d_dot;
        rct_model_force(path->model, k, &f, NULL);
        if (f.type == RCT_FORCE_SPRING) {
            stretch(&f, pose, &d, &d_dot);
            sum += f.stiffness * (d - f.length) * (d - f.length) / 2;
        }
    }
    out[0] = sum;
}

/* The power that hinge i on the ground feeds in, by the motion of its point there. */
static quad ground_power(const reference_path *path, int32_t i)
{
    rct_body body;
    rct_model_body(path->model, i, &body, NULL);
    if (body.parent != RCT_GROUND || body.hinge == RCT_HINGE_FREE) {
        return 0;
    }
    rct_base_motion m;
    rct_model_base_motion(path->model, path->time, &m);
    const quad3 w = quad3_of(m.angular_velocity);
    const quad3 arm = quad3_subtract(path->pose[i].position, quad3_of(m.position));
    const quad3 v = quad3_add(quad3_of(m.velocity), quad3_cross(w, arm));
    return quad3_dot(v, quad3_of(path->force + 3 * (int64_t)i)) +
           quad3_dot(w, quad3_of(path->moment + 3 * (int64_t)i));
}

/* applied u - damping u^2 of hinges, of ball hinges by u = w - w_p in the axes of the body */
static quad hinge_power(const reference_path *path, int32_t i, const double *u)
{
    rct_body body;
    rct_base_motion m;
    rct_model_body(path->model, i, &body, NULL);
    rct_model_base_motion(path->model, path->time, &m);
    if (body.hinge == RCT_HINGE_FREE) {
        return 0;
    }
    if (body.hinge == RCT_HINGE_BALL) {
        const quad3 w = body.parent == RCT_GROUND ? quad3_of(m.angular_velocity)
                                                  : path->pose[body.parent].omega;
        const quad3 slip =
            quad33_apply_transposed(&path->pose[i].R, quad3_subtract(path->pose[i].omega, w));
        quad power = 0;
        for (int k = 0; k < 3; k++) {
            power -= body.damping[k] * slip.x[k] * slip.x[k];
        }
        return power;
    }
    quad sum = 0;
    for (int k = 0; k < rct_hinge_freedoms(body.hinge); k++) {
        sum += body.applied[k] * (quad)u[k] - body.damping[k] * (quad)u[k] * u[k];
    }
    return sum;
}

static quad force_power(const reference_path *path, const rct_force *f)
{
    quad d, rate;
    quad3 x, v;
    if (f->type == RCT_FORCE_SPRING) {
        stretch(f, path->pose, &d, &rate);
        return -f->damping * rate * rate;
    }
    const rct_pose *pose = &path->pose[f->body];
    quad3 force = quad3_of(f->force), moment = quad3_of(f->moment);
    if (f->in_body_axes) {
        force = quad33_apply(&pose->R, force);
        moment = quad33_apply(&pose->R, moment);
    }
    point(path->pose, f->body, f->at, &x, &v);
    return quad3_dot(force, v) + quad3_dot(moment, pose->omega);
}

static void test_energy_changes_by_power(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) {
        reference_path *path = path_of(k);
        double rate, size = 0.0;
        quad power = 0;
        reference_path_differentiate(path, energy, 1, &rate);
        const double *u = path->u;
        for (int32_t i = 0; i < path->n; i++) {
            rct_body body;
            rct_model_body(path->model, i, &body, NULL);
            const quad parts[2] = {ground_power(path, i), hinge_power(path, i, u)};
            power += parts[0] + parts[1];
            size += fabs((double)parts[0]) + fabs((double)parts[1]);
            u += rct_hinge_freedoms(body.hinge);
        }
        for (int32_t j = 0; j < rct_model_force_count(path->model); j++) {
            rct_force f;
            rct_model_force(path->model, j, &f, NULL);
            power += force_power(path, &f);
        }
        quad whole;
        energy(path, 0.0, path->pose, &whole);
        expect_close(rate, (double)power, size + 10.0 * fabs((double)whole), 1e-10, k, "power");
        reference_path_free(path);
    }
}

/* NULL is the model's initial state, in the order of coordinates and rates of a path. */
static void test_no_arrays_are_the_initial_state(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) {
        reference_path *path = path_of(k);
        const size_t bytes = (size_t)path->freedoms * sizeof(double);
        double *u_dot = calloc((size_t)path->freedoms + 1, sizeof *u_dot);
        rct_reference_result result = {.derivatives = u_dot};
        assert_int_equal(rct_reference_evaluate_at(path->model, RCT_REFERENCE_LAGRANGE, path->time,
                                                   NULL, NULL, &result, NULL),
                         RCT_OK);
        assert_memory_equal(u_dot, path->u_dot, bytes);
        free(u_dot);
        reference_path_free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_velocities_are_rates_of_positions),
        cmocka_unit_test(test_accelerations_are_rates_of_velocities),
        cmocka_unit_test(test_energy_changes_by_power),
        cmocka_unit_test(test_no_arrays_are_the_initial_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
