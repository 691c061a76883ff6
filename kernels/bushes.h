/* Bushes: small subtrees side by side in lanes, in level order. The contract between a layout and the
 * lane kernels.
 *
 * A bush is a group of whole subtrees, the tasks. A wave is a row of W links of a bush, one a lane, any
 * links of which none is outboard of another; parents stand in earlier waves. Lanes without a link are
 * neutral (no mass, unit inertia, unit quaternion, at rest). With W lanes, field f, lane l of a record of
 * wave g lies at (g * FIELDS + f) * W + l.
 *
 * Links find each other through the scratch of their bush: its row 0 is neutral, row 1 + k belongs to
 * wave first_wave + k, and the rows behind to the points that the tasks hang on, task after task. A place
 * in it is the offset of a row's field 0 in a lane.
 */
#ifndef RCT_KERNELS_BUSHES_H
#define RCT_KERNELS_BUSHES_H

#include "kernels/links.h"
#include "kernels/serial.h"

/* Scratch of a link. */
enum {
    BUSH_TURN = 0,    /* 9: link axes to inertial, then to the parent's (root: to inertial)       */
    BUSH_GAIN = 9,    /* 12: G, h of alpha = -(G A + h)                                           */
    BUSH_OUT = 21,    /* 9: S, e of F = S A + e in the parent's axes                   (inward)   */
    BUSH_LINEAR = 21, /* 3: A of the hinge point                                       (outward)  */
    BUSH_ANGULAR = 24, /* 3: alpha                                                     (outward)  */
    BUSH_RATE = 27,    /* 3: w, which the stage may advance in the state               (outward)  */
    BUSH_AT = 30,      /* 3: hinge point from the parent's origin, parent's axes                  */
    BUSH_HANDLE = 33,  /* 9: S, e in link axes                                                    */
    BUSH_FIELDS = 42
};

/* The innermost link of a task. */
typedef struct rct_bush_root {
    int32_t place; /* in the scratch                                                             */
    int32_t above; /* place of the point it hangs on                                             */
    int32_t node;  /* of the reduced tree: its work record is what its surroundings see          */
} rct_bush_root;

typedef struct rct_bushes {
    double gravity[3]; /* m/s^2, inertial axes                                                */
    int32_t count;
    int32_t hanging;   /* bushes whose tasks hang on the trunk or on segments; those behind hang on
                        the ground                                                            */
    int32_t most_rows; /* of the scratch of any bush                                  */
    int64_t waves;     /* sum over bushes                                             */
    const int64_t *first_wave; /* [count + 1]                                                 */

    /* constants: record k of a wave is shared by all lanes if k >= 0, else it is ~k of the wide.
     * For riccati the inertia is that about the centre of mass */
    const int32_t *record; /* [waves]                                                         */
    const double *shared;  /* [][LINK_FIELDS]                                                 */
    const double *wide;    /* [][LINK_FIELDS][W]                                              */

    const int32_t *label;     /* [waves][W], -1: neutral                                      */
    const int32_t *parent;    /* [waves][W] place                                             */
    const int64_t *first_kid; /* [waves + 1] into kid: as many as the link with most has      */
    const int32_t *kid;       /* [][W] places of the outboard links in their order; neutral   */

    const int64_t *first_root; /* [count + 1]                                                 */
    const rct_bush_root *root;
    double *work; /* [nodes][work_fields] of the reduced tree                                 */

    double *state;   /* [waves][STATE_FIELDS][W] what is evaluated                            */
    double *base;    /* [waves][STATE_FIELDS][W] start of the present step                    */
    double *sum;     /* [waves][STATE_FIELDS][W] running sum of a step                        */
    double *results; /* [waves][RESULT_FIELDS][W]                              (accelerate)   */
} rct_bushes;

/* The kernels of one method, each one bush at a time. scratch: [most_rows][BUSH_FIELDS][W], row 0 as
 * rct_bush_start left it. A fault names the smallest label at fault. */
typedef struct rct_bush_method {
    /* Condense every task to its handle, which its work record gets with its rotation. */
    rct_sweep_result (*condense)(const rct_bushes *bushes, int32_t bush, double *scratch);

    /* With what reaches the tasks in their work records: inward again, outward (in spite of a vanishing
     * pivot, so that the base of a step is whole), and what the stage asks (kernels/tiles.h). */
    rct_sweep_result (*accelerate)(const rct_bushes *bushes, int32_t bush, int stage, double dt,
                                   double *scratch);
} rct_bush_method;

/* Row 0 of a scratch, all zero before: asks for nothing, at rest, turned nowhere. */
static inline void rct_bush_start(double *scratch, int32_t lanes)
{
    for (int i = 0; i < 3; i++) {
        for (int32_t l = 0; l < lanes; l++) {
            scratch[(BUSH_TURN + 4 * i) * lanes + l] = 1.0;
        }
    }
}

#endif
