/* The solver: a model prepared for computing, its state, its accelerations, and its steps in time.
 *
 * Arrays are in body order, one row per body: `double linear[n][3]` is passed as a pointer to its
 * first number. Vectors are in inertial axes.
 *
 * No function after create allocates memory, with these exceptions: rct_solver_set_loop_active
 * (closure.h); rct_solver_check_step; a step that fails and looks for the reason; evaluations and
 * steps that close aggregates of more than 20 rates by embedding (RCT_ERROR_MEMORY is possible);
 * and the first call of rct_solver_get_accelerations, _get_hinge_forces and _get_state_vectors. If
 * memory runs out, those three give NaN for every number and lose nothing; they may be called
 * again.
 *
 * One solver serves one call at a time, and its force function must not call it. A call that comes
 * while another one is under way, from the force function or from a second thread, changes nothing.
 * It returns RCT_ERROR_ARGUMENT; functions without a status give NaN for every number, set nothing
 * and free nothing. rct_solver_get_info may be called at any time. In a forked child a solver works
 * with one thread; if the fork came during a call, the child cannot use the solver. A forked child
 * must not use a solver on an accelerator.
 *
 * An accelerator may be lost during any call (RCT_ERROR_DEVICE; the text says during which
 * operation). The loss is final: after it evaluate, step and set_state fail with the same text, and
 * all numbers read for moving bodies are NaN, never those of an earlier state. Only rct_solver_free
 * remains useful. A function that returns no status may be the first to meet the loss, after it has
 * read some of its numbers; rct_solver_check tells.
 */
#ifndef RICCATREE_SOLVER_H
#define RICCATREE_SOLVER_H

#include <riccatree/force.h>
#include <riccatree/model.h>
#include <riccatree/options.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rct_solver rct_solver; /* a prepared model and its state */

/* Create a solver: check the model, plan it, and load its initial state. The solver copies what it
 * needs; the model may be freed. A model with loops is assembled as by rct_solver_assemble.
 * `options` NULL: the defaults.
 *
 * NULL on failure. RCT_ERROR_MODEL: what rct_model_check finds, or a rigid group whose spin is
 * undetermined (no inertia about some axis through its hinge point, and no outboard hinge off that
 * axis). RCT_ERROR_LOOP: loops that cannot be closed or contradict one another. With loops also
 * RCT_ERROR_SINGULAR and RCT_ERROR_DIVERGED as from rct_solver_evaluate. RCT_ERROR_MEMORY,
 * RCT_ERROR_UNSUPPORTED, RCT_ERROR_DEVICE. */
RCT_API rct_solver *rct_solver_create_sized(const rct_model *model, rct_in options,
                                            rct_error *error);
static inline rct_solver *rct_solver_create(const rct_model *model,
                                            const rct_solver_options *options, rct_error *error)
{
    return rct_solver_create_sized(model, rct_in_of(options, sizeof *options, 0, 0), error);
}
RCT_API void rct_solver_free(rct_solver *solver); /* NULL does nothing */

/* Predict the time, s, that an evaluation of the model takes on backend `index`
 * (rct_backend_describe) of this machine with these options; NULL: the defaults. NaN if the backend
 * cannot run here. The prediction knows how many bodies, trees, hinges, loops and threads there are,
 * and the peak of the accelerator. It is for comparing backends: it may be wrong by a factor of two,
 * and by more for small models, loops and forces on bodies. RCT_ERROR_ARGUMENT: there is no such
 * backend, an argument is NULL, or an option is wrong. */
RCT_API rct_status rct_backend_predict_sized(int32_t index, const rct_model *model, rct_in options,
                                             double *seconds, rct_error *error);
static inline rct_status rct_backend_predict(int32_t index, const rct_model *model,
                                             const rct_solver_options *options, double *seconds,
                                             rct_error *error)
{
    return rct_backend_predict_sized(index, model, rct_in_of(options, sizeof *options, 0, 0),
                                     seconds, error);
}

