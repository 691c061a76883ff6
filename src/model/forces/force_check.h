/* The fields that each type of force uses, and where it acts. */
#ifndef RCT_MODEL_FORCE_CHECK_H
#define RCT_MODEL_FORCE_CHECK_H

#include "model/keys.h"

#include <riccatree/force.h>

/* Bits: 1 << type. */
enum {
    RCT_FORCES_AT_HINGES = 1 << RCT_FORCE_FRICTION | 1 << RCT_FORCE_LIMIT | 1 << RCT_FORCE_SERVO |
                           1 << RCT_FORCE_CURVE,
    RCT_FORCES_BETWEEN_POINTS = 1 << RCT_FORCE_SPRING | 1 << RCT_FORCE_CABLE,
    RCT_FORCES_WITH_TABLES = 1 << RCT_FORCE_SERVO | 1 << RCT_FORCE_CURVE
};

/* Whether it acts on a rate of a hinge. */
static inline int rct_force_is_at_hinge(const rct_force *force)
{
    return (RCT_FORCES_AT_HINGES >> force->type & 1) != 0;
}

/* Whether it is a spring, perhaps one that only pulls. */
static inline int rct_force_is_between_points(const rct_force *force)
{
    return (RCT_FORCES_BETWEEN_POINTS >> force->type & 1) != 0;
}

#endif
