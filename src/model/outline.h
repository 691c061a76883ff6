/* The outline of a cam. */
#ifndef RCT_MODEL_OUTLINE_H
#define RCT_MODEL_OUTLINE_H

#include <riccatree/loop.h>

/* m, at polar angle z (rad). */
double rct_outline_at(const rct_loop *loop, double z);

/* m, the least radius of many around it; NaN if a radius is NaN. */
double rct_outline_least(const rct_loop *loop);

#endif
