/* A model projected along its normal, as a planar system. */
#ifndef RCT_REFERENCE_PLANAR_VIEW_H
#define RCT_REFERENCE_PLANAR_VIEW_H

#include "reference/planar/planar.h"
#include "reference/pose.h"

#include <riccatree/reference.h>

/* Axes of the plane: x and y in it, the third the normal. A body's planar frame has its origin
 * in the hinge point, and has these axes if all coordinates are zero and the ground is where it
 * is now. */
typedef struct rct_planar_view {
    rct_planar_system system;
    const rct_model *model;
    rct_base_motion base;
    quad33 E;       /* inertial axes to those of the plane                                       */
    quad33 K_0;     /* ground axes to those of the plane                                         */
    int turning;    /* whether anything turns                                                    */
    int32_t *body;  /* [n] the model's body at each place of the planar system                   */
    int32_t *place; /* [n] the inverse                                                           */
    int64_t *first; /* [n] first rate of each body in the model's order                          */
    quad33 *K;      /* [n] body axes to those of the planar frame, by body                       */
    int32_t *loop;  /* [closures] the model's loop                                               */
    quad *sense;    /* [n] 1 if the body turns about the normal, -1 if about its opposite         */
} rct_planar_view;

/* Make the view of a checked model at `time`. Call rct_planar_free for its system even if it
 * fails as described for rct_semi_recursive_evaluate. */
rct_status rct_planar_view_make(rct_planar_view *view, const rct_model *model, double time,
                                rct_error *error);

/* Loads [n], including weight, projected along the normal. */
void rct_planar_view_load(rct_planar_view *view, const rct_load *load);

/* Add the forces at hinges in this state (pose.h) to the applied ones. */
void rct_planar_view_drive(rct_planar_view *view, const rct_pose *pose);

/* Whether two vectors are parallel except for rounding. */
int rct_planar_view_along(quad3 a, quad3 b);

/* view_loops.c: how many closures the active loops of a model make, and whether a loop is
 * planar; with the view made except for closures, those of a loop from number *at on, which is
 * advanced. RCT_ERROR_UNSUPPORTED names the loop. */
int32_t rct_planar_view_closures(const rct_model *model);
rct_status rct_planar_view_check_loop(const rct_model *model, int32_t number, rct_error *error);
rct_status rct_planar_view_loop(rct_planar_view *view, int32_t number, int32_t *at,
                                rct_error *error);

/* Add the forces that closures of the solution exert on the bodies to loads [n] about their
 * centres of mass. */
void rct_planar_view_exert(const rct_planar_view *view, const rct_planar_state *state,
                           const rct_pose *pose, rct_load *load);

/* Factor from rate number j of a body to z.: -1 if the model counts against the normal. */
quad rct_planar_view_sign(const rct_planar_view *view, int32_t body, int32_t j);

#endif
