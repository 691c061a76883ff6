/* Opening the file of an ensemble that is there, to write rows that are missing. Several processes have it open at once, so
 * nothing but rows is written: not one byte of its structure changes. */
#include "record/ensemble/file.h"
#include "record/ensemble/results.h"

#include "core/error.h"
#include "ensemble/ensemble.h"

static rct_status check_same(const char *path, const rct_ensemble *e,
                             const rct_ensemble_run_options *run, rct_error *error)
{
    rct_status status = rct_ensemble_check_run(e, run, error);
    if (status == RCT_OK) {
        rct_ensemble_results *results = rct_ensemble_results_open(path, error);
        status = results != NULL ? rct_ensemble_results_match(results, e, run, error)
                                 : RCT_ERROR_IO; /* `error` has the true one */
        rct_ensemble_results_close(results);
    }
    return status;
}

rct_ensemble_file *rct_ensemble_file_open_sized(const char *path, const rct_ensemble *e, rct_in in,
                                                rct_error *error)
{
    rct_ensemble_run_options own;
    const rct_ensemble_run_options *run = &own;
    if (!rct_given(path, "path", error) || !rct_given(e, "ensemble", error) ||
        !rct_ensemble_take_run(&own, in, "run", error)) {
        return NULL;
    }
    rct_call call;
    if (check_same(path, e, run, error) != RCT_OK) {
        return NULL;
    }
    rct_call_begin(&call, path, NULL, error);
    rct_ensemble_file *f = rct_ensemble_file_allocate(&call, e, run);
    if (f != NULL) {
        rct_place_reopen(&f->place, &call);
        rct_place_share(&f->place, &call);
        rct_ensemble_file_open_all(&call, f, f->place.path);
    }
    if (f != NULL && call.status != RCT_OK) {
        rct_ensemble_file_dispose(&call, f);
        f = NULL;
    }
    rct_call_end(&call);
    return f;
}
