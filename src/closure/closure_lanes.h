/* The active closures of a model side by side in lanes (kernels/records/closures.h). */
#ifndef RCT_CLOSURE_CLOSURE_LANES_H
#define RCT_CLOSURE_CLOSURE_LANES_H

#include "core/pool.h"
#include "core/share.h"
#include "kernels/records/closures.h"
#include "kernels/sweeps/lanes.h"

#include <riccatree/loop.h>

/* Where a body sits in its link; if no seats are given, each body is a link. */
typedef struct rct_closure_seat {
    int32_t link;       /* -1: the ground */
    double position[3]; /* m, of its hinge point, link axes */
    double rotation[9]; /* body axes to link axes, by rows */
} rct_closure_seat;

/* A loop, and where the pose of its body is. */
typedef struct rct_closure_turn {
    int64_t place;
    int32_t loop;
} rct_closure_turn;

typedef struct rct_closure_layout {
    rct_closure_lanes at; /* the caller sets where rows go */
    rct_closure_kernel *write;
    rct_closure_bend_kernel *bend;
    const rct_closure_seat *seats; /* [n], or NULL: each body is a link */
    const double *length;          /* [systems] m; times these, rows that turn are lengths */
    int32_t systems;               /* loop l belongs to system l mod `systems` */
    int32_t *holds, *own, *block, *body, *link, *row, *end, *loop; /* [bundles][W] */
    rct_closure_turn *turn; /* [loops] the order in which they are filled in */
    int64_t *pose, *into;
    rct_closure_side_lanes *side;
    double *constant;
} rct_closure_layout;

/* Room for all closures of the model between bodies on `seats`, in the lanes of this machine; the
 * pool frees it. RCT_ERROR_MEMORY. */
rct_status rct_closure_layout_create(rct_closure_layout *layout, const rct_model *model,
                                     const rct_closure_seat *seats, rct_pool *pool,
                                     rct_error *error);

/* How many rows of a closure hold positions; these come before rows that turn. */
int32_t rct_closure_places_held(rct_loop_type type);

/* The factor that makes a relation between hinges [n] a length, so that rows compare whatever
 * factors its terms have: of angles with factors of 1 alone the length of the system, as in rows
 * that turn; else a power of two of it, or of 1, that makes the largest term about so long. */
double rct_closure_relation_unit(const rct_loop *loop, const rct_hinge_type *hinge, double length);

/* Fill in the active closures. `row`, `end` [loops]: the first row and end of each. */
void rct_closure_layout_fill(rct_closure_layout *layout, const rct_model *model,
                             const unsigned char *active, const int32_t *row, const int32_t *end);

/* Poses of links are in label order, and wrenches go to the ends of rows. */
void rct_closure_layout_pose(rct_closure_layout *layout);

/* From now on closures are filled in along the places `pose_at` of the poses of their links; before,
 * in the order of the model. */
void rct_closure_layout_sort(const rct_closure_layout *layout, const rct_model *model,
                             const int64_t *pose_at);

/* Instead, poses of links are at `pose_at`, and ends enter columns, in `in`, at `place` (-1:
 * nowhere), fields `apart`. All of these stay the caller's. */
void rct_closure_layout_come_in(rct_closure_layout *layout, const int64_t *place, double *in,
                                int32_t apart, const int64_t *pose_at);

/* Write all rows, with the threads there are. */
void rct_closure_layout_write(const rct_closure_layout *layout, const rct_closure_places *places,
                              rct_sharing sharing);

/* The first loop that was written turned round, or -1. */
int32_t rct_closure_layout_flipped(const rct_closure_layout *layout);

#endif
