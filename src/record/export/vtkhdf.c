/* A recording as VTKHDF of type PolyData: vertices at hinge points and lines along the tree, the
 * same in all steps; points and their data, step after step. */
#include "core/error.h"
#include "core/memory.h"
#include "record/export/export.h"
#include "record/file/h5.h"
#include "record/file/place.h"

#include <string.h>

enum { KINDS = 4, STRUCTURE_BYTES = 65536, NUMBERS = 10 /* of a body in a step */ };

static const char *const kinds[KINDS] = {"Vertices", "Lines", "Polygons", "Strips"};

static rct_table table_of(const char *name, int64_t rows, int64_t width, const char *unit,
                          const char *description)
{
    rct_table table = {.name = name,
                       .rank = width > 1 ? 2 : 1,
                       .extent = {rows, width > 1 ? width : 0},
                       .unit = unit,
                       .axes = strcmp(unit, "1") == 0 ? "none" : "inertial axes",
                       .description = description};
    return table;
}

static void put_whole(rct_call *call, hid_t group, const char *name, int64_t rows, int64_t width,
                      const int64_t *values)
{
    const rct_table table = table_of(name, rows, width, "1", "of VTKHDF");
    rct_h5_put_dataset(call, group, H5T_NATIVE_INT64, &table, values);
}

/* Text in the form VTK requires: ASCII of its own length. */
static void put_type(rct_call *call, hid_t group)
{
    static const char text[] = "PolyData";
    hid_t type = RCT_TRY(call, "describe a text", H5Tcopy(H5T_C_S1));
    RCT_TRY(call, "describe a text", H5Tset_size(type, sizeof text - 1));
    rct_h5_put_values(call, group, "Type", type, 0, text);
    rct_h5_close(call, &type);
}

/* ---- cells -------------------------------------------------------------------------------- */

/* Room for all cells: offsets of n + 1 cells, connectivity of two points each. */
typedef struct cells {
    int64_t *offsets, *points;
    int64_t count, each; /* cells; points of each */
} cells;

static void find_cells(cells *c, const rct_model *model, int kind)
{
    const int32_t *parent = model->bodies->parent;
    c->count = 0;
    c->each = kind == 0 ? 1 : 2;
    c->offsets[0] = 0;
    for (int64_t b = 0; b < model->count && kind < 2; b++) {
        if (kind == 0 || parent[b] >= 0) {
            c->points[c->each * c->count] = b;
            c->points[c->each * c->count + c->each - 1] = kind == 0 ? b : parent[b];
            c->count++;
            c->offsets[c->count] = c->each * c->count;
        }
    }
}

static void put_cells(rct_call *call, hid_t root, const rct_model *model)
{
    cells c = {.offsets = rct_call_allocate(call, model->count + 1, sizeof *c.offsets, "cells")};
    c.points = rct_call_allocate(call, 2 * (int64_t)model->count, sizeof *c.points, "cells");
    for (int kind = 0; kind < KINDS && call->status == RCT_OK; kind++) {
        find_cells(&c, model, kind);
        const int64_t ids = c.each * c.count;
        hid_t group = rct_h5_create_group(call, root, kinds[kind]);
        put_whole(call, group, "NumberOfCells", 1, 1, &c.count);
        put_whole(call, group, "NumberOfConnectivityIds", 1, 1, &ids);
        put_whole(call, group, "Offsets", c.count + 1, 1, c.offsets);
        put_whole(call, group, "Connectivity", ids, 1, c.points);
        rct_h5_close(call, &group);
    }
    rct_release(c.offsets);
    rct_release(c.points);
}

/* ---- steps -------------------------------------------------------------------------------- */

static void put_steps(rct_call *call, hid_t root, const rct_exported *from)
{
    const int64_t frames = from->info.frames, n = from->model->count;
    int64_t *ones = rct_call_allocate(call, frames, sizeof *ones, "steps");
    int64_t *firsts = rct_call_allocate(call, frames, sizeof *firsts, "steps");
    int64_t *zeros = rct_call_allocate(call, KINDS * frames, sizeof *zeros, "steps");
    double *times = rct_call_allocate(call, frames, sizeof *times, "steps");
    const int32_t time = rct_recording_find(from->recording, "time");
    for (int64_t k = 0; k < frames && call->status == RCT_OK; k++) {
        rct_error why;
        ones[k] = 1;
        firsts[k] = k * n;
        if (rct_recording_read(from->recording, time, k, 0, 1, &times[k], &why) != RCT_OK) {
            rct_call_fail_as(call, &why);
        }
    }
    if (call->status == RCT_OK) {
        const rct_table values = table_of("Values", frames, 1, "s", "time");
        hid_t steps = rct_h5_create_group(call, root, "Steps");
        rct_h5_put_values(call, steps, "NSteps", H5T_NATIVE_INT64, 0, &frames);
        rct_h5_put_dataset(call, steps, H5T_NATIVE_DOUBLE, &values, times);
        put_whole(call, steps, "PartOffsets", frames, 1, zeros);
        put_whole(call, steps, "NumberOfParts", frames, 1, ones);
        put_whole(call, steps, "PointOffsets", frames, 1, firsts);
        put_whole(call, steps, "CellOffsets", frames, KINDS, zeros);
        put_whole(call, steps, "ConnectivityIdOffsets", frames, KINDS, zeros);
        hid_t data = rct_h5_create_group(call, steps, "PointDataOffsets");
        put_whole(call, data, "orientation", frames, 1, firsts);
        put_whole(call, data, "angular_velocity", frames, 1, firsts);
        put_whole(call, data, "body", frames, 1, zeros);
        rct_h5_close(call, &data);
        rct_h5_close(call, &steps);
    }
    rct_release(ones);
    rct_release(firsts);
    rct_release(zeros);
    rct_release(times);
}

