/* riccatree derivatives: how the derivatives of rates change with positions, rates and efforts
 * of hinges. */
#include "accelerations.h"
#include "files/files.h"
#include "files/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What may change, one number for each rate; and how many changes are computed at once. */
enum { POSITION, RATE, EFFORT, CHANGES, AT_ONCE = 8 };
static const char *const changing[CHANGES] = {"position", "rate", "effort"};

typedef struct derivatives {
    const cli_arguments *arguments;
    const rct_model *model;
    rct_solver *solver;
    cli_table along; /* rows of all changes; if none, each change by itself */
    char holds[160];
    int64_t dof, count;
    int32_t body, freedom;                    /* of a change by itself: the body and its freedom */
    double *change[CHANGES], *of_derivatives; /* [AT_ONCE][dof] */
    cli_text_file file;
} derivatives;

static bool is_along(const derivatives *d)
{
    return d->arguments->motion != NULL;
}

static bool make_room(derivatives *d)
{
    bool good = (d->of_derivatives = cli_numbers(AT_ONCE * d->dof, "the derivatives")) != NULL;
    for (int k = 0; k < CHANGES && good; k++) {
        good = (d->change[k] = cli_numbers(AT_ONCE * d->dof, "the derivatives")) != NULL;
    }
    return good;
}

static bool read_along(derivatives *d)
{
    snprintf(d->holds, sizeof d->holds,
             "changes of positions, of rates and of efforts, %" PRId64 " each", d->dof);
    d->along =
        (cli_table){.what = "a table of changes", .holds = d->holds, .columns = CHANGES * d->dof};
    return cli_read_table(&d->along, d->arguments->motion);
}

/* Changes first to first + count - 1, and their effects. */
static bool find(derivatives *d, int64_t first, int32_t count)
{
    for (int k = 0; k < CHANGES; k++) {
        memset(d->change[k], 0, (size_t)(AT_ONCE * d->dof) * sizeof(double));
        for (int32_t c = 0; c < count && is_along(d); c++) {
            memcpy(d->change[k] + c * d->dof,
                   d->along.rows + (first + c) * d->along.columns + k * d->dof,
                   (size_t)d->dof * sizeof(double));
        }
    }
    for (int32_t c = 0; c < count && !is_along(d); c++) {
        d->change[(first + c) / d->dof][c * d->dof + (first + c) % d->dof] = 1.0;
    }
    return cli_did(rct_solver_acceleration_tangent(d->solver, count, d->change[POSITION],
                                                   d->change[RATE], d->change[EFFORT],
                                                   d->of_derivatives, &cli_error));
}

/* Try the first change, so that nothing is printed if derivatives are refused. */
static bool prepare(derivatives *d)
{
    rct_solver_info info;
    rct_solver_get_info(d->solver, &info);
    d->dof = info.dof;
    const bool ready =
        (!is_along(d) || read_along(d)) && make_room(d) && cli_go_about(d->arguments, d->solver);
    d->count = is_along(d) ? d->along.count : CHANGES * d->dof;
    return ready && (d->count == 0 || find(d, 0, 1));
}

/* Go to the next freedom of the model; bodies on fixed hinges have none. */
static void go_on(derivatives *d)
{
    d->freedom++;
    while (d->body < 0 || d->freedom >= rct_hinge_freedoms(cli_hinge_of(d->model, d->body))) {
        d->body = d->body + 1 < rct_model_body_count(d->model) ? d->body + 1 : 0;
        d->freedom = 0;
    }
}

static void print_json(derivatives *d, int64_t number, const double *row)
{
    char name[RCT_NAME_SIZE];
    cli_json_open_line();
    if (is_along(d)) {
        cli_json_count("row", number + 1);
    } else {
        rct_model_body_name(d->model, d->body, name);
        cli_json_text("change", changing[number / d->dof]);
        cli_json_text("body", name);
        cli_json_count("freedom", d->freedom + 1);
    }
    cli_json_vector("derivatives", row, (int)d->dof);
    cli_json_close("}");
}

static void print_line(derivatives *d, int64_t number, const double *row)
{
    char name[RCT_NAME_SIZE], label[RCT_NAME_SIZE + 32];
    if (is_along(d)) {
        fprintf(d->file.stream, "%" PRId64, number + 1);
    } else {
        rct_model_body_name(d->model, d->body, name);
        snprintf(label, sizeof label, "%s_%d:%s", changing[number / d->dof], d->freedom + 1, name);
        cli_put_field(d->file.stream, label);
    }
    for (int64_t i = 0; i < d->dof; i++) {
        fprintf(d->file.stream, ",%.17g", row[i]);
    }
    fputc('\n', d->file.stream);
}

static bool print_rows(derivatives *d, void (*print)(derivatives *, int64_t, const double *))
{
    bool good = true;
    d->body = -1;
    for (int64_t first = 0; first < d->count && good; first += AT_ONCE) {
        const int32_t count = (int32_t)(d->count - first < AT_ONCE ? d->count - first : AT_ONCE);
        good = find(d, first, count);
        for (int32_t c = 0; c < count && good; c++) {
            go_on(d);
            print(d, first + c, d->of_derivatives + c * d->dof);
        }
    }
    return good;
}

static bool print_table(derivatives *d)
{
    if (!cli_open_text(d->arguments, &d->file)) {
        return false;
    }
    fputs(is_along(d) ? "row" : "change", d->file.stream);
    cli_put_freedoms(d->file.stream, d->model, "derivative");
    return cli_close_text(&d->file, print_rows(d, print_line));
}

static bool print_object(derivatives *d)
{
    cli_output_start(true, 0);
    cli_json_text("model", rct_model_name(d->model));
    cli_json_count("dof", d->dof);
    cli_json_open("changes", '[');
    const bool good = print_rows(d, print_json);
    cli_json_close("\n]");
    return cli_output_finish() && good;
}

static bool run(const cli_arguments *arguments)
{
    derivatives d = {.arguments = arguments};
    rct_model *model = cli_check_text(arguments) ? cli_load(arguments) : NULL;
    d.model = model;
    d.solver = model != NULL ? cli_solver(model, arguments) : NULL;
    if (d.solver != NULL) {
        cli_warn_start(model, d.solver);
    }
    const bool good = d.solver != NULL && prepare(&d) &&
                      (arguments->given[CLI_JSON] ? print_object(&d) : print_table(&d));
    cli_free_table(&d.along);
    for (int k = 0; k < CHANGES; k++) {
        free(d.change[k]);
    }
    free(d.of_derivatives);
    rct_solver_free(d.solver);
    rct_model_free(model);
    return good;
}

const cli_command cli_derivatives = {
    .name = "derivatives",
    .operand = "MODEL|FAMILY",
    .summary = "Find derivatives of the accelerations by positions, rates and efforts of hinges.",
    .details =
        "\nWithout --along there is a row for a change by 1 of each position, rate and effort "
        "alone.\n"
        "FILE has a line of names, then rows of the changes of all positions, all rates and\n"
        "all efforts, separated by commas or blanks.\n",
    .options = CLI_LIST(CLI_ALONG, CLI_ABOUT_WHICH, CLI_OUT_DERIVATIVES, CLI_OVERWRITE, CLI_JSON,
                        CLI_MODEL_OPTIONS),
    .run = run,
};