/* Whether the solver still works: RCT_ERROR_DEVICE if its accelerator has been lost. */
RCT_API rct_status rct_solver_check(const rct_solver *solver, rct_error *error);

/* The model in numbers, and how the plan divides its work. */
typedef struct rct_solver_info {
    int32_t bodies;         /* bodies of the model */
    int32_t links;          /* rigid groups that move: bodies welded by fixed hinges count as one */
    int64_t dof;            /* degrees of freedom: rates of all hinges */
    int64_t coordinates;    /* coordinates of all hinges */
    int32_t wide;           /* links outside the trunk that are swept with six components across
                             * the hinge; the others, on runs of ball hinges, are swept with
                             * three */
    int32_t roots;          /* links hinged to the ground */
    int32_t tips;           /* links with no outboard link */
    int32_t junctions;      /* links with two or more outboard links (multi-input bodies) */
    int32_t depth;          /* links on the longest path from the ground to a tip */
    int32_t branching;      /* largest number of outboard links of one link */
    int64_t bytes;          /* memory held by the solver; of bodies shared with others, its part */
    const char *method;     /* name of the method */
    const char *backend;    /* name of the backend chosen */
    int32_t threads;        /* threads used by a sweep */
    int32_t lanes;          /* links that a thread sweeps at once */
    int32_t segment_length; /* intended links per segment; 0: no segments, and without bushes the
                             * serial sweep */
    int32_t segments;       /* two-handle subchains */
    int32_t tiles;          /* groups of segments, one segment per lane */
    int32_t tasks;          /* small subtrees swept in bushes, independent of one another */
    int32_t bushes;         /* groups of tasks, swept in waves */
    int64_t waves;          /* rows of links in all bushes, one link per lane, swept one row
                             * after another */
    int32_t trunk;          /* segments, junctions and links that join them, swept one after
                             * another */
    int64_t padding;        /* neutral links that fill the lanes */
    double imbalance;       /* work of the busiest thread over the mean, before threads take work
                             * from each other, without the trunk; 0: not known, as on devices */
} rct_solver_info;

/* Get how the solver works. */
RCT_API void rct_solver_get_info_sized(const rct_solver *solver, rct_out info);
static inline void rct_solver_get_info(const rct_solver *solver, rct_solver_info *info)
{
    rct_solver_get_info_sized(solver, rct_out_of(info, sizeof *info, 0, 0));
}

/* ---- state ------------------------------------------------------------------------------- */

/* Set orientation [n][4] (body axes to inertial, normalized here) and angular velocity [n][3]
 * (rad/s) of models whose hinges are all ball or fixed. Rows of bodies with a fixed hinge are not
 * read: these bodies follow their parents. The time is kept, and loops are not assembled.
 * RCT_ERROR_UNSUPPORTED for models with other hinges: use rct_solver_set_coordinates.
 * RCT_ERROR_ARGUMENT for a quaternion of zero length or a number that is not finite; the state is
 * then unchanged. */
RCT_API rct_status rct_solver_set_state(rct_solver *solver, const double *orientation,
                                        const double *angular_velocity, rct_error *error);

/* Set or get coordinates and rates of all hinges: `coordinates` [info.coordinates], `rates`
 * [info.dof]. They are in body order, as many per body as rct_hinge_coordinates and
 * rct_hinge_freedoms say (hinges: model.h). Set normalizes quaternions and does not assemble loops;
 * RCT_ERROR_ARGUMENT as rct_solver_set_state, and for an angle of 2^50 rad or more. In get, a pointer
 * may be NULL. */
RCT_API rct_status rct_solver_set_coordinates(rct_solver *solver, const double *coordinates,
                                              const double *rates, rct_error *error);
RCT_API void rct_solver_get_coordinates(const rct_solver *solver, double *coordinates,
                                        double *rates);

/* Get orientation [n][4], angular velocity [n][3] (rad/s), hinge point position [n][3] (m) and its
 * velocity [n][3] (m/s). Any of the four may be NULL. */
