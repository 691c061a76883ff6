/* The place of the rows of frames in a file (series.h). Chunks hold whole frames, or a part of
 * the rows of one frame. */
#include "record/file/series.h"

#include "core/memory.h"

#include <string.h>

static int64_t parts_of(const rct_series *s)
{
    return s->rows / s->chunk_rows + (s->rows % s->chunk_rows != 0);
}

void rct_series_open(rct_call *call, hid_t parent, const rct_table *table, rct_series *series)
{
    int64_t extent[RCT_H5_RANK] = {0}, chunk[RCT_H5_RANK] = {0};
    series->dataset = rct_h5_open_dataset(call, parent, table->name);
    rct_h5_extent(call, series->dataset, extent);
    rct_h5_chunk(call, series->dataset, chunk);
    if (memcmp(extent, table->extent, sizeof extent) != 0) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "is not the recording of this run: its dataset %s has another shape",
                      table->name);
    }
    if (call->status == RCT_OK) {
        series->rows = extent[1] > 0 ? extent[1] : 1;
        series->row_bytes = (extent[2] > 0 ? extent[2] : 1) * (int64_t)sizeof(double);
        series->chunk_frames = chunk[0];
        series->chunk_rows = chunk[1] > 0 ? chunk[1] : 1;
        series->at =
            rct_call_allocate(call, parts_of(series), sizeof *series->at, "the places of frames");
    }
}

void rct_series_close(rct_call *call, rct_series *series)
{
    rct_h5_close(call, &series->dataset);
    rct_release(series->at);
    *series = (rct_series){.dataset = -1};
}

void rct_series_find(rct_call *call, rct_series *s, int64_t frame)
{
    if (frame >= s->begin && frame < s->end) {
        return;
    }
    const int64_t begin = frame - frame % s->chunk_frames, parts = parts_of(s);
    s->begin = s->end = 0;
    for (int64_t k = 0; k < parts && call->status == RCT_OK; k++) {
        const int64_t index[RCT_H5_RANK] = {begin, k * s->chunk_rows, 0};
        s->at[k] = rct_h5_place(call, s->dataset, index);
    }
    if (call->status == RCT_OK) {
        s->begin = begin;
        s->end = begin + s->chunk_frames;
    }
}

int64_t rct_series_piece(const rct_series *s, int64_t frame, int64_t first, int64_t count,
                         int64_t *at)
{
    const int64_t before = first % s->chunk_rows, left = s->chunk_rows - before;
    const int64_t row = (frame - s->begin) * s->chunk_rows + before;
    *at = s->at[first / s->chunk_rows] + row * s->row_bytes;
    return count < left ? count : left;
}

int rct_series_write(const rct_series *s, const rct_disk *disk, int64_t frame, int64_t first,
                     int64_t count, const double *values)
{
    const char *from = (const char *)values;
    while (count > 0) {
        int64_t at;
        const int64_t rows = rct_series_piece(s, frame, first, count, &at);
        if (rct_disk_write(disk, at, from, rows * s->row_bytes) != 0) {
            return -1;
        }
        from += rows * s->row_bytes;
        first += rows;
        count -= rows;
    }
    return 0;
}
