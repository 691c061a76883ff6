/* Closures side by side in lanes: their constants, where their bodies are found, where their rows
 * of J go. The contract between src/closure and the lane kernels (kernels/laws/closure_rows.h). A
 * bundle holds as many closures of one type as there are lanes; lanes behind the last closure
 * repeat it. With W lanes, field f of lane l of a bundle b lies at (b fields + f) W + l. */
#ifndef RCT_KERNELS_RECORDS_CLOSURES_H
#define RCT_KERNELS_RECORDS_CLOSURES_H

#include "kernels/records/poses.h"

#include <stdint.h>

/* Most factors of cos k z, and of sin k z, of an outline; k begins at 1. */
enum { CLOSURE_HARMONICS = 8 };

/* The constants of a closure. For the body and for the other body (or the ground): a frame in the
 * axes of the link that the body is part of. */
enum {
    CLOSURE_REACH = 0, /* 3: m, from the origin of the link                     */
    CLOSURE_AXES = 3,  /* 9: X, Y, Z of the closure by rows                     */
    CLOSURE_SEAT = 12, /* 3: m, from the origin of the link to that hinge point */
    CLOSURE_SIDE = 15,
    /* 1: m, a distance; the mean radius of an outline; else the factor that makes rows of turns
     * lengths */
    CLOSURE_LENGTH = 30,
    CLOSURE_WAVES = 31, /* [CLOSURE_HARMONICS][2]: m, of an outline; factors of cosine, of sine */
    CLOSURE_FIELDS = CLOSURE_WAVES + 2 * CLOSURE_HARMONICS
};

/* What a type holds, by bits. d is the vector from the point on the other body to the point on the
 * body. The bits: d along X, Y, Z of the other; z of the body across X and Y of the other; x across
 * its Y; x across its Z; |d|; d on the outline about Z. */
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

/* Most rows of J of a closure. */
enum { MOST_CLOSURE_ROWS = 6 };

/* A side of a bundle. */
typedef struct rct_closure_side_lanes {
    int32_t straight; /* whether the poses of its lanes stand side by side */
    /* lanes, by bits, in which the side moves as the ground does: it is the ground, or, where ends
     * enter columns, a part of it */
    int32_t grounded;
} rct_closure_side_lanes;

/* Where a row enters columns, besides the place of the first lane of lanes side by side. */
enum { CLOSURE_NOWHERE = -1, CLOSURE_SCATTERED = -2 };

/* Where the links are, and the ground. */
typedef struct rct_closure_places {
    const double *poses;  /* of links: the numbers of rct_pose_of_link, `apart` */
    const double *ground; /* likewise                                           */
    int32_t apart;
    double ground_acceleration[6]; /* angular, linear; inertial axes */
    const double *gravity; /* [3], or [systems][3]: body b belongs to system b mod systems */
    int32_t systems;       /* 0: one gravity for all                                       */
} rct_closure_places;

typedef struct rct_closure_lanes {
    int32_t lanes, bundles;
    const int32_t *holds; /* [bundles] what the type holds, by bits                 */
    const int32_t *own;   /* [bundles] lanes with a closure of their own            */
    const int32_t *body;  /* [bundles][2][W] the body and the other, -1: the ground */
    /* [bundles][2][W] place of the pose of the link of these, -1: the ground */
    const int64_t *pose;
    const rct_closure_side_lanes *side; /* [bundles][2]          */
    const double *constant;             /* [blocks][CLOSURE_FIELDS][W]             */
    const int32_t *block;               /* [bundles] its constants                 */
    const int32_t *row;                 /* [bundles][W] the first row of J of each */
    /* [bundles][W] the first end of each; a row has the end of the body, then that of the other, if
     * that is a body */
    const int32_t *end;
    /* [bundles] lanes in which an axis that is held is more than 90 degrees from where it
     * should be */
    int32_t *flipped;
    /* whether only what phi'' takes is written: phi, speed, terms, reach and near stay */
    int only_bias;
    double *phi, *speed; /* [rows] */
    /* [rows] of phi''; where ends enter columns, with the known accelerations of their bodies
     * besides those of links less gravity */
    double *bias;
    double *known;  /* [rows] sum of the absolute terms of these known accelerations          */
    double *terms;  /* [rows] sum of the absolute terms of phi'                               */
    double *reach;  /* [rows] m, the largest coordinate of the origins of the two links       */
    double *near;   /* [rows] m, the largest coordinate of the parts that a gap is the sum of */
    int32_t ends;   /* whether the wrenches of ends are wanted                                */
    double *wrench; /* of ends: moment about the hinge point, then force; inertial axes       */
    int32_t apart;  /* numbers from the wrench of an end to that of the next                  */

    /* Where wrenches of ends enter columns besides (kernels/records/columns.h), -1: nowhere; NULL:
     * none do. */
    const int64_t *place; /* [ends] */
    /* [bundles][MOST_CLOSURE_ROWS][2] of both ends of a row: the place where lanes stand side by
     * side, CLOSURE_NOWHERE, or CLOSURE_SCATTERED, each at its own place */
    const int64_t *into;
    double *in;
    int32_t in_apart;
} rct_closure_lanes;

/* Works on the bundles [first, end). */
typedef void rct_closure_kernel(const rct_closure_lanes *closures, const rct_closure_places *places,
                                int64_t first, int64_t end);

/* The part of phi'' that velocities make, as a form in the motion (w, v) of the body and that of
 * the other: symmetric, by rows. */
enum { CLOSURE_MOTION = 12, CLOSURE_BEND = CLOSURE_MOTION * CLOSURE_MOTION };
typedef void rct_closure_bend_kernel(const rct_closure_lanes *closures,
                                     const rct_closure_places *places,
                                     double *bend); /* [rows][CLOSURE_BEND] */

/* How rows change when their bodies move while the accelerations of the bodies stay the same. */
typedef struct rct_closure_slopes {
    const int32_t *loop;        /* [bundles][W] number of each closure                     */
    const double *acceleration; /* [bodies][6] true ones, of hinge points: angular, linear */
    const double *multiplier;   /* [rows]                                                  */
    double of_speed, of_place;  /* factors of phi' and phi beside phi''                    */
    /* [rows][CLOSURE_MOTION] how the sum changes with the places (turn and displacement of the
     * hinge point) and with the velocities of the body and of the other, unless that is the
     * ground */
    double *place, *rate;
    /* [loops][CLOSURE_BEND] how the wrench of all rows on both bodies changes with their places, by
     * rows */
    double *hold;
} rct_closure_slopes;

/* Of all closures, on one thread. */
void rct_closure_find_slopes(const rct_closure_lanes *closures, const rct_closure_places *places,
                             const rct_closure_slopes *slopes);

#endif
