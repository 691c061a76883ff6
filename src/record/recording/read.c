/* Reading a recording: its frames are compared with their checksums when it is opened. Then
 * numbers are read past HDF5, which says where they are. */
#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "record/recording/recorder.h"

#include <riccatree/recording.h>

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

enum { FORMAT_SIZE = 64, SHORT_TEXT = 64 };

/* The attributes that say what made a recording. */
typedef struct origin {
    char library_version[SHORT_TEXT], created[SHORT_TEXT], method[SHORT_TEXT], backend[SHORT_TEXT];
    char integrator[SHORT_TEXT], closing[SHORT_TEXT], drift[SHORT_TEXT];
    char command_line[RCT_COMMAND_SHOWN + 1], model_name[RCT_NAME_SIZE];
} origin;

struct rct_recording {
    rct_recorder *reader;
    char *path;
    rct_recording_info info;
    origin origin;
    int series[RCT_SERIES_COUNT]; /* series of each quantity */
};

/* Read the number of frames and the sizes of a file that is open to read. */
static void read_shape(rct_call *call, rct_recorder *reader)
{
    int64_t extent[RCT_H5_RANK] = {0};
    int32_t bodies = 0;
    rct_h5_get_values(call, reader->file, "bodies", H5T_NATIVE_INT32, &bodies);
    rct_h5_extent_of(call, reader->file, "frames/time", extent);
    reader->frames = extent[0];
    reader->sizes = (rct_frame_sizes){.bodies = bodies};
    if (rct_h5_has(call, reader->file, "frames/coordinates")) {
        rct_h5_extent_of(call, reader->file, "frames/coordinates", extent);
        reader->sizes.coordinates = extent[1];
        rct_h5_extent_of(call, reader->file, "frames/rates", extent);
        reader->sizes.rates = extent[1];
    }
    reader->sizes.loops = rct_h5_has(call, reader->file, "frames/position_violation");
    if (rct_h5_has(call, reader->file, "frames/event_count")) {
        rct_h5_extent_of(call, reader->file, "frames/event_count", extent);
        reader->sizes.events = extent[1];
        rct_h5_extent_of(call, reader->file, "frames/loop_active", extent);
        reader->sizes.loops = extent[1];
    }
    if (bodies < 1 || reader->frames < 1) {
        rct_call_fail(call, RCT_ERROR_IO, "is damaged: it has no bodies or no frames");
    }
}

rct_counters rct_recorder_open_checked(rct_call *call, rct_recorder *reader, rct_seal seal)
{
    read_shape(call, reader);
    if (call->status != RCT_OK) {
        return (rct_counters){.now = 0};
    }
    rct_open_frames(call, reader, seal == RCT_SEAL_WHOLE);
    const rct_counters counters = rct_recorder_counted(call, reader, seal);
    rct_check_frames(call, reader, counters.now);
    return counters;
}

/* ---- opening ------------------------------------------------------------------------------ */

/* Check whether HDF5 may read the file, open it, and check that it is a recording. */
static rct_seal look_at(rct_call *call, rct_recorder *reader)
{
    const int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC;
    char format[FORMAT_SIZE] = "";
    reader->place.disk.file = RCT_SYSTEM(call, "open the file", open(call->path, flags));
    const rct_seal seal = rct_seal_check(call, reader->place.disk.file);
    if (call->status == RCT_OK && seal == RCT_SEAL_FOREIGN) {
        rct_call_fail(call, RCT_ERROR_UNSUPPORTED,
                      "is not a recording: it does not begin like one; give a file that a run "
                      "has recorded");
    }
    rct_recorder_open_file(call, reader, call->path, H5F_ACC_RDONLY);
    if (call->status == RCT_OK && rct_h5_has_attribute(call, reader->file, "format")) {
        rct_h5_get_text(call, reader->file, "format", sizeof format, format);
    }
    if (call->status == RCT_OK && strcmp(format, "riccatree trajectory") != 0) {
        rct_call_fail(call, RCT_ERROR_UNSUPPORTED,
                      "is not a recording; give a file that run --out wrote; of an ensemble, "
                      "summary, view and export --csv read the results");
    }
    return seal;
}

