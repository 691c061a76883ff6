/* The explicit pair 5(4) of Dormand and Prince, which goes on with the fifth order. Stages are states of the run, moved by slopes in
 * its slots: nothing crosses between it and the host but the size of an error. */
#include "integrate/adaptive.h"

static const rct_slope_operations *slopes_of(const rct_steps *s)
{
    return s->solver->backend->slopes;
}

/* h times the weights of the first `count` slopes, the last of them fresh or not. */
static rct_weighing weigh(const rct_steps *s, double h, const double *weights, int count, int fresh)
{
    rct_weighing by = {.count = count, .fresh = fresh};
    for (int k = 0; k < count; k++) {
        by.slot[k] = RCT_SLOT_SLOPES + (s->first + k) % DOPRI5_STAGES;
        by.weight[k] = h * weights[k];
    }
    return by;
}

static rct_status evaluate(const rct_steps *s, double time, rct_error *error)
{
    s->solver->time = time;
    s->solver->pace.evaluations++;
    return rct_solver_evaluate_inside(s->solver, error);
}

/* The last slope of a step is the first of the next, unless loops have moved the state. */
static rct_status begin(rct_steps *s, int goes_on, rct_error *error)
{
    rct_solver *solver = s->solver;
    slopes_of(s)->copy(solver->run, RCT_SLOT_START, RCT_SLOT_STATE);
    if (goes_on && solver->closed == NULL) {
        s->first = (s->first + DOPRI5_STAGES - 1) % DOPRI5_STAGES;
        return RCT_OK;
    }
    const double one = 1.0;
    const rct_weighing by = weigh(s, 1.0, &one, 1, 1);
    const rct_status status = evaluate(s, s->time, error);
    if (status == RCT_OK) {
        s->steepness = slopes_of(s)->size(solver->run, &by, s->length);
    }
    return status;
}

static rct_status attempt(rct_steps *s, double h, double *size, rct_error *error)
{
    rct_solver *solver = s->solver;
    rct_status status = RCT_OK;
    for (int i = 1; i < DOPRI5_STAGES && status == RCT_OK; i++) {
        const rct_weighing by = weigh(s, h, rct_dopri5_a[i], i, i > 1);
        slopes_of(s)->weigh(solver->run, &by);
        solver->evaluated = 0;
        status = evaluate(s, rct_steps_time(s, rct_dopri5_c[i], h), error);
    }
    if (status == RCT_OK) {
        const rct_weighing by = weigh(s, h, rct_dopri5_e, DOPRI5_STAGES, 1);
        *size = slopes_of(s)->size(solver->run, &by, s->length);
    }
    return status;
}

const rct_pair rct_dopri5 = {.order = 5, .share = 0.3, .begin = begin, .attempt = attempt};
