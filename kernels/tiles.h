/* Tiles: segments side by side in lanes. The contract between a layout and the lane kernels.
 *
 * A tile holds as many segments as a lane kernel is wide, all with the same number of steps; step s
 * is the s-th link of each, counted from its inboard end. Shorter segments are padded at their
 * outboard end with neutral links (no mass, unit inertia, unit quaternion, at rest): they pass every
 * handle through unchanged. Empty lanes are all neutral. With W lanes, step g = first_step + s of a
 * tile and field f, lane l of a record lies at (g * FIELDS + f) * W + l: aligned, and one run of
 * memory a step.
 */
#ifndef RCT_KERNELS_TILES_H
#define RCT_KERNELS_TILES_H

#include "kernels/bushes.h"
#include "kernels/links.h"
#include "kernels/serial.h"

/* Constants of a link in a tile: its sweep record with LINK_AT now the hinge point of the next link
 * outboard on the segment, or of the segment's outboard handle, in link axes. For riccati the inertia
 * is that about the centre of mass. */
enum { TILE_OUT = LINK_AT, TILE_LINK_FIELDS = LINK_FIELDS };

/* What passes between a segment link and the subtrees hung beside it, link axes. */
enum {
    SIDE_LINEAR = 0,  /* 3: acceleration of the link's hinge point            (lanes, outward)   */
    SIDE_ANGULAR = 3, /* 3: its angular acceleration                          (lanes, outward)   */
    SIDE_RATE = 6,    /* 3: its w                                             (lanes, outward)   */
    SIDE_A11 = 9,     /* abi, 6: sum S                                        (host, inward)     */
    SIDE_A12 = 15,    /* abi, 9: -sum S r~                                    (host, inward)     */
    SIDE_A22 = 24,    /* abi, 6: -sum r~ S r~                                 (host, inward)     */
    SIDE_B1 = 30,     /* abi, 3: sum S v + e                                  (host, inward)     */
    SIDE_B2 = 33,     /* abi, 3: sum r x (S v + e)                            (host, inward)     */
    SIDE_RICCATI = 9, /* riccati, 42: S by rows and e at the first input      (host, inward)     */
    SIDE_FIELDS = 51,
    SIDE_ABI_FIELDS = 27,
    SIDE_RICCATI_FIELDS = 42
};

/* The two handles of a segment (kernels/abi_span_step.h), and the axes they are in: those of the first
 * link and of the last. */
enum {
    SPAN_S = 0,           /* 6: kg                                                               */
    SPAN_E = 6,           /* 3: N                                                                */
    SPAN_THROUGH = 9,     /* 9: E, by rows                                                       */
    SPAN_FREE = 18,       /* 3: h, m/s^2                                                         */
    SPAN_COMPLIANCE = 21, /* 6: Psi, 1/kg                                                        */
    SPAN_INBOARD = 27,    /* 9: rotation, axes of the first link to inertial                     */
    SPAN_OUTBOARD = 36,   /* 9: rotation, axes of the last link to inertial                      */
    SPAN_STAND_IN = 45,   /* kg, mu                                                              */
    SPAN_FIELDS = 46,
    SPAN_CORE = SPAN_INBOARD /* fields of a span whose axes are known                           */
};

/* What reaches a segment from the reduced tree. */
enum {
    END_LINEAR = 0, /* 3: A of its inboard hinge point, axes of the first link (host)            */
    END_HANDLE = 3, /* 9: S, e of all outboard of it, axes of the last link    (host)            */
    END_FIELDS = 12
};

/* Results of a link, link axes, written when asked for. */
enum {
    RESULT_LINEAR = 0,  /* 3: A                                                                  */
    RESULT_ANGULAR = 3, /* 3: alpha                                                              */
    RESULT_FORCE = 6,   /* 3: F                                                                  */
    RESULT_FIELDS = 9
};

/* What the way outward needs of every step of one tile; a thread has one such scratch. */
enum {
    SCRATCH_TURN = 0,    /* 9: link axes to those of the link inboard (first: to those of the end)*/
    SCRATCH_GAIN = 9,    /* 12: G, h of alpha = -(G A + h)                                       */
    SCRATCH_HANDLE = 21, /* 9: S, e of F = S A + e                                               */
    SCRATCH_FIELDS = 30
};

typedef struct rct_tiles {
    double gravity[3]; /* m/s^2, inertial axes                                          */
    int32_t count;
    int32_t most_steps;        /* of any tile                                                   */
    int64_t steps;             /* sum over tiles                                                */
    const int64_t *first_step; /* [count + 1]                                                   */

    /* constants: record k of a step is shared by all lanes if k >= 0, else it is ~k of the wide  */
    const int32_t *record; /* [steps]                                                       */
    const double *shared;  /* [][TILE_LINK_FIELDS]                                          */
    const double *wide;    /* [][TILE_LINK_FIELDS][W]                                       */

    /* slots of steps with subtrees beside them */
    const int32_t *slot; /* [steps], -1: none                                             */
    double *side;        /* [slots][SIDE_FIELDS][W]                                       */

    const double *stand_in; /* [count][W] mass that stands in for what follows a segment   */

    double *state;   /* [steps][STATE_FIELDS][W] what is evaluated                    */
    double *base;    /* [steps][STATE_FIELDS][W] start of the present step            */
    double *sum;     /* [steps][STATE_FIELDS][W] running sum of a step                */
    double *results; /* [steps][RESULT_FIELDS][W]                     (accelerate)    */
} rct_tiles;

enum { TILE_MOST_LANES = 8 };

/* How a tile ended, and the first link at fault of each lane on the way, or -1. */
typedef struct rct_tile_result {
    rct_sweep_end end;
    int32_t step[TILE_MOST_LANES];
} rct_tile_result;

/* Stage of accelerate: results only, or stage 0 to 3 of a Runge-Kutta step with them. */
enum { STAGE_NONE = -1 };

#endif
