/* The facts on which the bits of an ensemble's results depend, besides the model and the build:
 * attributes of the file of the results, lines of text in checkpoints, and what is compared
 * before a run continues with either. */
#ifndef RCT_RECORD_ENSEMBLE_FACTS_H
#define RCT_RECORD_ENSEMBLE_FACTS_H

#include "record/file/h5.h"

#include <riccatree/ensemble.h>

enum { RCT_FACT_NAME = 32 };

/* Complete the caller's run with the defaults and the number of members. Returns 0 with
 * RCT_ERROR_ARGUMENT if the path, which errors call `name`, or the ensemble is missing, or if
 * the run is invalid. The functions below take such a run. */
int rct_ensemble_asked(rct_ensemble_run_options *own, const char *path, const char *name,
                       const rct_ensemble *ensemble, rct_in run, rct_error *error);

/* The options after all choices are made. Of `run` these are the members, steps, series, tracked
 * bodies and the options of the solver except threads; the rest changes no bit. The arrays
 * belong to the caller that made them. */
typedef struct rct_ensemble_facts {
    rct_ensemble_options ensemble;
    rct_ensemble_run_options run;
    char backend[RCT_FACT_NAME];
} rct_ensemble_facts;

void rct_ensemble_facts_take(rct_call *call, rct_ensemble_facts *facts,
                             const rct_ensemble *ensemble, const rct_ensemble_run_options *run);

/* As attributes, except variations and tracked bodies. */
void rct_ensemble_facts_put(rct_call *call, hid_t file, const rct_ensemble_facts *facts);
void rct_ensemble_facts_get(rct_call *call, hid_t file, rct_ensemble_facts *facts);

/* Lines "NAME VALUE" of the facts of an ensemble of this model; free by rct_release. */
char *rct_ensemble_facts_text(rct_call *call, const rct_ensemble_facts *facts,
                              const rct_model *model);

/* The same for an ensemble and its run. */
char *rct_ensemble_text(rct_call *call, const rct_ensemble *ensemble,
                        const rct_ensemble_run_options *run);

#endif
