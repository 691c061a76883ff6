/* A state, its derivatives by the reference lagrange, and differences along the path through it. */
#include "tests/reference/reference_path.h"

#include "tests/support/systems/hinge_system.h"

#include <stdlib.h>

static double *numbers(int64_t count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    if (x == NULL) {
        abort();
    }
    return x;
}

/* q. = u for relative hinges; the quaternion's is (0, w) q / 2; free: the position's is the velocity. */
static void fill_q_dot(reference_path *path)
{
    int64_t at = 0, from = 0;
    for (int32_t i = 0; i < path->n; i++) {
        rct_body body;
        rct_model_body(path->model, i, &body, NULL);
        const int absolute = body.hinge == RCT_HINGE_BALL || body.hinge == RCT_HINGE_FREE;
        const double *w = path->u + from, *q = path->q + at;
        double *q_dot = path->q_dot + at;
        if (absolute) {
            q_dot[0] = -0.5 * (w[0] * q[1] + w[1] * q[2] + w[2] * q[3]);
            q_dot[1] = 0.5 * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]);
            q_dot[2] = 0.5 * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3]);
            q_dot[3] = 0.5 * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1]);
        }
        const int skip = absolute ? 3 : 0;
        for (int k = skip; k < rct_hinge_freedoms(body.hinge); k++) {
            q_dot[k + (absolute ? 1 : 0)] = w[k];
        }
        at += rct_hinge_coordinates(body.hinge);
        from += rct_hinge_freedoms(body.hinge);
    }
}

reference_path *reference_path_create(rct_model *model, double time)
{
    reference_path *path = calloc(1, sizeof *path);
    if (path == NULL || model == NULL) {
        abort();
    }
    path->model = model;
    path->n = rct_model_body_count(model);
    path->coordinates = hinge_coordinates(model);
    path->freedoms = hinge_freedoms(model);
    path->time = time;
    path->q = initial_coordinates(model);
    path->u = initial_rates(model);
    path->q_dot = numbers(path->coordinates);
    path->u_dot = numbers(path->freedoms);
    path->linear = numbers(3 * (int64_t)path->n);
    path->angular = numbers(3 * (int64_t)path->n);
    path->force = numbers(3 * (int64_t)path->n);
    path->moment = numbers(3 * (int64_t)path->n);
    path->pose = malloc((size_t)path->n * sizeof *path->pose);
    rct_reference_result result = {path->linear, path->angular, path->force,
                                   path->moment, path->u_dot,   0.0};
    if (path->pose == NULL || path->q == NULL || path->u == NULL ||
        rct_reference_evaluate_at(model, RCT_REFERENCE_LAGRANGE, time, path->q, path->u, &result,
                                  NULL) != RCT_OK) {
        abort();
    }
    fill_q_dot(path);
    reference_path_poses(path, 0.0, path->pose);
    return path;
}

void reference_path_free(reference_path *path)
{
    free(path->pose);
    free(path->moment);
    free(path->force);
    free(path->angular);
    free(path->linear);
    free(path->u_dot);
    free(path->q_dot);
    free(path->u);
    free(path->q);
    rct_model_free(path->model);
    free(path);
}

void reference_path_poses(const reference_path *path, double h, rct_pose *pose)
{
    double *q = numbers(path->coordinates), *u = numbers(path->freedoms);
    for (int64_t k = 0; k < path->coordinates; k++) {
        q[k] = path->q[k] + h * path->q_dot[k];
    }
    for (int64_t k = 0; k < path->freedoms; k++) {
        u[k] = path->u[k] + h * path->u_dot[k];
    }
    if (rct_pose_all(path->model, path->time + h, q, u, pose, NULL) != RCT_OK) {
        abort();
    }
    free(u);
    free(q);
}

/* (x(h) - x(-h)) / 2h */
static void central(const reference_path *path, reference_measure *measure, double h, int64_t count,
                    quad *side, quad *slope)
{
    rct_pose *pose = malloc((size_t)path->n * sizeof *pose);
    if (pose == NULL) {
        abort();
    }
    reference_path_poses(path, h, pose);
    measure(path, h, pose, slope);
    reference_path_poses(path, -h, pose);
    measure(path, -h, pose, side);
    for (int64_t k = 0; k < count; k++) {
        slope[k] = (slope[k] - side[k]) / (2 * h);
    }
    free(pose);
}

/* With errors in h^2, h^4, ...: (64 d(h / 4) - 20 d(h / 2) + d(h)) / 45. */
void reference_path_differentiate(const reference_path *path, reference_measure *measure,
                                  int64_t count, double *derivatives)
{
    static const double weight[3] = {1.0, -20.0, 64.0};
    const size_t bytes = (size_t)count * sizeof(quad);
    quad *side = malloc(bytes), *slope = malloc(bytes), *sum = malloc(bytes);
    if (side == NULL || slope == NULL || sum == NULL) {
        abort();
    }
    for (int64_t k = 0; k < count; k++) {
        sum[k] = 0;
    }
    for (int step = 0; step < 3; step++) {
        central(path, measure, 0x1p-7 / (1 << step), count, side, slope);
        for (int64_t k = 0; k < count; k++) {
            sum[k] += weight[step] * slope[k] / 45;
        }
    }
    for (int64_t k = 0; k < count; k++) {
        derivatives[k] = (double)sum[k];
    }
    free(sum);
    free(slope);
    free(side);
}
