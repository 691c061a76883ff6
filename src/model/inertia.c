/* Principal moments by cyclic Jacobi rotations: every rotation annihilates one off-diagonal pair,
 * convergence is quadratic, six sweeps are plenty for 3x3. */
#include "model/inertia.h"

#include <math.h>

/* Rotate in the (p, q) plane so that a[p][q] becomes 0. */
static void annihilate(double a[3][3], int p, int q)
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
}

static void order(double *low, double *high)
{
    if (*low > *high) {
        const double swap = *low;
        *low = *high;
        *high = swap;
    }
}

void rct_principal_moments(const double j[6], double moments[3])
{
    double a[3][3] = {{j[0], j[3], j[4]}, {j[3], j[1], j[5]}, {j[4], j[5], j[2]}};
    for (int sweep = 0; sweep < 6; sweep++) {
        annihilate(a, 0, 1);
        annihilate(a, 0, 2);
        annihilate(a, 1, 2);
    }
    for (int i = 0; i < 3; i++) {
        moments[i] = a[i][i];
    }
    order(&moments[0], &moments[1]);
    order(&moments[1], &moments[2]);
    order(&moments[0], &moments[1]);
}
