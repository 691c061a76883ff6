/* A run with a recording and checkpoints: a chain of 20 rods, let go with its rods turned a
 * little, for two seconds. It is stopped after the first second, as by a signal, and continued
 * from its checkpoint, to the same bits as if it had not been stopped. */
#include <riccatree/riccatree.h>

#include <stdio.h>

enum { RODS = 20 };

/* Called between steps: a number other than 0 ends the run. A signal handler would set the flag
 * that is read here. */
static int watch(void *context, const rct_run_report *so_far)
{
    const double *stop_at = context;
    return so_far->time >= *stop_at;
}

static void tell(const rct_run_report *r, const rct_solver *solver)
{
    double q[4 * RODS];
    rct_solver_get_state(solver, q, NULL, NULL, NULL);
    printf("t = %.3f s   %4lld of %lld steps   %2lld of %lld frames   last rod %.12f %.12f\n",
           r->time, (long long)r->done, (long long)r->steps, (long long)r->measured,
           (long long)r->frames, q[4 * RODS - 4], q[4 * RODS - 3]);
}

/* Continue with the options of the solver with which the run began. */
static rct_status go_on(double stop_at, rct_run_report *report, rct_error *error)
{
    rct_checkpoint_info info;
    rct_run_options options;
    rct_solver *solver = NULL;
    rct_checkpoint *checkpoint = rct_checkpoint_open("run.rct", error);
    rct_model *model = checkpoint != NULL ? rct_checkpoint_model(checkpoint, error) : NULL;
    if (model != NULL) {
        rct_checkpoint_get_info(checkpoint, &info);
        solver = rct_solver_create(model, &info.options, error);
    }
    rct_status status =
        solver != NULL ? rct_run_options_of(checkpoint, &options, error) : error->status;
    if (status == RCT_OK) {
        options.watch = watch;
        options.context = &stop_at;
        status = rct_solver_run(solver, model, &options, report, error);
        tell(report, solver);
    }
    rct_solver_free(solver);
    rct_model_free(model);
    rct_checkpoint_close(checkpoint);
    return status;
}

int main(void)
{
    rct_error error = {.status = RCT_OK};
    rct_run_report report = {.steps = 0};
    rct_family family = rct_family_default();
    double stop_at = 1.0;
    family.family = "chain";
    family.bodies = RODS;
    family.perturb = 0.3;
    rct_model *model = rct_model_generate(&family, &error);
    rct_solver *solver = model != NULL ? rct_solver_create(model, NULL, &error) : NULL;
    rct_run_options options = rct_run_options_default();
    options.t_end = 2.0;
    options.frames = 21;
    options.recording = "run.h5";
    options.overwrite = 1;
    options.checkpoint = "run.rct"; /* every minute, and when the run is stopped */
    options.watch = watch;
    options.context = &stop_at;
    if (solver != NULL && rct_solver_run(solver, model, &options, &report, &error) == RCT_OK) {
        tell(&report, solver);
        go_on(3.0, &report, &error);
        printf("energy off by %s of what the motion has\n",
               report.drift_share < 1e-6 ? "less than 1e-6" : "1e-6 or more");
    }
    if (error.status != RCT_OK) {
        fprintf(stderr, "run: %s\n", error.text);
    }
    rct_solver_free(solver);
    rct_model_free(model);
    return error.status == RCT_OK ? 0 : 1;
}
