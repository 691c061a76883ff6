/* A solver as a system at rest: its present state, the gradient of its potential energy along its
 * rates, and its tangent stiffness (operators/stiffness.h). Shared by equilibrium and modes. */
#ifndef RCT_ANALYSIS_STATICS_H
#define RCT_ANALYSIS_STATICS_H

#include "analysis/border.h"
#include "core/pool.h"
#include "dynamics/closed/closed.h"
#include "dynamics/solver.h"
#include "operators/stiffness.h"

typedef struct rct_statics {
    rct_solver *solver;
    const rct_operator_tree *tree;
    rct_operator *sweeps; /* not factored: their room is that of the factors of K */
    rct_stiffness *stiffness;
    rct_border border; /* loops, and springs between two bodies */
    int64_t rates;
    double length; /* m, of the system */

    /* of the state looked at last */
    double energy;    /* J, potential, with the work of constant forces and efforts */
    double *gradient; /* [rates] of the energy, less J* lambda of loops */
    /* [rates] what hinges carry, N or N m: the size against which a gradient is small */
    double *carried;

    rct_operation *operation;
    rct_pool pool;
    double *effort, *slope; /* [rates] of hinges */
    double *coordinates;
    double *reach; /* [n][2] N, the pull on a body and all outboard of it; m, of its arms */

    const rct_closure_rows *rows; /* of loops that hold; NULL: none do */
    int64_t most_rows;            /* the most there may be */
    double *lambda;               /* [rows] multipliers */
    double *bend;                 /* [rows][12][12] of rct_closures_bend */
    unsigned char *kept;          /* [rows] 0: the row follows from others */
    rct_border_end *terms;        /* of a relation */
} rct_statics;

/* Begin, with a solver whose forces all have a potential and whose ground and loops rest; `what`
 * names the analysis that needs it. RCT_ERROR_UNSUPPORTED names what has no potential.
 * RCT_ERROR_MEMORY. End it also after a failure. */
rct_status rct_statics_begin(rct_statics *s, rct_solver *solver, const char *what,
                             rct_error *error);
void rct_statics_end(rct_statics *s);

/* Look at the present state, whose rates are 0 where there are loops, with `multipliers` [rows];
 * NULL: those of the system let go there. With loops it fails as an evaluation, and where too many
 * constraints follow from others to tell which. */
rct_status rct_statics_look(rct_statics *s, const double *multipliers, rct_error *error);

/* For the whole, with loops closed: signs of K - shift M, and its factors; positive definite
 * factors instead of those of K, by rct_stiffness_factor_upright, and how many signs differ from
 * those of K; y = (K - shift M)^-1 x. Fails as rct_border_factor. */
rct_status rct_statics_factor(rct_statics *s, double shift, rct_inertia *signs, rct_error *error);
rct_status rct_statics_factor_upright(rct_statics *s, rct_upright upright, const double *least,
                                      int64_t *bent, rct_error *error);
void rct_statics_solve(rct_statics *s, const double *x, double *y);

/* The change [rows] of the multipliers that goes with -y of the last solve. */
void rct_statics_multipliers(const rct_statics *s, double *change);

/* The gap of loops in the present state of the solver, as a fraction of their length; and the
 * change of all rates that closes them, by the present factors, to `change`. */
double rct_statics_gap(const rct_statics *s);
void rct_statics_close_by(rct_statics *s, double *change);

/* Whether the state, looked at with `multipliers`, rests when it is let go; `residual` if not. If
 * it does, it is looked at with these multipliers again, unless they are `loose`, or have run away,
 * which makes them loose: where loops are stretched out, the multipliers let go do not tell all. */
rct_status rct_statics_let_go(rct_statics *s, const double *multipliers, int *loose,
                              double *residual, rct_error *error);

/* A row that follows from others in the state looked at last, or -1. RCT_ERROR_UNSUPPORTED where it
 * does so only in this pose, which is found by setting bodies going; the state stays, looked at as
 * let go. */
int32_t rct_statics_dependent(const rct_statics *s);
rct_status rct_statics_check_pose(rct_statics *s, rct_error *error);

/* The number of motions: rates less constraints. */
int64_t rct_statics_freedoms(const rct_statics *s);

/* The largest ratio of the gradient to what its hinge carries, 0 at rest; its body to `body`,
 * unless NULL. */
double rct_statics_residual(const rct_statics *s, int32_t *body);

/* The unit of a coordinate: 1 rad, or for one that slides the length of the system. */
double rct_statics_unit(const rct_statics *s, int64_t rate);

/* The energy, J, against which changes of energy are seen. */
double rct_statics_scale(const rct_statics *s);

/* Whether that residual is rest, within the rounding of a model file and of long chains. */
int rct_statics_rests(double residual);

/* 1/s^2: eigenvalues of (K, M) below this cannot be told from 0. */
double rct_statics_least(const rct_statics *s);

/* ---- its parts ---- */

/* points.c: a force on points of bodies; whether a force couples two bodies, and its rows. */
void rct_statics_pull(rct_statics *s, const rct_force *force);
int rct_statics_couples(const rct_force *force);
void rct_statics_couple(rct_statics *s, const rct_force *force);

/* RCT_ERROR_UNSUPPORTED where the state looked at last has a spring of some length whose ends
 * meet. */
rct_status rct_statics_check_springs(const rct_statics *s, rct_error *error);

/* The same where it has a cable that is about to pull; equilibrium takes it for slack. */
rct_status rct_statics_check_cables(const rct_statics *s, rct_error *error);

/* loops.c, loop_bends.c: RCT_ERROR_UNSUPPORTED for a loop that moves; room; multipliers and rows of
 * the present state; forces of loops; their rows of the border; RCT_ERROR_LOOP for an open loop. */
rct_status rct_statics_check_loops(const rct_solver *solver, const char *what, rct_error *error);
rct_status rct_statics_begin_loops(rct_statics *s, rct_error *error);
rct_status rct_statics_close(rct_statics *s, const double *multipliers, rct_error *error);
void rct_statics_exert(rct_statics *s);
void rct_statics_hold_loops(rct_statics *s);
rct_status rct_statics_check_closed(const rct_statics *s, rct_error *error);

/* bends.c: add the spring at the ball hinge of a body. */
void rct_statics_bend(rct_statics *statics, int32_t body);

#endif
