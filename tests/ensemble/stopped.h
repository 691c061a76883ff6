/* Runs of ensembles that keep the batches they have begun, and runs that continue from these. */
#ifndef RCT_TESTS_STOPPED_H
#define RCT_TESTS_STOPPED_H

#include "tests/support/files/collected.h"

/* What a checkpoint would hold: copies. */
typedef struct stopped_point {
    int8_t *done; /* [members] */
    int32_t count;
    rct_ensemble_begun *begun; /* [count] */
} stopped_point;

typedef struct stopped_run {
    collected *c;
    rct_status status;
    rct_error error;
    int32_t count; /* calls of keep */
    stopped_point *points;
    int64_t delivered; /* when it began: members done are counted in `c` as well */
    int64_t steps;     /* of members, that were made */
} stopped_run;

/* When a run ends before its end; 0: never. */
typedef struct stopped_when {
    int64_t steps;       /* progress ends it after so many steps of members */
    int32_t fail_at;     /* that call of keep fails, from 1 */
    int64_t deliveries;  /* deliver fails at that one, from 1 */
    int64_t allocations; /* memory fails at that one, of the thread that calls, from 1 */
} stopped_when;

/* Run `ensemble` with keep; every call of it is a point, and the last is where it stopped. */
stopped_run *stopped_begin(const rct_ensemble *ensemble, rct_ensemble_run_options options,
                           stopped_when when);

/* Go on from a point: results that were there are taken over from `before`. */
stopped_run *stopped_go_on(const rct_ensemble *ensemble, rct_ensemble_run_options options,
                           const collected *before, const stopped_point *point, stopped_when when);
void stopped_free(stopped_run *run);

/* The point of a run that was ended by progress: its results, and what was kept last, if that was at its end. */
stopped_point stopped_end(const stopped_run *run, int was_kept);
void stopped_point_free(stopped_point *point);

/* Fails the test unless at every point of `run` each member of a batch that it went on with is done, or in a batch of as many
 * steps at least. */
void stopped_check_nothing_lost(const stopped_run *run, const stopped_point *from);

/* Fails the test unless all members are delivered once, as in `straight`. */
void stopped_check_whole(const stopped_run *run, const collected *straight);

#endif
