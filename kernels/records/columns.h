/* Rows of J of loops as columns of sheaves: what a row takes from the links that its loop holds,
 * carried inward with the links of whole trees. The contract between a layout (topology/columns.h)
 * and the lane kernels (kernels/sweeps/columns.h).
 *
 * A column of a sheaf is E of an open end (kernels/laws/wide_step.h), one in each lane: of row i of
 * J, where the path in that lane has such an end. It enters at a row of links, as the wrench that
 * the row of J takes from a link or as the factor by which it takes a rate. It passes hinge after
 * hinge inward and leaves where its path begins: to the ground, or to the link its path hangs on,
 * where it enters as a column of that path. On the way it gathers
 *
 *     h    J u' of the tree as it accelerates under its loads                (seed 001, eqs. .38, .43)
 *     psi  with each column of its path: J M^-1 J*, summed over paths
 *
 * and leaves with every hinge what a multiplier of 1 gives to the hinge's coordinates. With these,
 * the sweep outward finds the accelerations of the tree under the multipliers without another sweep
 * inward.
 */
#ifndef RCT_KERNELS_RECORDS_COLUMNS_H
#define RCT_KERNELS_RECORDS_COLUMNS_H

#include <stdint.h>

/* Most columns of a sheaf: pairs grow with their square. */
enum { MOST_COLUMNS = 64 };

/* What enters at row `row` of a sheaf, in column `column` of all, in the lanes in `lanes`
 * (bits). */
typedef struct rct_column_entry {
    int64_t row;
    int32_t column;
    int32_t lanes;
} rct_column_entry;

enum {
    COLUMN_WRENCH = 0, /* 6: force and moment about the origin, link axes      */
    COLUMN_EFFORT = 6, /* 6: factors of the rates of the hinge, where any are taken */
    COLUMN_FIELDS = 12
};

typedef struct rct_columns {
    int32_t most;                  /* columns of a sheaf at most              */
    int32_t fields;                /* of what enters: COLUMN_FIELDS, or COLUMN_EFFORT */
    const int32_t *first;          /* [sheaves + 1] columns of a sheaf        */
    const int32_t *first_entry;    /* [sheaves + 1]                           */
    const rct_column_entry *entry; /* outermost rows first, columns ascending */
    /* [columns][W] place in `in` where the column enters again, -1: nowhere */
    const int32_t *onward;
    const int32_t *efforts; /* [columns] whether it has factors of rates in any lane    */
    const int64_t *pair;    /* [sheaves + 1] pairs a <= b of columns, b (b + 1) / 2 + a */
    /* [rows] number of columns of its sheaf that pass this row of links: the first ones */
    const int32_t *alive;
    const int64_t *gain_at; /* [rows] where the gains of a row begin, in numbers of one lane */
    const int32_t *row_of;  /* [columns][W] place of its multiplier                          */
    const int32_t *hung;    /* [sheaves][W] place of the pose of what the path hangs on      */

    double *in;    /* [columns][fields][W] what enters, also from paths                  */
    double *h;     /* [columns][W]                                                       */
    double *terms; /* [columns][W] the sum of the absolute terms of h                    */
    /* [columns][W] the most that the hinges of the column can give to it; NULL: not wanted */
    double *ready;
    /* [columns][W] m^2, the squared length of its system, for `ready`; NULL: all 1 */
    double *square;
    double *psi;   /* [pairs][W]                                                              */
    double *taken; /* [columns][W] J u' of the results of rows, of what enters from loops     */
    double *gains; /* [alive][freedoms][W] a row: what its hinges solve for a multiplier of 1 */
    double *multipliers; /* [1 + rows of J] multipliers, after a leading zero */
    double *poses; /* [rows + 1][fields of rct_pose_of_link][W], the last one is the ground's */
} rct_columns;

/* Scratch behind that of a group. For each column of a sheaf: E, then what hinges take of it.
 * Then what solves a hinge: rows of C^-1, or 1 / S_kk on its diagonal. Counted in numbers of
 * one lane. */
enum { COLUMN_E = 0, COLUMN_SOLVED = 6, COLUMN_SCRATCH = 12, COLUMN_PIVOTS = 36 };

static inline int64_t rct_columns_scratch(const rct_columns *c)
{
    return (int64_t)c->most * COLUMN_SCRATCH + COLUMN_PIVOTS;
}

#endif
