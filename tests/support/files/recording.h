/* Shared by the tests of the recorder: a small system, a directory of their own, reading by
 * HDF5. */
#ifndef RCT_TESTS_RECORDING_H
#define RCT_TESTS_RECORDING_H

#include <riccatree/recorder.h>

#include <hdf5.h>
#include <sys/resource.h>

enum { RECORDING_BODIES = 5, RECORDING_PATH = 512 };

/* A branching chain with a named body and a welded one, in motion. */
rct_model *recording_model(void);

/* A chain of n rods, all of them named if `named`. */
rct_model *recording_chain(int32_t n, int named);

/* A solver of the model with the default options. */
rct_solver *recording_solver(const rct_model *model);

/* cmocka group fixtures: make a directory, remove it with all its files. */
int recording_setup(void **state);
int recording_teardown(void **state);

/* DIRECTORY/name, until the next call with the same slot (0 to 3). */
const char *recording_path(int slot, const char *name);
const char *recording_directory(void);

/* Number of files in the directory, whose names contain `part` (NULL: all). */
int recording_count_files(const char *part);
void recording_remove_files(void);
int recording_tidy(void **state); /* the same after a test */

/* Reads a whole dataset of an open file. */
hid_t recording_open(const char *path);
void recording_read(hid_t file, const char *name, hid_t type, void *values);
int64_t recording_frames_written(const char *path);
int recording_complete(const char *path);

/* Fixtures of one test, in *state: the small system with options for 4 frames. recording_end also
 * removes all files and stops all deliberate failures. */
typedef struct recording {
    rct_model *model;
    rct_solver *solver;
    rct_recorder_options options;
} recording;

int recording_begin(void **state);
int recording_end(void **state);
rct_recorder *recording_create(recording *f, const char *path, rct_error *error);

/* recording_create must fail with this status and a one-line message with these words. */
void recording_refused(recording *f, const char *path, rct_status status, const char *says);

void recording_write_text(const char *path, const char *text);
void recording_expect_text(const char *path, const char *wanted);

/* Limits the size of every file to this number of bytes; RLIM_INFINITY: no limit. */
void recording_limit(rlim_t bytes);

#endif
