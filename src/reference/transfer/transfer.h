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

/* Eq. 4: the body from its first input end I_1, given in body axes, to its output end O, its origin, under external force and
 * moment f_C, m_C. */
void rct_transfer_body(const rct_body *body, const rct_pose *pose, const double input[3],
                       const rct_load *load, rct_transfer_matrix *matrix);

/* The columns that eq. 8 has besides, for m and q of another input end I_k of the body. */
void rct_transfer_input(const rct_pose *pose, const double input[3], rct_transfer_matrix *matrix);

/* Eqs. 14, 16, 17: in its rows r.. the acceleration of input end I_k, from the state of input end I_1. */
void rct_transfer_geometry(const rct_pose *pose, const double first[3], const double input[3],
                           rct_transfer_matrix *matrix);

/* Eq. 10, and with several inputs eqs. 12 and 13: matrix [inputs] of the smooth hinges whose outboard body, the next towards
 * the root, has the matrix `outboard`, and `input` [inputs] of rct_transfer_input, from input[1] on. Their products with
 * the states of the inputs add up to the state at I_1. Gives 0 if u_{3,2} is singular to rounding. */
int rct_transfer_hinge(const rct_transfer_matrix *outboard, int inputs,
                       const rct_transfer_matrix *input, rct_transfer_matrix *matrix);

/* ---- trees of them (tree.c) ------------------------------------------------------------------- */

enum { TRANSFER_MOST_TIPS = 200 };

typedef struct rct_transfer_tree {
    const rct_model *model;
    const rct_pose *pose;     /* [n]                                                            */
    const rct_load *load;     /* [n] what acts on the bodies, dampers of hinges among it        */
    const rct_ground *ground; /*                                                                */
    int32_t tips;             /* bodies that carry none                                         */
    int32_t most;             /* inputs of a body                                               */
    int32_t *order;           /* [n] body ids, all before what they hang on                     */
    int32_t *first,
        *next;        /* [n] the first body that hangs on this one, the next one beside; or -1 */
    int32_t *front;   /* [n] the tip from which its first inputs lead to it              */
    int64_t *anew;    /* [n] the first of three unknowns W. of its own, or -1            */
    int64_t unknowns; /* r.. and W. of the tips, 6 each, then these                      */
    rct_transfer_matrix
        *matrix; /* [2 most] room for those of one body and its hinges              */
    rct_pool pool;
} rct_transfer_tree;

/* RCT_ERROR_UNSUPPORTED for more unknowns than those of TRANSFER_MOST_TIPS, RCT_ERROR_MEMORY. The pool is to be emptied in any case. */
rct_status rct_transfer_tree_make(rct_transfer_tree *tree, rct_error *error);

/* States of `width` numbers in place of one, affine in what is unknown: a column is what one unknown makes, those of tip t
 * from 6 t on, the last one what is there without any. */
typedef struct rct_transfer_states {
    int64_t
        width; /* unknowns + 1, or 1: the states themselves                                      */
    const double
        *x;    /* [unknowns] in the states themselves                                        */
    double *z; /* [tips][13][width] of the fronts                                                */
    double
        *rows; /* [count][width] of eq. 56, all to vanish: what states miss of them               */
    int64_t
        count; /* unknowns                                                                       */
    /* how many of the rows there are so far: of accelerations from the first on, of others from the last on */
    int64_t accelerations, others;
} rct_transfer_states;

/* From the tips to the roots, with z at the tips' free ends given: eqs. 3, 7, 11 for every element, and the rows. These
 * are r.. or q at the roots' outputs, eq. 15 at the multi-hinges, W. besides where a hinge is fixed, and m_O = 0 of bodies on smooth
 * hinges that eq. 10 does not give: tips, and those that others are fixed to. `visit`, which may be NULL, is
 * given z_O of every body. RCT_ERROR_SINGULAR names the body whose u_{3,2} cannot be inverted, or what visit returns. */
typedef rct_status rct_transfer_visit(void *at, int32_t body, const double *z, rct_error *error);
rct_status rct_transfer_pass(const rct_transfer_tree *tree, rct_transfer_states *states,
                             rct_transfer_visit *visit, void *at, rct_error *error);

/* ---- a model (transfer.c) ---------------------------------------------------------------------- */

/* Accelerations and hinge forces of a checked model in the given pose [n], with all digits the plain product leaves. `residual`
 * is the acceleration that is left over at roots and multi-hinges, relative to the largest of any hinge point. */
rct_status rct_transfer_evaluate(const rct_model *model, double time, const rct_pose *pose,
                                 rct_reference_result *result, rct_error *error);

#endif
