/* The group /model/loops: one dataset for each field, row i for loop i; the terms of all
 * relations in one list. It exists only if the model has loops. */
#include "core/memory.h"
#include "model/model.h"
#include "record/model/model.h"

#include <inttypes.h>
#include <stddef.h>

static const char body_axes[] = "body axes (ground: its own)";
static const char frame_axes[] = "closure frame";

static const rct_field fields[] = {
    {"at", 3, offsetof(rct_loop, at), "m", body_axes, "point of the body, from its hinge point"},
    {"orientation", 4, offsetof(rct_loop, orientation), "1", body_axes,
     "quaternion w x y z, closure frame to axes of the body"},
    {"other_at", 3, offsetof(rct_loop, other_at), "m", body_axes,
     "point of the other body, from its hinge point"},
    {"other_orientation", 4, offsetof(rct_loop, other_orientation), "1", body_axes,
     "quaternion w x y z, closure frame to axes of the other body"},
    {"axis", 3, offsetof(rct_loop, axis), "1", frame_axes, "axis of the closure"},
    {"axis2", 3, offsetof(rct_loop, axis2), "1", frame_axes, "second axis of the closure"},
    {"length", 1, offsetof(rct_loop, length), "m", "none", "distance: between the points"},
    {"offset", 1, offsetof(rct_loop, offset), "of the sum", "none",
     "relation: sum of factor times coordinate at time 0"},
    {"rate", 1, offsetof(rct_loop, rate), "of the sum / s", "none", "relation: its rate at time 0"},
    {"acceleration", 1, offsetof(rct_loop, acceleration), "of the sum / s^2", "none",
     "relation: its second derivative"},
    {"radius", 1, offsetof(rct_loop, radius), "m", "none", "cam: mean radius of the outline"},
    {"cosine", RCT_LOOP_HARMONICS, offsetof(rct_loop, cosine), "m", "none",
     "cam: of the outline, cos k z from k = 1 on"},
    {"sine", RCT_LOOP_HARMONICS, offsetof(rct_loop, sine), "m", "none",
     "cam: of the outline, sin k z from k = 1 on"},
    {"amplitude", 1, offsetof(rct_loop, amplitude), "of the sum", "none",
     "relation: of a motion that swings"},
    {"angular_frequency", 1, offsetof(rct_loop, angular_frequency), "rad/s", "none",
     "relation: so fast"},
    {"phase", 1, offsetof(rct_loop, phase), "rad", "none", "relation: from this angle on"},
};

enum {
    FIELDS = sizeof fields / sizeof fields[0],
    ALWAYS = FIELDS - 3, /* the others only if a relation swings */
    WIDEST = RCT_LOOP_HARMONICS,
    LOOP_INTEGERS = 2 * sizeof(int8_t) + 2 * sizeof(int32_t) + sizeof(int64_t), /* bytes */
    LOOP_DATASETS = 5, /* besides the fields */
    TERM_BYTES = 2 * sizeof(int32_t) + sizeof(double),
    TERM_DATASETS = 3,
};

static int64_t count_terms(const rct_model *model)
{
    int64_t terms = 0;
    for (int32_t i = 0; i < model->loop_count; i++) {
        terms += model->loops[i].term_count;
    }
    return terms;
}

/* The names of loops, with the bytes of the longest one. */
static rct_name_column names_of(const rct_model *model)
{
    return (rct_name_column){&model->loops->name, sizeof *model->loops, model->loop_count};
}

static int written_fields(const rct_model *model)
{
    int swings = 0;
    for (int32_t i = 0; i < model->loop_count; i++) {
        const rct_loop *loop = &model->loops[i];
        swings |= loop->amplitude != 0.0 || loop->angular_frequency != 0.0 || loop->phase != 0.0;
    }
    return swings ? FIELDS : ALWAYS;
}

static rct_tables tables_of(rct_loop *loops, int64_t count)
{
    return (rct_tables){loops, sizeof *loops, count, offsetof(rct_loop, rows),
                        offsetof(rct_loop, table)};
}

static void write_fields(rct_call *call, hid_t group, const rct_model *model, double *column)
{
    const int count = written_fields(model);
    for (int k = 0; k < count; k++) {
        for (int32_t i = 0; i < model->loop_count; i++) {
            rct_take_field(column, i, &fields[k], &model->loops[i]);
        }
        rct_put_field(call, group, &fields[k], model->loop_count, column);
    }
}

