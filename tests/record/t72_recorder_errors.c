/* Recorder: files in the way, wrong arguments, every step, transfer and allocation failing. Each
 * failure gives a one-line message, and leaves nothing that was not there before. */
#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "core/memory.h"
#include "record/file/call.h"
#include "record/file/disk.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files in the way -------------------------------------------------------------------- */

static void test_an_older_file_needs_permission_to_go(void **state)
{
    recording *f = *state;
    const char *path = recording_path(0, "a.h5"), *other = recording_path(1, "link.h5");
    struct stat found;
    recording_write_text(path, "older");
    recording_refused(f, path, RCT_ERROR_IO, "a.h5: already exists; choose another name or ask");
    recording_expect_text(path, "older");
    f->options.overwrite = 1;
    rct_recorder *recorder = recording_create(f, path, NULL);
    assert_non_null(recorder);
    assert_int_equal(rct_recorder_close(recorder, 0, NULL), RCT_OK);
    assert_int_equal(recording_frames_written(path), 0);

    recording_write_text(path,
                         "older"); /* through a link: the file it leads to goes, the link stays */
    assert_int_equal(symlink(path, other), 0);
    recorder = recording_create(f, other, NULL);
    assert_non_null(recorder);
    assert_int_equal(rct_recorder_close(recorder, 0, NULL), RCT_OK);
    assert_int_equal(lstat(other, &found), 0);
    assert_true(S_ISLNK(found.st_mode));
    assert_int_equal(recording_frames_written(path), 0);
    assert_int_equal(recording_count_files(".part"), 0);
}

/* By a name beside it, and by an absolute path; with and without permission to overwrite. */
static void test_link_to_what_is_not_there(void **state)
{
    recording *f = *state;
    struct stat found;
    const char *path = recording_path(0, "a.h5"), *link = recording_path(1, "link.h5");
    for (int k = 0; k < 4; k++) {
        f->options.overwrite = k / 2;
        assert_int_equal(symlink(k % 2 ? path : "a.h5", link), 0);
        rct_recorder *recorder = recording_create(f, link, NULL);
        assert_non_null(recorder);
        assert_int_equal(rct_recorder_close(recorder, 0, NULL), RCT_OK);
        assert_int_equal(lstat(link, &found), 0);
        assert_true(S_ISLNK(found.st_mode));
        assert_int_equal(recording_frames_written(path), 0);
        recording_remove_files();
    }
    assert_int_equal(symlink("none/a.h5", link), 0);
    recording_refused(f, link, RCT_ERROR_IO, "none/a.h5, to which it is a link: No such file or");
    assert_int_equal(unlink(link), 0);
    assert_int_equal(symlink("link.h5", link), 0);
    recording_refused(f, link, RCT_ERROR_IO, "Too many levels of symbolic links");
    assert_int_equal(recording_count_files(".part"), 0);
}

static void test_paths_that_cannot_be(void **state)
{
    recording *f = *state;
    char name[300], deep[5000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    memset(deep, '/', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    f->options.overwrite = 1;
    recording_refused(f, recording_path(0, "none/a.h5"), RCT_ERROR_IO,
                      "none/a.h5: cannot create the file: No such file or directory; check its "
                      "name, and that its directory exists");
    recording_write_text(recording_path(1, "text"), "");
    recording_refused(f, recording_path(0, "text/a.h5"), RCT_ERROR_IO,
                      "check its name, and that its directory exists");
    recording_refused(f, recording_directory(), RCT_ERROR_IO, "is a directory; give the name");
    recording_refused(f, "/dev/null", RCT_ERROR_IO, "/dev/null: is not a regular file; choose");
    recording_refused(f, recording_path(0, name), RCT_ERROR_IO, "File name too long; shorten");
    recording_refused(f, deep, RCT_ERROR_IO, "cannot create the file: File name too long; shorten");
    recording_refused(f, "", RCT_ERROR_ARGUMENT, "no path");
    assert_int_equal(recording_count_files(NULL), 1);

    const char *closed = recording_path(0, "closed");
    assert_int_equal(mkdir(closed, 0555), 0);
    const uid_t user = geteuid(); /* nothing is closed to root */
    assert_int_equal(chmod(recording_directory(), 0755), 0);
    assert_true(user != 0 || seteuid(65534) == 0);
    recording_refused(f, recording_path(1, "closed/a.h5"), RCT_ERROR_IO,
                      "cannot create the file: Permission denied; choose a directory");
    assert_true(user != 0 || seteuid(user) == 0);
    assert_int_equal(rmdir(closed), 0);
}

static void test_wrong_arguments(void **state)
{
    recording *f = *state;
    rct_error error;
    const char *path = recording_path(0, "a.h5");
    f->options.frames = 0;
    recording_refused(f, path, RCT_ERROR_ARGUMENT, "a recording of 0 frames");
    f->options.frames = -1;
    recording_refused(f, path, RCT_ERROR_ARGUMENT, "a recording of -1 frames");
    f->options.frames = 1;
    rct_model *other = recording_chain(2, 0);
    rct_solver *solver = recording_solver(other);
    assert_null(rct_recorder_create(path, other, f->solver, &f->options, &error));
    assert_int_equal(error.status, RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "made for 2 bodies, but the solver has 5"));
    assert_int_equal(recording_count_files(NULL), 0);

    rct_recorder *recorder = recording_create(f, path, NULL);
    assert_int_equal(rct_recorder_write(recorder, solver, NULL, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "made for 5 bodies, but the solver has 2"));
    assert_int_equal(rct_recorder_write(recorder, f->solver, NULL, NULL), RCT_OK);
    assert_int_equal(rct_recorder_write(recorder, f->solver, NULL, &error), RCT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "is full: it was made for 1 frames"));
    assert_int_equal(rct_recorder_close(recorder, 1, NULL), RCT_OK);
    assert_int_equal(recording_complete(path), 1);
    rct_solver_free(solver);
    rct_model_free(other);
}

