/* What the bits of an ensemble's results depend on besides the model and the build, in one place: attributes of the file of
 * the results, lines of text in checkpoints, and what is compared before either is gone on with. */
#ifndef RCT_RECORD_ENSEMBLE_FACTS_H
#define RCT_RECORD_ENSEMBLE_FACTS_H

#include "record/file/h5.h"

#include <riccatree/ensemble.h>

enum { RCT_FACT_NAME = 32 };

/* Options as settled: what was left to choose is chosen. Threads and the size of batches change no bit. */
typedef struct rct_ensemble_facts {
    int64_t members; /* of the ensemble                                                          */
    uint64_t seed;
    double perturb;
    int64_t first, rows;
    double dt;
    int64_t steps, series;
    char backend[RCT_FACT_NAME];
    int32_t method;
    int32_t lanes; /* of the cpu; 0 where it has no part in it                                   */
    int64_t segment;
    int32_t junction, user_forces, closing, drift;
    double baumgarte[2];
    int32_t as_given;
} rct_ensemble_facts;

void rct_ensemble_facts_take(rct_call *call, rct_ensemble_facts *facts,
                             const rct_ensemble *ensemble, const rct_ensemble_run_options *run);

/* Options that are settled to these facts; `track` and its count are not among them. The backend's name is of `facts`. */
rct_ensemble_run_options rct_ensemble_facts_options(const rct_ensemble_facts *facts);

void rct_ensemble_facts_put(rct_call *call, hid_t file, const rct_ensemble_facts *facts);
void rct_ensemble_facts_get(rct_call *call, hid_t file, rct_ensemble_facts *facts);

/* Lines "NAME VALUE" of these, of variations and of the model's bodies that are tracked; rct_release. */
char *rct_ensemble_facts_text(rct_call *call, const rct_ensemble_facts *facts,
                              const rct_model *model, int32_t count,
                              const rct_variation *variations, int32_t tracked,
                              const int32_t *track);

/* The same of an ensemble and its run, `size` bytes with the zero. */
char *rct_ensemble_text(rct_call *call, const rct_ensemble *ensemble,
                        const rct_ensemble_run_options *run, int64_t *size);

#endif
