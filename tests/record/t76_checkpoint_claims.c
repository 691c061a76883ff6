/* One run at a time writes a checkpoint, under names of its own: it does not follow links with
 * these names, removes the files of a killed process, and keeps mode and owner. A solver of another
 * model is refused. */
#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "tests/record/checkpoint_case.h"
#include "tests/support/faults/damage.h"
#include "tests/support/files/small_ensemble.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OTHER_USER = 12345 };

static void not_claimed(recording *f, const char *path)
{
    rct_error error = {.status = RCT_OK};
    assert_null(rct_checkpoint_writer_create(path, f->model, f->solver, &error));
    assert_int_equal(error.status, RCT_ERROR_IO);
    damage_expect_line(&error,
                       "a.ck: another run writes this checkpoint; wait until that run is done");
}

static void test_one_run_at_a_time(void **state)
{
    recording *f = *state;
    const char *path = recording_path(0, "a.ck"), *link = recording_path(1, "link.ck");
    rct_checkpoint_writer *writer = rct_checkpoint_writer_create(path, f->model, f->solver, NULL);
    assert_non_null(writer);
    not_claimed(f, path);
    assert_int_equal(rct_checkpoint_write(writer, 1, "", 0, NULL), RCT_OK);
    not_claimed(f, path);
    assert_int_equal(symlink(path, link), 0);
    rct_error error;
    assert_null(rct_checkpoint_writer_create(link, f->model, f->solver, &error));
    rct_checkpoint_writer_free(writer);
    assert_int_equal(recording_count_files(NULL), 2); /* no lock is left */
    write_checkpoint(path, f->model, f->solver, 2);
}

/* Its lock is removed with it, and so is the part that it may have been writing. */
static void test_a_run_that_was_killed(void **state)
{
    recording *f = *state;
    char part[RECORDING_PATH];
    int ready[2];
    const char *path = recording_path(0, "a.ck");
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const int made = rct_checkpoint_writer_create(path, f->model, f->solver, NULL) != NULL;
        snprintf(part, sizeof part, "%s.%ld-0.part", path, (long)getpid());
        recording_write_text(part, "begun");
        _exit(made && write(ready[1], "x", 1) == 1 ? pause() : 1);
    }
    char byte = 0;
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    not_claimed(f, path);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(recording_count_files(".part"), 1);
    assert_int_equal(recording_count_files(".lock"), 1);
    write_checkpoint(path, f->model, f->solver, 1);
    assert_int_equal(recording_count_files(NULL), 1);
    close(ready[0]);
}

/* Of its earlier name, of its present name, and of the lock. */
static void test_links_are_not_followed(void **state)
{
    recording *f = *state;
    char name[RECORDING_PATH];
    rct_error error = {.text = ""};
    const char *path = recording_path(0, "a.ck"), *victim = recording_path(1, "victim");
    recording_write_text(victim, "mine");
    snprintf(name, sizeof name, "%s.part", path);
    assert_int_equal(symlink(victim, name), 0);
    write_checkpoint(path, f->model, f->solver, 1);
    recording_expect_text(victim, "mine");
    snprintf(name, sizeof name, "%s.%ld-0.part", path, (long)getpid());
    assert_int_equal(symlink(victim, name), 0);
    write_checkpoint(path, f->model, f->solver, 1);
    recording_expect_text(victim, "mine");
    snprintf(name, sizeof name, "%s.lock", path);
    assert_int_equal(symlink(victim, name), 0);
    assert_null(rct_checkpoint_writer_create(path, f->model, f->solver, &error));
    damage_expect_line(&error, "a.ck: cannot create the checkpoint: ");
    recording_expect_text(victim, "mine");
}

static void expect_like(const char *path, mode_t mode, int root)
{
    struct stat found;
    assert_int_equal(stat(path, &found), 0);
    assert_int_equal(found.st_mode & 07777, mode);
    assert_int_equal(found.st_uid, root ? OTHER_USER : geteuid());
    assert_int_equal(found.st_gid, root ? OTHER_USER : getegid());
}

static void dress(const char *path, mode_t mode, int root)
{
    assert_int_equal(chmod(path, mode), 0);
    assert_true(!root || chown(path, OTHER_USER, OTHER_USER) == 0);
}

static void test_mode_and_owner_stay(void **state)
{
    recording *f = *state;
    const int root = geteuid() == 0;
    const char *path = recording_path(0, "a.ck");
    write_checkpoint(path, f->model, f->solver, 1);
    dress(path, 0600, root);
    write_checkpoint(path, f->model, f->solver, 2);
    expect_like(path, 0600, root);
    expect_like(recording_path(1, "a.ck.previous"), 0600, root);

    path = recording_path(0, "a.h5");
    f->options.overwrite = 1;
    assert_int_equal(rct_recorder_close(recording_create(f, path, NULL), 1, NULL), RCT_OK);
    dress(path, 0660, root);
    assert_int_equal(rct_recorder_close(recording_create(f, path, NULL), 1, NULL), RCT_OK);
    expect_like(path, 0660, root);

    small_file(path);
    expect_like(path, 0660, root);

    path = recording_path(0, "a.json");
    assert_int_equal(rct_model_write(f->model, path, NULL), RCT_OK);
    dress(path, 0606, root);
    assert_int_equal(rct_model_write(f->model, path, NULL), RCT_OK);
    expect_like(path, 0606, root);
}

