/* A model file: read whole into memory, then parsed. Errors name the file. */
#include "core/error.h"
#include "core/memory.h"
#include "core/read_file.h"

#include <riccatree/model.h>

#include <stddef.h>

rct_model *rct_model_read(const char *path, rct_error *error)
{
    if (!rct_given(path, "path", error)) {
        return NULL;
    }
    rct_error unheard;
    rct_error *heard = error != NULL ? error : &unheard;
    if (path[0] == '\0') {
        rct_fail(heard, RCT_ERROR_ARGUMENT, "no model file was given");
        return NULL;
    }
    int64_t size = 0;
    char *text = rct_read_file(path, "the model file", &size, heard);
    rct_model *model = text != NULL ? rct_model_parse(text, size, heard) : NULL;
    rct_release(text);
    if (model == NULL) {
        rct_error_name_file(heard, path);
    }
    return model;
}
