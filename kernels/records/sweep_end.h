/* How sweeps end, and which stage they are for. */
#ifndef RCT_KERNELS_RECORDS_SWEEP_END_H
#define RCT_KERNELS_RECORDS_SWEEP_END_H

#include <stdint.h>

/* How a sweep ended, and where: `link` is the label of the link at fault, or -1. */
typedef enum rct_sweep_end {
    SWEEP_DONE = 0,
    SWEEP_SINGULAR,   /* the pivot of the link is not positive, or not a number   */
    SWEEP_NOT_FINITE, /* an acceleration or a new state of the link is not finite */
    SWEEP_LOST        /* the machine that swept has failed                        */
} rct_sweep_end;

typedef struct rct_sweep_result {
    rct_sweep_end end;
    int32_t link;
} rct_sweep_result;

/* Stage of a sweep: STAGE_NONE for results only, or 0 to 3 of a Runge-Kutta step. */
enum { STAGE_NONE = -1 };

#endif
