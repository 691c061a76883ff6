/* The group /frames: one series for each quantity, one row for each frame; coordinates and rates
 * of hinges only if the poses do not say all; loops and events; and a checksum for each frame. A
 * series lies in chunks of whole frames, all of them allocated, indexed and filled with NaN from
 * the start. A frame is plain numbers written in place, so no index changes that could be
 * damaged. */
#include "model/hinge_types.h"
#include "model/model.h"
#include "record/recording/recorder.h"

#include <hdf5_hl.h>
#include <inttypes.h>
#include <riccatree/loop.h>

#include <string.h>

static const struct {
    const char *name;
    int width; /* numbers of a body, or of a sum; 0: depends on the model */
    const char *unit, *axes, *description;
} quantities[RCT_SERIES_COUNT] = {
    {"orientation", 4, "1", "inertial axes", "quaternion w x y z, body axes to inertial"},
    {"angular_velocity", 3, "rad/s", "inertial axes", "angular velocity of the body"},
    {"position", 3, "m", "inertial axes", "hinge point of the body"},
    {"time", 1, "s", "none", "time"},
    {"kinetic", 1, "J", "none", "kinetic energy"},
    {"potential", 1, "J", "none", "potential energy, counted from the model's initial state"},
    {"energy", 1, "J", "none", "kinetic + potential"},
    {"energy_drift", 1, "J", "none", "energy less that of the first frame"},
    {"momentum", 3, "kg m/s", "inertial axes", "linear momentum"},
    {"angular_momentum", 3, "kg m^2/s", "inertial axes",
     "angular momentum about the inertial origin"},
    {"momentum_change", 3, "kg m/s", "inertial axes", "momentum less that of the first frame"},
    {"angular_momentum_change", 3, "kg m^2/s", "inertial axes",
     "angular_momentum less that of the first frame"},
    {"position_violation", 1, "m", "none",
     "largest violation of the constraints of active loops; where they turn the sine of an angle"},
    {"velocity_violation", 1, "m/s", "none",
     "largest violation of their derivatives; where they turn in rad/s"},
    {"coordinates", 0, "rad or m, 1 in quaternions", "by hinge",
     "coordinates of all hinges, those of body b from /model/first_coordinate[b] on"},
    {"rates", 0, "rad/s or m/s", "by hinge",
     "rates of all hinges, those of body b from /model/first_rate[b] on"},
    {"loop_active", 0, "1", "none", "1: the loop holds, 0: it does not"},
    {"event_count", 0, "1", "none", "how often the event has happened"},
    {"event_time", 0, "s", "none", "when it happened last, NaN: not yet"},
};

enum {
    CHUNK_BYTES = 1 << 20,       /* largest chunk of several frames: what readers cache          */
    FRAME_CHUNK_BYTES = 1 << 21, /* largest chunk of one frame, or of a part of its bodies       */
    SPARE_PART = 64,             /* spare room of the last chunk, at most this part of all frames */
    INDEX_NODE_BYTES = 3264,     /* of the tree that finds the chunks: a node of the index of a
                              * series, and what the seal says of the chunks on both sides of it */
    INDEX_NODE_CHUNKS = 16,      /* fewest chunks of a node, over all levels of the tree          */
};

static int64_t parts_of(int64_t whole, int64_t part)
{
    return whole / part + (whole % part != 0);
}

/* Frames of `bytes` in a chunk: as many as fit, in chunks as even as possible; fewer if more
 * than a SPARE_PART would be spare in the last chunk. One frame in each chunk leaves nothing
 * spare. */
static int64_t frames_in_chunk(int64_t frames, int64_t bytes)
{
    const int64_t most = bytes < CHUNK_BYTES ? CHUNK_BYTES / bytes : 1;
    int64_t count = parts_of(frames, parts_of(frames, most));
    while ((count - frames % count) % count > frames / SPARE_PART) {
        count--;
    }
    return count;
}

rct_frame_sizes rct_frame_sizes_of(const rct_model *model)
{
    rct_frame_sizes sizes = {.bodies = rct_model_body_count(model)};
    int any = 0;
    for (int64_t b = 0; b < sizes.bodies; b++) {
        const rct_hinge_type hinge = rct_bodies_at(model->bodies, b)->hinge;
        any = any || rct_hinge_uses(hinge, RCT_KEY_POSITION) > 0;
        sizes.coordinates += rct_hinge_coordinates(hinge);
        sizes.rates += rct_hinge_freedoms(hinge);
    }
    sizes.coordinates = any ? sizes.coordinates : 0;
    sizes.rates = any ? sizes.rates : 0;
    sizes.loops = rct_model_loop_count(model);
    sizes.events = rct_model_event_count(model);
    return sizes;
}

/* Numbers of a body, of a sum, or of all hinges in a row of a series; 0: no such series. */
static int64_t width_of(int series, const rct_frame_sizes *sizes)
{
    const int of_loops =
        series == RCT_SERIES_POSITION_VIOLATION || series == RCT_SERIES_VELOCITY_VIOLATION;
    if (of_loops && sizes->loops == 0) {
        return 0;
    }
    switch (series) {
    case RCT_SERIES_COORDINATES: return sizes->coordinates;
    case RCT_SERIES_RATES: return sizes->rates;
    case RCT_SERIES_LOOP_ACTIVE: return sizes->events > 0 ? sizes->loops : 0;
    case RCT_SERIES_EVENT_COUNT:
    case RCT_SERIES_EVENT_TIME: return sizes->events;
    default: return quantities[series].width;
    }
}

