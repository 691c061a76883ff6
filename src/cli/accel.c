/* riccatree accel: accelerations, derivatives of hinge rates and hinge forces of the initial
 * state, body by body. */
#include "accelerations.h"
#include "files/files.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* `most`: columns for derivatives in CSV, -1 for other formats. */
static void print_row(const cli_accelerations *rows, int64_t b, const char *name,
                      const double *derivatives, int32_t freedoms, int32_t most)
{
    char plain[RCT_NAME_SIZE];
    cli_json_open_line();
    cli_json_text("name", name);
    if (most >= 0) {
        cli_put_field(stdout, name);
    } else {
        cli_label(cli_plain_name(name, plain));
    }
    for (int k = 0; k < CLI_QUANTITIES; k++) {
        const double *v = rows->vectors[k] + 3 * b;
        cli_json_vector(cli_quantities[k], v, 3);
        cli_print(most >= 0 ? ",%.17g,%.17g,%.17g" : "  %13.6g %13.6g %13.6g", v[0] + 0.0,
                  v[1] + 0.0, v[2] + 0.0); /* no -0 */
    }
    cli_json_vector("derivatives", derivatives, freedoms);
    for (int32_t i = 0; i < most; i++) {
        if (i < freedoms) {
            cli_print(",%.17g", derivatives[i]);
        } else {
            cli_print(",");
        }
    }
    cli_json_close("}");
    cli_print("\n");
}

static void csv_header(int32_t most)
{
    cli_print("name");
    for (int k = 0; k < CLI_QUANTITIES; k++) {
        cli_print(",%s_x,%s_y,%s_z", cli_quantities[k], cli_quantities[k], cli_quantities[k]);
    }
    for (int32_t i = 0; i < most; i++) {
        cli_print(",derivative_%" PRId32, i + 1);
    }
    cli_print("\n");
}

/* The most freedoms of a hinge of the model. */
static int32_t most_freedoms(const rct_model *model)
{
    int32_t most = 0;
    for (int64_t b = 0; b < rct_model_body_count(model); b++) {
        const int32_t freedoms = rct_hinge_freedoms(cli_hinge_of(model, b));
        most = freedoms > most ? freedoms : most;
    }
    return most;
}

static void print_rows(const rct_model *model, const cli_accelerations *rows, bool csv)
{
    const double *derivatives = rows->derivatives;
    const int32_t most = csv ? most_freedoms(model) : -1;
    if (csv) {
        csv_header(most);
    }
    for (int64_t b = 0; b < rows->count && cli_output_works(); b++) {
        char name[RCT_NAME_SIZE];
        const int32_t freedoms = rct_hinge_freedoms(cli_hinge_of(model, b));
        rct_model_body_name(model, (int32_t)b, name);
        print_row(rows, b, name, derivatives, freedoms, most);
        derivatives += freedoms;
    }
}

/* The forces that close the loops. */
static void json_loops(const rct_model *model, const cli_accelerations *rows)
{
    cli_json_open("loops", '[');
    for (int64_t i = 0; i < rows->loops; i++) {
        char name[RCT_NAME_SIZE];
        rct_model_loop_name(model, (int32_t)i, name);
        cli_json_open_line();
        cli_json_text("name", name);
        cli_json_vector("force", rows->loop_force + 3 * i, 3);
        cli_json_vector("moment", rows->loop_moment + 3 * i, 3);
        cli_json_real("effort", rows->loop_effort[i]);
        cli_json_close("}");
    }
    cli_json_close("]");
}

static bool print_all(const cli_arguments *arguments, const rct_model *model, const char *method,
                      const cli_accelerations *rows)
{
    cli_output_start(arguments->given[CLI_JSON], 16);
    if (arguments->given[CLI_CSV]) {
        print_rows(model, rows, true);
        return cli_output_finish();
    }
    cli_json_text("model", rct_model_name(model));
    cli_json_text("method", method);
    cli_json_open("bodies", '[');
    cli_line("body", "  %-41s  %-41s  %-41s  %s", "linear (m/s^2)", "angular (rad/s^2)",
             "force (N)", "moment (N m)");
    print_rows(model, rows, false);
    cli_json_close("\n]");
    if (rows->loops > 0) {
        json_loops(model, rows);
    }
    if (rows->info.loops > 0) {
        cli_print_start(model, &rows->info);
    }
    return cli_output_finish();
}

