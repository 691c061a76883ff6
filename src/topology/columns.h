/* Columns of sheaves for rows of J (kernels/records/columns.h): which row comes in where, and where its numbers are found again.
 * For packings of whole trees whose sheaves are wide. */
#ifndef RCT_TOPOLOGY_COLUMNS_H
#define RCT_TOPOLOGY_COLUMNS_H

#include "core/pool.h"
#include "topology/packing.h"

/* Columns of a sheaf at most: pairs grow with their square. */
enum { MOST_COLUMNS = 64 };

/* Row `row` takes something from link `link`: its acceleration by a wrench or, where freedom >= 0, a rate of its hinge. */
typedef struct rct_column_end {
    int32_t row, link, freedom;
} rct_column_end;

typedef struct rct_row_columns {
    rct_columns columns; /* its arrays are owned */
    double *square;      /* that of columns, where any is not 1 */
    int32_t lanes, rows;
    int64_t ends;
    int64_t *
        pose_at; /* [links] where their poses are in columns.poses, numbers `lanes` apart; narrow ones have none */
    int64_t ground_pose; /* and that of the ground */
    int64_t
        *place; /* [ends] where the numbers of an end come in, in columns.in, lanes apart         */

    /* J M^-1 J*: numbers row <= column, of each the places in columns.psi that are added up */
    int64_t numbers;
    int64_t *row, *column; /* [numbers]                                                       */
    int64_t *source_at;    /* [numbers + 1]                                                    */
    int32_t *source;
    double *value; /* [numbers] of the last sweep                                              */

    int32_t *
        of_row_at; /* [rows + 1] places in columns.h, ready and square of each row: all of its columns        */
    int32_t *of_row;
    int32_t
        *taken_at; /* [rows + 1] of these those whose numbers come from loops                  */
    int32_t *taken;
    rct_pool pool;
} rct_row_columns;

/* NULL to `columns` where they cannot be: ends are on narrow sheaves or on the trunk, or too many on one path.
 * RCT_ERROR_MEMORY. */
rct_status rct_row_columns_create(const rct_packing *packing, const rct_column_end *ends,
                                  int64_t count, int32_t rows, rct_row_columns **columns,
                                  rct_error *error);
void rct_row_columns_free(rct_row_columns *columns);
int64_t rct_row_columns_bytes(const rct_row_columns *columns);

/* What comes in at end `end` of a rate; wrenches are put by a kernel (rct_wrench_kernel). */
static inline void rct_row_columns_put_factor(const rct_row_columns *c, int64_t end,
                                              int32_t freedom, double factor)
{
    c->columns.in[c->place[end] + (int64_t)(COLUMN_EFFORT + freedom) * c->lanes] = factor;
}

/* The length of the system of a row, m, 1 where none is told. */
static inline void rct_row_columns_measure(rct_row_columns *c, int32_t row, double length)
{
    c->columns.square = length != 1.0 ? c->square : c->columns.square;
    for (int32_t k = c->of_row_at[row]; k < c->of_row_at[row + 1]; k++) {
        c->square[c->of_row[k]] = length * length;
    }
}

/* Of the last sweep: J M^-1 J* to `value`, and that times `lambda` [rows]; J u' less gravity [rows], the sum of its absolute terms,
 * and what hinges could give to each row at most. Of what was taken from results: J u' less gravity. */
void rct_row_columns_admit(const rct_row_columns *columns);
void rct_row_columns_apply(const rct_row_columns *columns, const double *lambda, double *out);
void rct_row_columns_gap(const rct_row_columns *columns, double *accelerations);
void rct_row_columns_terms(const rct_row_columns *columns, double *terms);
void rct_row_columns_ready(const rct_row_columns *columns, double *ready);
void rct_row_columns_taken(const rct_row_columns *columns, double *accelerations);

#endif
