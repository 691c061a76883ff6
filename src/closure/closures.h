/* The loops of a solver as equations. A loop is up to six scalar constraints phi(q, t) = 0, rows of
 * J:
 *
 *     phi' = J u + sigma = 0          phi'' = J u' + J' u + sigma' = 0
 *
 * A row of J is written by its coefficients for the motion of bodies and for rates of hinges,
 *
 *     phi'  = sum wrench . (w, v) + sum factor u + (part of the ground)
 *     phi'' = sum wrench . (alpha, a) + sum factor u' + bias
 *
 * with true accelerations of hinge points, so nothing here depends on the tree. The wrenches and
 * factors times a multiplier are the forces and moments that it exerts (d'Alembert): generalized
 * forces J* lambda. */
#ifndef RCT_CLOSURE_CLOSURES_H
#define RCT_CLOSURE_CLOSURES_H

#include "closure/closure_lanes.h"

#include <riccatree/force.h>
#include <riccatree/loop.h>

/* The coefficients of a row for a body: moment about its hinge point and force, inertial axes; they
 * turn (w, v) into phi'. */
typedef struct rct_closure_end {
    int32_t body;
    double wrench[6];
} rct_closure_end;

/* The coefficient for a rate of a hinge. */
typedef struct rct_closure_rate {
    int64_t rate; /* in body order, as rct_solver_get_coordinates counts rates */
    double factor;
} rct_closure_rate;

/* Rows of all active loops, loop by loop. Arrays named _at have one element more than there are
 * rows. */
typedef struct rct_closure_rows {
    int32_t count;
    int32_t *loop;    /* [count] number of the loop in the model */
    int32_t *ends_at; /* ends of row i: ends[ends_at[i]] to ends[ends_at[i + 1] - 1]: 0 to 2*/
    rct_closure_end *ends;
    int64_t *rates_at; /* rates of row i, likewise */
    rct_closure_rate *rates;
    /* [count] m; rows that turn: the sine of the angle left, times the length of the system;
     * relations: their terms times their unit */
    double *phi;
    double *speed; /* [count] phi' */
    double *bias;  /* [count] of phi'' */
    double *known; /* [count] sum of the absolute terms of phi'' by known accelerations of bodies */
    double *terms; /* [count] sum of the absolute terms of phi' */
    double *reach; /* [count] m, the largest coordinate of the origins of the two links      */
    /* [count] m, the size of the numbers that sum up to the gap, not how far out these are */
    double *near;
    /* [count] m: the factor that makes rows that turn, and relations, lengths; 1 for lengths */
    double *unit;
    double length; /* m, of the system: a turn by 1 rad moves points by about this; 0: 1 m */
    /* [count] how much each row gives way to its own multiplier, as a spring does; NULL:
     * constraints do not */
    const double *give;
    /* the first loop whose frames are more than 90 degrees apart about an axis that it holds, so
     * that its rows would close with the frames turned round; or -1 */
    int32_t flipped;
    /* changes when other loops are active; until then the rows are the same with other numbers */
    int64_t version;
} rct_closure_rows;

/* The state that rows are written from. */
typedef struct rct_closure_state {
    /* of links, rct_pose_of_link [links]; or at the places of rct_closures_come_in */
    const double *poses;
    const double *ground_pose;
    int32_t apart; /* from one of their numbers to the next */
    /* of all hinges, as rct_solver_get_coordinates gives them; only those that relations hold are
     * read */
    const double *coordinates;
    const double *rates; /* likewise */
    rct_base_motion ground;
    const double *gravity; /* as in rct_closure_places; read where wrenches come in to columns */
    int32_t systems;
    double time; /* s */
    /* whether only what phi'' takes is wanted: other numbers of rows may stay as they are */
    int only_bias;
    rct_sharing sharing;
} rct_closure_state;

typedef struct rct_closures rct_closures;

/* Lengths of systems side by side: loop l belongs to system l mod `systems`. */
typedef struct rct_closure_lengths {
    const double *length; /* [systems] m */
    int32_t systems;
} rct_closure_lengths;

/* The loops of `model` between bodies on `hinges` [n], which are checked, and on `seats` [n]; seats
 * NULL: each body is a link. The model, the seats, and the lengths (NULL: 1 m) must outlive them.
 * NULL: RCT_ERROR_MEMORY. */
rct_closures *rct_closures_create(const rct_model *model, const rct_hinge_type *hinges,
                                  const rct_closure_seat *seats, int32_t n,
                                  const rct_closure_lengths *lengths, rct_error *error);
void rct_closures_free(rct_closures *closures);
int64_t rct_closures_bytes(const rct_closures *closures);

/* Loops are numbered from 0 to the count of the model less 1; the name is that of
 * rct_model_loop_name. */
void rct_closures_name(const rct_closures *closures, int32_t loop, char name[RCT_NAME_SIZE]);
void rct_closures_set_active(rct_closures *closures, int32_t loop, int active);
int rct_closures_active(const rct_closures *closures, int32_t loop);

/* Rows of the active loops in a state, valid until the next write. */
const rct_closure_rows *rct_closures_write(rct_closures *closures, const rct_closure_state *state);

/* Make wrenches of ends come in to columns, from the next write until other loops are active: each
 * at its place in `in`, or -1: nowhere, with numbers `apart`; and find the poses of links at
 * pose_at [links]. The rows then have no wrenches, and their bias has the known accelerations
 * besides those of links less gravity. */
void rct_closures_come_in(rct_closures *closures, const int64_t *place, double *in, int32_t apart,
                          const int64_t *pose_at);

/* Write the same rows once more, with wrenches in any case. */
const rct_closure_rows *rct_closures_write_ends(rct_closures *closures,
                                                const rct_closure_state *state);

/* The velocity part of phi'' of the rows written last, in that state: its bias as a form in the
 * motions (w, v) of the two hinge points, [rows][12][12] symmetric, of the body first, then of the
 * other; zeros for relations. */
void rct_closures_bend(const rct_closures *closures, const rct_closure_state *state, double *bend);

/* How the rows written last change with the places and velocities of their bodies in that state
 * (kernels/records/closures.h). The caller sets all except the numbers of loops; zeros for
 * relations. */
void rct_closures_find_slopes(const rct_closures *closures, const rct_closure_state *state,
                              rct_closure_slopes *slopes);

/* Copy the rows that other closures of the model wrote last, with the same loops active. */
const rct_closure_rows *rct_closures_copy(rct_closures *closures, const rct_closures *from);

/* Copy only those `count` rows, whatever the state of the others; copy all where other loops were
 * active before. */
void rct_closures_copy_some(rct_closures *closures, const rct_closures *from, const int32_t *rows,
                            int32_t count);

/* The rows written last. */
const rct_closure_rows *rct_closures_rows(const rct_closures *closures);

static inline double rct_closure_length(const rct_closure_rows *rows)
{
    return rows->length > 0.0 ? rows->length : 1.0;
}

/* y [count] = the rows times angular and linear motions of bodies [n][3] and rates: J u for
 * velocities; plus bias it is phi''. */
void rct_closure_take(const rct_closure_rows *rows, const double *angular, const double *linear,
                      const double *rates, double *y);

/* Add J* x in parts: forces at the hinge points and moments about them [n][3], inertial axes, and
 * efforts [rates]. Nothing is cleared before. */
void rct_closure_give(const rct_closure_rows *rows, const double *x, double *force, double *moment,
                      double *effort);

#endif
