/* Predicts the time of an evaluation on a device, from times measured on an H200 (docs/gpu.md):
 * waits, and work. On other devices work takes longer as their peak of double precision is lower.
 * What the host does was not measured. */
#include "backend/cuda/run.h"

#include <math.h>

/* s: what a run of balls waits for its levels; what others wait each time their number doubles;
 * links of a small tree, one after the other; a launch alone; waits for the host. */
static const double ball_levels = 40e-6, wide_level = 50e-6, ball_row = 2e-6, wide_row = 4e-6,
                    launch = 5e-6, host = 60e-6;
static const double ball_work = 0.24e-9, wide_work = 1.5e-9; /* s, of a link */

/* Numbers of double precision a second on an H200: multiprocessors, kHz, units. */
static const double peak = 132.0 * 1.98e6 * 64.0;

static int attribute(enum cudaDeviceAttr name, int device)
{
    int value = 0;
    return cudaDeviceGetAttribute(&value, name, device) == cudaSuccess ? value : 0;
}

/* The time of work over that of an H200. */
static double slowness(int device)
{
    const double ratio = attribute(cudaDevAttrSingleToDoublePrecisionPerfRatio, device);
    const double own = (double)attribute(cudaDevAttrMultiProcessorCount, device) *
                       attribute(cudaDevAttrClockRate, device) * 128.0 / fmax(ratio, 1.0);
    return own > 0.0 && own < peak ? peak / own : 1.0;
}

double rct_cuda_predict(const rct_workload *w)
{
    const double links = (double)(w->narrow + w->wide);
    const double each = links / fmax(1.0, (double)w->trees);
    const double balls = w->narrow >= RCT_NARROW_RUN ? (double)w->narrow : 0.0;
    const int mostly_balls = w->narrow > w->wide;
    double waits, work = ball_work * balls + wide_work * (links - balls);
    if (each <= RCT_TASK) { /* a lane for each tree */
        waits = launch + each * (mostly_balls ? ball_row : wide_row);
        work = ball_work * (double)w->narrow + wide_work * (double)w->wide;
    } else {
        waits = (balls > 0.0 ? ball_levels : 0.0) + wide_level * log2(1.0 + (links - balls) / 64.0);
    }
    return waits + slowness(0) * work + (w->by_host ? host : 0.0) +
           RCT_LOOP_TIME * (double)w->loops;
}
