/* The group /model: everything the model was built from, one dataset a field, row b for body b.
 * Numbers lie uncompressed, so that the size of the file is known beforehand; names are compressed,
 * since most of their padded rows are zeros. */
#include "core/memory.h"
#include "model/hinge_types.h"
#include "model/model.h"
#include "record/model/model.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Columns besides the parent, the type of the hinge and the name: keys of hinges, and matter. */
enum { MASS = RCT_HINGE_KEYS, COM, INERTIA };

static const rct_field matter[] = {
    {"mass", 1, offsetof(rct_body, mass), "kg", "none", "mass"},
    {"com", 3, offsetof(rct_body, com), "m", "body axes", "centre of mass from the hinge point"},
    {"inertia", 6, offsetof(rct_body, inertia), "kg m^2", "body axes",
     "inertia xx yy zz xy xz yz about the centre of mass"},
};

/* These are always there; others, from RCT_KEY_AXIS to RCT_KEY_RATE, only if a body has another value than the default. */
static const int always[] = {RCT_KEY_AT,          RCT_KEY_FRAME,           MASS, COM, INERTIA,
                             RCT_KEY_ORIENTATION, RCT_KEY_ANGULAR_VELOCITY};

enum {
    FIRST_OPTIONAL = sizeof always / sizeof always[0],
    COLUMNS = FIRST_OPTIONAL + RCT_KEY_RATE - RCT_KEY_AXIS + 1,
    LONGEST_NAME = 32,
    WIDEST = 6,   /* numbers of a body in a column */
    BLOCK = 16384 /* bodies read at a time */
};

/* Column `number`; `name` is room for its name. */
static rct_field column_of(int number, char name[LONGEST_NAME])
{
    const int key =
        number < FIRST_OPTIONAL ? always[number] : RCT_KEY_AXIS + number - FIRST_OPTIONAL;
    if (key >= RCT_HINGE_KEYS) {
        return matter[key - MASS];
    }
    const rct_hinge_key *k = &rct_hinge_keys[key];
    snprintf(name, LONGEST_NAME, "%s_%s", k->section, k->name);
    return (rct_field){name, k->width, k->offset, k->unit, k->axes, k->description};
}

/* The columns that are written, as bits: one pass over the bodies, which are large. */
static int columns_used(const rct_model *model)
{
    const rct_body plain = rct_body_default();
    char name[LONGEST_NAME];
    rct_field columns[COLUMNS];
    int used = (1 << FIRST_OPTIONAL) - 1;
    for (int i = 0; i < COLUMNS; i++) {
        columns[i] = column_of(i, name);
    }
    for (int32_t b = 0; b < model->count && used != (1 << COLUMNS) - 1; b++) {
        for (int i = FIRST_OPTIONAL; i < COLUMNS; i++) {
            const char *own = (const char *)rct_bodies_numbers(model->bodies, b, columns[i].offset);
            const size_t bytes = (size_t)columns[i].width * sizeof(double);
            used |= (memcmp(own, (const char *)&plain + columns[i].offset, bytes) != 0) << i;
        }
    }
    return used;
}

static void write_field(rct_call *call, hid_t group, const rct_model *model, int number,
                        double *column)
{
    char name[LONGEST_NAME];
    const rct_field f = column_of(number, name);
    for (int32_t b = 0; b < model->count; b++) {
        memcpy(column + (int64_t)b * f.width, rct_bodies_numbers(model->bodies, b, f.offset),
               (size_t)f.width * sizeof *column);
    }
    rct_put_field(call, group, &f, model->count, column);
}

static void write_parents(rct_call *call, hid_t group, const rct_model *model, int32_t *column)
{
    const int32_t n = model->count;
    for (int32_t b = 0; b < n; b++) {
        column[b] = model->bodies->parent[b];
    }
    rct_put_column(call, group, H5T_NATIVE_INT32, "parent", n,
                   "row of the parent body, -1: the ground", column);
}

static hid_t hinge_type(rct_call *call)
{
    hid_t type = rct_h5_enum_type(call);
    for (int t = 0; t < RCT_HINGE_TYPES; t++) {
        rct_h5_put_member(call, type, rct_hinge_name((rct_hinge_type)t), (int8_t)t);
    }
    return type;
}

