/* The group /members of an ensemble's file (members.h). */
#include "record/ensemble/members.h"

#include "core/memory.h"
#include "ensemble/ensemble.h"
#include "model/model.h"

#include <riccatree/ensemble_file.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    COLUMN_TIME,
    COLUMN_ENERGY,
    COLUMN_DRIFT,
    COLUMN_PARAMETERS,
    COLUMN_COORDINATES,
    COLUMN_RATES,
    COLUMN_SERIES_ENERGY,
    COLUMN_SERIES_POSITION,
    COLUMN_BODY,
    COLUMN_TEXT
};

static const struct {
    const char *name, *unit, *axes, *description;
} names[RCT_COLUMNS] = {
    {"time", "s", "none", "of the last state that the member reached"},
    {"energy", "J", "none",
     "kinetic and potential energy of that state, the latter from the start"},
    {"energy_drift", "J", "none", "largest change of the energy over the frames"},
    {"parameters", "as in the model", "as in the model", "values of the variations"},
    {"coordinates", "rad or m, 1 in quaternions", "by hinge",
     "of that state, those of all hinges, body after body; NaN: there is none"},
    {"rates", "rad/s or m/s", "by hinge", "of that state, those of all hinges"},
    {"series_energy", "J", "none", "energy at /series/time; NaN: not reached"},
    {"series_position", "m", "inertial axes",
     "hinge points of the bodies /series/body at /series/time, x y z of one after the other"},
    {"body", "1", "none", "of a member that failed: the body at fault, -1: none"},
    {"text", "1", "none", "why the member failed; empty: it did not"},
};

rct_member_sizes rct_member_sizes_of(const rct_ensemble *e, const rct_ensemble_run_options *run)
{
    rct_member_sizes sizes = {.members = run->count > 0 ? run->count : e->members - run->first,
                              .variations = e->count,
                              .series = run->series,
                              .tracked = run->tracked};
    for (int32_t b = 0; b < e->model->count; b++) {
        sizes.coordinates += rct_hinge_coordinates(e->model->bodies[b].hinge);
        sizes.rates += rct_hinge_freedoms(e->model->bodies[b].hinge);
    }
    return sizes;
}

/* Numbers in a row, by two dimensions; -1: one number, without any. */
static void shape(rct_member_columns *c, int k, int64_t members, int64_t width, int64_t depth)
{
    rct_column *column = &c->column[k];
    const int64_t one = k == COLUMN_TEXT   ? RCT_MEMBER_TEXT
                        : k == COLUMN_BODY ? (int64_t)sizeof(int32_t)
                                           : (int64_t)sizeof(double);
    column->table = (rct_table){.name = names[k].name,
                                .rank = width < 0   ? 1
                                        : depth < 0 ? 2
                                                    : 3,
                                .extent = {members, width, depth},
                                .unit = names[k].unit,
                                .axes = names[k].axes,
                                .description = names[k].description};
    column->bytes = one * (width < 0 ? 1 : width) * (depth < 0 ? 1 : depth);
    column->dataset = -1;
    column->type = k == COLUMN_BODY ? H5T_NATIVE_INT32 : H5T_NATIVE_DOUBLE;
}

rct_member_columns rct_columns_of(const rct_member_sizes *s)
{
    rct_member_columns c = {.status = -1, .status_type = -1, .text_type = -1, .checksum = -1};
    for (int k = COLUMN_TIME; k <= COLUMN_DRIFT; k++) {
        shape(&c, k, s->members, -1, -1);
    }
    shape(&c, COLUMN_PARAMETERS, s->members, s->variations, -1);
    shape(&c, COLUMN_COORDINATES, s->members, s->coordinates, -1);
    shape(&c, COLUMN_RATES, s->members, s->rates, -1);
    shape(&c, COLUMN_SERIES_ENERGY, s->members, s->series, -1);
    shape(&c, COLUMN_SERIES_POSITION, s->members, s->series, 3 * s->tracked);
    shape(&c, COLUMN_BODY, s->members, -1, -1);
    shape(&c, COLUMN_TEXT, s->members, -1, -1);
    return c;
}