RCT_API void rct_solver_get_state(const rct_solver *solver, double *orientation,
                                  double *angular_velocity, double *position, double *velocity);

/* Keep what rct_solver_get_state would give now, until the next keep; what was kept before is lost.
 * An accelerator copies it out while the next steps run. RCT_ERROR_UNSUPPORTED on backends where
 * nothing could run meanwhile, and for models with loops: read the state instead. RCT_ERROR_MEMORY,
 * RCT_ERROR_DEVICE. */
RCT_API rct_status rct_solver_keep(rct_solver *solver, rct_error *error);

/* Read what was kept, as rct_solver_get_state does, waiting for its copy; and its time (s; NaN:
 * nothing is kept). RCT_ERROR_ARGUMENT if nothing is kept, RCT_ERROR_DEVICE if the copy failed; the
 * arrays are then unchanged. */
RCT_API rct_status rct_solver_get_kept(const rct_solver *solver, double *orientation,
                                       double *angular_velocity, double *position, double *velocity,
                                       rct_error *error);
RCT_API double rct_solver_kept_time(const rct_solver *solver);

RCT_API double rct_solver_time(const rct_solver *solver); /* s, 0 at creation */

/* Set the time (s). A time that is not finite is accepted here; functions that need the time then
 * return RCT_ERROR_ARGUMENT: evaluate, step, inverse dynamics, and those that close loops. */
RCT_API void rct_solver_set_time(rct_solver *solver, double time);

/* ---- one evaluation ---------------------------------------------------------------------- */

/* Compute the accelerations of the present state: an inward sweep, then an outward sweep.
 * RCT_ERROR_SINGULAR names the body whose pivot is not positive, RCT_ERROR_DIVERGED the first body
 * whose state is not finite; with loops RCT_ERROR_LOOP: the constraints contradict one another. The
 * state is not changed. */
RCT_API rct_status rct_solver_evaluate(rct_solver *solver, rct_error *error);

/* The functions below give results of the last rct_solver_evaluate. The results are NaN before the
 * first evaluation, after one that failed, and once the state or the time has changed. Any array
 * may be NULL. */

/* Absolute acceleration of the hinge point [n][3] (m/s^2) and angular acceleration [n][3]
 * (rad/s^2). */
RCT_API void rct_solver_get_accelerations(const rct_solver *solver, double *linear,
                                          double *angular);

/* Accelerations of all hinges, the derivatives of the rates, [info.dof] (rad/s^2, m/s^2). */
RCT_API void rct_solver_get_rate_derivatives(const rct_solver *solver, double *derivatives);

/* Force [n][3] (N) and moment about the hinge point [n][3] (N m) that the parent exerts on the body
 * through its hinge. They include springs, dampers and efforts at the hinge, and exclude what
 * accelerates rotors. For a free hinge they are its efforts. */
RCT_API void rct_solver_get_hinge_forces(const rct_solver *solver, double *force, double *moment);

/* State vectors of all connection points in the signs of seed 000, eqs. 1-2: z = (linear
 * acceleration, angular acceleration, moment m, force q), [n][12]. `outboard` is the output end of
 * the body itself (z_{i,O}). `inboard` is the input end of its parent (z_{i+1,I}), at the point of
 * the parent where the hinge point of the body is. Moments and forces are the same on both sides of
 * a hinge. Linear accelerations are the same where the hinge only turns; where it slides, `inboard`
 * has the acceleration of the point of the parent. Inboard of a free hinge, inertial space is at
 * rest. */
RCT_API void rct_solver_get_state_vectors(const rct_solver *solver, double *outboard,
                                          double *inboard);

/* ---- forces of the user ------------------------------------------------------------------- */

/* A force function. The solver calls it once per evaluation (a step of rk4 has four) and once per
 * rct_solver_inverse_dynamics, with the state in question: rows of `bodies` bodies, all or those
 * named, as rct_solver_get_state gives them. It adds to `force` [n][3] (N, at the hinge point) and
 * `moment` [n][3] (N m, about the hinge point), inertial axes; both are zero before, and both act
 * on the bodies. It must not call the solver, which would refuse the call. */