static void write_hinges(rct_call *call, hid_t group, const rct_model *model, int8_t *column)
{
    const int32_t n = model->count;
    for (int32_t b = 0; b < n; b++) {
        column[b] = (int8_t)rct_bodies_at(model->bodies, b)->hinge;
    }
    hid_t type = hinge_type(call);
    rct_put_column(call, group, type, "hinge", n, "type of the hinge to the parent", column);
    rct_h5_close(call, &type);
}

/* Where the coordinates or rates of each body begin in a row of /frames. */
static void write_firsts(rct_call *call, hid_t group, const rct_model *model, const char *name,
                         const char *description, int32_t (*width)(rct_hinge_type), int64_t *column)
{
    const int32_t n = model->count;
    int64_t first = 0;
    for (int32_t b = 0; b < n; b++) {
        column[b] = first;
        first += width(rct_bodies_at(model->bodies, b)->hinge);
    }
    rct_put_column(call, group, H5T_NATIVE_INT64, name, n, description, column);
}

/* Bytes of all names together, of the longest one. */
typedef struct name_sizes {
    int64_t count, total, longest;
} name_sizes;

static name_sizes measure_names(const rct_model *model)
{
    name_sizes sizes = {0, 0, 0};
    for (int32_t b = 0; b < model->count; b++) {
        const char *name = rct_model_own_name(model, b);
        const int64_t length = name != NULL ? (int64_t)strlen(name) : 0;
        sizes.count += length > 0;
        sizes.total += length;
        sizes.longest = length > sizes.longest ? length : sizes.longest;
    }
    return sizes;
}

static void write_names(rct_call *call, hid_t group, const rct_model *model, char *block)
{
    const int64_t n = model->count;
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
            const char *name = rct_model_own_name(model, first + r);
            if (name != NULL) {
                memcpy(block + r * width, name, strlen(name));
            }
        }
        rct_h5_write_rows(call, dataset, type, first, rows, block);
    }
    rct_h5_close(call, &dataset);
    rct_h5_close(call, &type);
}

int64_t rct_record_model_scratch(int64_t bodies)
{
    const int64_t names = RCT_NAME_ROWS * (RCT_NAME_SIZE / (int64_t)sizeof(double));
    const int64_t column = WIDEST * bodies;
    return column > names ? column : names;
}

void rct_record_model(rct_call *call, hid_t file, const rct_model *model, int columns,
                      double *scratch)
{
    hid_t group = rct_h5_create_group(call, file, "model");
    write_parents(call, group, model, (int32_t *)scratch);
    write_hinges(call, group, model, (int8_t *)scratch);
    const int used = columns_used(model);
    for (int i = 0; i < COLUMNS; i++) {
        if (used >> i & 1) {
            write_field(call, group, model, i, scratch);
        }
    }
    if (columns) {
        write_firsts(call, group, model, "first_coordinate",
                     "column of /frames/coordinates where those of the body begin",
                     rct_hinge_coordinates, (int64_t *)scratch);
        write_firsts(call, group, model, "first_rate",
                     "column of /frames/rates where those of the body begin", rct_hinge_freedoms,
                     (int64_t *)scratch);
    }
    write_names(call, group, model, (char *)scratch);
    rct_record_forces(call, group, model);
    rct_record_loops(call, group, model);
    rct_h5_close(call, &group);
}

int64_t rct_model_group_bytes(const rct_model *model, int columns)
{
    int64_t bytes = sizeof(int32_t) + sizeof(int8_t);
    int64_t more = rct_force_group_bytes(model) + rct_loop_group_bytes(model);
    if (columns) {
        bytes += 2 * (int64_t)sizeof(int64_t);
        more += 2 * RCT_DATASET_BYTES;
    }
    const int used = columns_used(model);
    for (int i = 0; i < COLUMNS; i++) {
        char name[LONGEST_NAME];
        const int written = used >> i & 1;
        bytes += written ? column_of(i, name).width * (int64_t)sizeof(double) : 0;
        more += written && i >= FIRST_OPTIONAL ? RCT_DATASET_BYTES : 0;
    }
    return model->count * bytes + more;
}

