/* Ensembles: many members of one model, each with its own parameters and start, simulated side by
 * side.
 *
 * A member is a whole system: the base model with some numbers changed. The variations say which
 * numbers are changed, and how; docs/ensemble.md has the paths that name them. Random numbers
 * depend only on the seed and the member. A member fails if it cannot be made, its accelerations
 * are undetermined or its motion is no longer finite; it then ends with a status and a text, and
 * stops no other member.
 *
 * Members of up to RCT_ENSEMBLE_WHOLE links are swept whole in batches, one per lane
 * (RCT_SEGMENT_WHOLE); larger members are swept one after another as the solver's options say. The
 * bits of a member depend neither on batches nor on threads. They are those of a run of the member
 * alone (`first` = its number, `count` = 1), and those of a solver made from rct_ensemble_model
 * with the options that rct_ensemble_solver_options gives; with that solver, members with loops
 * that are closed side by side may differ by rounding.
 */
#ifndef RICCATREE_ENSEMBLE_H
#define RICCATREE_ENSEMBLE_H

#include <riccatree/ranks.h>
#include <riccatree/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the values of a parameter are chosen. */
typedef enum rct_variation_type {
    RCT_VARY_GRID = 0,    /* `count` evenly spaced values from `a` to `b`; several grids make all
                           * combinations */
    RCT_VARY_NORMAL = 1,  /* drawn: mean a, standard deviation b */
    RCT_VARY_UNIFORM = 2, /* drawn: from a to b */
} rct_variation_type;

/* One parameter of the model that is varied. */
typedef struct rct_variation {
    const char *path; /* "bodies.NAME.mass", "gravity[2]", ... */
    rct_variation_type type;
    double a, b;
    int64_t count; /* grid: >= 1 */
} rct_variation;

/* The number of members, and what is varied. */
typedef struct rct_ensemble_options {
    int64_t members; /* 0: one per point of the grids. Else a multiple of the number of points:
                      * member k has point k mod points, with the last grid running fastest */
    uint64_t seed;
    int32_t variation_count;
    const rct_variation *variations; /* later ones overwrite earlier ones */
    double perturb;                  /* >= 0: each orientation is turned by up to this many rad,
                                      * each rate changed by up to this many rad/s or m/s */
} rct_ensemble_options;

/* Defaults: one member, seed 1, nothing varied. */
RCT_API void rct_ensemble_options_init(rct_out out);
static inline rct_ensemble_options rct_ensemble_options_default(void)
{
    rct_ensemble_options x;
    rct_ensemble_options_init(rct_out_of(&x, sizeof x, 0, sizeof *x.variations));
    return x;
}

/* A model and its members. */
typedef struct rct_ensemble rct_ensemble;

/* Create an ensemble. The model and the options are copied. NULL on failure. RCT_ERROR_ARGUMENT: a
 * path that names nothing, numbers that are not finite, a number of members that is not a multiple
 * of the grids' points, or several members without a difference. RCT_ERROR_MODEL as
 * rct_model_check; RCT_ERROR_MEMORY. */
RCT_API rct_ensemble *rct_ensemble_create_sized(const rct_model *model, rct_in options,
                                                rct_error *error);
static inline rct_ensemble *
rct_ensemble_create(const rct_model *model, const rct_ensemble_options *options, rct_error *error)
{
    return rct_ensemble_create_sized(
        model, rct_in_of(options, sizeof *options, 0, sizeof *options->variations), error);
}
/* Free an ensemble. */
RCT_API void rct_ensemble_free(rct_ensemble *ensemble);

/* The number of members. */
RCT_API int64_t rct_ensemble_members(const rct_ensemble *ensemble);
RCT_API int32_t rct_ensemble_bodies(const rct_ensemble *ensemble); /* bodies of one member */
/* The number of variations. */
RCT_API int32_t rct_ensemble_variations(const rct_ensemble *ensemble);

/* Copy variation `index` out; its path lives as long as the ensemble. RCT_ERROR_ARGUMENT if there
 * is none. */
RCT_API rct_status rct_ensemble_variation_sized(const rct_ensemble *ensemble, int32_t index,
                                                rct_out variation, rct_error *error);
static inline rct_status rct_ensemble_variation(const rct_ensemble *ensemble, int32_t index,
                                                rct_variation *variation, rct_error *error)
{
    return rct_ensemble_variation_sized(ensemble, index,
                                        rct_out_of(variation, sizeof *variation, 0, 0), error);
}

/* Get the values of the variations for a member, [variations]. RCT_ERROR_ARGUMENT if there is no
 * such member. */
RCT_API rct_status rct_ensemble_parameters(const rct_ensemble *ensemble, int64_t member,
                                           double *values, rct_error *error);

/* Create the model of a member. NULL on failure: as above, and RCT_ERROR_MODEL for numbers that no
 * body can have. */
RCT_API rct_model *rct_ensemble_model(const rct_ensemble *ensemble, int64_t member,
                                      rct_error *error);

/* ---- running it --------------------------------------------------------------------------- */

enum { RCT_ENSEMBLE_WHOLE = 1024 }; /* links */

