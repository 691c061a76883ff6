/* Constraints of loops for the Lagrangian system, in quadruple precision (seed 004, eqs. 63 to 72), from what a loop
 * asks for (riccatree/loop.h) alone: second derivatives of products of points and axes that move. */
#ifndef RCT_REFERENCE_LAGRANGE_LOOP_ROW_H
#define RCT_REFERENCE_LAGRANGE_LOOP_ROW_H

#include "reference/pose.h"

#include <riccatree/reference.h>

/* One constraint, phi'' = 0: of the accelerations of the mass centres and the angular ones of up to two bodies, and of
 * gamma.. of the hinges in a relation,
 *
 *     sum of r . r.. + w . w. + sum of factor gamma.. + rest = 0
 */
typedef struct rct_loop_row {
    int32_t loop;    /* number in the model                                                      */
    int32_t ends;    /* 0 to 2                                                                   */
    int32_t body[2]; /* ends                                                                     */
    quad3 r[2], w[2];
    quad rest;
} rct_loop_row;

/* Constraints of the active loops. */
int64_t rct_loop_row_count(const rct_model *model);

void rct_loop_row_write(const rct_model *model, const rct_ground *ground, const rct_pose *pose,
                        rct_loop_row *rows);

/* Put first the rows that do not follow from others on the tree, and count them, by QR with pivots. The rest is
 * judged to rounding of the model's numbers: constraints that are dependent but for that are dependent. Dense:
 * RCT_ERROR_UNSUPPORTED above 1 GiB. */
rct_status rct_loop_row_sort(const rct_model *model, const rct_pose *pose, rct_loop_row *rows,
                             int64_t count, int64_t *rank, rct_error *error);

#endif
