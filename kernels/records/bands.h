/* A banded positive definite matrix cut into pieces that are eliminated side by side in lanes. The
 * contract between src/algebra and the lane kernels (kernels/laws/banded.h).
 *
 * Between two pieces stands a separator, as many unknowns as the band is wide, so that no number
 * couples two pieces. A piece is coupled with the separator before it, where it is not the first,
 * and with the one behind it. Elimination of a piece leaves numbers between these two: those of a
 * smaller banded matrix. With W lanes, piece p is lane p mod W of group p / W. All numbers are of
 * the lower triangle.
 */
#ifndef RCT_KERNELS_RECORDS_BANDS_H
#define RCT_KERNELS_RECORDS_BANDS_H

#include <stdint.h>

/* Unknowns of a piece, and the widest band: numbers (i, j) with |i - j| <= band. */
enum { BAND_LENGTH = 32, BAND_WIDEST = 10 };

typedef struct rct_bands {
    int32_t groups, band;
    /* [groups][BAND_LENGTH][band + 1][W] column i of a piece from its diagonal down, into the
     * separator behind */
    double *column;
    /* [groups][band][band][W] number (s, i): of unknown s of the separator before with unknown i of
     * the piece, i <= s */
    double *before;
    /* [groups][BAND_LENGTH][1 + 2 band][W] 1 / D of an unknown, its column of L in the band, and in
     * the rows of the separator before */
    double *factor;
    /* [groups][rct_bands_left][W] what a piece leaves: the triangle of the separator behind by rows,
     * that of the separator before, and the square between them, by rows of the one behind */
    double *left;
    double *x; /* [groups][BAND_LENGTH][W] a solution on its way */
    /* [groups][2 band][W] of the separators: what a piece leaves on the right side, or their
     * solution; the one behind first */
    double *ends;
} rct_bands;

static inline int64_t rct_bands_triangle(int64_t band)
{
    return band * (band + 1) / 2;
}

static inline int64_t rct_bands_left(int64_t band)
{
    return 2 * rct_bands_triangle(band) + band * band;
}

/* The distance of the first unknowns of two neighbouring pieces. */
static inline int64_t rct_bands_step(int64_t band)
{
    return BAND_LENGTH + band;
}

typedef struct rct_band_kernels {
    /* L D L* of all pieces, and what they leave. Returns 0 if a D is 0 or not finite. */
    int (*factor)(const rct_bands *bands);

    /* y = L^-1 b of the pieces, b in the order of unknowns [groups W rct_bands_step], and what that
     * leaves on separators. */
    void (*forward)(const rct_bands *bands, const double *b);

    /* The solution of the pieces, from that of separators; to the same order. */
    void (*backward)(const rct_bands *bands, double *x);
} rct_band_kernels;

#endif
