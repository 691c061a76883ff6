/* Rows of J of loops as columns of sheaves: what a row takes from the links that its loop holds, carried inward with the links of
 * whole trees. The contract between a layout (topology/columns.h) and the lane kernels (kernels/sweeps/columns.h).
 *
 * A column of a sheaf is E of an open end (kernels/laws/wide_step.h), one in each lane: of row i of J, where the path in that
 * lane has such an end. It comes in at a row of links, as the wrench that the row of J takes from a link or as the factor with
 * which it takes a rate, passes hinge after hinge inward, and leaves where its path begins: to the ground, or to the link its path
 * hangs on, where it comes in as a column of that path. On the way it gathers
 *
 *     h    J u' of the tree as it accelerates under its loads                (seed 001, eqs. .38, .43)
 *     psi  with each column of its path: J M^-1 J*, summed over paths
 *
 * and leaves with every hinge what the coordinates of that are given for a multiplier of 1, so that the sweep outward finds how the
 * tree accelerates under the multipliers without another inward.
 */
#ifndef RCT_KERNELS_RECORDS_COLUMNS_H
#define RCT_KERNELS_RECORDS_COLUMNS_H

#include <stdint.h>

/* What comes in at row `row` of a sheaf, to column `column` of all, in the lanes in `lanes` (bits). */
typedef struct rct_column_entry {
    int64_t row;
    int32_t column;
    int32_t lanes;
} rct_column_entry;

enum {
    COLUMN_WRENCH = 0, /* 6: force and moment about the origin, link axes                    */
    COLUMN_EFFORT = 6, /* 6: factors of the rates of the hinge, in their order               */
    COLUMN_FIELDS = 12
};

typedef struct rct_columns {
    int32_t most;         /* columns of a sheaf                                              */
    const int32_t *first; /* [sheaves + 1] columns of a sheaf                                */
    const int32_t
        *first_entry; /* [sheaves + 1]                                                   */
    const rct_column_entry
        *entry;             /* outermost rows first, columns ascending                         */
    const int32_t *onward;  /* [columns][W] place in `in` where it comes in again, -1: nowhere */
    const int32_t *efforts; /* [columns] whether it has factors of rates in any lane           */
    const int64_t *pair;    /* [sheaves + 1] pairs a <= b of columns, b (b + 1) / 2 + a        */
    const int32_t *alive; /* [rows] columns of its sheaf that pass a row of links: the first ones */
    const int64_t *gain_at; /* [rows] where the gains of a row begin, numbers a lane           */
    const int32_t *row_of;  /* [columns][W] place of its multiplier                            */
    const int32_t *hung;    /* [sheaves][W] place of the pose of what the path hangs on        */

    double
        *in; /* [columns][COLUMN_FIELDS][W] what comes in, also from paths                       */
    double *h; /* [columns][W]                                                                    */
    double *
        terms; /* [columns][W] the sum of the absolute terms of h                                 */
    double *
        ready; /* [columns][W] what its hinges could give to it at most                           */
    double *
        square; /* [columns][W] m^2, of the length of its system: of what hinges could give; NULL: all 1 */
    double
        *psi; /* [pairs][W]                                                                      */
    double *
        taken; /* [columns][W] J u' of the results of rows, of what comes in from loops           */
    double *
        gains; /* [alive][freedoms][W] a row: what its hinges solve for a multiplier of 1         */
    double *multipliers; /* [1 + rows of J] behind one of zero                                    */
    double *poses; /* [rows + 1][fields of rct_pose_of_link][W], the last that of the ground      */
} rct_columns;

/* Scratch behind that of a group: E, then what hinges take of it, of the columns of a sheaf; then what solves a hinge, rows of C^-1,
 * or 1 / S_kk on its diagonal. Numbers a lane. */
enum { COLUMN_E = 0, COLUMN_SOLVED = 6, COLUMN_SCRATCH = 12, COLUMN_PIVOTS = 36 };

static inline int64_t rct_columns_scratch(const rct_columns *c)
{
    return (int64_t)c->most * COLUMN_SCRATCH + COLUMN_PIVOTS;
}

#endif
