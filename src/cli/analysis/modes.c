/* riccatree modes: the lowest frequencies about a state of rest, and their shapes. */
#include "cli.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

typedef struct found_modes {
    rct_modes modes;
    int64_t dof;
    double *square, *shape;
} found_modes;

static bool find(const cli_arguments *arguments, rct_solver *solver, found_modes *found)
{
    rct_solver_info info;
    const int32_t count = (int32_t)arguments->count;
    rct_solver_get_info(solver, &info);
    found->dof = info.dof;
    found->square = cli_numbers(count, "the modes");
    if (found->square != NULL && arguments->given[CLI_SHAPES]) {
        found->shape = cli_numbers(count * info.dof, "the shapes of modes");
    }
    return found->square != NULL && (found->shape != NULL || !arguments->given[CLI_SHAPES]) &&
           cli_go_about(arguments, solver) &&
           cli_did(rct_solver_modes(solver, count, found->square, found->shape, &found->modes,
                                    &cli_error));
}

/* Print omega^2 as a frequency, or as the growth rate of the motion. */
static void print_mode(const found_modes *found, int32_t k)
{
    const double omega = sqrt(fabs(found->square[k])), turn = 6.283185307179586;
    const bool grows = found->square[k] < 0.0;
    cli_json_open_line();
    cli_json_real("square", found->square[k]);
    cli_json_real("frequency", grows ? (double)NAN : omega / turn);
    cli_json_real("growth", grows ? omega : (double)NAN);
    if (found->shape != NULL) {
        cli_json_vector("shape", found->shape + k * found->dof, (int)found->dof);
    }
    cli_json_close("}");
    if (grows) {
        cli_print("%6" PRId32 "  grows by e in %.9g s\n", k + 1, 1.0 / omega);
    } else {
        cli_print("%6" PRId32 "  %15.9g Hz  %15.9g rad/s  %15.9g s\n", k + 1, omega / turn, omega,
                  turn / omega);
    }
}

static bool print(const cli_arguments *arguments, const rct_model *model, const found_modes *found)
{
    const rct_modes *modes = &found->modes;
    cli_output_start(arguments->given[CLI_JSON], 16);
    cli_model_name(rct_model_name(model));
    cli_count("dof", "dof", found->dof, "");
    cli_count("unstable", "unstable", modes->unstable, "");
    cli_count("indifferent", "indifferent", modes->indifferent, " (frequency 0, not listed)");
    cli_json_real("residual", modes->largest);
    cli_line("residual", "%.3g at most", modes->largest);
    cli_json_open("modes", '[');
    for (int32_t k = 0; k < modes->found; k++) {
        print_mode(found, k);
    }
    cli_json_close("\n]");
    return cli_output_finish();
}

static bool check(const cli_arguments *arguments)
{
    return arguments->given[CLI_JSON] || !arguments->given[CLI_SHAPES] ||
           cli_refuse("--shapes needs --json; give --json too");
}

static bool modes(const cli_arguments *arguments)
{
    found_modes found = {.dof = 0};
    rct_model *model = check(arguments) ? cli_load(arguments) : NULL;
    rct_solver *solver = model != NULL ? cli_solver(model, arguments) : NULL;
    bool good = solver != NULL && find(arguments, solver, &found);
    if (good && found.modes.unstable > 0) {
        char motions[CLI_COUNTED];
        cli_warn("this rest is unstable: it has %s, listed first",
                 cli_counted(found.modes.unstable, "growing motion", motions));
    }
    good = good && print(arguments, model, &found);
    free(found.square);
    free(found.shape);
    rct_solver_free(solver);
    rct_model_free(model);
    return good;
}

const cli_command cli_modes = {
    .name = "modes",
    .operand = "MODEL|FAMILY",
    .summary = "Find the lowest frequencies about a state of rest, and the shapes of these modes.",
    .details =
        "\nForces must have a potential. The modes are those of the model without dampers.\n",
    .options = CLI_LIST(CLI_MODES, CLI_ABOUT, CLI_SHAPES, CLI_JSON, CLI_MODEL_OPTIONS),
    .run = modes,
};
