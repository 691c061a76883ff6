/* Model files on disk: they appear completely or not at all, and errors of the system are
 * reported. */
#include "tests/support/systems/models_alike.h"

#include "tests/support/cmocka_all.h"

#include "core/memory.h"

#include <riccatree/model.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/rct-t26-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
    (void)state;
    const int made = mkdtemp(folder) != NULL;
    snprintf(path, sizeof path, "%s/model.json", folder);
    return !made;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder); /* fails if anything else was left behind */
}

static int count_files(void)
{
    int count = 0;
    DIR *stream = opendir(folder);
    for (const struct dirent *file = readdir(stream); file != NULL; file = readdir(stream)) {
        count += file->d_name[0] != '.';
    }
    closedir(stream);
    return count;
}

static rct_model *make(const char *name, int64_t bodies)
{
    rct_family family = {.family = name, .bodies = bodies, .hinge = RCT_HINGE_BALL, .seed = 1};
    rct_model *model = rct_model_generate(&family, NULL);
    assert_non_null(model);
    return model;
}

static void expect_in(const rct_error *error, rct_status status, const char *says)
{
    assert_int_equal(error->status, status);
    if (strstr(error->text, says) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error->text, says);
    }
}

static void expect_write_error(const rct_model *model, const char *to, rct_status status,
                               const char *says)
{
    rct_error error = {.status = RCT_OK};
    assert_int_equal(rct_model_write(model, to, &error), status);
    expect_in(&error, status, says);
}

static void expect_read_error(const char *from, rct_status status, const char *says)
{
    rct_error error = {.status = RCT_OK};
    assert_null(rct_model_read(from, &error));
    expect_in(&error, status, says);
}

static void assert_holds(const char *from, const rct_model *model)
{
    rct_error error = {.text = ""};
    rct_model *back = rct_model_read(from, &error);
    assert_string_equal(error.text, "");
    assert_true(models_alike(back, model));
    rct_model_free(back);
}

static void test_what_cannot_be_read(void **state)
{
    (void)state;
    expect_read_error("/nowhere/model.json", RCT_ERROR_IO,
                      "/nowhere/model.json: cannot open the model file: No such file");
    expect_read_error(folder, RCT_ERROR_IO,
                      ": cannot read the model file: it is a directory; name a file in it");
    expect_read_error(NULL, RCT_ERROR_ARGUMENT, "`path` is NULL");
    expect_read_error("", RCT_ERROR_ARGUMENT, "no model file");
    assert_null(rct_model_read("/nowhere/model.json", NULL));
    char longest[1000];
    memset(longest, 'd', sizeof longest - 1);
    memcpy(longest + sizeof longest - 12, "/model.json", 12);
    expect_read_error(longest, RCT_ERROR_IO, "d/model.json: cannot open the model file");
}

static void test_what_cannot_be_written(void **state)
{
    (void)state;
    rct_model *model = make("chain", 5);
    expect_write_error(model, "/nowhere/model.json", RCT_ERROR_IO, "No such file");
    expect_write_error(model, folder, RCT_ERROR_IO, "Is a directory");
    expect_write_error(model, "/dev/full", RCT_ERROR_IO, "No space left");
    expect_write_error(model, NULL, RCT_ERROR_ARGUMENT, "`path` is NULL");
    expect_write_error(model, "", RCT_ERROR_ARGUMENT, "no name");
    assert_int_equal(rct_model_write(model, "/nowhere/model.json", NULL), RCT_ERROR_IO);
    model->bodies->parent[2] = 3;
    model->bodies->parent[3] = 2;
    expect_write_error(model, path, RCT_ERROR_MODEL, "cycle");
    model->count = 0;
    expect_write_error(model, path, RCT_ERROR_MODEL, "no bodies");
    assert_int_equal(count_files(), 0);
    rct_model_free(model);
}

/* A file size limit replaces a full disk: the write fails in the middle of the file. */
static void test_a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    rct_model *small = make("chain", 3);
    rct_model *large = make("random", 2000);
    assert_int_equal(rct_model_write(small, path, NULL), RCT_OK);
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    for (rlim_t limit = 0; limit < 600000; limit = 3 * limit + 1000) {
        const struct rlimit tight = {limit, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &tight);
        rct_error error;
        const rct_status status = rct_model_write(large, path, &error);
        setrlimit(RLIMIT_FSIZE, &before);
        assert_int_equal(status, RCT_ERROR_IO);
        expect_in(&error, RCT_ERROR_IO, "cannot write the file: File too large");
        assert_int_equal(count_files(), 1);
        assert_holds(path, small);
    }
    signal(SIGXFSZ, handler);
    assert_int_equal(rct_model_write(large, path, NULL), RCT_OK);
    assert_holds(path, large);
    assert_int_equal(count_files(), 1);
    rct_model_free(small);
    rct_model_free(large);
}

