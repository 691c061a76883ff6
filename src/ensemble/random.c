/* Random numbers of members (random.h). */
#include "ensemble/random.h"

#include <Random123/philox.h>
#include <math.h>

static const double turn = 6.283185307179586;

void rct_random_bits(uint64_t seed, int64_t member, uint32_t stream, uint32_t draw,
                     uint64_t bits[2])
{
    const philox4x32_ctr_t counter = {
        {(uint32_t)member, (uint32_t)((uint64_t)member >> 32), stream, draw}};
    const philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
    const philox4x32_ctr_t drawn = philox4x32(counter, key);
    bits[0] = (uint64_t)drawn.v[0] << 32 | drawn.v[1];
    bits[1] = (uint64_t)drawn.v[2] << 32 | drawn.v[3];
}

static double unit(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

double rct_random_uniform(uint64_t seed, int64_t member, uint32_t stream)
{
    uint64_t bits[2];
    rct_random_bits(seed, member, stream, 0, bits);
    return unit(bits[0]);
}

double rct_random_normal(uint64_t seed, int64_t member, uint32_t stream)
{
    uint64_t bits[2];
    rct_random_bits(seed, member, stream, 0, bits);
    return sqrt(-2.0 * log(1.0 - unit(bits[0]))) * cos(turn * unit(bits[1])); /* 1 - u > 0 */
}
