/* Collects the results of all members of an ensemble. */
#ifndef RCT_TESTS_COLLECTED_H
#define RCT_TESTS_COLLECTED_H

#include <riccatree/ensemble.h>

#include <stdint.h>

typedef struct collected_member {
    int times; /* delivered */
    rct_status status;
    int32_t body;
    char text[RCT_ERROR_TEXT_SIZE];
    double time, energy, drift;
    int64_t frames;
    double *numbers; /* coordinates, rates, series of energies, of positions */
} collected_member;

typedef struct collected {
    int64_t members, coordinates, rates, series, tracked;
    int64_t numbers; /* of a member */
    collected_member *member;
    int64_t delivered;
    int64_t stop_after; /* progress ends the run once this number is delivered; 0: never */
    int64_t fail_after; /* this call of deliver fails; 0: never */
    int64_t steps;      /* of the last call of progress */
} collected;

/* Options of a run on the cpu. */
rct_ensemble_run_options collect_options(int64_t steps, int64_t series, int64_t batch,
                                         int32_t threads);

/* Runs `ensemble` with deliver, progress and context set; fails the test unless the status is
 * `wanted`. */
collected *collect(const rct_ensemble *ensemble, rct_ensemble_run_options options,
                   rct_status wanted, rct_error *error);
collected *collect_until(const rct_ensemble *ensemble, rct_ensemble_run_options options,
                         int64_t stop_after, int64_t fail_after, rct_status wanted,
                         rct_error *error);

/* Its parts: room for the results, and the function that takes one. */
collected *collected_create(const rct_ensemble *ensemble, const rct_ensemble_run_options *options);
rct_status collected_take(void *collected, const rct_member_result *result, rct_error *error);
void collected_free(collected *c);

/* Whether member k is the same in both, bit for bit; prints the difference. */
int collected_equal(const collected *a, const collected *b, int64_t k);

#endif
