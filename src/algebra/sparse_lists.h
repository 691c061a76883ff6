/* The form of a sparse matrix during elimination (sparse_pivots.c): lists of numbers that grow, and
 * its rows and columns sorted by how many numbers they have. */
#ifndef RCT_ALGEBRA_SPARSE_LISTS_H
#define RCT_ALGEBRA_SPARSE_LISTS_H

#include "core/pool.h"

#include <stdint.h>

/* The columns of the numbers of each row, or the rows of each column. */
typedef struct rct_lists {
    int64_t *start;
    int32_t *count, *room;
    int32_t *item;
    double *value; /* NULL where lists have only items */
    int64_t used, capacity;
    int64_t most; /* items; more are refused */
    const char *what;
    rct_status status; /* RCT_ERROR_MEMORY, RCT_ERROR_UNSUPPORTED after an append that failed */
    rct_error *error;  /* or NULL */
} rct_lists;

/* Empty lists of `size`, with values or without; fixed arrays come from the pool. RCT_ERROR_MEMORY
 * shows in the status. */
rct_lists rct_lists_create(int32_t size, int64_t capacity, int64_t most, int values, rct_pool *pool,
                           rct_error *error);
void rct_lists_free(rct_lists *l);

void rct_lists_append(rct_lists *l, int32_t i, int32_t item, double value);

/* The place of an item in list i, which has it; and remove it. */
int64_t rct_lists_find(const rct_lists *l, int32_t i, int32_t item);
void rct_lists_erase(rct_lists *l, int32_t i, int64_t where);

/* Rows, or columns, sorted by a number of at least 1. */
typedef struct rct_ranks {
    int32_t *head; /* [most + 1], -1: none */
    int32_t *next, *before;
    int32_t *in;    /* the number under which it stands; -1: nowhere */
    int32_t widest; /* the largest number so far */
} rct_ranks;

/* For `size` items and numbers up to `most`; a failure shows in the pool. */
rct_ranks rct_ranks_create(int32_t size, int32_t most, rct_pool *pool, rct_error *error);

/* Enter before the others of its number; number 0: nowhere. */
void rct_ranks_enter(rct_ranks *r, int32_t i, int32_t number);
void rct_ranks_leave(rct_ranks *r, int32_t i);

#endif
