/* The group /members of the file of an ensemble (members.h). */
#include "record/ensemble/members.h"

#include "core/memory.h"
#include "ensemble/ensemble.h"
#include "model/model.h"

#include <riccatree/ensemble_file.h>

#include <stddef.h>
#include <string.h>

enum { MOST_ROWS = 64, MOST_BYTES = 1 << 24 }; /* rows that are written or read together */

#define OF(field) offsetof(rct_member_result, field)

/* `offset` is where a result has the value or, with `far`, its address. */
static const struct {
    const char *name;
    int64_t bytes; /* of one number of a row */
    size_t offset;
    int rank, far;
    const char *unit, *axes, *description;
} columns[RCT_COLUMNS] = {
    {"time", 8, OF(time), 1, 0, "s", "none", "of the last state that the member reached"},
    {"energy", 8, OF(energy), 1, 0, "J", "none",
     "kinetic and potential energy of that state, the latter from the start"},
    {"energy_drift", 8, OF(energy_drift), 1, 0, "J", "none",
     "largest change of the energy over the frames"},
    {"parameters", 8, OF(parameters), 2, 1, "as in the model", "as in the model",
     "values of the variations"},
    {"coordinates", 8, OF(coordinates), 2, 1, "rad or m, 1 in quaternions", "by hinge",
     "of that state, those of all hinges, body after body; NaN: there is none"},
    {"rates", 8, OF(rates), 2, 1, "rad/s or m/s", "by hinge", "of that state, those of all hinges"},
    {"series_energy", 8, OF(series_energy), 2, 1, "J", "none",
     "energy at /series/time; NaN: not reached"},
    {"series_position", 8, OF(series_position), 3, 1, "m", "inertial axes",
     "hinge points of the bodies /series/body at /series/time, x y z of one after the other"},
    {"body", 4, OF(body), 1, 0, "1", "none",
     "of a member that failed: the body at fault, -1: none"},
    {"text", RCT_MEMBER_TEXT, OF(text), 1, 1, "1", "none",
     "why the member failed; empty: it did not"},
    {"status", 1, OF(status), 1, 0, "1", "none",
     "pending: the row holds nothing yet; ok: the member came to the end; else why it did not"},
    {"checksum", 4, 0, 1, 0, "1", "none",
     "CRC-32 of the row: its number as int64, then its numbers in the order of "
     "docs/ensemble.md; 0: the row is not there"},
};

rct_member_sizes rct_member_sizes_of(const rct_ensemble *e, const rct_ensemble_run_options *run)
{
    rct_member_sizes sizes = {.members = run->count > 0 ? run->count : e->members - run->first,
                              .variations = e->count,
                              .series = run->series,
                              .tracked = run->tracked};
    for (int32_t b = 0; b < e->model->count; b++) {
        sizes.coordinates += rct_hinge_coordinates(rct_bodies_at(e->model->bodies, b)->hinge);
        sizes.rates += rct_hinge_freedoms(rct_bodies_at(e->model->bodies, b)->hinge);
    }
    return sizes;
}

rct_member_columns rct_columns_of(const rct_member_sizes *s)
{
    const int64_t widths[RCT_COLUMNS][2] = {
        [RCT_COLUMN_PARAMETERS] = {s->variations},
        [RCT_COLUMN_COORDINATES] = {s->coordinates},
        [RCT_COLUMN_RATES] = {s->rates},
        [RCT_COLUMN_SERIES_ENERGY] = {s->series},
        [RCT_COLUMN_SERIES_POSITION] = {s->series, 3 * s->tracked},
    };
    rct_member_columns c = {.members = s->members};
    int64_t row = 0;
    for (int k = 0; k < RCT_COLUMNS; k++) {
        rct_column *column = &c.column[k];
        column->table = (rct_table){.name = columns[k].name,
                                    .rank = columns[k].rank,
                                    .extent = {s->members, widths[k][0], widths[k][1]},
                                    .unit = columns[k].unit,
                                    .axes = columns[k].axes,
                                    .description = columns[k].description};
        column->dataset = column->type = -1;
        column->bytes = columns[k].bytes;
        for (int i = 1; i < columns[k].rank; i++) {
            column->bytes *= column->table.extent[i];
        }
        row += column->bytes;
    }
    c.room = row < MOST_BYTES / MOST_ROWS ? MOST_ROWS : row < MOST_BYTES ? MOST_BYTES / row : 1;
    return c;
}

int64_t rct_columns_bytes(const rct_member_columns *c)
{
    int64_t row = 0;
    for (int k = 0; k < RCT_COLUMNS; k++) {
        row += c->column[k].bytes;
    }
    return c->members > INT64_MAX / 2 / row ? INT64_MAX / 2 : c->members * row;
}

/* ---- the file ----------------------------------------------------------------------------- */

static hid_t status_type(rct_call *call)
{
    hid_t type = rct_h5_enum_type(call);
    rct_h5_put_member(call, type, "pending", RCT_PENDING_VALUE);
    for (int s = RCT_OK; s <= RCT_ERROR_LOOP; s++) {
        rct_h5_put_member(call, type, rct_status_name((rct_status)s), (int8_t)(s + 1));
    }
    return type;
}