static void read_origin(rct_call *call, rct_recording *recording)
{
    origin *o = &recording->origin;
    rct_recording_info *info = &recording->info;
    const hid_t file = recording->reader->file;
    int32_t threads = 0;
    const struct {
        const char *name;
        char *text;
        size_t size;
        const char **shown;
    } texts[] = {
        {"library_version", o->library_version, SHORT_TEXT, &info->library_version},
        {"created", o->created, SHORT_TEXT, &info->created},
        {"command_line", o->command_line, sizeof o->command_line, &info->command_line},
        {"model_name", o->model_name, sizeof o->model_name, &info->model_name},
        {"method", o->method, SHORT_TEXT, &info->method},
        {"backend", o->backend, SHORT_TEXT, &info->backend},
        {"integrator", o->integrator, SHORT_TEXT, &info->integrator},
        {"closing", o->closing, SHORT_TEXT, &info->closing},
        {"drift", o->drift, SHORT_TEXT, &info->drift},
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        if (rct_h5_has_attribute(call, file, texts[k].name)) {
            rct_h5_get_text(call, file, texts[k].name, (int64_t)texts[k].size, texts[k].text);
        }
        *texts[k].shown = texts[k].text;
    }
    const struct {
        const char *name;
        double *number;
        int64_t count;
    } numbers[] = {{"dt", &info->dt, 1},
                   {"t_end", &info->t_end, 1},
                   {"tolerance", &info->tolerance, 1},
                   {"baumgarte", info->baumgarte, 2}};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        if (rct_h5_has_attribute(call, file, numbers[k].name)) {
            rct_h5_get_vector(call, file, numbers[k].name, numbers[k].count, numbers[k].number);
        }
    }
    if (rct_h5_has_attribute(call, file, "threads")) {
        rct_h5_get_values(call, file, "threads", H5T_NATIVE_INT32, &threads);
    }
    info->threads = threads;
}

static void open_all(rct_call *call, rct_recording *recording)
{
    rct_recorder *reader = recording->reader;
    const rct_seal seal = look_at(call, reader);
    if (call->status != RCT_OK) {
        return;
    }
    const rct_counters counters = rct_recorder_open_checked(call, reader, seal);
    if (call->status != RCT_OK) {
        return;
    }
    recording->info = (rct_recording_info){.bodies = (int32_t)reader->sizes.bodies,
                                           .frames = counters.now,
                                           .complete = (int)counters.complete,
                                           .checked = seal == RCT_SEAL_WHOLE};
    read_origin(call, recording);
    for (int s = 0; s < RCT_SERIES_COUNT; s++) {
        if (reader->series[s].rows > 0) {
            recording->series[recording->info.quantities++] = s;
        }
    }
}

rct_recording *rct_recording_open(const char *path, rct_error *error)
{
    rct_call call;
    if (!rct_given(path, "path", error)) {
        return NULL;
    }
    rct_call_begin(&call, path, NULL, error);
    rct_recording *recording = rct_call_allocate(&call, 1, sizeof *recording, "a recording");
    if (recording != NULL) {
        recording->reader = rct_recorder_allocate(&call, (rct_frame_sizes){.bodies = 0}, 0);
        recording->path = rct_call_print(&call, 0, "a path", "%s", path);
    }
    if (call.status == RCT_OK) {
        open_all(&call, recording);
    }
    const rct_status status = rct_call_end(&call);
    if (status != RCT_OK) {
        rct_recording_close(recording);
        return NULL;
    }
    return recording;
}

void rct_recording_close(rct_recording *recording)
{
    if (recording == NULL) {
        return;
    }
    rct_call call;
    rct_call_begin(&call, recording->path, NULL, NULL);
    if (recording->reader != NULL) {
        rct_recorder_dispose(&call, recording->reader);
    }
    rct_call_end(&call);
    rct_release(recording->path);
    rct_release(recording);
}

/* ---- asking ------------------------------------------------------------------------------- */

