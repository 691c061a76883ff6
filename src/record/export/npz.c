/* A recording as arrays of numpy: files in the format .npy in a ZIP archive, stored, with sizes
 * of 64 bits. */
#include "core/error.h"
#include "core/memory.h"
#include "core/whole_file.h"
#include "record/export/export.h"
#include "record/file/checksum.h"

#include <riccatree/event.h>
#include <riccatree/loop.h>

#include <inttypes.h>
#include <string.h>

enum {
    MOST_ENTRIES = 32,
    NAME_BYTES = 40,
    HEADER_BYTES = 128, /* of an array, a multiple of 64 */
    VERSION = 45,       /* of ZIP with sizes of 64 bits */
    LONG_EXTRA = 1      /* the extra field of these sizes */
};

typedef struct entry {
    char name[NAME_BYTES];
    uint32_t checksum;
    int64_t at, size; /* where its head is in the archive; size of its content in bytes */
} entry;

typedef struct archive {
    FILE *stream;
    entry entry[MOST_ENTRIES];
    int count;
} archive;

/* Little-endian. */
static void put_number(FILE *out, uint64_t x, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        fputc((int)(x >> (8 * i) & 0xff), out);
    }
}

/* ---- ZIP ---------------------------------------------------------------------------------- */

/* The common part of local and central heads: versions needed, flags (names in UTF-8), stored,
 * no time, checksum, sizes in the extra field, lengths of name and extra field. */
static void put_common(FILE *out, const entry *e, uint64_t extra)
{
    put_number(out, VERSION, 2);
    put_number(out, 1 << 11, 2);
    put_number(out, 0, 2);
    put_number(out, 0, 2);
    put_number(out, 1 << 5 | 1, 2); /* the first of January 1980 */
    put_number(out, e->checksum, 4);
    put_number(out, UINT32_MAX, 4);
    put_number(out, UINT32_MAX, 4);
    put_number(out, strlen(e->name), 2);
    put_number(out, 4 + extra, 2);
}

static void put_sizes(FILE *out, const entry *e, uint64_t extra)
{
    put_number(out, LONG_EXTRA, 2);
    put_number(out, extra, 2);
    put_number(out, (uint64_t)e->size, 8);
    put_number(out, (uint64_t)e->size, 8);
}

static void put_local(FILE *out, const entry *e)
{
    put_number(out, 0x04034b50, 4);
    put_common(out, e, 16);
    fputs(e->name, out);
    put_sizes(out, e, 16);
}

static void put_central(FILE *out, const entry *e)
{
    put_number(out, 0x02014b50, 4);
    put_number(out, VERSION, 2);
    put_common(out, e, 24);
    put_number(out, 0, 2); /* no comment, on the first disk, no attributes */
    put_number(out, 0, 2);
    put_number(out, 0, 2);
    put_number(out, 0, 4);
    put_number(out, UINT32_MAX, 4);
    fputs(e->name, out);
    put_sizes(out, e, 24);
    put_number(out, (uint64_t)e->at, 8);
}

static void put_directory(archive *a)
{
    const int64_t at = ftello(a->stream);
    for (int i = 0; i < a->count; i++) {
        put_central(a->stream, &a->entry[i]);
    }
    const int64_t end = ftello(a->stream);
    put_number(a->stream, 0x06064b50, 4); /* end of the 64-bit directory */
    put_number(a->stream, 44, 8);
    put_number(a->stream, VERSION, 2);
    put_number(a->stream, VERSION, 2);
    put_number(a->stream, 0, 8);
    put_number(a->stream, (uint64_t)a->count, 8);
    put_number(a->stream, (uint64_t)a->count, 8);
    put_number(a->stream, (uint64_t)(end - at), 8);
    put_number(a->stream, (uint64_t)at, 8);
    put_number(a->stream, 0x07064b50, 4); /* its location */
    put_number(a->stream, 0, 4);
    put_number(a->stream, (uint64_t)end, 8);
    put_number(a->stream, 1, 4);
    put_number(a->stream, 0x06054b50, 4); /* end of the directory */
    put_number(a->stream, 0, 4);
    put_number(a->stream, (uint64_t)a->count, 2);
    put_number(a->stream, (uint64_t)a->count, 2);
    put_number(a->stream, UINT32_MAX, 4);
    put_number(a->stream, UINT32_MAX, 4);
    put_number(a->stream, 0, 2);
}

/* ---- arrays ------------------------------------------------------------------------------- */

static void put_bytes(archive *a, const void *bytes, int64_t size)
{
    entry *e = &a->entry[a->count];
    fwrite(bytes, 1, (size_t)size, a->stream);
    e->checksum = rct_checksum(e->checksum, bytes, size);
    e->size += size;
}

/* `shape` is the inside of a tuple, "3, 4,". */
static void begin_array(archive *a, const char *name, const char *type, const char *shape)
{
    char header[HEADER_BYTES + 1], text[HEADER_BYTES];
    entry *e = &a->entry[a->count];
    *e = (entry){.at = ftello(a->stream)};
    snprintf(e->name, sizeof e->name, "%s.npy", name);
    put_local(a->stream, e); /* again, now that all is known */
    snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type,
             shape);
    const int padded = HEADER_BYTES - 11;
    snprintf(header, sizeof header, "\x93NUMPY%c%c%c%c%-*.*s\n", 1, 1, (HEADER_BYTES - 10), 1,
             padded, padded, text);
    header[7] = 0; /* version 1.0; the length of what follows, in 16 bits */
    header[9] = 0;
    put_bytes(a, header, HEADER_BYTES);
}

