/* The HDF5 calls of the recorder, each checked as a step of an rct_call. */
#ifndef RCT_RECORD_FILE_H5_H
#define RCT_RECORD_FILE_H5_H

#include "record/file/call.h"

/* A step: `expression` is evaluated only if no earlier step failed. */
#define RCT_TRY(call, what, expression)                                                            \
    rct_call_hdf5(call, rct_call_go(call) ? (expression) : -1, what)

enum { RCT_H5_RANK = 3 }; /* largest rank of a dataset */

/* A dataset to be made. */
typedef struct rct_table {
    const char *name;
    int rank; /* 0: a single value                                                             */
    int64_t extent[RCT_H5_RANK];
    int64_t chunk[RCT_H5_RANK]; /* extent of a chunk; first number 0: one block in the file     */
    int compressed; /* 1: chunks are compressed, and placed when they are written               */
    int reserved;   /* 1: doubles, filled with NaN now, so that the disk space is taken         */
    const char *unit, *axes, *description; /* attributes unit, frame and description            */
} rct_table;

/* Ids below are < 0 on failure. rct_h5_close closes any id, does nothing for an id < 0, and sets
 * the id to -1. It closes also after an earlier step has failed. */
/* Create the file on call->disk empty, with room for a seal before HDF5; or open it unchanged,
 * H5F_ACC_RDWR or H5F_ACC_RDONLY. Close the driver after the file, because HDF5 reads the driver
 * once more after closing. */
hid_t rct_h5_create_file(rct_call *call, const char *path, hid_t *driver);
hid_t rct_h5_open_file(rct_call *call, const char *path, unsigned flags, hid_t *driver);

hid_t rct_h5_open_group(rct_call *call, hid_t parent, const char *name);
hid_t rct_h5_open_to_read(rct_call *call,
                          const char *path); /* wherever it lies, not on call->disk */
hid_t rct_h5_open_dataset(rct_call *call, hid_t parent, const char *name);
hid_t rct_h5_open_shaped(rct_call *call, hid_t parent, const rct_table *table); /* of this shape */
hid_t rct_h5_type(rct_call *call, hid_t dataset);
hid_t rct_h5_create_group(rct_call *call, hid_t parent, const char *name);
hid_t rct_h5_create_dataset(rct_call *call, hid_t parent, hid_t type, const rct_table *table);

/* Create a dataset, write all of it, and close it. */
void rct_h5_put_dataset(rct_call *call, hid_t parent, hid_t type, const rct_table *table,
                        const void *values);

/* Open a dataset, which must have this shape, read all of it, and close it. */
void rct_h5_get_dataset(rct_call *call, hid_t parent, hid_t type, const rct_table *table,
                        void *values);

/* All texts of a dataset of `count`, or of its single text, `size` bytes each with the zero
 * behind it; free by rct_release. And `count` texts from row `first` on of an open dataset of
 * rank 1, all if `count` < 0. */
char *rct_h5_get_texts(rct_call *call, hid_t parent, const char *name, int64_t count,
                       int64_t *size);
char *rct_h5_get_rows(rct_call *call, hid_t dataset, int64_t first, int64_t count, int64_t *size);
hid_t rct_h5_text_type(rct_call *call, int64_t bytes); /* UTF-8, padded with zeros */
hid_t rct_h5_enum_type(rct_call *call);                /* of int8_t */
void rct_h5_put_member(rct_call *call, hid_t type, const char *name, int8_t value);
void rct_h5_close(rct_call *call, hid_t *id);

/* Write attributes. `count` 0: a single value. */
void rct_h5_put_text(rct_call *call, hid_t object, const char *name, const char *text);
void rct_h5_put_values(rct_call *call, hid_t object, const char *name, hid_t type, int64_t count,
                       const void *values);

/* Whether there is an attribute with exactly this text, or these `bytes` of numbers. */
int rct_h5_has_text(rct_call *call, hid_t object, const char *name, const char *text);
int rct_h5_has_values(rct_call *call, hid_t object, const char *name, hid_t type, int64_t bytes,
                      const void *values);

int rct_h5_has_attribute(rct_call *call, hid_t object, const char *name);
int rct_h5_has_group(rct_call *call, hid_t file, const char *name); /* and not a dataset */

/* The name of link `number` of a group, or of attribute `number` of a group, cut if it is too long;
 * 0: there are no more. */
enum { RCT_H5_NAME = 64 };
int rct_h5_link_name(rct_call *call, hid_t group, int64_t number, char name[RCT_H5_NAME]);
int rct_h5_attribute_name(rct_call *call, hid_t group, int64_t number, char name[RCT_H5_NAME]);

/* Read attributes: a single value, or `count` values. A text has at most `size` - 1 bytes; the
 * rest is cut. */
void rct_h5_get_text(rct_call *call, hid_t object, const char *name, int64_t size, char *text);
void rct_h5_get_values(rct_call *call, hid_t object, const char *name, hid_t type, void *values);
void rct_h5_get_vector(rct_call *call, hid_t object, const char *name, int64_t count,
                       double *vector);

/* The extent of a dataset of rank 1 to RCT_H5_RANK, open or by name; and whether it exists. */
void rct_h5_extent(rct_call *call, hid_t dataset, int64_t extent[RCT_H5_RANK]);
void rct_h5_extent_of(rct_call *call, hid_t file, const char *name, int64_t extent[RCT_H5_RANK]);
int rct_h5_has(rct_call *call, hid_t file, const char *name);

/* Read a whole dataset, write a whole one, or write `count` rows of one of rank 1 from row
 * `first` on. */
void rct_h5_read(rct_call *call, hid_t dataset, hid_t type, void *values);
void rct_h5_write(rct_call *call, hid_t dataset, hid_t type, const void *values);
void rct_h5_write_rows(rct_call *call, hid_t dataset, hid_t type, int64_t first, int64_t count,
                       const void *values);

/* Write `count` rows from row `first` on of a dataset of this rank whose rows have `extent` (its
 * first number is ignored); and read them. */
void rct_h5_write_block(rct_call *call, hid_t dataset, hid_t type, const rct_table *table,
                        int64_t first, int64_t count, const void *values);
void rct_h5_read_block(rct_call *call, hid_t dataset, hid_t type, const rct_table *table,
                       int64_t first, int64_t count, void *values);

/* The extent of the chunks of a dataset of rank 1 to RCT_H5_RANK, or its own extent if it is one
 * block; and the place of the number at `index` in the file. */
void rct_h5_chunk(rct_call *call, hid_t dataset, int64_t chunk[RCT_H5_RANK]);
int64_t rct_h5_place(rct_call *call, hid_t dataset, const int64_t index[RCT_H5_RANK]);

/* Where the numbers of a dataset of one block begin; and add their place to `ranges`. */
int64_t rct_h5_offset(rct_call *call, hid_t dataset);
void rct_h5_add_range(rct_call *call, rct_ranges *ranges, hid_t dataset, int64_t bytes);

void rct_h5_flush(rct_call *call, hid_t file);
int64_t rct_h5_file_size(rct_call *call, hid_t file);

#endif
