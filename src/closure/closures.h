/* The loops of a solver as equations. A loop is up to six scalar constraints phi(q, t) = 0, rows of J:
 *
 *     phi' = J u + sigma = 0          phi'' = J u' + J' u + sigma' = 0
 *
 * A row of J is written as what it takes from the motion of bodies and from rates of hinges,
 *
 *     phi'  = sum wrench . (w, v) + sum factor u + (the ground's part)
 *     phi'' = sum wrench . (alpha, a) + sum factor u' + bias
 *
 * with true accelerations of hinge points, so that nothing here knows the tree. The wrenches and factors times a
 * multiplier are the force and moment it exerts (d'Alembert): generalized forces J* lambda.
 */
#ifndef RCT_CLOSURE_CLOSURES_H
#define RCT_CLOSURE_CLOSURES_H

#include "closure/closure_lanes.h"

#include <riccatree/force.h>
#include <riccatree/loop.h>

/* What a row takes from a body: moment about its hinge point and force, inertial axes, or what turns (w, v) into phi'. */
typedef struct rct_closure_end {
    int32_t body;
    double wrench[6];
} rct_closure_end;

/* What it takes from a rate of a hinge. */
typedef struct rct_closure_rate {
    int64_t rate; /* body after body, as rct_solver_get_coordinates counts them                  */
    double factor;
} rct_closure_rate;

/* Rows of all active loops, loop after loop. What ends in a _at has one element more than there are rows. */
typedef struct rct_closure_rows {
    int32_t count;
    int32_t *loop;    /* [count] number of the loop in the model                          */
    int32_t *ends_at; /* ends of row i: ends[ends_at[i]] to ends[ends_at[i + 1] - 1]: 0 to 2*/
    rct_closure_end *ends;
    int64_t *rates_at; /* rates of row i, likewise                                         */
    rct_closure_rate *rates;
    double *
        phi; /* [count] m; rows that turn: times the length of the system the sine of the angle that
                      is left; relations: times their unit what their terms have          */
    double *speed; /* [count] phi'                                                         */
    double *bias;  /* [count] of phi''                                                     */
    double *known; /* [count] sum of the absolute terms of what is known there of the
                      accelerations of bodies                                              */
    double *terms; /* [count] sum of the absolute terms of phi'                            */
    double *reach; /* [count] m, the largest coordinate of the hinge points that it holds  */
    double *near;  /* [count] m, the same of what a gap is summed of: not how far out it is */
    double *
        unit; /* [count] m: what a row that turns was multiplied by, so that all are lengths; relations
                      likewise; 1 of rows that are                                        */
    double length;      /* m, of the system: what turns by 1 rad moves by about so much; 0: 1 m   */
    const double *give; /* [count] by how much each row gives way to its own multiplier, as a spring
                           does; NULL: constraints do not                                   */
    int32_t
        flipped; /* the first loop whose frames are more than 90 degrees apart about an axis that it
                            holds: its rows would be met with the frames turned round; or -1     */
    /* changes when other loops are active: the same rows of other numbers till then */
    int64_t version;
} rct_closure_rows;

/* Where everything is. */
typedef struct rct_closure_state {
    const double
        *poses; /* of links, rct_pose_of_link [links]; or where rct_closures_come_in says  */
    const double *ground_pose;
    int32_t apart; /* from one of their numbers to the next                                      */
    const double
        *coordinates;    /* of all hinges, as rct_solver_get_coordinates has them; read of those
                                  that relations hold                                           */
    const double *rates; /* likewise                                                       */
    rct_base_motion ground;
    const double
        *gravity; /* as rct_closure_places has it; read where wrenches come in to columns */
    int32_t systems;
    double time; /* s */
    rct_sharing sharing;
} rct_closure_state;

typedef struct rct_closures rct_closures;

/* Lengths of systems side by side: loop l is of system l mod `systems`. */
typedef struct rct_closure_lengths {
    const double *length; /* [systems] m */
    int32_t systems;
} rct_closure_lengths;

/* The loops of `model` between bodies on `hinges` [n], which are checked, and on `seats` [n], or NULL: each body is a link. The model,
 * the seats, and the lengths, NULL: 1 m, must outlive them. NULL: RCT_ERROR_MEMORY. */
rct_closures *rct_closures_create(const rct_model *model, const rct_hinge_type *hinges,
                                  const rct_closure_seat *seats, int32_t n,
                                  const rct_closure_lengths *lengths, rct_error *error);
void rct_closures_free(rct_closures *closures);
int64_t rct_closures_bytes(const rct_closures *closures);

/* Loop number `loop`, 0 to the model's count less 1; its name is that of rct_model_loop_name. */
void rct_closures_name(const rct_closures *closures, int32_t loop, char name[RCT_NAME_SIZE]);
void rct_closures_set_active(rct_closures *closures, int32_t loop, int active);
int rct_closures_active(const rct_closures *closures, int32_t loop);

/* Rows of the active loops in a state. They live with the closures, till the next write. */
const rct_closure_rows *rct_closures_write(rct_closures *closures, const rct_closure_state *state);

/* Have wrenches of ends come in to columns instead, from the next write on and until other loops are active: each at its place in `in`,
 * or -1: nowhere, numbers `apart`; and find the poses of links at pose_at [links]. The rows have no wrenches then, and in their bias
 * what is known of accelerations besides those of links less gravity. */
void rct_closures_come_in(rct_closures *closures, const int64_t *place, double *in, int32_t apart,
                          const int64_t *pose_at);

/* The same rows once more, with wrenches wherever they go. */
const rct_closure_rows *rct_closures_write_ends(rct_closures *closures,
                                                const rct_closure_state *state);

/* What phi'' of the rows written last has of velocities in that state, its bias as a form in the motions (w, v) of the two hinge points:
 * [rows][12][12] symmetric, of the body first, then of the other; of relations zeros. */
void rct_closures_bend(const rct_closures *closures, const rct_closure_state *state, double *bend);

/* How the rows written last change with the places and velocities of their bodies in that state (kernels/records/closures.h): all but
 * the numbers of the loops is the caller's; of relations zeros. */
void rct_closures_find_slopes(const rct_closures *closures, const rct_closure_state *state,
                              rct_closure_slopes *slopes);

/* The same as those of other closures of the model, with the same loops active, were written last. */
const rct_closure_rows *rct_closures_copy(rct_closures *closures, const rct_closures *from);

/* Of those `count` rows alone, whatever the others are of; of all where other loops were active before. */
void rct_closures_copy_some(rct_closures *closures, const rct_closures *from, const int32_t *rows,
                            int32_t count);

/* The rows as they were written last. */
const rct_closure_rows *rct_closures_rows(const rct_closures *closures);

static inline double rct_closure_length(const rct_closure_rows *rows)
{
    return rows->length > 0.0 ? rows->length : 1.0;
}

/* y [count] = what the rows take from angular and linear motions of bodies [n][3] and from rates: J u for what u moves;
 * with bias added phi''. */
void rct_closure_take(const rct_closure_rows *rows, const double *angular, const double *linear,
                      const double *rates, double *y);

/* Add J* x in parts: forces at the hinge points and moments about them [n][3], inertial axes, and efforts [rates]; not
 * cleared before. */
void rct_closure_give(const rct_closure_rows *rows, const double *x, double *force, double *moment,
                      double *effort);

#endif
