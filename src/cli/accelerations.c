/* One evaluation of a model's initial state, by any method or reference. */
#include "accelerations.h"

#include "cli.h"

#include <stdlib.h>

const char *const cli_quantities[CLI_QUANTITIES] = {"linear", "angular", "force", "moment"};

rct_hinge_type cli_hinge_of(const rct_model *model, int64_t id)
{
    rct_body body = rct_body_default();
    rct_model_body(model, (int32_t)id, &body, NULL);
    return body.hinge;
}

bool cli_accelerations_create(cli_accelerations *rows, const rct_model *model)
{
    const int64_t bodies = rct_model_body_count(model), loops = rct_model_loop_count(model);
    *rows = (cli_accelerations){.count = bodies};
    for (int64_t b = 0; b < bodies; b++) {
        rows->dof += rct_hinge_freedoms(cli_hinge_of(model, b));
    }
    rows->block = cli_numbers(12 * bodies + rows->dof + 7 * loops, "the accelerations");
    if (rows->block == NULL) {
        return false;
    }
    for (int k = 0; k < CLI_QUANTITIES; k++) {
        rows->vectors[k] = rows->block + 3 * k * bodies;
    }
    rows->derivatives = rows->block + 12 * bodies;
    rows->loop_force = rows->derivatives + rows->dof;
    rows->loop_moment = rows->loop_force + 3 * loops;
    rows->loop_effort = rows->loop_moment + 3 * loops;
    return true;
}

void cli_accelerations_free(cli_accelerations *rows)
{
    free(rows->block);
    *rows = (cli_accelerations){.count = 0};
}

rct_status cli_accelerations_of_solver(cli_accelerations *rows, rct_solver *solver)
{
    const rct_status status = rct_solver_evaluate(solver, &cli_error);
    if (status != RCT_OK) {
        return status;
    }
    rct_solver_get_accelerations(solver, rows->vectors[CLI_LINEAR], rows->vectors[CLI_ANGULAR]);
    rct_solver_get_hinge_forces(solver, rows->vectors[CLI_FORCE], rows->vectors[CLI_MOMENT]);
    rct_solver_get_rate_derivatives(solver, rows->derivatives);
    rct_solver_get_loop_info(solver, &rows->info);
    rct_solver_get_loop_forces(solver, rows->loop_force, rows->loop_moment, rows->loop_effort);
    rows->loops = rows->info.loops;
    return rct_solver_check(solver, &cli_error);
}

rct_status cli_accelerations_of_reference(cli_accelerations *rows, const rct_model *model,
                                          rct_reference reference, const double *coordinates,
                                          const double *rates)
{
    rct_reference_result result = {.linear = rows->vectors[CLI_LINEAR],
                                   .angular = rows->vectors[CLI_ANGULAR],
                                   .force = rows->vectors[CLI_FORCE],
                                   .moment = rows->vectors[CLI_MOMENT],
                                   .derivatives = rows->derivatives};
    return rct_reference_evaluate_at(model, reference, 0.0, coordinates, rates, &result,
                                     &cli_error);
}
