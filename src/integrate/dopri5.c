/* The explicit pair 5(4) of Dormand and Prince, continued with the fifth order. The run gives the
 * host only the size of an error. */
#include "integrate/adaptive.h"

/* The last slope of a step is the first of the next, unless closing of loops has moved the
 * state. */
static rct_status begin(rct_steps *s, int goes_on, rct_error *error)
{
    rct_solver *solver = s->solver;
    if (!goes_on || solver->closed != NULL) {
        return rct_steps_start(s, DOPRI5_STAGES, error);
    }
    s->first = (s->first + DOPRI5_STAGES - 1) % DOPRI5_STAGES;
    solver->backend->slopes->copy(solver->run, RCT_SLOT_START, RCT_SLOT_STATE);
    return RCT_OK;
}

static rct_status attempt(rct_steps *s, double h, double *size, rct_error *error)
{
    rct_weighing by;
    rct_status status = RCT_OK;
    for (int i = 1; i < DOPRI5_STAGES && status == RCT_OK; i++) {
        by = rct_steps_weigh(s, h, rct_dopri5_a[i], i, DOPRI5_STAGES);
        by.fresh = i > 1;
        rct_steps_move(s, &by);
        status = rct_steps_evaluate(s, rct_steps_time(s, rct_dopri5_c[i], h), error);
    }
    if (status == RCT_OK) {
        by = rct_steps_weigh(s, h, rct_dopri5_e, DOPRI5_STAGES, DOPRI5_STAGES);
        by.fresh = 1;
        *size = rct_steps_size(s, &by);
    }
    return status;
}

const rct_pair rct_dopri5 = {.order = 5, .share = 0.3, .begin = begin, .attempt = attempt};
