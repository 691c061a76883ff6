/* Random numbers of members: Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011; the library
 * Random123). The key is the seed, the counter (member, stream, draw): a number depends only on
 * these, not on earlier draws. */
#ifndef RCT_ENSEMBLE_RANDOM_H
#define RCT_ENSEMBLE_RANDOM_H

#include <stdint.h>

/* Streams of a member: of variation v, and of the start of body b. */
static inline uint32_t rct_variation_stream(int32_t v)
{
    return (uint32_t)v;
}

static inline uint32_t rct_body_stream(int32_t b)
{
    return UINT32_C(0x80000000) | (uint32_t)b;
}

/* 128 bits: draw number `draw`. */
void rct_random_bits(uint64_t seed, int64_t member, uint32_t stream, uint32_t draw,
                     uint64_t bits[2]);

/* Uniform in [0, 1), a multiple of 2^-53; and normal with mean 0 and deviation 1, by Box and
 * Muller. Draw 0 of the stream. */
double rct_random_uniform(uint64_t seed, int64_t member, uint32_t stream);
double rct_random_normal(uint64_t seed, int64_t member, uint32_t stream);

#endif
