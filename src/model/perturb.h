/* Perturbing the start of a body. */
#ifndef RCT_MODEL_PERTURB_H
#define RCT_MODEL_PERTURB_H

#include "model/families/draw.h"

#include <riccatree/model.h>

/* Ball and free hinges: turn the orientation by up to `amount` rad about a random axis and
 * change the angular velocity by up to `amount` rad/s. Hinges with axes: change coordinates by
 * up to `amount` rad or amount / 10 m and rates by up to `amount`, independent of other hinges.
 * Fixed hinges have no start. */
void rct_perturb(rct_body *body, double amount, rct_draw *draw);

#endif
