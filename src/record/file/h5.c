/* The HDF5 calls of the recorder. Numbers go straight to the file: the driver (disk.c) has no
 * sieve buffer and the series have no chunk cache, so a frame writes its own bytes, not those of
 * its chunk. */
#include "record/file/h5.h"

#include "record/file/seal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ALIGNMENT = 8 }; /* bytes, so that no number straddles two pages of the file */

void rct_h5_close(rct_call *call, hid_t *id)
{
    if (*id < 0) {
        return;
    }
    herr_t result = -1;
    const int go = rct_call_go(call);
    switch (H5Iget_type(*id)) {
    case H5I_FILE: result = H5Fclose(*id); break;
    case H5I_GROUP: result = H5Gclose(*id); break;
    case H5I_DATASET: result = H5Dclose(*id); break;
    case H5I_DATASPACE: result = H5Sclose(*id); break;
    case H5I_DATATYPE: result = H5Tclose(*id); break;
    case H5I_ATTR: result = H5Aclose(*id); break;
    case H5I_VFL: result = H5FDunregister(*id); break;
    default: result = H5Pclose(*id); break;
    }
    *id = -1;
    rct_call_hdf5(call, go ? result : -1, "close a part of the file");
}

/* The format of the earliest version: its superblock has no mark "open for writing", which would
 * keep others from opening the file of a killed process. */
static hid_t file_access(rct_call *call, hid_t *driver)
{
    const char *what = "set up HDF5";
    hid_t access = RCT_TRY(call, what, H5Pcreate(H5P_FILE_ACCESS));
    *driver = RCT_TRY(call, what, H5FDregister(&rct_disk_driver));
    RCT_TRY(call, what, H5Pset_driver(access, *driver, &call->disk));
    RCT_TRY(call, what, H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18));
    RCT_TRY(call, what, H5Pset_alignment(access, 1, ALIGNMENT));
    return access;
}

hid_t rct_h5_create_file(rct_call *call, const char *path, hid_t *driver)
{
    hid_t access = file_access(call, driver);
    hid_t creation = RCT_TRY(call, "set up HDF5", H5Pcreate(H5P_FILE_CREATE));
    RCT_TRY(call, "set up HDF5", H5Pset_userblock(creation, RCT_SEAL_BYTES));
    hid_t file = RCT_TRY(call, "create the file", H5Fcreate(path, H5F_ACC_TRUNC, creation, access));
    rct_h5_close(call, &creation);
    rct_h5_close(call, &access);
    return file;
}

hid_t rct_h5_open_file(rct_call *call, const char *path, unsigned flags, hid_t *driver)
{
    hid_t access = file_access(call, driver);
    hid_t file = RCT_TRY(call, "open the file", H5Fopen(path, flags, access));
    rct_h5_close(call, &access);
    return file;
}

/* Without a lock, because the file may still be written. */
hid_t rct_h5_open_to_read(rct_call *call, const char *path)
{
    return RCT_TRY(call, "open the file", H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT));
}

static hid_t create_space(rct_call *call, int rank, const int64_t *extent)
{
    hsize_t size[RCT_H5_RANK] = {0};
    for (int i = 0; i < rank; i++) {
        size[i] = (hsize_t)extent[i];
    }
    return RCT_TRY(call, "describe the shape of a dataset", H5Screate_simple(rank, size, NULL));
}

hid_t rct_h5_text_type(rct_call *call, int64_t bytes)
{
    const char *what = "describe a text";
    hid_t type = RCT_TRY(call, what, H5Tcopy(H5T_C_S1));
    RCT_TRY(call, what, H5Tset_size(type, (size_t)bytes));
    RCT_TRY(call, what, H5Tset_strpad(type, H5T_STR_NULLPAD));
    RCT_TRY(call, what, H5Tset_cset(type, H5T_CSET_UTF8));
    return type;
}

hid_t rct_h5_enum_type(rct_call *call)
{
    return RCT_TRY(call, "describe an enumeration", H5Tenum_create(H5T_NATIVE_INT8));
}

