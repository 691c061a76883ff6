/* The rule of Gauss from 0 to 1 by which drag is summed along a body. */
#ifndef RCT_MODEL_DRAG_RULE_H
#define RCT_MODEL_DRAG_RULE_H

#include <riccatree/force.h>

static const double rct_drag_nodes[RCT_DRAG_POINTS] = {
    0.046910077030668004, 0.23076534494715845, 0.5, 0.76923465505284155, 0.95308992296933200};
static const double rct_drag_weights[RCT_DRAG_POINTS] = {0.11846344252809454, 0.23931433524968324,
                                                         0.28444444444444444, 0.23931433524968324,
                                                         0.11846344252809454};

#endif
