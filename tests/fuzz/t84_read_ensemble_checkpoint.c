/* Checkpoints of ensembles of any bytes, mostly with a corrected checksum, are refused with a
 * message, or an ensemble continues with their batches, and its members reach an end or say why
 * not. The ensembles are small: by rk4, with loops, and with error control. */
#include "tests/fuzz/checkpoint_seal.h"
#include "tests/fuzz/fuzz.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MEMBERS = 6,
    STEPS = 8,
    ENSEMBLES = 3,
    REFUSED = 1 << RCT_ERROR_IO | 1 << RCT_ERROR_UNSUPPORTED | 1 << RCT_ERROR_ARGUMENT |
              1 << RCT_ERROR_MEMORY
};

static const struct {
    const char *family;
    rct_integrator integrator;
    int64_t bodies, series;
} kinds[ENSEMBLES] = {{"binary", RCT_INTEGRATOR_RK4, 5, 3},
                      {"fourbars", RCT_INTEGRATOR_RK4, 3, 0},
                      {"chain", RCT_INTEGRATOR_DOPRI5, 2, 5}};

/* ---- the ensembles ------------------------------------------------------------------------ */

static rct_ensemble *ensembles[ENSEMBLES];

static void forget(void)
{
    for (int k = 0; k < ENSEMBLES; k++) {
        rct_ensemble_free(ensembles[k]);
    }
}

static const rct_ensemble *ensemble_of(int kind)
{
    if (ensembles[0] == NULL) {
        atexit(forget);
    }
    if (ensembles[kind] == NULL) {
        static const rct_variation gravity = {"gravity[2]", RCT_VARY_NORMAL, -9.0, 1.0, 0};
        const rct_ensemble_options options = {MEMBERS, 7, 1, &gravity, 0.0};
        rct_error error = {.text = ""};
        rct_family family = rct_family_default();
        family.family = kinds[kind].family;
        family.bodies = kinds[kind].bodies;
        rct_model *model = rct_model_generate(&family, &error);
        fuzz_must(model != NULL, error.text);
        ensembles[kind] = rct_ensemble_create(model, &options, &error);
        fuzz_must(ensembles[kind] != NULL, error.text);
        rct_model_free(model);
    }
    return ensembles[kind];
}

static int all_finite(const double *numbers, int64_t count)
{
    int finite = 1;
    for (int64_t i = 0; i < count; i++) {
        finite = finite && isfinite(numbers[i]);
    }
    return finite;
}

/* A member that reached its end has a state, any other has a message. `context`: its bodies. */
static rct_status take_result(void *context, const rct_member_result *result, rct_error *error)
{
    const int32_t *bodies = context;
    (void)error;
    fuzz_must(result->member >= 0 && result->member < MEMBERS, "a member that there is not");
    if (result->status == RCT_OK) { /* every body has a rate at least */
        fuzz_must(all_finite(result->rates, *bodies), "a member at its end is not finite");
    } else {
        fuzz_must(result->text[0] != '\0', "a member that failed without a word");
    }
    return RCT_OK;
}

static rct_ensemble_run_options run_of(int kind, int32_t *bodies)
{
    rct_ensemble_run_options run = rct_ensemble_run_options_default();
    *bodies = rct_ensemble_bodies(ensemble_of(kind));
    run.steps = STEPS;
    run.series = kinds[kind].series;
    run.threads = 1;
    run.batch = 2;
    run.solver.backend = "cpu";
    run.solver.integrator = kinds[kind].integrator;
    run.deliver = take_result;
    run.context = bodies;
    return run;
}

/* ---- seeds -------------------------------------------------------------------------------- */

typedef struct keeper {
    rct_ensemble_checkpoint_writer *writer;
    fuzz_take *take;
    void *context; /* of it */
} keeper;

static rct_status keep(void *context, int32_t count, const rct_ensemble_begun *batches,
                       rct_error *error)
{
    const keeper *k = context;
    const rct_status status = rct_ensemble_checkpoint_write(k->writer, count, batches, error);
    fuzz_must(status == RCT_OK, error->text);
    fuzz_take_file(fuzz_path("a.h5.checkpoint"), k->take, k->context);
    return status;
}

static rct_status take_any(void *context, const rct_member_result *result, rct_error *error)
{
    (void)context, (void)result, (void)error;
    return RCT_OK;
}

static void make(fuzz_take *take, void *context)
{
    for (int kind = 0; kind < ENSEMBLES; kind++) {
        int32_t bodies;
        rct_error error = {.text = ""};
        const rct_ensemble *ensemble = ensemble_of(kind);
        rct_ensemble_run_options run = run_of(kind, &bodies);
        keeper k = {.take = take, .context = context};
        run.deliver = take_any;
        run.keep = keep;
        run.keep_steps = 3;
        run.context = &k;
        k.writer =
            rct_ensemble_checkpoint_writer_create(fuzz_path("a.h5"), 0, ensemble, &run, &error);
        fuzz_must(k.writer != NULL && rct_ensemble_run(ensemble, &run, &error) == RCT_OK,
                  error.text);
        rct_ensemble_checkpoint_writer_free(k.writer);
        rct_ensemble_checkpoints_remove(fuzz_path("a.h5"), NULL);
    }
}

const fuzz_target fuzz_this = {
    .name = "ensemble_checkpoint", .accepted = 10, .make = make, .seal = checkpoint_seal};

/* ---- reading ------------------------------------------------------------------------------ */

static void go_on(int kind)
{
    int32_t bodies;
    rct_error error = {.text = ""};
    const rct_ensemble *ensemble = ensemble_of(kind);
    rct_ensemble_run_options run = run_of(kind, &bodies);
    rct_ensemble_checkpoints *checkpoints =
        rct_ensemble_checkpoints_open(fuzz_path("a.h5"), ensemble, &run, NULL, &error);
    if (checkpoints == NULL) {
        fuzz_refused(&error, REFUSED);
        return;
    }
    run.begun_count = rct_ensemble_checkpoints_begun(checkpoints, &run.begun);
    if (rct_ensemble_run(ensemble, &run, &error) == RCT_OK) {
        fuzz_accepted++;
    } else {
        fuzz_refused(&error, 1 << RCT_ERROR_ARGUMENT | 1 << RCT_ERROR_MEMORY);
    }
    rct_ensemble_checkpoints_close(checkpoints);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_file("a.h5.checkpoint", bytes, size);
    for (int kind = 0; kind < ENSEMBLES; kind++) {
        go_on(kind);
    }
    return 0;
}
