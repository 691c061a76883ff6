/* A dataset of doubles, [frames][rows][width]: the place of the rows of a frame in the file, so
 * that they can be written and read without HDF5, which serves only one thread. Its chunks never
 * move. */
#ifndef RCT_RECORD_FILE_SERIES_H
#define RCT_RECORD_FILE_SERIES_H

#include "record/file/h5.h"

/* All zero except the dataset, which is -1, before it is opened. */
typedef struct rct_series {
    hid_t dataset;
    int64_t rows, row_bytes;          /* of a frame                                              */
    int64_t chunk_frames, chunk_rows; /* of a chunk                                              */
    int64_t begin, end;               /* frames in the chunks found last                         */
    int64_t *at;                      /* these chunks: all that hold rows of a frame             */
} rct_series;

/* Open a series that must have the shape of the table; close it. */
void rct_series_open(rct_call *call, hid_t parent, const rct_table *table, rct_series *series);
void rct_series_close(rct_call *call, rct_series *series);

/* Find the chunks of a frame by HDF5 on call->disk. The functions below need a frame found last. */
void rct_series_find(rct_call *call, rct_series *series, int64_t frame);

/* The place of row `first`, and how many rows, at most `count`, follow there. */
int64_t rct_series_piece(const rct_series *series, int64_t frame, int64_t first, int64_t count,
                         int64_t *at);

/* Write rows, from any thread. Returns 0, or -1 and errno. */
int rct_series_write(const rct_series *series, const rct_disk *disk, int64_t frame, int64_t first,
                     int64_t count, const double *values);

#endif
