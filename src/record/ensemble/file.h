/* The file of an ensemble as it is written. */
#ifndef RCT_RECORD_ENSEMBLE_FILE_H
#define RCT_RECORD_ENSEMBLE_FILE_H

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

/* What HDF5 has open, over f->place.disk; what is open may be nothing. From then on it writes nothing but rows. */
void rct_ensemble_file_open_all(rct_call *call, rct_ensemble_file *file, const char *path);
void rct_ensemble_file_close_all(rct_call *call, rct_ensemble_file *file);

/* With no file yet; and closed and freed, whatever there is of it. */
rct_ensemble_file *rct_ensemble_file_allocate(rct_call *call, const rct_ensemble *ensemble,
                                              const rct_ensemble_run_options *run);
void rct_ensemble_file_dispose(rct_call *call, rct_ensemble_file *file);

#endif