/* The result of a member. The arrays live until the function that receives the result returns. */
typedef struct rct_member_result {
    int64_t member;
    rct_status status;             /* RCT_OK: it reached the end */
    const char *text;              /* the reason for the failure, in one line; "" if it reached
                                    * the end */
    int32_t body;                  /* the body at fault, or -1 */
    double time;                   /* s, time of the last state that it reached */
    const double *parameters;      /* [variations] */
    const double *coordinates;     /* last state that it reached, as rct_solver_get_coordinates;
                                    * NaN: there is none */
    const double *rates;           /* rates of that state */
    double energy;                 /* J, kinetic plus potential energy of that state, the
                                    * potential energy counted from the start of the member; NaN:
                                    * there is no state */
    double energy_drift;           /* J, largest change of the energy over the frames; NaN: no
                                    * second frame was reached, as for a member that failed
                                    * without a series */
    int64_t frames;                /* frames of the series that were reached */
    const double *series_energy;   /* [series] J; NaN beyond `frames` */
    const double *series_position; /* [series][tracked][3] m, hinge points; NaN beyond `frames` */

    /* m or rad, and these per second: how far open the loops of the member were at the start, and
     * how fast they opened, before they were closed, so that positions and rates are not those of
     * the model (rct_loop_info); 0: no loops; NaN: the member was begun in an earlier call */
    double start_position, start_velocity;
} rct_member_result;

/* Receives results: it is called once per member, by one thread at a time, in any order. A return
 * value other than RCT_OK ends the run with that status and with the text in `error`. */
typedef rct_status rct_member_function(void *context, const rct_member_result *result,
                                       rct_error *error);

/* Watches progress: it is called from time to time, by one thread at a time, with the number of
 * members done and the number of member steps made. 1 ends the run. */
typedef int rct_ensemble_progress(void *context, int64_t members, int64_t steps);

/* A batch that was begun and is not done: bytes from which the same build on the same backend
 * continues bit for bit. */
typedef struct rct_ensemble_begun {
    const void *bytes; /* 8-byte aligned */
    int64_t size;
    int64_t steps; /* steps made of every member in it */
    int32_t count;
    const int64_t *members; /* [count] ascending; within `bytes` */
} rct_ensemble_begun;

/* Keeps batches: it is called by one thread at a time with all batches that this process has begun,
 * when keep_steps or keep_seconds is due, and when `progress` or another rank has ended the run.
 * The batches live until it returns. A return value other than RCT_OK ends the run with that
 * status. */
typedef rct_status rct_ensemble_keep(void *context, int32_t count,
                                     const rct_ensemble_begun *batches, rct_error *error);

/* Which members are simulated, how, and who receives the results. */
typedef struct rct_ensemble_run_options {
    int64_t first, count;      /* members [first, first + count); count 0: all from `first` on */
    double dt;                 /* s, > 0 */
    int64_t steps;             /* >= 0 */
    int64_t series;            /* frames of each member, from its start to its end, spaced as
                                * evenly as whole steps allow: 0, or 2 to steps + 1 */
    int32_t tracked;           /* number of bodies whose hinge points the series hold */
    const int32_t *track;      /* [tracked] ids of the base model */
    int32_t threads;           /* 0: one per processor */
    int64_t batch;             /* members swept side by side; 0: as many as the caches hold */
    rct_solver_options solver; /* options of the solvers; for small members threads and segment
                                * are chosen by the ensemble. With rk4 small members are stepped
                                * side by side; with another integrator each member has steps of
                                * its own, and members share no lanes */
    rct_member_function *deliver;
    rct_ensemble_progress *progress; /* may be NULL */
    void *context;                   /* argument of all these functions */

    /* To continue a stopped run. */
    const int8_t *done; /* [count] 1: the member's result exists, and it is not run; NULL: none */
    int32_t begun_count;
    const rct_ensemble_begun *begun; /* [begun_count] as `keep` received them; no member twice,
                                      * except members that are done, which are computed and not
                                      * delivered */
    rct_ensemble_keep *keep;         /* may be NULL */
    int64_t keep_steps;              /* steps of a batch between calls of `keep`; 0: by time */
    double keep_seconds;             /* s between calls of `keep`; 0: only when `progress` ends
                                      * the run */

    /* Processes that share the members; NULL: this process runs all. All processes call
     * rct_ensemble_run with the same ensemble and the same options (except threads, batch and
     * functions), and all get the same status. `deliver` receives the members that its own
     * process has run, `progress` the numbers of all. */
    rct_ranks *ranks;
} rct_ensemble_run_options;

/* Defaults: 1000 steps of 1e-3 s. */
RCT_API void rct_ensemble_run_options_init(rct_out out);
static inline rct_ensemble_run_options rct_ensemble_run_options_default(void)
{
    rct_ensemble_run_options x;
    rct_ensemble_run_options_init(rct_out_of(&x, sizeof x, sizeof x.solver, 0));
    return x;
}

/* Simulate the ensemble. The result is RCT_OK even if members failed: `deliver` received their
 * status. RCT_ERROR_ARGUMENT, RCT_ERROR_MEMORY, RCT_ERROR_DEVICE, RCT_ERROR_UNSUPPORTED end the
 * run, and so does any error that `deliver` or `keep` returns. If `progress` ends the run, the
 * result is RCT_OK with members missing; results that are finished are still delivered. */
RCT_API rct_status rct_ensemble_run_sized(const rct_ensemble *ensemble, rct_in options,
                                          rct_error *error);
static inline rct_status rct_ensemble_run(const rct_ensemble *ensemble,
                                          const rct_ensemble_run_options *options, rct_error *error)
{
    return rct_ensemble_run_sized(
        ensemble, rct_in_of(options, sizeof *options, sizeof options->solver, 0), error);
}

/* The options with which a solver of one member gives the same bits as the ensemble; for a member
 * with loops the numbers are equal up to rounding. Only the segment differs from `solver`; `solver`
 * NULL: the defaults. */
RCT_API int64_t rct_ensemble_segment(const rct_ensemble *ensemble, int64_t segment);
static inline rct_solver_options rct_ensemble_solver_options(const rct_ensemble *ensemble,
                                                             const rct_solver_options *solver)
{
    rct_solver_options options = solver != NULL ? *solver : rct_solver_options_default();
    options.segment = rct_ensemble_segment(ensemble, options.segment);
    return options;
}

#ifdef __cplusplus
}
#endif
#endif
