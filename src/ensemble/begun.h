/* A running batch as bytes, and back: the content of rct_ensemble_begun. In 8-byte numbers,
 *
 *     head, members [count], places [count][3 energies, frames reached, series], state of the solver [state]
 *
 * The state is that of the backend (dynamics/raw_state.h), in slots in the order of the members;
 * the numbers of the members are made again. The bytes come from outside, so nothing in them is
 * used before it is checked. */
#ifndef RCT_ENSEMBLE_BEGUN_H
#define RCT_ENSEMBLE_BEGUN_H

#include "ensemble/batch.h"

#include <riccatree/ensemble.h>

/* All 8 bytes wide. */
typedef struct rct_begun_head {
    int64_t mark;  /* RCT_BEGUN_MARK                                                              */
    int64_t count; /* members that continue                                                       */
    int64_t done;  /* steps                                                                       */
    int64_t frame; /* to be taken next                                                            */
    double time;   /* s                                                                           */
    double dt;     /* s; this and the following are those of the run                              */
    int64_t steps, series, tracked;
    /* of a member */
    int64_t bodies;
    int64_t state; /* numbers of the solver's state                                               */
} rct_begun_head;

enum { RCT_BEGUN_MARK = 0x62676e31, RCT_BEGUN_PLACE = 4 }; /* "bgn1": changes with the layout */

/* RCT_ERROR_ARGUMENT, "batch number N that was begun cannot be gone on with: ...". */
rct_status rct_begun_check(const rct_ensemble_begun *begun, int32_t number,
                           const rct_ensemble *ensemble, const rct_ensemble_run_options *run,
                           rct_error *error);

/* Fail with the same words for an error found later. */
rct_status rct_begun_refuse(int32_t number, const char *why, rct_error *error);

/* The members of a checked batch. */
const int64_t *rct_begun_members(const rct_ensemble_begun *begun);

/* The bytes for a batch that has a solver. */
int64_t rct_begun_size(const rct_batch *batch);
void rct_begun_write(const rct_batch *batch, void *bytes);
rct_ensemble_begun rct_begun_of(const void *bytes, int64_t size);

/* Read a checked batch, with its solver, as it was written; more room is made if needed.
 * Released on failure: RCT_ERROR_ARGUMENT as above if the numbers of its members or their state
 * contradict it. */
rct_status rct_begun_read(rct_batch *batch, const rct_ensemble_begun *begun, int32_t number,
                          rct_error *error);

#endif
