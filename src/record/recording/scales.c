/* The dimensions of /frames as HDF5 dimension scales, by which readers of netCDF know them:
 * time, the names of bodies, axes, the components of quaternions, the bodies of the coordinates
 * and rates of hinges, and the names of loops and events. They are written before the series and
 * do not change. */
#include "core/memory.h"
#include "model/model.h"
#include "record/recording/recorder.h"

#include <hdf5_hl.h>
#include <stdio.h>
#include <string.h>

typedef enum scale {
    SCALE_BODY,
    SCALE_AXIS,
    SCALE_QUATERNION,
    SCALE_COORDINATE,
    SCALE_RATE,
    SCALE_LOOP,
    SCALE_EVENT,
    SCALE_TIME, /* the series of that name; the scales before are datasets of their own */
    SCALE_COUNT
} scale;

static const struct {
    const char *name, *description;
} scales[SCALE_COUNT] = {
    {"body", "name of the body"},
    {"axis", "axis of a vector"},
    {"quaternion", "component of a quaternion"},
    {"coordinate", "row of the body whose hinge has the coordinate"},
    {"rate", "row of the body whose hinge has the rate"},
    {"loop", "name of the loop"},
    {"event", "name of the event"},
    {"time", NULL},
};

static rct_table describe_scale(scale which, int64_t rows)
{
    return (rct_table){.name = scales[which].name,
                       .rank = 1,
                       .extent = {rows},
                       .unit = "1",
                       .axes = "none",
                       .description = scales[which].description};
}

/* Make a scale and open it. */
static hid_t create(rct_call *call, hid_t group, scale which, hid_t type, int64_t rows)
{
    const rct_table table = describe_scale(which, rows);
    hid_t dataset = rct_h5_create_dataset(call, group, type, &table);
    RCT_TRY(call, "make a dimension scale", H5DSset_scale(dataset, table.name));
    return dataset;
}

/* Letters as texts of two bytes: netCDF does not take texts of one byte. */
static void put_letters(rct_call *call, hid_t group, scale which, const char *letters)
{
    char texts[8] = "";
    const size_t count = strlen(letters);
    for (size_t i = 0; i < count; i++) {
        texts[2 * i] = letters[i];
    }
    hid_t type = rct_h5_text_type(call, 2);
    hid_t dataset = create(call, group, which, type, (int64_t)count);
    rct_h5_write(call, dataset, type, texts);
    rct_h5_close(call, &dataset);
    rct_h5_close(call, &type);
}

typedef void name_of(const rct_model *model, int32_t i, char name[RCT_NAME_SIZE]);

/* Names of loops or of events, which are few: with room for the longest possible name. */
static void put_few_names(rct_call *call, hid_t group, const rct_model *model, scale which,
                          int64_t count, name_of *name)
{
    char *block = rct_call_allocate(call, count, RCT_NAME_SIZE, "names");
    hid_t type = rct_h5_text_type(call, RCT_NAME_SIZE);
    hid_t dataset = create(call, group, which, type, count);
    for (int32_t i = 0; i < count && block != NULL; i++) {
        name(model, i, block + (int64_t)i * RCT_NAME_SIZE);
    }
    rct_h5_write(call, dataset, type, block);
    rct_h5_close(call, &dataset);
    rct_h5_close(call, &type);
    rct_release(block);
}

/* Bytes of the longest name, including made-up names. */
static int64_t name_width(const rct_model *model)
{
    char last[RCT_NAME_SIZE];
    int64_t width = snprintf(last, sizeof last, "body%d", (int)model->count - 1);
    for (int32_t b = 0; b < model->count; b++) {
        const char *name = rct_model_own_name(model, b);
        const int64_t length = name != NULL ? (int64_t)strlen(name) : 0;
        width = length > width ? length : width;
    }
    return width;
}

