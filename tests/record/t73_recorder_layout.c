/* Recorder: the file on the disk. Its size is known beforehand, its space is reserved from the
 * start, and after its creation only numbers change in it. */
#include "tests/support/cmocka_all.h"
#include "tests/support/files/recording.h"

#include "record/file/seal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ROOM = 6 };

/* Makes the file of a chain; its size must be as announced. */
static void expect_announced_size(int32_t bodies, int named, int64_t frames, int with_names)
{
    struct stat found;
    const char *path = recording_path(0, "size.h5");
    rct_model *model = recording_chain(bodies, named);
    rct_solver *solver = recording_solver(model);
    rct_recorder_options options = rct_recorder_options_default();
    options.frames = frames;
    options.overwrite = 1;
    rct_recorder *recorder = rct_recorder_create(path, model, solver, &options, NULL);
    assert_non_null(recorder);
    assert_int_equal(rct_recorder_close(recorder, 0, NULL), RCT_OK);
    assert_int_equal(stat(path, &found), 0);
    const int64_t announced = rct_recorder_file_bytes(model, frames);
    assert_true(announced >= found.st_size);
    assert_true((double)(announced - found.st_size) <= 0.02 * (double)announced + 65536.0);
    assert_true((int64_t)found.st_blocks * 512 >= found.st_size); /* taken, not only promised */
    const hid_t file = recording_open(path);
    assert_int_equal(H5Lexists(file, "/model/name", H5P_DEFAULT) > 0, with_names);
    assert_true(H5Fclose(file) >= 0);
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_the_size_is_known_beforehand(void **state)
{
    (void)state;
    expect_announced_size(1, 0, 1, 0);
    expect_announced_size(3, 0, 50000, 0);
    expect_announced_size(2000, 0, 50, 0);
    expect_announced_size(700, 0, 211, 0); /* no chunks of many frames are full to the end */
    expect_announced_size(10000, 1, 10, 1);
    rct_model *model = recording_chain(3, 0);
    assert_true(rct_recorder_file_bytes(model, INT64_MAX / 2) == INT64_MAX);
    assert_true(rct_recorder_file_bytes(model, -5) == rct_recorder_file_bytes(model, 0));
    rct_model_free(model);
    model = rct_model_create(NULL, NULL); /* may be asked before it has bodies */
    assert_true(rct_recorder_file_bytes(model, 10) > 0);
    rct_model_free(model);
}

static void test_many_names_come_back(void **state)
{
    (void)state;
    enum { COUNT = 10000, WIDTH = 9 };
    expect_announced_size(COUNT, 1, 10, 1);
    char(*names)[WIDTH] = calloc(COUNT, sizeof *names);
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, WIDTH);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const hid_t file = recording_open(recording_path(0, "size.h5"));
    recording_read(file, "/model/name", type, names);
    for (int b = 0; b < COUNT; b++) {
        char wanted[32] = "";
        snprintf(wanted, sizeof wanted, "link-%d", b);
        assert_int_equal(strncmp(names[b], wanted, WIDTH), 0);
    }
    free(names);
    H5Tclose(type);
    assert_true(H5Fclose(file) >= 0);
}

static void expect_chunks(const char *name, const hsize_t *wanted, int rank)
{
    hsize_t extent[3] = {0}, chunk[3] = {0};
    const hid_t file = recording_open(recording_path(0, "size.h5"));
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t layout = H5Dget_create_plist(dataset), space = H5Dget_space(dataset);
    assert_int_equal(H5Pget_layout(layout), H5D_CHUNKED);
    assert_int_equal(H5Pget_nfilters(layout), 0);
    assert_int_equal(H5Pget_chunk(layout, 3, chunk), rank);
    H5Sget_simple_extent_dims(space, extent, NULL);
    double numbers = 1.0;
    for (int i = 0; i < rank; i++) {
        assert_int_equal(chunk[i], wanted[i]);
        numbers *= (double)extent[i];
    }
    assert_true((double)H5Dget_storage_size(dataset) <= 8.0 * numbers * (1.0 + 1.0 / 64.0));
    H5Sclose(space);
    H5Pclose(layout);
    H5Dclose(dataset);
    assert_true(H5Fclose(file) >= 0);
}

