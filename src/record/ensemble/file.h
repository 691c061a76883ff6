/* The file of an ensemble, for writing and for reading. */
#ifndef RCT_RECORD_ENSEMBLE_FILE_H
#define RCT_RECORD_ENSEMBLE_FILE_H

#include "record/ensemble/facts.h"
#include "record/ensemble/members.h"
#include "record/file/place.h"

#include <riccatree/ensemble_file.h>

struct rct_ensemble_file {
    rct_place place;
    rct_member_columns columns;
    hid_t file, driver, complete;
    int64_t first; /* member of row 0 */
    int failed;
};

/* Open and close everything that HDF5 needs over f->place.disk; closing accepts a file that is
 * not open. After opening only rows are written. */
void rct_ensemble_file_open_all(rct_call *call, rct_ensemble_file *file, const char *path);
void rct_ensemble_file_close_all(rct_call *call, rct_ensemble_file *file);

/* Allocate without a file; close and free everything that exists. */
rct_ensemble_file *rct_ensemble_file_allocate(rct_call *call, const rct_ensemble *ensemble,
                                              const rct_ensemble_run_options *run);
void rct_ensemble_file_dispose(rct_call *call, rct_ensemble_file *file);

/* ---- reading ------------------------------------------------------------------------------ */

enum { RCT_COMMAND_READ = 8192, RCT_BUILD_READ = 512, RCT_SHORT_READ = 64 };

struct rct_ensemble_results {
    char *path;
    hid_t file;
    rct_ensemble_results_info info;
    rct_variation *variations; /* only if it has a valid seal                                    */
    char *paths;
    char model_name[RCT_NAME_SIZE], command_line[RCT_COMMAND_READ];
    char library_version[RCT_SHORT_READ], method[RCT_SHORT_READ], backend[RCT_SHORT_READ];

    int sealed;
    char build[RCT_BUILD_READ];
    rct_ensemble_facts facts; /* if the file is of this build                                    */
    int32_t *track;
};

/* As rct_member_statuses. */
int64_t rct_ensemble_results_count(rct_call *call, const rct_ensemble_results *results,
                                   int8_t *statuses);

/* Fail unless the file is of this ensemble and run. */
rct_status rct_ensemble_results_match(const rct_ensemble_results *results,
                                      const rct_ensemble *ensemble,
                                      const rct_ensemble_run_options *run, rct_error *error);

#endif
