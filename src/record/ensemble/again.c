/* The ensemble of a file of results, made again from the file; and whether another ensemble is
 * the same. */
#include "record/ensemble/file.h"

#include "core/error.h"
#include "core/memory.h"
#include "ensemble/ensemble.h"
#include "model/model.h"
#include "record/difference.h"

#include <string.h>

/* Fail unless the file has a seal, so that it is as it was written, and is of this build. */
static void check_origin(rct_call *call, const rct_ensemble_results *r)
{
    if (!r->sealed) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "has no checksums: it was written by an older version of this library, or by "
                      "another program; start another file");
    }
    rct_check_same_build(call, r->build);
}

static rct_ensemble *make(rct_call *call, const rct_ensemble_results *r)
{
    rct_error why = {.status = RCT_OK, .text = ""};
    int64_t size = 0;
    rct_ensemble *ensemble = NULL;
    char *text = rct_h5_get_texts(call, r->file, "model", 1, &size);
    rct_model *model =
        call->status == RCT_OK ? rct_model_parse(text, (int64_t)strlen(text), &why) : NULL;
    if (model != NULL) {
        ensemble = rct_ensemble_create(model, &r->facts.ensemble, &why);
    }
    if (ensemble == NULL) {
        rct_call_fail(call, why.status == RCT_ERROR_MEMORY ? RCT_ERROR_MEMORY : RCT_ERROR_IO,
                      "is damaged: no ensemble can be made from it: %s", why.text);
    }
    rct_model_free(model);
    rct_release(text);
    return ensemble;
}

rct_ensemble *rct_ensemble_results_ensemble_sized(const rct_ensemble_results *r, rct_out run,
                                                  rct_error *error)
{
    if (!rct_given(r, "results", error) || !rct_given(run.at, "run", error)) {
        return NULL;
    }
    rct_call call;
    rct_ensemble *ensemble = NULL;
    rct_call_begin(&call, r->path, NULL, error);
    check_origin(&call, r);
    if (call.status == RCT_OK) {
        ensemble = make(&call, r);
    }
    if (ensemble != NULL) {
        rct_ensemble_give_run(run, &r->facts.run);
    }
    rct_call_end(&call);
    return ensemble;
}

static const char other_file[] = "give what it was made with, or start another file";

static void match_facts(rct_call *call, const rct_ensemble_results *r, const rct_ensemble *e,
                        const rct_ensemble_run_options *run)
{
    char *own = rct_ensemble_text(call, e, run);
    char *saved = rct_ensemble_facts_text(call, &r->facts, e->model);
    rct_check_facts(call, saved, own, other_file);
    rct_release(own);
    rct_release(saved);
}

static void match_model(rct_call *call, const rct_ensemble_results *r, const rct_ensemble *e)
{
    int64_t size = 0;
    char *saved = rct_h5_get_texts(call, r->file, "model", 1, &size);
    rct_check_model(call, saved, e->model, other_file);
    rct_release(saved);
}

rct_status rct_ensemble_results_match(const rct_ensemble_results *r, const rct_ensemble *e,
                                      const rct_ensemble_run_options *run, rct_error *error)
{
    rct_call call;
    rct_call_begin(&call, r->path, NULL, error);
    check_origin(&call, r);
    match_model(&call, r, e);
    match_facts(&call, r, e, run);
    return rct_call_end(&call);
}
