/* Checkpoints of any bytes, mostly with a corrected checksum, are refused with a message, or the
 * run continues: the model meets its requirements, its solver takes the state or says why not, and
 * the run continues for a while. */
#include "tests/fuzz/checkpoint_seal.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/model_holds.h"
#include "tests/support/systems/any_model.h"

#include <riccatree/run.h>

#include <stdio.h>

enum {
    DRAWN = 24,
    REFUSED = 1 << RCT_ERROR_IO | 1 << RCT_ERROR_UNSUPPORTED | 1 << RCT_ERROR_MODEL |
              1 << RCT_ERROR_SYNTAX | 1 << RCT_ERROR_MEMORY | 1 << RCT_ERROR_ARGUMENT,
    REFUSED_SOLVERS =
        REFUSED | 1 << RCT_ERROR_SINGULAR | 1 << RCT_ERROR_LOOP | 1 << RCT_ERROR_DIVERGED
};

/* Most models are not closed. */
static rct_solver *solver_of(const rct_model *model, rct_error *error)
{
    rct_solver_options options = rct_solver_options_default();
    options.threads = 1;
    options.as_given = 1;
    options.drift = RCT_DRIFT_NONE;
    return rct_solver_create(model, &options, error);
}

static void make_one(const rct_model *model, fuzz_take *take, void *context)
{
    rct_error error = {.text = ""};
    rct_solver *solver = solver_of(model, &error);
    fuzz_must(solver != NULL, error.text);
    rct_solver_step(solver, 1e-4, 3, NULL);
    const char *path = fuzz_path("seed.ck");
    rct_checkpoint_writer *writer = rct_checkpoint_writer_create(path, model, solver, &error);
    fuzz_must(writer != NULL, error.text);
    fuzz_must(rct_checkpoint_write(writer, 3, "note", 4, &error) == RCT_OK, error.text);
    rct_checkpoint_writer_free(writer);
    fuzz_take_file(path, take, context);
    rct_solver_free(solver);
}

/* Of a run, which has numbers of its own in the note. */
static void make_run(const rct_model *model, fuzz_take *take, void *context)
{
    rct_error error = {.text = ""};
    char path[256];
    snprintf(path, sizeof path, "%s", fuzz_path("run.ck"));
    rct_solver *solver = solver_of(model, &error);
    fuzz_must(solver != NULL, error.text);
    rct_run_options run = rct_run_options_default();
    run.t_end = 6e-3;
    run.checkpoint = path;
    run.checkpoint_steps = 2;
    fuzz_must(rct_solver_run(solver, model, &run, NULL, &error) == RCT_OK, error.text);
    fuzz_take_file(fuzz_path("run.ck.previous"), take, context);
    rct_solver_free(solver);
}

static void make(fuzz_take *take, void *context)
{
    for (uint64_t seed = 0; seed < DRAWN; seed++) {
        rct_model *model = any_model(seed, 6, NULL);
        fuzz_must(model != NULL, "a random model is refused");
        make_one(model, take, context);
        rct_model_free(model);
    }
    rct_family family = rct_family_default();
    for (int64_t bodies = 1; bodies < 100; bodies += 60) {
        family.bodies = bodies;
        rct_model *model = rct_model_generate(&family, NULL);
        fuzz_must(model != NULL, "no chain");
        make_one(model, take, context);
        make_run(model, take, context);
        rct_model_free(model);
    }
}

const fuzz_target fuzz_this = {
    .name = "checkpoint", .accepted = 10, .make = make, .seal = checkpoint_seal};

static int stop(void *context, const rct_run_report *so_far)
{
    (void)context, (void)so_far;
    return 1;
}

/* The run of a checkpoint, up to its first check; its recording is not on this machine. */
static void go_on(const rct_checkpoint *checkpoint, const rct_model *model, rct_solver *solver)
{
    rct_error error = {.text = ""};
    rct_run_options run;
    if (rct_run_options_of(checkpoint, &run, &error) == RCT_OK) {
        run.recording = NULL;
        run.watch = stop;
        if (rct_solver_run(solver, model, &run, NULL, &error) != RCT_OK) {
            fuzz_refused(&error, REFUSED_SOLVERS);
        }
    } else {
        fuzz_refused(&error, 1 << RCT_ERROR_ARGUMENT | 1 << RCT_ERROR_IO);
    }
}

static void restore(const rct_checkpoint *checkpoint)
{
    rct_error error = {.text = ""};
    rct_model *model = rct_checkpoint_model(checkpoint, &error);
    if (model == NULL) {
        fuzz_refused(&error, REFUSED);
        return;
    }
    fuzz_accepted++;
    model_holds(model);
    rct_solver *solver = rct_model_body_count(model) > 200 ? NULL : solver_of(model, &error);
    if (solver != NULL && rct_checkpoint_restore(checkpoint, model, solver, &error) == RCT_OK) {
        if (rct_solver_step(solver, 1e-4, 2, &error) != RCT_OK) {
            fuzz_refused(&error, REFUSED_SOLVERS);
        }
        go_on(checkpoint, model, solver);
    } else if (rct_model_body_count(model) <= 200) {
        fuzz_refused(&error, REFUSED_SOLVERS);
    }
    rct_solver_free(solver);
    rct_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    rct_error error = {.text = ""};
    rct_checkpoint *checkpoint = rct_checkpoint_open(fuzz_file("a.ck", bytes, size), &error);
    if (checkpoint != NULL) {
        rct_checkpoint_info info;
        rct_checkpoint_get_info(checkpoint, &info);
        restore(checkpoint);
    } else {
        fuzz_refused(&error, REFUSED);
    }
    rct_checkpoint_close(checkpoint);
    return 0;
}
