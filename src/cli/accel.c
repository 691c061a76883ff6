/* riccatree accel: accelerations, derivatives of hinge rates and hinge forces of the initial state, body by body. */
#include "accelerations.h"
#include "cli.h"
#include "loops.h"
#include "output.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/* What is printed of a body. */
typedef struct body_row {
    const char *name;
    const double *vectors[4];  /* linear, angular, force, moment                      */
    const double *derivatives; /* [freedoms] of the rates of its hinge                */
    int32_t freedoms;
    int32_t most; /* freedoms of any hinge of the model                               */
} body_row;

typedef void write_row(cli_output *out, const body_row *row);

static void json_row(cli_output *out, const body_row *row)
{
    static const char *const keys[] = {"linear", "angular", "force", "moment"};
    cli_print(out, "%s\n", out->comma ? "," : "");
    out->comma = false;
    cli_json_open(out, NULL, '{');
    cli_json_text(out, "name", row->name);
    for (int k = 0; k < 4; k++) {
        cli_json_vector(out, keys[k], row->vectors[k], 3);
    }
    cli_json_vector(out, "derivatives", row->derivatives, row->freedoms);
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

static void csv_row(cli_output *out, const body_row *row)
{
    csv_name(out, row->name);
    for (int k = 0; k < 4; k++) {
        const double *v = row->vectors[k];
        cli_print(out, ",%.17g,%.17g,%.17g", v[0], v[1], v[2]);
    }
    for (int32_t i = 0; i < row->most; i++) {
        if (i < row->freedoms) {
            cli_print(out, ",%.17g", row->derivatives[i]);
        } else {
            cli_print(out, ",");
        }
    }
    cli_print(out, "\n");
}

static void csv_header(cli_output *out, int32_t most)
{
    cli_print(out, "name,linear_x,linear_y,linear_z,angular_x,angular_y,angular_z,"
                   "force_x,force_y,force_z,moment_x,moment_y,moment_z");
    for (int32_t i = 0; i < most; i++) {
        cli_print(out, ",derivative_%" PRId32, i + 1);
    }
    cli_print(out, "\n");
}

static void table_row(cli_output *out, const body_row *row)
{
    char plain[RCT_NAME_SIZE];
    cli_print(out, "%-16s", cli_plain_name(row->name, plain));
    for (int k = 0; k < 4; k++) {
        const double *v = row->vectors[k];
        cli_print(out, "  %13.6g %13.6g %13.6g", v[0], v[1], v[2]);
    }
    cli_print(out, "\n");
}

static int32_t most_freedoms(const rct_model *model)
{
    int32_t most = 0;
    for (int64_t b = 0; b < rct_model_body_count(model); b++) {
        const int32_t freedoms = rct_hinge_freedoms(cli_hinge_of(model, b));
        most = freedoms > most ? freedoms : most;
    }
    return most;
}

static void print_rows(cli_output *out, const rct_model *model, const cli_accelerations *rows,
                       int32_t most, write_row *write)
{
    const double *derivatives = rows->derivatives;
    for (int64_t b = 0; b < rows->count && out->failure == 0; b++) {
        char name[RCT_NAME_SIZE];
        const body_row row = {.name = name,
                              .vectors = {rows->linear + 3 * b, rows->angular + 3 * b,
                                          rows->force + 3 * b, rows->moment + 3 * b},
                              .derivatives = derivatives,
                              .freedoms = rct_hinge_freedoms(cli_hinge_of(model, b)),
                              .most = most};
        rct_model_body_name(model, (int32_t)b, name);
        write(out, &row);
        derivatives += row.freedoms;
    }
}

/* What closes the loops. */
static void json_loops(cli_output *out, const rct_model *model, const cli_accelerations *rows)
{
    cli_json_open(out, "loops", '[');
    for (int64_t i = 0; i < rows->loops; i++) {
        char name[RCT_NAME_SIZE];
        rct_model_loop_name(model, (int32_t)i, name);
        cli_print(out, "%s\n", out->comma ? "," : "");
        out->comma = false;
        cli_json_open(out, NULL, '{');
        cli_json_text(out, "name", name);
        cli_json_vector(out, "force", rows->loop_force + 3 * i, 3);
        cli_json_vector(out, "moment", rows->loop_moment + 3 * i, 3);
        cli_json_real(out, "effort", rows->loop_effort[i]);
        cli_json_close(out, '}');
    }
    cli_json_close(out, ']');
}

static void print_json(cli_output *out, const rct_model *model, const char *method,
                       const cli_accelerations *rows)
{
    cli_json_open(out, NULL, '{');
    cli_json_text(out, "model", rct_model_name(model));
    cli_json_text(out, "method", method);
    cli_json_open(out, "bodies", '[');
    print_rows(out, model, rows, 0, json_row);
    cli_print(out, "\n");
    cli_json_close(out, ']');
    if (rows->loops > 0) {
        json_loops(out, model, rows);
        cli_json_start(out, model, &rows->info);
    }
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
        const int32_t most = most_freedoms(model);
        csv_header(&out, most);
        print_rows(&out, model, rows, most, csv_row);
    } else {
        cli_print(&out, "%-16s  %-41s  %-41s  %-41s  %s\n", "body", "linear (m/s^2)",
                  "angular (rad/s^2)", "force (N)", "moment (N m)");
        print_rows(&out, model, rows, 0, table_row);
        cli_print_start(&out, model, &rows->info);
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
        if (cli_accelerations_of_reference(rows, model, reference, NULL, NULL, &error) == RCT_OK) {
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
    static const cli_option_id of_sweeps[] = {CLI_SWEEP_OPTIONS, CLI_LOOP_OPTIONS, CLI_END};
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
        status = cli_accelerations_create(&rows, model);
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

static const cli_option_id options[] = {CLI_FAMILY_OPTIONS,
                                        CLI_ANY_METHOD,
                                        CLI_SWEEP_OPTIONS,
                                        CLI_LOOP_OPTIONS,
                                        CLI_JSON,
                                        CLI_CSV,
                                        CLI_END};

const cli_command cli_accel = {
    .name = "accel",
    .operand = "MODEL|FAMILY",
    .summary = "Evaluate the initial state once: accelerations and hinge forces of every body.",
    .details = "\nReferences are slow formulations, the same as those of compare.\n"
               "Derivatives of the rates of hinges are in JSON and CSV.\n",
    .options = options,
    .run = accel,
};
