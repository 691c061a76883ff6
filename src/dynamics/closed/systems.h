/* Systems side by side in one solver (systems.h), each with loops: loop l and its rows belong to
 * system l mod (number of systems). Every decision of closing is made for each system by its own
 * numbers alone. So a system has the same bits among any others, and stays as it is, bit for bit,
 * while others are worked on. The model of a user is one system. */
#ifndef RCT_DYNAMICS_CLOSED_SYSTEMS_H
#define RCT_DYNAMICS_CLOSED_SYSTEMS_H

#include "dynamics/closed/closed.h"

struct rct_closed_system {
    rct_closed *closed;
    int32_t first_row, row_count; /* its rows, ascending: rct_closed.row_of */
    int pending;                  /* whether it is being worked on */
    int32_t rank;                 /* of its last factor */
    double length, pace;          /* m, m/s: tolerances are fractions of these (lengths.c) */
    double start[2];              /* largest gap and its rate before they were closed at first */

    /* found last: the largest |y| of a vector of rows and its row, -1 if all are 0; the size of the
     * terms, and of those of phi'' of the open tree; the part of the gap that a solve left, and in
     * which row, -1 */
    double most;
    int32_t row;
    double terms, open, left;
    int32_t worst;

    /* on the way to a closed state (positions.c, velocities.c) */
    double turn;            /* rad, the largest part of the change that turns a body at a hinge */
    double along;           /* the share of the change by which coordinates move */
    int moving;             /* whether they move: only if that gives a state */
    double reach;           /* m, how far out its loops are */
    double near;            /* m, the size of the numbers whose difference is a gap */
    double squares, before; /* sum of phi^2, and the sum before the move */
    double last, enough;    /* gap one iteration before, and gap that may stay */
    int factored;           /* RCT_FACTOR_... */
    int going, stale, better, halvings;
};

/* Whether there is a factor: of a state near this one, or of roughly this state. */
enum { RCT_FACTOR_NONE = 0, RCT_FACTOR_NEAR = 1, RCT_FACTOR_STALE = 2 };

/* Make the systems of the plan. RCT_ERROR_UNSUPPORTED: there are several, and rows are no columns,
 * or too many rows to solve each system by itself (closure/admittance_small.h);
 * RCT_ERROR_MEMORY. */
rct_status rct_closed_make_systems(rct_closed *closed, rct_error *error);

/* List which rows, as written, belong to which system. */
void rct_closed_list_rows(rct_closed *closed, const rct_closure_rows *rows);

static inline rct_closed_system *rct_closed_system_of(const rct_closed *closed, int32_t row)
{
    return &closed->systems[closed->system_of[row]];
}

/* Whether systems have so many bodies that a factor is expensive, and sums over paths round
 * more. */
static inline int rct_closed_is_large(const rct_closed *closed)
{
    return closed->tree->n / closed->count >= 10000;
}

/* Set all systems pending, or none. */
void rct_closed_set_pending(rct_closed *closed, int pending);

/* How many systems are pending. */
int32_t rct_closed_pending(const rct_closed *closed);

/* The largest |y| of the rows of a system; `row` becomes its row unless all are 0. */
double rct_closed_largest_of(const rct_closed *closed, const rct_closed_system *system,
                             const double *y, int32_t *row);

/* Find `most` and `row` of y [rows]; and `terms`: the largest sum of absolute terms of a row,
 * against which rounding is measured. */
void rct_closed_find_largest(rct_closed *closed, const double *y);
void rct_closed_find_terms(rct_closed *closed, const rct_closure_rows *rows, const double *angular,
                           const double *linear, const double *rates);

/* The same with known terms, [rows]. */
void rct_closed_take_terms(rct_closed *closed, const double *terms);

/* Make an error of one of several systems name the body of its first loop, unless it names one.
 * `status` is passed on. */
rct_status rct_closed_blame(const rct_closed *closed, rct_status status, rct_error *error);

#endif
