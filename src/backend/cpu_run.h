/* A run on the CPU from the inside: the reduced tree for the serial sweep, tiles and bushes for the lanes,
 * a team of threads over both. With no segments and no bushes the reduced tree is the whole tree. */
#ifndef RCT_BACKEND_CPU_RUN_H
#define RCT_BACKEND_CPU_RUN_H

#include "backend/backend.h"
#include "core/team.h"
#include "topology/bushes.h"
#include "topology/packing.h"

#include <stdatomic.h>

/* What is left of a member's share in a parallel phase, on a cache line of its own: members take from
 * their own share first, whose data their cache holds, then from what others have left. */
typedef struct rct_cursor {
    _Alignas(64) atomic_int next;
} rct_cursor;

struct rct_run {
    const rct_plan *plan;
    rct_method method;
    const rct_serial_kernels *serial; /* of the method                                         */
    const rct_tile_method *lanes;     /* of the method, for the packing's lanes                */
    const rct_bush_method *bushes;    /* the same                                              */
    rct_partition *partition;
    rct_packing *packing;            /* tiles of the segments                                 */
    rct_bush_packing *planted;       /* bushes of the tasks                                   */
    const rct_tile_kernels *kernels; /* for the packing's lanes                               */
    rct_team *team;

    int advanced; /* whether the last sweep came to where states advance                   */

    /* nodes of the reduced tree */
    double *state; /* [nodes][STATE_FIELDS] what is evaluated                               */
    double *base;  /* [nodes][STATE_FIELDS] start of the present step                       */
    double *sum;   /* [nodes][STATE_FIELDS] running sum of a step                           */
    double *work;  /* [nodes][serial->work_fields]                                          */

    /* division of labour, [members + 1] tiles and bushes of each member; results depend on none of it */
    int32_t *tile_begin; /* into the tiles                                                    */
    int32_t *hang_begin; /* into the bushes that hang on something                            */
    int32_t *bush_begin; /* into the bushes                                                   */
    int32_t *side_begin; /* [tiles + 1] into side_task: the tasks beside each tile's segments */
    int32_t *side_task;
    double *tile_scratch;     /* [members][most_steps][SCRATCH_FIELDS][lanes]                  */
    double *bush_scratch;     /* [members][most_rows][BUSH_FIELDS][lanes]                      */
    rct_sweep_result *faults; /* [members] the first fault each member met, by label             */
    rct_cursor *cursors;      /* [members]                                                       */

    /* label order, for what looks at the whole */
    double *gathered;  /* [links][STATE_FIELDS]                                                 */
    double *points;    /* [links][6] hinge points and velocities                                */
    double *reference; /* [links] potentials of the reference state                             */
};

/* One evaluation; stage STAGE_NONE writes results, 0 to 3 advances the states as well. A fault names
 * a label; from stage 0 on the states may then be partly advanced. */
rct_sweep_result rct_cpu_sweep(rct_run *run, int stage, double dt);

/* Divide tiles and bushes among the members of the team. */
rct_status rct_cpu_share(rct_run *run, rct_error *error);

/* The largest share over the mean. */
double rct_cpu_imbalance(const rct_run *run);

/* Numbers in the scratch of one member. */
static inline int64_t rct_cpu_tile_scratch(const rct_run *run)
{
    return (int64_t)run->packing->tiles.most_steps * SCRATCH_FIELDS * run->packing->lanes;
}

static inline int64_t rct_cpu_bush_scratch(const rct_run *run)
{
    return (int64_t)run->planted->bushes.most_rows * BUSH_FIELDS * run->planted->lanes;
}

/* States between label order and the run's own layout. */
void rct_cpu_scatter(rct_run *run, const double *state);
void rct_cpu_gather(const rct_run *run, double *state);

/* Results in label order. */
void rct_cpu_read_accelerations(const rct_run *run, double *accelerations);
void rct_cpu_read_forces(const rct_run *run, double *forces);

#endif
