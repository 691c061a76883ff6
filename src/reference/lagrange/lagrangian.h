/* The Lagrangian system while it is made and solved (lagrange.c), and its loops (loops.c). */
#ifndef RCT_REFERENCE_LAGRANGE_LAGRANGIAN_H
#define RCT_REFERENCE_LAGRANGE_LAGRANGIAN_H

#include "reference/lagrange/equations.h"
#include "reference/lagrange/loop_row.h"
#include "reference/load.h"

/* Unknowns of a body, from its first one: r.., w., f, g, gamma.. as far as its hinge has them. */
enum { AT_R = 0, AT_W = 3, AT_F = 6, AT_G = 9, AT_GAMMA = 12 };

typedef struct rct_lagrangian {
    const rct_model *model;
    const rct_pose *pose; /* [n] */
    rct_ground ground;
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

/* Constraints of the active loops, sorted: first of all. */
rct_status rct_lagrangian_take_loops(rct_lagrangian *s, rct_error *error);

/* Entries that they add at most, and they. */
int64_t rct_lagrangian_loop_entries(const rct_lagrangian *s);
void rct_lagrangian_add_loops(rct_lagrangian *s);

/* Whether the solution meets those that were left out as far as the largest go; RCT_ERROR_LOOP. */
rct_status rct_lagrangian_expect_loops(const rct_lagrangian *s, rct_error *error);

#endif
