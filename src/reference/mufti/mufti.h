/* The system of Mufti (seed 004) in matrices, for the formulations that reduce it: names, signs
 * and labels of the paper, bodies and hinges regularly labelled, vectors in inertial axes. */
#ifndef RCT_REFERENCE_MUFTI_MUFTI_H
#define RCT_REFERENCE_MUFTI_MUFTI_H

#include "reference/algebra.h"
#include "reference/lagrange/lagrange.h"
#include "reference/pose.h"

#include <riccatree/reference.h>

enum { MUFTI_MOST_BODIES = 2000 };

/* Columns of constraints: a force and a torque on body j- at hinge j (for loops: those of
 * relations), and their total on the bodies. */
typedef struct rct_mufti_constraints {
    rct_matrix *force, *torque; /* [3 hinges][count]                                              */
    rct_matrix *H_r, *H_w;      /* [3n][count] C force and L~ force + C torque, and loops' ends   */
    rct_matrix *rest;           /* [count][1] force^T u3 + torque^T P_dot, and loops' own         */
} rct_mufti_constraints;

/* Parents come before children (section 2). Hinge j leads to body arc[i] = j. A free body has no
 * hinge, so it is the root b_1 of its own tree; bodies on the ground hang on b_0 (Remark 3).
 * Blocks are 3x3. */
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
    int32_t *root;            /* [n] number of the free body at the root of b_i, or -1: b_0    */

    rct_matrix *M, *I;     /* [3n][3n]                                                         */
    rct_matrix *C, *L;     /* [3n][3 hinges] elements c_ij E_3 and c_ij (R_i l_ij)~            */
    rct_matrix *T2;        /* [3 hinges][3n] eq. 24: -1 where hinge k is on the path to b_l    */
    rct_matrix *ones;      /* [3n][3 roots] 1_n of eq. 25 for each free root                   */
    rct_matrix *P;         /* [3 hinges][..] eq. 43; E_3 for a ball hinge                      */
    rct_matrix *Q, *Q_bar; /* [3 hinges][..] directions of constraint torques and forces       */
    rct_matrix *P_dot;     /* [3 hinges][1] P. gamma., w. of the ground included               */
    rct_matrix *u1, *u2;   /* [3n][1] F and G + C g - h^, with f and g of joint forces         */
    rct_matrix *u3;        /* [3 hinges][1] L^^T 1_n, and the terms of joints and the ground   */
    rct_matrix *f, *g;     /* [3 hinges][1] joint forces and torques, which are in u1 and u2   */

    /* Constraints one by one, H^T (r.., w.) + rest = 0: eqs. 48, 8 and Remark 5, of hinges and then of loops (eqs. 62 to 66). */
    rct_mufti_constraints tree, loops;
    rct_loop_row *row; /* [loops] the first `independent` ones do not follow from others   */
    int64_t independent;
} rct_mufti;

/* Vectors as blocks of a column: add v, or read one. */
static inline void rct_mufti_add_to(rct_matrix *m, int64_t block, int64_t column, quad3 v)
{
    for (int a = 0; a < 3; a++) {
        m->x[(3 * block + a) * m->columns + column] += (double)v.x[a];
    }
}
static inline void rct_mufti_add(rct_matrix *m, int64_t block, quad3 v)
{
    rct_mufti_add_to(m, block, 0, v);
}
static inline quad3 rct_mufti_block_of(const rct_matrix *m, int64_t block, int64_t column)
{
    const double *x = m->x + 3 * block * m->columns + column;
    return (quad3){{x[0], x[m->columns], x[2 * m->columns]}};
}
static inline quad3 rct_mufti_block(const rct_matrix *m, int64_t block)
{
    return rct_mufti_block_of(m, block, 0);
}

/* The result of a formulation, in its order of labels, with a column for each of u1, u2, u3 and
 * P_dot. f, g: only of the constraints of hinges. */
typedef struct rct_mufti_solution {
    const rct_matrix *r, *w; /* [3n][..] r.. and w.                                             */
    const rct_matrix *f, *g; /* [3 hinges][..], or NULL: T2 (M r.. - u1), T2 (I w. - L~ f - u2) */
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
rct_mufti_formulation rct_mufti_gauss;       /* eqs. 39, 63, A-11: only accelerations */

/* Accelerations and hinge forces of a checked model in the given pose by one of these
 * formulations. RCT_ERROR_UNSUPPORTED names the body whose hinge it does not cover. */
rct_status rct_mufti_evaluate(const rct_model *model, rct_reference reference, double time,
                              const rct_pose *pose, rct_reference_result *result, rct_error *error);

/* Whether the reference is one of these. */
int rct_mufti_knows(rct_reference reference);

/* make.c, close.c, give.c. Constraints of the tree and the active loops. Closing by eq. 73: the
 * effect of each constraint of a loop on the tree is a further column of u1 and u2. Once these
 * columns are solved too, its multiplier is found and added to u1, u2, f, g and the solution,
 * which then has one column. */
rct_status rct_mufti_make(rct_mufti *s);
void rct_mufti_constrain(rct_mufti *s);
void rct_mufti_open(rct_mufti *s);
void rct_mufti_close(rct_mufti *s, rct_mufti_solution *solution);

/* Apply multipliers [independent][1] of the loops' constraints, as rct_mufti_close does. */
void rct_mufti_exert(rct_mufti *s, const rct_matrix *lambda);

/* Whether the accelerations also close the loops that were left out; RCT_ERROR_LOOP names one
 * that they do not. */
rct_status rct_mufti_expect_loops(rct_mufti *s, const rct_mufti_solution *solution);

/* J = (M 0; 0 I), after eq. 49. */
rct_matrix *rct_mufti_J(rct_mufti *s);

/* Gaussian elimination of the positive definite A x = b; x replaces b. */
void rct_mufti_eliminate(int n, quad A[3][3], quad b[3]);

/* `count` columns of m from `first` on. */
rct_matrix *rct_mufti_columns(rct_algebra *a, const rct_matrix *m, int64_t first, int64_t count);

void rct_mufti_give_back(rct_mufti *s, const rct_mufti_solution *solution,
                         rct_reference_result *result);

#endif
