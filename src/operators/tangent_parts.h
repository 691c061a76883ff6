/* The inside of the derivatives of accelerations (tangent.h). */
#ifndef RCT_OPERATORS_TANGENT_PARTS_H
#define RCT_OPERATORS_TANGENT_PARTS_H

#include "operators/sweep.h"
#include "operators/tangent.h"

struct rct_tangent {
    rct_operator *op;
    const rct_operator_laws *laws;
    double *V, *alpha; /* [n][6] motion of bodies */
    double *own, *F; /* [n][6] forces that bodies need, and with loads the forces at their hinges */
    double *by_V, *by_alpha; /* [n][6] changes of V and alpha, or their weights in the transpose */
    double *a;               /* [rates] */
    double *dq, *du, *dtau;  /* [rates] */
};

static const double operator_still[6] = {0.0};

/* The row of a body; zeros for the ground. */
static inline const double *operator_row(const double *rows, int32_t body)
{
    return body == RCT_GROUND ? operator_still : rows + 6 * (int64_t)body;
}

/* out += a x b */
static inline void operator_add_cross(const double a[3], const double b[3], double out[3])
{
    double c[3];
    rct_cross(a, b, c);
    for (int i = 0; i < 3; i++) {
        out[i] += c[i];
    }
}

/* Both halves of a vector of six are turned: out += a x b */
static inline void operator_add_turned(const double a[3], const double b[6], double out[6])
{
    operator_add_cross(a, b, out);
    operator_add_cross(a, b + 3, out + 3);
}

/* out += the turn of a vector of six that turns as a body does, a_w x b_w + a_v x b_v */
static inline void operator_add_turning(const double a[6], const double b[6], double out[3])
{
    operator_add_cross(a, b, out);
    operator_add_cross(a + 3, b + 3, out);
}

/* Whether row r moves with its body instead of the parent. */
static inline int operator_goes_along(const rct_operator_tree *tree, int32_t body, int64_t r)
{
    return tree->hinge[body] == RCT_HINGE_UNIVERSAL && r == tree->first[body] + 1;
}

/* The acceleration less gravity. */
static inline void operator_felt(const rct_tangent *t, int32_t body, double felt[6])
{
    const rct_operator_tree *tree = t->op->tree;
    const double *gravity = tree->gravity + 3 * (int64_t)(body % tree->systems);
    const double *alpha = t->alpha + 6 * (int64_t)body;
    for (int i = 0; i < 3; i++) {
        felt[i] = alpha[i];
        felt[3 + i] = alpha[3 + i] - gravity[i];
    }
}

/* pairs.c: take the forces of all pairs, at the place of the tree, from F [n][6]; and take their
 * changes from the forces of the operators, where the motion of the operators is D. */
void rct_tangent_push(const rct_tangent *t, double *F);
void rct_tangent_change(const rct_tangent *t);

/* The transpose of the second: from Y, the motion of the operators, to D, their forces, and
 * by_V. */
void rct_tangent_gather(const rct_tangent *t);

/* ties.c: the same for ties; and the changes of forms, and from their weights z to D, by_V and
 * by_alpha. */
void rct_tangent_push_ties(const rct_tangent *t, double *F);
void rct_tangent_change_ties(const rct_tangent *t);
void rct_tangent_gather_ties(const rct_tangent *t);
void rct_tangent_take_forms(const rct_tangent *t, double *change);
void rct_tangent_give_forms(const rct_tangent *t, const double *z);

#endif
