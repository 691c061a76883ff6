/* riccatree equilibrium: find a state of rest of a model from its start, and write the model
 * with this start to a file. */
#include "cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Write the model to the file of --out, with its start moved to the state of the solver. */
static bool write(const cli_arguments *arguments, rct_model *model, const rct_solver *solver)
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    double *state = cli_numbers(info.coordinates + info.dof, "the state");
    if (state == NULL) {
        return false;
    }
    rct_solver_get_coordinates(solver, state, state + info.coordinates);
    rct_status status = rct_model_set_start(model, state, state + info.coordinates, &cli_error);
    if (status == RCT_OK) {
        status = cli_is_h5(arguments->out) ? rct_model_write_h5(model, arguments->out, &cli_error)
                                           : rct_model_write(model, arguments->out, &cli_error);
    }
    free(state);
    return cli_did(status);
}

static void warn(const rct_equilibrium *found)
{
    char ways[CLI_COUNTED];
    if (found->unstable > 0) {
        cli_warn("this rest is unstable: the energy falls in %s; start a little beside it to find "
                 "another",
                 cli_counted(found->unstable, "direction", ways));
    }
}

static bool print(const cli_arguments *arguments, const rct_model *model,
                  const rct_equilibrium *found)
{
    cli_output_start(arguments->given[CLI_JSON], 16);
    cli_model_name(rct_model_name(model));
    cli_count("steps", "steps", found->steps, "");
    cli_json_real("residual", found->residual);
    cli_line("residual", "%.3g of what hinges carry", found->residual);
    cli_json_real("energy", found->energy);
    cli_line("energy", "%.9g J less than at the start", found->energy);
    cli_json_bool("stable", found->unstable == 0);
    cli_count("unstable", "unstable", found->unstable,
              found->unstable == 1 ? " direction" : " directions");
    cli_count("indifferent", "indifferent", found->indifferent,
              found->indifferent == 1 ? " direction" : " directions");
    cli_json_text("file", arguments->out);
    if (arguments->out != NULL) {
        cli_line("written", "%s", arguments->out);
    }
    return cli_output_finish();
}

static bool check(const cli_arguments *arguments)
{
    return (arguments->out == NULL || strcmp(arguments->out, "-") != 0 ||
            cli_refuse("--out -: standard output has the report; name a file")) &&
           cli_check_out(arguments, arguments->out);
}

static bool equilibrium(const cli_arguments *arguments)
{
    rct_equilibrium found;
    rct_model *model = check(arguments) ? cli_load(arguments) : NULL;
    rct_solver *solver = model != NULL ? cli_solver(model, arguments) : NULL;
    bool good = solver != NULL && cli_did(rct_solver_equilibrium(solver, &found, &cli_error));
    good = good && (arguments->out == NULL || write(arguments, model, solver));
    if (good) {
        warn(&found);
        good = print(arguments, model, &found);
    }
    rct_solver_free(solver);
    rct_model_free(model);
    return good;
}

const cli_command cli_equilibrium = {
    .name = "equilibrium",
    .operand = "MODEL|FAMILY",
    .summary =
        "Find a state of rest of a model, searching from its start; write the model at rest.",
    .details =
        "\nForces must have a potential. Dampers and the rates of the start have no effect.\n",
    .options = CLI_LIST(CLI_OUT_REST, CLI_OVERWRITE, CLI_JSON, CLI_MODEL_OPTIONS),
    .run = equilibrium,
};