void rct_h5_put_member(rct_call *call, hid_t type, const char *name, int8_t value)
{
    RCT_TRY(call, "describe an enumeration", H5Tenum_insert(type, name, &value));
}

void rct_h5_extent(rct_call *call, hid_t dataset, int64_t extent[RCT_H5_RANK])
{
    const char *what = "ask for the shape of a dataset";
    hsize_t size[RCT_H5_RANK] = {0};
    hid_t space = RCT_TRY(call, what, H5Dget_space(dataset));
    const int64_t rank = RCT_TRY(call, what, H5Sget_simple_extent_ndims(space));
    RCT_TRY(call, what, rank <= RCT_H5_RANK ? H5Sget_simple_extent_dims(space, size, NULL) : -1);
    for (int i = 0; i < RCT_H5_RANK; i++) {
        extent[i] = (int64_t)size[i];
    }
    rct_h5_close(call, &space);
}

void rct_h5_extent_of(rct_call *call, hid_t file, const char *name, int64_t extent[RCT_H5_RANK])
{
    hid_t dataset = rct_h5_open_dataset(call, file, name);
    rct_h5_extent(call, dataset, extent);
    rct_h5_close(call, &dataset);
}

/* The layout of a dataset in the file. All space of an uncompressed dataset is allocated when it
 * is made, with the index of its chunks. */
static hid_t create_layout(rct_call *call, const rct_table *table)
{
    const char *what = "describe the layout of a dataset";
    const double unwritten = NAN;
    hsize_t chunk[RCT_H5_RANK] = {0};
    for (int i = 0; i < table->rank; i++) {
        chunk[i] = (hsize_t)table->chunk[i];
    }
    hid_t layout = RCT_TRY(call, what, H5Pcreate(H5P_DATASET_CREATE));
    RCT_TRY(call, what, H5Pset_obj_track_times(layout, 0));
    if (chunk[0] > 0) {
        RCT_TRY(call, what, H5Pset_chunk(layout, table->rank, chunk));
    }
    if (table->compressed) {
        RCT_TRY(call, what, H5Pset_shuffle(layout));
        RCT_TRY(call, what, H5Pset_deflate(layout, 6));
    } else {
        RCT_TRY(call, what, H5Pset_alloc_time(layout, H5D_ALLOC_TIME_EARLY));
    }
    if (table->reserved) {
        RCT_TRY(call, what, H5Pset_fill_value(layout, H5T_NATIVE_DOUBLE, &unwritten));
        RCT_TRY(call, what, H5Pset_fill_time(layout, H5D_FILL_TIME_ALLOC));
    }
    return layout;
}

/* How it is written. HDF5 does not cache a chunk larger than the cache: it writes the given part
 * in place. With a cache, each frame would read a chunk, or the flush would write one whole. */
static hid_t create_access(rct_call *call, int uncached)
{
    const char *what = "describe the access to a dataset";
    hid_t access = RCT_TRY(call, what, H5Pcreate(H5P_DATASET_ACCESS));
    if (uncached) {
        RCT_TRY(call, what, H5Pset_chunk_cache(access, 0, 0, H5D_CHUNK_CACHE_W0_DEFAULT));
    }
    return access;
}

hid_t rct_h5_create_dataset(rct_call *call, hid_t parent, hid_t type, const rct_table *table)
{
    hid_t space = create_space(call, table->rank, table->extent);
    hid_t layout = create_layout(call, table);
    hid_t access = create_access(call, table->reserved);
    hid_t dataset =
        RCT_TRY(call, "create a dataset",
                H5Dcreate2(parent, table->name, type, space, H5P_DEFAULT, layout, access));
    rct_h5_put_text(call, dataset, "unit", table->unit);
    rct_h5_put_text(call, dataset, "frame", table->axes);
    rct_h5_put_text(call, dataset, "description", table->description);
    rct_h5_close(call, &access);
    rct_h5_close(call, &layout);
    rct_h5_close(call, &space);
    return dataset;
}

