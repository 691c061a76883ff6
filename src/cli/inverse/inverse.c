/* riccatree inverse: the efforts at hinges that make a motion which is given. */
#include "inverse/motion.h"

#include "accelerations.h"
#include "files/files.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* What hinges exert of the motion, less what the model exerts there by itself: `row` gets it in place of the derivatives. `own` [dof]. */
static rct_status solve_row(rct_solver *solver, const cli_motion *motion, double *row, double *own)
{
    const double *coordinates = row + 1, *rates = coordinates + motion->coordinates;
    double *efforts = row + motion->columns - motion->dof;
    rct_solver_set_time(solver, row[0]);
    rct_status status = rct_solver_set_coordinates(solver, coordinates, rates, &cli_error);
    if (status == RCT_OK) {
        status = rct_solver_inverse_dynamics(solver, efforts, NULL, NULL, efforts, &cli_error);
    }
    if (status == RCT_OK) {
        status = rct_solver_hinge_efforts(solver, own, &cli_error);
    }
    for (int64_t i = 0; status == RCT_OK && i < motion->dof; i++) {
        efforts[i] -= own[i];
    }
    return status;
}

static const double *efforts_of(const cli_motion *motion, const double *row)
{
    return row + motion->columns - motion->dof;
}

static bool is_finite(const double *numbers, int64_t count)
{
    int64_t i = 0;
    while (i < count && isfinite(numbers[i])) {
        i++;
    }
    return i == count;
}

static bool solve(rct_solver *solver, const char *path, cli_motion *motion)
{
    double *own = cli_numbers(motion->dof, "the efforts");
    bool good = own != NULL;
    for (int64_t k = 0; k < motion->count && good; k++) {
        const int64_t line = k + CLI_MOTION_FIRST_LINE;
        double *row = motion->rows + k * motion->columns;
        good = solve_row(solver, motion, row, own) == RCT_OK ||
               cli_fail(cli_status(), "%s:%" PRId64 ": %s", path, line, cli_error.text);
        good = good &&
               (is_finite(efforts_of(motion, row), motion->dof) ||
                cli_refuse("%s:%" PRId64 ": its efforts are not finite; its numbers are too large",
                           path, line));
    }
    free(own);
    return good;
}

static void put_names(FILE *out, const rct_model *model)
{
    char name[RCT_NAME_SIZE], label[RCT_NAME_SIZE + 32];
    fputs("time", out);
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        const int freedoms = rct_hinge_freedoms(cli_hinge_of(model, b));
        rct_model_body_name(model, b, name);
        for (int i = 0; i < freedoms; i++) {
            snprintf(label, sizeof label, "effort_%d:%s", i + 1, name);
            fputc(',', out);
            cli_put_field(out, label);
        }
    }
    fputc('\n', out);
}

static bool write_table(const cli_arguments *arguments, const rct_model *model,
                        const cli_motion *motion)
{
    cli_text_file file;
    if (!cli_open_text(arguments, &file)) {
        return false;
    }
    put_names(file.stream, model);
    for (int64_t k = 0; k < motion->count; k++) {
        const double *row = motion->rows + k * motion->columns, *efforts = efforts_of(motion, row);
        fprintf(file.stream, "%.17g", row[0]);
        for (int64_t i = 0; i < motion->dof; i++) {
            fprintf(file.stream, ",%.17g", efforts[i]);
        }
        fputc('\n', file.stream);
    }
    return cli_close_text(&file, true);
}

static bool print_json(const rct_model *model, const cli_motion *motion)
{
    cli_output_start(true, 0);
    cli_json_text("model", rct_model_name(model));
    cli_json_count("dof", motion->dof);
    cli_json_open("motion", '[');
    for (int64_t k = 0; k < motion->count && cli_output_works(); k++) {
        const double *row = motion->rows + k * motion->columns;
        cli_json_open_line();
        cli_json_real("time", row[0]);
        cli_json_vector("efforts", efforts_of(motion, row), (int)motion->dof);
        cli_json_close("}");
    }
    cli_json_close("\n]");
    return cli_output_finish();
}

static bool check(const cli_arguments *arguments)
{
    return (arguments->motion != NULL ||
            cli_refuse("inverse needs the motion; give its table with --motion FILE")) &&
           (!arguments->given[CLI_JSON] || arguments->out == NULL ||
            cli_refuse("--json and --out exclude each other: --out writes a table; give one")) &&
           cli_check_out(arguments, arguments->out);
}

/* Efforts at the hinges of a loop are not the only ones that make its motion. */
static bool is_tree(const rct_model *model)
{
    return rct_model_loop_count(model) == 0 ||
           cli_refuse(
               "this model has loops, and inverse is for trees: where a loop is closed, many "
               "efforts make one motion");
}

static bool inverse(const cli_arguments *arguments)
{
    cli_motion motion = {.rows = NULL};
    rct_solver_info info = {.dof = 0};
    rct_model *model = check(arguments) ? cli_load(arguments) : NULL;
    rct_solver *solver = model != NULL && is_tree(model) ? cli_solver(model, arguments) : NULL;
    bool good = solver != NULL;
    if (good) {
        rct_solver_get_info(solver, &info);
        good = cli_read_motion(&motion, arguments->motion, &info) &&
               solve(solver, arguments->motion, &motion) &&
               (arguments->given[CLI_JSON] ? print_json(model, &motion)
                                           : write_table(arguments, model, &motion));
    }
    cli_free_motion(&motion);
    rct_solver_free(solver);
    rct_model_free(model);
    return good;
}

const cli_command cli_inverse = {
    .name = "inverse",
    .operand = "MODEL|FAMILY",
    .summary = "Find the efforts at hinges that make a given motion.",
    .details = "\nFILE has a line of names, then rows of the time, all coordinates, all rates and\n"
               "the derivatives of all rates, between commas or blanks.\n",
    .options = CLI_LIST(CLI_MODEL_OPTIONS, CLI_MOTION, CLI_OUT_EFFORTS, CLI_OVERWRITE, CLI_JSON),
    .run = inverse,
};
