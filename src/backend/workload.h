/* What evaluations of a model ask of a backend, for predictions of their time. */
#ifndef RCT_BACKEND_WORKLOAD_H
#define RCT_BACKEND_WORKLOAD_H

#include <riccatree/solver.h>

typedef struct rct_workload {
    int64_t narrow, wide; /* bodies on ball hinges, and on others; without welded ones  */
    int64_t trees;        /* that hang on the ground                                    */
    int64_t loops;        /* that the host closes                                       */
    int by_host;          /* whether the host takes part in every evaluation: it closes
                           * loops, or finds forces on bodies                           */
    int32_t threads;      /* as in rct_solver_options                                   */
} rct_workload;

/* s: what a loop takes on the host, on the way of every backend: between 0.2 and 3e-6, as they are
 * coupled with one another (docs/performance.md). */
#define RCT_LOOP_TIME 1e-6

/* Of `members` systems like the model, side by side. */
rct_workload rct_workload_of(const rct_model *model, const rct_solver_options *options,
                             int64_t members);

#endif
