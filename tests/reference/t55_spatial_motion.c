/* Accelerations and hinge forces of the spatial-operator reference on random trees of any hinges: Newton and Euler for
 * every body and for whole floating trees. */
#include "tests/support/cmocka_all.h"

#include "model/model.h"
#include "tests/reference/spatial_bench.h"
#include "tests/support/answers/spatial_case.h"
#include "tests/support/larger.h"

#include <math.h>
#include <string.h>

/* Adds force and moment about `point` to sums, and updates the largest term. */
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
        force[k] = rct_bodies_at(c->model->bodies, i)->mass * (c->model->gravity[k] - a[k]);
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
            if (j == i || c->model->bodies->parent[j] == i) {
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
        for (int k = 0; k < 3 && rct_bodies_at(c->model->bodies, i)->hinge == RCT_HINGE_FREE; k++) {
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newton_and_euler_for_every_body),
        cmocka_unit_test(test_momentum_of_floating_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
