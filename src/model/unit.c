/* Vectors and quaternions of length 1, and perpendicular axes: they are normalized on entry. */
#include "model/unit.h"

#include "core/rotation.h"

#include <math.h>

/* A length this close to 1 is left as it is. */
static const double unit_slack = 1e-15;

/* Sines between two axes: below the first they count as parallel; from the second on, turns
 * about both are told apart; below the third they count as perpendicular. */
static const double parallel_slack = 1e-6;
static const double least_apart = 1e-3;
static const double perpendicular_slack = 1e-15;

/* Beyond these a length would overflow, or lose digits below the smallest normal number. */
static const double huge = 1e300;
static const double tiny = 1e-290;

/* Two passes are enough except for directions of the smallest numbers; more than these would not
 * come nearer. */
enum { PASSES = 3 };

static double largest_of(const double *x, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

static double length_of(const double *x, int count, double largest)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += (x[i] / largest) * (x[i] / largest);
    }
    return largest * sqrt(sum);
}

int rct_make_unit(double *x, int count)
{
    const double largest = largest_of(x, count);
    if (largest == 0.0) {
        return 0;
    }
    if (largest > huge || largest < tiny) {
        for (int i = 0; i < count; i++) {
            x[i] /= largest;
        }
    }
    for (int pass = 0; pass < PASSES; pass++) {
        const double length = length_of(x, count, largest_of(x, count));
        if (fabs(length - 1.0) <= unit_slack) {
            break;
        }
        for (int i = 0; i < count; i++) {
            x[i] /= length;
        }
    }
    return 1;
}

int rct_are_parallel(const double a[3], const double b[3])
{
    double cross[3];
    rct_cross(a, b, cross);
    return rct_dot(cross, cross) < parallel_slack * parallel_slack;
}

int rct_are_apart(const double a[3], const double b[3])
{
    double cross[3];
    rct_cross(a, b, cross);
    return rct_dot(cross, cross) >= least_apart * least_apart;
}

/* The next pass removes what the first pass leaves of nearly parallel axes. */
void rct_make_perpendicular(const double a[3], double b[3])
{
    for (int pass = 0; pass < PASSES && fabs(rct_dot(a, b)) > perpendicular_slack; pass++) {
        const double along = rct_dot(a, b);
        for (int i = 0; i < 3; i++) {
            b[i] -= along * a[i];
        }
        rct_make_unit(b, 3);
    }
}

void rct_find_across(const double n[3], double one[3], double other[3])
{
    double axis[3] = {0.0, 0.0, 0.0};
    axis[fabs(n[0]) < 0.6 ? 0 : 1] = 1.0;
    rct_cross(n, axis, one);
    const double length = sqrt(rct_dot(one, one));
    for (int i = 0; i < 3; i++) {
        one[i] /= length;
    }
    rct_cross(n, one, other);
}
