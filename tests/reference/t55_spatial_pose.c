/* Kinematics of the spatial-operator reference: frames against hand computation, velocities and
 * velocity-product accelerations against differences of frames and velocities. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "model/model.h"
#include "tests/support/answers/spatial_case.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rct_spatial_pose pose_of(rct_body body, const double *q)
{
    rct_model *model = rct_model_create("one", NULL);
    rct_spatial_pose pose;
    rct_error error;
    body.mass = 1.0;
    assert_int_equal(rct_model_add_body(model, &body, NULL, &error), RCT_OK);
    assert_int_equal(rct_spatial_pose_all(model, 0.0, q, NULL, &pose, &error), RCT_OK);
    rct_model_free(model);
    return pose;
}

static void expect(const double *x, double x0, double x1, double x2)
{
    assert_true(fabs(x[0] - x0) < 1e-15 && fabs(x[1] - x1) < 1e-15 && fabs(x[2] - x2) < 1e-15);
}

/* Angles whose cosine and sine are 0.8 and 0.6, 0.28 and 0.96. */
static const double one = 0.64350110879328437, two = 1.2870022175865687;

static void test_frames_by_hand(void **state)
{
    (void)state;
    rct_body body = rct_body_default(); /* axis z, axis2 x */
    body.hinge = RCT_HINGE_REVOLUTE;
    rct_spatial_pose p = pose_of(body, (double[]){one});
    expect(p.R.a[0], 0.8, -0.6, 0.0);
    expect(p.R.a[1], 0.6, 0.8, 0.0);
    expect(p.x, 0.0, 0.0, 0.0);

    body.hinge = RCT_HINGE_UNIVERSAL; /* z, then the x it took along */
    p = pose_of(body, (double[]){one, two});
    expect(p.R.a[0], 0.8, -0.6 * 0.28, 0.6 * 0.96);
    expect(p.R.a[1], 0.6, 0.8 * 0.28, -0.8 * 0.96);
    expect(p.R.a[2], 0.0, 0.96, 0.28);
    expect(p.H[1], 0.8, 0.6, 0.0);

    body.hinge = RCT_HINGE_PLANAR; /* moves along x and y of the hinge frame, whatever the angle */
    p = pose_of(body, (double[]){3.0, 5.0, one});
    expect(p.x, 3.0, 5.0, 0.0);
    expect(p.R.a[0], 0.8, -0.6, 0.0);

    body.hinge = RCT_HINGE_CYLINDRICAL;
    p = pose_of(body, (double[]){one, 2.0});
    expect(p.x, 0.0, 0.0, 2.0);
    expect(p.R.a[1], 0.6, 0.8, 0.0);

    body.hinge = RCT_HINGE_HELICAL;
    body.hinge_pitch = 0.5;
    p = pose_of(body, (double[]){one});
    expect(p.x, 0.0, 0.0, 0.5 * one);
    body.hinge_pitch = 0.0;

    body.hinge = RCT_HINGE_PRISMATIC; /* z of a hinge frame turned about y by a quarter is x */
    body.hinge_orientation[0] = body.hinge_orientation[2] = sqrt(0.5);
    body.hinge_at[1] = 7.0;
    p = pose_of(body, (double[]){2.0});
    expect(p.x, 2.0, 7.0, 0.0);
    expect(p.R.a[0], 0.0, 0.0, 1.0);
}

/* ---- differences ------------------------------------------------------------------------------ */

enum { BEFORE, NOW, AFTER, TIMES };

static const double h = 1e-4;

static double rate(const double *before, const double *after, const double *now, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        most = larger(most, fabs((after[i] - before[i]) / (2.0 * h) - now[i]));
    }
    return most;
}

static void check_velocity(const rct_spatial_pose *before, const rct_spatial_pose *now,
                           const rct_spatial_pose *after)
{
    assert_true(rate(before->x, after->x, now->V + 3, 3) < 1e-5);
    for (int k = 0; k < 3; k++) { /* columns of R turn with w */
        double c[3][3], turned[3];
        for (int i = 0; i < 3; i++) {
            c[BEFORE][i] = before->R.a[i][k];
            c[NOW][i] = now->R.a[i][k];
            c[AFTER][i] = after->R.a[i][k];
        }
        spatial_cross(now->V, c[NOW], turned);
        assert_true(rate(c[BEFORE], c[AFTER], turned, 3) < 1e-5);
    }
}

/* alpha = phi* alpha of the parent + H* u' + a, by bodies; `left` counts the remaining ones. */
static void accelerations(const rct_model *model, const rct_spatial_pose *pose, const double *du,
                          double (*alpha)[6])
{
    int left = model->count;
    char *stands = calloc((size_t)model->count, 1);
    while (left > 0) {
        const double *own = du;
        for (int32_t i = 0; i < model->count; own += pose[i].freedoms, i++) {
            const int32_t up = model->bodies->parent[i];
            double swept[3];
            if (stands[i] || (up != RCT_GROUND && !stands[up])) {
                continue;
            }
            memcpy(alpha[i], pose[i].a, sizeof pose[i].a);
            if (up != RCT_GROUND) {
                spatial_cross(alpha[up], pose[i].l, swept);
                spatial_add(alpha[i], 1.0, alpha[up]);
                spatial_add(alpha[i] + 3, 1.0, alpha[up] + 3);
                spatial_add(alpha[i] + 3, 1.0, swept);
            }
            for (int k = 0; k < pose[i].freedoms; k++) {
                const int ball = rct_bodies_at(model->bodies, i)->hinge == RCT_HINGE_BALL;
                const double relative = own[k] - (ball ? alpha[i][k] : 0.0);
                spatial_add(alpha[i], relative, pose[i].H[k]);
                spatial_add(alpha[i] + 3, relative, pose[i].H[k] + 3);
            }
            stands[i] = 1;
            left--;
        }
    }
    free(stands);
}

