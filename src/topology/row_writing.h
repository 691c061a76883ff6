/* Shared by the files that write the rows of a packing. */
#ifndef RCT_TOPOLOGY_ROW_WRITING_H
#define RCT_TOPOLOGY_ROW_WRITING_H

#include "topology/planting.h"
#include "topology/rows.h"

/* The role of a link. */
enum { ON_TRUNK = 0, IN_TASK, TASK_ROOT, TASK_BESIDE, IN_SEGMENT, SEGMENT_FIRST };

typedef struct rct_writing {
    rct_rows *rows;
    const rct_packing *packing;
    const rct_links *links;
    int8_t *role; /* [links] */
} rct_writing;

static inline int starts_path(const rct_writing *w, int32_t i)
{
    return w->role[i] != IN_SEGMENT && (w->role[i] != IN_TASK || rct_begins_path(w->links, i));
}

/* Whether link i begins a path that hangs on a link in lanes. */
static inline int is_kid(const rct_writing *w, int32_t i)
{
    return w->role[i] == TASK_BESIDE || (w->role[i] == IN_TASK && rct_begins_path(w->links, i));
}

/* The place of link i in these rows, or -1. */
static inline int64_t place_of(const rct_writing *w, int32_t i)
{
    const int64_t at = w->packing->at[i];
    return w->role[i] == ON_TRUNK ? (w->rows == &w->packing->links ? ~at : -1)
                                  : (w->rows == &w->packing->lanes ? at : -1);
}

/* Whether link i begins a path in a narrow sheaf that hangs on a link in a narrow sheaf, of the
 * same bush or of a segment. */
int rct_writing_is_twig(const rct_writing *w, int32_t i);

/* Writes the paths that hang on links in lanes; RCT_ERROR_MEMORY. */
rct_status rct_write_kids(const rct_writing *w, rct_error *error);

#endif
