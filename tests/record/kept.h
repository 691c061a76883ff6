/* Checkpoints of a small ensemble with invented batches: a.h5.checkpoint and similar files in the
 * directory of recording.h. */
#ifndef RCT_TESTS_KEPT_H
#define RCT_TESTS_KEPT_H

#include <riccatree/riccatree.h>

enum { KEPT_MEMBERS = 12, KEPT_STEPS = 20, KEPT_STATE = 3 };

/* Members of a chain with a drawn mass, and a run of all of them. */
rct_ensemble_options kept_options(void);
rct_ensemble_run_options kept_run(void);
rct_ensemble *kept_ensemble(rct_ensemble_options options, int32_t bodies);

/* A batch that a run could keep: its members are somewhere in its bytes. */
typedef struct kept_batch {
    int64_t head, members[3];
    double state[KEPT_STATE];
} kept_batch;

/* The content of a batch follows from its steps and members. Its last three bytes are not kept. */
rct_ensemble_begun kept_begun(kept_batch *b, int64_t steps, int32_t count, const int64_t *members);

/* Writes these batches; or, as rank 0, members 0, 1, 2 after this number of steps and member 11
 * after one more. */
void kept_write(int32_t rank, int32_t count, const rct_ensemble_begun *batches);
void kept_write_usual(int64_t steps);

rct_ensemble_checkpoints *kept_open(const int8_t *done, rct_error *error);
rct_status kept_open_again(void *context, rct_error *error); /* and close: a damage_open */

/* Opening must fail with this error; or must return these batches, steps and first member of each,
 * with the bytes they were written with. */
void kept_refused(rct_status status, const char *says);
void kept_expect(const int8_t *done, int32_t count, const int64_t (*wanted)[2]);

#endif
