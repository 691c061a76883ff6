/* The explicit pair 5(4) of Dormand and Prince, which goes on with the fifth order. */
#include "core/error.h"
#include "integrate/adaptive.h"

static rct_status attempt(rct_steps *s, double h, rct_error *error)
{
    rct_status status = RCT_OK;
    for (int i = 1; i < DOPRI5_STAGES && status == RCT_OK; i++) {
        rct_steps_sum(s, s->next, s->start, h, rct_dopri5_a[i], i);
        status = rct_steps_accelerate(s, rct_steps_time(s, rct_dopri5_c[i], h), s->next,
                                      s->slope[i], error);
        rct_steps_turn(s, s->next, s->next + s->positions, s->slope[i]);
    }
    rct_steps_sum(s, s->other, NULL, h, rct_dopri5_e, DOPRI5_STAGES);
    return status;
}

const rct_pair rct_dopri5 = {.order = 5, .share = 0.3, .attempt = attempt, .goes_on = 1};
