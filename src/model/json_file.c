/* A model file: read whole into memory, then parsed. Errors name the file. */
#include "core/error.h"
#include "core/memory.h"
#include "model/json_values.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_BYTES = 1 << 16, PATH_SHOWN = 160 };

/* Room twice as large with the same contents; NULL on failure, `text` is then still there. */
static char *widen(char *text, int64_t size, int64_t capacity, rct_error *error)
{
    char *wide = rct_allocate(2 * capacity, 1, "a model file", error);
    if (wide != NULL) {
        memcpy(wide, text, (size_t)size);
        rct_release(text);
    }
    return wide;
}

/* Everything up to the end of the stream, which may be a pipe. NULL on failure. */
static char *read_all(FILE *stream, int64_t *size, rct_error *error)
{
    int64_t capacity = FIRST_BYTES;
    char *text = rct_allocate(capacity, 1, "a model file", error);
    *size = 0;
    int more = text != NULL;
    while (more) {
        *size += (int64_t)fread(text + *size, 1, (size_t)(capacity - *size), stream);
        more = *size == capacity;
        if (more) {
            char *wide = widen(text, *size, capacity, error);
            capacity *= 2;
            more = wide != NULL;
            if (wide == NULL) {
                rct_release(text);
            }
            text = wide;
        }
    }
    if (text != NULL && ferror(stream)) {
        rct_fail(error, RCT_ERROR_IO, "cannot read the model file: %s", strerror(errno));
        rct_release(text);
        text = NULL;
    }
    return text;
}

static rct_model *read_model(const char *path, rct_error *error)
{
    rct_model *model = NULL;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        rct_fail(error, RCT_ERROR_IO, "cannot open the model file: %s", strerror(errno));
        return NULL;
    }
    int64_t size = 0;
    char *text = read_all(stream, &size, error);
    fclose(stream);
    if (text != NULL) {
        model = rct_model_parse(text, size, error);
        rct_release(text);
    }
    return model;
}

rct_model *rct_model_read(const char *path, rct_error *error)
{
    rct_error unheard;
    rct_error *heard = error != NULL ? error : &unheard;
    if (path == NULL || path[0] == '\0') {
        rct_fail(heard, RCT_ERROR_ARGUMENT, "no model file was given");
        return NULL;
    }
    rct_model *model = read_model(path, heard);
    if (model == NULL) {
        const size_t length = strlen(path);
        const int cut = length > PATH_SHOWN;
        rct_json_prefix(heard, "%s%s: ", cut ? "..." : "", cut ? path + length - PATH_SHOWN : path);
    }
    return model;
}