static void test_chunks_are_whole_frames_of_a_megabyte(void **state)
{
    (void)state;
    expect_announced_size(2, 0, 50, 0); /* one chunk has room for more */
    expect_chunks("/frames/orientation", (const hsize_t[]){50, 2, 4}, 3);
    expect_chunks("/frames/time", (const hsize_t[]){50}, 1);
    expect_announced_size(2, 0, 50000, 0); /* 16,384 would fit, four of 12,500 are even */
    expect_chunks("/frames/orientation", (const hsize_t[]){12500, 2, 4}, 3);
    expect_chunks("/frames/angular_momentum", (const hsize_t[]){25000, 3}, 2);
    expect_chunks("/frames/energy", (const hsize_t[]){50000}, 1);
    expect_announced_size(2000, 0, 50, 0); /* 16 would fit, but 50 is no multiple of 16 to 11 */
    expect_chunks("/frames/orientation", (const hsize_t[]){10, 2000, 4}, 3);
    expect_announced_size(40000, 0, 3, 0); /* a frame is larger than a megabyte */
    expect_chunks("/frames/orientation", (const hsize_t[]){1, 40000, 4}, 3);
}

/* Ten frames per chunk: those before, at and after the border are the states, unwritten ones are
 * NaN. */
static void test_frames_cross_chunks(void **state)
{
    (void)state;
    enum { COUNT = 2000, WIDTH = 4, FRAMES = 50, WRITTEN = 12, ROW = COUNT * WIDTH };
    const char *path = recording_path(0, "size.h5");
    rct_model *model = recording_chain(COUNT, 0);
    rct_solver *solver = recording_solver(model);
    rct_recorder_options options = rct_recorder_options_default();
    options.frames = FRAMES;
    options.overwrite = 1;
    rct_recorder *recorder = rct_recorder_create(path, model, solver, &options, NULL);
    assert_non_null(recorder);
    double *wanted = calloc((size_t)WRITTEN * ROW, sizeof *wanted);
    double *got = calloc((size_t)FRAMES * ROW, sizeof *got);
    for (int k = 0; k < WRITTEN; k++) {
        rct_solver_get_state(solver, wanted + (ptrdiff_t)k * ROW, NULL, NULL, NULL);
        assert_int_equal(rct_recorder_write(recorder, solver, NULL, NULL), RCT_OK);
        assert_int_equal(rct_solver_step(solver, 0.001, 1, NULL), RCT_OK);
    }
    assert_int_equal(rct_recorder_close(recorder, 0, NULL), RCT_OK);
    const hid_t file = recording_open(path);
    recording_read(file, "/frames/orientation", H5T_NATIVE_DOUBLE, got);
    assert_true(H5Fclose(file) >= 0);
    assert_memory_equal(got, wanted, (size_t)WRITTEN * ROW * sizeof *got);
    for (int i = WRITTEN * ROW; i < FRAMES * ROW; i++) {
        assert_true(isnan(got[i]));
    }
    free(wanted);
    free(got);
    rct_solver_free(solver);
    rct_model_free(model);
}

/* A frame larger than 2 MiB: its bodies are in two chunks. */
static void test_a_huge_frame_is_split(void **state)
{
    (void)state;
    enum { COUNT = 70001, WIDTH = 4 };
    const char *path = recording_path(0, "size.h5");
    rct_model *model = recording_chain(COUNT, 0);
    rct_solver *solver = recording_solver(model);
    rct_recorder_options options = rct_recorder_options_default();
    options.overwrite = 1;
    rct_recorder *recorder = rct_recorder_create(path, model, solver, &options, NULL);
    assert_non_null(recorder);
    double *wanted = calloc((size_t)COUNT * WIDTH, sizeof *wanted);
    double *got = calloc((size_t)COUNT * WIDTH, sizeof *got);
    assert_int_equal(rct_solver_step(solver, 0.001, 1, NULL), RCT_OK);
    rct_solver_get_state(solver, wanted, NULL, NULL, NULL);
    assert_int_equal(rct_recorder_write(recorder, solver, NULL, NULL), RCT_OK);
    assert_int_equal(rct_recorder_close(recorder, 1, NULL), RCT_OK);
    expect_chunks("/frames/orientation", (const hsize_t[]){1, 35001, 4}, 3);
    expect_chunks("/frames/position", (const hsize_t[]){1, COUNT, 3}, 3);
    const hid_t file = recording_open(path);
    recording_read(file, "/frames/orientation", H5T_NATIVE_DOUBLE, got);
    assert_true(H5Fclose(file) >= 0);
    assert_memory_equal(got, wanted, (size_t)COUNT * WIDTH * sizeof *got);
    free(wanted);
    free(got);
    rct_solver_free(solver);
    rct_model_free(model);
    recording_remove_files();
}

static int64_t read_bytes(const char *path, unsigned char *bytes, int64_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const int64_t got = (int64_t)fread(bytes, 1, (size_t)size, file);
    fclose(file);
    return got;
}

typedef struct marks {
    unsigned char *bytes; /* bytes of the file that are raw data of a dataset: 1 */
} marks;

