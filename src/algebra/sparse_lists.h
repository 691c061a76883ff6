/* What a sparse matrix is while it is eliminated (sparse_pivots.c): lists of numbers that grow, and its rows and columns by how
 * many numbers they have. */
#ifndef RCT_ALGEBRA_SPARSE_LISTS_H
#define RCT_ALGEBRA_SPARSE_LISTS_H

#include "core/pool.h"

#include <stdint.h>

/* Of each row the columns of its numbers, or of each column the rows. */
typedef struct rct_lists {
    int64_t *start;
    int32_t *count, *room;
    int32_t *item;
    double *value; /* NULL where items are all */
    int64_t used, capacity;
    int64_t most; /* items: more are refused */
    const char *what;
    rct_status status; /* RCT_ERROR_MEMORY, RCT_ERROR_UNSUPPORTED after an append that failed */
    rct_error *error;  /* or NULL */
} rct_lists;

/* Empty ones of `size`, with values or without, what is fixed of the pool. RCT_ERROR_MEMORY shows in the status. */
rct_lists rct_lists_create(int32_t size, int64_t capacity, int64_t most, int values, rct_pool *pool,
                           rct_error *error);
void rct_lists_free(rct_lists *l);

void rct_lists_append(rct_lists *l, int32_t i, int32_t item, double value);

/* Where an item of list i stands, which it has; and without it. */
int64_t rct_lists_find(const rct_lists *l, int32_t i, int32_t item);
void rct_lists_erase(rct_lists *l, int32_t i, int64_t where);

/* Rows, or columns, by a number of 1 and more. */
typedef struct rct_ranks {
    int32_t *head; /* [most + 1], -1: none                                                     */
    int32_t *next, *before;
    int32_t *in;    /* under which number it stands; -1: nowhere                               */
    int32_t widest; /* the largest number so far                                               */
} rct_ranks;

/* For `size` of them and numbers up to `most`; a failure shows in the pool. */
rct_ranks rct_ranks_create(int32_t size, int32_t most, rct_pool *pool, rct_error *error);

/* Before the others of its number; 0: nowhere. */
void rct_ranks_enter(rct_ranks *r, int32_t i, int32_t number);
void rct_ranks_leave(rct_ranks *r, int32_t i);

#endif
