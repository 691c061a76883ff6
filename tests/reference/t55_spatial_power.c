/* The spatial-operator reference on random trees of any hinges: freedoms that carry the efforts of
 * their springs, the balance of power, derivatives, and inverse dynamics. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "model/model.h"
#include "tests/reference/spatial_bench.h"
#include "tests/support/answers/ball_torque.h"
#include "tests/support/answers/spatial_case.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- hinges ---------------------------------------------------------------------------------- */

static double torque_of_ball(const spatial_case *c, int32_t i, const rct_body *body, int k)
{
    const int32_t parent = c->model->bodies->parent[i];
    quad33 up = rct_pose_ground(c->model, c->time).pose.R, own;
    for (int e = 0; e < 9; e++) {
        own.a[e / 3][e % 3] = c->pose[i].R.a[e / 3][e % 3];
        if (parent != RCT_GROUND) {
            up.a[e / 3][e % 3] = c->pose[parent].R.a[e / 3][e % 3];
        }
    }
    return (double)ball_torque(body, &up, &own, quad3_of(c->pose[i].u)).x[k];
}

/* The effort of the hinge of body i along freedom k, from its definition; q are its coordinates. */
static double exerted(const spatial_case *c, int32_t i, const double *q, int k)
{
    const rct_body *body = rct_bodies_at(c->model->bodies, i);
    const rct_spatial_pose *own = &c->pose[i];
    switch (body->hinge) {
    case RCT_HINGE_FREE: return 0.0;
    case RCT_HINGE_BALL: return torque_of_ball(c, i, body, k);
    default:
        return body->applied[k] - body->stiffness[k] * (q[k] - body->rest[k]) -
               body->damping[k] * own->u[k];
    }
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void check_freedoms(const spatial_case *c)
{
    const double *q = c->q, *u = c->u;
    double scale = 1.0; /* N: those of a body that falls freely vanish */
    for (int32_t i = 0; i < 3 * c->n; i++) {
        scale = larger(scale, larger(fabs(c->force[i]), fabs(c->moment[i])));
    }
    for (int32_t i = 0; i < c->n; i++) {
        const rct_body *body = rct_bodies_at(c->model->bodies, i);
        for (int k = 0; k < c->pose[i].freedoms; k++) {
            const double *h = c->pose[i].H[k];
            const double carried =
                dot(h, c->moment + 3 * (int64_t)i) + dot(h + 3, c->force + 3 * (int64_t)i);
            assert_true(fabs(carried - exerted(c, i, q, k)) <= 1e-12 * scale);
            if (body->hinge != RCT_HINGE_BALL) {
                assert_true(c->pose[i].u[k] == u[k]);
            }
        }
        for (int k = 0; k < 3 && body->hinge == RCT_HINGE_BALL; k++) {
            assert_true(c->pose[i].V[k] == u[k]);
        }
        q += rct_hinge_coordinates(body->hinge);
        u += c->pose[i].freedoms;
    }
}

static void test_freedoms_carry_what_is_exerted(void **state)
{
    (void)state;
    on_random_systems(0, check_freedoms);
}

/* ---- power ------------------------------------------------------------------------------------ */

static void gain(double power, double *sum, double *scale)
{
    *sum += power;
    *scale += fabs(power);
}

/* The power of the hinge of body i: its springs and drives, and the moving ground below it. */
static void add_hinge_power(const spatial_case *c, int32_t i, const double *q, double *sum,
                            double *scale)
{
    const rct_body *body = rct_bodies_at(c->model->bodies, i);
    rct_base_motion ground;
    double from[3], v[3];
    for (int k = 0; k < c->pose[i].freedoms; k++) {
        gain(exerted(c, i, q, k) * c->pose[i].u[k], sum, scale);
    }
    if (c->model->bodies->parent[i] == RCT_GROUND && body->hinge != RCT_HINGE_FREE) {
        rct_model_base_motion(c->model, c->time, &ground);
        for (int k = 0; k < 3; k++) {
            from[k] = c->pose[i].x[k] - ground.position[k];
        }
        spatial_cross(ground.angular_velocity, from, v);
        spatial_add(v, 1.0, ground.velocity);
        gain(dot(v, c->force + 3 * (int64_t)i), sum, scale);
        gain(dot(ground.angular_velocity, c->moment + 3 * (int64_t)i), sum, scale);
    }
}

static void check_power(const spatial_case *c)
{
    double sum = 0.0, scale = 0.0;
    const double *q = c->q;
    for (int32_t i = 0; i < c->n; i++) {
        double lever[3], v[3], a[3], momentum[3];
        spatial_com(c, i, lever, v, a); /* -dT/dt: w . (w x I w) is nothing */
        gain(-rct_bodies_at(c->model->bodies, i)->mass * dot(v, a), &sum, &scale);
        spatial_inertia(c, i, c->angular + 3 * (int64_t)i, momentum);
        gain(-dot(c->pose[i].V, momentum), &sum, &scale);
        gain(rct_bodies_at(c->model->bodies, i)->mass * dot(v, c->model->gravity), &sum, &scale);
        add_hinge_power(c, i, q, &sum, &scale);
        q += rct_hinge_coordinates(rct_bodies_at(c->model->bodies, i)->hinge);
    }
    for (int32_t k = 0; k < 2 * c->model->force_count; k++) {
        const rct_force *f = &c->model->forces[k / 2];
        const int own = k % 2;
        double x[3], v[3], force[3], moment[3];
        if (own || f->type == RCT_FORCE_SPRING) {
            end_of_force(c, f, own, x, v, force, moment);
            gain(dot(force, v), &sum, &scale);
            if (f->type == RCT_FORCE_WRENCH) {
                gain(dot(moment, c->pose[f->body].V), &sum, &scale);
            }
        }
    }
    assert_true(fabs(sum) <= 1e-10 * scale);
}

static void test_power_is_balanced(void **state)
{
    (void)state;
    on_random_systems(0, check_power);
    on_random_systems(1, check_power);
}

/* ---- derivatives and inverse dynamics --------------------------------------------------------- */

/* Derivatives are those of the rates: after a short time alpha explains the change of V. */
static void check_derivatives(const spatial_case *c)
{
    const double h = 1e-4;
    double *q = calloc(7 * (size_t)c->n, sizeof *q), *u = calloc(6 * (size_t)c->n, sizeof *u);
    rct_spatial_pose *poses = calloc(2 * (size_t)c->n, sizeof *poses);
    double most = 1.0;
    for (int k = 0; k < 2; k++) {
        const double t = k == 0 ? -h : h;
        hinge_tree_advance(c->model, c->q, c->u, c->derivatives, t, q, u);
        assert_int_equal(rct_spatial_pose_all(c->model, c->time + t, q, u, poses + k * c->n, NULL),
                         RCT_OK);
    }
    for (int32_t i = 0; i < 3 * c->n; i++) {
        most = larger(most, larger(fabs(c->linear[i]), fabs(c->angular[i])));
    }
    for (int32_t i = 0; i < c->n; i++) {
        const double *before = poses[i].V, *after = poses[c->n + i].V;
        for (int k = 0; k < 3; k++) {
            assert_true(fabs((after[k] - before[k]) / (2.0 * h) - c->angular[3 * i + k]) <
                        1e-5 * most * most);
            assert_true(fabs((after[3 + k] - before[3 + k]) / (2.0 * h) - c->linear[3 * i + k]) <
                        1e-5 * most * most);
        }
    }
    free(q);
    free(u);
    free(poses);
}

static void test_derivatives_are_those_of_the_rates(void **state)
{
    (void)state;
    on_random_systems(0, check_derivatives);
}

static double apart(const double *a, const double *b, int64_t count)
{
    double most = 0.0, scale = 1.0;
    for (int64_t i = 0; i < count; i++) {
        most = larger(most, fabs(a[i] - b[i]));
        scale = larger(scale, fabs(b[i]));
    }
    return most / scale;
}

/* For its own accelerations the system needs the efforts of the hinges; for others M x more. */
static void check_inverse(const spatial_case *c)
{
    const int64_t n = c->n, nv = c->freedoms;
    double *force = calloc(6 * (size_t)n, sizeof *force), *moment = force + 3 * n;
    double *x = calloc(4 * (size_t)nv + 1, sizeof *x), *effort = x + nv, *more = effort + nv;
    rct_spatial *s = rct_spatial_create(c->model, c->pose, NULL);
    rct_matrix from, to;
    uint64_t random = 3;
    assert_non_null(s);
    assert_int_equal(rct_spatial_inverse_at(c->model, c->time, c->q, c->u, c->derivatives, force,
                                            moment, effort, NULL),
                     RCT_OK);
    assert_true(apart(force, c->force, 3 * n) < 1e-10);
    assert_true(apart(moment, c->moment, 3 * n) < 1e-10);
    const double *q = c->q;
    for (int32_t i = 0; i < n; i++) {
        for (int k = 0; k < c->pose[i].freedoms; k++) {
            const double own = exerted(c, i, q, k);
            assert_true(fabs(effort[s->row[i] + k] - own) < 1e-9 * (1.0 + fabs(own)));
        }
        q += rct_hinge_coordinates(rct_bodies_at(c->model->bodies, i)->hinge);
    }
    draw_numbers(&random, x, (int)nv, 1.0);
    for (int64_t i = 0; i < nv; i++) {
        more[nv + i] = x[i] + c->derivatives[i];
    }
    assert_int_equal(
        rct_spatial_inverse_at(c->model, c->time, c->q, c->u, more + nv, NULL, NULL, more, NULL),
        RCT_OK);
    /* the work of efforts on relative speeds is that of generalized forces on rates: effort = M C^-1 x */
    assert_int_equal(rct_spatial_absolute(c->model, s, &from, &to, NULL), RCT_OK);
    memset(more + nv, 0, (size_t)nv * sizeof *more);
    rct_matrix_apply(&to, 0, x, more + nv);
    memset(x, 0, (size_t)nv * sizeof *x);
    rct_matrix_apply(&s->mass, 0, more + nv, x);
    for (int32_t i = 0; i < n; i++) {
        for (int k = 0; k < c->pose[i].freedoms; k++) {
            const int64_t at = s->row[i] + k;
            const double own = x[s->first[s->place[i]] + k];
            assert_true(fabs(more[at] - effort[at] - own) < 1e-9 * (1.0 + fabs(own)));
        }
    }
    rct_spatial_free(s);
    free(force);
    free(x);
}

static void test_inverse_dynamics(void **state)
{
    (void)state;
    on_random_systems(0, check_inverse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_freedoms_carry_what_is_exerted),
        cmocka_unit_test(test_power_is_balanced),
        cmocka_unit_test(test_derivatives_are_those_of_the_rates),
        cmocka_unit_test(test_inverse_dynamics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