static void mark(const marks *m, haddr_t at, hsize_t size)
{
    assert_true(at != HADDR_UNDEF && at % 8 == 0); /* a counter is never torn by a page */
    memset(m->bytes + at, 1, (size_t)size);
}

static void mark_chunks(const marks *m, hid_t dataset)
{
    hsize_t count = 0;
    hid_t space = H5Dget_space(dataset);
    assert_true(H5Dget_num_chunks(dataset, space, &count) >= 0);
    assert_true(count > 0);
    for (hsize_t k = 0; k < count; k++) {
        haddr_t at = HADDR_UNDEF;
        hsize_t size = 0;
        assert_true(H5Dget_chunk_info(dataset, space, k, NULL, NULL, &at, &size) >= 0);
        mark(m, at + RCT_SEAL_BYTES, size); /* counted from the beginning of HDF5 */
    }
    H5Sclose(space);
}

static int is_chunked(hid_t dataset)
{
    hid_t layout = H5Dget_create_plist(dataset);
    const int chunked = H5Pget_layout(layout) == H5D_CHUNKED;
    H5Pclose(layout);
    return chunked;
}

static herr_t mark_raw(hid_t root, const char *name, const H5O_info_t *info, void *data)
{
    const marks *m = data;
    const int counter = strcmp(name, "frames_written") == 0 || strcmp(name, "complete") == 0;
    if (info->type == H5O_TYPE_DATASET && (counter || strncmp(name, "frames/", 7) == 0)) {
        const hid_t dataset = H5Dopen2(root, name, H5P_DEFAULT);
        if (counter || strcmp(name, "frames/checksum") == 0) {
            mark(m, H5Dget_offset(dataset), H5Dget_storage_size(dataset));
        } else if (is_chunked(dataset)) { /* the scales of dimensions are not */
            mark_chunks(m, dataset);
        }
        H5Dclose(dataset);
    }
    return 0;
}

static void test_only_numbers_change_after_creation(void **state)
{
    (void)state;
    enum { SIZE = 1 << 18 };
    const char *path = recording_path(0, "fixed.h5");
    unsigned char *before = malloc(SIZE), *after = malloc(SIZE), *raw = calloc(SIZE, 1);
    rct_model *model = recording_model();
    rct_solver *solver = recording_solver(model);
    rct_recorder_options options = rct_recorder_options_default();
    options.frames = ROOM;
    rct_recorder *recorder = rct_recorder_create(path, model, solver, &options, NULL);
    const int64_t size = read_bytes(path, before, SIZE);
    assert_true(size > 0 && size < SIZE);
    for (int k = 0; k < ROOM; k++) {
        assert_int_equal(rct_recorder_write(recorder, solver, NULL, NULL), RCT_OK);
    }
    assert_int_equal(rct_recorder_close(recorder, 1, NULL), RCT_OK);
    assert_int_equal(read_bytes(path, after, SIZE), size);
    const hid_t file = recording_open(path);
    H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, mark_raw, &(marks){raw}, H5O_INFO_BASIC);
    assert_true(H5Fclose(file) >= 0);
    memset(raw + 32, 1, 32); /* the counters of the seal */
    for (int64_t i = 0; i < size; i++) {
        assert_true(before[i] == after[i] || raw[i] == 1);
    }
    assert_int_equal(before[RCT_SEAL_BYTES + 8],
                     0); /* superblock version 0: no mark that the file is open */
    rct_solver_free(solver);
    rct_model_free(model);
    free(before);
    free(after);
    free(raw);
}

static void test_it_may_be_read_while_it_is_written(void **state)
{
    (void)state;
    const char *path = recording_path(0, "live.h5");
    rct_model *model = recording_model();
    rct_solver *solver = recording_solver(model);
    rct_recorder_options options = rct_recorder_options_default();
    options.frames = ROOM;
    rct_recorder *recorder = rct_recorder_create(path, model, solver, &options, NULL);
    for (int k = 0; k < ROOM; k++) {
        assert_int_equal(recording_frames_written(path), k);
        assert_int_equal(rct_recorder_write(recorder, solver, NULL, NULL), RCT_OK);
    }
    assert_int_equal(recording_complete(path), 0);
    assert_int_equal(rct_recorder_close(recorder, 1, NULL), RCT_OK);
    assert_int_equal(recording_complete(path), 1);
    rct_solver_free(solver);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_size_is_known_beforehand),
        cmocka_unit_test(test_many_names_come_back),
        cmocka_unit_test(test_chunks_are_whole_frames_of_a_megabyte),
        cmocka_unit_test(test_frames_cross_chunks),
        cmocka_unit_test(test_a_huge_frame_is_split),
        cmocka_unit_test(test_only_numbers_change_after_creation),
        cmocka_unit_test(test_it_may_be_read_while_it_is_written),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
