/* Drag of a slender body: the Gauss rule on [0, 1] that sums it, the drag of a piece, and the
 * buoyancy. */
#ifndef RCT_MODEL_DRAG_RULE_H
#define RCT_MODEL_DRAG_RULE_H

#include "core/rotation.h"

#include <riccatree/force.h>

#include <math.h>

static const double rct_drag_nodes[RCT_DRAG_POINTS] = {
    0.046910077030668004, 0.23076534494715845, 0.5, 0.76923465505284155, 0.95308992296933200};
static const double rct_drag_weights[RCT_DRAG_POINTS] = {0.11846344252809454, 0.23931433524968324,
                                                         0.28444444444444444, 0.23931433524968324,
                                                         0.11846344252809454};

/* N/m: 1/2 density diameter (normal |v_n| v_n + pi tangential |v_t| v_t), with v the velocity of
 * the fluid past a point of the axis `along`. */
static inline void rct_drag_at(const rct_force *f, const double along[3], const double v[3],
                               double drag[3])
{
    const double slip = rct_dot(along, v), pi = acos(-1.0);
    double across[3];
    for (int i = 0; i < 3; i++) {
        across[i] = v[i] - slip * along[i];
    }
    const double normal = f->normal * sqrt(rct_dot(across, across));
    const double tangential = pi * f->tangential * fabs(slip) * slip;
    for (int i = 0; i < 3; i++) {
        drag[i] = 0.5 * f->density * f->diameter * (normal * across[i] + tangential * along[i]);
    }
}

/* N: the weight of the fluid that a body of this length displaces, upward. */
static inline void rct_drag_buoyancy(const rct_force *f, double length, const double gravity[3],
                                     double force[3])
{
    const double mass = f->density * acos(-1.0) / 4.0 * f->diameter * f->diameter * length;
    for (int i = 0; i < 3; i++) {
        force[i] = -mass * gravity[i];
    }
}

#endif
