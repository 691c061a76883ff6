/* Parts of implicit stages. */
#ifndef RCT_INTEGRATE_IMPLICIT_H
#define RCT_INTEGRATE_IMPLICIT_H

#include "integrate/stages.h"

/* Add to the efforts of a stage at `time` what springs and dampers at ball hinges do beyond the state `next`, which the solver has,
 * where their plan is wide. */
void rct_implicit_balls(const rct_steps *steps, double time, double delta);

#endif