static void test_links_are_followed(void **state)
{
    (void)state;
    char link[96];
    snprintf(link, sizeof link, "%s/link.json", folder);
    rct_model *first = make("chain", 3);
    rct_model *second = make("star", 9);
    assert_int_equal(rct_model_write(first, path, NULL), RCT_OK);
    assert_int_equal(symlink("model.json", link), 0);
    assert_int_equal(rct_model_write(second, link, NULL), RCT_OK);
    struct stat about;
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_holds(path, second);
    assert_int_equal(unlink(path), 0); /* to what is not there yet */
    assert_int_equal(rct_model_write(first, link, NULL), RCT_OK);
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_holds(path, first);
    unlink(link);
    assert_int_equal(symlink("link.json", link), 0);
    expect_write_error(second, link, RCT_ERROR_IO, "Too many levels of symbolic links");
    unlink(link);
    rct_model_free(first);
    rct_model_free(second);
}

static void test_a_left_over_temporary_is_no_obstacle(void **state)
{
    (void)state;
    char left[128];
    snprintf(left, sizeof left, "%s.%ld-0.tmp", path, (long)getpid());
    FILE *stream = fopen(left, "w");
    assert_non_null(stream);
    fclose(stream);
    rct_model *model = make("comb", 9);
    assert_int_equal(rct_model_write(model, path, NULL), RCT_OK);
    assert_holds(path, model);
    assert_int_equal(unlink(left), 0);
    rct_model_free(model);
}

/* The usual permissions of a new file, not those of a private temporary file. */
static void test_permissions(void **state)
{
    (void)state;
    unlink(path);
    rct_model *model = make("chain", 3);
    const mode_t before = umask(027);
    assert_int_equal(rct_model_write(model, path, NULL), RCT_OK);
    umask(before);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    rct_model_free(model);
}

/* A pipe is written and read as such; /dev/fd leads to an open file, which is kept. */
static void test_pipes_and_open_files(void **state)
{
    (void)state;
    rct_model *model = make("branch", 20);
    int ends[2];
    char name[32];
    assert_int_equal(pipe(ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[1]);
    assert_int_equal(rct_model_write(model, name, NULL), RCT_OK);
    close(ends[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    assert_holds(name, model);
    close(ends[0]);

    unlink(path);
    const int descriptor = open(path, O_RDWR | O_CREAT, 0600);
    snprintf(name, sizeof name, "/dev/fd/%d", descriptor);
    assert_int_equal(rct_model_write(model, name, NULL), RCT_OK);
    struct stat about;
    assert_int_equal(fstat(descriptor, &about), 0);
    assert_true(about.st_nlink == 1 && about.st_size > 0);
    close(descriptor);
    assert_holds(path, model);
    rct_model_free(model);
}

/* In /dev/shm a file behaves as elsewhere: its contents are replaced. */
static void test_shared_memory(void **state)
{
    (void)state;
    char own[] = "/dev/shm/rct-t26-XXXXXX";
    const int descriptor = access("/dev/shm", W_OK) == 0 ? mkstemp(own) : -1;
    if (descriptor < 0) {
        skip();
    }
    close(descriptor);
    rct_model *models[2] = {make("chain", 40), make("comb", 3)};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(rct_model_write(models[i], own, NULL), RCT_OK);
        rct_model *again = rct_model_read(own, NULL);
        assert_non_null(again);
        assert_true(models_alike(models[i], again));
        rct_model_free(again);
        rct_model_free(models[i]);
    }
    unlink(own);
}

static void test_short_memory_is_an_error(void **state)
{
    (void)state;
    rct_model *model = make("random", 300); /* more than one buffer of the reader */
    rct_status status = RCT_ERROR_MEMORY;
    unlink(path);
    for (int64_t k = 0; status != RCT_OK; k++) {
        rct_allocate_fail_after(k);
        status = rct_model_write(model, path, NULL);
        rct_allocate_fail_after(-1);
        assert_true(status == RCT_OK || status == RCT_ERROR_MEMORY);
        assert_int_equal(count_files(), status == RCT_OK ? 1 : 0);
    }
    rct_model *back = NULL;
    for (int64_t k = 0; back == NULL; k++) {
        rct_error error;
        rct_allocate_fail_after(k);
        back = rct_model_read(path, &error);
        rct_allocate_fail_after(-1);
        assert_true(back != NULL || error.status == RCT_ERROR_MEMORY);
    }
    rct_model_free(back);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_cannot_be_read),
        cmocka_unit_test(test_what_cannot_be_written),
        cmocka_unit_test(test_a_full_disk_leaves_the_old_file),
        cmocka_unit_test(test_links_are_followed),
        cmocka_unit_test(test_a_left_over_temporary_is_no_obstacle),
        cmocka_unit_test(test_permissions),
        cmocka_unit_test(test_pipes_and_open_files),
        cmocka_unit_test(test_shared_memory),
        cmocka_unit_test(test_short_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