/* ---- the model of the solver -------------------------------------------------------------- */

static void another(recording *f, const rct_model *model, const char *says)
{
    rct_error error = {.status = RCT_OK};
    const char *path = recording_path(0, "b.ck");
    assert_null(rct_checkpoint_writer_create(path, model, f->solver, &error));
    assert_int_equal(error.status, RCT_ERROR_ARGUMENT);
    damage_expect_line(&error, says);
    damage_expect_line(&error, "give the model that the solver was made from");
    rct_checkpoint *own = open_checkpoint(recording_path(2, "a.ck"));
    assert_int_equal(rct_checkpoint_restore(own, model, f->solver, &error), RCT_ERROR_ARGUMENT);
    damage_expect_line(&error, says);
    rct_checkpoint_close(own);
}

/* With as many bodies. */
static void test_a_solver_of_another_model(void **state)
{
    recording *f = *state;
    const rct_force force = rct_force_default();
    rct_base base = rct_base_default();
    write_checkpoint(recording_path(0, "a.ck"), f->model, f->solver, 0);
    base.velocity[0] = 1.0;
    rct_model *chain = recording_chain(RECORDING_BODIES, 0), *heavy = recording_model();
    rct_model *pushed = recording_model(), *moving = recording_model();
    assert_int_equal(rct_model_set_gravity(heavy, (const double[]){0.5, 0.0, -9.5}, NULL), RCT_OK);
    assert_int_equal(rct_model_add_force(pushed, &force, NULL, NULL), RCT_OK);
    assert_int_equal(rct_model_set_base(moving, &base, NULL), RCT_OK);
    another(f, chain, "made from another model: its bodies differ;");
    another(f, heavy, "made from another model: its gravity differs;");
    another(f, pushed, "made from another model: its forces differ;");
    another(f, moving, "made from another model: its motion of the ground differs;");
    rct_model *models[] = {chain, heavy, pushed, moving};
    for (int i = 0; i < 4; i++) {
        rct_model_free(models[i]);
    }
}

/* Loops and forces of which only numbers differ; the same model made again is accepted. */
static rct_model *closed_model(double length, double stiffness, double factor)
{
    rct_model *model = recording_chain(3, 0);
    rct_loop loop = rct_loop_default();
    rct_force spring = rct_force_default();
    loop.type = RCT_LOOP_DISTANCE;
    loop.body = 2;
    loop.length = length;
    loop.other_orientation[1] = factor;
    loop.other = 0;
    loop.at[2] = -1.0;
    spring.type = RCT_FORCE_SPRING;
    spring.body = 1;
    spring.stiffness = stiffness;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    assert_int_equal(rct_model_add_force(model, &spring, NULL, NULL), RCT_OK);
    return model;
}

static void test_numbers_of_loops_and_forces(void **state)
{
    (void)state;
    rct_error error = {.text = ""};
    const char *path = recording_path(0, "a.ck");
    rct_model *model = closed_model(3.0, 2.0, 0.0), *same = closed_model(3.0, 2.0, 0.0);
    rct_model *longer = closed_model(3.25, 2.0, 0.0), *stiffer = closed_model(3.0, 2.5, 0.0);
    rct_solver *solver = make_solver(model, NULL);
    write_checkpoint(path, same, solver, 1);
    assert_null(rct_checkpoint_writer_create(path, longer, solver, &error));
    damage_expect_line(&error, "another model: its loops differ;");
    assert_null(rct_checkpoint_writer_create(path, stiffer, solver, &error));
    damage_expect_line(&error, "another model: its forces differ;");
    rct_solver_free(solver);
    rct_model *models[] = {model, same, longer, stiffer};
    for (int i = 0; i < 4; i++) {
        rct_model_free(models[i]);
    }
}

#define CHECKPOINT_TEST(name) cmocka_unit_test_setup_teardown(name, recording_begin, recording_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECKPOINT_TEST(test_one_run_at_a_time),
        CHECKPOINT_TEST(test_a_run_that_was_killed),
        CHECKPOINT_TEST(test_links_are_not_followed),
        CHECKPOINT_TEST(test_mode_and_owner_stay),
        CHECKPOINT_TEST(test_a_solver_of_another_model),
        CHECKPOINT_TEST(test_numbers_of_loops_and_forces),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
