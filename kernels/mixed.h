/* Links on hinges of every type: their constant records and states, and what an evaluation leaves. What a
 * plan hands to the kernels.
 *
 * A link's origin is its hinge point. Its axes are chosen by the hinge: z along the axis (universal: along axis2,
 * with axis in the x z plane at rest, x > 0; planar: x along axis2), so that what a hinge leaves free are
 * coordinates of the link's own acceleration. Ball and free: those of the head.
 */
#ifndef RCT_KERNELS_MIXED_H
#define RCT_KERNELS_MIXED_H

#include <riccatree/model.h>

#include <stdint.h>

/* Fields of the record of a link. */
enum {
    MIXED_MASS = 0,    /* kg                                                                  */
    MIXED_COM = 1,     /* 3: m, centre of mass from the origin, link axes                     */
    MIXED_INERTIA = 4, /* 6: kg m^2, xx yy zz xy xz yz about the origin, link axes            */
    MIXED_AT = 10,     /* 3: m, hinge point from the parent's origin, parent's axes           */
    MIXED_FRAME = 13,  /* 9: rotation, link axes at q = 0 to the parent's axes, by rows       */
    MIXED_PARAMETER =
        22, /* 2: helical: pitch, m/rad; universal: axis in the link's x and z at q = 0 */
    MIXED_FIELDS = 24,
    MIXED_TURN_FIELDS = MIXED_FIELDS - MIXED_FRAME
};

/* Numbers of the state of a link: its coordinates, then its rates, counted by the hinge (model.h). Ball:
 * quaternion, link axes to inertial, and angular velocity in link axes. Free: those, then position, m, and
 * velocity, m/s, of the origin in inertial axes: q = (quaternion, position), u = (angular, linear). */
enum { MIXED_MOST_COORDINATES = 7, MIXED_MOST_FREEDOMS = 6, MIXED_MOST_STATE = 13 };

/* What acts on a link besides gravity, link axes: force at the origin, moment about it, and the forces at its
 * hinge along what the hinge leaves free: revolute, helical: [0] on the angle; prismatic: [0]; universal: on the
 * angles 1, 2; cylindrical: on angle, displacement; planar: on x, y in link axes, angle; ball: moment in link axes. */
enum {
    LOAD_FORCE = 0,  /* 3: N     */
    LOAD_MOMENT = 3, /* 3: N m   */
    LOAD_HINGE = 6,  /* 3: N, N m */
    LOAD_FIELDS = 9
};

/* What a hinge asks of its own motion, numbers along what it leaves free, in its frame: applied - stiffness (q - rest) -
 * damping u; and what its rotors take, armature times the derivative of u. Ball: -damping[0] (w - w of the parent). */
enum {
    EFFORT_APPLIED = 0,   /* 3: N, N m         */
    EFFORT_STIFFNESS = 3, /* 3: N/m, N m/rad   */
    EFFORT_REST = 6,      /* 3: m, rad         */
    EFFORT_DAMPING = 9,   /* 3: N s/m, N m s   */
    EFFORT_ARMATURE = 12, /* 3: kg, kg m^2     */
    EFFORT_FIELDS = 15
};

/* The constant wrenches on a link: those that turn with it, of their sum about its origin, link axes; and those in inertial
 * axes, whose moments about the origin are the cross products in sum r F^T, r in link axes, F once rotated to them. */
enum {
    WRENCH_FORCE = 0,           /* 3: N             */
    WRENCH_MOMENT = 3,          /* 3: N m           */
    WRENCH_INERTIAL_FORCE = 6,  /* 3: N             */
    WRENCH_INERTIAL_MOMENT = 9, /* 3: N m           */
    WRENCH_ARMS = 12,           /* 9: N m, by rows  */
    WRENCH_FIELDS = 21
};

typedef struct rct_mixed_links {
    int32_t count;
    const int32_t *parent; /* [count] label, or -1: hinged to the ground                         */
    const int32_t *kind;   /* [count] rct_hinge_type                                             */
    const double *sweep;   /* [count][LINK_FIELDS] the first fields of their records             */
    const double *turn;    /* [count][MIXED_TURN_FIELDS] the others; NULL: all hinges are balls  */
    const int64_t
        *state_at; /* [count + 1] where the state of a link begins, in label order       */
} rct_mixed_links;

/* The ground: its axes at t to inertial, its angular velocity and spatial acceleration less gravity in its own
 * axes, about its origin; and its true acceleration in inertial axes. */
typedef struct rct_ground {
    double orientation[4]; /* the same as a quaternion */
    double rotation[9];
    double rate[3];
    double linear[3];
    double angular[3];
    double acceleration[3];
} rct_ground;

#endif
