/* Closures side by side in lanes: their constants, where their bodies are found, where their rows of J go. The contract between
 * src/closure and the lane kernels (kernels/laws/closure_rows.h). A bundle is as many closures of one type as there are lanes; lanes
 * behind the last closure have it once more. With W lanes, field f of lane l of a bundle b lies at (b fields + f) W + l. */
#ifndef RCT_KERNELS_RECORDS_CLOSURES_H
#define RCT_KERNELS_RECORDS_CLOSURES_H

#include "kernels/records/poses.h"

#include <stdint.h>

/* Of an outline the factors of cos k z and sin k z, k from 1 on. */
enum { CLOSURE_HARMONICS = 8 };

/* What a closure is made of: on the body and on the other, or the ground, a frame in the axes of the link that the body is part of. */
enum {
    CLOSURE_ARM = 0,   /* 3: m, from the hinge point of the body                               */
    CLOSURE_AXES = 3,  /* 9: X, Y, Z of the closure by rows                                    */
    CLOSURE_SEAT = 12, /* 3: m, from the origin of the link to that hinge point                */
    CLOSURE_SIDE = 15,
    CLOSURE_LENGTH =
        30, /* 1: m, of a distance; mean radius of an outline; else by what rows that turn are lengths */
    CLOSURE_WAVES = 31, /* [CLOSURE_HARMONICS][2]: m, of an outline; of cosine, of sine       */
    CLOSURE_FIELDS = CLOSURE_WAVES + 2 * CLOSURE_HARMONICS
};

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

/* Where links are, and the ground. */
typedef struct rct_closure_places {
    const double *poses;  /* of links, as rct_pose_of_link has the numbers, `apart`              */
    const double *ground; /* likewise                                                            */
    int32_t apart;
    double ground_acceleration[6]; /* angular, linear; inertial axes                            */
    const double
        *gravity;    /* [3], or of each system [systems][3], of which body b is in b mod systems */
    int32_t systems; /* 0: one gravity                                            */
} rct_closure_places;

typedef struct rct_closure_lanes {
    int32_t lanes, bundles;
    const int32_t *holds; /* [bundles] what the type holds, by bits                          */
    const int32_t *body;  /* [bundles][2][W] the body and the other, -1: the ground          */
    const int64_t
        *pose; /* [bundles][2][W] place of the pose of the link of these, -1: the ground */
    const double *constant; /* [blocks][CLOSURE_FIELDS][W]                                     */
    const int32_t *block;   /* [bundles] its constants                                         */
    const int32_t *row;     /* [bundles][W] the first row of J of each                         */
    const int32_t *
        end; /* [bundles][W] and its first end: of a row that of the body, then that of the other, if it is one */
    int32_t *
        flipped; /* [bundles] lanes in which an axis that is held is more than 90 degrees from where it should be */
    double *phi, *speed; /* [rows]                                                             */
    double *
        bias; /* [rows] of phi''; where ends come in, with what is known of the accelerations of their bodies besides
                            those of links less gravity                                          */
    double *known;  /* [rows] sum of the absolute terms of what is known so                    */
    double *terms;  /* [rows] sum of the absolute terms of phi'                                */
    double *reach;  /* [rows] m, how far out the hinge points are: the largest coordinate      */
    double *near;   /* [rows] m, how long the parts are that a gap is the sum of, likewise      */
    int32_t ends;   /* whether wrenches of ends are asked for                                  */
    double *wrench; /* of ends: moment about the hinge point, then force; inertial axes        */
    int32_t apart;  /* numbers from the wrench of an end to that of the next                   */

    /* Where wrenches of ends come in as columns besides (kernels/records/columns.h), -1: nowhere; NULL: none do. */
    const int64_t *place; /* [ends]                                                             */
    double *in;
    int32_t in_apart;
} rct_closure_lanes;

/* Of bundles [first, end). */
typedef void rct_closure_kernel(const rct_closure_lanes *closures, const rct_closure_places *places,
                                int64_t first, int64_t end);

/* What phi'' has of velocities, as a form in the motion (w, v) of the body and that of the other: symmetric, by rows. */
enum { CLOSURE_MOTION = 12, CLOSURE_BEND = CLOSURE_MOTION * CLOSURE_MOTION };
typedef void rct_closure_bend_kernel(const rct_closure_lanes *closures,
                                     const rct_closure_places *places,
                                     double *bend); /* [rows][CLOSURE_BEND] */

/* How rows change where their bodies move, whose accelerations stay as they are. */
typedef struct rct_closure_slopes {
    const int32_t *loop;        /* [bundles][W] number of each closure                        */
    const double *acceleration; /* [bodies][6] true ones, of hinge points: angular, linear    */
    const double *multiplier;   /* [rows]                                                     */
    double of_speed, of_place;  /* factors of phi' and phi beside phi''                       */
    double *place,
        *rate; /* [rows][CLOSURE_MOTION] what the sum changes by with places (turn and way of the hinge point)
                             and with velocities of the body and of the other, unless that is the ground  */
    double *hold; /* [loops][CLOSURE_BEND] what the wrench of all rows on both changes by with their
                             places, by rows                                                    */
} rct_closure_slopes;

/* Of all closures; by one thread. */
void rct_closure_find_slopes(const rct_closure_lanes *closures, const rct_closure_places *places,
                             const rct_closure_slopes *slopes);

#endif
