/* The constraints of one closure from the motion of its two frames (riccatree/loop.h). */
#ifndef RCT_CLOSURE_ROWS_H
#define RCT_CLOSURE_ROWS_H

#include <riccatree/loop.h>

/* A body, or the ground, and a frame on it; inertial axes. */
typedef struct rct_closure_frame {
    double arm[3]; /* m, from the hinge point of the body (the origin of the ground) to the frame */
    double point[3];       /* m                                                              */
    double axes[3][3];     /* rows: x, y, z of the closure on this side                      */
    double w[3];           /* rad/s                                                          */
    double velocity[3];    /* m/s, of the point                                              */
    double centripetal[3]; /* m/s^2, w x (w x arm)                                           */
} rct_closure_frame;

/* One constraint: wrenches about the hinge points of the body and of the other, phi, and phi'' but what accelerations
 * of the two give. */
typedef struct rct_constraint {
    double own[6], other[6];
    double phi, bias;
} rct_constraint;

/* The axes of the closure frame in itself, as rows. */
void rct_closure_triad(const rct_loop *loop, double axes[3][3]);

/* The constraints of a closure, `other` first as its frame carries the axes; how many. */
int rct_closure_constraints(rct_loop_type type, double length, const rct_closure_frame *other,
                            const rct_closure_frame *own, rct_constraint *out);

/* Whether an axis that the closure holds is more than 90 degrees from where it should be. */
int rct_closure_is_flipped(rct_loop_type type, const rct_closure_frame *other,
                           const rct_closure_frame *own);

#endif
