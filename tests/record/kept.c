/* Checkpoints of a small ensemble (kept.h). */
#include "tests/record/kept.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/faults/damage.h"
#include "tests/support/files/recording.h"

#include <stddef.h>
#include <string.h>

static const rct_variation variations[] = {{"bodies.link-1.mass", RCT_VARY_NORMAL, 1.0, 0.1, 0}};

rct_ensemble *kept_ensemble(rct_ensemble_options options, int32_t bodies)
{
    rct_model *model = recording_chain(bodies, 1);
    rct_ensemble *ensemble = rct_ensemble_create(model, &options, NULL);
    rct_model_free(model);
    assert_non_null(ensemble);
    return ensemble;
}

rct_ensemble_options kept_options(void)
{
    return (rct_ensemble_options){KEPT_MEMBERS, 7, 1, variations, 0.0};
}

static rct_status take_result(void *context, const rct_member_result *result, rct_error *error)
{
    (void)context, (void)result, (void)error;
    return RCT_OK;
}

rct_ensemble_run_options kept_run(void)
{
    rct_ensemble_run_options run = rct_ensemble_run_options_default();
    run.steps = KEPT_STEPS;
    run.solver.backend = "cpu";
    run.deliver = take_result;
    return run;
}

rct_ensemble_begun kept_begun(kept_batch *b, int64_t steps, int32_t count, const int64_t *members)
{
    memcpy(b->members, members, (size_t)count * sizeof *members);
    for (int i = 0; i < KEPT_STATE; i++) {
        b->state[i] = (double)(100 * steps + 10 * members[0] + i);
    }
    b->head = steps;
    return (rct_ensemble_begun){b, (int64_t)sizeof *b - 3, steps, count, b->members};
}

void kept_write(int32_t rank, int32_t count, const rct_ensemble_begun *batches)
{
    rct_error error;
    rct_ensemble *ensemble = kept_ensemble(kept_options(), 3);
    const rct_ensemble_run_options run = kept_run();
    rct_ensemble_checkpoint_writer *writer = rct_ensemble_checkpoint_writer_create(
        recording_path(0, "a.h5"), rank, ensemble, &run, &error);
    if (writer == NULL || rct_ensemble_checkpoint_write(writer, count, batches, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    rct_ensemble_checkpoint_writer_free(writer);
    rct_ensemble_free(ensemble);
}

/* Two batches of rank 0. */
void kept_write_usual(int64_t steps)
{
    kept_batch a, b;
    const rct_ensemble_begun batches[] = {kept_begun(&a, steps, 3, (const int64_t[]){0, 1, 2}),
                                          kept_begun(&b, steps + 1, 1, (const int64_t[]){11})};
    kept_write(0, 2, batches);
}

rct_ensemble_checkpoints *kept_open(const int8_t *done, rct_error *error)
{
    rct_ensemble *ensemble = kept_ensemble(kept_options(), 3);
    const rct_ensemble_run_options run = kept_run();
    rct_ensemble_checkpoints *c =
        rct_ensemble_checkpoints_open(recording_path(0, "a.h5"), ensemble, &run, done, error);
    rct_ensemble_free(ensemble);
    return c;
}

/* What is given: steps and first member of each. */
void kept_expect(const int8_t *done, int32_t count, const int64_t (*wanted)[2])
{
    rct_error error = {.text = ""};
    const rct_ensemble_begun *given = NULL;
    rct_ensemble_checkpoints *c = kept_open(done, &error);
    if (c == NULL) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(rct_ensemble_checkpoints_begun(c, &given), count);
    for (int32_t k = 0; k < count; k++) {
        kept_batch b, own;
        assert_int_equal(given[k].steps, wanted[k][0]);
        assert_int_equal(given[k].members[0], wanted[k][1]);
        assert_int_equal((intptr_t)given[k].bytes % 8, 0);
        assert_int_equal(given[k].size, sizeof b - 3);
        memset(&own, 0, sizeof own), memset(&b, 0, sizeof b);
        memcpy(&b, given[k].bytes, sizeof b - 3);
        memcpy(own.members, b.members, sizeof b.members);
        assert_ptr_equal(given[k].members,
                         (const char *)given[k].bytes + offsetof(kept_batch, members));
        kept_begun(&own, given[k].steps, given[k].count, b.members);
        assert_memory_equal(&own, &b, sizeof b - 3);
    }
    rct_ensemble_checkpoints_close(c);
}

rct_status kept_open_again(void *context, rct_error *error)
{
    (void)context;
    rct_ensemble_checkpoints *c = kept_open(NULL, error);
    rct_ensemble_checkpoints_close(c);
    return c != NULL ? RCT_OK : error->status;
}

void kept_refused(rct_status status, const char *says)
{
    rct_error error = {.text = ""};
    assert_int_equal(kept_open_again(NULL, &error), status);
    damage_expect_line(&error, says);
}
