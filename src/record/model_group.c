/* The group /model: everything the model was built from, one dataset a field, row b for body b.
 * Numbers lie uncompressed, so that the size of the file is known beforehand; names are compressed,
 * since most of their padded rows are zeros. */
#include "core/memory.h"
#include "record/recorder.h"

#include <stddef.h>
#include <string.h>

/* A field of rct_body made of doubles. */
typedef struct field {
    const char *name;
    int width; /* numbers of one body */
    size_t offset;
    const char *unit, *axes, *description;
} field;

static const char parent_axes[] = "axes of the parent (ground: inertial)";

static const field fields[] = {
    {"hinge_at", 3, offsetof(rct_body, hinge_at), "m", parent_axes,
     "hinge point in the parent, from the parent's own hinge point"},
    {"hinge_orientation", 4, offsetof(rct_body, hinge_orientation), "1", parent_axes,
     "fixed hinge: quaternion w x y z that turns body axes into the parent's"},
    {"mass", 1, offsetof(rct_body, mass), "kg", "none", "mass"},
    {"com", 3, offsetof(rct_body, com), "m", "body axes", "centre of mass from the hinge point"},
    {"inertia", 6, offsetof(rct_body, inertia), "kg m^2", "body axes",
     "inertia xx yy zz xy xz yz about the centre of mass"},
    {"initial_orientation", 4, offsetof(rct_body, orientation), "1", "inertial axes",
     "ball hinge: quaternion w x y z at the model's start, body axes to inertial"},
    {"initial_angular_velocity", 3, offsetof(rct_body, angular_velocity), "rad/s", "inertial axes",
     "ball hinge: angular velocity at the model's start"},
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

/* Body `id`, which exists. */
static rct_body body_of(const rct_model *model, int32_t id)
{
    rct_body body = rct_body_default();
    rct_model_body(model, id, &body, NULL);
    return body;
}

static void write_field(rct_call *call, hid_t group, const rct_model *model, const field *f,
                        double *column)
{
    const int32_t n = rct_model_body_count(model);
    for (int32_t b = 0; b < n; b++) {
        const rct_body body = body_of(model, b);
        memcpy(column + (int64_t)b * f->width, (const char *)&body + f->offset,
               (size_t)f->width * sizeof *column);
    }
    const rct_table table = {.name = f->name,
                             .rank = f->width > 1 ? 2 : 1,
                             .extent = {n, f->width},
                             .unit = f->unit,
                             .axes = f->axes,
                             .description = f->description};
    hid_t dataset = rct_h5_create_dataset(call, group, H5T_NATIVE_DOUBLE, &table);
    rct_h5_write(call, dataset, H5T_NATIVE_DOUBLE, column);
    rct_h5_close(call, &dataset);
}

static void write_parents(rct_call *call, hid_t group, const rct_model *model, int32_t *column)
{
    const int32_t n = rct_model_body_count(model);
    for (int32_t b = 0; b < n; b++) {
        column[b] = body_of(model, b).parent;
    }
    const rct_table table = {.name = "parent",
                             .rank = 1,
                             .extent = {n},
                             .unit = "1",
                             .axes = "none",
                             .description = "row of the parent body, -1: the ground"};
    hid_t dataset = rct_h5_create_dataset(call, group, H5T_NATIVE_INT32, &table);
    rct_h5_write(call, dataset, H5T_NATIVE_INT32, column);
    rct_h5_close(call, &dataset);
}

static void write_hinges(rct_call *call, hid_t group, const rct_model *model, int8_t *column)
{
    const int32_t n = rct_model_body_count(model);
    for (int32_t b = 0; b < n; b++) {
        column[b] = (int8_t)body_of(model, b).hinge;
    }
    const rct_table table = {.name = "hinge",
                             .rank = 1,
                             .extent = {n},
                             .unit = "1",
                             .axes = "none",
                             .description = "type of the hinge to the parent"};
    hid_t type = rct_h5_enum_type(call);
    rct_h5_put_member(call, type, "fixed", RCT_HINGE_FIXED);
    rct_h5_put_member(call, type, "ball", RCT_HINGE_BALL);
    hid_t dataset = rct_h5_create_dataset(call, group, type, &table);
    rct_h5_write(call, dataset, type, column);
    rct_h5_close(call, &dataset);
    rct_h5_close(call, &type);
}

/* Bytes of all names together, of the longest one. */
typedef struct name_sizes {
    int64_t count, total, longest;
} name_sizes;

static name_sizes measure_names(const rct_model *model)
{
    name_sizes sizes = {0, 0, 0};
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        const rct_body body = body_of(model, b);
        const int64_t length = body.name != NULL ? (int64_t)strlen(body.name) : 0;
        sizes.count += length > 0;
        sizes.total += length;
        sizes.longest = length > sizes.longest ? length : sizes.longest;
    }
    return sizes;
}

static void write_names(rct_call *call, hid_t group, const rct_model *model, char *block)
{
    const int64_t n = rct_model_body_count(model);
    const int64_t width = measure_names(model).longest;
    if (width == 0) {
        return;
    }
    const rct_table table = {.name = "name",
                             .rank = 1,
                             .extent = {n},
                             .chunk = {n < RCT_NAME_ROWS ? n : RCT_NAME_ROWS},
                             .compressed = 1,
                             .unit = "1",
                             .axes = "none",
                             .description = "name of the body, empty: \"body<row>\""};
    hid_t type = rct_h5_text_type(call, width);
    hid_t dataset = rct_h5_create_dataset(call, group, type, &table);
    for (int64_t first = 0; first < n; first += RCT_NAME_ROWS) {
        const int64_t rows = n - first < RCT_NAME_ROWS ? n - first : RCT_NAME_ROWS;
        memset(block, 0, (size_t)(rows * width));
        for (int64_t r = 0; r < rows; r++) {
            const char *name = body_of(model, (int32_t)(first + r)).name;
            if (name != NULL) {
                memcpy(block + r * width, name, strlen(name));
            }
        }
        rct_h5_write_rows(call, dataset, type, first, rows, block);
    }
    rct_h5_close(call, &dataset);
    rct_h5_close(call, &type);
}

void rct_record_model(rct_call *call, hid_t file, const rct_model *model, double *scratch)
{
    hid_t group = rct_h5_create_group(call, file, "model");
    write_parents(call, group, model, (int32_t *)scratch);
    write_hinges(call, group, model, (int8_t *)scratch);
    for (int i = 0; i < FIELDS; i++) {
        write_field(call, group, model, &fields[i], scratch);
    }
    write_names(call, group, model, (char *)scratch);
    rct_h5_close(call, &group);
}

int64_t rct_model_group_bytes(int64_t bodies)
{
    int64_t bytes = sizeof(int32_t) + sizeof(int8_t);
    for (int i = 0; i < FIELDS; i++) {
        bytes += fields[i].width * (int64_t)sizeof(double);
    }
    return bodies * bytes;
}

/* Deflate spends at most about a byte on a byte of a name, three on finding the next name, and one
 * on 250 zeros; a block of names has an entry in an index. */
int64_t rct_model_names_bytes(const rct_model *model)
{
    const int64_t n = rct_model_body_count(model);
    const name_sizes sizes = measure_names(model);
    const int64_t blocks = n / RCT_NAME_ROWS + 1;
    return sizes.longest == 0
               ? 0
               : sizes.total + 3 * sizes.count + n * sizes.longest / 250 + 200 * blocks;
}
