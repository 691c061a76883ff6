/* Quantities that recordings do not hold (evaluated.h): a solver evaluates the recorded states. */
#include "files/evaluated.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* In the order of the enumeration. */
static const rct_quantity quantities[CLI_EVALUATED] = {
    {.name = "velocity", .unit = "m/s", .width = 3},
    {.name = "acceleration", .unit = "m/s^2", .width = 3},
    {.name = "angular_acceleration", .unit = "rad/s^2", .width = 3},
    {.name = "hinge_force", .unit = "N", .width = 3},
    {.name = "hinge_moment", .unit = "N m", .width = 3},
    {.name = "loop_force", .unit = "N", .width = 3},
    {.name = "loop_moment", .unit = "N m", .width = 3},
    {.name = "loop_effort", .unit = "N or N m", .width = 1},
};

struct cli_evaluated {
    rct_recording *file;
    rct_solver *solver;
    int balls;        /* whether a state is orientations and angular velocities of bodies,
                       * or coordinates and rates of all hinges */
    int32_t index[2]; /* of these two in the file */
    int64_t rows;
    double *state[2];
    int32_t active; /* index of loop_active, or -1 */
    double *holds;  /* [loops] */
    int32_t *held;  /* [loops] */
    int32_t bodies, loops;
    double *numbers[CLI_EVALUATED]; /* [rows][width], NULL: not wanted */
};

const rct_quantity *cli_evaluated_quantity(int which)
{
    return &quantities[which];
}

int cli_find_evaluated(const char *name)
{
    int which = CLI_EVALUATED - 1;
    while (which >= 0 && strcmp(quantities[which].name, name) != 0) {
        which--;
    }
    return which;
}

bool cli_is_of_loops(const rct_quantity *quantity)
{
    return cli_find_evaluated(quantity->name) >= CLI_LOOP_FORCE;
}

/* ---- making ------------------------------------------------------------------------------- */

/* The method and the closing that the file names, and what Baumgarte's method adds to accelerations. */
static void choose(rct_solver_options *options, const rct_recording_info *info)
{
    for (int m = 0; strcmp(rct_method_name((rct_method)m), "unknown") != 0; m++) {
        if (strcmp(rct_method_name((rct_method)m), info->method) == 0) {
            options->method = (rct_method)m;
        }
    }
    for (int c = 0; strcmp(rct_closing_name((rct_closing)c), "unknown") != 0; c++) {
        if (strcmp(rct_closing_name((rct_closing)c), info->closing) == 0) {
            options->closing = (rct_closing)c;
        }
    }
    if (strcmp(info->drift, rct_drift_name(RCT_DRIFT_BAUMGARTE)) == 0) {
        options->drift = RCT_DRIFT_BAUMGARTE;
        memcpy(options->baumgarte, info->baumgarte, sizeof options->baumgarte);
    }
}

/* Recordings of balls alone have no coordinates. */
static bool find_state(cli_evaluated *e)
{
    static const char *const names[2][2] = {{"coordinates", "rates"},
                                            {"orientation", "angular_velocity"}};
    e->balls = rct_recording_find(e->file, names[0][0]) < 0;
    for (int i = 0; i < 2; i++) {
        rct_quantity q;
        e->index[i] = rct_recording_find(e->file, names[e->balls][i]);
        if (!cli_did(rct_recording_quantity(e->file, e->index[i], &q, &cli_error))) {
            return false;
        }
        e->rows = q.rows;
        e->state[i] = cli_numbers(q.rows * q.width, "a state");
    }
    return e->state[0] != NULL && e->state[1] != NULL;
}

static bool make_room(cli_evaluated *e, const bool wanted[CLI_EVALUATED])
{
    bool good = true;
    for (int i = 0; i < CLI_EVALUATED && good; i++) {
        const int64_t rows = cli_is_of_loops(&quantities[i]) ? e->loops : e->bodies;
        e->numbers[i] = wanted[i] ? cli_numbers(rows * quantities[i].width, "a quantity") : NULL;
        good = !wanted[i] || e->numbers[i] != NULL;
    }
    e->holds = good ? cli_numbers(e->loops + 1, "loops") : NULL;
    e->held = calloc((size_t)e->loops + 1, sizeof *e->held);
    return e->holds != NULL && cli_have_memory(e->held);
}