void rct_recording_get_info_sized(const rct_recording *recording, rct_out info)
{
    if (recording != NULL) {
        rct_give(info, &recording->info, rct_whole(sizeof recording->info));
    }
}

static rct_quantity quantity_at(const rct_recording *recording, int32_t index)
{
    const int s = recording->series[index];
    const rct_series *series = &recording->reader->series[s];
    const rct_table table =
        rct_describe_series(s, &recording->reader->sizes, recording->reader->frames);
    rct_quantity quantity = {.name = table.name,
                             .unit = table.unit,
                             .axes = table.axes,
                             .description = table.description,
                             .rows = 1,
                             .width = series->row_bytes / (int64_t)sizeof(double)};
    if (s < RCT_SERIES_TIME) {
        quantity.rows = series->rows;
    } else {
        quantity.width *= series->rows; /* numbers of one thing, not rows of several */
    }
    return quantity;
}

static int has_quantity(const rct_recording *recording, int32_t index, rct_error *error)
{
    const int32_t count = recording->info.quantities;
    return (index >= 0 && index < count) ||
           rct_fail(error, RCT_ERROR_ARGUMENT,
                    "there is no quantity %" PRId32 "; give 0 to %" PRId32, index,
                    count - 1) == RCT_OK;
}

rct_status rct_recording_quantity_sized(const rct_recording *recording, int32_t index,
                                        rct_out quantity, rct_error *error)
{
    if (!rct_given(recording, "reader", error) || !rct_given(quantity.at, "quantity", error) ||
        !has_quantity(recording, index, error)) {
        return RCT_ERROR_ARGUMENT;
    }
    const rct_quantity found = quantity_at(recording, index);
    rct_give(quantity, &found, rct_whole(sizeof found));
    return RCT_OK;
}

int32_t rct_recording_find(const rct_recording *recording, const char *name)
{
    const int32_t count = recording != NULL && name != NULL ? recording->info.quantities : 0;
    for (int32_t i = 0; i < count; i++) {
        if (strcmp(quantity_at(recording, i).name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Read rows of the series. For coordinates and rates a row is one number. */
static void read_rows(rct_call *call, rct_recorder *reader, rct_series *series, int64_t frame,
                      int64_t first, int64_t rows, double *numbers)
{
    int64_t at, count;
    char *to = (char *)numbers;
    call->disk = &reader->place.disk;
    rct_series_find(call, series, frame);
    for (; rows > 0 && call->status == RCT_OK; rows -= count) {
        count = rct_series_piece(series, frame, first, rows, &at);
        rct_call_read(call, reader->place.disk.file, at, to, count * series->row_bytes);
        to += count * series->row_bytes;
        first += count;
    }
}

rct_status rct_recording_read(rct_recording *recording, int32_t quantity, int64_t frame,
                              int64_t first, int64_t rows, double *numbers, rct_error *error)
{
    if (!rct_given(recording, "reader", error) || !rct_given(numbers, "numbers", error) ||
        !has_quantity(recording, quantity, error)) {
        return RCT_ERROR_ARGUMENT;
    }
    const rct_quantity asked = quantity_at(recording, quantity);
    if (frame < 0 || frame >= recording->info.frames) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%s: there is no frame %" PRId64 "; it has %" PRId64 " frames",
                        recording->path, frame, recording->info.frames);
    }
    if (first < 0 || rows < 0 || first > asked.rows - rows) {
        return rct_fail(error, RCT_ERROR_ARGUMENT,
                        "%s: %s has %" PRId64 " rows, not %" PRId64 " from row %" PRId64 " on",
                        recording->path, asked.name, asked.rows, rows, first);
    }
    rct_call call;
    rct_series *series = &recording->reader->series[recording->series[quantity]];
    const int whole = asked.rows != series->rows; /* one row of the quantity is all of the series */
    rct_call_begin(&call, recording->path, &recording->reader->place.disk, error);
    read_rows(&call, recording->reader, series, frame, whole ? 0 : first,
              whole ? rows * series->rows : rows, numbers);
    return rct_call_end(&call);
}
