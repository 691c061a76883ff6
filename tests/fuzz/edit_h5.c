/* HDF5 files changed on purpose (edit_h5.h). */
#include "tests/fuzz/edit_h5.h"

#include "record/file/seal.h"
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_OBJECTS = 256, NAME_SIZE = 128, MOST_VALUES = 1 << 20, HEAD_WORDS = 3 };

typedef struct objects {
    char name[MOST_OBJECTS][NAME_SIZE];
    int count;
} objects;

static const double odd[] = {0.0,   -1.0,   1.0,          2.0,           3.0,
                             7.0,   255.0,  1e9,          -1e9,          2.5,
                             1e300, 1e-300, 2147483647.0, -2147483648.0, 4294967296.0};

static herr_t add_name(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    objects *all = context;
    (void)group;
    (void)info;
    if (all->count < MOST_OBJECTS) {
        snprintf(all->name[all->count++], NAME_SIZE, "%s", name);
    }
    return 0;
}

/* Changes one number of `count` numbers of a type, to an unusual one or to other bytes. */
static void put_odd(char *values, hid_t type, size_t count, const uint8_t *edit)
{
    const size_t size = H5Tget_size(type);
    char *at = values + edit[2] % count * size;
    double x = odd[edit[3] % (sizeof odd / sizeof odd[0])];
    if (edit[3] >= 240) {
        x = edit[3] % 2 == 0 ? (double)NAN : (double)INFINITY;
    }
    if (H5Tget_class(type) == H5T_FLOAT && size == sizeof x) {
        memcpy(at, &x, sizeof x);
    } else if (H5Tget_class(type) == H5T_INTEGER && size <= sizeof(int64_t)) {
        const int64_t whole = x > -9e18 && x < 9e18 ? (int64_t)x : INT64_MAX;
        memcpy(at, &whole, size);
    } else {
        at[edit[3] % size] = (char)(edit[3] ^ 0x5a);
    }
}

typedef herr_t transfer(hid_t id, hid_t type, void *values, int write);

static herr_t of_dataset(hid_t id, hid_t type, void *values, int write)
{
    return write ? H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values)
                 : H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
}

static herr_t of_attribute(hid_t id, hid_t type, void *values, int write)
{
    return write ? H5Awrite(id, type, values) : H5Aread(id, type, values);
}

static void change_value(hid_t id, hid_t type, hid_t space, transfer *move, const uint8_t *edit)
{
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const size_t size = H5Tget_size(type);
    const int flat =
        H5Tdetect_class(type, H5T_VLEN) <= 0 && H5Tis_variable_str(type) <= 0; /* else pointers */
    if (count > 0 && (size_t)count * size <= MOST_VALUES && flat) {
        char *values = calloc((size_t)count, size);
        if (move(id, type, values, 0) >= 0) {
            put_odd(values, type, (size_t)count, edit);
            move(id, type, values, 1);
        }
        free(values);
    }
    H5Sclose(space);
    H5Tclose(type);
}

