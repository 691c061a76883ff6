/* Shared by the sweeps over a tree (tree.c defines phi and A). */
#ifndef RCT_OPERATORS_SWEEP_H
#define RCT_OPERATORS_SWEEP_H

#include "core/rotation.h"
#include "operators/six.h"
#include "operators/tree.h"

#include <math.h>

struct rct_operator {
    const rct_operator_tree *tree;
    int32_t *order;  /* [n] parents first */
    double *motion;  /* [n][6] */
    double *force;   /* [n][6] */
    double *inertia; /* [n][36] articulated-body inertias, body axes                 (factored) */
    double *gain;    /* [rates][6] columns of G = P H* D^-1                          (factored) */
    double *root;    /* [rates][6] rows of a root of D^-1 = root* root               (factored) */
};

static inline const double *lever_of(const rct_operator_tree *tree, int32_t body)
{
    return tree->lever + 3 * (int64_t)body;
}

/* Whether the rows of H are those of the identity; sweeps do not read such rows. */
static inline int is_absolute(const rct_operator_tree *tree, int32_t body)
{
    return tree->hinge[body] == RCT_HINGE_BALL || tree->hinge[body] == RCT_HINGE_FREE;
}

/* Whether a ball hinge has rotors; and whether only a force crosses it. */
static inline int operator_is_held(const rct_operator_tree *tree, int32_t body)
{
    return tree->holds && tree->hinge[body] == RCT_HINGE_BALL;
}

static inline int operator_loosens(const rct_operator_tree *tree, int32_t body)
{
    return !tree->holds && tree->hinge[body] == RCT_HINGE_BALL;
}

/* Add phi A* times the force of the body to that of its parent among `forces` [n][6]; `reaction`:
 * 1: all of the force, as hinge forces pass. */
static inline void operator_pass_among(const rct_operator_tree *tree, int32_t body,
                                       const double own[6], int reaction, double *forces)
{
    const int32_t up = tree->parent[body];
    double moment[3];
    if (up == RCT_GROUND) {
        return;
    }
    double *force = forces + 6 * (int64_t)up;
    rct_cross(lever_of(tree, body), own + 3, moment);
    for (int i = 0; i < 3; i++) {
        const int all = reaction || tree->hinge[body] != RCT_HINGE_BALL;
        force[i] += moment[i] + (all ? own[i] : 0.0);
        force[3 + i] += own[3 + i];
    }
}

static inline void operator_pass(const rct_operator *m, int32_t body, const double own[6],
                                 int reaction)
{
    operator_pass_among(m->tree, body, own, reaction, m->force);
}

static inline double operator_length(const double v[3])
{
    return sqrt(rct_dot(v, v));
}

/* F from the hinge point of the body to that of its parent: phi F. */
static inline void operator_carry(const rct_operator_tree *tree, int32_t body, double F[6])
{
    double moment[3];
    rct_cross(lever_of(tree, body), F + 3, moment);
    for (int i = 0; i < 3; i++) {
        F[i] += moment[i];
    }
}

/* A phi* times the motion of the parent: zero on the ground, which is taken to rest; `whole`: 1:
 * phi* of it. */
static inline void operator_come(const rct_operator *m, int32_t body, double own[6], int whole)
{
    const int32_t up = m->tree->parent[body];
    double swept[3];
    for (int i = 0; i < 6; i++) {
        own[i] = 0.0;
    }
    if (up == RCT_GROUND) {
        return;
    }
    const double *motion = m->motion + 6 * (int64_t)up;
    rct_cross(motion, lever_of(m->tree, body), swept);
    for (int i = 0; i < 3; i++) {
        own[i] = whole || m->tree->hinge[body] != RCT_HINGE_BALL ? motion[i] : 0.0;
        own[3 + i] = motion[3 + i] + swept[i];
    }
}

/* Add H* x, where x are the rates of this body alone. */
static inline void operator_add_rates(const rct_operator_tree *tree, int32_t body, const double *x,
                                      double own[6])
{
    const int64_t first = tree->first[body], end = tree->first[body + 1];
    for (int64_t r = first; r < end; r++) {
        if (is_absolute(tree, body)) {
            own[r - first] += x[r];
        } else {
            rct_add6(x[r], tree->H + 6 * r, own);
        }
    }
}

/* The effort along rate r of the body: the row of H times the force on it. */
static inline double operator_effort(const rct_operator_tree *tree, int32_t body, int64_t r,
                                     const double own[6])
{
    return is_absolute(tree, body) ? own[r - tree->first[body]] : rct_dot6(tree->H + 6 * r, own);
}

/* An effort along rate r, plus the part of the rotor there at its derivative x. */
static inline double operator_with_rotor(const rct_operator_tree *tree, int64_t r, double x,
                                         double effort)
{
    return tree->armature != NULL ? effort + tree->armature[r] * x : effort;
}

/* The rotor inertias of the rates of a body; NULL: none. */
static inline const double *operator_rotors(const rct_operator_tree *tree, int32_t body)
{
    return tree->armature != NULL ? tree->armature + tree->first[body] : NULL;
}

/* J v with the inertia about the centre of mass. */
static inline void operator_spin(const rct_operator_tree *tree, int32_t body, const double v[3],
                                 double out[3])
{
    const double *j = tree->inertia + 6 * (int64_t)body;
    out[0] = j[0] * v[0] + j[3] * v[1] + j[4] * v[2];
    out[1] = j[3] * v[0] + j[1] * v[1] + j[5] * v[2];
    out[2] = j[4] * v[0] + j[5] * v[1] + j[2] * v[2];
}

/* Add the momentum of the motion, about the hinge point. */
static inline void operator_add_momentum(const rct_operator_tree *tree, int32_t body,
                                         const double motion[6], double out[6])
{
    const double *c = tree->com + 3 * (int64_t)body;
    double turned[3], linear[3], moment[3];
    operator_spin(tree, body, motion, turned);
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