int64_t rct_columns_bytes(const rct_member_columns *c, int64_t members)
{
    int64_t row = 1 + (int64_t)sizeof(uint32_t); /* status and checksum */
    for (int k = 0; k < RCT_COLUMNS; k++) {
        row += c->column[k].bytes;
    }
    return members > INT64_MAX / 2 / row ? INT64_MAX / 2 : members * row;
}

static const rct_table checksum_table = {
    .name = "checksum",
    .rank = 1,
    .unit = "1",
    .axes = "none",
    .description = "CRC-32 of the row: its number as int64, then its numbers in the order of "
                   "docs/ensemble.md; 0: the row is not there"};

static void create_status(rct_call *call, hid_t group, rct_member_columns *c, int64_t members)
{
    const rct_table table = {.name = "status",
                             .rank = 1,
                             .extent = {members},
                             .unit = "1",
                             .axes = "none",
                             .description = "pending: the row holds nothing yet; ok: the member "
                                            "came to the end; else why it did not"};
    c->status_type = rct_h5_enum_type(call);
    rct_h5_put_member(call, c->status_type, "pending", RCT_PENDING_VALUE);
    for (int s = RCT_OK; s <= RCT_ERROR_LOOP; s++) {
        rct_h5_put_member(call, c->status_type, rct_status_name((rct_status)s), (int8_t)(s + 1));
    }
    c->status = rct_h5_create_dataset(call, group, c->status_type, &table);
    rct_table checksum = checksum_table;
    checksum.extent[0] = members;
    c->checksum = rct_h5_create_dataset(call, group, H5T_NATIVE_UINT32, &checksum);
}

void rct_columns_create(rct_call *call, hid_t file, rct_member_columns *c, int64_t members)
{
    hid_t group = rct_h5_create_group(call, file, "members");
    c->text_type = rct_h5_text_type(call, RCT_MEMBER_TEXT);
    c->column[COLUMN_TEXT].type = c->text_type;
    for (int k = 0; k < RCT_COLUMNS; k++) {
        rct_column *column = &c->column[k];
        if (column->bytes > 0) {
            column->dataset = rct_h5_create_dataset(call, group, column->type, &column->table);
            column->rows = rct_call_allocate(call, RCT_MEMBER_ROWS, column->bytes,
                                             "the rows of an ensemble's file");
        }
    }
    create_status(call, group, c, members);
    rct_h5_close(call, &group);
}

/* A dataset that must have this shape. */
static hid_t open_column(rct_call *call, hid_t group, const rct_table *table)
{
    int64_t extent[RCT_H5_RANK] = {0};
    hid_t dataset = rct_h5_open_dataset(call, group, table->name);
    rct_h5_extent(call, dataset, extent);
    for (int i = 0; i < RCT_H5_RANK; i++) {
        if (extent[i] != (i < table->rank ? table->extent[i] : 0)) {
            rct_call_fail(call, RCT_ERROR_IO, "is damaged: its dataset %s has another shape",
                          table->name);
        }
    }
    return dataset;
}

void rct_columns_open(rct_call *call, hid_t file, rct_member_columns *c, int64_t members)
{
    const rct_table status = {.name = "status", .rank = 1, .extent = {members}};
    const rct_table checksum = {.name = "checksum", .rank = 1, .extent = {members}};
    hid_t group = rct_h5_open_group(call, file, "members");
    c->text_type = rct_h5_text_type(call, RCT_MEMBER_TEXT);
    c->column[COLUMN_TEXT].type = c->text_type;
    for (int k = 0; k < RCT_COLUMNS; k++) {
        rct_column *column = &c->column[k];
        if (column->bytes > 0) {
            column->dataset = open_column(call, group, &column->table);
            column->rows = rct_call_allocate(call, RCT_MEMBER_ROWS, column->bytes,
                                             "the rows of an ensemble's file");
        }
    }
    c->status = open_column(call, group, &status);
    c->status_type = RCT_TRY(call, "open a dataset", H5Dget_type(c->status));
    c->checksum = open_column(call, group, &checksum);
    rct_h5_close(call, &group);
}

