/* The file of an ensemble as it is read. */
#ifndef RCT_RECORD_ENSEMBLE_RESULTS_H
#define RCT_RECORD_ENSEMBLE_RESULTS_H

#include "record/ensemble/facts.h"

#include <riccatree/ensemble_file.h>

enum { RCT_COMMAND_READ = 8192, RCT_BUILD_READ = 512 };

struct rct_ensemble_results {
    char *path;
    hid_t file;
    rct_ensemble_results_info info;
    rct_variation *variations;
    char model_name[RCT_NAME_SIZE], command_line[RCT_COMMAND_READ];

    /* only where it has a seal, which holds */
    int sealed;
    char build[RCT_BUILD_READ];
    rct_ensemble_facts facts; /* if it is of this build                                          */
    int32_t *track;
};

/* As rct_member_statuses. */
int64_t rct_ensemble_results_count(rct_call *call, const rct_ensemble_results *results,
                                   int8_t *statuses);

/* A failure unless the file is of this ensemble and run. */
rct_status rct_ensemble_results_match(const rct_ensemble_results *results,
                                      const rct_ensemble *ensemble,
                                      const rct_ensemble_run_options *run, rct_error *error);

#endif
