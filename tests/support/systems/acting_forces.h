/* Random forces at hinges and between points, cables and drag. */
#ifndef RCT_TESTS_ACTING_FORCES_H
#define RCT_TESTS_ACTING_FORCES_H

#include "model/families/draw.h"

#include <riccatree/force.h>

enum { ACTING_TYPES = 6, ACTING_MOST_ROWS = 6 };

/* Adds this number of forces, of types RCT_FORCE_FRICTION to RCT_FORCE_DRAG in turn; `smooth`:
 * without edges, limits, saturations and cables. If no hinge has axes, cables replace the forces at
 * hinges. */
rct_status add_acting(rct_model *model, rct_draw *draw, int32_t count, int smooth);

/* A force without a body, of type RCT_FORCE_FRICTION + kind; `table` has room for ACTING_MOST_ROWS
 * rows. */
rct_force any_acting(rct_draw *draw, int kind, int smooth, double *table);

#endif
