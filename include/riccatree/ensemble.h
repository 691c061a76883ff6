/* Ensembles: many members of one model, each with parameters and a start of its own, simulated side by side.
 *
 * A member is a whole system: the base model with some of its numbers changed. What is changed, and how, are the
 * variations; docs/ensemble.md has the paths they are named by. Numbers drawn depend on the seed and on the member,
 * on nothing else. A member that cannot be made, whose accelerations are undetermined or whose motion is no longer
 * finite ends with a status and words; it stops no other.
 *
 * Members of up to RCT_ENSEMBLE_WHOLE links are swept whole, one a lane (RCT_SEGMENT_WHOLE), by batches; larger ones
 * one after the other as the solver's options say. The bits of a member depend on neither batches nor threads: they are
 * those of a run of the member alone (`first` = its number, `count` = 1), and those of a solver made from
 * rct_ensemble_model with the options that rct_ensemble_solver_options gives; of members with loops that are closed side by side
 * the last may differ by rounding.
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
    RCT_VARY_GRID =
        0, /* `count` values from `a` to `b`, evenly; several grids make all combinations       */
    RCT_VARY_NORMAL =
        1, /* drawn: mean a, standard deviation b                                               */
    RCT_VARY_UNIFORM =
        2, /* drawn: from a to b                                                                */
} rct_variation_type;

/* One parameter of the model that is varied. */
typedef struct rct_variation {
    const char *
        path; /* "bodies.NAME.mass", "gravity[2]", ...                                                 */
    rct_variation_type type;
    double a, b;
    int64_t
        count; /* grid: >= 1                                                                               */
} rct_variation;

/* How many members there are, and what is varied. */
typedef struct rct_ensemble_options {
    int64_t
        members; /* 0: as many as the grids have points. Else a multiple of it: member k has point k mod
                        points, counted with the last grid running fastest                                     */
    uint64_t seed;
    int32_t variation_count;
    const rct_variation
        *variations; /* later ones write over what earlier ones wrote                          */
    double
        perturb; /* >= 0: orientations turned by up to that many rad, rates changed by up to that many rad/s and
                       m/s, each by itself                                                                     */
} rct_ensemble_options;

/* one member, seed 1, nothing varied */
RCT_API void rct_ensemble_options_init(rct_out out);
static inline rct_ensemble_options rct_ensemble_options_default(void)
{
    rct_ensemble_options x;
    rct_ensemble_options_init(rct_out_of(&x, sizeof x, 0, sizeof *x.variations));
    return x;
}

/* A model and its members. */
typedef struct rct_ensemble rct_ensemble;

/* What the members are. The model and the options are copied. NULL on failure: RCT_ERROR_ARGUMENT for a path that
 * names nothing, numbers that are not finite, members that are no multiple of the grids' points or that nothing tells
 * apart; RCT_ERROR_MODEL as rct_model_check; RCT_ERROR_MEMORY. */
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

/* How many members there are. */
RCT_API int64_t rct_ensemble_members(const rct_ensemble *ensemble);
RCT_API int32_t rct_ensemble_bodies(const rct_ensemble *ensemble); /* of a member */
/* How many parameters are varied. */
RCT_API int32_t rct_ensemble_variations(const rct_ensemble *ensemble);

/* A copy of variation `index`; its path lives with the ensemble. RCT_ERROR_ARGUMENT if there is none. */
RCT_API rct_status rct_ensemble_variation_sized(const rct_ensemble *ensemble, int32_t index,
                                                rct_out variation, rct_error *error);
static inline rct_status rct_ensemble_variation(const rct_ensemble *ensemble, int32_t index,
                                                rct_variation *variation, rct_error *error)
{
    return rct_ensemble_variation_sized(ensemble, index,
                                        rct_out_of(variation, sizeof *variation, 0, 0), error);
}

/* The values of the variations of a member, [variations]. RCT_ERROR_ARGUMENT if there is no such member. */
RCT_API rct_status rct_ensemble_parameters(const rct_ensemble *ensemble, int64_t member,
                                           double *values, rct_error *error);

/* The model of a member. NULL on failure: as above, and RCT_ERROR_MODEL for numbers that no body has. */
RCT_API rct_model *rct_ensemble_model(const rct_ensemble *ensemble, int64_t member,
                                      rct_error *error);

/* ---- running it --------------------------------------------------------------------------- */

enum { RCT_ENSEMBLE_WHOLE = 1024 }; /* links */

/* What becomes of a member. The arrays live until the function that was handed it returns. */
typedef struct rct_member_result {
    int64_t member;
    rct_status
        status; /* RCT_OK: it came to the end                                                           */
    const char *
        text; /* why it did not, in one line; "" if it did                                            */
    int32_t
        body; /* the body at fault, or -1                                                             */
    double
        time; /* s, of the last state that it reached                                                 */
    const double
        *parameters; /* [variations]                                                             */
    const double
        *coordinates; /* of that state, as rct_solver_get_coordinates; NaN: there is none         */
    const double
        *rates;    /* the same                                                                 */
    double energy; /* J, then, kinetic and potential, the latter from its start; NaN: none     */
    double energy_drift; /* J, largest change of the energy over the frames; NaN: no second one was
                       * reached, so that of a member that failed without a series                */
    int64_t frames; /* of the series that were reached                                          */
    const double *
        series_energy; /* [series] J; NaN beyond `frames`                                          */
    const double *
        series_position; /* [series][tracked][3] m, hinge points; NaN beyond `frames`                */
} rct_member_result;

