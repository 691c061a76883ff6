/* The system of Mufti (seed 004) in matrices, for the formulations that reduce it: names, signs and
 * labels of the paper, bodies and hinges regularly labelled, vectors in inertial axes. */
#ifndef RCT_REFERENCE_MUFTI_MUFTI_H
#define RCT_REFERENCE_MUFTI_MUFTI_H

#include "reference/algebra.h"
#include "reference/pose.h"

#include <riccatree/reference.h>

enum { MUFTI_MOST_BODIES = 2000 };

/* Parents stand before children (section 2). Hinge j leads to body arc[i] = j; a free body has no hinge, so it is
 * the root b_1 of a tree of its own; bodies on the ground hang on b_0 (Remark 3). Blocks are 3x3. */
typedef struct rct_mufti {
    const rct_model *model;
    const rct_pose *pose; /* [n] in body order */
    rct_ground ground;
    rct_algebra algebra;
    int32_t n, hinges, roots; /* bodies, hinges, free bodies */
    int32_t *body;            /* [n] id of the body with label i                               */
    int32_t *label;           /* [n] of body id                                                */
    int32_t *arc;             /* [n] the hinge whose final vertex is b_i, or -1                */
    int32_t *initial;         /* [n] label of its initial vertex, or -1: b_0, or no hinge      */
    int32_t *root;            /* [n] number of the free body that b_i stands on, or -1: b_0    */

    rct_matrix *M, *I;     /* [3n][3n]                                                         */
    rct_matrix *C, *L;     /* [3n][3 hinges] elements c_ij E_3 and c_ij (R_i l_ij)~            */
    rct_matrix *T2;        /* [3 hinges][3n] eq. 24: -1 where hinge k is on the path to b_l    */
    rct_matrix *ones;      /* [3n][3 roots] 1_n of eq. 25 for each free root                   */
    rct_matrix *P;         /* [3 hinges][..] eq. 43; a ball hinge's is E_3                     */
    rct_matrix *Q, *Q_bar; /* [3 hinges][..] directions of constraint torques and forces       */
    rct_matrix *P_dot;     /* [3 hinges][1] P. gamma., w. of the ground included               */
    rct_matrix *u1, *u2;   /* [3n][1] F and G + C g - h^, with f and g of joint forces         */
    rct_matrix *u3;        /* [3 hinges][1] L^^T 1_n, and what joints and the ground add       */
    rct_matrix *f, *g;     /* [3 hinges][1] joint forces and torques, those in u1 and u2       */
} rct_mufti;

/* Vectors as blocks of a column, which v is added to or are read. */
static inline void rct_mufti_add(rct_matrix *m, int64_t block, quad3 v)
{
    for (int a = 0; a < 3; a++) {
        m->x[3 * block + a] += (double)v.x[a];
    }
}
static inline quad3 rct_mufti_block(const rct_matrix *m, int64_t block)
{
    return quad3_of(m->x + 3 * block);
}

/* What a formulation finds; in its order of labels. f, g: of constraints alone. */
typedef struct rct_mufti_solution {
    const rct_matrix *r, *w; /* [3n][1] r.. and w.                                             */
    const rct_matrix *f, *g; /* [3 hinges][1], or NULL: T2 (M r.. - u1), T2 (I w. - L~ f - u2) */
} rct_mufti_solution;

/* One formulation: the system, reduced and solved. */
typedef rct_mufti_solution rct_mufti_formulation(rct_mufti *s);

rct_mufti_formulation rct_mufti_forces;      /* eqs. 14 and 50: f, lambda                      */
rct_mufti_formulation rct_mufti_mixed;       /* eq. 15: w., f                                  */
rct_mufti_formulation rct_mufti_spins;       /* eq. 16: w., the inverse numerically            */
rct_mufti_formulation rct_mufti_augmented;   /* eq. 28: w., the inverse by the graph           */
rct_mufti_formulation rct_mufti_barycentres; /* eq. 38: w., augmented bodies                   */
rct_mufti_formulation rct_mufti_directions;  /* eq. 49 and Remark 5: r.., w., f, lambda        */
rct_mufti_formulation rct_mufti_torques;     /* eq. 51: w., lambda                             */
rct_mufti_formulation rct_mufti_angles;      /* eq. 61: w.1, gamma..                           */

/* Accelerations and hinge forces of a checked model in the given pose by one of these formulations.
 * RCT_ERROR_UNSUPPORTED names the body whose hinge it does not cover. */
rct_status rct_mufti_evaluate(const rct_model *model, rct_reference reference, double time,
                              const rct_pose *pose, rct_reference_result *result, rct_error *error);

/* Whether the reference is one of these. */
int rct_mufti_knows(rct_reference reference);

/* make.c, give.c */
rct_status rct_mufti_make(rct_mufti *s);
void rct_mufti_give_back(rct_mufti *s, const rct_mufti_solution *solution,
                         rct_reference_result *result);

#endif
