/* Shared by the tests of checkpoints (checkpoint_case.h). */
#include "tests/record/checkpoint_case.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/faults/damage.h"

#include <stdlib.h>

rct_solver *make_solver(const rct_model *model, const rct_solver_options *options)
{
    rct_error error;
    rct_solver *solver = rct_solver_create(model, options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

void expect_ok(rct_status status, const rct_error *error)
{
    if (status != RCT_OK) {
        fail_msg("%s", error->text);
    }
}

void write_checkpoint(const char *path, const rct_model *model, const rct_solver *solver,
                      int64_t steps)
{
    rct_error error;
    rct_checkpoint_writer *writer = rct_checkpoint_writer_create(path, model, solver, &error);
    if (writer == NULL) {
        fail_msg("%s", error.text);
    }
    expect_ok(rct_checkpoint_write(writer, steps, "a note", 7, &error), &error);
    rct_checkpoint_writer_free(writer);
}

rct_checkpoint *open_checkpoint(const char *path)
{
    rct_error error;
    rct_checkpoint *checkpoint = rct_checkpoint_open(path, &error);
    if (checkpoint == NULL) {
        fail_msg("%s", error.text);
    }
    return checkpoint;
}

/* A checkpoint of the small system; its bytes, to be freed. */
char *small_checkpoint(const recording *f, const char *path, size_t *size)
{
    write_checkpoint(path, f->model, f->solver, 0);
    return damage_read(path, size);
}
