/* Relative hinges as include/riccatree/model.h describes them, one row for each type. Axes that
 * the parent carries along have the derivative w_p x axis; only the second axis of a universal
 * hinge is also carried by the first turn. */
#include "reference/pose.h"

/* The motion of a freedom: a turn about an axis, a slide along it, or both in proportion to the
 * pitch; the axis of the hinge, its second one, or the one perpendicular to both. */
enum { TURN = 't', SLIDE = 's', SCREW = 'w' };

static const char *const freedoms_of[RCT_HINGE_TYPES] = {
    [RCT_HINGE_REVOLUTE] = "t1",      [RCT_HINGE_PRISMATIC] = "s1",  [RCT_HINGE_UNIVERSAL] = "t1t2",
    [RCT_HINGE_CYLINDRICAL] = "t1s1", [RCT_HINGE_PLANAR] = "s2s3t1", [RCT_HINGE_HELICAL] = "w1",
    [RCT_HINGE_FIXED] = "",           [RCT_HINGE_BALL] = "",         [RCT_HINGE_FREE] = "",
};

static void slide(quad3 direction, quad distance, int k, rct_joint *joint)
{
    joint->t[k] = direction;
    joint->along = quad3_add(joint->along, quad3_scale(distance, direction));
}

/* Earlier turns carry along the axis about which a freedom turns. */
static void set_freedoms(const rct_body *body, const quad33 *frame, const double *q,
                         rct_joint *joint)
{
    const quad3 first = quad3_unit(quad3_of(body->hinge_axis)),
                second = quad3_unit(quad3_of(body->hinge_axis2));
    const quad3 axes[3] = {first, second, quad3_cross(first, second)};
    const char *does = freedoms_of[body->hinge];
    for (int k = 0; k < joint->freedoms; k++, does += 2) {
        const quad3 axis = axes[does[1] - '1'], along = quad33_apply(frame, axis);
        if (does[0] == SLIDE) {
            slide(along, q[k], k, joint);
            continue;
        }
        if (does[0] == SCREW) {
            slide(quad3_scale(body->hinge_pitch, along), q[k], k, joint);
        }
        const quad33 turn = quad33_turn(axis, q[k]);
        joint->p[k] = quad33_apply(frame, quad33_apply(&joint->turn, axis));
        joint->turn = quad33_product(&joint->turn, &turn, 0);
    }
}

/* p_rest = sum of p._k u_k, t_rest = w_p x sum of t_k u_k twice: once for the derivative of t_k,
 * once for that of `along` in w_p x along. */
static void set_velocity_terms(quad3 parent_omega, const double *u, rct_joint *joint)
{
    quad3 carrier = parent_omega;
    for (int k = 0; k < joint->freedoms; k++) {
        const quad3 turning = quad3_scale(u[k], joint->p[k]);
        const quad3 sliding = quad3_scale(2 * (quad)u[k], joint->t[k]);
        joint->p_rest = quad3_add(joint->p_rest, quad3_cross(carrier, turning));
        joint->t_rest = quad3_add(joint->t_rest, quad3_cross(parent_omega, sliding));
        carrier = quad3_add(carrier, turning);
    }
}

void rct_joint_place(const rct_body *body, const quad33 *frame, quad3 parent_omega, const double *q,
                     const double *u, rct_joint *joint)
{
    *joint = (rct_joint){.freedoms = rct_hinge_freedoms(body->hinge)};
    joint->turn = (quad33){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (joint->freedoms == 0) {
        return; /* fixed */
    }
    set_freedoms(body, frame, q, joint);
    set_velocity_terms(parent_omega, u, joint);
    for (int k = 0; k < joint->freedoms; k++) {
        joint->tau[k] = (quad)body->applied[k] - (quad)body->damping[k] * u[k] -
                        (quad)body->stiffness[k] * ((quad)q[k] - body->rest[k]);
        joint->armature[k] = body->armature[k];
    }
}
