/* What the files of sparse aggregates share (embedding.h). */
#ifndef RCT_CLOSURE_EMBED_SPARSE_H
#define RCT_CLOSURE_EMBED_SPARSE_H

#include "algebra/sparse_rows.h"
#include "closure/embedding.h"

enum { RCT_EMBED_PANEL = 16 }; /* independent rates whose M X stands side by side */

struct rct_embed_sparse {
    rct_pool pool;
    rct_sparse_rows *J;
    double *value;  /* its numbers                                                             */
    double *own;    /* [bodies][36] P of each body, what hangs on it from outside included      */
    double *theta;  /* [m] in the order before any choice, as is                               */
    double *effort; /* [m] M theta + K V                                                       */
    uint8_t *last;  /* [m] 1: to be independent                                                */
    int32_t room;   /* independent rates for which there is, -1: none                          */
    double *X, *D;  /* those of the block, and                                                 */
    double *panel;  /* [RCT_EMBED_PANEL or the room][m]                                        */
};

/* The choice for J S in `value`, whose largest column is `most` long: that which there is, if it serves, or a new one; X.
 * RCT_ERROR_MEMORY, RCT_ERROR_SINGULAR, RCT_ERROR_UNSUPPORTED. */
rct_status rct_embed_sparse_choose(rct_embedding *e, int32_t number, double most, rct_error *error);

/* How many numbers the factors of J may have. */
int64_t rct_embed_sparse_most(const rct_embedding *e, int32_t number);

/* RCT_ERROR_UNSUPPORTED: J, or its factors, have too many numbers. */
rct_status rct_embed_sparse_too_full(const rct_embedding *e, int32_t number, rct_error *error);

#endif
