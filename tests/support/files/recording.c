/* Shared by the tests of the recorder (recording.h). */
#include "tests/support/files/recording.h"

#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "record/file/call.h"
#include "record/file/disk.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char directory[RECORDING_PATH / 2];

static rct_body rod(int32_t parent)
{
    rct_body body = rct_body_default();
    body.parent = parent;
    body.hinge_at[2] = parent == RCT_GROUND ? 10.0 : -1.0;
    body.mass = 1.5;
    body.com[2] = -0.5;
    body.inertia[0] = body.inertia[1] = 0.125;
    body.inertia[2] = 0.001;
    return body;
}

rct_model *recording_model(void)
{
    rct_model *model = rct_model_create("small", NULL);
    const int32_t parents[RECORDING_BODIES] = {RCT_GROUND, 0, 1, 2, 1};
    for (int i = 0; i < RECORDING_BODIES; i++) {
        rct_body body = rod(parents[i]);
        body.angular_velocity[0] = 0.25 * i;
        body.angular_velocity[1] = 1.0 - 0.5 * i;
        body.orientation[1] = 0.125 * i;
        if (i == 0) {
            body.name = "première"; /* not only ASCII */
        }
        if (i == 2) {
            body.hinge = RCT_HINGE_FIXED;
            memcpy(body.hinge_orientation, (const double[]){0.6, 0.0, 0.8, 0.0},
                   sizeof body.hinge_orientation);
            memset(body.angular_velocity, 0, sizeof body.angular_velocity);
            memcpy(body.orientation, (const double[]){1.0, 0.0, 0.0, 0.0}, sizeof body.orientation);
        }
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    assert_int_equal(rct_model_set_gravity(model, (const double[]){0.5, 0.0, -9.0}, NULL), RCT_OK);
    return model;
}

rct_model *recording_chain(int32_t n, int named)
{
    rct_model *model = rct_model_create(NULL, NULL);
    for (int32_t i = 0; i < n; i++) {
        char name[32];
        snprintf(name, sizeof name, "link-%d", (int)i);
        rct_body body = rod(i - 1);
        body.name = named ? name : NULL;
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    return model;
}

rct_solver *recording_solver(const rct_model *model)
{
    rct_solver *solver = rct_solver_create(model, NULL, NULL);
    assert_non_null(solver);
    return solver;
}

int recording_setup(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%.200s/riccatree-XXXXXX", base != NULL ? base : "/tmp");
    return mkdtemp(directory) != NULL ? 0 : -1;
}

int recording_teardown(void **state)
{
    (void)state;
    recording_remove_files();
    return rmdir(directory);
}

const char *recording_directory(void)
{
    return directory;
}

const char *recording_path(int slot, const char *name)
{
    static char paths[4][RECORDING_PATH];
    snprintf(paths[slot], RECORDING_PATH, "%s/%s", directory, name);
    return paths[slot];
}

static int for_each_file(const char *part, int delete)
{
    int count = 0;
    DIR *open = opendir(directory);
    assert_non_null(open);
    for (struct dirent *entry = readdir(open); entry != NULL; entry = readdir(open)) {
        if (entry->d_name[0] != '.' && (part == NULL || strstr(entry->d_name, part) != NULL)) {
            count++;
            if (delete) {
                unlinkat(dirfd(open), entry->d_name, 0);
            }
        }
    }
    closedir(open);
    return count;
}

int recording_count_files(const char *part)
{
    return for_each_file(part, 0);
}

void recording_remove_files(void)
{
    for_each_file(NULL, 1);
}

int recording_tidy(void **state)
{
    (void)state;
    recording_remove_files();
    return 0;
}

hid_t recording_open(const char *path)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

void recording_read(hid_t file, const char *name, hid_t type, void *values)
{
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(dataset >= 0);
    assert_true(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    assert_true(H5Dclose(dataset) >= 0);
}

int64_t recording_frames_written(const char *path)
{
    int64_t count = -1;
    const hid_t file = recording_open(path);
    recording_read(file, "/frames_written", H5T_NATIVE_INT64, &count);
    assert_true(H5Fclose(file) >= 0);
    return count;
}

int recording_complete(const char *path)
{
    int complete = -1;
    const hid_t file = recording_open(path);
    recording_read(file, "/complete", H5T_NATIVE_INT, &complete);
    assert_true(H5Fclose(file) >= 0);
    return complete;
}

int recording_begin(void **state)
{
    recording *f = calloc(1, sizeof *f);
    f->model = recording_model();
    f->solver = recording_solver(f->model);
    f->options = rct_recorder_options_default();
    f->options.frames = 4;
    *state = f;
    return 0;
}

int recording_end(void **state)
{
    recording *f = *state;
    rct_allocate_fail_after(-1);
    rct_call_fail_after(-1);
    rct_disk_fail_after(-1);
    rct_solver_free(f->solver);
    rct_model_free(f->model);
    free(f);
    recording_remove_files();
    return 0;
}

rct_recorder *recording_create(recording *f, const char *path, rct_error *error)
{
    return rct_recorder_create(path, f->model, f->solver, &f->options, error);
}

void recording_refused(recording *f, const char *path, rct_status status, const char *says)
{
    rct_error error = {.status = RCT_OK};
    assert_null(recording_create(f, path, &error));
    assert_int_equal(error.status, status);
    if (strstr(error.text, says) == NULL || strchr(error.text, '\n') != NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error.text, says);
    }
}

void recording_write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

void recording_expect_text(const char *path, const char *wanted)
{
    char text[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, wanted);
}

void recording_limit(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, bytes == RLIM_INFINITY ? SIG_DFL : SIG_IGN);
}
