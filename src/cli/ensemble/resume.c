/* riccatree resume of the file of an ensemble: all that a run needs is in it. */
#include "ensemble/members.h"
#include "run/run.h"

#include <stdio.h>
#include <string.h>

/* What a file of results begins with: its seal, or of an older version HDF5. */
static const char *const begins[] = {"RCTSEAL2", "\211HDF\r\n\032\n"};

enum { BEGIN_BYTES = 8 };

bool cli_is_results(const char *path)
{
    char begin[BEGIN_BYTES] = {0};
    FILE *file = fopen(path, "rb");
    const bool is =
        file != NULL && fread(begin, sizeof begin, 1, file) == 1 &&
        (memcmp(begin, begins[0], BEGIN_BYTES) == 0 || memcmp(begin, begins[1], BEGIN_BYTES) == 0);
    if (file != NULL) {
        fclose(file);
    }
    return is;
}

static bool plan(cli_ensemble_state *state)
{
    rct_ensemble_results_info info;
    rct_ensemble_run_options *options = &state->options;
    const cli_arguments *arguments = state->arguments;
    if (arguments->given[CLI_OUT_MOVED]) {
        return cli_refuse("--out %s: an ensemble goes on in its own file; leave it out",
                          arguments->out);
    }
    state->results = rct_ensemble_results_open(arguments->operand, &cli_error);
    if (!cli_have(state->results)) {
        return false;
    }
    rct_ensemble_results_get_info(state->results, &info);
    state->ensemble = rct_ensemble_results_ensemble(state->results, options, &cli_error);
    if (!cli_have(state->ensemble)) {
        return false;
    }
    options->threads = (int32_t)arguments->threads;
    options->batch = 0;
    state->members = info.members;
    state->bodies = rct_ensemble_bodies(state->ensemble);
    snprintf(state->model_name, sizeof state->model_name, "%s", info.model_name);
    return true;
}

bool cli_resume_ensemble(const cli_arguments *arguments)
{
    cli_ensemble_state state = {
        .arguments = arguments, .out = arguments->operand, .started = cli_seconds()};
    cli_catch_signals();
    const bool good = cli_agree(arguments, plan(&state)) && cli_run_ensemble(&state);
    cli_release_ensemble(&state);
    return good;
}
