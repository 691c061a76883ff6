/* The solver: a model made ready, its state, accelerations, and steps in time.
 *
 * An accelerator may be lost at any call (RCT_ERROR_DEVICE, with what it was doing). That is final: from
 * then on evaluate, step and set_state fail in the same words, and what is read of bodies that move is
 * NaN everywhere, never a number of an earlier state. Only rct_solver_free is left to do. Functions that
 * return nothing may be the first to find out, with some of their numbers read before: rct_solver_check
 * tells.
 *
 * Arrays are in body order, one row a body: `double linear[n][3]` is passed as a pointer to its
 * first number. Vectors are in inertial axes. A solver holds everything a step needs; no function
 * after create allocates, but rct_solver_set_loop_active (closure.h), rct_solver_check_step, a step that
 * fails, to find out why, evaluations and steps that close aggregates of more than 20 rates by embedding, which may be
 * RCT_ERROR_MEMORY, and the first call of rct_solver_get_accelerations, _get_hinge_forces and _get_state_vectors: these
 * give NaN for every number where memory runs out, lose nothing, and may be called again.
 *
 * One solver serves one call at a time, and its force function must not call it. A call that comes while another is
 * under way, from that function or from a second thread, changes nothing: it is RCT_ERROR_ARGUMENT; functions that
 * return no status give NaN for every number, set nothing, and free nothing. rct_solver_get_info may be called at any
 * time. In a forked child a solver works with one thread, unless the fork came while it was at work; a solver on an
 * accelerator can only be left alone there.
 */
#ifndef RICCATREE_SOLVER_H
#define RICCATREE_SOLVER_H

#include <riccatree/force.h>
#include <riccatree/integrator.h>
#include <riccatree/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What eliminates the equations. */
typedef enum rct_method {
    RCT_METHOD_ABI = 0,     /* articulated-body sweep, 3x3 at ball hinges (seeds 001, 002)       */
    RCT_METHOD_RICCATI = 1, /* Riccati transfer matrix recursion (seed 000, eqs. 20-34)          */
} rct_method;

RCT_API const char *rct_method_name(rct_method method); /* or "unknown" */

/* A backend runs the sweeps: which there are in this build, best first, and whether they can run on
 * this machine. "auto" takes the first that can. */
typedef struct rct_backend_info {
    const char *name;
    int available;      /* 1: it can run here                                                    */
    const char *reason; /* why it cannot, in one line; NULL if it can                            */
} rct_backend_info;

RCT_API int32_t rct_backend_count(void); /* in this build */

/* RCT_ERROR_ARGUMENT unless 0 <= index < rct_backend_count(). The texts live as long as the library
 * is loaded. */
RCT_API rct_status rct_backend_describe_sized(int32_t index, rct_out info, rct_error *error);
static inline rct_status rct_backend_describe(int32_t index, rct_backend_info *info,
                                              rct_error *error)
{
    return rct_backend_describe_sized(index, rct_out_of(info, sizeof *info, 0, 0), error);
}

/* Where an accelerator has the trunk solved, what joins segments: small ones by itself, so that a step
 * never leaves it, others by the host. The cpu has but one place. */
typedef enum rct_junction {
    RCT_JUNCTION_AUTO = 0,
    RCT_JUNCTION_HOST,
    RCT_JUNCTION_DEVICE,
} rct_junction;

/* How loops are closed (riccatree/closure.h): the same linear problem, each in its own way. */
typedef enum rct_closing {
    RCT_CLOSING_ADMITTANCE = 0,  /* J M^-1 J* of the open tree, sparse (seed 001)                */
    RCT_CLOSING_EMBEDDING = 1,   /* aggregated bodies in the sweep (seed 002)                    */
    RCT_CLOSING_MULTIPLIERS = 2, /* M and J as one sparse system (seeds 003, 004)                */
    RCT_CLOSING_QR = 3,          /* redundant constraints by orthogonal factors, dense (seed 004)*/
    RCT_CLOSING_SVD = 4,         /* and by singular values, dense                                */
} rct_closing;

