/* Pairs of columns on paths, of which numbers of rows are made (columns.h). */
#ifndef RCT_TOPOLOGY_COLUMN_MEETING_H
#define RCT_TOPOLOGY_COLUMN_MEETING_H

#include "topology/columns.h"

/* Rows, row <= column, and where psi of the two is. */
typedef struct rct_column_meeting {
    int32_t row, column, source;
} rct_column_meeting;

/* Rows, columns and sources of the numbers of all meetings. `room`: [3 count + rows + 1]. */
void rct_row_columns_number(rct_row_columns *columns, const rct_column_meeting *all, int32_t count,
                            int32_t *room);

/* Where poses of links are, and of what each path hangs on, [sheaves][W]; 0: that is a narrow link, of which columns have none. */
int rct_columns_hang(const rct_packing *packing, rct_row_columns *out, int32_t *hung);

/* Which columns pass each row of links, and where their gains begin, from entries in the order in which they come in; how many gains
 * there are. */
int64_t rct_columns_pass(const rct_columns *columns, const rct_sheaves *sheaves, int32_t *alive,
                         int64_t *gain_at);

#endif