static void put_names(rct_call *call, hid_t group, const rct_model *model)
{
    const int64_t width = name_width(model);
    char name[RCT_NAME_SIZE], *block = rct_call_allocate(call, RCT_NAME_ROWS, width, "names");
    hid_t type = rct_h5_text_type(call, width);
    hid_t dataset = create(call, group, SCALE_BODY, type, model->count);
    for (int32_t b = 0; b < model->count && block != NULL; b++) {
        const int64_t row = b % RCT_NAME_ROWS;
        rct_model_body_name(model, b, name);
        memset(block + row * width, 0, (size_t)width);
        memcpy(block + row * width, name, strlen(name));
        if (row == RCT_NAME_ROWS - 1 || b == model->count - 1) {
            rct_h5_write_rows(call, dataset, type, b - row, row + 1, block);
        }
    }
    rct_h5_close(call, &dataset);
    rct_h5_close(call, &type);
    rct_release(block);
}

/* The row of the body of each coordinate, or rate. */
static void put_hinges(rct_call *call, hid_t group, const rct_model *model, scale which,
                       int64_t count, int32_t (*size_of)(rct_hinge_type))
{
    int32_t *rows = rct_call_allocate(call, count, sizeof *rows, "rows of hinges");
    hid_t dataset = create(call, group, which, H5T_NATIVE_INT32, count);
    int64_t i = 0;
    for (int32_t b = 0; b < model->count && rows != NULL; b++) {
        const int64_t end = i + size_of(rct_bodies_at(model->bodies, b)->hinge);
        while (i < end) {
            rows[i++] = b;
        }
    }
    rct_h5_write(call, dataset, H5T_NATIVE_INT32, rows);
    rct_h5_close(call, &dataset);
    rct_release(rows);
}

void rct_create_scales(rct_call *call, rct_recorder *recorder, const rct_model *model)
{
    const rct_frame_sizes *sizes = &recorder->sizes;
    hid_t group = rct_h5_create_group(call, recorder->file, "frames");
    put_names(call, group, model);
    put_letters(call, group, SCALE_AXIS, "xyz");
    put_letters(call, group, SCALE_QUATERNION, "wxyz");
    if (sizes->coordinates > 0) {
        put_hinges(call, group, model, SCALE_COORDINATE, sizes->coordinates, rct_hinge_coordinates);
        put_hinges(call, group, model, SCALE_RATE, sizes->rates, rct_hinge_freedoms);
    }
    if (sizes->events > 0) {
        put_few_names(call, group, model, SCALE_LOOP, sizes->loops, rct_model_loop_name);
        put_few_names(call, group, model, SCALE_EVENT, sizes->events, rct_model_event_name);
    }
    rct_h5_close(call, &group);
}

int64_t rct_scales_bytes(const rct_model *model, rct_frame_sizes sizes)
{
    const int64_t names = sizes.events > 0 ? sizes.loops + sizes.events : 0;
    return model->count * name_width(model) + names * RCT_NAME_SIZE +
           (sizes.coordinates + sizes.rates) * (int64_t)sizeof(int32_t);
}

/* The scale of dimension i of a series of this rank. */
static scale scale_of(int series, int rank, int i)
{
    return i == 0                             ? SCALE_TIME
           : i == 1 && rank == RCT_H5_RANK    ? SCALE_BODY
           : series == RCT_SERIES_ORIENTATION ? SCALE_QUATERNION
           : series == RCT_SERIES_COORDINATES ? SCALE_COORDINATE
           : series == RCT_SERIES_RATES       ? SCALE_RATE
           : series == RCT_SERIES_LOOP_ACTIVE ? SCALE_LOOP
           : series > RCT_SERIES_LOOP_ACTIVE  ? SCALE_EVENT
                                              : SCALE_AXIS;
}

void rct_attach_scales(rct_call *call, hid_t group, hid_t dataset, int series, int rank)
{
    for (int i = 0; i < rank; i++) {
        hid_t to = rct_h5_open_dataset(call, group, scales[scale_of(series, rank, i)].name);
        RCT_TRY(call, "attach a dimension scale", H5DSattach_scale(dataset, to, (unsigned)i));
        rct_h5_close(call, &to);
    }
}
