/* L D L* of a sparse positive definite matrix (sparse_system.h). The first unknowns are eliminated
 * one after the other (LDL). The last ones, of which nearly all are coupled by then, are eliminated
 * at once as one dense matrix (dense.h). The places of the numbers alone decide where the dense
 * part begins. */
#ifndef RCT_ALGEBRA_DEFINITE_H
#define RCT_ALGEBRA_DEFINITE_H

#include "core/pool.h"

#include <stdint.h>

typedef struct rct_definite {
    int64_t size, lead; /* unknowns; those before the dense ones */
    int64_t *start,
        *row; /* of the owner, the upper triangle by columns, in the order of elimination */
    int64_t *parent, *path, *flag; /* [size] each */
    int64_t *L_start; /* [size + 1] L by columns: those of the lead, with rows of the tail */
    int64_t *filled, *within; /* [size] how many numbers of a column are known, and in the lead */
    int64_t *L_row;           /* [L_start[lead]], as L */
    double *L, *D, *right;    /* D and right: [size] */
    double *tail;             /* [size - lead][size - lead] its factor: a lower triangle by rows */
} rct_definite;

/* Prepare for numbers at start and row; `parts` gives the memory, and the owner frees it.
 * RCT_ERROR_MEMORY. */
rct_status rct_definite_prepare(rct_definite *d, int64_t size, int64_t *start, int64_t *row,
                                rct_pool *parts, rct_error *error);

/* Returns 0 if a pivot is 0 or not finite. */
int rct_definite_factor(rct_definite *d, double *value);

/* x [size], in the order of elimination. */
void rct_definite_solve(rct_definite *d, double *x);

#endif
