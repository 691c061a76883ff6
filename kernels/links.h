/* The links and their constant records: what a plan hands to every kernel.
 *
 * A link is a rigid group of bodies; its axes and origin are those of its head, the body whose ball
 * hinge carries it. Links are in label order: a parent stands before its children, the child with
 * the longest path below it directly after its parent.
 */
#ifndef RCT_KERNELS_LINKS_H
#define RCT_KERNELS_LINKS_H

#include <stdint.h>

/* Fields of a sweep record: all an articulated-body sweep reads of a link, link axes. */
enum {
    LINK_MASS = 0,    /* kg                                                                      */
    LINK_COM = 1,     /* 3: m, centre of mass from the origin                                    */
    LINK_INERTIA = 4, /* 6: kg m^2, xx yy zz xy xz yz about the origin (the hinge point)         */
    LINK_AT = 10,     /* 3: m, hinge point from the parent's origin, parent's axes (root:
                         inertial position)                                                      */
    LINK_FIELDS = 13
};

/* Fields of an inertia record: what energy, momentum and the transfer matrices read besides. */
enum {
    LINK_COM_INERTIA = 0, /* 6: kg m^2, xx yy zz xy xz yz about the centre of mass               */
    LINK_MASS_MOMENT = 6, /* 3: kg m, m c + sum over outboard links of (mass outboard of the hinge)
                             (its point): gravity's lever on the rotation of this link           */
    LINK_INERTIA_FIELDS = 9
};

/* Fields of the state of a link. */
enum {
    STATE_ORIENTATION = 0, /* 4: quaternion w x y z, link axes to inertial; any length > 0       */
    STATE_RATE = 4,        /* 3: rad/s, angular velocity, link axes                              */
    STATE_FIELDS = 7
};

typedef struct rct_links {
    int32_t count;
    double gravity[3];          /* m/s^2, inertial axes, of all trees; or                       */
    const double *own_gravity;  /* [count][3] that of the tree each link is in; else NULL       */
    const int32_t *parent;      /* [count] label, or -1: hinged to the ground                   */
    const int32_t *child_begin; /* [count + 1] into child                                       */
    const int32_t *child;       /* labels of the outboard links, longest path first             */
    const double *sweep;        /* [count][LINK_FIELDS]                                         */
    const double *inertia;      /* [count][LINK_INERTIA_FIELDS]                                 */
} rct_links;

#endif