/* Called once a member, by one thread at a time, in no order that can be relied on; another status than RCT_OK ends the
 * run with it, and with the words in `error`. */
typedef rct_status rct_member_function(void *context, const rct_member_result *result,
                                       rct_error *error);

/* Called now and then, by one thread at a time, with the members that are done and the steps, of members, that have
 * been made: 1 ends the run. */
typedef int rct_ensemble_progress(void *context, int64_t members, int64_t steps);

/* A batch that has been begun and is not done: bytes from which the same build on the same backend goes on bit for bit. */
typedef struct rct_ensemble_begun {
    const void
        *bytes; /* 8-byte aligned                                                              */
    int64_t size;
    int64_t steps; /* made of every member in it                                                  */
    int32_t count;
    const int64_t
        *members; /* [count] ascending; within `bytes`                                      */
} rct_ensemble_begun;

/* Called by one thread at a time with all batches that this process has begun: when they are due to be kept, and when
 * `progress`, or another rank, has ended the run. They live until it returns; another status than RCT_OK ends the run with it. */
typedef rct_status rct_ensemble_keep(void *context, int32_t count,
                                     const rct_ensemble_begun *batches, rct_error *error);

/* Which members are simulated, how, and who gets the results. */
typedef struct rct_ensemble_run_options {
    int64_t first,
        count; /* members [first, first + count); count 0: all from `first` on                      */
    double
        dt; /* s, > 0                                                                            */
    int64_t
        steps; /* >= 0                                                                              */
    int64_t
        series; /* frames of each member, from its start to its end, evenly: 0, or 2 to steps + 1    */
    int32_t
        tracked; /* bodies whose hinge points the series hold                                         */
    const int32_t *
        track; /* [tracked] ids of the base model                                                   */
    int32_t
        threads; /* 0: as many as there are processors                                                */
    int64_t
        batch; /* members swept side by side; 0: as many as the caches hold                         */
    rct_solver_options
        solver; /* its threads and segment are chosen here, for small members. By rk4 these are stepped side by side; by another
                   integrator each has steps of its own, and no lanes are shared                 */
    rct_member_function *deliver;
    rct_ensemble_progress
        *progress; /* may be NULL                                                            */
    void *context; /* of all these functions                                                 */

    /* going on with a run that was stopped */
    const int8_t *
        done; /* [count] 1: members whose results are there, not to be run; NULL: none            */
    int32_t begun_count;
    const rct_ensemble_begun *
        begun; /* [begun_count] as `keep` was given them; no member twice but those that are done, which go along
                  and are not delivered                                                           */
    rct_ensemble_keep *keep; /* may be NULL                                                      */
    int64_t
        keep_steps; /* due after so many steps of a batch; 0: by time                               */
    double
        keep_seconds; /* due after so much time; 0: only when `progress` ends the run              */

    /* Processes that share the members among them; NULL: this one has all. All call rct_ensemble_run with the same
     * ensemble and the same options (threads, batch and functions aside), and all get the same status; `deliver` is told
     * of the members that its own process has run, `progress` of all. */
    rct_ranks *ranks;
} rct_ensemble_run_options;

/* 1000 steps of 1e-3 s */
RCT_API void rct_ensemble_run_options_init(rct_out out);
static inline rct_ensemble_run_options rct_ensemble_run_options_default(void)
{
    rct_ensemble_run_options x;
    rct_ensemble_run_options_init(rct_out_of(&x, sizeof x, sizeof x.solver, 0));
    return x;
}

/* Simulate. RCT_OK also where members failed: `deliver` was told. RCT_ERROR_ARGUMENT, RCT_ERROR_MEMORY,
 * RCT_ERROR_DEVICE, RCT_ERROR_UNSUPPORTED end it, and what `deliver` or `keep` gives. Ended by `progress` it is RCT_OK, with
 * members missing; results that were on their way are still delivered. */
RCT_API rct_status rct_ensemble_run_sized(const rct_ensemble *ensemble, rct_in options,
                                          rct_error *error);
static inline rct_status rct_ensemble_run(const rct_ensemble *ensemble,
                                          const rct_ensemble_run_options *options, rct_error *error)
{
    return rct_ensemble_run_sized(
        ensemble, rct_in_of(options, sizeof *options, sizeof options->solver, 0), error);
}

/* The options of the solver that gives a member alone the same bits, or of a member with loops the same numbers but for
 * rounding; `solver` NULL: of the defaults. The segment is what makes the difference. */
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
