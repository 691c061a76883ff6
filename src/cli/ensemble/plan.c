/* From arguments or a sweep file to an ensemble and the options of its run. */
#include "ensemble/members.h"
#include "loops.h"
#include "run/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a sweep file says is not said twice. */
static int check_sweep(const cli_arguments *arguments)
{
    static const cli_option_id inside[] = {CLI_MEMBERS,         CLI_VARY,  CLI_MEMBERS_SEED,
                                           CLI_MEMBERS_PERTURB, CLI_T_END, CLI_DT,
                                           CLI_SERIES,          CLI_TRACK, CLI_END};
    for (const cli_option_id *id = inside; *id != CLI_END; id++) {
        if (arguments->given[*id]) {
            return cli_fail(CLI_BAD_INPUT, "%s is a matter of the sweep file %s; write it there",
                            cli_option_at(*id)->name, arguments->sweep);
        }
    }
    return CLI_OK;
}

/* A family as it is without draws: they are those of the members. */
static int load_model(cli_ensemble_state *state)
{
    cli_arguments base = *state->arguments;
    int status = CLI_OK;
    base.perturb = 0.0;
    base.seed = (int64_t)rct_family_default().seed;
    state->model = cli_load(&base, &status);
    if (state->model != NULL) {
        snprintf(state->model_name, sizeof state->model_name, "%s", rct_model_name(state->model));
        state->bodies = rct_model_body_count(state->model);
    }
    return status;
}

/* The number of a body called so. */
static int find_body(const cli_ensemble_state *state, const char *name, int32_t *id)
{
    *id = rct_model_find_body(state->model, name);
    return *id >= 0
               ? CLI_OK
               : cli_fail(CLI_BAD_INPUT, "--track %s: no body of the model has that name", name);
}

static int plan_track(cli_ensemble_state *state, int32_t count, const char *const *names)
{
    int status = CLI_OK;
    state->track = calloc((size_t)count + 1, sizeof *state->track);
    if (state->track == NULL) {
        return cli_fail(CLI_FAILED, "out of memory; free some");
    }
    for (int32_t k = 0; k < count && status == CLI_OK; k++) {
        status = find_body(state, names[k], &state->track[k]);
    }
    state->options.tracked = count;
    state->options.track = state->track;
    return status;
}

/* Variations from words; their paths are copied by the ensemble, and live in `paths` until then. */
static int parse_variations(const cli_texts *texts, rct_variation *variations, char **paths)
{
    int status = CLI_OK;
    for (int32_t i = 0; i < texts->count && status == CLI_OK; i++) {
        rct_error error;
        int64_t length = 0;
        if (rct_variation_parse(texts->text[i], &variations[i], &length, &error) != RCT_OK) {
            return cli_fail(CLI_BAD_INPUT, "--vary %s", error.text);
        }
        paths[i] = strndup(texts->text[i], (size_t)length);
        variations[i].path = paths[i];
        status = paths[i] != NULL ? CLI_OK : cli_fail(CLI_FAILED, "out of memory; free some");
    }
    return status;
}

static int create(cli_ensemble_state *state, const rct_ensemble_options *options)
{
    rct_error error;
    state->ensemble = rct_ensemble_create(state->model, options, &error);
    return state->ensemble != NULL ? CLI_OK : cli_fail_library(&error);
}

static int from_words(cli_ensemble_state *state)
{
    const cli_arguments *arguments = state->arguments;
    rct_variation variations[CLI_MOST_TEXTS];
    char *paths[CLI_MOST_TEXTS] = {NULL};
    const rct_ensemble_options options = {.members = arguments->members,
                                          .seed = (uint64_t)arguments->seed,
                                          .variation_count = arguments->vary.count,
                                          .variations = variations,
                                          .perturb = arguments->perturb};
    int status = parse_variations(&arguments->vary, variations, paths);
    if (status == CLI_OK) {
        status = create(state, &options);
    }
    for (int32_t i = 0; i < arguments->vary.count; i++) {
        free(paths[i]);
    }
    state->options.series = arguments->series;
    return status == CLI_OK ? plan_track(state, arguments->track.count, arguments->track.text)
                            : status;
}

static int from_sweep(cli_ensemble_state *state)
{
    rct_error error;
    int status = check_sweep(state->arguments);
    if (status == CLI_OK) {
        state->sweep = rct_sweep_read(state->arguments->sweep, &error);
        status = state->sweep != NULL ? create(state, &state->sweep->ensemble)
                                      : cli_fail_library(&error);
    }
    if (status == CLI_OK) {
        state->options.series = state->sweep->series;
        status = plan_track(state, state->sweep->tracked, state->sweep->track);
    }
    return status;
}

static int plan_steps(cli_ensemble_state *state)
{
    cli_arguments times = *state->arguments;
    cli_run_state run = {.arguments = &times};
    if (state->sweep != NULL) {
        times.t_end = state->sweep->t_end;
        times.dt = state->sweep->dt;
    }
    const int status =
        times.t_end > 0.0 && times.dt > 0.0
            ? cli_run_plan(&run)
            : cli_fail(CLI_BAD_INPUT, "%s: t_end and dt must be positive", state->arguments->sweep);
    state->options.dt = times.dt;
    state->options.steps = run.steps;
    return status;
}

static void plan_run(cli_ensemble_state *state)
{
    const cli_arguments *arguments = state->arguments;
    rct_ensemble_run_options *options = &state->options;
    options->threads = (int32_t)arguments->threads;
    options->batch = arguments->batch;
    options->first = arguments->given[CLI_ONLY] ? arguments->only : 0;
    options->count = arguments->given[CLI_ONLY] ? 1 : 0;
    options->solver = cli_solver_options(arguments);
    state->members = options->count > 0 ? options->count : rct_ensemble_members(state->ensemble);
}

int cli_plan_ensemble(cli_ensemble_state *state)
{
    state->options = rct_ensemble_run_options_default();
    int status = load_model(state);
    if (status == CLI_OK) {
        status = cli_check_loops(state->arguments, state->model);
    }
    if (status == CLI_OK) {
        status = state->arguments->sweep != NULL ? from_sweep(state) : from_words(state);
    }
    if (status == CLI_OK) {
        status = plan_steps(state);
    }
    if (status == CLI_OK) {
        plan_run(state);
        status = cli_check_ensemble(state);
    }
    return status;
}

void cli_release_ensemble(cli_ensemble_state *state)
{
    rct_ensemble_file_close(state->file, 0, NULL);
    rct_ensemble_checkpoint_writer_free(state->writer);
    rct_ensemble_checkpoints_close(state->checkpoints);
    rct_ensemble_results_close(state->results);
    free(state->there);
    rct_ensemble_free(state->ensemble);
    rct_sweep_free(state->sweep);
    rct_model_free(state->model);
    free(state->track);
}
