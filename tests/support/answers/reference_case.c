/* A model with arrays for the results of a reference formulation (reference_case.h). */
#include "tests/support/answers/reference_case.h"

#include "tests/support/larger.h"

#include <math.h>
#include <stdlib.h>

static double *rows(int32_t n)
{
    const size_t count = 3 * (size_t)n;
    double *v = malloc((count + 1) * sizeof *v);
    if (v == NULL) {
        abort();
    }
    for (size_t i = 0; i < count; i++) {
        v[i] = NAN;
    }
    return v;
}

reference_case *reference_case_create(rct_model *model)
{
    reference_case *r = calloc(1, sizeof *r);
    if (r == NULL || model == NULL) {
        abort();
    }
    const int32_t n = rct_model_body_count(model);
    r->model = model;
    r->linear = rows(n);
    r->angular = rows(n);
    r->force = rows(n);
    r->moment = rows(n);
    r->result = (rct_reference_result){.linear = r->linear,
                                       .angular = r->angular,
                                       .force = r->force,
                                       .moment = r->moment,
                                       .residual = NAN};
    return r;
}

reference_case *reference_case_of(const rct_body *bodies, int32_t count)
{
    rct_model *model = rct_model_create("case", NULL);
    for (int32_t i = 0; i < count; i++) {
        if (model == NULL || rct_model_add_body(model, &bodies[i], NULL, NULL) != RCT_OK) {
            abort();
        }
    }
    return reference_case_create(model);
}

void reference_case_free(reference_case *r)
{
    free(r->moment);
    free(r->force);
    free(r->angular);
    free(r->linear);
    rct_model_free(r->model);
    free(r);
}

rct_status reference_case_run(reference_case *r, rct_reference reference)
{
    return rct_reference_evaluate(r->model, reference, NULL, NULL, &r->result, &r->error);
}

/* Largest difference of two pairs of arrays relative to the largest number in the second pair, plus
 * `least`. */
static double difference(const double *const a[2], const double *const b[2], int32_t n,
                         double least)
{
    double largest = least, worst = 0.0;
    for (int64_t i = 0; i < 6 * (int64_t)n; i++) {
        const int64_t at = i / 2;
        const double d = fabs(a[i % 2][at] - b[i % 2][at]);
        largest = larger(largest, fabs(b[i % 2][at]));
        worst = larger(worst, d);
    }
    return worst / largest;
}

double reference_case_difference(const reference_case *a, const reference_case *b)
{
    const int32_t n = rct_model_body_count(a->model);
    const double *const motion_a[2] = {a->linear, a->angular};
    const double *const motion_b[2] = {b->linear, b->angular};
    const double *const load_a[2] = {a->force, a->moment};
    const double *const load_b[2] = {b->force, b->moment};
    const double motion = difference(motion_a, motion_b, n, 1e-3);
    const double load = difference(load_a, load_b, n, 1e-3);
    return larger(motion, load);
}

rct_body reference_rod(int32_t parent, double mass)
{
    rct_body body = rct_body_default();
    body.parent = parent;
    body.hinge_at[2] = parent == RCT_GROUND ? 0.0 : -1.0;
    body.mass = mass;
    body.com[2] = -0.5;
    body.inertia[0] = body.inertia[1] = mass * (3 * 0.05 * 0.05 + 1.0) / 12.0;
    body.inertia[2] = mass * 0.05 * 0.05 / 2.0;
    return body;
}

reference_case *reference_swinging_chain(int32_t count)
{
    rct_model *model = rct_model_create("chain", NULL);
    for (int32_t i = 0; i < count; i++) {
        rct_body body = reference_rod(i - 1, 1.0);
        const double angle = 0.3 * sin(12.9 * (i + 1)), about = 7.3 * (i + 1);
        body.orientation[0] = cos(angle / 2);
        body.orientation[1] = sin(angle / 2) * cos(about);
        body.orientation[2] = sin(angle / 2) * sin(about);
        for (int a = 0; a < 3; a++) {
            body.angular_velocity[a] = 0.3 * cos(3.7 * i + 2.0 * a);
        }
        if (model == NULL || rct_model_add_body(model, &body, NULL, NULL) != RCT_OK) {
            abort();
        }
    }
    return reference_case_create(model);
}
