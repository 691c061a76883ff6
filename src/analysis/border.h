/* What couples bodies of a tree at rest besides its hinges: rows y = Y x of its rates, each with a stiffness k, that of a constraint
 * infinite. They border the stiffness of the tree (operators/stiffness.h):
 *
 *     [ K - shift M   Y*   ] [x]   [f]
 *     [ Y            -1/k  ] [m] = [0]          S = -1/k - Y (K - shift M)^-1 Y*
 *
 * S is dense, of one row and column a row; its signs and those of the tree are the signs of the whole (Haynsworth), of which each
 * constraint and each k above 0 has made one negative.
 *
 * A tree may have no factor where nothing holds it but rows. So each end a_i of the n ends of a row is held in the tree too, by the
 * same h <= n k, and n - 1 rows take back what is too much, b_j orthogonal to one another and to (1, ..., 1):
 *
 *     sum h a_i^2 = h/n (sum a_i)^2 + h sum (b_j . a)^2 */
#ifndef RCT_ANALYSIS_BORDER_H
#define RCT_ANALYSIS_BORDER_H

#include "algebra/indefinite.h"
#include "core/pool.h"
#include "operators/stiffness.h"

/* Rows that are factored at most: 32 MiB of S. */
enum { RCT_BORDER_MOST = 2048 };

/* What a row takes from the motion (w, v) of a body, or from a rate. */
typedef struct rct_border_end {
    int32_t body; /* RCT_GROUND: from a rate                                              */
    int64_t rate;
    double part[6]; /* of a rate the first                                                  */
} rct_border_end;

typedef struct rct_border {
    rct_stiffness *tree;
    rct_operator *sweeps;
    const rct_operator_tree *bodies;
    double *slope; /* [rates] of the caller: what is held in the tree at hinges                   */
    double hold;   /* N/m, as stiff as ends are held                                              */
    double length; /* m, at which moments count as forces                                         */
    double size;   /* 1/s^2: the largest k over the masses it is between                          */

    int32_t rows, constraints;
    int32_t *first; /* [rows + 1] ends                                                        */
    rct_border_end *ends;
    double *compliance; /* [rows] 1/k                                                             */

    int32_t *used, used_count; /* rows of the factor                                             */
    rct_indefinite S;
    int64_t room;                              /* rows that S has room for */
    double *force, *moment, *linear, *angular; /* [n][3], the former zeros                        */
    double *column;                            /* [rates] */
    double *multiplier;                        /* [rows]  */
    rct_pool pool, dense;
} rct_border;

/* Room for as many rows and ends, those that take back among them. RCT_ERROR_MEMORY. Finish it, failed or not. */
rct_status rct_border_begin(rct_border *border, rct_stiffness *tree, rct_operator *sweeps,
                            const rct_operator_tree *bodies, int64_t rows, int64_t ends,
                            rct_error *error);
void rct_border_finish(rct_border *border);

/* No rows; `hold`, `length` and `slope` are given. */
void rct_border_clear(rct_border *border, double hold, double length, double *slope);

/* One more, while what acts on the tree is added up; INFINITY: a constraint. */
void rct_border_add(rct_border *border, const rct_border_end *ends, int32_t count,
                    double stiffness);

/* Where the tree has its factors: S of all rows, or without those whose stiffness is negative. The signs are those of the whole but for
 * the tree's. RCT_ERROR_UNSUPPORTED: more than RCT_BORDER_MOST rows; RCT_ERROR_MEMORY. */
rct_status rct_border_factor(rct_border *border, int all, rct_inertia *signs, rct_error *error);

/* y = (K - shift M)^-1 x of the whole; x and y may be the same array. */
void rct_border_solve(rct_border *border, const double *x, double *y);

/* y that constraints take `gap` from, in their order, and which costs least by K - shift M. */
void rct_border_close(rct_border *border, const double *gap, double *y);

#endif
