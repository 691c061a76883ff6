/* Columns while they are laid (columns.h): columns.c does paths and places, column_numbers.c the
 * numbers of rows. */
#ifndef RCT_TOPOLOGY_COLUMN_DRAFT_H
#define RCT_TOPOLOGY_COLUMN_DRAFT_H

#include "topology/columns.h"

/* An arrival: what enters on a path, from a loop, or from a path that hangs on it. */
typedef struct rct_column_arrival {
    int64_t row;  /* of links                              */
    int32_t path; /* label of the link that it begins with */
    int32_t sheaf, lane, column;
    int32_t of_row;  /* of J                                                  */
    int32_t end;     /* number, or -1: from a path                            */
    int32_t freedom; /* of a rate, or -1                                      */
    int32_t next;    /* next arrival on the path, outermost first, or -1      */
    int32_t onward;  /* its arrival on the path that the path hangs on, or -1 */
} rct_column_arrival;

/* All columns while they are laid. */
typedef struct rct_column_draft {
    const rct_packing *packing;
    const rct_rows *rows;
    rct_column_arrival *arrivals; /* [room] */
    int32_t count, room;
    int32_t *first; /* [sheaves][W] arrival on each path, or -1 */
    int fits;
    rct_row_columns *out;
} rct_column_draft;

static inline int32_t *rct_columns_take(rct_row_columns *columns, int64_t count, rct_error *error)
{
    return rct_pool_take(&columns->pool, count, sizeof(int32_t), error);
}

/* Two rows of J, row <= column, and where their psi is. */
typedef struct rct_column_meeting {
    int32_t row, column, source;
} rct_column_meeting;

/* Where the poses of links are, and the pose of what each path hangs on, [sheaves][W]; 0: a path
 * hangs on a narrow link, and columns have no pose of it. */
int rct_columns_hang(const rct_packing *packing, rct_row_columns *out, int32_t *hung);

/* Which columns pass each row of links, and where its gains begin, from entries in the order in
 * which they enter. Returns the number of gains. */
int64_t rct_columns_pass(const rct_columns *columns, const rct_sheaves *sheaves, int32_t *alive,
                         int64_t *gain_at);

/* Lambda and sums of rows, from arrivals whose columns are known. RCT_ERROR_MEMORY. */
rct_status rct_columns_lay_numbers(rct_column_draft *draft, rct_error *error);

#endif