static void write_types(rct_call *call, hid_t group, const rct_model *model, int8_t *column)
{
    const int32_t n = model->loop_count;
    hid_t type = rct_h5_enum_type(call);
    for (int t = 0; t < RCT_LOOP_TYPES; t++) {
        rct_h5_put_member(call, type, rct_loop_type_name((rct_loop_type)t), (int8_t)t);
    }
    for (int32_t i = 0; i < n; i++) {
        column[i] = (int8_t)model->loops[i].type;
    }
    rct_put_column(call, group, type, "type", n, "type of the loop", column);
    rct_h5_close(call, &type);
    for (int32_t i = 0; i < n; i++) {
        column[i] = (int8_t)model->loops[i].active;
    }
    rct_put_column(call, group, H5T_NATIVE_INT8, "active", n, "1: it holds from the start", column);
}

static void write_ends(rct_call *call, hid_t group, const rct_model *model, int32_t *column)
{
    const int32_t n = model->loop_count;
    for (int32_t i = 0; i < n; i++) {
        column[i] = model->loops[i].body;
    }
    rct_put_column(call, group, H5T_NATIVE_INT32, "body", n, "closure: row of the body", column);
    for (int32_t i = 0; i < n; i++) {
        column[i] = model->loops[i].other;
    }
    rct_put_column(call, group, H5T_NATIVE_INT32, "other", n,
                   "closure: row of the other body, -1: the ground", column);
}

static void write_firsts(rct_call *call, hid_t group, const rct_model *model, int64_t *column)
{
    int64_t first = 0;
    for (int32_t i = 0; i < model->loop_count; i++) {
        column[i] = first;
        first += model->loops[i].term_count;
    }
    rct_put_column(
        call, group, H5T_NATIVE_INT64, "first_term", model->loop_count,
        "relation: row of the datasets term_... where its terms begin; they end where those "
        "of the next loop begin",
        column);
}

/* Write one number of each term; the terms of all loops are in one list. */
static void write_terms(rct_call *call, hid_t group, const rct_model *model, void *scratch)
{
    const int64_t terms = count_terms(model);
    int32_t *whole = scratch;
    double *real = scratch;
    for (int what = 0; what < TERM_DATASETS && terms > 0; what++) {
        int64_t row = 0;
        for (int32_t i = 0; i < model->loop_count; i++) {
            const rct_loop *loop = &model->loops[i];
            for (int32_t k = 0; k < loop->term_count; k++, row++) {
                if (what == 2) {
                    real[row] = loop->terms[k].factor;
                } else {
                    whole[row] = what == 0 ? loop->terms[k].body : loop->terms[k].freedom;
                }
            }
        }
        const char *const names[] = {"term_body", "term_coordinate", "term_factor"};
        const char *const says[] = {"row of the body whose hinge it is", "number of the coordinate",
                                    "factor"};
        rct_put_column(call, group, what == 2 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT32, names[what],
                       terms, says[what], scratch);
    }
}

void rct_record_loops(rct_call *call, hid_t parent, const rct_model *model)
{
    const int64_t terms = count_terms(model), numbers = WIDEST * (int64_t)model->loop_count;
    if (model->loop_count == 0) {
        return;
    }
    double *scratch = rct_call_allocate(call, terms > numbers ? terms : numbers, sizeof *scratch,
                                        "the loops of a recording");
    if (scratch == NULL) {
        return;
    }
    hid_t group = rct_h5_create_group(call, parent, "loops");
    write_types(call, group, model, (int8_t *)scratch);
    write_ends(call, group, model, (int32_t *)scratch);
    write_fields(call, group, model, scratch);
    write_firsts(call, group, model, (int64_t *)scratch);
    write_terms(call, group, model, scratch);
    const rct_tables tables = tables_of(model->loops, model->loop_count);
    rct_put_tables(call, group, &tables, "relation: t, sum: natural cubic splines go through");
    const rct_name_column names = names_of(model);
    rct_put_name_column(call, group, &names, "loop");
    rct_h5_close(call, &group);
    rct_release(scratch);
}