rct_table rct_describe_series(int series, const rct_frame_sizes *sizes, int64_t frames)
{
    const int64_t width = width_of(series, sizes), bodies = sizes->bodies;
    const int64_t rows = series < RCT_SERIES_TIME ? bodies : 1;
    const int64_t bytes = rows * width * (int64_t)sizeof(double);
    rct_table table = {.name = quantities[series].name,
                       .reserved = 1,
                       .unit = quantities[series].unit,
                       .axes = quantities[series].axes,
                       .description = quantities[series].description};
    table.extent[table.rank] = frames;
    table.chunk[table.rank++] = frames_in_chunk(frames, bytes);
    if (series < RCT_SERIES_TIME) {
        table.extent[table.rank] = bodies;
        table.chunk[table.rank++] = parts_of(bodies, parts_of(bytes, FRAME_CHUNK_BYTES));
    }
    if (width > 1 || series >= RCT_SERIES_COORDINATES) {
        const int64_t most = series < RCT_SERIES_COORDINATES ? bytes : FRAME_CHUNK_BYTES;
        table.extent[table.rank] = width;
        table.chunk[table.rank++] = parts_of(width, parts_of(bytes, most));
    }
    return table;
}

int64_t rct_frames_bytes(rct_frame_sizes sizes, int64_t frames)
{
    int64_t bytes = 0;
    sizes.bodies = sizes.bodies > 0 ? sizes.bodies : 1; /* a model may still be empty */
    for (int s = 0; s < RCT_SERIES_COUNT && frames > 0; s++) {
        if (width_of(s, &sizes) == 0) {
            continue;
        }
        const rct_table table = rct_describe_series(s, &sizes, frames);
        int64_t chunks = 1;
        int64_t chunk_bytes = sizeof(double);
        for (int i = 0; i < table.rank; i++) {
            chunks *= parts_of(table.extent[i], table.chunk[i]);
            chunk_bytes *= table.chunk[i];
        }
        bytes += chunks * chunk_bytes + (chunks / INDEX_NODE_CHUNKS + 1) * INDEX_NODE_BYTES;
    }
    return bytes + (frames > 0 ? frames * (int64_t)sizeof(uint32_t) : 0);
}

static rct_table describe_checksums(int64_t frames)
{
    return (rct_table){.name = "checksum",
                       .rank = 1,
                       .extent = {frames},
                       .unit = "1",
                       .axes = "none",
                       .description = "CRC-32 of the frame: its number as int64, then its "
                                      "numbers in the order of docs/trajectory-file.md"};
}

/* The scale of time is the series of that name, which is made first. */
static hid_t create_series(rct_call *call, hid_t group, int s, const rct_recorder *recorder)
{
    const rct_table table = rct_describe_series(s, &recorder->sizes, recorder->frames);
    hid_t series = rct_h5_create_dataset(call, group, H5T_NATIVE_DOUBLE, &table);
    rct_h5_put_text(call, series, "units", table.unit); /* the name of netCDF */
    if (s == RCT_SERIES_TIME) {
        RCT_TRY(call, "make a dimension scale", H5DSset_scale(series, table.name));
    } else {
        rct_attach_scales(call, group, series, s, table.rank);
    }
    return series;
}

void rct_create_frames(rct_call *call, rct_recorder *recorder)
{
    const rct_table checksums = describe_checksums(recorder->frames);
    hid_t group = rct_h5_open_group(call, recorder->file, "frames");
    hid_t time = create_series(call, group, RCT_SERIES_TIME, recorder);
    for (int s = 0; s < RCT_SERIES_COUNT; s++) {
        if (s != RCT_SERIES_TIME && width_of(s, &recorder->sizes) > 0) {
            hid_t series = create_series(call, group, s, recorder);
            rct_h5_close(call, &series);
        }
    }
    recorder->checksums = rct_h5_create_dataset(call, group, H5T_NATIVE_UINT32, &checksums);
    rct_attach_scales(call, group, recorder->checksums, RCT_SERIES_COUNT, checksums.rank);
    rct_h5_close(call, &time);
    rct_h5_close(call, &group);
}

void rct_open_frames(rct_call *call, rct_recorder *recorder, int with_checksums)
{
    hid_t group = rct_h5_open_group(call, recorder->file, "frames");
    for (int s = 0; s < RCT_SERIES_COUNT; s++) {
        if (width_of(s, &recorder->sizes) > 0) {
            const rct_table table = rct_describe_series(s, &recorder->sizes, recorder->frames);
            rct_series_open(call, group, &table, &recorder->series[s]);
        }
    }
    if (with_checksums) {
        recorder->checksums = rct_h5_open_dataset(call, group, "checksum");
        recorder->checksums_at = rct_h5_offset(call, recorder->checksums);
    }
    rct_h5_close(call, &group);
    recorder->frames_written = rct_h5_open_dataset(call, recorder->file, "frames_written");
    recorder->frames_written_at = rct_h5_offset(call, recorder->frames_written);
    recorder->complete = rct_h5_open_dataset(call, recorder->file, "complete");
}

void rct_close_frames(rct_call *call, rct_recorder *recorder)
{
    for (int s = 0; s < RCT_SERIES_COUNT; s++) {
        rct_series_close(call, &recorder->series[s]);
    }
    rct_h5_close(call, &recorder->checksums);
}
