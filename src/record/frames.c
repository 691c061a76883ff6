/* The group /frames: one series a quantity, one row a frame. A series lies in chunks of whole frames,
 * all of them taken, indexed and filled with NaN from the start: a frame is plain numbers written in
 * place, and no index changes that could be damaged. */
#include "record/recorder.h"

#include <inttypes.h>
#include <string.h>

static const struct {
    const char *name;
    int width; /* numbers of a body, or of a sum */
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
};

enum {
    CHUNK_BYTES = 1 << 20,       /* of a chunk of several frames, at most: what readers cache    */
    FRAME_CHUNK_BYTES = 1 << 24, /* of a chunk of one frame, or of a part of its bodies          */
    SPARE_PART = 64,             /* the last chunk may have room for this part of all frames more */
    INDEX_NODE_BYTES = 3200,     /* of the tree that finds the chunks: a node of a series' index  */
    INDEX_NODE_CHUNKS = 16,      /* chunks of a node, at least, counting all levels of the tree   */
};

static int64_t parts_of(int64_t whole, int64_t part)
{
    return whole / part + (whole % part != 0);
}

/* Frames of `bytes` in a chunk: as many as fit, in chunks as even as they can be; fewer where more
 * than a SPARE_PART would be spare in the last chunk. One frame a chunk leaves nothing spare. */
static int64_t frames_in_chunk(int64_t frames, int64_t bytes)
{
    const int64_t most = bytes < CHUNK_BYTES ? CHUNK_BYTES / bytes : 1;
    int64_t count = parts_of(frames, parts_of(frames, most));
    while (parts_of(frames, count) * count - frames > frames / SPARE_PART) {
        count--;
    }
    return count;
}

/* The shape of a series and of its chunks. */
static rct_table describe_series(int series, int64_t bodies, int64_t frames)
{
    const int64_t width = quantities[series].width;
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
    if (width > 1) {
        table.extent[table.rank] = width;
        table.chunk[table.rank++] = width;
    }
    return table;
}

int64_t rct_frames_bytes(int64_t bodies, int64_t frames)
{
    int64_t bytes = 0;
    bodies = bodies > 0 ? bodies : 1; /* a model may still be empty */
    for (int s = 0; s < RCT_SERIES_COUNT && frames > 0; s++) {
        const rct_table table = describe_series(s, bodies, frames);
        int64_t chunks = 1;
        int64_t chunk_bytes = sizeof(double);
        for (int i = 0; i < table.rank; i++) {
            chunks *= parts_of(table.extent[i], table.chunk[i]);
            chunk_bytes *= table.chunk[i];
        }
        bytes += chunks * chunk_bytes + (chunks / INDEX_NODE_CHUNKS + 1) * INDEX_NODE_BYTES;
    }
    return bytes;
}

void rct_create_frames(rct_call *call, rct_recorder *recorder)
{
    hid_t group = rct_h5_create_group(call, recorder->file, "frames");
    for (int s = 0; s < RCT_SERIES_COUNT; s++) {
        const rct_table table = describe_series(s, recorder->bodies, recorder->frames);
        rct_h5_create_series(call, group, &table, &recorder->series[s]);
    }
    rct_h5_close(call, &group);
}

static void sum_up(rct_frame_sums *sums, double time, const rct_measures *measures,
                   const rct_frame_sums *first)
{
    sums->time = time;
    sums->kinetic = measures->kinetic;
    sums->potential = measures->potential;
    sums->energy = measures->kinetic + measures->potential;
    sums->energy_drift = sums->energy - first->energy;
    for (int i = 0; i < 3; i++) {
        sums->momentum[i] = measures->momentum[i];
        sums->angular_momentum[i] = measures->angular_momentum[i];
        sums->momentum_change[i] = sums->momentum[i] - first->momentum[i];
        sums->angular_momentum_change[i] = sums->angular_momentum[i] - first->angular_momentum[i];
    }
}

void rct_write_frame(rct_call *call, rct_recorder *recorder, double time,
                     const rct_measures *measures)
{
    rct_frame_sums sums;
    const rct_frame_rows rows = rct_frame_rows_of(recorder);
    sum_up(&sums, time, measures, &recorder->first);
    if (recorder->written == 0) {
        recorder->first = sums;
        sum_up(&sums, sums.time, measures, &recorder->first);
    }

    const double *const values[RCT_SERIES_COUNT] = {
        rows.orientation, rows.angular_velocity, rows.position,        &sums.time,
        &sums.kinetic,    &sums.potential,       &sums.energy,         &sums.energy_drift,
        sums.momentum,    sums.angular_momentum, sums.momentum_change, sums.angular_momentum_change,
    };
    for (int s = 0; s < RCT_SERIES_COUNT; s++) {
        rct_h5_write_frame(call, &recorder->series[s], recorder->written, values[s]);
    }
}