int64_t rct_loop_group_bytes(const rct_model *model)
{
    if (model->loop_count == 0) {
        return 0;
    }
    const rct_name_column names = names_of(model);
    const int64_t terms = count_terms(model);
    const rct_tables tables = tables_of(model->loops, model->loop_count);
    const int columns = written_fields(model);
    const int64_t one = LOOP_INTEGERS + rct_fields_bytes(fields, columns);
    const int datasets = columns + LOOP_DATASETS + (terms > 0 ? TERM_DATASETS : 0);
    return model->loop_count * one + terms * TERM_BYTES + (datasets + 1) * RCT_DATASET_BYTES +
           rct_name_column_bytes(&names) + rct_tables_bytes(&tables);
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Read all terms as one list. */
static rct_loop_term *read_terms(rct_call *call, hid_t group, int64_t *count)
{
    static const char *const needed[] = {"first_term", "term_body", "term_coordinate",
                                         "term_factor", NULL};
    rct_check_columns(call, group, "/model/loops", needed);
    int64_t extent[RCT_H5_RANK] = {0};
    rct_h5_extent_of(call, group, "term_body", extent);
    const rct_part part = {.group = group, .rows = extent[0], .count = extent[0]};
    const rct_field factor = {"term_factor", 1, offsetof(rct_loop_term, factor), "", "", ""};
    rct_loop_term *terms = rct_call_allocate(call, part.rows, sizeof *terms, "reading relations");
    if (terms != NULL) {
        const size_t size = sizeof *terms;
        rct_get_whole(call, &part, "term_body", offsetof(rct_loop_term, body), terms, size);
        rct_get_whole(call, &part, "term_coordinate", offsetof(rct_loop_term, freedom), terms,
                      size);
        rct_get_field(call, &part, &factor, terms, size);
    }
    *count = part.rows;
    return terms;
}

/* Give each loop its terms. */
static void share_terms(rct_call *call, const rct_part *part, rct_loop *loops, int64_t terms,
                        const rct_loop_term *all)
{
    int32_t *first = rct_call_allocate(call, part->rows, sizeof *first, "reading relations");
    if (first == NULL) {
        return;
    }
    rct_get_whole(call, part, "first_term", 0, first, sizeof *first);
    for (int64_t i = 0; i < part->rows && call->status == RCT_OK; i++) {
        const int64_t end = i + 1 < part->rows ? first[i + 1] : terms;
        if (first[i] < 0 || end < first[i] || end > terms) {
            rct_call_fail(call, RCT_ERROR_MODEL,
                          "/model/loops/first_term: terms of loop %" PRId64 " begin at %" PRId32
                          " and end at %" PRId64 " of %" PRId64 "; give ascending rows",
                          i, first[i], end, terms);
        } else {
            loops[i].term_count = (int32_t)(end - first[i]);
            loops[i].terms = loops[i].term_count > 0 ? all + first[i] : NULL;
        }
    }
    rct_release(first);
}

static void add_loops(rct_call *call, const rct_part *part, rct_loop *loops, rct_model *model)
{
    int64_t size = 0;
    char *names = rct_get_texts(call, part, "name", &size);
    for (int64_t i = 0; i < part->rows && call->status == RCT_OK; i++) {
        rct_error why;
        loops[i].name = names != NULL ? names + i * size : NULL;
        rct_recall_status(call, rct_model_add_loop(model, &loops[i], NULL, &why), &why);
    }
    rct_release(names);
}

static void read_loops(rct_call *call, hid_t group, rct_model *model)
{
    static const char *const needed[] = {"type", NULL};
    static const char *const others[] = {
        "type",        "active", "body", "other", "first_term", "term_body", "term_coordinate",
        "term_factor", "name",   "rows", "table", NULL};
    int64_t extent[RCT_H5_RANK] = {0}, count = 0;
    rct_check_names(call, group, "/model/loops", fields, FIELDS, others);
    rct_check_columns(call, group, "/model/loops", needed);
    rct_h5_extent_of(call, group, "type", extent);
    const rct_part part = {.group = group, .rows = extent[0], .count = extent[0]};
    rct_loop *loops = rct_call_allocate(call, part.rows, sizeof *loops, "reading loops");
    const size_t size = sizeof *loops;
    for (int64_t i = 0; i < part.rows && call->status == RCT_OK; i++) {
        loops[i] = rct_loop_default();
    }
    rct_get_whole(call, &part, "type", offsetof(rct_loop, type), loops, size);
    rct_get_whole(call, &part, "active", offsetof(rct_loop, active), loops, size);
    rct_get_whole(call, &part, "body", offsetof(rct_loop, body), loops, size);
    rct_get_whole(call, &part, "other", offsetof(rct_loop, other), loops, size);
    for (int k = 0; k < FIELDS && call->status == RCT_OK; k++) {
        rct_get_field(call, &part, &fields[k], loops, size);
    }
    rct_loop_term *terms =
        rct_h5_has(call, group, "term_body") ? read_terms(call, group, &count) : NULL;
    if (terms != NULL) {
        share_terms(call, &part, loops, count, terms);
    }
    const rct_tables all = tables_of(loops, part.rows);
    double *tables = rct_get_tables(call, &part, "/model/loops", &all);
    if (call->status == RCT_OK) {
        add_loops(call, &part, loops, model);
    }
    rct_release(tables);
    rct_release(terms);
    rct_release(loops);
}

void rct_recall_loops(rct_call *call, hid_t parent, rct_model *model)
{
    if (rct_h5_has(call, parent, "loops")) {
        hid_t group = rct_h5_open_group(call, parent, "loops");
        read_loops(call, group, model);
        rct_h5_close(call, &group);
    }
}