RCT_API const char *rct_closing_name(rct_closing closing); /* or "unknown" */

/* What keeps steps from drifting off the constraints phi = 0. */
typedef enum rct_drift {
    RCT_DRIFT_PROJECT =
        0, /* after every step the least change of positions, then of rates, in the metric
                                of M, that cancels phi and phi' to rounding                       */
    RCT_DRIFT_BAUMGARTE =
        1, /* phi'' + 2 alpha phi' + beta^2 phi = 0 in place of phi'' = 0 (seed 003,
                                eqs. 59-63; seed 004, eq. 73)                                     */
    RCT_DRIFT_NONE = 2,
    RCT_DRIFT_PARTITION =
        3, /* after every step independent coordinates and rates stay as they are, and the dependent ones
                                cancel phi, by Newton's method, and phi': coordinate partitioning (seed 003,
                                appendix A); dense: coordinates by constraints take 1 GiB at most */
} rct_drift;

RCT_API const char *rct_drift_name(rct_drift drift); /* or "unknown" */

/* How a model is solved. Start from rct_solver_options_default(). */
typedef struct rct_solver_options {
    rct_method method;
    const char *backend; /* "auto" or the name of a backend, "cpu" or another that is listed     */
    int32_t threads;     /* 0: as many as pay on this machine; results never depend on it       */
    int32_t lanes;       /* 0: the widest this machine has; 1, 2, 4, 8. Results depend on it by
                            rounding only, in strict builds not at all                           */
    int64_t segment;     /* links a segment: long paths are cut into two-handle subchains that are
                            swept together; 0: the serial sweep; RCT_SEGMENT_AUTO chooses;
                            RCT_SEGMENT_WHOLE: every tree on the ground in a lane of its own, so
                            that its bits depend on nothing beside it                            */
    rct_junction junction;
    int user_forces; /* 1: rct_solver_set_force_function, rct_solver_set_body_forces or efforts may be given;
                        room for them is made then                                               */

    /* of models with loops */
    rct_closing closing;
    rct_drift drift;
    double baumgarte[2]; /* 1/s, alpha and beta, not negative                                     */
    int as_given;        /* 1: the initial state is taken as it is, closed or not                */

    /* Of integrators with error control, > 0 and at most 1: what a step may be off by, in every coordinate and rate. In rad, and
     * of slides in lengths of the system, which are those from hinge points to the next and to mass centres of all bodies summed up, 1 m
     * where that is 0; in these a second, as a share where a rate is above 1. */
    double tolerance;
    rct_integrator integrator;
} rct_solver_options;

#define RCT_SEGMENT_AUTO  ((int64_t)-1) /* chosen */
#define RCT_SEGMENT_WHOLE ((int64_t)-2) /* every tree in a lane of its own */

