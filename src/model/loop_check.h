/* The fields that each type of loop uses, and checks of a loop alone. */
#ifndef RCT_MODEL_LOOP_CHECK_H
#define RCT_MODEL_LOOP_CHECK_H

#include "model/forces/spline.h"

#include <riccatree/loop.h>

/* Bits of the fields that a type uses. Points are two bodies with one point each. */
enum {
    RCT_LOOP_USES_POINTS = 1,
    RCT_LOOP_USES_FRAMES = 2,
    RCT_LOOP_USES_AXIS = 4,
    RCT_LOOP_USES_AXIS2 = 8,
    RCT_LOOP_USES_LENGTH = 16,
    RCT_LOOP_USES_TERMS = 32,
    RCT_LOOP_USES_OUTLINE = 64,
};

int rct_loop_uses(rct_loop_type type);

/* Check loop number `number`. Its quaternions and axes become units; fields that its type does
 * not use become their defaults, to the bit. RCT_ERROR_MODEL with the loop named,
 * RCT_ERROR_MEMORY. */
rct_status rct_loop_check(rct_loop *loop, int32_t number, rct_error *error);

/* The value that the sum of a relation of a model must have; and whether it changes with time. */
rct_on_spline rct_loop_motion(const rct_loop *loop, double time);
int rct_loop_moves(const rct_loop *loop);

#endif
