/* The speed of the machine at one lane width: the rate of independent multiply-adds in
 * registers, and copying. One translation unit for each width defines LANE_WIDTH, includes this
 * and fills its table. */
#ifndef RCT_BENCH_MACHINE_LANES_H
#define RCT_BENCH_MACHINE_LANES_H

#include "kernels/lane/lane.h"

#include <stdint.h>

/* Sums kept in flight: enough to hide the latency of a multiplication and an addition, few enough for
 * 16 registers. */
enum { MACHINE_SUMS = 12 };

typedef struct machine_lanes {
    int32_t lanes;
    /* `rounds` times MACHINE_SUMS multiply-adds on all lanes; returns a number that depends on
     * them */
    double (*multiply_add)(int64_t rounds);
    /* count is a multiple of 8; scaled, so that the compiler does not replace it by memcpy */
    void (*copy)(double *to, const double *from, int64_t count, double scale);
} machine_lanes;

extern const machine_lanes machine_lanes_w1;
extern const machine_lanes machine_lanes_w2;
extern const machine_lanes machine_lanes_w4;
extern const machine_lanes machine_lanes_w8;

static inline double machine_multiply_add(int64_t rounds)
{
    const real shrink = lane_set(0.999);
    const real add = lane_set(0.001);
    double first[LANE_WIDTH];
    real x[MACHINE_SUMS];
    for (int i = 0; i < MACHINE_SUMS; i++) {
        x[i] = lane_set((double)(rounds + i)); /* not constants that fold */
    }
    for (int64_t k = 0; k < rounds; k++) {
        for (int i = 0; i < MACHINE_SUMS; i++) {
            x[i] = x[i] * shrink + add;
        }
    }
    for (int i = 1; i < MACHINE_SUMS; i++) {
        x[0] += x[i];
    }
    lane_store(first, x[0]);
    return first[0];
}

static inline void machine_copy(double *to, const double *from, int64_t count, double scale)
{
    const real s = lane_set(scale);
    for (int64_t i = 0; i < count; i += LANE_WIDTH) {
        lane_store(to + i, s * lane_load(from + i));
    }
}

#endif
