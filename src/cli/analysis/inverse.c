/* riccatree inverse: the efforts at hinges that produce a given motion. */
#include "accelerations.h"
#include "files/files.h"
#include "files/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Rows of the time, all coordinates, all rates and their derivatives. */
typedef struct known_motion {
    cli_table table;
    char holds[160];
    int64_t coordinates, dof;
} known_motion;

/* The efforts at hinges for the motion, less the efforts that the model exerts by itself. They
 * replace the derivatives in `row`. `own` [dof] is work space. */
static rct_status solve_row(rct_solver *solver, const known_motion *motion, double *row,
                            double *own)
{
    const double *coordinates = row + 1, *rates = coordinates + motion->coordinates;
    double *efforts = row + motion->table.columns - motion->dof;
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

static const double *efforts_of(const known_motion *motion, const double *row)
{
    return row + motion->table.columns - motion->dof;
}

static bool is_finite(const double *numbers, int64_t count)
{
    int64_t i = 0;
    while (i < count && isfinite(numbers[i])) {
        i++;
    }
    return i == count;
}

static bool solve(rct_solver *solver, const char *path, known_motion *motion)
{
    double *own = cli_numbers(motion->dof, "the efforts");
    bool good = own != NULL;
    for (int64_t k = 0; k < motion->table.count && good; k++) {
        const int64_t line = k + CLI_TABLE_FIRST_LINE;
        double *row = motion->table.rows + k * motion->table.columns;
        good = solve_row(solver, motion, row, own) == RCT_OK ||
               cli_fail(cli_status(), "%s:%" PRId64 ": %s", path, line, cli_error.text);
        good =
            good && (is_finite(efforts_of(motion, row), motion->dof) ||
                     cli_refuse("%s:%" PRId64 ": its efforts are not finite; give smaller numbers",
                                path, line));
    }
    free(own);
    return good;
}

static bool write_table(const cli_arguments *arguments, const rct_model *model,
                        const known_motion *motion)
{
    cli_text_file file;
    if (!cli_open_text(arguments, &file)) {
        return false;
    }
    fputs("time", file.stream);
    cli_put_freedoms(file.stream, model, "effort");
    for (int64_t k = 0; k < motion->table.count; k++) {
        const double *row = motion->table.rows + k * motion->table.columns,
                     *efforts = efforts_of(motion, row);
        fprintf(file.stream, "%.17g", row[0]);
        for (int64_t i = 0; i < motion->dof; i++) {
            fprintf(file.stream, ",%.17g", efforts[i]);
        }
        fputc('\n', file.stream);
    }
    return cli_close_text(&file, true);
}

static bool print_json(const rct_model *model, const known_motion *motion)
{
    cli_output_start(true, 0);
    cli_json_text("model", rct_model_name(model));
    cli_json_count("dof", motion->dof);
    cli_json_open("motion", '[');
    for (int64_t k = 0; k < motion->table.count && cli_output_works(); k++) {
        const double *row = motion->table.rows + k * motion->table.columns;
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
           cli_check_text(arguments);
}

/* In a loop, many efforts at the hinges produce the same motion, so loops are refused. */
static bool is_tree(const rct_model *model)
{
    return rct_model_loop_count(model) == 0 ||
           cli_refuse("this model has loops, and inverse is for trees: with a closed loop, many "
                      "efforts make the same motion");
}

static bool read_motion(known_motion *motion, const char *path, const rct_solver *solver)
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    motion->coordinates = info.coordinates;
    motion->dof = info.dof;
    snprintf(motion->holds, sizeof motion->holds,
             "the time, %" PRId64 " coordinates, %" PRId64 " rates, %" PRId64
             " derivatives of rates",
             info.coordinates, info.dof, info.dof);
    motion->table = (cli_table){
        .what = "a motion", .holds = motion->holds, .columns = 1 + info.coordinates + 2 * info.dof};
    return cli_read_table(&motion->table, path);
}

static bool inverse(const cli_arguments *arguments)
{
    known_motion motion = {.dof = 0};
    rct_model *model = check(arguments) ? cli_load(arguments) : NULL;
    rct_solver *solver = model != NULL && is_tree(model) ? cli_solver(model, arguments) : NULL;
    const bool good = solver != NULL && read_motion(&motion, arguments->motion, solver) &&
                      solve(solver, arguments->motion, &motion) &&
                      (arguments->given[CLI_JSON] ? print_json(model, &motion)
                                                  : write_table(arguments, model, &motion));
    cli_free_table(&motion.table);
    rct_solver_free(solver);
    rct_model_free(model);
    return good;
}

const cli_command cli_inverse = {
    .name = "inverse",
    .operand = "MODEL|FAMILY",
    .summary = "Find the efforts at the hinges that produce a given motion.",
    .details = "\nFILE has a line of names, then rows of the time, all coordinates, all rates and\n"
               "the derivatives of all rates, separated by commas or blanks.\n",
    .options = CLI_LIST(CLI_MOTION, CLI_OUT_EFFORTS, CLI_OVERWRITE, CLI_JSON, CLI_MODEL_OPTIONS),
    .run = inverse,
};
