/* A solver as a system at rest: where it is now, the gradient of its potential energy along its rates, and its tangent stiffness
 * (operators/stiffness.h). What equilibrium and modes have in common. */
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
    rct_operator *sweeps; /* not factored: their room is that of K's factors */
    rct_stiffness *stiffness;
    rct_border border; /* loops, and springs between two bodies */
    int64_t rates;
    double length; /* m, of the system                                            */

    /* of the state looked at last */
    double energy;    /* J, potential, what forces and efforts of constant size give included */
    double *gradient; /* [rates] of it, less J* lambda of loops                                  */
    double *carried; /* [rates] what hinges carry, N or N m: the size that a gradient is small by */

    rct_operation *operation;
    rct_pool pool;
    double *effort, *slope; /* [rates] of hinges                                     */
    double *coordinates;
    double
        *reach; /* [n][2] N, what a body and all that hangs on it are pulled by; m, of its arms */

    const rct_closure_rows *rows; /* of loops that hold; NULL: none do                           */
    int64_t most_rows;            /* that there may be                                           */
    double *lambda;               /* [rows] multipliers                                          */
    double *bend;                 /* [rows][12][12] of rct_closures_bend                         */
    unsigned char *kept;          /* [rows] 0: it follows from others                            */
    rct_border_end *terms;        /* of a relation                                               */
} rct_statics;

/* Of a solver whose forces all have a potential and whose ground and loops rest, `what` needs that: RCT_ERROR_UNSUPPORTED names what
 * has none. RCT_ERROR_MEMORY. End what was begun, failed or not. */
rct_status rct_statics_begin(rct_statics *s, rct_solver *solver, const char *what,
                             rct_error *error);
void rct_statics_end(rct_statics *s);

/* The present state, whose rates are 0 where there are loops; with `multipliers` [rows], or NULL: those of the system let go there. Fails as
 * an evaluation where there are loops, and where constraints that follow from others are too many to be told. */
rct_status rct_statics_look(rct_statics *s, const double *multipliers, rct_error *error);

/* Of the whole, loops closed: signs of K - shift M, and its factors; positive definite ones in place of K, as
 * rct_stiffness_factor_upright gives them, and how many signs are not those of K; y = (K - shift M)^-1 x. Fails as rct_border_factor. */
rct_status rct_statics_factor(rct_statics *s, double shift, rct_inertia *signs, rct_error *error);
rct_status rct_statics_factor_upright(rct_statics *s, rct_upright upright, const double *least,
                                      int64_t *bent, rct_error *error);
void rct_statics_solve(rct_statics *s, const double *x, double *y);

/* change [rows] of the multipliers along with -y of the last solve. */
void rct_statics_multipliers(const rct_statics *s, double *change);

/* How far loops are open where the solver is now, in parts of how long they are; and the change of all rates that closes them, by the
 * factors there are, to `change`. */
double rct_statics_gap(const rct_statics *s);
void rct_statics_close_by(rct_statics *s, double *change);

/* Whether it rests when it is let go where it is, looked at with `multipliers`: the residual if not. Else it is looked at with these again,
 * unless they are `loose` or have run away, which makes them so: where loops are stretched out those let go do not tell all. */
rct_status rct_statics_let_go(rct_statics *s, const double *multipliers, int *loose,
                              double *residual, rct_error *error);

/* A row that follows from others in the state looked at last, or -1. RCT_ERROR_UNSUPPORTED where that is so in this pose alone, which is
 * seen by setting bodies going; the state stays, looked at as let go. */
int32_t rct_statics_dependent(const rct_statics *s);
rct_status rct_statics_check_pose(rct_statics *s, rct_error *error);

/* How many motions there are: rates less constraints. */
int64_t rct_statics_freedoms(const rct_statics *s);

/* The largest part that a gradient is of what its hinge carries, 0 at rest; its body to `body`, unless NULL. */
double rct_statics_residual(const rct_statics *s, int32_t *body);

/* What a coordinate is counted in: 1 rad, or of one that slides the length of the system. */
double rct_statics_unit(const rct_statics *s, int64_t rate);

/* J: what an energy is seen by. */
double rct_statics_scale(const rct_statics *s);

/* Whether that is rest, within what rounding of a model file and of long chains makes of one. */
int rct_statics_rests(double residual);

/* 1/s^2: eigenvalues of (K, M) below it are not told from 0. */
double rct_statics_least(const rct_statics *s);

/* ---- its parts ---- */

/* points.c: a force on points of bodies; whether one couples two bodies, and its rows. */
void rct_statics_pull(rct_statics *s, const rct_force *force);
int rct_statics_couples(const rct_force *force);
void rct_statics_couple(rct_statics *s, const rct_force *force);

/* RCT_ERROR_UNSUPPORTED where the state looked at last has a spring of some length whose ends meet. */
rct_status rct_statics_check_springs(const rct_statics *s, rct_error *error);

/* The same where it has a cable that is about to pull: equilibrium takes it for slack. */
rct_status rct_statics_check_cables(const rct_statics *s, rct_error *error);

/* loops.c, loop_bends.c: RCT_ERROR_UNSUPPORTED of a loop that moves; room; multipliers and rows of the present state; what loops exert;
 * their rows of the border; RCT_ERROR_LOOP of one that is open. */
rct_status rct_statics_check_loops(const rct_solver *solver, const char *what, rct_error *error);
rct_status rct_statics_begin_loops(rct_statics *s, rct_error *error);
rct_status rct_statics_close(rct_statics *s, const double *multipliers, rct_error *error);
void rct_statics_exert(rct_statics *s);
void rct_statics_hold_loops(rct_statics *s);
rct_status rct_statics_check_closed(const rct_statics *s, rct_error *error);

/* bends.c: what the spring at the ball hinge of a body does. */
void rct_statics_bend(rct_statics *statics, int32_t body);

#endif