cli_evaluated *cli_evaluated_create(rct_recording *file, const rct_model *model,
                                    const bool wanted[CLI_EVALUATED])
{
    rct_solver_options options = rct_solver_options_default();
    rct_recording_info info;
    cli_evaluated *e = calloc(1, sizeof *e);
    if (e == NULL) {
        cli_have_memory(e);
        return NULL;
    }
    rct_recording_get_info(file, &info);
    options.backend = "cpu";
    options.as_given = 1;
    choose(&options, &info);
    e->file = file;
    e->bodies = rct_model_body_count(model);
    e->loops = rct_model_loop_count(model);
    e->active = rct_recording_find(file, "loop_active");
    e->solver = rct_solver_create(model, &options, &cli_error);
    if (!cli_have(e->solver) || !find_state(e) || !make_room(e, wanted)) {
        cli_evaluated_free(e);
        return NULL;
    }
    return e;
}

void cli_evaluated_free(cli_evaluated *e)
{
    if (e != NULL) {
        rct_solver_free(e->solver);
        free(e->state[0]);
        free(e->state[1]);
        free(e->holds);
        free(e->held);
        for (int i = 0; i < CLI_EVALUATED; i++) {
            free(e->numbers[i]);
        }
        free(e);
    }
}

/* ---- a frame ------------------------------------------------------------------------------ */

static rct_status set_state(cli_evaluated *e)
{
    return e->balls ? rct_solver_set_state(e->solver, e->state[0], e->state[1], &cli_error)
                    : rct_solver_set_coordinates(e->solver, e->state[0], e->state[1], &cli_error);
}

/* Set the loops that differ to `state`. Attaching changes rates, so the state is set again. */
static rct_status set_loops(cli_evaluated *e, rct_loop_state state)
{
    rct_status status = RCT_OK;
    bool any = false;
    rct_solver_get_active_loops(e->solver, e->held);
    for (int32_t i = 0; i < e->loops && status == RCT_OK; i++) {
        const int holds = e->holds[i] != 0.0;
        if (holds != e->held[i] && holds == (state == RCT_LOOP_ATTACHED)) {
            status = rct_solver_set_loop_active(e->solver, i, state, &cli_error);
            any = true;
        }
    }
    return status == RCT_OK && any ? set_state(e) : status;
}

static bool read_state(cli_evaluated *e, int64_t frame)
{
    bool good = e->active < 0 ||
                cli_did(rct_recording_read(e->file, e->active, frame, 0, 1, e->holds, &cli_error));
    for (int i = 0; i < 2 && good; i++) {
        good = cli_did(
            rct_recording_read(e->file, e->index[i], frame, 0, e->rows, e->state[i], &cli_error));
    }
    return good;
}

bool cli_evaluate_frame(cli_evaluated *e, int64_t frame, double time)
{
    double *const *to = e->numbers;
    if (!read_state(e, frame)) {
        return false;
    }
    rct_solver_set_time(e->solver, time);
    rct_status status = e->active >= 0 ? set_loops(e, RCT_LOOP_RELEASED) : RCT_OK;
    status = status == RCT_OK ? set_state(e) : status;
    status = status == RCT_OK && e->active >= 0 ? set_loops(e, RCT_LOOP_ATTACHED) : status;
    status = status == RCT_OK ? rct_solver_evaluate(e->solver, &cli_error) : status;
    if (status != RCT_OK) {
        return cli_refuse("the state recorded at %.9g s cannot be evaluated: %s", time,
                          cli_error.text);
    }
    rct_solver_get_state(e->solver, NULL, NULL, NULL, to[CLI_VELOCITY]);
    rct_solver_get_accelerations(e->solver, to[CLI_ACCELERATION], to[CLI_ANGULAR_ACCELERATION]);
    if (to[CLI_HINGE_FORCE] != NULL || to[CLI_HINGE_MOMENT] != NULL) {
        rct_solver_get_hinge_forces(e->solver, to[CLI_HINGE_FORCE], to[CLI_HINGE_MOMENT]);
    }
    rct_solver_get_loop_forces(e->solver, to[CLI_LOOP_FORCE], to[CLI_LOOP_MOMENT],
                               to[CLI_LOOP_EFFORT]);
    return true;
}

const double *cli_evaluated_numbers(const cli_evaluated *e, int which)
{
    return e->numbers[which];
}
