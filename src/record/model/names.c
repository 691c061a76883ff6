/* Names in a file, one text for each row: names of bodies are compressed, because most bytes of
 * their padded rows are zeros; names of loops and events are not. */
#include "core/memory.h"
#include "model/model.h"
#include "record/model/model.h"

#include <stdio.h>
#include <string.h>

/* Bytes of all names together, and of the longest one. */
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

void rct_record_names(rct_call *call, hid_t group, const rct_model *model, char *block)
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

/* Deflate needs at most about one byte for a byte of a name, three to find the next name, and
 * one for 250 zeros; a block of names has an entry in an index. */
int64_t rct_model_names_bytes(const rct_model *model)
{
    const int64_t n = model->count;
    const name_sizes sizes = measure_names(model);
    const int64_t blocks = n / RCT_NAME_ROWS + 1;
    return sizes.longest == 0
               ? 0
               : sizes.total + 3 * sizes.count + n * sizes.longest / 250 + 200 * blocks;
}

static const char *name_at(const rct_name_column *names, int64_t row)
{
    const char *name = NULL;
    memcpy(&name, (const char *)names->first + (size_t)row * names->stride, sizeof name);
    return name != NULL ? name : "";
}

static int64_t longest_of(const rct_name_column *names)
{
    int64_t longest = 0;
    for (int64_t i = 0; i < names->count; i++) {
        const int64_t length = (int64_t)strlen(name_at(names, i));
        longest = length > longest ? length : longest;
    }
    return longest;
}

void rct_put_name_column(rct_call *call, hid_t group, const rct_name_column *names,
                         const char *what)
{
    char description[64];
    const int64_t width = longest_of(names);
    if (width == 0) {
        return;
    }
    char *block = rct_call_allocate(call, width * names->count, 1, "the names of a recording");
    if (block == NULL) {
        return;
    }
    for (int64_t i = 0; i < names->count; i++) {
        memcpy(block + i * width, name_at(names, i), strlen(name_at(names, i)));
    }
    snprintf(description, sizeof description, "name of the %s, empty: \"%s<row>\"", what, what);
    hid_t type = rct_h5_text_type(call, width);
    rct_put_column(call, group, type, "name", names->count, description, block);
    rct_h5_close(call, &type);
    rct_release(block);
}

int64_t rct_name_column_bytes(const rct_name_column *names)
{
    const int64_t width = longest_of(names);
    return width > 0 ? names->count * width + RCT_DATASET_BYTES : 0;
}
