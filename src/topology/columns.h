/* Columns of sheaves for rows of J (kernels/records/columns.h): which row enters where, and where
 * its numbers are found later. For packings of whole trees whose sheaves are wide. */
#ifndef RCT_TOPOLOGY_COLUMNS_H
#define RCT_TOPOLOGY_COLUMNS_H

#include "core/pool.h"
#include "topology/packing.h"
#include "topology/sums.h"

/* Row `row` takes something from link `link`: its acceleration by a wrench or, where freedom >= 0,
 * a rate of its hinge. */
typedef struct rct_column_end {
    int32_t row, link, freedom;
} rct_column_end;

typedef struct rct_row_columns {
    rct_columns columns; /* its arrays are owned               */
    double *square;      /* columns.square, where any is not 1 */
    double *ready;       /* columns.ready, where it is wanted  */
    int32_t lanes, rows;
    int64_t ends;
    /* [links] where their poses are in columns.poses, numbers `lanes` apart; narrow ones have
     * none */
    int64_t *pose_at;
    int64_t ground_pose; /* the place of the ground's                                        */
    int64_t *place;      /* [ends] where the numbers of an end enter columns.in, lanes apart */

    /* J M^-1 J*: numbers row <= column; each is a sum of places in columns.psi */
    int64_t numbers;
    int32_t *row, *column; /* [numbers]                   */
    double *value;         /* [numbers] of the last sweep */
    rct_sums of_numbers;

    /* [rows] of the last sweep: J u' less gravity, and the sum of its absolute terms */
    double *gap, *terms;

    /* [rows + 1] places in columns.h, ready and square of each row: all of its columns */
    int32_t *of_row_at;
    int32_t *of_row;
    rct_sums of_rows;
    rct_sums of_taken; /* those of them whose numbers come from loops */
    rct_pool pool;
} rct_row_columns;

/* `columns` is NULL where they are impossible: ends are on narrow sheaves or on the trunk, or too
 * many are on one path. RCT_ERROR_MEMORY. */
rct_status rct_row_columns_create(const rct_packing *packing, const rct_column_end *ends,
                                  int64_t count, int32_t rows, rct_row_columns **columns,
                                  rct_error *error);
void rct_row_columns_free(rct_row_columns *columns);
int64_t rct_row_columns_bytes(const rct_row_columns *columns);

/* Puts the factor of a rate at end `end`; a kernel puts wrenches (rct_wrench_kernel). */
static inline void rct_row_columns_put_factor(const rct_row_columns *c, int64_t end,
                                              int32_t freedom, double factor)
{
    c->columns.in[c->place[end] + (int64_t)(COLUMN_EFFORT + freedom) * c->lanes] = factor;
}

/* Sets the length of the system of a row, m; 1 where none is set. */
static inline void rct_row_columns_measure(rct_row_columns *c, int32_t row, double length)
{
    c->columns.square = length != 1.0 ? c->square : c->columns.square;
    for (int32_t k = c->of_row_at[row]; k < c->of_row_at[row + 1]; k++) {
        c->square[c->of_row[k]] = length * length;
    }
}

/* From the last sweep: admit, J M^-1 J* to `value`, and the numbers of rows; ready, the most [rows]
 * that hinges could give to each row; apply, J M^-1 J* times `lambda` [rows]; taken, J u' less
 * gravity from what was taken from results. */
void rct_row_columns_admit(rct_row_columns *columns);
void rct_row_columns_ready(const rct_row_columns *columns, double *most);
void rct_row_columns_apply(const rct_row_columns *columns, const double *lambda, double *out);
void rct_row_columns_taken(const rct_row_columns *columns, double *accelerations);

#endif
