/* Shared by the tests of checkpoints: resuming, damage and failures. */
#ifndef RCT_TESTS_CHECKPOINT_CASE_H
#define RCT_TESTS_CHECKPOINT_CASE_H

#include "tests/support/files/recording.h"

#include <riccatree/riccatree.h>

/* These must not fail. */
rct_solver *make_solver(const rct_model *model, const rct_solver_options *options);
void expect_ok(rct_status status, const rct_error *error);
void write_checkpoint(const char *path, const rct_model *model, const rct_solver *solver,
                      int64_t steps);

rct_checkpoint *open_checkpoint(const char *path);

/* A checkpoint of the small system; its bytes, to be freed. */
char *small_checkpoint(const recording *f, const char *path, size_t *size);

#endif
