/* riccatree accel: accelerations and hinge forces of the initial state, body by body. */
#include "accelerations.h"
#include "cli.h"
#include "output.h"

#include <stddef.h>
#include <string.h>

typedef void write_row(cli_output *out, const char *name, const double *const rows[4]);

static void json_row(cli_output *out, const char *name, const double *const rows[4])
{
    static const char *const keys[] = {"linear", "angular", "force", "moment"};
    cli_print(out, "%s\n", out->comma ? "," : "");
    out->comma = false;
    cli_json_open(out, NULL, '{');
    cli_json_text(out, "name", name);
    for (int k = 0; k < 4; k++) {
        cli_json_vector(out, keys[k], rows[k], 3);
    }
    cli_json_close(out, '}');
}

/* A name with a comma, a quote or a line's end stands in quotes (RFC 4180). */
static void csv_name(cli_output *out, const char *name)
{
    if (strpbrk(name, ",\"\r\n") == NULL) {
        cli_print(out, "%s", name);
        return;
    }
    cli_print(out, "\"");
    for (const char *c = name; *c != '\0'; c++) {
        cli_print(out, *c == '"' ? "\"\"" : "%c", *c);
    }
    cli_print(out, "\"");
}

static void csv_row(cli_output *out, const char *name, const double *const rows[4])
{
    csv_name(out, name);
    for (int k = 0; k < 4; k++) {
        cli_print(out, ",%.17g,%.17g,%.17g", rows[k][0], rows[k][1], rows[k][2]);
    }
    cli_print(out, "\n");
}

static void table_row(cli_output *out, const char *name, const double *const rows[4])
{
    char plain[RCT_NAME_SIZE];
    cli_print(out, "%-16s", cli_plain_name(name, plain));
    for (int k = 0; k < 4; k++) {
        cli_print(out, "  %13.6g %13.6g %13.6g", rows[k][0], rows[k][1], rows[k][2]);
    }
    cli_print(out, "\n");
}

static void print_rows(cli_output *out, const rct_model *model, const cli_accelerations *rows,
                       write_row *write)
{
    for (int64_t b = 0; b < rows->count && out->failure == 0; b++) {
        char name[RCT_NAME_SIZE];
        const double *const body[4] = {rows->linear + 3 * b, rows->angular + 3 * b,
                                       rows->force + 3 * b, rows->moment + 3 * b};
        rct_model_body_name(model, (int32_t)b, name);
        write(out, name, body);
    }
}

static void print_json(cli_output *out, const rct_model *model, const char *method,
                       const cli_accelerations *rows)
{
    cli_json_open(out, NULL, '{');
    cli_json_text(out, "model", rct_model_name(model));
    cli_json_text(out, "method", method);
    cli_json_open(out, "bodies", '[');
    print_rows(out, model, rows, json_row);
    cli_print(out, "\n");
    cli_json_close(out, ']');
    cli_json_close(out, '}');
    cli_print(out, "\n");
}

static int print_all(const cli_arguments *arguments, const rct_model *model, const char *method,
                     const cli_accelerations *rows)
{
    cli_output out = cli_output_start();
    if (arguments->given[CLI_JSON]) {
        print_json(&out, model, method, rows);
    } else if (arguments->given[CLI_CSV]) {
        cli_print(&out, "name,linear_x,linear_y,linear_z,angular_x,angular_y,angular_z,"
                        "force_x,force_y,force_z,moment_x,moment_y,moment_z\n");
        print_rows(&out, model, rows, csv_row);
    } else {
        cli_print(&out, "%-16s  %-41s  %-41s  %-41s  %s\n", "body", "linear (m/s^2)",
                  "angular (rad/s^2)", "force (N)", "moment (N m)");
        print_rows(&out, model, rows, table_row);
    }
    return cli_output_finish(&out);
}

/* One evaluation by the method asked for; its name on success, else NULL and the status. */
static const char *evaluate(const cli_arguments *arguments, const rct_model *model,
                            cli_accelerations *rows, int *status)
{
    rct_error error = {.status = RCT_OK};
    const char *name = NULL;
    if (arguments->method < CLI_METHOD_LAGRANGE) {
        rct_solver *solver = cli_solver(model, arguments, status);
        if (solver != NULL && cli_accelerations_of_solver(rows, solver, &error) == RCT_OK) {
            name = rct_method_name((rct_method)arguments->method);
        }
        rct_solver_free(solver);
    } else {
        const rct_reference reference =
            (rct_reference)(arguments->method - CLI_METHOD_LAGRANGE + RCT_REFERENCE_LAGRANGE);
        if (cli_accelerations_of_reference(rows, model, reference, &error) == RCT_OK) {
            name = rct_reference_name(reference);
        }
    }
    if (error.status != RCT_OK) {
        *status = cli_fail_library(&error);
    }
    return name;
}

static int check(const cli_arguments *arguments)
{
    static const cli_option_id of_sweeps[] = {CLI_SWEEP_OPTIONS, CLI_END};
    const bool reference = arguments->method >= CLI_METHOD_LAGRANGE;
    if (arguments->given[CLI_JSON] && arguments->given[CLI_CSV]) {
        return cli_fail(CLI_BAD_INPUT, "--json and --csv exclude each other; give one");
    }
    for (const cli_option_id *id = of_sweeps; *id != CLI_END && reference; id++) {
        if (arguments->given[*id]) {
            return cli_fail(CLI_BAD_INPUT,
                            "%s is for abi and riccati; leave it out with a reference",
                            cli_option_at(*id)->name);
        }
    }
    return CLI_OK;
}

static int accel(const cli_arguments *arguments)
{
    cli_accelerations rows = {.count = 0};
    int status = check(arguments);
    rct_model *model = status == CLI_OK ? cli_load(arguments, &status) : NULL;
    if (model != NULL) {
        status = cli_accelerations_create(&rows, rct_model_body_count(model));
    }
    if (model != NULL && status == CLI_OK) {
        const char *method = evaluate(arguments, model, &rows, &status);
        if (method != NULL) {
            status = print_all(arguments, model, method, &rows);
        }
    }
    cli_accelerations_free(&rows);
    rct_model_free(model);
    return status;
}

static const cli_option_id options[] = {CLI_FAMILY_OPTIONS, CLI_ANY_METHOD, CLI_SWEEP_OPTIONS,
                                        CLI_JSON,           CLI_CSV,        CLI_END};

const cli_command cli_accel = {
    .name = "accel",
    .operand = "MODEL|FAMILY",
    .summary = "Evaluate the initial state once: accelerations and hinge forces of every body.",
    .details = "\nReferences are slow formulations, the same as those of compare.\n",
    .options = options,
    .run = accel,
};
