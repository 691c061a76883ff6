/* riccatree ensemble: many members of one model, each with parameters and a start of its own. */
#include "ensemble/members.h"

#include <string.h>
#include <sys/stat.h>

static int check(const cli_arguments *arguments)
{
    if (arguments->out != NULL && strcmp(arguments->out, "-") == 0) {
        return cli_fail(CLI_BAD_INPUT,
                        "--out -: results cannot go to standard output; name a file");
    }
    if (arguments->out == NULL &&
        (arguments->given[CLI_GO_ON] || arguments->given[CLI_CHECKPOINT_EVERY])) {
        return cli_fail(
            CLI_BAD_INPUT, "%s is about --out FILE.h5; give that",
            cli_option_at(arguments->given[CLI_GO_ON] ? CLI_GO_ON : CLI_CHECKPOINT_EVERY)->name);
    }
    if (arguments->given[CLI_GO_ON] && arguments->given[CLI_OVERWRITE]) {
        return cli_fail(CLI_BAD_INPUT,
                        "--resume goes on with the file and --overwrite begins it anew; give one");
    }
    struct stat file;
    if (arguments->given[CLI_GO_ON]) {
        return cli_check_regular(arguments->out);
    }
    if (!cli_is_first(arguments)) { /* rank 0 makes the file */
        return CLI_OK;
    }
    if (arguments->out != NULL && !arguments->given[CLI_OVERWRITE] &&
        stat(arguments->out, &file) == 0 && S_ISREG(file.st_mode)) {
        return cli_fail(CLI_BAD_INPUT,
                        "--out %s: it exists; add --resume to go on with it, or --overwrite to "
                        "replace it",
                        arguments->out);
    }
    return cli_check_out(arguments, arguments->out);
}

static int run_ensemble(const cli_arguments *arguments)
{
    cli_ensemble_state state = {
        .arguments = arguments, .out = arguments->out, .started = cli_seconds()};
    cli_catch_signals();
    int status = check(arguments);
    if (status == CLI_OK) {
        status = cli_plan_ensemble(&state);
    }
    status = cli_agree(arguments, status);
    if (status == CLI_OK) {
        status = cli_run_ensemble(&state);
    }
    cli_release_ensemble(&state);
    return status;
}

static const cli_option_id options[] = {
    CLI_BODIES,       CLI_HINGE,       CLI_MEMBERS,   CLI_VARY,   CLI_MEMBERS_PERTURB,
    CLI_MEMBERS_SEED, CLI_SWEEP,       CLI_T_END,     CLI_DT,     CLI_SERIES,
    CLI_TRACK,        CLI_ONLY,        CLI_BATCH,     CLI_METHOD, CLI_SWEEP_OPTIONS,
    CLI_LOOP_OPTIONS, CLI_OUT_MEMBERS, CLI_OVERWRITE, CLI_GO_ON,  CLI_CHECKPOINT_EVERY,
    CLI_JSON,         CLI_END};

const cli_command cli_ensemble = {
    .name = "ensemble",
    .operand = "MODEL|FAMILY",
    .summary = "Simulate many members of a model: parameter sweeps, Monte Carlo, perturbed starts.",
    .details =
        "\nPATH is bodies.NAME.FIELD, forces.K.FIELD or gravity[i], fields as in a model file, * "
        "for\n"
        "all bodies: --vary 'bodies.*.mass=normal:1:0.1' --vary 'gravity[2]=-9.81:-1.62:2'.\n"
        "Several grids make all combinations, the last running fastest. Members of up to 1,024\n"
        "bodies are swept whole, several at once, and take no --segment. A member that fails "
        "stops\n"
        "no other; the exit status is then 3. SIGINT, SIGTERM, SIGHUP, SIGXCPU and "
        "SIGUSR1\n"
        "leave the members done in the file, and those begun in FILE.h5.checkpoint: --resume, or\n"
        "riccatree resume FILE.h5, goes on.\n"
        "mpirun -np K riccatree ensemble ... shares the members among K processes.\n",
    .options = options,
    .run = run_ensemble,
    .on_ranks = true,
};