typedef void rct_force_function(void *context, double time, int32_t bodies,
                                const double *orientation, const double *angular_velocity,
                                const double *position, const double *velocity, double *force,
                                double *moment);

/* Have `function` called with all bodies; NULL: no function. RCT_ERROR_UNSUPPORTED if the solver
 * was created without rct_solver_options.user_forces; RCT_ERROR_MEMORY. */
RCT_API rct_status rct_solver_set_force_function(rct_solver *solver, rct_force_function *function,
                                                 void *context, rct_error *error);

/* Have `function` called with some bodies only, instead of the function set before: row k of its
 * arrays is body bodies[k]. The ids `bodies` [count] ascend, each once, and are copied. The cost
 * grows with these bodies and the bodies that carry them, not with the model. RCT_ERROR_ARGUMENT:
 * an id that does not exist or is out of order; RCT_ERROR_UNSUPPORTED as above; RCT_ERROR_MEMORY.
 * On an error the function set before stays. */
RCT_API rct_status rct_solver_set_body_forces(rct_solver *solver, const int32_t *bodies,
                                              int32_t count, rct_force_function *function,
                                              void *context, rct_error *error);

/* Set efforts at all hinges [info.dof], one per rate and along its axis
 * (rct_solver_get_coordinates), in N or N m, so that efforts[i] times rate i is a power. For ball
 * hinges they are the moment, for free hinges moment and force, in inertial axes. They are copied
 * and added to what the model has at its hinges, in evaluations and steps, until they are set
 * again; NULL: none. A checkpoint does not contain them. RCT_ERROR_ARGUMENT names a number that is
 * not finite; RCT_ERROR_UNSUPPORTED as above. On an error the efforts set before stay. */
RCT_API rct_status rct_solver_set_efforts(rct_solver *solver, const double *efforts,
                                          rct_error *error);

/* ---- states in, accelerations out ---------------------------------------------------------- */

/* Forward dynamics of `states` states, one after another, at the time of the solver: from
 * `coordinates` [states][info.coordinates], `rates` and `efforts` [states][info.dof] to the
 * `derivatives` [states][info.dof] of the rates. Each state gives the same bits as
 * rct_solver_set_coordinates, rct_solver_set_efforts, rct_solver_evaluate and
 * rct_solver_get_rate_derivatives. `efforts` NULL: none, and user_forces is not needed.
 * `derivatives` may be the array `rates` or `efforts`; otherwise it must not overlap them. Loops
 * act, but are not assembled. The solver keeps the last state and its efforts.
 *
 * Errors are those of the four functions. With more than one state the text begins with the number
 * of the failed state, "state k:"; only the derivatives of the states before k are written. The
 * solver then has the coordinates of state k if they are valid, else those of the state before. */
RCT_API rct_status rct_solver_forward(rct_solver *solver, int64_t states, const double *coordinates,
                                      const double *rates, const double *efforts,
                                      double *derivatives, rct_error *error);

/* ---- time -------------------------------------------------------------------------------- */

/* Step `steps` times dt (s, > 0) with the integrator of the solver. On failure the error names the
 * step of dt, counted from the start of this call, and the state is that after the last whole step.
 *
 * rk4: if the motion ran away because dt is too long, the text begins with this reason and a step
 * to try, and the failure follows. To find the reason the solver takes steps and takes them back,
 * also from the start of the model; forces of the user are called for these steps too.
 *
 * With error control: a step whose error is too large, or that fails because of its motion, is
 * taken back and repeated with a shorter length. RCT_ERROR_DIVERGED if steps shrink to nothing
 * (1e-12 dt, or less than the rounding of the time) and still miss the tolerance; the text says
 * what failed. RCT_ERROR_ARGUMENT for a dt below that rounding.
 *
 * If loops are kept closed by projection, every step is followed by a projection. */
