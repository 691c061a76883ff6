/* Dense symmetric factors with pivots of either sign (indefinite.h). */
#include "algebra/indefinite.h"

#include <math.h>

/* The ratio of a diagonal number to the rest of its column from which on it is a pivot; rounding in
 * a scaled matrix. */
static const double large_enough = 0.6403882032022076, rounding = 0x1p-46; /* (1 + sqrt 17) / 8 */

enum { MOST_SCALINGS = 12 };

static double *at(const rct_indefinite *f, int64_t i, int64_t j)
{
    return f->A + (i >= j ? i * f->size + j : j * f->size + i);
}

/* The largest number of row r besides its diagonal, among rows from k on, and its place; -1: there
 * is none. */
static double largest_beside(const rct_indefinite *f, int64_t k, int64_t r, int64_t *where)
{
    double most = 0.0;
    *where = -1;
    for (int64_t j = k; j < f->size; j++) {
        const double own = fabs(*at(f, r, j));
        if (j != r && own > most) {
            most = own;
            *where = j;
        }
    }
    return most;
}

static void exchange(double *a, double *b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

/* Exchange rows and columns k and p, p >= k. */
static void exchange_both(rct_indefinite *f, int64_t k, int64_t p)
{
    if (p == k) {
        return;
    }
    const int32_t kept = f->order[k];
    f->order[k] = f->order[p];
    f->order[p] = kept;
    exchange(at(f, k, k), at(f, p, p));
    for (int64_t j = 0; j < f->size; j++) {
        if (j != k && j != p) {
            exchange(at(f, k, j), at(f, p, j));
        }
    }
}

/* Bring a pivot to k; returns how many rows it has. */
static int choose(rct_indefinite *f, int64_t k)
{
    int64_t p = k, r;
    double beside = largest_beside(f, k, k, &r);
    while (beside > rounding && fabs(*at(f, p, p)) < large_enough * beside) {
        int64_t next;
        const double there = largest_beside(f, k, r, &next);
        if (fabs(*at(f, r, r)) >= large_enough * there) {
            p = r;
            break;
        }
        if (there <= beside) { /* the largest of its row and of its column */
            exchange_both(f, k, p < r ? p : r);
            exchange_both(f, k + 1, p < r ? r : p);
            return 2;
        }
        p = r;
        r = next;
        beside = there;
    }
    exchange_both(f, k, p);
    return 1;
}

/* Take off the rows behind k to k + count - 1 their part in these; `inverse` is that of their
 * block. */
static void eliminate(rct_indefinite *f, int64_t k, int count, const double inverse[3])
{
    const int64_t n = f->size, next = k + count;
    double *first = f->work, *second = f->work + n;
    for (int64_t i = next; i < n; i++) {
        first[i] = f->A[i * n + k];
        second[i] = count > 1 ? f->A[i * n + k + 1] : 0.0;
    }
    for (int64_t i = next; i < n; i++) {
        double *row = f->A + i * n;
        const double a = inverse[0] * first[i] + inverse[1] * second[i];
        const double b = inverse[1] * first[i] + inverse[2] * second[i];
        for (int64_t j = next; j <= i; j++) {
            row[j] -= a * first[j] + b * second[j];
        }
        row[k] = a;
        if (count > 1) {
            row[k + 1] = b;
        }
    }
}

/* A pivot that is rounding counts as zero, and so do its couplings, which are not much larger. */
static void take_one(rct_indefinite *f, int64_t k)
{
    double *d = at(f, k, k);
    f->pair[k] = 0;
    if (!(fabs(*d) > rounding)) {
        f->zero++;
        *d = 0.0;
        for (int64_t i = k + 1; i < f->size; i++) {
            *at(f, i, k) = 0.0;
        }
        return;
    }
    const double inverse[3] = {1.0 / *d, 0.0, 0.0};
    f->negative += *d < 0.0;
    eliminate(f, k, 1, inverse);
}

/* One sign is negative and one positive, because the number beside the diagonal is larger than the
 * diagonal. */
static void take_two(rct_indefinite *f, int64_t k)
{
    const double a = *at(f, k, k), b = *at(f, k + 1, k), c = *at(f, k + 1, k + 1);
    const double determinant = a * c - b * b;
    const double inverse[3] = {c / determinant, -b / determinant, a / determinant};
    f->pair[k] = 1;
    f->pair[k + 1] = 0;
    f->negative++;
    eliminate(f, k, 2, inverse);
}

/* Scale by powers of two, so that the largest number of each row becomes about 1 (Ruiz 2001);
 * returns whether any was far from it. */
static int scale_once(rct_indefinite *f)
{
    int far = 0;
    for (int64_t i = 0; i < f->size; i++) {
        int64_t where;
        int exponent = 0;
        (void)frexp(fmax(fabs(*at(f, i, i)), largest_beside(f, 0, i, &where)), &exponent);
        f->work[i] = ldexp(1.0, -exponent / 2);
        f->scale[i] *= f->work[i];
        far = far || exponent / 2 != 0;
    }
    for (int64_t i = 0; i < f->size && far; i++) {
        for (int64_t j = 0; j <= i; j++) {
            *at(f, i, j) *= f->work[i] * f->work[j];
        }
    }
    return far;
}

void rct_indefinite_factor(rct_indefinite *f)
{
    f->negative = f->zero = 0;
    for (int64_t i = 0; i < f->size; i++) {
        f->order[i] = (int32_t)i;
        f->scale[i] = 1.0;
    }
    for (int k = 0; k < MOST_SCALINGS && scale_once(f); k++) {
    }
    for (int64_t k = 0; k < f->size;) {
        const int count = choose(f, k);
        if (count == 1) {
            take_one(f, k);
        } else {
            take_two(f, k);
        }
        k += count;
    }
}

/* y = D^-1 y */
static void divide(const rct_indefinite *f, double *y)
{
    for (int64_t k = 0; k < f->size; k++) {
        if (f->pair[k]) {
            const double a = *at(f, k, k), b = *at(f, k + 1, k), c = *at(f, k + 1, k + 1);
            const double determinant = a * c - b * b, first = y[k];
            y[k] = (c * first - b * y[k + 1]) / determinant;
            y[k + 1] = (a * y[k + 1] - b * first) / determinant;
            k++;
        } else {
            y[k] = *at(f, k, k) != 0.0 ? y[k] / *at(f, k, k) : 0.0;
        }
    }
}

/* Number (i, k) of L, i > k; in the second row of a block of two the number belongs to D. */
static double below(const rct_indefinite *f, int64_t i, int64_t k)
{
    return f->pair[k] && i == k + 1 ? 0.0 : *at(f, i, k);
}

void rct_indefinite_solve(const rct_indefinite *f, double *x)
{
    const int64_t n = f->size;
    double *y = f->work;
    for (int64_t i = 0; i < n; i++) {
        y[i] = f->scale[f->order[i]] * x[f->order[i]];
        for (int64_t k = 0; k < i; k++) {
            y[i] -= below(f, i, k) * y[k];
        }
    }
    divide(f, y);
    for (int64_t i = n - 1; i >= 0; i--) {
        for (int64_t k = 0; k < i; k++) {
            y[k] -= below(f, i, k) * y[i];
        }
    }
    for (int64_t i = 0; i < n; i++) {
        x[f->order[i]] = f->scale[f->order[i]] * y[i];
    }
}