static void end_array(archive *a)
{
    const int64_t end = ftello(a->stream);
    fseeko(a->stream, a->entry[a->count].at, SEEK_SET);
    put_local(a->stream, &a->entry[a->count]);
    fseeko(a->stream, end, SEEK_SET);
    a->count++;
}

/* Whether the quantity is a list: its length is that of the model, even if that is 1. */
static int is_list(const char *name)
{
    static const char *const lists[] = {"coordinates", "rates", "loop_active", "event_count",
                                        "event_time"};
    int listed = 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        listed = listed || strcmp(name, lists[i]) == 0;
    }
    return listed;
}

static rct_status put_quantity(archive *a, const rct_exported *from, int32_t index,
                               rct_error *error)
{
    rct_quantity q;
    char shape[96];
    const int64_t frames = from->info.frames;
    rct_status status = rct_recording_quantity(from->recording, index, &q, error);
    const int of_bodies = strcmp(q.name, "position") == 0 || strcmp(q.name, "orientation") == 0 ||
                          strcmp(q.name, "angular_velocity") == 0;
    double *numbers = rct_allocate(q.rows * q.width, sizeof *numbers, "a frame", error);
    if (numbers == NULL) {
        return RCT_ERROR_MEMORY;
    }
    if (of_bodies) {
        snprintf(shape, sizeof shape, "%" PRId64 ", %" PRId64 ", %" PRId64, frames, q.rows,
                 q.width);
    } else if (q.width > 1 || is_list(q.name)) {
        snprintf(shape, sizeof shape, "%" PRId64 ", %" PRId64, frames, q.width);
    } else {
        snprintf(shape, sizeof shape, "%" PRId64 ",", frames);
    }
    begin_array(a, q.name, "<f8", shape);
    for (int64_t k = 0; k < frames && status == RCT_OK && !ferror(a->stream); k++) {
        status = rct_recording_read(from->recording, index, k, 0, q.rows, numbers, error);
        put_bytes(a, numbers, q.rows * q.width * (int64_t)sizeof *numbers);
    }
    end_array(a);
    rct_release(numbers);
    return status;
}

/* Names of one kind, [count]. */
static void put_names(archive *a, const char *what, const rct_model *model, int32_t count,
                      void (*name_of)(const rct_model *, int32_t, char[RCT_NAME_SIZE]))
{
    char shape[32], type[16];
    snprintf(shape, sizeof shape, "%" PRId32 ",", count);
    snprintf(type, sizeof type, "|S%d", RCT_NAME_SIZE);
    begin_array(a, what, type, shape);
    for (int32_t i = 0; i < count && !ferror(a->stream); i++) {
        char name[RCT_NAME_SIZE] = "";
        name_of(model, i, name);
        memset(name + strlen(name), 0, sizeof name - strlen(name));
        put_bytes(a, name, sizeof name);
    }
    end_array(a);
}

/* Where the numbers of each body begin among those of all hinges, [bodies]. */
static void put_places(archive *a, const char *what, const rct_model *model,
                       int32_t (*count)(rct_hinge_type type))
{
    char shape[32];
    snprintf(shape, sizeof shape, "%" PRId32 ",", model->count);
    begin_array(a, what, "<i8", shape);
    for (int64_t b = 0, at = 0; b < model->count && !ferror(a->stream); b++) {
        put_bytes(a, &at, sizeof at);
        at += count(rct_bodies_at(model->bodies, b)->hinge);
    }
    end_array(a);
}

static void put_model(archive *a, const rct_model *model)
{
    char shape[32];
    snprintf(shape, sizeof shape, "%" PRId32 ",", model->count);
    put_names(a, "body", model, model->count, rct_model_body_name);
    begin_array(a, "parent", "<i4", shape);
    put_bytes(a, model->bodies->parent, model->count * (int64_t)sizeof(int32_t));
    end_array(a);
    put_places(a, "first_coordinate", model, rct_hinge_coordinates);
    put_places(a, "first_rate", model, rct_hinge_freedoms);
    if (rct_model_loop_count(model) > 0) {
        put_names(a, "loop", model, rct_model_loop_count(model), rct_model_loop_name);
    }
    if (rct_model_event_count(model) > 0) {
        put_names(a, "event", model, rct_model_event_count(model), rct_model_event_name);
    }
}

rct_status rct_export_npz(const char *from, const char *path, rct_error *error)
{
    rct_error why;
    rct_exported source;
    rct_whole_file file;
    archive a = {.count = 0};
    error = error != NULL ? error : &why;
    if (!rct_given(from, "from", error) || !rct_given(path, "path", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_status status = rct_exported_open(&source, from, path, error);
    RCT_THEN(status, rct_whole_file_open(&file, path, error));
    if (status == RCT_OK) {
        a.stream = file.stream;
        for (int32_t i = 0; i < source.info.quantities && status == RCT_OK; i++) {
            status = put_quantity(&a, &source, i, error);
        }
        put_model(&a, source.model);
        put_directory(&a);
        status = rct_whole_file_close(&file, status, error);
    }
    rct_exported_close(&source);
    return status;
}
