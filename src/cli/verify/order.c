/* The order of the integrator, measured: the rates at the end of a run by 1, 2, 4, ... steps.
 * Two consecutive runs differ by the error of the longer steps, and the differences fall with a
 * power of the step, which is the order. It is measured where steps are shortest and the
 * difference is not rounding yet. */
#include "verify/verify.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { LEVELS = 24 };

/* rk4 has order 4, and the measured order approaches it from either side: half the step must
 * reduce the error to an eighth or less, as in the balances of motion. And the units in the last
 * place that a step may lose. */
static const double least_order = 3.0, units = 64.0;

typedef struct levels {
    int count;
    double difference[LEVELS]; /* of level i and i + 1, largest of a rate; INFINITY: one fails */
    double size;               /* largest rate                                                 */
} levels;

static bool run_level(cli_verification *v, int64_t steps, double *rates, bool *ended)
{
    const double t_end = v->dt * (double)v->steps;
    rct_solver *solver = cli_verify_solver(v, RCT_METHOD_ABI, 0);
    if (!cli_have(solver)) {
        return false;
    }
    *ended = rct_solver_step(solver, t_end / (double)steps, steps, NULL) == RCT_OK;
    rct_solver_get_coordinates(solver, NULL, rates);
    rct_solver_free(solver);
    return true;
}

static bool run_levels(cli_verification *v, int64_t dof, double *numbers, levels *all)
{
    double *rates[2] = {numbers, numbers + dof};
    bool ended[2] = {false, false};
    int64_t steps = 1;
    for (int level = 0; level < LEVELS && steps < 4 * v->steps; level++, steps *= 2) {
        const int own = level % 2;
        if (!run_level(v, steps, rates[own], &ended[own])) {
            return false;
        }
        double most = ended[0] && ended[1] ? 0.0 : INFINITY;
        for (int64_t i = 0; i < dof; i++) {
            most = fmax(most, fabs(rates[0][i] - rates[1][i]));
            all->size = ended[own] ? fmax(all->size, fabs(rates[own][i])) : all->size;
        }
        if (level > 0) {
            all->difference[all->count++] = most;
        }
    }
    return true;
}

static void judge(cli_verification *v, const levels *all)
{
    /* of a step: in equilibrium, rates are small compared with what acts, not with themselves */
    const double *natural = v->comparison.scale, t_end = v->dt * (double)v->steps;
    const double reached = fmax(natural[CLI_LINEAR], natural[CLI_ANGULAR]) * t_end;
    const double rounding = units * DBL_EPSILON * fmax(all->size, reached);
    int last = all->count - 1;
    while (last > 0 && !(all->difference[last] > ldexp(rounding, last + 1))) {
        last--;
    }
    if (last < 1 || !isfinite(all->difference[last - 1]) || !isfinite(all->difference[last])) {
        cli_check_skip(&v->checks, "order of rk4",
                       last < 1
                           ? "steps of any length differ by rounding alone: give a longer --t-end"
                           : "too few runs with these steps reach their end: give a shorter --dt");
        return;
    }
    const double order = log2(all->difference[last - 1] / all->difference[last]);
    cli_check_bound(&v->checks, "order of rk4", order, cli_at_least(least_order),
                    "the error does not fall with the fourth power of the step: steps of %g s are "
                    "too long, or the motion is not smooth",
                    v->dt);
}

bool cli_verify_order(cli_verification *v)
{
    rct_solver_info info;
    if (v->census.kinks != NULL || rct_model_event_count(v->model) > 0) {
        cli_check_skip(&v->checks, "order of rk4", "%s",
                       v->census.kinks != NULL
                           ? v->census.kinks
                           : "the model has events, and its motion has kinks there");
        return true;
    }
    rct_solver *solver = cli_verify_solver(v, RCT_METHOD_ABI, 0);
    if (!cli_have(solver)) {
        return false;
    }
    rct_solver_get_info(solver, &info);
    rct_solver_free(solver);
    levels all = {.count = 0};
    double *numbers = cli_numbers(2 * info.dof + 1, "rates");
    const bool good = numbers != NULL && run_levels(v, info.dof, numbers, &all);
    if (good) {
        judge(v, &all);
    }
    free(numbers);
    return good;
}