/* Evaluate a reference in the state in which a solver starts: with closed loops unless --as-given. */
static bool evaluate_reference(cli_accelerations *rows, const rct_model *model, rct_solver *solver,
                               rct_reference reference)
{
    rct_solver_info info = {.coordinates = 0};
    double *state = NULL;
    if (solver != NULL) {
        rct_solver_get_info(solver, &info);
        rct_solver_get_loop_info(solver, &rows->info);
        state = cli_numbers(info.coordinates + info.dof, "the state");
        if (state == NULL) {
            return false;
        }
        rct_solver_get_coordinates(solver, state, state + info.coordinates);
    }
    const bool done = cli_did(cli_accelerations_of_reference(
        rows, model, reference, state, state != NULL ? state + info.coordinates : NULL));
    free(state);
    return done;
}

/* Evaluate once by the method asked for. Returns the name of the method. */
static const char *evaluate(const cli_arguments *arguments, const rct_model *model,
                            cli_accelerations *rows)
{
    const bool refers = arguments->method >= CLI_METHOD_LAGRANGE;
    const rct_reference reference =
        (rct_reference)(arguments->method - CLI_METHOD_LAGRANGE + RCT_REFERENCE_LAGRANGE);
    cli_arguments sweeps = *arguments;
    rct_solver *solver = NULL;
    sweeps.method = refers ? RCT_METHOD_ABI : arguments->method;
    if (!refers || rct_model_loop_count(model) > 0 || arguments->given[CLI_AS_GIVEN]) {
        solver = cli_solver(model, &sweeps);
        if (solver == NULL) {
            return NULL;
        }
    }
    const bool done = refers ? evaluate_reference(rows, model, solver, reference)
                             : cli_did(cli_accelerations_of_solver(rows, solver));
    if (solver != NULL && arguments->given[CLI_CSV]) {
        cli_warn_start(model, solver);
    }
    rct_solver_free(solver);
    return !done    ? NULL
           : refers ? rct_reference_name(reference)
                    : rct_method_name((rct_method)arguments->method);
}

static bool check(const cli_arguments *arguments)
{
    const bool reference = arguments->method >= CLI_METHOD_LAGRANGE;
    const char *idle =
        cli_given_of(arguments, CLI_LIST(CLI_SWEEP_OPTIONS, CLI_CLOSING, CLI_DRIFT, CLI_BAUMGARTE));
    return (!arguments->given[CLI_JSON] || !arguments->given[CLI_CSV] ||
            cli_refuse("--json and --csv exclude each other; give one")) &&
           (!reference || idle == NULL ||
            cli_refuse("%s is for abi and riccati; leave it out with a reference", idle));
}

static bool accel(const cli_arguments *arguments)
{
    cli_accelerations rows = {.count = 0};
    rct_model *model = check(arguments) ? cli_load(arguments) : NULL;
    bool good = model != NULL && cli_accelerations_create(&rows, model);
    const char *method = good ? evaluate(arguments, model, &rows) : NULL;
    good = method != NULL && print_all(arguments, model, method, &rows);
    cli_accelerations_free(&rows);
    rct_model_free(model);
    return good;
}

const cli_command cli_accel = {
    .name = "accel",
    .operand = "MODEL|FAMILY",
    .summary = "Evaluate the initial state once: accelerations and hinge forces of every body.",
    .details = "\nReferences are slow formulations, the same as in compare.\n"
               "JSON and CSV also hold the derivatives of the rates of hinges.\n",
    .options = CLI_LIST(CLI_ANY_METHOD, CLI_SWEEP_OPTIONS, CLI_LOOP_OPTIONS, CLI_JSON, CLI_CSV,
                        CLI_MODEL_OPTIONS),
    .run = accel,
};