RCT_API rct_status rct_solver_step(rct_solver *solver, double dt, int64_t steps, rct_error *error);

/* Counts of steps since the solver was made. With an integrator with error control a checkpoint
 * contains them too. */
typedef struct rct_stepping {
    const char *integrator; /* its name */
    double tolerance;       /* NaN: it has no error control */
    int64_t steps;          /* steps taken */
    int64_t rejected;       /* steps tried and taken back: too large an error, a failure, an
                             * event */
    int64_t evaluations;    /* evaluations of accelerations, in both */
    double shortest;        /* s, of the steps taken, except those cut short at a multiple of dt;
                             * NaN: none */
    double longest;
} rct_stepping;
RCT_API void rct_solver_get_stepping_sized(const rct_solver *solver, rct_out stepping);
static inline void rct_solver_get_stepping(const rct_solver *solver, rct_stepping *stepping)
{
    rct_solver_get_stepping_sized(solver, rct_out_of(stepping, sizeof *stepping, 0, 0));
}

/* How accurate a step is from the present state. */
typedef struct rct_step_report {
    double dt;         /* s, its length */
    double kinetic;    /* J, after two steps of half the length; NaN: a step fails or the energy
                        * overflows */
    double difference; /* J, the kinetic energy of the differences between the velocities after
                        * the two half steps and after the whole one; INFINITY: a step fails */
    double error;      /* sqrt(difference / kinetic); 0 where nothing moves, INFINITY if a step
                        * fails */
    double advised;    /* s, the step to try, with an error of about 1e-4: 1, 2 or 5 times a
                        * power of ten; dt if that is accurate enough; 0 if none is found */
} rct_step_report;

/* Compare one step dt (s, > 0) of rk4 with two steps dt/2 from the same state. Their difference is
 * the error of the one step, up to a share of 1/16. A step that fails because of its motion is a
 * result, not an error. State, time and what is kept have the same bits afterwards; the results of
 * the last evaluation are lost, and forces of the user are called at times up to dt ahead. Costs 3
 * steps, up to 93 where dt is far too long, and 0.2 kB per body during the call.
 * RCT_ERROR_ARGUMENT, RCT_ERROR_MEMORY, RCT_ERROR_DEVICE. */
RCT_API rct_status rct_solver_check_step_sized(rct_solver *solver, double dt, rct_out report,
                                               rct_error *error);
static inline rct_status rct_solver_check_step(rct_solver *solver, double dt,
                                               rct_step_report *report, rct_error *error)
{
    return rct_solver_check_step_sized(solver, dt, rct_out_of(report, sizeof *report, 0, 0), error);
}

/* A step (s), 1, 2 or 5 times a power of ten, that reduces an error to `share` of its value at dt,
 * if the error is proportional to the power `order` of the step. At most dt, apart from the
 * rounding to such a number; 0 if share is 0. The error of a step goes with dt^5, the error of a
 * run, such as the drift of its energy, with dt^4. */
RCT_API double rct_step_advised(double dt, double share, int32_t order);

/* Sums over all bodies that can move, in inertial axes, moments about the inertial origin. Bodies
 * welded to the ground by fixed hinges belong to the ground and are not counted. */
typedef struct rct_measures {
    double kinetic;             /* J */
    double potential;           /* J, -sum m g.r plus the energy of springs, counted from the
                                 * model's initial state, so that tall and heavy systems keep
                                 * their digits */
    double momentum[3];         /* kg m/s */
    double angular_momentum[3]; /* kg m^2/s */
} rct_measures;

/* Get energies and momenta of the present state. */
RCT_API void rct_solver_measure_sized(const rct_solver *solver, rct_out measures);
static inline void rct_solver_measure(const rct_solver *solver, rct_measures *measures)
{
    rct_solver_measure_sized(solver, rct_out_of(measures, sizeof *measures, 0, 0));
}

#ifdef __cplusplus
}
#endif
#endif
