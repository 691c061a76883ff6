/* What the sweeps over a mixed tree share (tree.c says what phi and A are). */
#ifndef RCT_OPERATORS_SWEEP_H
#define RCT_OPERATORS_SWEEP_H

#include "core/rotation.h"
#include "operators/six.h"
#include "operators/tree.h"

struct rct_operator {
    const rct_operator_tree *tree;
    int32_t *order;   /* [n] parents before what hangs on them                                    */
    double *motion;   /* [n][6]                                                                   */
    double *force;    /* [n][6]                                                                   */
    double *inertia;  /* [n][36] articulated-body inertias                            (factored)  */
    double *gain;     /* [rates][6] columns of G = P H* D^-1                          (factored)  */
    double *cholesky; /* [rates][6] rows of the factor of D, its diagonal inverted    (factored)  */
};

/* From the hinge point of the parent, or from the origin. */
static inline void mixed_lever(const rct_operator_tree *tree, int32_t body, double l[3])
{
    const int32_t up = tree->parent[body];
    const double *own = tree->point + 3 * (int64_t)body;
    for (int i = 0; i < 3; i++) {
        l[i] = own[i] -
               (up == RCT_GROUND ? tree->ground.position[i] : tree->point[3 * (int64_t)up + i]);
    }
}

/* Add phi A* of what the body has to what its parent has; `reaction`: 1: all of it, as forces of hinges are. */
static inline void mixed_pass(const rct_operator *m, int32_t body, const double own[6],
                              int reaction)
{
    const int32_t up = m->tree->parent[body];
    double l[3], moment[3];
    if (up == RCT_GROUND) {
        return;
    }
    double *force = m->force + 6 * (int64_t)up;
    mixed_lever(m->tree, body, l);
    rct_cross(l, own + 3, moment);
    for (int i = 0; i < 3; i++) {
        const int all = reaction || m->tree->hinge[body] != RCT_HINGE_BALL;
        force[i] += moment[i] + (all ? own[i] : 0.0);
        force[3 + i] += own[3 + i];
    }
}

/* A phi* of what the parent has: zero on the ground, which is taken to rest; `whole`: 1: phi* of it. */
static inline void mixed_come(const rct_operator *m, int32_t body, double own[6], int whole)
{
    const int32_t up = m->tree->parent[body];
    double l[3], swept[3];
    for (int i = 0; i < 6; i++) {
        own[i] = 0.0;
    }
    if (up == RCT_GROUND) {
        return;
    }
    const double *motion = m->motion + 6 * (int64_t)up;
    mixed_lever(m->tree, body, l);
    rct_cross(motion, l, swept);
    for (int i = 0; i < 3; i++) {
        own[i] = whole || m->tree->hinge[body] != RCT_HINGE_BALL ? motion[i] : 0.0;
        own[3 + i] = motion[3 + i] + swept[i];
    }
}

/* Add H* x: x are the rates of the body alone. */
static inline void mixed_add_rates(const rct_operator_tree *tree, int32_t body, const double *x,
                                   double own[6])
{
    for (int64_t r = tree->first[body]; r < tree->first[body + 1]; r++) {
        for (int i = 0; i < 6; i++) {
            own[i] += tree->H[6 * r + i] * x[r];
        }
    }
}

/* An effort along rate r, and what the rotor there takes at its derivative x. */
static inline double mixed_with_rotor(const rct_operator_tree *tree, int64_t r, double x,
                                      double effort)
{
    return tree->armature != NULL ? effort + tree->armature[r] * x : effort;
}

/* The rotor inertia of the rates of a body, NULL: none. */
static inline const double *mixed_rotors(const rct_operator_tree *tree, int32_t body)
{
    return tree->armature != NULL ? tree->armature + tree->first[body] : NULL;
}

/* Add the momentum of the motion, about the hinge point. */
static inline void mixed_add_momentum(const rct_operator_tree *tree, int32_t body,
                                      const double motion[6], double out[6])
{
    const double *j = tree->inertia + 6 * (int64_t)body, *c = tree->com + 3 * (int64_t)body;
    const double turned[3] = {j[0] * motion[0] + j[3] * motion[1] + j[4] * motion[2],
                              j[3] * motion[0] + j[1] * motion[1] + j[5] * motion[2],
                              j[4] * motion[0] + j[5] * motion[1] + j[2] * motion[2]};
    double linear[3], moment[3];
    rct_cross(motion, c, linear);
    for (int i = 0; i < 3; i++) {
        linear[i] = tree->mass[body] * (motion[3 + i] + linear[i]);
    }
    rct_cross(c, linear, moment);
    for (int i = 0; i < 3; i++) {
        out[i] += turned[i] + moment[i];
        out[3 + i] += linear[i];
    }
}

#endif
