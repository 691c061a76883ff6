/* Systems side by side in one solver (systems.h), each with loops: loop l is of system l mod their number, and so are its rows.
 * Whatever closing decides it decides for each by numbers of that one alone, so that a system has the bits that it has among any
 * others, and stays as it is, bit for bit, while others are worked on. A model of a user is one system. */
#ifndef RCT_DYNAMICS_CLOSED_SYSTEMS_H
#define RCT_DYNAMICS_CLOSED_SYSTEMS_H

#include "dynamics/closed/closed.h"

struct rct_closed_system {
    rct_closed *closed;
    int32_t first_row,
        row_count;       /* its rows, ascending: rct_closed.row_of                        */
    int pending;         /* whether it is worked on                                 */
    int32_t rank;        /* of its last factor                                      */
    double length, pace; /* m, m/s: what tolerances are parts of (lengths.c)                     */

    /* found last: of vectors of rows the largest |y| and its row, -1: all are 0; the size of terms; of a solve how much of the gap is
     * left, and in which row, -1 */
    double most;
    int32_t row;
    double terms, left;
    int32_t worst;

    /* on the way to a closed state (positions.c, velocities.c) */
    double turn;  /* rad, the largest part of the change that turns a body at its hinge  */
    double along; /* how much of the change its coordinates are moved by                 */
    int moving;   /* whether they are: along that is a state                             */
    double reach; /* m, how far out its loops are                                        */
    double near;  /* m, how large what their gaps are summed of                          */
    double squares,
        before;          /* sum of phi^2, and before it was moved                               */
    double last, enough; /* what it was an iteration before, and what is left as it is          */
    int factored;        /* RCT_FACTOR_...                                                       */
    int going, stale, better, halvings;
};

/* Whether there is a factor: of a state that this one comes close to, or of about this state. */
enum { RCT_FACTOR_NONE = 0, RCT_FACTOR_NEAR = 1, RCT_FACTOR_STALE = 2 };

/* The systems of the plan. RCT_ERROR_UNSUPPORTED: more than one, and rows are no columns, or so many that they are not each solved for
 * itself (closure/admittance_small.h); RCT_ERROR_MEMORY. */
rct_status rct_closed_make_systems(rct_closed *closed, rct_error *error);

/* Which rows, as they are written, are whose. */
void rct_closed_list_rows(rct_closed *closed, const rct_closure_rows *rows);

static inline rct_closed_system *rct_closed_system_of(const rct_closed *closed, int32_t row)
{
    return &closed->systems[closed->system_of[row]];
}

/* Whether systems have so many bodies that a factor is dear, and the sums over paths round more. */
static inline int rct_closed_is_large(const rct_closed *closed)
{
    return closed->tree->n / closed->count >= 10000;
}

/* All of them, or none. */
void rct_closed_set_pending(rct_closed *closed, int pending);

/* How many are. */
int32_t rct_closed_pending(const rct_closed *closed);

/* `most` and `row` of y [rows]; `terms`: the largest sum of absolute terms of a row, what rounding is measured against. */
void rct_closed_find_largest(rct_closed *closed, const double *y);
void rct_closed_find_terms(rct_closed *closed, const rct_closure_rows *rows, const double *angular,
                           const double *linear, const double *rates);

/* The same of terms that are known, [rows]. */
void rct_closed_take_terms(rct_closed *closed, const double *terms);

/* What is said of one of several systems is said of the body of its first loop, unless it names one. `status` is passed on. */
rct_status rct_closed_blame(const rct_closed *closed, rct_status status, rct_error *error);

#endif
