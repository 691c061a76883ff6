/* CRC-32 by products without carry (fold.h). Four vectors of 128 bits pass through the bytes side
 * by side. Bits are reflected, as in zlib. Each half of a vector is moved on by 512 bits, by a
 * product with x^(512 + 32) or x^(512 - 32) mod P, and is added to the next 64 bytes. */
#include "kernels/lane/fold.h"

#if defined(__x86_64__)

#include <string.h>
#include <wmmintrin.h>

enum { VECTORS = RCT_FOLDED / (int)sizeof(__m128i) };

__attribute__((target("pclmul"))) static int64_t fold(uint32_t sum, const char *bytes,
                                                      int64_t count, unsigned char *folded)
{
    const __m128i on = _mm_set_epi64x(0x1c6e41596, 0x154442bd4);
    const int64_t whole = count - count % RCT_FOLDED;
    __m128i x[VECTORS];
    memcpy(x, bytes, sizeof x);
    x[0] = _mm_xor_si128(x[0], _mm_cvtsi32_si128((int)~sum)); /* zlib stores it inverted */
    for (int64_t at = RCT_FOLDED; at < whole; at += RCT_FOLDED) {
        __m128i next[VECTORS];
        memcpy(next, bytes + at, sizeof next);
        for (int i = 0; i < VECTORS; i++) {
            const __m128i low = _mm_clmulepi64_si128(x[i], on, 0x00);
            const __m128i high = _mm_clmulepi64_si128(x[i], on, 0x11);
            x[i] = _mm_xor_si128(_mm_xor_si128(low, high), next[i]);
        }
    }
    memcpy(folded, x, sizeof x);
    return whole;
}

int64_t rct_fold(uint32_t sum, const void *bytes, int64_t count, unsigned char folded[RCT_FOLDED])
{
    return count >= RCT_FOLDED && __builtin_cpu_supports("pclmul") ? fold(sum, bytes, count, folded)
                                                                   : 0;
}

#else

int64_t rct_fold(uint32_t sum, const void *bytes, int64_t count, unsigned char folded[RCT_FOLDED])
{
    (void)sum, (void)bytes, (void)count, (void)folded;
    return 0;
}

#endif
