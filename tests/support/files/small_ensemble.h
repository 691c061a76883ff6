/* A small file of an ensemble, and ensembles and runs similar to those of the file. */
#ifndef RCT_TESTS_SMALL_ENSEMBLE_H
#define RCT_TESTS_SMALL_ENSEMBLE_H

#include <riccatree/riccatree.h>

extern const rct_variation small_variations[2]; /* of gravity */
extern const int32_t small_track[2];

/* Six members of a chain; three frames of two bodies in four steps, into a file. */
rct_ensemble_options small_options(void);
rct_ensemble_run_options small_run(void);
rct_ensemble *small_ensemble(rct_ensemble_options options, int32_t bodies);

/* Runs it into a file; and the usual run, of three bodies. */
void small_run_into(const char *path, const rct_ensemble *ensemble, rct_ensemble_run_options run);
void small_file(const char *path);

/* Opening the file for this run must fail with this error. */
void small_refused(const char *path, const rct_ensemble *ensemble, rct_ensemble_run_options run,
                   rct_status status, const char *says);

#endif
