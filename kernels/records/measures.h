/* What a link adds to the energies and momenta of a system, from its pose. */
#ifndef RCT_KERNELS_RECORDS_MEASURES_H
#define RCT_KERNELS_RECORDS_MEASURES_H

#include "kernels/records/links.h"
#include "kernels/records/poses.h"

/* The eight numbers that are summed. */
enum {
    MEASURE_KINETIC = 0,   /* J                             */
    MEASURE_POTENTIAL = 1, /* J, from the reference         */
    MEASURE_MOMENTUM = 2,  /* 3: kg m/s, inertial axes      */
    MEASURE_ANGULAR = 5,   /* 3: kg m^2/s, about the origin */
    MEASURES = 8
};

/* The levers of gravity. Over all links sum m r_C = sum R LEVER_MOMENT + LEVER_MASS d + constants,
 * where d is how far the hinge itself moves its point: the displacement of a sliding hinge, the
 * place of a free link. No other place of a link enters, because it would be rounded once per link
 * on the way there. */
enum {
    LEVER_MOMENT = 0, /* 3: kg m, link axes: m c + sum over outboard links of LEVER_MASS LINK_AT */
    LEVER_MASS = 3,   /* kg, of the link and all that it carries                                 */
    LEVER_FIELDS = 4
};

typedef struct rct_measured {
    const rct_links *links;
    const double *levers;  /* [links][LEVER_FIELDS]                                      */
    rct_poses poses;       /* [links]                                                    */
    const int32_t *head;   /* [links] body                                               */
    const double *gravity; /* [systems][3] m/s^2, body b belongs to system b mod systems */
    int32_t systems;
} rct_measured;

/* Measures `count` links from `first` on, into `parts` [count][MEASURES]. The kinetic energy is
 * without rotors; the potential energy is only the part of R LEVER_MOMENT. */
typedef void rct_measure_kernel(const rct_measured *of, int64_t first, int64_t count,
                                double *parts);

/* Sums, and what rounding took from each (Knuth's two-sum). */
typedef struct rct_measure_sums {
    double sum[MEASURES], rest[MEASURES];
} rct_measure_sums;

/* Add the parts of `count` links, one after the other. */
typedef void rct_sum_kernel(const double *parts, int64_t count, rct_measure_sums *all);

#endif
