/* Gauss's principle of least constraint (seed 004, eq. 39) for every hinge type: among the
 * accelerations that the hinges allow, those of the reference minimize
 *
 *     Z = sum of m |a_C - F / m|^2 / 2 + (w. - I^-1 (G - h^)) . I (w. - I^-1 (G - h^)) / 2 - sum of tau_k u_k.
 *
 * with the joint forces tau_k, and the outside loads F and G. The allowed changes of the
 * accelerations are the changes of the velocities with the rates, which are linear in them. Also
 * Newton's and Euler's equations of every body with the hinge forces of the reference. */
#include "tests/support/cmocka_all.h"

#include "reference/pose.h"
#include "tests/reference/reference_path.h"
#include "tests/support/answers/ball_torque.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"
#include "tests/support/systems/hinge_system.h"

#include <math.h>
#include <stdlib.h>

enum { CASES = 90 };

static reference_path *path_of(int k)
{
    const hinge_system system = {
        .tree = {.shape = (random_shape)(k % 4),
                 .bodies = 1 + k % 15,
                 .shuffled = k % 2,
                 .spin = 1.0,
                 .seed = (uint64_t)(1000 + k)},
        .hinges = k % 3 == 0 ? 1 << k / 3 % RCT_HINGE_TYPES : ALL_HINGES,
        .joint_forces = k % 2,
        .forces = k % 5,
        .ground_moves = k % 3,
    };
    return reference_path_create(hinge_system_create(&system), -0.2);
}

typedef struct motion {
    quad3 a_C, w_dot;
} motion;

/* a_C = a + w. x c + w x (w x c) */
static motion motion_of(const reference_path *path, int32_t i, const rct_body *body)
{
    const rct_pose *pose = &path->pose[i];
    const quad3 c = quad33_apply(&pose->R, quad3_of(body->com));
    motion m = {quad3_of(path->linear + 3 * (int64_t)i), quad3_of(path->angular + 3 * (int64_t)i)};
    m.a_C = quad3_add(m.a_C, quad3_cross(m.w_dot, c));
    m.a_C = quad3_add(m.a_C, quad3_cross(pose->omega, quad3_cross(pose->omega, c)));
    return m;
}

/* Torque of a ball hinge on its body. */
static quad3 resistance(const reference_path *path, int32_t i, const rct_body *body)
{
    const rct_ground ground = rct_pose_ground(path->model, path->time);
    const rct_pose *up = rct_pose_of(&ground, path->pose, body->parent), *own = &path->pose[i];
    return ball_torque(body, &up->R, &own->R, quad3_subtract(own->omega, up->omega));
}

/* The work of hinge i, less that of its rotors, on changes `du` of its rates and `dw` of all
 * angular velocities. */
static quad hinge_work(const reference_path *path, int32_t i, int64_t q_at, int64_t u_at,
                       const double *du, const quad3 *dw)
{
    rct_body body;
    quad sum = 0;
    rct_model_body(path->model, i, &body, NULL);
    if (body.hinge == RCT_HINGE_BALL) {
        const quad3 parent = body.parent == RCT_GROUND ? (quad3){{0, 0, 0}} : dw[body.parent];
        return quad3_dot(resistance(path, i, &body), quad3_subtract(dw[i], parent));
    }
    for (int k = 0; k < rct_hinge_freedoms(body.hinge) && body.hinge != RCT_HINGE_FREE; k++) {
        const quad tau = body.applied[k] - body.damping[k] * (quad)path->u[u_at + k] -
                         body.stiffness[k] * ((quad)path->q[q_at + k] - body.rest[k]);
        sum += (tau - body.armature[k] * (quad)path->u_dot[u_at + k]) * du[u_at + k];
    }
    return sum;
}

/* The parts of Z linear and quadratic in changes `du` of the derivatives of the rates; `size` of the largest
 * terms in the first. */
static void constraint(const reference_path *path, const double *du, quad *linear, quad *quadratic,
                       double *size)
{
    const size_t n = (size_t)path->n;
    rct_pose *moved = malloc(n * sizeof *moved);
    rct_load *load = malloc(n * sizeof *load);
    quad3 *dw = calloc(n, sizeof *dw);
    double *u = malloc(((size_t)path->freedoms + 1) * sizeof *u);
    for (int64_t k = 0; k < path->freedoms; k++) {
        u[k] = path->u[k] + du[k];
    }
    assert_int_equal(rct_pose_all(path->model, path->time, path->q, u, moved, NULL), RCT_OK);
    rct_load_all(path->model, path->pose, load);
    *linear = *quadratic = 0;
    *size = 0.0;
    for (int32_t i = 0; i < path->n; i++) {
        dw[i] = quad3_subtract(moved[i].omega, path->pose[i].omega);
    }
    int64_t q_at = 0, u_at = 0;
    for (int32_t i = 0; i < path->n; i++) {
        rct_body body;
        rct_model_body(path->model, i, &body, NULL);
        const motion m = motion_of(path, i, &body);
        const quad3 c = quad33_apply(&path->pose[i].R, quad3_of(body.com));
        const quad3 dv = quad3_subtract(moved[i].velocity, path->pose[i].velocity);
        const quad3 da = quad3_add(dv, quad3_cross(dw[i], c));
        const quad33 I = rct_pose_inertia(&path->pose[i].R, &body);
        const quad3 w = path->pose[i].omega;
        const quad3 h = quad3_cross(w, quad33_apply(&I, w));
        const quad3 lost = quad3_subtract(quad3_scale(body.mass, m.a_C), load[i].F);
        const quad3 turned = quad3_subtract(quad3_add(quad33_apply(&I, m.w_dot), h), load[i].G);
        const quad terms[2] = {quad3_dot(lost, da) + quad3_dot(turned, dw[i]),
                               hinge_work(path, i, q_at, u_at, du, dw)};
        *linear += terms[0] - terms[1];
        *size += fabs((double)terms[0]) + fabs((double)terms[1]);
        *quadratic +=
            body.mass * quad3_dot(da, da) / 2 + quad3_dot(dw[i], quad33_apply(&I, dw[i])) / 2;
        q_at += rct_hinge_coordinates(body.hinge);
        u_at += rct_hinge_freedoms(body.hinge);
    }
    free(u);
    free(dw);
    free(load);
    free(moved);
}

