/* From arguments or a sweep file to an ensemble and the options of its run. */
#include "ensemble/members.h"
#include "run/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool refuse_repeated(const cli_arguments *arguments, const char *option)
{
    return cli_refuse("%s: the sweep file %s sets this; write it there", option, arguments->sweep);
}

/* Options must not repeat what the sweep file says. */
static bool check_sweep(const cli_arguments *arguments)
{
    const char *inside =
        cli_given_of(arguments, CLI_LIST(CLI_MEMBERS, CLI_VARY, CLI_MEMBERS_SEED,
                                         CLI_MEMBERS_PERTURB, CLI_T_END, CLI_SERIES, CLI_TRACK));
    return inside == NULL || refuse_repeated(arguments, inside);
}

/* The family without perturbation: the draws are those of the members. */
static bool load_model(cli_ensemble_state *state)
{
    cli_arguments base = *state->arguments;
    base.perturb = 0.0;
    base.seed = (int64_t)rct_family_default().seed;
    state->model = cli_load(&base);
    if (state->model != NULL) {
        snprintf(state->model_name, sizeof state->model_name, "%s", rct_model_name(state->model));
        state->bodies = rct_model_body_count(state->model);
    }
    return state->model != NULL;
}

static bool plan_track(cli_ensemble_state *state, int32_t count, const char *const *names)
{
    state->track = calloc((size_t)count + 1, sizeof *state->track);
    if (!cli_have_memory(state->track)) {
        return false;
    }
    for (int32_t k = 0; k < count; k++) {
        state->track[k] = rct_model_find_body(state->model, names[k]);
        if (state->track[k] < 0) {
            char hint[RCT_ERROR_TEXT_SIZE];
            return cli_refuse("--track %s: no body of the model has that name%s", names[k],
                              rct_model_body_hint(state->model, names[k], NULL, hint));
        }
    }
    state->options.tracked = count;
    state->options.track = state->track;
    return true;
}

/* Parse variations from words. The ensemble copies their paths, which live in `paths` until
 * then. */
static bool parse_variations(const cli_texts *texts, rct_variation *variations, char **paths)
{
    for (int32_t i = 0; i < texts->count; i++) {
        int64_t length = 0;
        if (rct_variation_parse(texts->text[i], &variations[i], &length, &cli_error) != RCT_OK) {
            return cli_refuse("--vary %s", cli_error.text);
        }
        variations[i].path = paths[i] = strndup(texts->text[i], (size_t)length);
        if (!cli_have_memory(paths[i])) {
            return false;
        }
    }
    return true;
}

static bool create(cli_ensemble_state *state, const rct_ensemble_options *options)
{
    state->ensemble = rct_ensemble_create(state->model, options, &cli_error);
    return cli_have(state->ensemble);
}

static bool from_words(cli_ensemble_state *state)
{
    const cli_arguments *arguments = state->arguments;
    rct_variation variations[CLI_MOST_TEXTS];
    char *paths[CLI_MOST_TEXTS] = {NULL};
    const rct_ensemble_options options = {.members = arguments->members,
                                          .seed = (uint64_t)arguments->seed,
                                          .variation_count = arguments->vary.count,
                                          .variations = variations,
                                          .perturb = arguments->perturb};
    const bool good =
        parse_variations(&arguments->vary, variations, paths) && create(state, &options);
    for (int32_t i = 0; i < arguments->vary.count; i++) {
        free(paths[i]);
    }
    state->options.series = arguments->series;
    return good && plan_track(state, arguments->track.count, arguments->track.text);
}

static bool from_sweep(cli_ensemble_state *state)
{
    if (!check_sweep(state->arguments)) {
        return false;
    }
    state->sweep = rct_sweep_read(state->arguments->sweep, &cli_error);
    if (!cli_have(state->sweep) || !create(state, &state->sweep->ensemble)) {
        return false;
    }
    state->options.series = state->sweep->series;
    return plan_track(state, state->sweep->tracked, state->sweep->track);
}

static bool plan_steps(cli_ensemble_state *state)
{
    const bool sweep = state->sweep != NULL;
    const cli_arguments *arguments = state->arguments;
    const double t_end = sweep ? state->sweep->t_end : arguments->t_end;
    const bool own = sweep && state->sweep->dt > 0.0;
    if (!(t_end > 0.0)) {
        return cli_refuse("%s: t_end must be positive", arguments->sweep);
    }
    if (own && arguments->given[CLI_DT]) {
        return refuse_repeated(arguments, "--dt");
    }
    state->options.dt = own ? state->sweep->dt : cli_step(arguments, t_end, state->options.series);
    return cli_did(rct_run_steps(t_end, state->options.dt, &state->options.steps, &cli_error));
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

/* Refuse options that would be ignored, or that ask for something missing. Errors of one option
 * alone are found when it is parsed. */
static bool check_only(const cli_ensemble_state *state)
{
    const int64_t count = rct_ensemble_members(state->ensemble), only = state->arguments->only;
    return !state->arguments->given[CLI_ONLY] || only < count ||
           (count == 1
                ? cli_refuse("--only %" PRId64 ": there is no such member; the only one is 0", only)
                : cli_refuse("--only %" PRId64 ": there is no such member; give one from 0 to "
                             "%" PRId64,
                             only, count - 1));
}

static bool is_drawn(const char *text)
{
    rct_variation variation;
    int64_t length = 0;
    return rct_variation_parse(text, &variation, &length, NULL) == RCT_OK &&
           variation.type != RCT_VARY_GRID;
}

static bool check_seed(const cli_arguments *arguments)
{
    bool drawn = !arguments->given[CLI_MEMBERS_SEED] || arguments->given[CLI_MEMBERS_PERTURB];
    for (int32_t i = 0; i < arguments->vary.count && !drawn; i++) {
        drawn = is_drawn(arguments->vary.text[i]);
    }
    return drawn || cli_refuse("--seed %" PRId64 ": nothing is drawn; leave --seed out, or add "
                               "--perturb or a --vary that is normal or uniform",
                               arguments->seed);
}

static bool check_track(const cli_arguments *arguments)
{
    return arguments->track.count == 0 || arguments->given[CLI_SERIES] ||
           cli_refuse("--track %s needs the frames of --series N; give --series too",
                      arguments->track.text[0]);
}

static bool check_segment(const cli_ensemble_state *state)
{
    const rct_solver_options *asked = &state->options.solver;
    const bool whole =
        rct_ensemble_solver_options(state->ensemble, asked).segment == RCT_SEGMENT_WHOLE;
    return !whole || asked->segment < 0 ||
           cli_refuse("--segment %" PRId64 ": members of %" PRId32
                      " bodies are swept whole; leave --segment out",
                      asked->segment, state->bodies);
}

bool cli_plan_ensemble(cli_ensemble_state *state)
{
    state->options = rct_ensemble_run_options_default();
    if (!load_model(state) || !cli_check_loops(state->arguments, state->model) ||
        !(state->arguments->sweep != NULL ? from_sweep(state) : from_words(state)) ||
        !plan_steps(state)) {
        return false;
    }
    plan_run(state);
    return check_only(state) && check_seed(state->arguments) && check_track(state->arguments) &&
           check_segment(state);
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