static void put_quantity(rct_call *call, hid_t group, const rct_exported *from, const char *name,
                         const char *as)
{
    rct_quantity q;
    rct_error why;
    const int32_t index = rct_recording_find(from->recording, name);
    if (rct_recording_quantity(from->recording, index, &q, &why) != RCT_OK) {
        rct_call_fail_as(call, &why);
        return;
    }
    double *numbers = rct_call_allocate(call, q.rows * q.width, sizeof *numbers, "a frame");
    const rct_table table =
        table_of(as, from->info.frames * q.rows, q.width, q.unit, q.description);
    hid_t dataset = rct_h5_create_dataset(call, group, H5T_NATIVE_DOUBLE, &table);
    for (int64_t k = 0; k < from->info.frames && call->status == RCT_OK; k++) {
        if (rct_recording_read(from->recording, index, k, 0, q.rows, numbers, &why) != RCT_OK) {
            rct_call_fail_as(call, &why);
        } else {
            rct_h5_write_block(call, dataset, H5T_NATIVE_DOUBLE, &table, k * q.rows, q.rows,
                               numbers);
        }
    }
    rct_h5_close(call, &dataset);
    rct_release(numbers);
}

static void put_rows(rct_call *call, hid_t group, int64_t n)
{
    int64_t *rows = rct_call_allocate(call, n, sizeof *rows, "rows");
    for (int64_t b = 0; b < n && rows != NULL; b++) {
        rows[b] = b;
    }
    put_whole(call, group, "body", n, 1, rows);
    rct_release(rows);
}

/* ---- the file ----------------------------------------------------------------------------- */

static int64_t write_file(rct_call *call, const rct_place *place, const rct_exported *from)
{
    static const int64_t version[2] = {2, 0};
    const int64_t n = from->model->count;
    hid_t driver = -1;
    hid_t file = rct_h5_create_file(call, place->part, &driver);
    hid_t root = rct_h5_create_group(call, file, "VTKHDF");
    rct_h5_put_values(call, root, "Version", H5T_NATIVE_INT64, 2, version);
    put_type(call, root);
    put_whole(call, root, "NumberOfPoints", 1, 1, &n);
    put_quantity(call, root, from, "position", "Points");
    put_cells(call, root, from->model);
    hid_t data = rct_h5_create_group(call, root, "PointData");
    put_quantity(call, data, from, "orientation", "orientation");
    put_quantity(call, data, from, "angular_velocity", "angular_velocity");
    put_rows(call, data, n);
    put_steps(call, root, from);
    rct_h5_close(call, &data);
    rct_h5_close(call, &root);
    rct_h5_flush(call, file);
    const int64_t end = rct_h5_file_size(call, file);
    rct_h5_close(call, &file);
    rct_h5_close(call, &driver);
    return end;
}

rct_status rct_export_vtkhdf(const char *from, const char *path, rct_error *error)
{
    rct_error why;
    rct_call call;
    rct_exported source;
    rct_place place = {.disk.file = -1};
    error = error != NULL ? error : &why;
    if (!rct_given(from, "from", error) || !rct_given(path, "path", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_status status = rct_exported_open(&source, from, path, error);
    if (status == RCT_OK) {
        const int64_t rows = source.info.frames * source.model->count;
        rct_call_begin(&call, path, NULL, error);
        rct_place_open(&place, &call, 1);
        rct_place_check_replaced(&place, &call);
        rct_place_reserve(
            &place, &call,
            8 * (rows * NUMBERS + 8 * (int64_t)source.model->count + 16 * source.info.frames) +
                STRUCTURE_BYTES,
            NULL);
        call.disk = &place.disk;
        const int64_t end = call.status == RCT_OK ? write_file(&call, &place, &source) : 0;
        rct_place_settle(&place, &call, end);
        rct_place_close(&place, &call);
        status = rct_call_end(&call);
    }
    rct_exported_close(&source);
    return status;
}