static void test_a_long_command_line_is_cut(void **state)
{
    recording *f = *state;
    char *command = malloc(100001);
    memset(command, 'c', 100000);
    command[100000] = '\0';
    f->options.command_line = command;
    rct_recorder *recorder = recording_create(f, recording_path(0, "a.h5"), NULL);
    assert_non_null(recorder);
    assert_int_equal(rct_recorder_close(recorder, 1, NULL), RCT_OK);
    free(command);
}

/* ---- every step, every allocation -------------------------------------------------------- */

static void test_every_step_of_creation_can_fail(void **state)
{
    recording *f = *state;
    rct_recorder *recorder = NULL;
    const char *path = recording_path(0, "a.h5");
    f->options.overwrite = 1;
    recording_write_text(path, "older");
    int64_t k = 0;
    for (; recorder == NULL; k++) {
        rct_error error = {.status = RCT_OK};
        rct_call_fail_after(k);
        recorder = recording_create(f, path, &error);
        rct_call_fail_after(-1);
        assert_int_equal(error.status, recorder == NULL ? RCT_ERROR_IO : RCT_OK);
        assert_int_equal(recording_count_files(NULL), 1);
        if (recorder == NULL) {
            assert_non_null(strstr(error.text, ": told to by a test"));
            recording_expect_text(path, "older");
        }
    }
    assert_true(k > 500); /* the creation has many steps */
    assert_int_equal(rct_recorder_close(recorder, 1, NULL), RCT_OK);
    assert_int_equal(recording_complete(path), 1);
}

static void test_every_step_of_a_frame_can_fail(void **state)
{
    recording *f = *state;
    rct_status status = RCT_ERROR_IO;
    const char *path = recording_path(0, "a.h5");
    rct_recorder *recorder = recording_create(f, path, NULL);
    assert_int_equal(rct_recorder_write(recorder, f->solver, NULL, NULL), RCT_OK);
    for (int64_t k = 0; status != RCT_OK; k++) {
        rct_error error = {.status = RCT_OK};
        rct_call_fail_after(k);
        status = rct_recorder_write(recorder, f->solver, NULL, &error);
        rct_call_fail_after(-1);
        assert_int_equal(error.status, status);
        assert_true(status == RCT_OK || strstr(error.text, "frame 1 is not recorded") != NULL);
    }
    assert_int_equal(rct_recorder_close(recorder, 1, NULL), RCT_OK);
    assert_int_equal(recording_frames_written(path), 2);
    assert_int_equal(recording_complete(path), 1);
}

static void test_every_step_of_closing_can_fail(void **state)
{
    recording *f = *state;
    rct_status status = RCT_ERROR_IO;
    const char *path = recording_path(0, "a.h5");
    f->options.overwrite = 1;
    for (int64_t k = 0; status != RCT_OK; k++) {
        rct_recorder *recorder = recording_create(f, path, NULL);
        assert_int_equal(rct_recorder_write(recorder, f->solver, NULL, NULL), RCT_OK);
        rct_call_fail_after(k);
        status = rct_recorder_close(recorder, 1, NULL);
        rct_call_fail_after(-1);
        assert_true(status == RCT_OK || status == RCT_ERROR_IO);
        assert_int_equal(recording_frames_written(path), 1);
        assert_int_equal(recording_complete(path), k > 3); /* the mark is the fourth step */
    }
}

