/* The group /variations of an ensemble's file (variations.h): one table, by which it is written and read. */
#include "record/ensemble/variations.h"

#include "core/memory.h"

#include <stddef.h>
#include <string.h>

/* Numbers of a variation as they are in the file. */
typedef struct numbers {
    int64_t type;
    double a, b;
    int64_t count;
} numbers;

static const struct {
    const char *name;
    int real;
    size_t offset;
    const char *description;
} columns[] = {
    {"variations/type", 0, offsetof(numbers, type),
     "0: a grid from a to b, 1: normal, mean a, deviation b, 2: uniform from a to b"},
    {"variations/a", 1, offsetof(numbers, a), "see type"},
    {"variations/b", 1, offsetof(numbers, b), "see type"},
    {"variations/count", 0, offsetof(numbers, count), "values of a grid"},
};

enum { COLUMNS = sizeof columns / sizeof columns[0], WORD = sizeof(int64_t) };

static rct_table table_of(int k, int64_t count)
{
    return (rct_table){.name = columns[k].name,
                       .rank = 1,
                       .extent = {count},
                       .unit = columns[k].real ? "as in the model" : "1",
                       .axes = "none",
                       .description = columns[k].description};
}

static hid_t type_of(int k)
{
    return columns[k].real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
}

/* Of the longest path. */
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
    const rct_table table = {.name = "variations/path",
                             .rank = 1,
                             .extent = {count},
                             .unit = "1",
                             .axes = "none",
                             .description = "what is varied"};
    char *rows = rct_call_allocate(call, count, width, "the paths of variations");
    for (int32_t i = 0; i < count && rows != NULL; i++) {
        memcpy(rows + i * width, variations[i].path, strlen(variations[i].path));
    }
    hid_t type = rct_h5_text_type(call, width);
    rct_h5_put_dataset(call, file, type, &table, rows);
    rct_h5_close(call, &type);
    rct_release(rows);
}

void rct_variations_put(rct_call *call, hid_t file, int32_t count, const rct_variation *variations)
{
    hid_t group = rct_h5_create_group(call, file, "variations");
    int64_t *column = rct_call_allocate(call, count, WORD, "variations");
    if (count > 0) {
        put_paths(call, file, count, variations);
    }
    for (int k = 0; k < COLUMNS && count > 0 && column != NULL; k++) {
        const rct_table table = table_of(k, count);
        for (int32_t i = 0; i < count; i++) {
            const rct_variation *v = &variations[i];
            const numbers row = {(int64_t)v->type, v->a, v->b, v->count};
            memcpy(&column[i], (const char *)&row + columns[k].offset, WORD);
        }
        rct_h5_put_dataset(call, file, type_of(k), &table, column);
    }
    rct_release(column);
    rct_h5_close(call, &group);
}

static rct_variation *get_paths(rct_call *call, hid_t file, int32_t count)
{
    int64_t extent[RCT_H5_RANK] = {0};
    hid_t dataset = rct_h5_open_dataset(call, file, "variations/path");
    hid_t own = rct_h5_type(call, dataset);
    const int64_t size = RCT_TRY(call, "read numbers", (int64_t)H5Tget_size(own)) + 1;
    rct_h5_close(call, &own);
    rct_h5_extent(call, dataset, extent);
    if (extent[0] != count) {
        rct_call_fail(call, RCT_ERROR_IO, "is damaged: its variations do not fit its members");
    }
    rct_variation *variations =
        rct_call_allocate(call, count, (int64_t)sizeof *variations + size, "variations");
    if (variations != NULL) {
        char *paths = (char *)(variations + count);
        hid_t type = rct_h5_text_type(call, size);
        rct_h5_read(call, dataset, type, paths);
        rct_h5_close(call, &type);
        for (int32_t i = 0; i < count; i++) {
            variations[i].path = paths + i * size;
            paths[(i + 1) * size - 1] = '\0';
        }
    }
    rct_h5_close(call, &dataset);
    return variations;
}

rct_variation *rct_variations_get(rct_call *call, hid_t file, int32_t count)
{
    rct_variation *variations = get_paths(call, file, count);
    numbers *rows = rct_call_allocate(call, count, sizeof *rows, "variations");
    int64_t *column = rct_call_allocate(call, count, WORD, "variations");
    for (int k = 0; k < COLUMNS && call->status == RCT_OK; k++) {
        const rct_table table = table_of(k, count);
        rct_h5_get_dataset(call, file, type_of(k), &table, column);
        for (int32_t i = 0; i < count; i++) {
            memcpy((char *)&rows[i] + columns[k].offset, &column[i], WORD);
        }
    }
    for (int32_t i = 0; i < count && call->status == RCT_OK; i++) {
        variations[i] = (rct_variation){variations[i].path, (rct_variation_type)rows[i].type,
                                        rows[i].a, rows[i].b, rows[i].count};
    }
    rct_release(rows);
    rct_release(column);
    return variations;
}