/* abi, admittance, projection, rk4, tolerance 1e-6; all else chosen */
RCT_API void rct_solver_options_init(rct_out out);
static inline rct_solver_options rct_solver_options_default(void)
{
    rct_solver_options x;
    rct_solver_options_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

typedef struct rct_solver rct_solver; /* a model made ready, and its state */

/* Check the model, plan it, and load its initial state. The model is copied as far as needed and
 * may be freed. A model with loops is assembled, as rct_solver_assemble does. NULL on failure: RCT_ERROR_MODEL for what rct_model_check finds and for a rigid
 * group whose spin is undetermined (no inertia about some axis through its hinge point, and no
 * outboard hinge off that axis), RCT_ERROR_LOOP for loops that cannot be closed or contradict one another, and with
 * loops RCT_ERROR_SINGULAR and RCT_ERROR_DIVERGED as rct_solver_evaluate; RCT_ERROR_MEMORY, RCT_ERROR_UNSUPPORTED, RCT_ERROR_DEVICE. */
RCT_API rct_solver *rct_solver_create_sized(const rct_model *model, rct_in options,
                                            rct_error *error);
static inline rct_solver *rct_solver_create(const rct_model *model,
                                            const rct_solver_options *options, rct_error *error)
{
    return rct_solver_create_sized(model, rct_in_of(options, sizeof *options, 0, 0), error);
}
RCT_API void rct_solver_free(rct_solver *solver); /* NULL does nothing */

/* RCT_ERROR_DEVICE, as every later step will say, if the solver's machine has been lost. */
RCT_API rct_status rct_solver_check(const rct_solver *solver, rct_error *error);

/* What the plan made of the model. */
typedef struct rct_solver_info {
    int32_t bodies;         /* bodies of the model                                              */
    int32_t links;          /* rigid groups that move: bodies welded by fixed hinges are one    */
    int64_t dof;            /* degrees of freedom: rates of all hinges                          */
    int64_t coordinates;    /* coordinates of all hinges                                        */
    int32_t wide;           /* links outside the trunk swept with six components of what crosses
                               a hinge; the others, on runs of ball hinges, with three          */
    int32_t roots;          /* links hinged to the ground                                       */
    int32_t tips;           /* links with no outboard link                                      */
    int32_t junctions;      /* links with two and more outboard links (multi-input bodies)      */
    int32_t depth;          /* links on the longest path from ground to a tip                   */
    int32_t branching;      /* largest number of outboard links of one link                     */
    int64_t bytes;          /* memory held by the solver: of bodies that others share, its part */
    const char *method;     /* name of the method                                               */
    const char *backend;    /* name of the backend chosen                                       */
    int32_t threads;        /* threads used by a sweep                                          */
    int32_t lanes;          /* links a thread sweeps at once                                    */
    int32_t segment_length; /* links a segment aims at; 0: none, without bushes the serial sweep */
    int32_t segments;       /* two-handle subchains                                             */
    int32_t tiles;          /* groups of segments, one to each lane                             */
    int32_t tasks;          /* small subtrees swept in bushes, independent of one another       */
    int32_t bushes;         /* groups of tasks, swept in waves                                  */
    int64_t waves;          /* of all bushes: rows of links, one a lane, swept in turn          */
    int32_t trunk;          /* segments, junctions and links that join them, swept in turn      */
    int64_t padding;        /* neutral links that fill the lanes                                */
    double imbalance;       /* largest share of steps of a thread over the mean share, before
                               threads take from each other; the trunk not counted; 0: not
                               known, as on devices                                             */
} rct_solver_info;

/* How the solver works. */
RCT_API void rct_solver_get_info_sized(const rct_solver *solver, rct_out info);
static inline void rct_solver_get_info(const rct_solver *solver, rct_solver_info *info)
{
    rct_solver_get_info_sized(solver, rct_out_of(info, sizeof *info, 0, 0));
}

/* ---- state ------------------------------------------------------------------------------- */

/* Set orientation [n][4] (body axes to inertial, normalized here) and angular velocity [n][3]
 * (rad/s) of models whose hinges are all ball or fixed; of others RCT_ERROR_UNSUPPORTED: set coordinates.
 * Rows of bodies with a fixed hinge are not read: they follow their parent. The time is
 * kept, and loops are not assembled. RCT_ERROR_ARGUMENT for a quaternion of zero length or a number that is not finite; the
 * state is then unchanged. */
RCT_API rct_status rct_solver_set_state(rct_solver *solver, const double *orientation,
                                        const double *angular_velocity, rct_error *error);

/* Coordinates and rates of all hinges, body after body as rct_hinge_coordinates and rct_hinge_freedoms count
 * them (hinges: model.h): `coordinates` [info.coordinates], `rates` [info.dof]. Set normalizes quaternions;
 * RCT_ERROR_ARGUMENT as rct_solver_set_state; loops are not assembled. Get takes NULL for what is not wanted. */
RCT_API rct_status rct_solver_set_coordinates(rct_solver *solver, const double *coordinates,
                                              const double *rates, rct_error *error);
RCT_API void rct_solver_get_coordinates(const rct_solver *solver, double *coordinates,
                                        double *rates);

/* Read orientation [n][4], angular velocity [n][3], hinge point position [n][3] (m) and its
 * velocity [n][3] (m/s). Any of the four may be NULL. */
RCT_API void rct_solver_get_state(const rct_solver *solver, double *orientation,
                                  double *angular_velocity, double *position, double *velocity);

/* Keep what rct_solver_get_state would give now, until the next keep: an accelerator copies it out while
 * the next steps run. RCT_ERROR_UNSUPPORTED where nothing could run meanwhile, and of models with loops: read the state
 * instead; RCT_ERROR_MEMORY, RCT_ERROR_DEVICE. What was kept before is then gone. */
RCT_API rct_status rct_solver_keep(rct_solver *solver, rct_error *error);

/* Read what was kept, as rct_solver_get_state does, waiting for its copy; and its time (s, NaN: nothing is
 * kept). RCT_ERROR_ARGUMENT if nothing is kept, RCT_ERROR_DEVICE if the copy failed; the arrays are then
 * as they were. */
RCT_API rct_status rct_solver_get_kept(const rct_solver *solver, double *orientation,
                                       double *angular_velocity, double *position, double *velocity,
                                       rct_error *error);
RCT_API double rct_solver_kept_time(const rct_solver *solver);

RCT_API double rct_solver_time(const rct_solver *solver); /* s, 0 at creation */

/* A time that is not finite can be set; functions that need one then refuse it with RCT_ERROR_ARGUMENT: evaluate, step,
 * inverse dynamics, and those that close loops. */
RCT_API void rct_solver_set_time(rct_solver *solver, double time);

/* ---- one evaluation ---------------------------------------------------------------------- */

/* Compute the accelerations of the present state: inward sweep, outward sweep.
 * RCT_ERROR_SINGULAR names the body whose pivot is not positive, RCT_ERROR_DIVERGED the first body
 * whose state is not finite, with loops RCT_ERROR_LOOP constraints that contradict one another; the state is kept. */
RCT_API rct_status rct_solver_evaluate(rct_solver *solver, rct_error *error);

/* Results of the last rct_solver_evaluate. They are NaN before the first evaluation, after one that failed, and once the state or
 * the time has changed. Any array may be NULL. */

/* Absolute acceleration of the hinge point [n][3] (m/s^2), angular acceleration [n][3] (rad/s^2).*/
RCT_API void rct_solver_get_accelerations(const rct_solver *solver, double *linear,
                                          double *angular);

/* Accelerations of all hinges, the derivatives of the rates, [info.dof]. */
RCT_API void rct_solver_get_rate_derivatives(const rct_solver *solver, double *derivatives);

/* Force [n][3] (N) and moment about the hinge point [n][3] (N m) that the parent exerts on the body
 * through its hinge, with what springs, dampers and efforts there exert, without what rotors take. Of a free hinge
 * they are its efforts. */
RCT_API void rct_solver_get_hinge_forces(const rct_solver *solver, double *force, double *moment);

/* State vectors of every connection point in the signs of seed 000, eqs. 1-2: z = (linear
 * acceleration, angular acceleration, moment m, force q), [n][12]. `outboard` is the output end of
 * the body itself (z_{i,O}), `inboard` the input end of its parent that it hangs on (z_{i+1,I}), at the point
 * of the parent where the hinge point of the body is. Moments and forces are the same on the two sides of a
 * hinge, and linear accelerations where it only turns; where it slides, `inboard` has that of the point of
 * the parent. Inboard of free hinges inertial space is at rest. */
RCT_API void rct_solver_get_state_vectors(const rct_solver *solver, double *outboard,
                                          double *inboard);

/* ---- forces of the user ------------------------------------------------------------------- */

/* Called once an evaluation and rct_solver_inverse_dynamics, four times a step, with the state it is of: rows of `bodies`
 * bodies, all or those named, as rct_solver_get_state gives them. What it adds to `force` [n][3] (N, at the hinge point) and `moment` [n][3]
 * (N m, about it), inertial axes, acts on the bodies; both are zero before. It must not call the solver: its calls
 * would be refused, as said above. */
typedef void rct_force_function(void *context, double time, int32_t bodies,
                                const double *orientation, const double *angular_velocity,
                                const double *position, const double *velocity, double *force,
                                double *moment);

/* Have `function` called with all bodies; NULL: none. RCT_ERROR_UNSUPPORTED if the solver was not made for it
 * (rct_solver_options.user_forces); RCT_ERROR_MEMORY. */
RCT_API rct_status rct_solver_set_force_function(rct_solver *solver, rct_force_function *function,
                                                 void *context, rct_error *error);

/* Have `function` called with some bodies alone: row k of its arrays is body bodies[k], ids in ascending order, each once;
 * copied. What it costs grows with these and the bodies that carry them, not with the model. It takes the place of the
 * function before. RCT_ERROR_ARGUMENT: an id that is none, or out of order; RCT_ERROR_UNSUPPORTED as above;
 * RCT_ERROR_MEMORY. In each case the function before stays. */
RCT_API rct_status rct_solver_set_body_forces(rct_solver *solver, const int32_t *bodies,
                                              int32_t count, rct_force_function *function,
                                              void *context, rct_error *error);

/* Efforts at all hinges [info.dof], one a rate and in its axes (rct_solver_get_coordinates): N or N m, so that efforts[i] times
 * rate i is a power; of ball hinges the moment, of free ones moment and force, inertial axes. Copied, and added to what the model
 * has at its hinges, in evaluations and steps alike, until they are set again; NULL: none. They are no part of a
 * checkpoint. RCT_ERROR_ARGUMENT names a number that is not finite, RCT_ERROR_UNSUPPORTED as above: those before stay. */
RCT_API rct_status rct_solver_set_efforts(rct_solver *solver, const double *efforts,
                                          rct_error *error);

/* ---- states in, accelerations out ---------------------------------------------------------- */

/* Forward dynamics of `states` states, one after the other, at the time of the solver: `coordinates`
 * [states][info.coordinates], `rates` and `efforts` [states][info.dof], to `derivatives` [states][info.dof] of the rates. Each
 * state is as by rct_solver_set_coordinates, rct_solver_set_efforts, rct_solver_evaluate and rct_solver_get_rate_derivatives,
 * to the same bits. The solver keeps the last state, and its efforts for what follows. `efforts` NULL: none, and user_forces is
 * not needed. `derivatives` may be the array `rates` or `efforts`, else it overlaps nothing. Loops act, but are not assembled.
 * Errors are those of the four; with more than one state the text begins with "state k: ", the derivatives of those before k
 * are written, and no others; the solver has the coordinates of state k if these are good, else those before. */
RCT_API rct_status rct_solver_forward(rct_solver *solver, int64_t states, const double *coordinates,
                                      const double *rates, const double *efforts,
                                      double *derivatives, rct_error *error);

/* ---- time -------------------------------------------------------------------------------- */

/* `steps` times dt (s, > 0) by the integrator of the solver, on quaternions and angular velocities. On failure the error names
 * the step of dt, counted from the start of this call, and the state is that of the last whole one.
 *
 * rk4: where the motion ran away because dt is too long, the text begins with that and with the step to try, and what failed comes
 * after. To find that out steps are taken and taken back, also from the start of the model: forces of the user are asked for there
 * too. With error control a step whose error is too large, or that fails by its motion, is taken back and tried with a shorter one;
 * RCT_ERROR_DIVERGED where steps come down to nothing (1e-12 dt, or less than rounding of the time) and still miss the tolerance,
 * with what failed; RCT_ERROR_ARGUMENT for a dt of less than that rounding. Where loops are closed by projection, that follows every
 * step. */
RCT_API rct_status rct_solver_step(rct_solver *solver, double dt, int64_t steps, rct_error *error);

/* What steps have come to since the solver was made; of an integrator with error control a checkpoint has that too. */
typedef struct rct_stepping {
    const char *integrator; /* its name                                                         */
    double tolerance;       /* NaN: it has no error control                                     */
    int64_t steps;          /* taken                                                            */
    int64_t rejected;       /* tried and taken back: too large an error, a failure, an event     */
    int64_t evaluations;    /* of accelerations, in both                                        */
    double shortest; /* s, of the steps taken, but those cut short at a multiple of dt; NaN: none */
    double longest;
} rct_stepping;
RCT_API void rct_solver_get_stepping_sized(const rct_solver *solver, rct_out stepping);
static inline void rct_solver_get_stepping(const rct_solver *solver, rct_stepping *stepping)
{
    rct_solver_get_stepping_sized(solver, rct_out_of(stepping, sizeof *stepping, 0, 0));
}

/* How good a step is from the present state. */
typedef struct rct_step_report {
    double dt;         /* s, its length                                                          */
    double kinetic;    /* J, after two steps of half the length; NaN: a step fails or goes beyond
                          all numbers                                                           */
    double difference; /* J, kinetic energy of bodies that move by the differences between the
                          velocities after those and after the one; INFINITY: a step fails       */
    double error;      /* sqrt(difference / kinetic), 0 where nothing moves, INFINITY likewise    */
    double advised;    /* s, the step to try: one with an error of about 1e-4, 1, 2 or 5 times a
                          power of ten; dt where that is good enough; 0 where none is found       */
} rct_step_report;

/* Compare one step of rk4 of dt (s, > 0) with two of dt/2 from the same state: what they differ by is the error of the one, but for
 * a share of 1/16. A step that fails by its motion is a finding, not an error. State, time and what is kept have the same
 * bits afterwards; results of the last evaluation are gone, and forces of the user are asked for at times up to dt ahead.
 * Costs 3 steps, up to 93 where dt is far too long, and 0.2 kB a body during the call. RCT_ERROR_ARGUMENT,
 * RCT_ERROR_MEMORY, RCT_ERROR_DEVICE. */
RCT_API rct_status rct_solver_check_step_sized(rct_solver *solver, double dt, rct_out report,
                                               rct_error *error);
static inline rct_status rct_solver_check_step(rct_solver *solver, double dt,
                                               rct_step_report *report, rct_error *error)
{
    return rct_solver_check_step_sized(solver, dt, rct_out_of(report, sizeof *report, 0, 0), error);
}

/* The step (s), 1, 2 or 5 times a power of ten, by which an error that goes with power `order` of the step comes down to `share` of
 * what it is at dt; at most dt, but for the rounding to such a number. The error of a step goes with dt^5, that of a
 * run, as the drift of its energy, with dt^4. 0 where share is 0. */
RCT_API double rct_step_advised(double dt, double share, int32_t order);

/* Sums over all bodies that may move, inertial axes, moments about the inertial origin. Bodies welded to the ground by fixed hinges are
 * part of it, and not in them. */
typedef struct rct_measures {
    double kinetic;             /* J                                                             */
    double potential;           /* J, -sum m g.r and that of springs, counted from the
                                   model's initial state: so that it keeps its digits on systems
                                   tall and heavy                                                */
    double momentum[3];         /* kg m/s                                                        */
    double angular_momentum[3]; /* kg m^2/s                                                      */
} rct_measures;

/* Energies and momenta of the present state. */
RCT_API void rct_solver_measure_sized(const rct_solver *solver, rct_out measures);
static inline void rct_solver_measure(const rct_solver *solver, rct_measures *measures)
{
    rct_solver_measure_sized(solver, rct_out_of(measures, sizeof *measures, 0, 0));
}

#ifdef __cplusplus
}
#endif
#endif