void rct_columns_ranges(rct_call *call, const rct_member_columns *c, int64_t members,
                        rct_ranges *ranges)
{
    for (int k = 0; k < RCT_COLUMNS; k++) {
        const rct_column *column = &c->column[k];
        if (column->bytes > 0) {
            rct_h5_add_range(call, ranges, column->dataset, members * column->bytes);
        }
    }
    rct_h5_add_range(call, ranges, c->status, members);
    rct_h5_add_range(call, ranges, c->checksum, members * (int64_t)sizeof(uint32_t));
}

void rct_columns_close(rct_call *call, rct_member_columns *c)
{
    for (int k = 0; k < RCT_COLUMNS; k++) {
        rct_h5_close(call, &c->column[k].dataset);
        rct_release(c->column[k].rows);
        c->column[k].rows = NULL;
    }
    rct_h5_close(call, &c->status);
    rct_h5_close(call, &c->status_type);
    rct_h5_close(call, &c->text_type);
    rct_h5_close(call, &c->checksum);
}

static void put(rct_member_columns *c, int k, const void *values)
{
    rct_column *column = &c->column[k];
    if (column->bytes > 0) {
        memcpy(column->rows + c->waiting * column->bytes, values, (size_t)column->bytes);
    }
}

/* Cut to fit, but not within a character of UTF-8. */
static void put_text(rct_member_columns *c, const char *text)
{
    char row[RCT_MEMBER_TEXT] = "";
    size_t length = strlen(text);
    if (length >= sizeof row) {
        length = sizeof row - 1;
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) {
            length--;
        }
    }
    memcpy(row, text, length);
    put(c, COLUMN_TEXT, row);
}

const char *rct_columns_trouble(const rct_member_columns *c, const rct_member_result *r)
{
    const struct {
        int column;
        const void *values;
    } arrays[] = {{COLUMN_PARAMETERS, r->parameters},
                  {COLUMN_COORDINATES, r->coordinates},
                  {COLUMN_RATES, r->rates},
                  {COLUMN_SERIES_ENERGY, r->series_energy},
                  {COLUMN_SERIES_POSITION, r->series_position},
                  {COLUMN_TEXT, r->text}};
    if ((int)r->status < RCT_OK || (int)r->status > RCT_ERROR_LOOP) {
        return "its status is none";
    }
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        if (c->column[arrays[k].column].bytes > 0 && arrays[k].values == NULL) {
            return "an array of it is NULL";
        }
    }
    return NULL;
}

void rct_columns_add(rct_member_columns *c, int64_t row, const rct_member_result *r)
{
    c->first = c->waiting == 0 ? row : c->first;
    put(c, COLUMN_TIME, &r->time);
    put(c, COLUMN_ENERGY, &r->energy);
    put(c, COLUMN_DRIFT, &r->energy_drift);
    put(c, COLUMN_PARAMETERS, r->parameters);
    put(c, COLUMN_COORDINATES, r->coordinates);
    put(c, COLUMN_RATES, r->rates);
    put(c, COLUMN_SERIES_ENERGY, r->series_energy);
    put(c, COLUMN_SERIES_POSITION, r->series_position);
    put(c, COLUMN_BODY, &r->body);
    put_text(c, r->text);
    c->statuses[c->waiting] = (int8_t)(r->status + 1);
    c->checksums[c->waiting] = rct_row_checksum(c, row, c->waiting);
    c->waiting++;
}

void rct_columns_write(rct_call *call, hid_t file, rct_member_columns *c)
{
    static const rct_table narrow = {.rank = 1};
    if (c->waiting == 0) {
        return;
    }
    for (int k = 0; k < RCT_COLUMNS; k++) {
        const rct_column *column = &c->column[k];
        if (column->bytes > 0) {
            rct_h5_write_block(call, column->dataset, column->type, &column->table, c->first,
                               c->waiting, column->rows);
        }
    }
    rct_h5_flush(call, file);
    rct_h5_write_block(call, c->status, c->status_type, &narrow, c->first, c->waiting, c->statuses);
    rct_h5_flush(call, file);
    rct_h5_write_block(call, c->checksum, H5T_NATIVE_UINT32, &narrow, c->first, c->waiting,
                       c->checksums);
    rct_h5_flush(call, file);
    c->waiting = call->status == RCT_OK ? 0 : c->waiting;
}
