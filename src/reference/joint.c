/* Relative hinges as include/riccatree/model.h describes them, one case a type. Axes that the parent carries
 * along have the derivative w_p x axis; only the second axis of a universal hinge is carried by the first
 * turn too. */
#include "reference/joint.h"

#include "reference/quad_math.h"

/* The axes of the hinge, in its frame and in inertial axes, and the coordinates. */
typedef struct hinge {
    const quad33 *frame;
    quad3 own, own2; /* hinge frame    */
    quad3 a, b;      /* inertial axes  */
    const double *q;
    quad pitch;
} hinge;

static void turn_about_first(const hinge *h, int k, rct_joint *joint)
{
    joint->p[k] = h->a;
    joint->turn = quad33_turn(h->own, h->q[k]);
}

/* The second axis as the first turn has taken it along. */
static void turn_about_second(const hinge *h, rct_joint *joint)
{
    joint->p[1] = quad33_apply(h->frame, quad33_apply(&joint->turn, h->own2));
    const quad33 second = quad33_turn(h->own2, h->q[1]);
    joint->turn = quad33_product(&joint->turn, &second, 0);
}

static void slide(quad3 direction, quad distance, int k, rct_joint *joint)
{
    joint->t[k] = direction;
    joint->along = quad3_add(joint->along, quad3_scale(distance, direction));
}

static void set_freedoms(const hinge *h, rct_hinge_type type, rct_joint *joint)
{
    switch (type) {
    case RCT_HINGE_REVOLUTE: turn_about_first(h, 0, joint); break;
    case RCT_HINGE_PRISMATIC: slide(h->a, h->q[0], 0, joint); break;
    case RCT_HINGE_UNIVERSAL:
        turn_about_first(h, 0, joint);
        turn_about_second(h, joint);
        break;
    case RCT_HINGE_CYLINDRICAL:
        turn_about_first(h, 0, joint);
        slide(h->a, h->q[1], 1, joint);
        break;
    case RCT_HINGE_PLANAR:
        slide(h->b, h->q[0], 0, joint);
        slide(quad3_cross(h->a, h->b), h->q[1], 1, joint);
        turn_about_first(h, 2, joint);
        break;
    case RCT_HINGE_HELICAL:
        turn_about_first(h, 0, joint);
        slide(quad3_scale(h->pitch, h->a), h->q[0], 0, joint);
        break;
    case RCT_HINGE_FIXED:
    case RCT_HINGE_BALL:
    case RCT_HINGE_FREE: break;
    }
}

/* p_rest = sum of p._k u_k, t_rest = w_p x sum of t_k u_k twice: once for the derivative of t_k, once for that
 * of `along` in w_p x along. */
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
    hinge h = {.frame = frame, .q = q, .pitch = body->hinge_pitch};
    h.own = quad3_unit(quad3_of(body->hinge_axis));
    h.own2 = quad3_unit(quad3_of(body->hinge_axis2));
    h.a = quad33_apply(frame, h.own);
    h.b = quad33_apply(frame, h.own2);
    set_freedoms(&h, body->hinge, joint);
    set_velocity_terms(parent_omega, u, joint);
    for (int k = 0; k < joint->freedoms; k++) {
        joint->tau[k] = (quad)body->applied[k] - (quad)body->damping[k] * u[k] -
                        (quad)body->stiffness[k] * ((quad)q[k] - body->rest[k]);
        joint->armature[k] = body->armature[k];
    }
}
