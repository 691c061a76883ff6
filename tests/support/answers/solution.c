/* Accelerations and hinge forces of a model, and the difference between two of them
 * (solution.h). */
#include "tests/support/answers/solution.h"

#include "tests/support/larger.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void give_up(const char *text)
{
    fprintf(stderr, "a test cannot go on: %s\n", text);
    abort();
}

static double *rows(int32_t n)
{
    const size_t count = 3 * (size_t)n;
    double *v = malloc(count * sizeof *v);
    if (v == NULL) {
        give_up("out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        v[i] = NAN;
    }
    return v;
}

static solution empty(int32_t n)
{
    return (solution){rows(n), rows(n), rows(n), rows(n)};
}

void solution_free(solution *s)
{
    free(s->linear);
    free(s->angular);
    free(s->force);
    free(s->moment);
}

solution solution_of(const rct_solver *solver)
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    solution s = empty(info.bodies);
    rct_solver_get_accelerations(solver, s.linear, s.angular);
    rct_solver_get_hinge_forces(solver, s.force, s.moment);
    return s;
}

rct_solver *solution_solver(const rct_model *model, rct_method method)
{
    rct_error error = {.text = "no model"};
    const rct_solver_options options = {.method = method, .backend = "cpu"};
    rct_solver *solver = model != NULL ? rct_solver_create(model, &options, &error) : NULL;
    if (solver == NULL) {
        give_up(error.text);
    }
    return solver;
}

solution solution_by(const rct_model *model, rct_method method)
{
    rct_error error;
    rct_solver *solver = solution_solver(model, method);
    if (rct_solver_evaluate(solver, &error) != RCT_OK) {
        give_up(error.text);
    }
    const solution s = solution_of(solver);
    rct_solver_free(solver);
    return s;
}

solution solution_by_reference(const rct_model *model)
{
    rct_error error;
    const solution s = empty(rct_model_body_count(model));
    rct_reference_result result = {
        .linear = s.linear, .angular = s.angular, .force = s.force, .moment = s.moment};
    if (rct_reference_evaluate(model, RCT_REFERENCE_LAGRANGE, NULL, NULL, &result, &error) !=
        RCT_OK) {
        give_up(error.text);
    }
    return s;
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double largest(const double *v, int32_t n)
{
    double most = 0.0;
    for (int64_t i = 0; i < n; i++) {
        most = larger(most, length(v + 3 * i));
    }
    return most;
}

/* The largest length of a difference relative to `scale`, or the difference itself if the scale is
 * zero. */
static double apart(const double *a, const double *b, int32_t n, double scale)
{
    double worst = 0.0;
    for (int64_t i = 0; i < n; i++) {
        const double *x = a + 3 * i;
        const double *y = b + 3 * i;
        const double d = length((double[3]){x[0] - y[0], x[1] - y[1], x[2] - y[2]});
        worst = larger(worst, d);
    }
    return scale > 0.0 ? worst / scale : worst;
}

double solution_difference(const rct_model *model, const solution *a, const solution *truth)
{
    const int32_t n = rct_model_body_count(model);
    double gravity[3];
    rct_model_gravity(model, gravity);
    const double g = length(gravity);
    const double force = largest(truth->force, n);
    const double kinds[4] = {
        apart(a->linear, truth->linear, n, larger(largest(truth->linear, n), g)),
        apart(a->angular, truth->angular, n, larger(largest(truth->angular, n), g)),
        apart(a->force, truth->force, n, force),
        apart(a->moment, truth->moment, n, larger(largest(truth->moment, n), force)),
    };
    double worst = 0.0;
    for (int k = 0; k < 4; k++) {
        worst = larger(worst, kinds[k]);
    }
    return worst;
}
