/* A model in a state, with the spatial-operator reference (spatial_case.h). */
#include "tests/support/answers/spatial_case.h"

#include "model/model.h"
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>

static double *numbers(int64_t count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < count; i++) {
        x[i] = NAN;
    }
    return x;
}

spatial_case *spatial_case_create(rct_model *model, double time, uint64_t *random)
{
    spatial_case *c = calloc(1, sizeof *c);
    rct_error error;
    assert_non_null(c);
    c->model = model;
    c->n = rct_model_body_count(model);
    c->freedoms = hinge_tree_freedoms(model);
    c->time = time;
    c->q = numbers(hinge_tree_coordinates(model));
    c->u = numbers(c->freedoms);
    c->pose = calloc((size_t)c->n, sizeof *c->pose);
    c->linear = numbers(3 * (int64_t)c->n);
    c->angular = numbers(3 * (int64_t)c->n);
    c->force = numbers(3 * (int64_t)c->n);
    c->moment = numbers(3 * (int64_t)c->n);
    c->derivatives = numbers(c->freedoms);
    assert_non_null(c->pose);
    hinge_tree_state(model, random, c->q, c->u);
    c->result = (rct_reference_result){.linear = c->linear,
                                       .angular = c->angular,
                                       .force = c->force,
                                       .moment = c->moment,
                                       .derivatives = c->derivatives};
    if (rct_spatial_pose_all(model, time, c->q, c->u, c->pose, &error) != RCT_OK ||
        rct_spatial_evaluate_at(model, time, c->q, c->u, &c->result, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    return c;
}

spatial_case *spatial_case_of(const hinge_tree *what, double time)
{
    return spatial_case_create(hinge_tree_create(what), time, NULL);
}

void spatial_case_free(spatial_case *c)
{
    double *const all[] = {c->q, c->u, c->linear, c->angular, c->force, c->moment, c->derivatives};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        free(all[i]);
    }
    rct_model_free(c->model);
    free(c->pose);
    free(c);
}

void spatial_com(const spatial_case *c, int32_t i, double lever[3], double velocity[3],
                 double acceleration[3])
{
    const rct_spatial_pose *own = &c->pose[i];
    double turning[3], outward[3], swept[3];
    spatial_apply(&own->R, rct_bodies_at(c->model->bodies, i)->com, lever);
    spatial_cross(own->V, lever, turning);
    spatial_cross(own->V, turning, outward);
    spatial_cross(c->angular + 3 * (int64_t)i, lever, swept);
    for (int k = 0; k < 3; k++) {
        velocity[k] = own->V[3 + k] + turning[k];
        acceleration[k] = c->linear[3 * (int64_t)i + k] + swept[k] + outward[k];
    }
}

void spatial_inertia(const spatial_case *c, int32_t i, const double x[3], double out[3])
{
    const double *j = rct_bodies_at(c->model->bodies, i)->inertia;
    const spatial_33 own = {{{j[0], j[3], j[4]}, {j[3], j[1], j[5]}, {j[4], j[5], j[2]}}};
    const spatial_33 *R = &c->pose[i].R;
    double inside[3], turned[3];
    for (int k = 0; k < 3; k++) {
        inside[k] = R->a[0][k] * x[0] + R->a[1][k] * x[1] + R->a[2][k] * x[2];
    }
    spatial_apply(&own, inside, turned);
    spatial_apply(R, turned, out);
}

double spatial_kinetic(const spatial_case *c)
{
    double sum = 0.0;
    for (int32_t i = 0; i < c->n; i++) {
        double lever[3], v[3], acceleration[3], momentum[3];
        spatial_com(c, i, lever, v, acceleration);
        spatial_inertia(c, i, c->pose[i].V, momentum);
        for (int k = 0; k < 3; k++) {
            sum += 0.5 * (rct_bodies_at(c->model->bodies, i)->mass * v[k] * v[k] +
                          c->pose[i].V[k] * momentum[k]);
        }
    }
    return sum;
}
