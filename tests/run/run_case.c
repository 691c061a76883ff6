/* Shared by the tests of runs (run_case.h). */
#include "tests/run/run_case.h"

#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static rct_error error;
static char folder[] = "/tmp/rct-runs-XXXXXX";

int run_case_enter(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL && chdir(folder) == 0 ? 0 : -1;
}

int run_case_leave(void **state)
{
    (void)state;
    remove_files();
    return chdir("/") == 0 ? rmdir(folder) : -1;
}

rct_model *chain(double damping)
{
    rct_model *model = rct_model_create("chain", NULL);
    for (int32_t b = 0; b < BODIES; b++) {
        rct_body body = rct_body_default();
        body.parent = b - 1;
        body.hinge = RCT_HINGE_REVOLUTE;
        body.hinge_axis[0] = 1.0, body.hinge_axis[2] = b % 2;
        body.hinge_at[1] = b > 0 ? -1.0 : 0.0;
        body.com[1] = -0.5;
        body.mass = 1.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
        body.position[0] = 0.3;
        body.stiffness[0] = 5.0;
        body.damping[0] = damping;
        assert_int_equal(rct_model_add_body(model, &body, NULL, &error), RCT_OK);
    }
    return model;
}

rct_solver *solver_of(const rct_model *model)
{
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    options.threads = 1;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    assert_non_null(solver);
    return solver;
}

void read_state(const rct_solver *solver, double x[NUMBERS])
{
    rct_solver_get_state(solver, x, x + 4 * BODIES, x + 7 * BODIES, x + 10 * BODIES);
}

void remove_files(void)
{
    unlink(record);
    unlink(whole_record);
    unlink(kept);
    unlink("run.rct.previous");
    unlink("run.rct.lock");
}

rct_run_options options_of(void)
{
    rct_run_options options = rct_run_options_default();
    options.dt = dt;
    options.t_end = t_end;
    options.frames = FRAMES;
    return options;
}
