/* The group /model: everything the model was built from, one dataset for each field, row b for
 * body b. Numbers are uncompressed, so that the size of the file is known beforehand. */
#include "core/memory.h"
#include "model/hinge_types.h"
#include "model/model.h"
#include "record/model/model.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Columns besides the parent, the type of the hinge and the name: keys of hinges, and inertial
 * data. */
enum { MASS = RCT_HINGE_KEYS, COM, INERTIA };

static const rct_field matter[] = {
    {"mass", 1, offsetof(rct_body, mass), "kg", "none", "mass"},
    {"com", 3, offsetof(rct_body, com), "m", "body axes", "centre of mass from the hinge point"},
    {"inertia", 6, offsetof(rct_body, inertia), "kg m^2", "body axes",
     "inertia xx yy zz xy xz yz about the centre of mass"},
};

/* These columns always exist; others, from RCT_KEY_AXIS to RCT_KEY_RATE, only if a body differs
 * from the default. */
static const int always[] = {RCT_KEY_AT,          RCT_KEY_FRAME,           MASS, COM, INERTIA,
                             RCT_KEY_ORIENTATION, RCT_KEY_ANGULAR_VELOCITY};

enum {
    FIRST_OPTIONAL = sizeof always / sizeof always[0],
    COLUMNS = FIRST_OPTIONAL + RCT_KEY_RATE - RCT_KEY_AXIS + 1,
    LONGEST_NAME = 32,
    WIDEST = 6,   /* numbers of a body in a column */
    BLOCK = 16384 /* bodies read or written at a time */
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

/* Bits of the columns that are written, found in one pass over the bodies, which are large. */
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

/* A column while it is written: its next block. */
typedef struct column {
    rct_field field;
    hid_t type;
    void (*take)(struct column *column, const rct_model *model, int64_t first, int64_t count,
                 void *block);
    int32_t (*width)(rct_hinge_type); /* for take_firsts, with the count so far */
    int64_t next;
} column;

static void take_numbers(column *c, const rct_model *model, int64_t first, int64_t count,
                         void *block)
{
    const size_t bytes = (size_t)c->field.width * sizeof(double);
    for (int64_t k = 0; k < count; k++) {
        memcpy((char *)block + (size_t)k * bytes,
               rct_bodies_numbers(model->bodies, first + k, c->field.offset), bytes);
    }
}

static void take_parents(column *c, const rct_model *model, int64_t first, int64_t count,
                         void *block)
{
    (void)c;
    memcpy(block, model->bodies->parent + first, (size_t)count * sizeof *model->bodies->parent);
}

static void take_hinges(column *c, const rct_model *model, int64_t first, int64_t count,
                        void *block)
{
    int8_t *hinges = block;
    (void)c;
    for (int64_t k = 0; k < count; k++) {
        hinges[k] = (int8_t)rct_bodies_at(model->bodies, first + k)->hinge;
    }
}

/* The start of the coordinates or rates of each body in a row of /frames. */
static void take_firsts(column *c, const rct_model *model, int64_t first, int64_t count,
                        void *block)
{
    int64_t *firsts = block;
    for (int64_t k = 0; k < count; k++) {
        firsts[k] = c->next;
        c->next += c->width(rct_bodies_at(model->bodies, first + k)->hinge);
    }
}

static void write_column(rct_call *call, hid_t group, const rct_model *model, column *c,
                         double *block)
{
    rct_table table;
    const int64_t n = model->count;
    hid_t dataset = rct_create_column(call, group, c->type, &c->field, n, &table);
    for (int64_t first = 0; first < n; first += BLOCK) {
        const int64_t count = n - first < BLOCK ? n - first : BLOCK;
        c->take(c, model, first, count, block);
        rct_h5_write_block(call, dataset, c->type, &table, first, count, block);
    }
    rct_h5_close(call, &dataset);
}

static hid_t hinge_type(rct_call *call)
{
    hid_t type = rct_h5_enum_type(call);
    for (int t = 0; t < RCT_HINGE_TYPES; t++) {
        rct_h5_put_member(call, type, rct_hinge_name((rct_hinge_type)t), (int8_t)t);
    }
    return type;
}

/* Write the columns of one whole number for each body. */
static void write_whole(rct_call *call, hid_t group, const rct_model *model, int firsts,
                        double *block)
{
    hid_t hinge = hinge_type(call);
    column all[] = {
        {.field = {"parent", 1, 0, "1", "none", "row of the parent body, -1: the ground"},
         .type = H5T_NATIVE_INT32,
         .take = take_parents},
        {.field = {"hinge", 1, 0, "1", "none", "type of the hinge to the parent"},
         .type = hinge,
         .take = take_hinges},
        {.field = {"first_coordinate", 1, 0, "1", "none",
                   "column of /frames/coordinates where those of the body begin"},
         .type = H5T_NATIVE_INT64,
         .take = take_firsts,
         .width = rct_hinge_coordinates},
        {.field = {"first_rate", 1, 0, "1", "none",
                   "column of /frames/rates where those of the body begin"},
         .type = H5T_NATIVE_INT64,
         .take = take_firsts,
         .width = rct_hinge_freedoms},
    };
    for (int i = 0; i < (firsts ? 4 : 2); i++) {
        write_column(call, group, model, &all[i], block);
    }
    rct_h5_close(call, &hinge);
}

/* Doubles of a block of any column, including names. */
static int64_t block_of(const rct_model *model)
{
    const int64_t names = RCT_NAME_ROWS * (RCT_NAME_SIZE / (int64_t)sizeof(double));
    const int64_t numbers = WIDEST * (int64_t)(model->count < BLOCK ? model->count : BLOCK);
    return numbers > names ? numbers : names;
}

void rct_record_model(rct_call *call, hid_t file, const rct_model *model, int columns)
{
    double *block = rct_call_allocate(call, block_of(model), sizeof *block, "writing a model");
    if (block == NULL) {
        return;
    }
    hid_t group = rct_h5_create_group(call, file, "model");
    write_whole(call, group, model, columns, block);
    const int used = columns_used(model);
    for (int i = 0; i < COLUMNS; i++) {
        if (used >> i & 1) {
            char name[LONGEST_NAME];
            column c = {
                .field = column_of(i, name), .type = H5T_NATIVE_DOUBLE, .take = take_numbers};
            write_column(call, group, model, &c, block);
        }
    }
    rct_record_names(call, group, model, (char *)block);
    rct_record_forces(call, group, model);
    rct_record_loops(call, group, model);
    rct_record_events(call, group, model);
    rct_record_shapes(call, group, model);
    rct_h5_close(call, &group);
    rct_release(block);
}

int64_t rct_model_group_bytes(const rct_model *model, int columns)
{
    int64_t bytes = sizeof(int32_t) + sizeof(int8_t);
    int64_t more = rct_force_group_bytes(model) + rct_loop_group_bytes(model) +
                   rct_event_group_bytes(model) + rct_shape_group_bytes(model);
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

/* Check the names; columns of recordings are among them. */
static void check_names(rct_call *call, hid_t group)
{
    static const char *const others[] = {"parent",     "hinge",  "name",  "first_coordinate",
                                         "forces",     "base",   "loops", "events",
                                         "first_rate", "shapes", NULL};
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
    rct_recall_events(call, group, model);
    rct_recall_shapes(call, group, model);
    rct_h5_close(call, &group);
}
