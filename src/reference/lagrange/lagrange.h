/* The Lagrangian system of seed 004, eqs. 10 and 49, and its loops. */
#ifndef RCT_REFERENCE_LAGRANGE_LAGRANGE_H
#define RCT_REFERENCE_LAGRANGE_LAGRANGE_H

#include "reference/lagrange/equations.h"
#include "reference/pose.h"

#include <riccatree/reference.h>

#include <math.h>

/* Accelerations and hinge forces of a checked model at `time` in the given pose [n]. */
rct_status rct_lagrange_evaluate(const rct_model *model, double time, const rct_pose *pose,
                                 rct_factorization factorization, rct_reference_result *result,
                                 rct_error *error);

/* Powers of two near the largest of a model (units.c): the root of a mass, as equations are
 * scaled, and a length; kg^1/2, m. */
typedef struct rct_lagrange_units {
    double root_mass, length;
} rct_lagrange_units;

rct_lagrange_units rct_lagrange_units_of(const rct_model *model);

/* ---- constraints of loops in quadruple precision (eqs. 63 to 72), only from the definitions of
 * riccatree/loop.h: second derivatives of products of points and axes that move (loop_row.c,
 * loop_rank.c) */

/* One constraint, phi'' = 0: on the accelerations of the mass centres and the angular
 * accelerations of up to two bodies, and on gamma.. of the hinges in a relation,
 *
 *     sum of r . r.. + w . w. + sum of factor gamma.. + rest = 0 */
typedef struct rct_loop_row {
    int32_t loop;    /* number in the model                                                      */
    int32_t ends;    /* 0 to 2                                                                   */
    int32_t body[2]; /* ends                                                                     */
    quad3 r[2], w[2];
    quad rest;
} rct_loop_row;

/* |v|, used only for sizes. */
static inline double rct_loop_row_length(quad3 v)
{
    return sqrt((double)quad3_dot(v, v));
}

/* The number of constraints of the active loops. */
int64_t rct_loop_row_count(const rct_model *model);

void rct_loop_row_write(const rct_model *model, const rct_ground *ground, const rct_pose *pose,
                        rct_loop_row *rows);

/* Move the rows that are independent on the tree to the front and count them, by QR with pivots.
 * Independence is judged to the rounding of the model's numbers: constraints that are dependent
 * except for rounding are dependent. Dense: RCT_ERROR_UNSUPPORTED above 1 GiB. */
rct_status rct_loop_row_sort(const rct_model *model, const rct_pose *pose, rct_loop_row *rows,
                             int64_t count, int64_t *rank, rct_error *error);

/* ---- the system while it is made and solved (lagrange.c), and its loops (loops.c) */

/* Unknowns of a body, from its first one: r.., w., f, g, gamma.., as many as its hinge has. */
enum { AT_R = 0, AT_W = 3, AT_F = 6, AT_G = 9, AT_GAMMA = 12 };

typedef struct rct_lagrangian {
    const rct_model *model;
    const rct_pose *pose; /* [n] */
    rct_ground ground;
    rct_lagrange_units units;
    rct_load *load;     /* [n]                                */
    int64_t *first;     /* [n + 1] first unknown of each body */
    quad *x;            /* [unknowns] the solution            */
    rct_loop_row *rows; /* [row_count] of loops, the first `rank` of them independent */
    int64_t row_count, rank;
    rct_equations equations; /* eq. 10                             */
    rct_pool pool;
} rct_lagrangian;

/* An entry and its transpose. */
static inline void rct_lagrangian_add(rct_lagrangian *s, int64_t row, int64_t column, quad value)
{
    rct_equations_add(&s->equations, row, column, value);
    rct_equations_add(&s->equations, column, row, value);
}

static inline quad3 rct_lagrangian_unknown(const rct_lagrangian *s, int64_t at)
{
    return (quad3){{s->x[at], s->x[at + 1], s->x[at + 2]}};
}

/* Take the constraints of the active loops, sorted; called first. */
rct_status rct_lagrangian_take_loops(rct_lagrangian *s, rct_error *error);

/* An upper bound of their entries, and adding them. */
int64_t rct_lagrangian_loop_entries(const rct_lagrangian *s);
void rct_lagrangian_add_loops(rct_lagrangian *s);

/* Whether the solution also satisfies the dependent constraints, relative to the largest;
 * RCT_ERROR_LOOP. */
rct_status rct_lagrangian_expect_loops(const rct_lagrangian *s, rct_error *error);

#endif