hid_t rct_h5_open_dataset(rct_call *call, hid_t parent, const char *name)
{
    hid_t access = create_access(call, 1);
    hid_t dataset = RCT_TRY(call, "open a dataset", H5Dopen2(parent, name, access));
    rct_h5_close(call, &access);
    return dataset;
}

static int has_shape(rct_call *call, hid_t dataset, const rct_table *table)
{
    int64_t extent[RCT_H5_RANK] = {0};
    int same = 1;
    rct_h5_extent(call, dataset, extent);
    for (int i = 0; i < RCT_H5_RANK; i++) {
        same = same && extent[i] == (i < table->rank ? table->extent[i] : 0);
    }
    return same;
}

hid_t rct_h5_open_shaped(rct_call *call, hid_t parent, const rct_table *table)
{
    char shape[RCT_H5_RANK * 24] = "";
    hid_t dataset = rct_h5_open_dataset(call, parent, table->name);
    if (!has_shape(call, dataset, table)) {
        for (int i = 0; i < table->rank; i++) {
            const size_t used = strlen(shape);
            snprintf(shape + used, sizeof shape - used, "[%" PRId64 "]", table->extent[i]);
        }
        rct_call_fail(call, RCT_ERROR_IO, "its dataset %s has another shape than %s", table->name,
                      table->rank > 0 ? shape : "one value");
    }
    return dataset;
}

hid_t rct_h5_type(rct_call *call, hid_t dataset)
{
    return RCT_TRY(call, "read numbers", H5Dget_type(dataset));
}

