/* A model with room for what a reference formulation returns. */
#include "support/reference_case.h"

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
    r->result = (rct_reference_result){r->linear, r->angular, r->force, r->moment, NAN};
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

static double difference(const double *a, const double *b, int32_t n)
{
    double largest = 0.0, worst = 0.0;
    for (int64_t i = 0; i < 3 * (int64_t)n; i++) {
        const double d = fabs(a[i] - b[i]);
        largest = fmax(largest, fabs(b[i]));
        worst = d <= worst ? worst : d; /* a NaN stays */
    }
    return worst == 0.0 ? 0.0 : worst / largest;
}

double reference_case_difference(const reference_case *a, const reference_case *b)
{
    const int32_t n = rct_model_body_count(a->model);
    const double *const left[] = {a->linear, a->angular, a->force, a->moment};
    const double *const right[] = {b->linear, b->angular, b->force, b->moment};
    double worst = 0.0;
    for (int k = 0; k < 4; k++) {
        const double d = difference(left[k], right[k], n);
        worst = d <= worst ? worst : d;
    }
    return worst;
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
