/* The outline of a cam as a polynomial of cosines and sines of the polar angle (seed 003, eq.
 * B.5), and from a table: cosines and sines at equal angles are orthogonal, so each factor is
 * found by itself. */
#include "model/outline.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const double whole_turn = 6.283185307179586476925;

/* Angles that are tried: every ten degrees of the highest wave. */
enum { LOOKS = 36 * RCT_LOOP_HARMONICS };

double rct_outline_at(const rct_loop *loop, double z)
{
    double s = loop->radius;
    for (int k = 0; k < RCT_LOOP_HARMONICS; k++) {
        s += loop->cosine[k] * cos((k + 1) * z) + loop->sine[k] * sin((k + 1) * z);
    }
    return s;
}

double rct_outline_least(const rct_loop *loop)
{
    double least = INFINITY;
    for (int i = 0; i < LOOKS; i++) {
        const double s = rct_outline_at(loop, whole_turn * i / LOOKS);
        least = s < least || isnan(s) ? s : least;
    }
    return least;
}

/* The sum of radii times cos k z, or sin k z, over the sum of its squares. */
static double factor_of(const double *radii, int64_t count, int64_t k, int sine)
{
    double sum = 0.0, squares = 0.0;
    for (int64_t i = 0; i < count; i++) {
        const double z = whole_turn * (double)(k * i % count) / (double)count;
        const double wave = sine ? sin(z) : cos(z);
        sum += radii[i] * wave;
        squares += wave * wave;
    }
    return sum / squares;
}

double rct_loop_set_outline(rct_loop *loop, const double *radii, int64_t count)
{
    double most = 0.0;
    if (loop == NULL || radii == NULL || count < 3) {
        return NAN;
    }
    memset(loop->cosine, 0, sizeof loop->cosine);
    memset(loop->sine, 0, sizeof loop->sine);
    loop->radius = factor_of(radii, count, 0, 0);
    for (int64_t k = 1; k <= RCT_LOOP_HARMONICS && 2 * k <= count; k++) {
        loop->cosine[k - 1] = factor_of(radii, count, k, 0);
        loop->sine[k - 1] = 2 * k < count ? factor_of(radii, count, k, 1) : 0.0; /* else no wave */
    }
    for (int64_t i = 0; i < count; i++) {
        const double s = rct_outline_at(loop, whole_turn * (double)i / (double)count);
        most = isnan(most)                             ? most
               : fabs(radii[i] - s) > most || isnan(s) ? fabs(radii[i] - s)
                                                       : most;
    }
    return most;
}