/* Every single write to the disk fails in turn, with all later ones; HDF5 remains unharmed. */
static void test_every_transfer_can_fail(void **state)
{
    recording *f = *state;
    rct_recorder *recorder = NULL;
    rct_error error;
    const char *path = recording_path(0, "a.h5");
    int64_t k = 0;
    for (; recorder == NULL; k++) {
        rct_disk_fail_after(k);
        recorder = recording_create(f, path, &error);
        rct_disk_fail_after(-1);
        assert_true(recorder != NULL || strstr(error.text, "Input/output error; check") != NULL);
        assert_int_equal(recording_count_files(NULL), recorder != NULL);
    }
    assert_true(k > 20);
    rct_status status = RCT_ERROR_IO;
    for (k = 0; status != RCT_OK; k++) {
        rct_disk_fail_after(k);
        status = rct_recorder_write(recorder, f->solver, NULL, &error);
        rct_disk_fail_after(-1);
        assert_true(status == RCT_OK || strstr(error.text, "frame 0 is not recorded: cannot "
                                                           "write numbers: Input") != NULL);
        assert_int_equal(recording_frames_written(path), status == RCT_OK);
    }
    assert_int_equal(k, 16); /* twelve series, the checksum, and the counter before and after */
    rct_disk_fail_after(0);
    assert_int_equal(rct_recorder_close(recorder, 1, &error), RCT_ERROR_IO);
    rct_disk_fail_after(-1);
    assert_non_null(strstr(error.text, "a.h5: cannot write numbers: Input/output error"));
    assert_int_equal(recording_frames_written(path), 1);
    assert_int_equal(recording_complete(path), 0);
}

static void test_every_allocation_can_fail(void **state)
{
    recording *f = *state;
    rct_recorder *recorder = NULL;
    for (int64_t k = 0; recorder == NULL; k++) {
        rct_error error = {.status = RCT_OK};
        rct_allocate_fail_after(k);
        recorder = recording_create(f, recording_path(0, "a.h5"), &error);
        rct_allocate_fail_after(-1);
        assert_int_equal(error.status, recorder == NULL ? RCT_ERROR_MEMORY : RCT_OK);
        assert_int_equal(recording_count_files(NULL), recorder != NULL);
        assert_true(k < 32);
    }
    assert_int_equal(rct_recorder_close(recorder, 0, NULL), RCT_OK);
}

/* HDF5 prints nothing itself while the recorder works, and as before afterwards. */
static herr_t count_prints(hid_t stack, void *count)
{
    (void)stack;
    ++*(int *)count;
    return 0;
}

static void test_hdf5_keeps_its_voice(void **state)
{
    recording *f = *state;
    int prints = 0;
    H5E_auto2_t before, after;
    void *data = NULL;
    H5Eget_auto2(H5E_DEFAULT, &before, &data);
    H5Eset_auto2(H5E_DEFAULT, count_prints, &prints);
    rct_recorder *recorder = recording_create(f, recording_path(0, "a.h5"), NULL);
    recording_limit(4096);
    assert_int_equal(rct_recorder_write(recorder, f->solver, NULL, NULL), RCT_ERROR_IO);
    recording_limit(RLIM_INFINITY);
    assert_int_equal(rct_recorder_close(recorder, 0, NULL), RCT_OK);
    assert_int_equal(prints, 0);
    H5Eget_auto2(H5E_DEFAULT, &after, &data);
    assert_true(after == count_prints && data == &prints);
    H5Eset_auto2(H5E_DEFAULT, before, NULL);
}

#define RECORDER_TEST(name) cmocka_unit_test_setup_teardown(name, recording_begin, recording_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RECORDER_TEST(test_an_older_file_needs_permission_to_go),
        RECORDER_TEST(test_link_to_what_is_not_there),
        RECORDER_TEST(test_paths_that_cannot_be),
        RECORDER_TEST(test_wrong_arguments),
        RECORDER_TEST(test_a_long_command_line_is_cut),
        RECORDER_TEST(test_every_step_of_creation_can_fail),
        RECORDER_TEST(test_every_step_of_a_frame_can_fail),
        RECORDER_TEST(test_every_step_of_closing_can_fail),
        RECORDER_TEST(test_every_transfer_can_fail),
        RECORDER_TEST(test_every_allocation_can_fail),
        RECORDER_TEST(test_hdf5_keeps_its_voice),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
