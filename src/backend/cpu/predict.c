/* Predicts the time of an evaluation on the CPU: from times of a body on several processors
 * (docs/performance.md), which differ by a factor of two. Only the order of backends matters. */
#include "backend/cpu/run.h"

#include <math.h>

/* s: bodies in lanes, and in trees too small and too few for lanes; a further thread. */
static const double narrow_body = 25e-9, wide_body = 35e-9, single_body = 90e-9, thread = 15e-6;
enum { LANES = 8, FEW = 160, EACH = 500 };

double rct_cpu_predict(const rct_workload *w)
{
    const double bodies = (double)(w->narrow + w->wide);
    const double work = w->trees < LANES && bodies < FEW
                            ? single_body * bodies
                            : narrow_body * (double)w->narrow + wide_body * (double)w->wide;
    const double most = fmax(1.0, floor(bodies / EACH));
    const double threads = fmin(most, w->threads > 0 ? w->threads : rct_processors());
    return work / threads + thread * (threads - 1.0) + RCT_LOOP_TIME * (double)w->loops;
}
