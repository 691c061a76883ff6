/* Shared by the files of sparse aggregates (embedding.h). */
#ifndef RCT_CLOSURE_EMBED_SPARSE_H
#define RCT_CLOSURE_EMBED_SPARSE_H

#include "algebra/sparse_rows.h"
#include "closure/embedding.h"

enum { RCT_EMBED_PANEL = 16 }; /* independent rates whose M X are side by side */

struct rct_embed_sparse {
    rct_pool pool;
    rct_sparse_rows *J;
    double *value;  /* its numbers */
    double *own;    /* [bodies][36] P of each body, with all outboard of the aggregate */
    double *theta;  /* [m] in the order before any choice, unscaled */
    double *effort; /* [m] M theta + K V */
    uint8_t *last;  /* [m] 1: shall be independent */
    int32_t room;   /* independent rates that there is room for, -1: none */
    double *X, *D;  /* those of the block, and */
    double *panel;  /* [RCT_EMBED_PANEL or the room][m] */
};

/* The choice for J S in `value`, whose largest column has the length `most`: the present one, if it
 * serves, or a new one; and X. RCT_ERROR_MEMORY, RCT_ERROR_SINGULAR, RCT_ERROR_UNSUPPORTED. */
rct_status rct_embed_sparse_choose(rct_embedding *e, int32_t number, double most, rct_error *error);

/* The most numbers that the factors of J may have. */
int64_t rct_embed_sparse_most(const rct_embedding *e, int32_t number);

/* RCT_ERROR_UNSUPPORTED: J, or its factors, have too many numbers. */
rct_status rct_embed_sparse_too_full(const rct_embedding *e, int32_t number, rct_error *error);

#endif
