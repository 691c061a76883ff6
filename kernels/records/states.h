/* Links on hinges of every type: their states, what acts on them, and the ground. A plan hands
 * these to the kernels besides the links (links.h).
 */
#ifndef RCT_KERNELS_RECORDS_STATES_H
#define RCT_KERNELS_RECORDS_STATES_H

#include "kernels/records/links.h"

#include <riccatree/model.h>

/* Numbers of the state of a link: its coordinates, then its rates, as many as the hinge has
 * (model.h). Ball: quaternion, link axes to inertial, and angular velocity in link axes. Free: the
 * same, and position, m, and velocity, m/s, of the origin in inertial axes: q = (quaternion,
 * position), u = (angular, linear). */
enum { MOST_COORDINATES = 7, MOST_FREEDOMS = 6, MOST_STATE = 13 };

/* What acts on a link besides gravity: force at the origin and moment about it, link axes; and
 * efforts at its hinge, one a rate, in the order and the axes of the caller's rates
 * (riccatree/model.h): for ball and free hinges inertial. */
enum {
    LOAD_FORCE = 0,  /* 3: N      */
    LOAD_MOMENT = 3, /* 3: N m    */
    LOAD_EFFORT = 6, /* 6: N, N m */
    LOAD_FIELDS = 12
};

/* What acts at a hinge by its own state, along its free directions, in its frame: applied -
 * stiffness (q - rest) - damping u; and the effort its rotors take, armature times the derivative
 * of u. Ball: stiffness about the axes of its hinge frame (kernels/laws/bending.h) and -damping (w
 * - w of the parent), link axes. */
enum {
    EFFORT_APPLIED = 0,   /* 3: N, N m       */
    EFFORT_STIFFNESS = 3, /* 3: N/m, N m/rad */
    EFFORT_REST = 6,      /* 3: m, rad       */
    EFFORT_DAMPING = 9,   /* 3: N s/m, N m s */
    EFFORT_ARMATURE = 12, /* 3: kg, kg m^2   */
    /* 4: ball, quaternion from its hinge frame to the axes of the link it hangs on */
    EFFORT_FRAME = 15,
    EFFORT_FIELDS = 19
};

/* The constant wrenches on a link. Those that turn with the link: their sum about its origin, link
 * axes. Those in inertial axes: their force, at the point p of the first of them, link axes; the
 * moments of the others about p are the cross products in sum (r - p) F^T, F once rotated to link
 * axes. */
enum {
    WRENCH_FORCE = 0,            /* 3: N            */
    WRENCH_MOMENT = 3,           /* 3: N m          */
    WRENCH_INERTIAL_FORCE = 6,   /* 3: N            */
    WRENCH_INERTIAL_AT = 9,      /* 3: m            */
    WRENCH_INERTIAL_MOMENT = 12, /* 3: N m          */
    WRENCH_ARMS = 15,            /* 9: N m, by rows */
    WRENCH_FIELDS = 24
};

/* The ground: its axes at t to inertial, its angular velocity and spatial acceleration less gravity
 * in its own axes, about its origin; and its true acceleration in inertial axes. */
typedef struct rct_ground {
    double orientation[4]; /* the same as a quaternion */
    double rotation[9];
    double rate[3];
    double linear[3];
    double angular[3];
    double acceleration[3];
} rct_ground;

#endif
