/* The group /variations of the file of an ensemble (members.h): one table, by which it is
 * written and read. */
#include "record/ensemble/members.h"

#include "core/memory.h"
#include "record/file/fields.h"

#include <stddef.h>
#include <string.h>

/* Numbers of a variation as they are in the file. */
typedef struct numbers {
    int64_t type;
    double a, b;
    int64_t count;
} numbers;

static const rct_field fields[] = {
    {"variations/type", 1, offsetof(numbers, type), "1", "none",
     "0: a grid from a to b, 1: normal, mean a, deviation b, 2: uniform from a to b"},
    {"variations/a", 1, offsetof(numbers, a), "as in the model", "none", "see type"},
    {"variations/b", 1, offsetof(numbers, b), "as in the model", "none", "see type"},
    {"variations/count", 1, offsetof(numbers, count), "1", "none", "values of a grid"},
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

static int is_whole(const rct_field *field)
{
    return strcmp(field->unit, "1") == 0;
}

/* The width of the longest path. */
static int64_t width_of(int32_t count, const rct_variation *variations)
{
    int64_t longest = 1;
    for (int32_t i = 0; i < count; i++) {
        const int64_t length = (int64_t)strlen(variations[i].path);
        longest = length > longest ? length : longest;
    }
    return longest;
}

int64_t rct_variations_bytes(int32_t count, const rct_variation *variations)
{
    return count * (width_of(count, variations) + (int64_t)sizeof(numbers));
}

static void put_paths(rct_call *call, hid_t file, int32_t count, const rct_variation *variations)
{
    const int64_t width = width_of(count, variations);
    char *rows = rct_call_allocate(call, count, width, "the paths of variations");
    for (int32_t i = 0; i < count && rows != NULL; i++) {
        memcpy(rows + i * width, variations[i].path, strlen(variations[i].path));
    }
    hid_t type = rct_h5_text_type(call, width);
    rct_put_column(call, file, type, "variations/path", count, "what is varied", rows);
    rct_h5_close(call, &type);
    rct_release(rows);
}

static void put_field(rct_call *call, hid_t file, const rct_field *field, int32_t count,
                      const rct_variation *variations)
{
    double *column = rct_call_allocate(call, count, sizeof *column, "variations");
    for (int32_t i = 0; i < count && column != NULL; i++) {
        const rct_variation *v = &variations[i];
        const numbers row = {(int64_t)v->type, v->a, v->b, v->count};
        rct_take_field(column, i, field, &row);
    }
    if (is_whole(field)) {
        rct_put_column(call, file, H5T_NATIVE_INT64, field->name, count, field->description,
                       column);
    } else {
        rct_put_field(call, file, field, count, column);
    }
    rct_release(column);
}

void rct_variations_put(rct_call *call, hid_t file, int32_t count, const rct_variation *variations)
{
    hid_t group = rct_h5_create_group(call, file, "variations");
    rct_h5_close(call, &group);
    if (count > 0) {
        put_paths(call, file, count, variations);
    }
    for (int k = 0; k < FIELDS && count > 0; k++) {
        put_field(call, file, &fields[k], count, variations);
    }
}

static void get_numbers(rct_call *call, hid_t file, int32_t count, numbers *rows)
{
    double *column = rct_call_allocate(call, count, sizeof *column, "variations");
    for (int k = 0; k < FIELDS && call->status == RCT_OK; k++) {
        const rct_table table = {.name = fields[k].name, .rank = 1, .extent = {count}};
        const hid_t type = is_whole(&fields[k]) ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
        rct_h5_get_dataset(call, file, type, &table, column);
        for (int32_t i = 0; i < count; i++) {
            memcpy((char *)&rows[i] + fields[k].offset, &column[i], sizeof *column);
        }
    }
    rct_release(column);
}

rct_variation *rct_variations_get(rct_call *call, hid_t file, int32_t count, char **paths)
{
    int64_t size = 0, extent[RCT_H5_RANK] = {0};
    rct_h5_extent_of(call, file, "variations/path", extent);
    if (extent[0] != count) {
        rct_call_fail(call, RCT_ERROR_IO, "is damaged: its variations do not fit its members");
    }
    *paths = rct_h5_get_texts(call, file, "variations/path", count, &size);
    rct_variation *variations = rct_call_allocate(call, count, sizeof *variations, "variations");
    numbers *rows = rct_call_allocate(call, count, sizeof *rows, "variations");
    get_numbers(call, file, count, rows);
    for (int32_t i = 0; i < count && call->status == RCT_OK; i++) {
        const numbers *row = &rows[i];
        variations[i] = (rct_variation){*paths + i * size, (rct_variation_type)row->type, row->a,
                                        row->b, row->count};
    }
    rct_release(rows);
    return variations;
}