static void check_differences(const hinge_tree *what)
{
    rct_model *model = hinge_tree_create(what);
    const int32_t n = model->count, nq = hinge_tree_coordinates(model),
                  nv = hinge_tree_freedoms(model);
    const size_t one_double = sizeof(double);
    rct_spatial_pose *pose = calloc((size_t)(TIMES * n), sizeof *pose);
    double *q = calloc((size_t)(nq + nv + nv), one_double), *u = q + nq, *du = u + nv;
    double *q_after = calloc((size_t)(nq + nv), one_double), *u_after = q_after + nq;
    double(*alpha)[6] = calloc((size_t)n, sizeof *alpha);
    uint64_t random = what->seed;
    assert_true(pose != NULL && q != NULL && q_after != NULL && alpha != NULL);
    hinge_tree_state(model, NULL, q, u);
    draw_numbers(&random, du, nv, 2.0);
    for (int k = BEFORE; k < TIMES; k++) {
        hinge_tree_advance(model, q, u, du, (k - 1) * h, q_after, u_after);
        assert_int_equal(
            rct_spatial_pose_all(model, 0.3 + (k - 1) * h, q_after, u_after, pose + k * n, NULL),
            RCT_OK);
    }
    accelerations(model, pose + n, du, alpha);
    for (int32_t i = 0; i < n; i++) {
        check_velocity(&pose[i], &pose[n + i], &pose[AFTER * n + i]);
        assert_true(rate(pose[i].V, pose[AFTER * n + i].V, alpha[i], 6) < 2e-5);
    }
    free(pose);
    free(q);
    free(q_after);
    free(alpha);
    rct_model_free(model);
}

static void test_velocities_and_accelerations_are_rates(void **state)
{
    (void)state;
    for (int hinge = -1; hinge < RCT_HINGE_TYPES; hinge++) {
        for (uint64_t seed = 1; seed <= 12; seed++) {
            const hinge_tree what = {.bodies = 1 + (int32_t)seed % 6,
                                     .hinge = hinge,
                                     .forces = 1,
                                     .moving = seed % 2 == 0,
                                     .seed = seed};
            check_differences(&what);
        }
    }
}

/* Hinges on the ground move with it, free bodies and ends of springs do not. */
static void test_what_the_ground_carries(void **state)
{
    (void)state;
    rct_model *model = rct_model_create("carried", NULL);
    rct_base base = rct_base_default();
    rct_spatial_pose pose[2];
    rct_body body = rct_body_default();
    body.mass = 1.0;
    body.hinge = RCT_HINGE_PRISMATIC;
    body.hinge_at[0] = 2.0;
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    body = rct_body_default();
    body.mass = 1.0;
    body.hinge = RCT_HINGE_FREE;
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    base.velocity[1] = 3.0;
    base.rate = 1.0; /* about z */
    base.angular_acceleration = 0.5;
    assert_int_equal(rct_model_set_base(model, &base, NULL), RCT_OK);
    assert_int_equal(rct_spatial_pose_all(model, 0.0, NULL, NULL, pose, NULL), RCT_OK);
    expect(pose[0].x, 2.0, 0.0, 0.0);
    expect(pose[0].V, 0.0, 0.0, 1.0);
    expect(pose[0].V + 3, 0.0, 5.0, 0.0);
    expect(pose[0].a, 0.0, 0.0, 0.5);
    expect(pose[0].a + 3, -2.0, 1.0, 0.0);
    expect(pose[1].V + 3, 0.0, 0.0, 0.0);
    expect(pose[1].a + 3, 0.0, 0.0, 0.0);
    rct_model_free(model);
}

static void test_bad_states_are_refused(void **state)
{
    (void)state;
    const hinge_tree what = {.bodies = 1, .hinge = RCT_HINGE_FREE, .seed = 1};
    rct_model *model = hinge_tree_create(&what);
    rct_spatial_pose pose;
    rct_error error;
    double q[7] = {0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0}, u[6] = {0.0};
    assert_int_equal(rct_spatial_pose_all(model, 0.0, q, u, &pose, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "zero length"));
    q[0] = 1.0;
    u[5] = NAN;
    assert_int_equal(rct_spatial_pose_all(model, 0.0, q, u, &pose, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "not finite"));
    assert_int_equal(error.body, 0);
    for (int64_t k = 0; k < 2; k++) {
        rct_allocate_fail_after(k);
        assert_int_equal(rct_spatial_pose_all(model, 0.0, q, NULL, &pose, &error),
                         RCT_ERROR_MEMORY);
        rct_allocate_fail_after(-1);
    }
    assert_int_equal(rct_spatial_pose_all(model, 0.0, q, NULL, &pose, &error), RCT_OK);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_by_hand),
        cmocka_unit_test(test_velocities_and_accelerations_are_rates),
        cmocka_unit_test(test_what_the_ground_carries),
        cmocka_unit_test(test_bad_states_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
