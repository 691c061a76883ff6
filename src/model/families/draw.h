/* Random numbers for models. They are the same on every machine, and each body has its own stream.
 *
 * splitmix64 (Steele, Lea, Flood 2014) mixes a counter to 64 bits, so draw k of a stream needs no
 * state except k. Floating-point results use only + - * / and sqrt, which IEEE 754 rounds exactly:
 * they do not depend on the mathematical library. Directions and quaternions come from the ball by
 * rejection, logarithmic numbers by rejection within an octave. */
#ifndef RCT_MODEL_FAMILIES_DRAW_H
#define RCT_MODEL_FAMILIES_DRAW_H

#include <math.h>
#include <stdint.h>

typedef struct rct_draw {
    uint64_t key;
    uint64_t counter;
} rct_draw;

static inline uint64_t rct_draw_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/* Stream `stream` of `seed`: independent of all other streams and seeds. */
static inline rct_draw rct_draw_start(uint64_t seed, uint64_t stream)
{
    const uint64_t golden = 0x9e3779b97f4a7c15ULL;
    const uint64_t key = rct_draw_mix(rct_draw_mix(seed + golden) + (stream + 1) * golden);
    return (rct_draw){.key = key, .counter = 0};
}

static inline uint64_t rct_draw_bits(rct_draw *draw)
{
    draw->counter++;
    return rct_draw_mix(draw->key + draw->counter * 0x9e3779b97f4a7c15ULL);
}

/* Uniform in [0, 1), a multiple of 2^-53. */
static inline double rct_draw_unit(rct_draw *draw)
{
    return (double)(rct_draw_bits(draw) >> 11) * 0x1p-53;
}

/* Uniform in [low, high). */
static inline double rct_draw_between(rct_draw *draw, double low, double high)
{
    return low + (high - low) * rct_draw_unit(draw);
}

/* Uniform among 0 ... count - 1; count >= 1. The bias is below count / 2^53. */
static inline int32_t rct_draw_index(rct_draw *draw, int32_t count)
{
    return (int32_t)((double)count * rct_draw_unit(draw));
}

/* `size` numbers on the unit sphere, uniform: 3 for a direction, 4 for a rotation. */
static inline void rct_draw_on_sphere(rct_draw *draw, double *x, int size)
{
    double square;
    do {
        square = 0.0;
        for (int i = 0; i < size; i++) {
            x[i] = rct_draw_between(draw, -1.0, 1.0);
            square += x[i] * x[i];
        }
    } while (square > 1.0 || square < 0x1p-20);
    const double length = sqrt(square);
    for (int i = 0; i < size; i++) {
        x[i] /= length;
    }
}

/* Log-uniform over `octaves` octaves from 1: the octave is uniform; within it the density 1/x
 * comes from rejection. */
static inline double rct_draw_log(rct_draw *draw, int32_t octaves)
{
    double x;
    do {
        x = rct_draw_between(draw, 1.0, 2.0);
    } while (x * rct_draw_unit(draw) >= 1.0);
    for (int32_t k = rct_draw_index(draw, octaves); k > 0; k--) {
        x *= 2.0;
    }
    return x;
}

#endif