/* Replaces the object by one of another extent, or of another type. */
static void make_again(hid_t file, const char *name, const uint8_t *edit)
{
    static const hsize_t factor[] = {0, 1, 1, 2, 3}, more[] = {0, 1, 2, 0, 1};
    hsize_t extent[H5S_MAX_RANK] = {0};
    const hid_t old = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t space = H5Dget_space(old), type = H5Dget_type(old);
    const int rank = H5Sget_simple_extent_dims(space, extent, NULL);
    if (rank > 0 && edit[2] % 2 == 0) {
        hsize_t *one = &extent[edit[2] / 2 % rank];
        *one = *one * factor[edit[3] % 5] + more[edit[3] % 5];
    }
    const hid_t made[] = {type, H5T_NATIVE_DOUBLE, H5T_NATIVE_INT32, H5T_NATIVE_INT8, H5T_C_S1};
    const hid_t fresh = rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, extent, NULL);
    H5Dclose(old);
    H5Ldelete(file, name, H5P_DEFAULT);
    H5Dclose(H5Dcreate2(file, name, made[edit[2] % 2 == 0 ? 0 : edit[3] % 5], fresh, H5P_DEFAULT,
                        H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(fresh);
    H5Sclose(space);
    H5Tclose(type);
}

static void edit_dataset(hid_t file, const char *name, const uint8_t *edit)
{
    const hid_t id = H5Dopen2(file, name, H5P_DEFAULT);
    if (id < 0) {
        return; /* a group */
    }
    if (edit[1] % 8 < 5) {
        change_value(id, H5Dget_type(id), H5Dget_space(id), of_dataset, edit);
    } else {
        make_again(file, name, edit);
    }
    H5Dclose(id);
}

static void edit_attribute(hid_t file, const char *name, const uint8_t *edit)
{
    const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
    H5O_info_t about = {.num_attrs = 0};
    H5Oget_info(object, &about);
    if (about.num_attrs > 0) {
        const hsize_t number = edit[2] % about.num_attrs;
        const hid_t id = H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, number,
                                        H5P_DEFAULT, H5P_DEFAULT);
        if (edit[3] < 200) {
            change_value(id, H5Aget_type(id), H5Aget_space(id), of_attribute, edit);
        }
        H5Aclose(id);
        if (edit[3] >= 200) {
            H5Adelete_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, number, H5P_DEFAULT);
        }
    }
    H5Oclose(object);
}

static void edit_one(hid_t file, const uint8_t *edit)
{
    static objects all;
    all.count = 0;
    H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, add_name, &all);
    const char *name = all.count > 0 ? all.name[edit[0] % all.count] : "/";
    switch (edit[1] / 8 % 8) {
    case 0: H5Ldelete(file, name, H5P_DEFAULT); break;
    case 1:
        H5Lmove(file, name, file, all.name[edit[2] % (all.count + 1)], H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 2: edit_attribute(file, name, edit); break;
    case 3: edit_attribute(file, "/", edit); break;
    default: edit_dataset(file, name, edit); break;
    }
}

/* ---- the seal ----------------------------------------------------------------------------- */

static void read_ranges(int file, rct_ranges *ranges)
{
    int64_t head[HEAD_WORDS] = {0}; /* magic, end, count */
    rct_range range;
    if (pread(file, head, sizeof head, 0) == sizeof head && memcmp(head, "RCTSEAL", 7) == 0) {
        for (int64_t i = 1; i < head[2]; i++) { /* behind that of the head itself */
            if (pread(file, &range, sizeof range, head[1] + i * (int64_t)sizeof range) ==
                sizeof range) {
                rct_ranges_add(ranges, range.at, range.bytes);
            }
        }
    }
}

static void seal(const char *path, rct_ranges *ranges)
{
    rct_call call;
    struct stat about;
    const int file = open(path, O_RDWR);
    rct_call_begin(&call, path, NULL, NULL);
    fuzz_must(file >= 0 && fstat(file, &about) == 0, path);
    rct_seal_put(&call, file, (int64_t)about.st_size, ranges);
    rct_call_end(&call);
    close(file);
}

int edit_h5(const char *path, const uint8_t *edits, size_t count)
{
    rct_ranges ranges = {.count = 0};
    char magic[8] = "";
    const int bytes = open(path, O_RDONLY);
    const int sealed = pread(bytes, magic, sizeof magic, 0) == sizeof magic && magic[0] == 'R';
    read_ranges(bytes, &ranges);
    close(bytes);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    for (size_t i = 0; file >= 0 && i < count && i < MOST_EDITS; i++) {
        edit_one(file, edits + i * EDIT_BYTES);
    }
    H5Fclose(file);
    if (file >= 0 && sealed) {
        seal(path, &ranges);
    }
    rct_ranges_release(&ranges);
    return file >= 0;
}
