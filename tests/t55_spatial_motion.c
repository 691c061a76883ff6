/* Accelerations and hinge forces of the spatial-operator reference on random trees of any hinges: Newton and Euler
 * for every body and for whole floating trees, freedoms that carry what their springs exert, the balance of
 * power, and inverse dynamics. */
#include "cmocka_all.h"

#include "core/memory.h"
#include "model/model.h"
#include "support/draw.h"
#include "support/larger.h"
#include "support/spatial_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void on_random_systems(int floating, void (*check)(const spatial_case *c))
{
    for (int hinge = -1; hinge < RCT_HINGE_TYPES; hinge++) {
        for (uint64_t seed = 1; seed <= (hinge < 0 ? 30 : 6); seed++) {
            const hinge_tree what = {.bodies = 1 + (int32_t)(seed * 5 % 14),
                                     .hinge = floating && hinge == RCT_HINGE_FREE ? -1 : hinge,
                                     .floating = floating,
                                     .forces = seed % 4 != 1,
                                     .moving = seed % 2 == 0,
                                     .seed = seed};
            spatial_case *c = spatial_case_of(&what, 0.4);
            check(c);
            spatial_case_free(c);
        }
    }
}

/* Force and moment about `point` into sums, and the largest of what went in. */
typedef struct balance {
    double force[3], moment[3], scale;
} balance;

static void add(balance *b, const double point[3], const double x[3], const double force[3],
                double sign)
{
    double lever[3], moment[3];
    for (int i = 0; i < 3; i++) {
        lever[i] = x[i] - point[i];
    }
    spatial_cross(lever, force, moment);
    spatial_add(b->force, sign, force);
    spatial_add(b->moment, sign, moment);
    for (int i = 0; i < 3; i++) {
        b->scale = larger(b->scale, larger(fabs(force[i]), fabs(moment[i])));
    }
}

static void add_moment(balance *b, const double moment[3], double sign)
{
    spatial_add(b->moment, sign, moment);
    for (int i = 0; i < 3; i++) {
        b->scale = larger(b->scale, fabs(moment[i]));
    }
}

static void expect_zero(const balance *b)
{
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(b->force[i]) <= 1e-11 * b->scale);
        assert_true(fabs(b->moment[i]) <= 1e-11 * b->scale);
    }
}

/* m (g - a_C) and -(I w' + w x I w) of body i. */
static void add_inertia(const spatial_case *c, int32_t i, const double point[3], balance *b)
{
    double x[3], lever[3], v[3], a[3], momentum[3], turning[3], force[3];
    const double *w = c->pose[i].V;
    spatial_com(c, i, lever, v, a);
    for (int k = 0; k < 3; k++) {
        x[k] = c->pose[i].x[k] + lever[k];
        force[k] = c->model->bodies[i].mass * (c->model->gravity[k] - a[k]);
    }
    add(b, point, x, force, 1.0);
    spatial_inertia(c, i, c->angular + 3 * (int64_t)i, momentum);
    add_moment(b, momentum, -1.0);
    spatial_inertia(c, i, w, momentum);
    spatial_cross(w, momentum, turning);
    add_moment(b, turning, -1.0);
}

static void add_hinge(const spatial_case *c, int32_t hinge, const double point[3], double sign,
                      balance *b)
{
    add(b, point, c->pose[hinge].x, c->force + 3 * (int64_t)hinge, sign);
    add_moment(b, c->moment + 3 * (int64_t)hinge, sign);
}

/* Where a point of a body, or of the inertial ground, is and goes. */
static void point_of(const spatial_case *c, int32_t body, const double at[3], double x[3],
                     double v[3])
{
    double lever[3];
    memcpy(x, at, 3 * sizeof *x);
    memset(v, 0, 3 * sizeof *v);
    if (body != RCT_GROUND) {
        spatial_apply(&c->pose[body].R, at, lever);
        spatial_cross(c->pose[body].V, lever, v);
        for (int i = 0; i < 3; i++) {
            x[i] = c->pose[body].x[i] + lever[i];
            v[i] += c->pose[body].V[3 + i];
        }
    }
}

/* Force and moment at x, moving with v, that f exerts at its own end (1) or its other one (0). */
static void end_of_force(const spatial_case *c, const rct_force *f, int own, double x[3],
                         double v[3], double force[3], double moment[3])
{
    double other[3], other_v[3], along[3], distance = 0.0, stretch = 0.0;
    point_of(c, own ? f->body : f->other, own ? f->at : f->other_at, x, v);
    memcpy(force, f->force, 3 * sizeof *force);
    memcpy(moment, f->moment, 3 * sizeof *moment);
    if (f->in_body_axes) {
        spatial_apply(&c->pose[f->body].R, f->force, force);
        spatial_apply(&c->pose[f->body].R, f->moment, moment);
    }
    if (f->type == RCT_FORCE_SPRING) {
        point_of(c, own ? f->other : f->body, own ? f->other_at : f->at, other, other_v);
        for (int i = 0; i < 3; i++) {
            along[i] = other[i] - x[i];
            distance += along[i] * along[i];
        }
        distance = sqrt(distance);
        for (int i = 0; i < 3; i++) {
            along[i] /= distance;
            stretch += along[i] * (other_v[i] - v[i]);
        }
        for (int i = 0; i < 3; i++) {
            force[i] = along[i] * (f->stiffness * (distance - f->length) + f->damping * stretch);
        }
    }
}

