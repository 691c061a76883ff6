/* Plain transfer matrix products of seed 000 for trees of ball and fixed hinges: chains by eqs. 18-19, branches by eqs. 7-17. */
#ifndef RCT_REFERENCE_TRANSFER_TRANSFER_H
#define RCT_REFERENCE_TRANSFER_TRANSFER_H

#include "core/pool.h"
#include "reference/pose.h"

#include <riccatree/reference.h>

/* ---- element matrices (matrix.c): 13x13, on states z = (r.., W., m, q, 1) (eqs. 1-2) ---------- */

/* Where the parts of a state begin: acceleration, angular acceleration, moment, force, and the 1. */
enum { STATE_R = 0, STATE_W = 3, STATE_M = 6, STATE_Q = 9, STATE_ONE = 12, STATE_SIZE = 13 };

typedef struct rct_transfer_matrix {
    double u[STATE_SIZE][STATE_SIZE];
} rct_transfer_matrix;

/* Eq. 4: the body from its first input end I_1, given in body axes, to its output end O, its
 * origin, under external force and moment f_C, m_C. */
void rct_transfer_body(const rct_body *body, const rct_pose *pose, const double input[3],
                       const rct_load *load, rct_transfer_matrix *matrix);

/* The additional columns of eq. 8, for m and q of another input end I_k of the body. */
void rct_transfer_input(const rct_pose *pose, const double input[3], rct_transfer_matrix *matrix);

/* Eqs. 14, 16, 17: the rows r.. are the acceleration of input end I_k, from the state of input
 * end I_1. */
void rct_transfer_geometry(const rct_pose *pose, const double first[3], const double input[3],
                           rct_transfer_matrix *matrix);

/* Eq. 10, and with several inputs eqs. 12 and 13: matrix [inputs] of the smooth hinges whose
 * outboard body, the next towards the root, has the matrix `outboard`, and `input` [inputs] of
 * rct_transfer_input, from input[1] on. Their products with the states of the inputs add up to
 * the state at I_1. Returns 0 if u_{3,2} is singular to rounding. */
int rct_transfer_hinge(const rct_transfer_matrix *outboard, int inputs,
                       const rct_transfer_matrix *input, rct_transfer_matrix *matrix);

/* ---- trees of them (tree.c) ------------------------------------------------------------------- */

enum { TRANSFER_MOST_TIPS = 200 };

typedef struct rct_transfer_tree {
    const rct_model *model;
    const rct_pose *pose;     /* [n]                                                            */
    const rct_load *load;     /* [n] loads on the bodies, including dampers of hinges           */
    const rct_ground *ground; /*                                                                */
    int32_t tips;             /* bodies that carry none                                         */
    int32_t most;             /* inputs of a body                                               */
    int32_t *order;           /* [n] body ids, children before parents                          */
    int32_t *first,
        *next;        /* [n] the first body that hangs on this one, and its next sibling; or -1 */
    int32_t *front;   /* [n] the tip from which its first inputs lead to it              */
    int64_t *anew;    /* [n] the first of three unknowns W. of its own, or -1            */
    int64_t unknowns; /* r.. and W. of the tips, 6 each, then these                      */
    rct_transfer_matrix
        *matrix; /* [2 most] room for the matrices of a body and its hinges         */
    rct_pool pool;
} rct_transfer_tree;

/* RCT_ERROR_UNSUPPORTED for more unknowns than those of TRANSFER_MOST_TIPS, RCT_ERROR_MEMORY.
 * Empty the pool in any case. */
rct_status rct_transfer_tree_make(rct_transfer_tree *tree, rct_error *error);

/* States with `width` numbers each instead of one, affine in the unknowns: one column for each
 * unknown, those of tip t from 6 t on, and a last column for the constant part. */
typedef struct rct_transfer_states {
    int64_t
        width; /* unknowns + 1, or 1: the states themselves                                      */
    const double
        *x;    /* [unknowns] if the states are computed                                      */
    double *z; /* [tips][13][width] of the fronts                                                */
    double
        *rows; /* [count][width] of eq. 56: the residuals of the states, all to vanish            */
    int64_t
        count; /* unknowns                                                                       */
    /* the number of rows so far: of accelerations, from the first row on; of others, from the
     * last row on */
    int64_t accelerations, others;
} rct_transfer_states;

/* From the tips to the roots, given z at the tips' free ends: eqs. 3, 7, 11 for every element,
 * and the rows. The rows are r.. or q at the roots' outputs; eq. 15 at the multi-hinges, and W.
 * where a hinge is fixed; and m_O = 0 of bodies on smooth hinges for which eq. 10 does not give
 * it: tips, and bodies to which others are fixed. `visit`, which may be NULL, gets z_O of every
 * body. RCT_ERROR_SINGULAR names the body whose u_{3,2} cannot be inverted; or the status of
 * `visit`. */
typedef rct_status rct_transfer_visit(void *at, int32_t body, const double *z, rct_error *error);
rct_status rct_transfer_pass(const rct_transfer_tree *tree, rct_transfer_states *states,
                             rct_transfer_visit *visit, void *at, rct_error *error);

/* ---- a model (transfer.c) ---------------------------------------------------------------------- */

/* Accelerations and hinge forces of a checked model in the given pose [n], with all digits that
 * the plain product keeps. `residual` is the remaining acceleration at roots and multi-hinges,
 * relative to the largest of any hinge point. */
rct_status rct_transfer_evaluate(const rct_model *model, double time, const rct_pose *pose,
                                 rct_reference_result *result, rct_error *error);

#endif
