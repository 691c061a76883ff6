/* Bushes: small subtrees side by side in lanes. The contract between a layout and the lane kernels.
 *
 * A bush is a group of whole subtrees, the tasks. Their longest paths, runs of labels, stand side by side in
 * sheaves, as many as there are lanes, tips in one row; shorter paths begin further out, behind neutral
 * links (no mass, unit inertia, unit quaternion, at rest). A row of a sheaf is a wave; waves are counted
 * through all bushes. Sheaves are by decreasing length: a path hangs on a link of a longer path, which
 * stands in an earlier wave. With W lanes, field f, lane l of a record of wave g lies at
 * (g * FIELDS + f) * W + l.
 *
 * So a link finds its first outboard link in its own lane one wave on, as in a tile; the others begin
 * paths, which find and are found through places: offsets of field 0 in a lane.
 */
#ifndef RCT_KERNELS_BUSHES_H
#define RCT_KERNELS_BUSHES_H

#include "kernels/links.h"
#include "kernels/serial.h"

/* Scratch of a link; row 1 + k of a scratch is of wave k of the bush, row 0 is neutral: BUSH_OUT is zero. */
enum {
    BUSH_TURN = 0,    /* 9: link axes to those of the link inboard on the path                    */
    BUSH_GAIN = 9,    /* 12: G, h of alpha = -(G A + h)                                           */
    BUSH_HANDLE = 21, /* 9: S, e of F = S A + e                                                   */
    BUSH_START = 30,  /* 9: where a path begins: link axes to those of what it hangs on (ground:
                         inertial)                                                                */
    BUSH_OUT = 39,    /* 9: there: S, e in those axes                           (inward)          */
    BUSH_ABOVE = 48,  /* 3: there: A of the hinge point in those axes           (outward)         */
    BUSH_FIELDS = 51
};

/* The innermost link of a task. */
typedef struct rct_bush_root {
    int32_t place;  /* in the scratch                                                             */
    int32_t node;   /* of the reduced tree: its work record is what its surroundings see          */
    int32_t beside; /* whether the task hangs beside a segment                                   */
} rct_bush_root;

typedef struct rct_bushes {
    double gravity[3]; /* m/s^2, inertial axes, of all trees; or                              */
    const double *own_gravity; /* [waves][3][W] that of the tree of each lane; else NULL      */
    int32_t count;
    int32_t hanging;   /* bushes whose tasks hang on the trunk or on segments; those behind hang on
                        the ground                                                            */
    int32_t most_rows; /* of the scratch of any bush                                 */
    int64_t waves;     /* sum over bushes                                            */
    const int32_t *first_sheaf; /* [count + 1]                                                */
    const int64_t *first_wave;  /* [sheaves + 1]                                              */

    /* constants as in a tile (kernels/tiles.h): record k of a wave is shared by all lanes if k >= 0, else
     * it is ~k of the wide */
    const int32_t *record; /* [waves]                                                         */
    const double *shared;  /* [][TILE_LINK_FIELDS]                                            */
    const double *wide;    /* [][TILE_LINK_FIELDS][W]                                         */
    const int32_t *label;  /* [waves][W], -1: neutral                                         */

    /* where paths begin */
    const int32_t *starts; /* [waves] bit l: in lane l                                        */
    const int32_t *hung;   /* [waves] bit l: and hangs on a link of the bush                  */
    const int32_t *up_row; /* [waves] row of `up`, if any of `hung` is set                    */
    const int32_t *up;     /* [][W] place of that link in the states of the bush; else any    */

    /* outboard links but the first, in their order: as many rows as the link with most has */
    const int64_t *first_kid; /* [waves + 1]                                                  */
    const int32_t *kid;       /* [][W] place in the scratch; neutral                          */
    const double *kid_at;     /* [][3][W] m, its hinge point from the origin, link axes       */

    /* roots beside segments */
    const int32_t *side_row;  /* [waves] row of `side_up`, -1: none                       */
    const int32_t *side_up;   /* [][W] place in segment_state of the link it hangs on; else any */
    const double *side_at;    /* [][3][W] m, from its origin (riccati: from where its path goes
                                     on), its axes                                            */
    const int32_t *side_node; /* [][W] the node of the task; -1: no root beside           */
    const double *segment_state; /* the states of tiles                                      */

    const int64_t *first_root; /* [count + 1]                                                 */
    const rct_bush_root *root;
    double *work; /* [nodes][work_fields] of the reduced tree                                 */

    double *state;   /* [waves][STATE_FIELDS][W] what is evaluated                            */
    double *base;    /* [waves][STATE_FIELDS][W] start of the present step                    */
    double *sum;     /* [waves][STATE_FIELDS][W] running sum of a step                        */
    double *results; /* [waves][RESULT_FIELDS][W]                              (accelerate)   */
} rct_bushes;

#endif
