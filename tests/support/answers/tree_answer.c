/* Any error fails the test that asked. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/tree_answer.h"

#include "tests/support/larger.h"
#include "tests/support/systems/hinge_system.h"

#include <riccatree/reference.h>

#include <math.h>
#include <stdlib.h>

static tree_answer room(const rct_model *model)
{
    const size_t n = (size_t)rct_model_body_count(model);
    tree_answer a;
    a.linear = calloc(3 * n, sizeof(double));
    a.angular = calloc(3 * n, sizeof(double));
    a.force = calloc(3 * n, sizeof(double));
    a.moment = calloc(3 * n, sizeof(double));
    a.rates = calloc((size_t)hinge_freedoms(model) + 1, sizeof(double));
    return a;
}

void tree_answer_free(tree_answer a)
{
    free(a.linear);
    free(a.angular);
    free(a.force);
    free(a.moment);
    free(a.rates);
}

tree_answer tree_answer_by_reference(const rct_model *model, rct_reference reference, double time)
{
    const tree_answer a = room(model);
    rct_error error = {0};
    rct_reference_result result = {.linear = a.linear,
                                   .angular = a.angular,
                                   .force = a.force,
                                   .moment = a.moment,
                                   .derivatives = a.rates};
    if (rct_reference_evaluate_at(model, reference, time, NULL, NULL, &result, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    return a;
}

tree_answer tree_answer_by_solver(const rct_model *model, double time, rct_method method,
                                  int64_t segment, int32_t lanes)
{
    const tree_answer a = room(model);
    rct_error error = {0};
    rct_solver_options options = rct_solver_options_default();
    options.method = method;
    options.segment = segment;
    options.lanes = lanes;
    options.backend = "cpu";
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    rct_solver_set_time(solver, time);
    if (rct_solver_evaluate(solver, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    rct_solver_get_accelerations(solver, a.linear, a.angular);
    rct_solver_get_hinge_forces(solver, a.force, a.moment);
    rct_solver_get_rate_derivatives(solver, a.rates);
    rct_solver_free(solver);
    return a;
}

static double size_of(const double *a, int64_t count)
{
    double size = 1e-30;
    for (int64_t i = 0; i < count; i++) {
        size = larger(size, fabs(a[i]));
    }
    return size;
}

/* The largest difference relative to a size. */
static double apart(const double *a, const double *b, int64_t count, double size)
{
    double difference = 0.0;
    for (int64_t i = 0; i < count; i++) {
        difference = fabs(a[i] - b[i]) <= difference ? difference : fabs(a[i] - b[i]);
    }
    return difference / size;
}

double tree_answer_distance(const rct_model *model, tree_answer a, tree_answer b)
{
    const int64_t n = 3 * rct_model_body_count(model), u = hinge_freedoms(model);
    const double load = fmax(size_of(b.force, n), size_of(b.moment, n)); /* arms are some 1 m */
    double most = apart(a.linear, b.linear, n, size_of(b.linear, n));
    most = larger(most, apart(a.angular, b.angular, n, size_of(b.angular, n)));
    most = larger(most, apart(a.force, b.force, n, load));
    most = larger(most, apart(a.moment, b.moment, n, load));
    return larger(most, apart(a.rates, b.rates, u, size_of(b.rates, u)));
}
