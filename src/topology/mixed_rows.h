/* Writing the rows of a mixed packing: what mixed_packing.c places, as the kernels read it. */
#ifndef RCT_TOPOLOGY_MIXED_ROWS_H
#define RCT_TOPOLOGY_MIXED_ROWS_H

#include "topology/mixed_packing.h"

/* Groups, sheaves and rows; owned by the rows that are written from it. */
typedef struct rct_mixed_layout {
    int32_t lanes;
    int64_t room; /* sheaves */
    int32_t groups, bushes, hanging, narrow_end, count;
    int32_t *first_sheaf;
    int64_t *first_row;
    int8_t *narrow;      /* [count] sheaves that are */
    int32_t link_fields; /* constants of a link      */
} rct_mixed_layout;

/* Links whose places packing->at gives (one lane: as ~row) into `rows`. */
rct_status rct_mixed_rows_write(rct_mixed_rows *rows, const rct_mixed_packing *packing,
                                const rct_mixed_layout *layout, rct_error *error);

/* The numbers of the plan, which has been renewed, or is new: constants, neutral states. RCT_ERROR_MEMORY, then only to
 * be released. */
rct_status rct_mixed_rows_renew(rct_mixed_rows *rows, const rct_plan *plan, rct_error *error);
void rct_mixed_rows_release(rct_mixed_rows *rows);
int64_t rct_mixed_rows_bytes(const rct_mixed_rows *rows);

/* The hinge types of rows whose labels are written, by those of links: kinds, coordinates, where states and results of rows
 * begin, the size of their scratch. RCT_ERROR_MEMORY. */
rct_status rct_mixed_rows_kinds(rct_mixed_rows *rows, const int32_t *kind_of, rct_error *error);

/* The label of the only link of the trunk, or of a segment or task, that hangs on the last link of a segment; or one of
 * these. */
enum { RCT_NONE_FOLLOWS = -1, RCT_SEVERAL_FOLLOW = -2 };
int32_t rct_mixed_follows(const rct_partition *partition, int32_t segment);

/* Whether the path of `count` links from `first` on is narrow; whether a segment is, with its end. */
int rct_narrow_path(const rct_plan *plan, int32_t first, int32_t count);
int rct_narrow_segment(const rct_plan *plan, const rct_partition *partition, int32_t segment);

/* The trunk, once rows are written; RCT_ERROR_MEMORY. */
rct_status rct_mixed_build_trunk(rct_mixed_packing *packing, rct_error *error);

/* What stands in for what follows the segments, and where the hinges are on that. */
void rct_mixed_write_ends(const rct_mixed_packing *packing);

/* The sheaf a row is in. */
int32_t rct_mixed_rows_sheaf(const rct_mixed_rows *rows, int64_t row);

/* Where the record of the path is whose first link stands at row * lanes + lane. */
int64_t rct_mixed_rows_path(const rct_mixed_rows *rows, int64_t at);

#endif