void rct_h5_read(rct_call *call, hid_t dataset, hid_t type, void *values)
{
    RCT_TRY(call, "read numbers", H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
}

void rct_h5_write(rct_call *call, hid_t dataset, hid_t type, const void *values)
{
    RCT_TRY(call, "write numbers", H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
}

void rct_h5_put_dataset(rct_call *call, hid_t parent, hid_t type, const rct_table *table,
                        const void *values)
{
    hid_t dataset = rct_h5_create_dataset(call, parent, type, table);
    rct_h5_write(call, dataset, type, values);
    rct_h5_close(call, &dataset);
}

void rct_h5_get_dataset(rct_call *call, hid_t parent, hid_t type, const rct_table *table,
                        void *values)
{
    hid_t dataset = rct_h5_open_shaped(call, parent, table);
    rct_h5_read(call, dataset, type, values);
    rct_h5_close(call, &dataset);
}

/* The rows of a dataset, in the file and in memory. */
typedef struct block {
    hid_t in_file, in_memory;
} block;

static block open_block(rct_call *call, hid_t dataset, const rct_table *table, int64_t first,
                        int64_t count)
{
    const char *what = "find a block";
    const hsize_t start[RCT_H5_RANK] = {(hsize_t)first, 0, 0};
    hsize_t size[RCT_H5_RANK] = {0};
    int64_t extent[RCT_H5_RANK];
    memcpy(extent, table->extent, sizeof extent);
    extent[0] = count;
    for (int i = 0; i < RCT_H5_RANK; i++) {
        size[i] = (hsize_t)extent[i];
    }
    const block rows = {.in_memory = create_space(call, table->rank, extent),
                        .in_file = RCT_TRY(call, what, H5Dget_space(dataset))};
    RCT_TRY(call, what, H5Sselect_hyperslab(rows.in_file, H5S_SELECT_SET, start, NULL, size, NULL));
    return rows;
}

static void close_block(rct_call *call, block *rows)
{
    rct_h5_close(call, &rows->in_file);
    rct_h5_close(call, &rows->in_memory);
}

void rct_h5_write_block(rct_call *call, hid_t dataset, hid_t type, const rct_table *table,
                        int64_t first, int64_t count, const void *values)
{
    block rows = open_block(call, dataset, table, first, count);
    RCT_TRY(call, "write numbers",
            H5Dwrite(dataset, type, rows.in_memory, rows.in_file, H5P_DEFAULT, values));
    close_block(call, &rows);
}

void rct_h5_read_block(rct_call *call, hid_t dataset, hid_t type, const rct_table *table,
                       int64_t first, int64_t count, void *values)
{
    block rows = open_block(call, dataset, table, first, count);
    RCT_TRY(call, "read numbers",
            H5Dread(dataset, type, rows.in_memory, rows.in_file, H5P_DEFAULT, values));
    close_block(call, &rows);
}

void rct_h5_write_rows(rct_call *call, hid_t dataset, hid_t type, int64_t first, int64_t count,
                       const void *values)
{
    const rct_table narrow = {.rank = 1};
    rct_h5_write_block(call, dataset, type, &narrow, first, count, values);
}

void rct_h5_chunk(rct_call *call, hid_t dataset, int64_t chunk[RCT_H5_RANK])
{
    const char *what = "ask for the chunks of a dataset";
    hsize_t size[RCT_H5_RANK] = {0};
    hid_t layout = RCT_TRY(call, what, H5Dget_create_plist(dataset));
    rct_h5_extent(call, dataset, chunk);
    if (call->status == RCT_OK && H5Pget_layout(layout) == H5D_CHUNKED) {
        RCT_TRY(call, what, H5Pget_chunk(layout, RCT_H5_RANK, size));
        for (int i = 0; i < RCT_H5_RANK; i++) {
            chunk[i] = (int64_t)size[i];
        }
    }
    rct_h5_close(call, &layout);
}

/* HDF5 finds a chunk by counting through all. But it reads the number where it is, and the
 * driver sees where that is. */
int64_t rct_h5_place(rct_call *call, hid_t dataset, const int64_t index[RCT_H5_RANK])
{
    const char *what = "find the place of a frame";
    const hsize_t start[RCT_H5_RANK] = {(hsize_t)index[0], (hsize_t)index[1], (hsize_t)index[2]};
    const hsize_t one[RCT_H5_RANK] = {1, 1, 1};
    double number;
    hid_t in_memory = RCT_TRY(call, what, H5Screate(H5S_SCALAR));
    hid_t in_file = RCT_TRY(call, what, H5Dget_space(dataset));
    RCT_TRY(call, what, H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, one, NULL));
    call->disk->read_at = -1;
    RCT_TRY(call, what,
            H5Dread(dataset, H5T_NATIVE_DOUBLE, in_memory, in_file, H5P_DEFAULT, &number));
    if (call->disk->read_at < 0) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is damaged: it has no place for a frame; take an older copy");
    }
    rct_h5_close(call, &in_file);
    rct_h5_close(call, &in_memory);
    return call->disk->read_at;
}

void rct_h5_flush(rct_call *call, hid_t file)
{
    RCT_TRY(call, "bring it to the disk", H5Fflush(file, H5F_SCOPE_GLOBAL));
}

int64_t rct_h5_offset(rct_call *call, hid_t dataset)
{
    const haddr_t at = rct_call_go(call) ? H5Dget_offset(dataset) : HADDR_UNDEF;
    rct_call_hdf5(call, at == HADDR_UNDEF ? -1 : 0, "find the place of a dataset");
    return (int64_t)at;
}

void rct_h5_add_range(rct_call *call, rct_ranges *ranges, hid_t dataset, int64_t bytes)
{
    const int64_t at = rct_h5_offset(call, dataset);
    if (call->status == RCT_OK && rct_ranges_add(ranges, at, bytes) != 0) {
        rct_call_fail(call, RCT_ERROR_MEMORY, "out of memory for its seal; free some");
    }
}

int64_t rct_h5_file_size(rct_call *call, hid_t file)
{
    hsize_t size = 0;
    RCT_TRY(call, "ask for the size of the file", H5Fget_filesize(file, &size));
    return (int64_t)size;
}
