/* Motion through a state by the reference: poses along the straight path q + h q., u + h u., t + h,
 * and derivatives of any quantity along it by differences. */
#ifndef RCT_TESTS_REFERENCE_PATH_H
#define RCT_TESTS_REFERENCE_PATH_H

#include "reference/pose.h"

#include <riccatree/reference.h>

typedef struct reference_path {
    rct_model *model;
    int32_t n;
    int64_t coordinates, freedoms;
    double time;
    double *q, *q_dot, *u, *u_dot; /* the state and its derivatives, u. of the reference lagrange */
    double *linear, *angular, *force, *moment;
    rct_pose *pose; /* of the state */
} reference_path;

/* The path through the initial state at `time`. Takes ownership of the model. Both abort the test
 * program on failure. */
reference_path *reference_path_create(rct_model *model, double time);
void reference_path_free(reference_path *path);

/* The poses after h seconds. */
void reference_path_poses(const reference_path *path, double h, rct_pose *pose);

/* Derivatives at h = 0 of the `count` numbers that `measure` computes from poses at a time: central
 * differences of three steps, extrapolated. */
typedef void reference_measure(const reference_path *path, double h, const rct_pose *pose,
                               quad *numbers);
void reference_path_differentiate(const reference_path *path, reference_measure *measure,
                                  int64_t count, double *derivatives);

#endif