/* All forces of the model on body i; i = -1: on any body. */
static void add_forces(const spatial_case *c, int32_t i, const double point[3], balance *b)
{
    for (int32_t k = 0; k < c->model->force_count; k++) {
        const rct_force *f = &c->model->forces[k];
        for (int own = 0; own < 2; own++) {
            const int32_t body = own ? f->body : f->other;
            double x[3], v[3], force[3], moment[3];
            const int there = body != RCT_GROUND && (i == -1 || i == body);
            if (there && (own || f->type == RCT_FORCE_SPRING)) {
                end_of_force(c, f, own, x, v, force, moment);
                add(b, point, x, force, 1.0);
                add_moment(b, moment, 1.0);
            }
        }
    }
}

static void check_every_body(const spatial_case *c)
{
    for (int32_t i = 0; i < c->n; i++) {
        balance b = {.scale = 0.0};
        add_inertia(c, i, c->pose[i].x, &b);
        add_forces(c, i, c->pose[i].x, &b);
        for (int32_t j = 0; j < c->n; j++) {
            if (j == i || c->model->bodies[j].parent == i) {
                add_hinge(c, j, c->pose[i].x, j == i ? 1.0 : -1.0, &b);
            }
        }
        expect_zero(&b);
    }
    assert_true(c->result.residual < 1e-14);
}

static void test_newton_and_euler_for_every_body(void **state)
{
    (void)state;
    on_random_systems(0, check_every_body);
}

static void check_whole_tree(const spatial_case *c)
{
    const double origin[3] = {0.0, 0.0, 0.0};
    balance b = {.scale = 0.0};
    for (int32_t i = 0; i < c->n; i++) {
        add_inertia(c, i, origin, &b);
        for (int k = 0; k < 3 && c->model->bodies[i].hinge == RCT_HINGE_FREE; k++) {
            assert_true(fabs(c->force[3 * i + k]) < 1e-12 * c->n * 100.0);
            assert_true(fabs(c->moment[3 * i + k]) < 1e-12 * c->n * 100.0);
        }
    }
    add_forces(c, -1, origin, &b);
    expect_zero(&b);
}

static void test_momentum_of_floating_trees(void **state)
{
    (void)state;
    on_random_systems(1, check_whole_tree);
}

/* ---- hinges ---------------------------------------------------------------------------------- */

/* What the hinge of a body exerts along freedom k, from its definition; q are its coordinates. */
static double exerted(const rct_body *body, const rct_spatial_pose *own, const double *q, int k)
{
    switch (body->hinge) {
    case RCT_HINGE_FREE: return 0.0;
    case RCT_HINGE_BALL: return -body->damping[0] * own->u[k];
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
        const rct_body *body = &c->model->bodies[i];
        for (int k = 0; k < c->pose[i].freedoms; k++) {
            const double *h = c->pose[i].H[k];
            const double carried =
                dot(h, c->moment + 3 * (int64_t)i) + dot(h + 3, c->force + 3 * (int64_t)i);
            assert_true(fabs(carried - exerted(body, &c->pose[i], q, k)) <= 1e-12 * scale);
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

/* What the hinge of body i does: its springs and drives, and the ground that moves beneath it. */
static void add_hinge_power(const spatial_case *c, int32_t i, const double *q, double *sum,
                            double *scale)
{
    const rct_body *body = &c->model->bodies[i];
    rct_base_motion ground;
    double from[3], v[3];
    for (int k = 0; k < c->pose[i].freedoms; k++) {
        gain(exerted(body, &c->pose[i], q, k) * c->pose[i].u[k], sum, scale);
    }
    if (body->parent == RCT_GROUND && body->hinge != RCT_HINGE_FREE) {
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
        gain(-c->model->bodies[i].mass * dot(v, a), &sum, &scale);
        spatial_inertia(c, i, c->angular + 3 * (int64_t)i, momentum);
        gain(-dot(c->pose[i].V, momentum), &sum, &scale);
        gain(c->model->bodies[i].mass * dot(v, c->model->gravity), &sum, &scale);
        add_hinge_power(c, i, q, &sum, &scale);
        q += rct_hinge_coordinates(c->model->bodies[i].hinge);
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

/* Derivatives are those of the rates: after a short time V has changed by alpha. */
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

/* Asked for its own accelerations the system needs what the hinges exert; for others M x more. */
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
            const double own = exerted(&c->model->bodies[i], &c->pose[i], q, k);
            assert_true(fabs(effort[s->row[i] + k] - own) < 1e-9 * (1.0 + fabs(own)));
        }
        q += rct_hinge_coordinates(c->model->bodies[i].hinge);
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
    rct_release(from.x);
    rct_release(to.x);
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
        cmocka_unit_test(test_newton_and_euler_for_every_body),
        cmocka_unit_test(test_momentum_of_floating_trees),
        cmocka_unit_test(test_freedoms_carry_what_is_exerted),
        cmocka_unit_test(test_power_is_balanced),
        cmocka_unit_test(test_derivatives_are_those_of_the_rates),
        cmocka_unit_test(test_inverse_dynamics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
