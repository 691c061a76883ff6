/* Runs of ensembles that keep the batches they have begun, and runs that continue from these. */
#ifndef RCT_TESTS_STOPPED_H
#define RCT_TESTS_STOPPED_H

#include "tests/support/files/collected.h"

/* The contents of a checkpoint, as copies. */
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
    int64_t delivered; /* at its start: finished members are counted in `c` as well */
    int64_t steps;     /* of members, that the run made */
} stopped_run;

/* The moment at which a run ends early; 0: never. */
typedef struct stopped_when {
    int64_t steps;       /* progress ends the run after this number of steps of members */
    int32_t fail_at;     /* this call of keep fails, from 1 */
    int64_t deliveries;  /* this call of deliver fails, from 1 */
    int64_t allocations; /* this allocation of the calling thread fails, from 1 */
} stopped_when;

/* Runs `ensemble` with keep. Every call of keep is a point; the last one is where the run
 * stopped. */
stopped_run *stopped_begin(const rct_ensemble *ensemble, rct_ensemble_run_options options,
                           stopped_when when);

/* Continues from a point; takes the finished results over from `before`. */
stopped_run *stopped_go_on(const rct_ensemble *ensemble, rct_ensemble_run_options options,
                           const collected *before, const stopped_point *point, stopped_when when);
void stopped_free(stopped_run *run);

/* The point of a run that progress has ended: its results, and the batches kept last, if they were
 * kept at its end. */
stopped_point stopped_end(const stopped_run *run, int was_kept);
void stopped_point_free(stopped_point *point);

/* Fails the test unless, at every point of `run`, each member of a batch that the run continued is
 * done, or in a batch with at least as many steps. */
void stopped_check_nothing_lost(const stopped_run *run, const stopped_point *from);

/* Fails the test unless all members are delivered exactly once, as in `straight`. */
void stopped_check_whole(const stopped_run *run, const collected *straight);

#endif
