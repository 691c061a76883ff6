/* What the bits of an ensemble's results depend on besides the model and the build, in one place: attributes of the file of
 * the results, lines of text in checkpoints, and what is compared before either is gone on with. */
#ifndef RCT_RECORD_ENSEMBLE_FACTS_H
#define RCT_RECORD_ENSEMBLE_FACTS_H

#include "record/file/h5.h"

#include <riccatree/ensemble.h>

enum { RCT_FACT_NAME = 32 };

/* The caller's run over the defaults, with as many members as it has; 0 with RCT_ERROR_ARGUMENT if the path, called `name`, or
 * the ensemble is not there, or the run makes no sense. `run` is such a one below. */
int rct_ensemble_asked(rct_ensemble_run_options *own, const char *path, const char *name,
                       const rct_ensemble *ensemble, rct_in run, rct_error *error);

/* Options as settled: what was left to choose is chosen. Of `run` these are the members, steps, series, tracked bodies and the
 * solver's but its threads; the rest changes no bit. Arrays are of whoever made it. */
typedef struct rct_ensemble_facts {
    rct_ensemble_options ensemble;
    rct_ensemble_run_options run;
    char backend[RCT_FACT_NAME];
} rct_ensemble_facts;

void rct_ensemble_facts_take(rct_call *call, rct_ensemble_facts *facts,
                             const rct_ensemble *ensemble, const rct_ensemble_run_options *run);

/* As attributes, but for variations and tracked bodies. */
void rct_ensemble_facts_put(rct_call *call, hid_t file, const rct_ensemble_facts *facts);
void rct_ensemble_facts_get(rct_call *call, hid_t file, rct_ensemble_facts *facts);

/* Lines "NAME VALUE" of them, of an ensemble of this model; rct_release. */
char *rct_ensemble_facts_text(rct_call *call, const rct_ensemble_facts *facts,
                              const rct_model *model);

/* The same of an ensemble and its run. */
char *rct_ensemble_text(rct_call *call, const rct_ensemble *ensemble,
                        const rct_ensemble_run_options *run);

#endif
