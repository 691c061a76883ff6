/* Recorder: the file on the disk. Its size is known beforehand, its space taken from the start, and
 * after its creation nothing changes in it but numbers. */
#include "cmocka_all.h"
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ROOM = 6 };

/* Make the file of a chain; its size must be as announced. */
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
    expect_announced_size(10000, 1, 10, 1);
    rct_model *model = recording_chain(3, 0);
    assert_true(rct_recorder_file_bytes(model, INT64_MAX / 2) == INT64_MAX);
    assert_true(rct_recorder_file_bytes(model, -5) == rct_recorder_file_bytes(model, 0));
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

static herr_t mark_raw(hid_t root, const char *name, const H5O_info_t *info, void *data)
{
    marks *m = data;
    const int counter = strcmp(name, "frames_written") == 0 || strcmp(name, "complete") == 0;
    if (info->type == H5O_TYPE_DATASET && (counter || strncmp(name, "frames/", 7) == 0)) {
        const hid_t dataset = H5Dopen2(root, name, H5P_DEFAULT);
        const haddr_t at = H5Dget_offset(dataset);
        assert_true(at != HADDR_UNDEF && at % 8 == 0); /* a counter is never torn by a page */
        memset(m->bytes + at, 1, (size_t)H5Dget_storage_size(dataset));
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
    memset(raw + 20, 1, 4); /* consistency flags, which version 0 of the superblock ignores */
    for (int64_t i = 0; i < size; i++) {
        assert_true(before[i] == after[i] || raw[i] == 1);
    }
    assert_int_equal(before[8], 0); /* superblock version 0: no mark that the file is open */
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
        cmocka_unit_test(test_only_numbers_change_after_creation),
        cmocka_unit_test(test_it_may_be_read_while_it_is_written),
    };
    return cmocka_run_group_tests(tests, recording_setup, recording_teardown);
}