static void test_accelerations_make_the_constraint_least(void **state)
{
    (void)state;
    uint64_t draws = 7;
    for (int k = 0; k < CASES; k++) {
        reference_path *path = path_of(k);
        double *du = calloc((size_t)path->freedoms + 1, sizeof *du), size;
        for (int way = 0; way < 5; way++) {
            quad linear, quadratic;
            draw_numbers(&draws, du, (int)path->freedoms, 1.0);
            constraint(path, du, &linear, &quadratic, &size);
            assert_true(path->freedoms == 0 || quadratic > 0);
            if (!(fabs((double)linear) <= 1e-13 * (1.0 + size))) {
                fail_msg("case %d: Z changes by %g in first order, size %g", k, (double)linear,
                         size);
            }
            if (path->freedoms > 0) { /* other accelerations are worse: Z is not flat */
                assert_true((double)(quadratic + linear) > 0.0);
            }
        }
        free(du);
        reference_path_free(path);
    }
}

/* Remaining forces and moments about C_i on body i. */
static void add_wrench(const reference_path *path, int32_t i, int32_t j, quad sign, rct_load *load)
{
    rct_body body;
    rct_model_body(path->model, i, &body, NULL);
    const quad3 force = quad3_scale(sign, quad3_of(path->force + 3 * (int64_t)j));
    const quad3 moment = quad3_scale(sign, quad3_of(path->moment + 3 * (int64_t)j));
    const quad3 c = quad33_apply(&path->pose[i].R, quad3_of(body.com));
    const quad3 com = quad3_add(path->pose[i].position, c);
    const quad3 arm = quad3_subtract(path->pose[j].position, com);
    load[i].F = quad3_add(load[i].F, force);
    load[i].G = quad3_add(load[i].G, quad3_add(moment, quad3_cross(arm, force)));
}

static double size_of(quad3 v)
{
    return sqrt((double)quad3_dot(v, v));
}

static void expect_newton_euler(const reference_path *path)
{
    rct_load *load = malloc((size_t)path->n * sizeof *load);
    double largest = 1.0;
    rct_load_all(path->model, path->pose, load);
    for (int32_t j = 0; j < path->n; j++) {
        rct_body body;
        rct_model_body(path->model, j, &body, NULL);
        add_wrench(path, j, j, 1, load);
        if (body.parent != RCT_GROUND) {
            add_wrench(path, body.parent, j, -1, load);
        }
        largest = larger(largest, fabs(path->force[3 * j]) + fabs(path->moment[3 * j]));
    }
    for (int32_t i = 0; i < path->n; i++) {
        rct_body body;
        rct_model_body(path->model, i, &body, NULL);
        const motion m = motion_of(path, i, &body);
        const quad33 I = rct_pose_inertia(&path->pose[i].R, &body);
        const quad3 w = path->pose[i].omega;
        const quad3 h = quad3_cross(w, quad33_apply(&I, w));
        const quad3 newton = quad3_subtract(quad3_scale(body.mass, m.a_C), load[i].F);
        const quad3 euler = quad3_subtract(quad3_add(quad33_apply(&I, m.w_dot), h), load[i].G);
        largest = larger(largest, body.mass * size_of(m.a_C));
        assert_true(size_of(newton) < 1e-13 * largest);
        assert_true(size_of(euler) < 1e-13 * largest);
        if (body.hinge == RCT_HINGE_BALL) {
            const quad3 moment = quad3_of(path->moment + 3 * (int64_t)i);
            const quad3 gap = quad3_subtract(moment, resistance(path, i, &body));
            assert_true(size_of(gap) < 1e-13 * largest);
        }
    }
    free(load);
}

static void test_every_body_obeys_newton_and_euler(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) {
        reference_path *path = path_of(k);
        expect_newton_euler(path);
        reference_path_free(path);
    }
}

static void test_large_trees(void **state)
{
    (void)state;
    for (int shape = SHAPE_TREE; shape <= SHAPE_BINARY; shape += SHAPE_BINARY) {
        const hinge_system system = {
            .tree = {.shape = (random_shape)shape,
                     .bodies = 800,
                     .shuffled = 1,
                     .spin = 0.1,
                     .seed = 3},
            .hinges = ALL_HINGES,
            .joint_forces = 1,
            .forces = 40,
            .ground_moves = 1,
        };
        reference_path *path = reference_path_create(hinge_system_create(&system), 0.0);
        expect_newton_euler(path);
        reference_path_free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accelerations_make_the_constraint_least),
        cmocka_unit_test(test_every_body_obeys_newton_and_euler),
        cmocka_unit_test(test_large_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
