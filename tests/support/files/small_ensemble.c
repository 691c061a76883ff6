/* A small file of an ensemble (small_ensemble.h). */
#include "tests/support/files/small_ensemble.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/faults/damage.h"
#include "tests/support/files/recording.h"

#include <stdlib.h>

const rct_variation small_variations[2] = {{"gravity[2]", RCT_VARY_GRID, -9.0, -1.0, 3},
                                           {"gravity[0]", RCT_VARY_NORMAL, 0.0, 0.1, 0}};
const int32_t small_track[2] = {2, 0};

rct_ensemble_options small_options(void)
{
    return (rct_ensemble_options){6, 7, 2, small_variations, 0.125};
}

static rct_status to_file(void *context, const rct_member_result *result, rct_error *error)
{
    return rct_ensemble_file_write(context, result, error);
}

rct_ensemble_run_options small_run(void)
{
    rct_ensemble_run_options run = rct_ensemble_run_options_default();
    run.steps = 4;
    run.series = 3;
    run.tracked = 2;
    run.track = small_track;
    run.threads = 1;
    run.solver.backend = "cpu";
    run.deliver = to_file;
    return run;
}

rct_ensemble *small_ensemble(rct_ensemble_options options, int32_t bodies)
{
    rct_model *model = recording_chain(bodies, 0);
    rct_ensemble *ensemble = rct_ensemble_create(model, &options, NULL);
    rct_model_free(model);
    assert_non_null(ensemble);
    return ensemble;
}

void small_run_into(const char *path, const rct_ensemble *ensemble, rct_ensemble_run_options run)
{
    rct_error error = {.text = ""};
    run.deliver = to_file;
    rct_ensemble_file *file =
        rct_ensemble_file_create(path, ensemble, &run, 1, "a command", &error);
    run.context = file;
    if (file == NULL || rct_ensemble_run(ensemble, &run, &error) != RCT_OK ||
        rct_ensemble_file_close(file, 1, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

void small_file(const char *path)
{
    rct_ensemble *ensemble = small_ensemble(small_options(), 3);
    small_run_into(path, ensemble, small_run());
    rct_ensemble_free(ensemble);
}

void small_refused(const char *path, const rct_ensemble *ensemble, rct_ensemble_run_options run,
                   rct_status status, const char *says)
{
    rct_error error = {.text = ""};
    assert_null(rct_ensemble_file_open(path, ensemble, &run, &error));
    damage_expect_line(&error, says);
    assert_int_equal(error.status, status);
}
