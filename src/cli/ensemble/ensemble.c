/* riccatree ensemble: many members of one model, each with its own parameters and start; and
 * riccatree resume of the file of an ensemble. */
#include "ensemble/members.h"

#include <stdio.h>
#include <string.h>

static bool check(const cli_arguments *arguments)
{
    const char *out = arguments->out;
    const bool going_on = arguments->given[CLI_GO_ON];
    const char *about = cli_given_of(arguments, CLI_LIST(CLI_GO_ON, CLI_CHECKPOINT_EVERY));
    const bool good =
        cli_check_tolerance(arguments) && cli_check_named("--out", out, "results") &&
        (out != NULL || about == NULL ||
         cli_refuse("%s needs --out FILE.h5; give --out too", about)) &&
        (!going_on || !arguments->given[CLI_OVERWRITE] ||
         cli_refuse("--resume continues the file and --overwrite starts it again; give one"));
    if (!good || (!going_on && !cli_is_first(arguments))) { /* rank 0 makes the file */
        return good;
    }
    if (going_on) {
        return cli_check_regular(out);
    }
    return (out == NULL || !cli_is_kept(arguments, out) ||
            cli_refuse(
                "--out %s: it exists; add --resume to continue it, or --overwrite to replace it",
                out)) &&
           cli_check_out(arguments, out);
}

static bool run_ensemble(const cli_arguments *arguments)
{
    cli_ensemble_state state = {
        .arguments = arguments, .out = arguments->out, .started = cli_seconds()};
    cli_catch_signals();
    const bool good = cli_agree(arguments, check(arguments) && cli_plan_ensemble(&state)) &&
                      cli_run_ensemble(&state);
    cli_release_ensemble(&state);
    return good;
}

/* ---- resuming: the file of the results has everything that a run needs --------------------- */

/* The file begins with its seal; one of an older version begins as HDF5. */
bool cli_is_results(const char *path)
{
    return cli_begins_with(path, "RCTSEAL2") || cli_begins_with(path, CLI_HDF5);
}

static bool plan_results(cli_ensemble_state *state)
{
    rct_ensemble_results_info info;
    rct_ensemble_run_options *options = &state->options;
    const cli_arguments *arguments = state->arguments;
    if (arguments->given[CLI_OUT_MOVED]) {
        return cli_refuse("--out %s: an ensemble continues in its own file; leave --out out",
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
    const bool good = cli_agree(arguments, plan_results(&state)) && cli_run_ensemble(&state);
    cli_release_ensemble(&state);
    return good;
}

const cli_command cli_ensemble = {
    .name = "ensemble",
    .operand = "MODEL|FAMILY",
    .summary = "Simulate many members of a model: parameter sweeps, Monte Carlo, perturbed starts.",
    .details =
        "\nPATH is bodies.NAME.FIELD, forces.K.FIELD or gravity[i], with the fields of a model "
        "file;\n"
        "NAME * is all bodies: --vary 'bodies.*.mass=normal:1:0.1' --vary "
        "'gravity[2]=-9.81:-1.62:2'.\n"
        "Several grids make all combinations; the last grid runs fastest. Members of up to 1,024\n"
        "bodies are swept whole, several at once, and take no --segment. If a member fails, the\n"
        "others continue, and the exit status is 3. SIGINT, SIGTERM, SIGHUP, SIGXCPU and SIGUSR1\n"
        "leave finished members in the file and begun ones in FILE.h5.checkpoint. --resume, or\n"
        "riccatree resume FILE.h5, continues.\n"
        "mpirun -np K riccatree ensemble ... shares the members among K processes.\n",
    .options = CLI_LIST(CLI_MEMBERS, CLI_VARY, CLI_MEMBERS_PERTURB, CLI_MEMBERS_SEED, CLI_SWEEP,
                        CLI_STEP_OPTIONS, CLI_SERIES, CLI_TRACK, CLI_ONLY, CLI_BATCH, CLI_METHOD,
                        CLI_SWEEP_OPTIONS, CLI_LOOP_OPTIONS, CLI_OUT_MEMBERS, CLI_OVERWRITE,
                        CLI_GO_ON, CLI_CHECKPOINT_EVERY, CLI_JSON, CLI_BODIES, CLI_HINGE,
                        CLI_IGNORE_UNSUPPORTED, CLI_REPAIR_INERTIA),
    .run = run_ensemble,
    .on_ranks = true,
};
