/* Sums of numbers at listed places, laid once and added up for every state. Systems side by side in
 * lanes have the same sums, one place further in each lane; these are one run, whose places are
 * listed once. */
#ifndef RCT_TOPOLOGY_SUMS_H
#define RCT_TOPOLOGY_SUMS_H

#include "core/pool.h"

#include <stdint.h>

/* Sums number, number + step, ...: `count` of them. Sum j has `terms` terms, at the places listed
 * from `first` on, plus j. */
typedef struct rct_sum_run {
    int32_t number, step, count, first, terms;
} rct_sum_run;

typedef struct rct_sums {
    int64_t runs;
    rct_sum_run *run;
    int32_t *place;
} rct_sums;

/* Lay `count` sums; the terms of sum k are at the places place[at[k]] to place[at[k + 1] - 1], and are
 * added in this order. The pool frees the arrays. RCT_ERROR_MEMORY. */
rct_status rct_sums_lay(rct_sums *sums, const int32_t *at, const int32_t *place, int64_t count,
                        rct_pool *pool, rct_error *error);

/* Add up numbers of `from` to sums `to` [count]. */
void rct_sums_add_up(const rct_sums *sums, const double *from, double *to);

#endif
