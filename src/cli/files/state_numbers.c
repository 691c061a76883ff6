/* The numbers of one state, for `summary`: the start of a model, or the state of a checkpoint. */
#include "files/files.h"

#include <inttypes.h>
#include <stdlib.h>

/* Quantities of bodies, one row for each body. */
static const rct_quantity quantities[] = {
    {.name = "position", .unit = "m", .width = 3},
    {.name = "velocity", .unit = "m/s", .width = 3},
    {.name = "angular_velocity", .unit = "rad/s", .width = 3},
};

enum { QUANTITIES = sizeof quantities / sizeof quantities[0] };

static rct_solver *solver_of(const cli_described *d, const rct_model *model)
{
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    if (d->checkpoint != NULL) {
        rct_checkpoint_info info;
        rct_checkpoint_get_info(d->checkpoint, &info);
        options = info.options;
    }
    rct_solver *solver = rct_solver_create(model, &options, &cli_error);
    if (!cli_have(solver)) {
        return NULL;
    }
    if (d->checkpoint == NULL) {
        cli_warn_start(model, solver);
    }
    if (d->checkpoint != NULL &&
        !cli_did(rct_checkpoint_restore(d->checkpoint, model, solver, &cli_error))) {
        rct_solver_free(solver);
        return NULL;
    }
    return solver;
}

static void print_whole(const cli_described *d, const rct_model *model, const rct_solver *solver)
{
    const double time = rct_solver_time(solver);
    rct_measures m;
    rct_solver_measure(solver, &m);
    cli_json_text("kind", d->checkpoint != NULL ? "checkpoint" : "model");
    cli_model_name(rct_model_name(model));
    cli_count("bodies", "bodies", rct_model_body_count(model), "");
    cli_json_real("time", time);
    cli_line("time", "%.9g s", time);
    cli_json_real("kinetic", m.kinetic);
    cli_json_real("potential", m.potential);
    cli_line("energy", "%.9g J kinetic, %.9g J potential more than at the start", m.kinetic,
             m.potential);
    cli_json_vector("momentum", m.momentum, 3);
    cli_line("momentum", "%.6g %.6g %.6g kg m/s", m.momentum[0], m.momentum[1], m.momentum[2]);
    cli_json_vector("angular_momentum", m.angular_momentum, 3);
    cli_line("angular momentum", "%.6g %.6g %.6g kg m^2/s", m.angular_momentum[0],
             m.angular_momentum[1], m.angular_momentum[2]);
}

static void print(const cli_described *d, const rct_model *model, const rct_solver *solver,
                  double *rows)
{
    const int64_t n = rct_model_body_count(model);
    print_whole(d, model, solver);
    rct_solver_get_state(solver, NULL, rows + 6 * n, rows, rows + 3 * n);
    cli_print_extremes_head();
    for (int i = 0; i < QUANTITIES; i++) {
        rct_quantity q = quantities[i];
        q.rows = n;
        cli_print_state_extremes(model, &q, rows + 3 * n * i, rct_solver_time(solver));
    }
    cli_json_close("]");
}

bool cli_summarize_state(const cli_arguments *arguments)
{
    cli_described described;
    rct_model *model = cli_load_described(arguments, &described);
    rct_solver *solver = model != NULL ? solver_of(&described, model) : NULL;
    double *rows =
        solver != NULL ? cli_numbers(9 * (int64_t)rct_model_body_count(model), "a state") : NULL;
    bool good = rows != NULL;
    if (good) {
        cli_output_start(arguments->given[CLI_JSON], 19);
        print(&described, model, solver, rows);
        good = cli_output_finish();
    }
    free(rows);
    rct_solver_free(solver);
    rct_model_free(model);
    cli_close_described(&described);
    return good;
}