/* Deflate spends at most about a byte on a byte of a name, three on finding the next name, and one
 * on 250 zeros; a block of names has an entry in an index. */
int64_t rct_model_names_bytes(const rct_model *model)
{
    const int64_t n = model->count;
    const name_sizes sizes = measure_names(model);
    const int64_t blocks = n / RCT_NAME_ROWS + 1;
    return sizes.longest == 0
               ? 0
               : sizes.total + 3 * sizes.count + n * sizes.longest / 250 + 200 * blocks;
}

/* ---- reading ------------------------------------------------------------------------------ */

void rct_recall_status(rct_call *call, rct_status status, const rct_error *why)
{
    if (status != RCT_OK && call->status == RCT_OK) {
        rct_call_fail(call, status, "%s", why->text);
        if (call->error != NULL) {
            call->error->body = why->body;
        }
    }
}

static void read_columns(rct_call *call, const rct_part *part, rct_body *bodies)
{
    char name[LONGEST_NAME];
    for (int64_t i = 0; i < part->count; i++) {
        bodies[i] = rct_body_default();
    }
    rct_get_whole(call, part, "parent", offsetof(rct_body, parent), bodies, sizeof *bodies);
    rct_get_whole(call, part, "hinge", offsetof(rct_body, hinge), bodies, sizeof *bodies);
    for (int i = 0; i < COLUMNS; i++) {
        const rct_field f = column_of(i, name);
        rct_get_field(call, part, &f, bodies, sizeof *bodies);
    }
}

static void read_block(rct_call *call, const rct_part *part, rct_model *model, rct_body *bodies)
{
    int64_t size = 0;
    read_columns(call, part, bodies);
    char *names = rct_get_texts(call, part, "name", &size);
    for (int64_t i = 0; i < part->count && call->status == RCT_OK; i++) {
        rct_error why;
        bodies[i].name = names != NULL ? names + i * size : NULL;
        rct_recall_status(call, rct_model_add_body(model, &bodies[i], NULL, &why), &why);
    }
    rct_release(names);
}

/* Columns of recordings among them. */
static void check_names(rct_call *call, hid_t group)
{
    static const char *const others[] = {"parent", "hinge", "name",  "first_coordinate",
                                         "forces", "base",  "loops", "first_rate",
                                         NULL};
    char names[COLUMNS][LONGEST_NAME];
    rct_field columns[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
        columns[i] = column_of(i, names[i]);
    }
    rct_check_names(call, group, "/model", columns, COLUMNS, others);
}

static int64_t count_bodies(rct_call *call, hid_t group)
{
    static const char *const needed[] = {"parent", "mass", NULL};
    int64_t extent[RCT_H5_RANK] = {0};
    check_names(call, group);
    rct_check_columns(call, group, "/model", needed);
    rct_h5_extent_of(call, group, "parent", extent);
    if (extent[0] < 1 || extent[0] >= INT32_MAX || extent[1] > 0) {
        rct_call_fail(call, RCT_ERROR_MODEL,
                      "/model/parent has another shape than one number for each of 1 to %d bodies",
                      INT32_MAX - 1);
    }
    return call->status == RCT_OK ? extent[0] : 0;
}

static void read_bodies(rct_call *call, hid_t group, rct_model *model)
{
    rct_error why;
    rct_part part = {.group = group, .rows = count_bodies(call, group)};
    rct_body *bodies = rct_call_allocate(call, part.rows < BLOCK ? part.rows : BLOCK,
                                         sizeof *bodies, "reading bodies");
    if (call->status == RCT_OK) {
        rct_recall_status(call, rct_model_reserve(model, part.rows, &why), &why);
    }
    for (; part.first < part.rows && call->status == RCT_OK; part.first += part.count) {
        const int64_t left = part.rows - part.first;
        part.count = left < BLOCK ? left : BLOCK;
        read_block(call, &part, model, bodies);
    }
    rct_release(bodies);
}

void rct_recall_model(rct_call *call, hid_t file, rct_model *model)
{
    hid_t group = rct_h5_open_group(call, file, "model");
    read_bodies(call, group, model);
    rct_recall_forces(call, group, model);
    rct_recall_loops(call, group, model);
    rct_h5_close(call, &group);
}