/* The type of a column, whose dataset may already exist. */
static hid_t type_of(rct_call *call, int k, hid_t dataset)
{
    const char *what = "describe a number";
    switch (k) {
    case RCT_COLUMN_TEXT: return rct_h5_text_type(call, RCT_MEMBER_TEXT);
    case RCT_COLUMN_STATUS: return dataset < 0 ? status_type(call) : rct_h5_type(call, dataset);
    case RCT_COLUMN_BODY: return RCT_TRY(call, what, H5Tcopy(H5T_NATIVE_INT32));
    case RCT_COLUMN_CHECKSUM: return RCT_TRY(call, what, H5Tcopy(H5T_NATIVE_UINT32));
    default: return RCT_TRY(call, what, H5Tcopy(H5T_NATIVE_DOUBLE));
    }
}

static void have_column(rct_call *call, hid_t group, rct_member_columns *c, int k, int create)
{
    rct_column *column = &c->column[k];
    column->dataset = create ? -1 : rct_h5_open_shaped(call, group, &column->table);
    column->type = type_of(call, k, column->dataset);
    if (create) {
        column->dataset = rct_h5_create_dataset(call, group, column->type, &column->table);
    }
    column->rows =
        rct_call_allocate(call, c->room, column->bytes, "the rows of an ensemble's file");
}

void rct_columns_have(rct_call *call, hid_t file, rct_member_columns *c, int create)
{
    hid_t group = create ? rct_h5_create_group(call, file, "members")
                         : rct_h5_open_group(call, file, "members");
    for (int k = 0; k < RCT_COLUMNS; k++) {
        if (c->column[k].bytes > 0) {
            have_column(call, group, c, k, create);
        }
    }
    rct_h5_close(call, &group);
}

void rct_columns_ranges(rct_call *call, const rct_member_columns *c, rct_ranges *ranges)
{
    for (int k = 0; k < RCT_COLUMNS; k++) {
        const rct_column *column = &c->column[k];
        if (column->bytes > 0) {
            rct_h5_add_range(call, ranges, column->dataset, c->members * column->bytes);
        }
    }
}

void rct_columns_close(rct_call *call, rct_member_columns *c)
{
    for (int k = 0; k < RCT_COLUMNS; k++) {
        rct_h5_close(call, &c->column[k].dataset);
        rct_h5_close(call, &c->column[k].type);
        rct_release(c->column[k].rows);
        c->column[k].rows = NULL;
    }
}

/* ---- rows --------------------------------------------------------------------------------- */

static const void *values_of(const rct_member_result *r, int k)
{
    const void *at = (const char *)r + columns[k].offset;
    if (columns[k].far) {
        memcpy(&at, at, sizeof at);
    }
    return at;
}

const char *rct_columns_trouble(const rct_member_columns *c, const rct_member_result *r)
{
    if ((int)r->status < RCT_OK || (int)r->status > RCT_ERROR_LOOP) {
        return "its status is unknown";
    }
    for (int k = 0; k < RCT_COLUMNS; k++) {
        if (c->column[k].bytes > 0 && values_of(r, k) == NULL) {
            return "one of its arrays is NULL";
        }
    }
    return NULL;
}

/* Cut after a word to fit, and pad with zeros. */
static void cut(char row[RCT_MEMBER_TEXT], const char *text)
{
    static const char more[] = " ...";
    size_t length = strlen(text);
    const int whole = length < RCT_MEMBER_TEXT;
    if (!whole) {
        length = RCT_MEMBER_TEXT - sizeof more;
        while (length > 0 && text[length] != ' ') {
            length--;
        }
    }
    memset(row, 0, RCT_MEMBER_TEXT);
    memcpy(row, text, length);
    memcpy(row + length, more, whole ? 0 : sizeof more);
}

void rct_columns_add(rct_member_columns *c, int64_t row, const rct_member_result *r)
{
    const int64_t k = c->waiting++;
    int8_t *statuses = c->column[RCT_COLUMN_STATUS].rows;
    uint32_t *checksums = c->column[RCT_COLUMN_CHECKSUM].rows;
    c->first = k == 0 ? row : c->first;
    for (int i = 0; i < RCT_COLUMN_STATUS; i++) {
        const rct_column *column = &c->column[i];
        if (column->bytes > 0) {
            char *own = (char *)column->rows + k * column->bytes;
            if (i == RCT_COLUMN_TEXT) {
                cut(own, r->text);
            } else {
                memcpy(own, values_of(r, i), (size_t)column->bytes);
            }
        }
    }
    statuses[k] = (int8_t)(r->status + 1);
    checksums[k] = rct_row_checksum(c, row, k);
}

void rct_columns_write(rct_call *call, hid_t file, rct_member_columns *c)
{
    for (int k = 0; k < RCT_COLUMNS && c->waiting > 0; k++) {
        const rct_column *column = &c->column[k];
        if (column->bytes > 0) {
            rct_h5_write_block(call, column->dataset, column->type, &column->table, c->first,
                               c->waiting, column->rows);
        }
        if (k >= RCT_COLUMN_TEXT) { /* columns, then the status, then the checksum */
            rct_h5_flush(call, file);
        }
    }
    c->waiting = call->status == RCT_OK ? 0 : c->waiting;
}
