/* Closures side by side in lanes: their constants, where their bodies are found, where their rows of J go. The contract between
 * src/closure and the lane kernels (kernels/laws/closure_rows.h). A bundle is as many closures of one type as there are lanes; lanes
 * behind the last closure have it once more. With W lanes, field f of lane l of a bundle b lies at (b fields + f) W + l. */
#ifndef RCT_KERNELS_RECORDS_CLOSURES_H
#define RCT_KERNELS_RECORDS_CLOSURES_H

#include <stdint.h>

/* What a closure is made of: on the body and on the other, or the ground, a frame in body axes. */
enum {
    CLOSURE_ARM = 0,         /* 3: m, from the hinge point of the body                        */
    CLOSURE_AXES = 3,        /* 9: X, Y, Z of the closure by rows                             */
    CLOSURE_OTHER_ARM = 12,  /* 3                                                             */
    CLOSURE_OTHER_AXES = 15, /* 9                                                             */
    CLOSURE_LENGTH = 24,     /* 1: m, of a distance; mean radius of an outline                */
    CLOSURE_FIELDS = 25
};

/* Of an outline the factors of cos k z and sin k z, k from 1 on. */
enum { CLOSURE_HARMONICS = 8 };

/* What a type holds: bits of d along X, Y, Z of the other, d from the point there to the point on the body; z of the body across X
 * and Y of the other; x across its Y; x across its Z; |d|;
 * d on the outline about Z. */
enum {
    CLOSURE_X = 1,
    CLOSURE_Y = 2,
    CLOSURE_Z = 4,
    CLOSURE_LINE = 8,
    CLOSURE_TURN = 16,
    CLOSURE_CROSS = 32,
    CLOSURE_DISTANCE = 64,
    CLOSURE_OUTLINE = 128
};

/* Where bodies are, in body order, and the ground. */
typedef struct rct_closure_bodies {
    const double *orientation;      /* [n][4] body axes to inertial                           */
    const double *angular_velocity; /* [n][3] rad/s, inertial axes                            */
    const double *position;         /* [n][3] m, hinge points                                 */
    const double *velocity;         /* [n][3] m/s                                             */
    double ground[13];              /* orientation, angular velocity, position, velocity      */
    double ground_acceleration[6];  /* angular, linear                                        */
} rct_closure_bodies;

typedef struct rct_closure_lanes {
    int32_t lanes, bundles;
    const int32_t *holds;   /* [bundles] what the type holds, by bits                          */
    const int32_t *body;    /* [bundles][2][W] the body and the other, -1: the ground          */
    const double *constant; /* [bundles][CLOSURE_FIELDS][W]                                    */
    const double
        *outline; /* [bundles][CLOSURE_HARMONICS][2][W] m, read where that is held; cosine, sine */
    const int32_t *row; /* [bundles][W] the first row of J of each                         */
    const int32_t *
        end; /* [bundles][W] and its first end: of a row that of the body, then that of the other, if it is one */
    int32_t *
        flipped; /* [bundles] lanes in which an axis that is held is more than 90 degrees from where it should be */
    double *phi, *speed, *bias; /* [rows]                                                      */
    double *wrench;             /* of ends: moment about the hinge point, then force           */
    int32_t apart;              /* numbers from the wrench of an end to that of the next       */
} rct_closure_lanes;

typedef void rct_closure_kernel(const rct_closure_lanes *closures,
                                const rct_closure_bodies *bodies);

#endif
