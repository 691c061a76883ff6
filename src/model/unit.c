/* Vectors and quaternions of length 1: what is normalized on entry. */
#include "model/unit.h"

#include <math.h>

/* One this close to length 1 is left as it is. */
static const double unit_slack = 1e-15;

/* Beyond these a length would overflow, or lose digits below the smallest normal number. */
static const double huge = 1e300;
static const double tiny = 1e-290;

/* Twice is enough for all but directions of the smallest numbers; more would not bring it nearer. */
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
