/* Principal moments and axes by cyclic Jacobi rotations. Every rotation makes one off-diagonal
 * pair zero; convergence is quadratic, and six sweeps are plenty for 3x3. */
#include "model/inertia.h"

#include <math.h>

/* Inertia typed with about ten digits must pass. */
static const double slack_of_largest = 1e-9;

/* Rotate in the (p, q) plane so that a[p][q] becomes 0; rotate the columns of v, the axes,
 * alike. */
static void annihilate(double a[3][3], double v[3][3], int p, int q)
{
    if (a[p][q] == 0.0) {
        return;
    }
    const int r = 3 - p - q;
    const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    const double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0);
    const double s = t * c;
    const double rp = a[r][p];
    const double rq = a[r][q];
    a[p][p] -= t * a[p][q];
    a[q][q] += t * a[p][q];
    a[p][q] = a[q][p] = 0.0;
    a[r][p] = a[p][r] = c * rp - s * rq;
    a[r][q] = a[q][r] = s * rp + c * rq;
    for (int i = 0; i < 3; i++) {
        const double vp = v[i][p];
        v[i][p] = c * vp - s * v[i][q];
        v[i][q] = s * vp + c * v[i][q];
    }
}

static void order(double *low, double *high)
{
    if (*low > *high) {
        const double swap = *low;
        *low = *high;
        *high = swap;
    }
}

/* The moments, unsorted, and their axes, the columns of v. */
static void find_axes(double moments[3], double v[3][3], const double j[6])
{
    double a[3][3] = {{j[0], j[3], j[4]}, {j[3], j[1], j[5]}, {j[4], j[5], j[2]}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            v[i][k] = i == k;
        }
    }
    for (int sweep = 0; sweep < 6; sweep++) {
        annihilate(a, v, 0, 1);
        annihilate(a, v, 0, 2);
        annihilate(a, v, 1, 2);
    }
    for (int i = 0; i < 3; i++) {
        moments[i] = a[i][i];
    }
}

void rct_principal_moments(const double j[6], double moments[3])
{
    double axes[3][3];
    find_axes(moments, axes, j);
    order(&moments[0], &moments[1]);
    order(&moments[1], &moments[2]);
    order(&moments[0], &moments[1]);
}

/* Whether h - J is positive definite, where 2 h is the sum of the moments: then each moment is
 * less than the sum of the others. Found by pivots; 0 for tiny and huge numbers, which are not
 * decided here. */
static int is_rigid(const double j[6])
{
    const double h = 0.5 * (j[0] + j[1] + j[2]);
    const double a = h - j[0], x = j[3] / a, y = j[4] / a;
    const double b = h - j[1] - x * j[3], c = h - j[2] - y * j[4], d = j[5] + x * j[4];
    return h > 1e-280 && h < 1e280 && a > 0.0 && b > 0.0 && c - d / b * d > 0.0;
}

rct_inertia_state rct_inertia_trouble(const double inertia[6], double p[3])
{
    if (is_rigid(inertia)) {
        return RCT_INERTIA_SOUND;
    }
    rct_principal_moments(inertia, p);
    const double slack = slack_of_largest * fmax(fabs(p[0]), fabs(p[2]));
    return p[0] < -slack                ? RCT_INERTIA_NEGATIVE
           : p[2] > p[0] + p[1] + slack ? RCT_INERTIA_UNEVEN
                                        : RCT_INERTIA_SOUND;
}

void rct_inertia_repair(double inertia[6])
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    double moments[3], v[3][3], sum = 0.0, second[3];
    find_axes(moments, v, inertia);
    const double half = 0.5 * moments[0] + 0.5 * moments[1] + 0.5 * moments[2];
    for (int i = 0; i < 3; i++) {
        second[i] = fmax(half - moments[i], 0.0);
        sum += second[i];
    }
    for (int k = 0; k < 6; k++) {
        inertia[k] = 0.0;
        for (int i = 0; i < 3; i++) {
            inertia[k] += (sum - second[i]) * v[row[k]][i] * v[column[k]][i];
        }
    }
}
