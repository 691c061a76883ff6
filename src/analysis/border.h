/* Couplings of bodies of a tree at rest besides its hinges: rows y = Y x of its rates, each with a
 * stiffness k, which is infinite for a constraint. They border the stiffness of the tree
 * (operators/stiffness.h):
 *
 *     [ K - shift M   Y*   ] [x]   [f]
 *     [ Y            -1/k  ] [m] = [0]          S = -1/k - Y (K - shift M)^-1 Y*
 *
 * S is dense, with one row and column per row. Its signs and those of the tree together are the
 * signs of the whole matrix (Haynsworth), to which each constraint and each k above 0 adds a
 * negative one.
 *
 * A tree may have no factor where only rows hold it. So the tree also holds each end a_i of the n
 * ends of a row, all with the same h <= n k, and n - 1 rows take back what is too much, with b_j
 * orthogonal to one another and to (1, ..., 1):
 *
 *     sum h a_i^2 = h/n (sum a_i)^2 + h sum (b_j . a)^2 */
#ifndef RCT_ANALYSIS_BORDER_H
#define RCT_ANALYSIS_BORDER_H

#include "algebra/indefinite.h"
#include "core/pool.h"
#include "operators/stiffness.h"

/* The most rows that are factored: 32 MiB of S. */
enum { RCT_BORDER_MOST = 2048 };

/* The coefficients of a row for the motion (w, v) of a body, or for a rate. */
typedef struct rct_border_end {
    int32_t body; /* RCT_GROUND: for a rate */
    int64_t rate;
    double part[6]; /* for a rate only the first */
} rct_border_end;

typedef struct rct_border {
    rct_stiffness *tree;
    rct_operator *sweeps;
    const rct_operator_tree *bodies;
    double *slope; /* [rates] of the caller: stiffness at hinges that is held in the tree */
    double hold;   /* N/m, the stiffness with which ends are held */
    double length; /* m, turns moments into forces */
    double size;   /* 1/s^2: the largest k over the masses that it couples */

    int32_t rows, constraints;
    int32_t *first; /* [rows + 1] ends */
    rct_border_end *ends;
    double *compliance; /* [rows] 1/k */

    int32_t *used, used_count; /* rows of the factor */
    rct_indefinite S;
    int64_t room;                              /* rows for which S has room */
    double *force, *moment, *linear, *angular; /* [n][3], the former zeros */
    double *column;                            /* [rates] */
    double *multiplier;                        /* [rows] */
    rct_pool pool, dense;
} rct_border;

/* Room for this many rows and ends, those that take back included. RCT_ERROR_MEMORY. End it also
 * after a failure. */
rct_status rct_border_begin(rct_border *border, rct_stiffness *tree, rct_operator *sweeps,
                            const rct_operator_tree *bodies, int64_t rows, int64_t ends,
                            rct_error *error);
void rct_border_finish(rct_border *border);

/* Begin without rows, with the given `hold`, `length` and `slope`. */
void rct_border_clear(rct_border *border, double hold, double length, double *slope);

/* Add a row, while loads on the tree are added up; stiffness INFINITY: a constraint. */
void rct_border_add(rct_border *border, const rct_border_end *ends, int32_t count,
                    double stiffness);

/* Factor S when the tree has its factors: of all rows, or without those of negative stiffness. The
 * signs are those of the whole less those of the tree. RCT_ERROR_UNSUPPORTED: more than
 * RCT_BORDER_MOST rows; RCT_ERROR_MEMORY. */
rct_status rct_border_factor(rct_border *border, int all, rct_inertia *signs, rct_error *error);

/* y = (K - shift M)^-1 x of the whole; x and y may be the same array. */
void rct_border_solve(rct_border *border, const double *x, double *y);

/* y from which constraints take `gap`, in their order, and which is least by K - shift M. */
void rct_border_close(rct_border *border, const double *gap, double *y);

#endif
