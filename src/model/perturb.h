/* Perturbing the start of a body. */
#ifndef RCT_MODEL_PERTURB_H
#define RCT_MODEL_PERTURB_H

#include "model/families/draw.h"

#include <riccatree/model.h>

/* Ball and free hinges: turn the orientation by up to `amount` rad about a random axis, change the angular velocity by
 * up to `amount` rad/s. Hinges with axes: change coordinates by up to `amount` rad or amount / 10 m, rates by up to
 * `amount`, whatever those of other hinges are. Fixed ones have no start. */
void rct_perturb(rct_body *body, double amount, rct_draw *draw);

#endif
