/* Filling the rct_error of the caller. The text is cut at RCT_ERROR_TEXT_SIZE and kept on one line
 * of UTF-8, without control characters that a quoted file could bring to a terminal. */
#include "core/error.h"

#include "core/character.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SHOWN = 160 };

const char *rct_status_name(rct_status status)
{
    switch (status) {
    case RCT_OK: return "ok";
    case RCT_ERROR_ARGUMENT: return "argument";
    case RCT_ERROR_MEMORY: return "memory";
    case RCT_ERROR_IO: return "io";
    case RCT_ERROR_SYNTAX: return "syntax";
    case RCT_ERROR_MODEL: return "model";
    case RCT_ERROR_SINGULAR: return "singular";
    case RCT_ERROR_DIVERGED: return "diverged";
    case RCT_ERROR_UNSUPPORTED: return "unsupported";
    case RCT_ERROR_DEVICE: return "device";
    case RCT_ERROR_LOOP: return "loop";
    }
    return "unknown";
}

rct_status rct_fail_list(rct_error *error, rct_status status, int32_t body, const char *format,
                         va_list arguments)
{
    if (error != NULL) {
        error->status = status;
        error->body = body;
        error->line = 0;
        error->column = 0;
        error->step = -1;
        vsnprintf(error->text, sizeof error->text, format, arguments);
        rct_characters_plain(error->text, ' ');
    }
    return status;
}

rct_status rct_fail(rct_error *error, rct_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    rct_fail_list(error, status, -1, format, arguments);
    va_end(arguments);
    return status;
}

rct_status rct_fail_body(rct_error *error, rct_status status, int32_t body, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    rct_fail_list(error, status, body, format, arguments);
    va_end(arguments);
    return status;
}

rct_status rct_fail_memory(rct_error *error, int64_t bytes, const char *what)
{
    return rct_fail(error, RCT_ERROR_MEMORY,
                    "out of memory: %lld bytes for %s; make the model smaller or free memory",
                    (long long)bytes, what);
}

rct_status rct_fail_null(rct_error *error, const char *name)
{
    return rct_fail(error, RCT_ERROR_ARGUMENT, "argument `%s` is NULL; it must be given", name);
}

void rct_error_prefix(rct_error *error, const char *format, ...)
{
    if (error == NULL) {
        return;
    }
    const rct_error was = *error;
    va_list arguments;
    va_start(arguments, format);
    rct_fail_list(error, was.status, was.body, format, arguments);
    va_end(arguments);
    const size_t used = strlen(error->text);
    snprintf(error->text + used, sizeof error->text - used, "%s", was.text);
    rct_characters_plain(error->text + used, ' ');
    error->line = was.line;
    error->column = was.column;
    error->step = was.step;
}

void rct_error_name_file(rct_error *error, const char *path)
{
    const size_t length = strlen(path);
    const int cut = length > PATH_SHOWN;
    rct_error_prefix(error, "%s%s: ", cut ? "..." : "", cut ? path + length - PATH_SHOWN : path);
}

const char *rct_advice(int number)
{
    switch (number) {
    case 0: return "";
    case ENOENT:
    case ENOTDIR: return "; check its name, and that its directory exists";
    case EACCES:
    case EPERM:
    case EROFS: return "; choose a directory you may write to";
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return "; free space or choose another disk";
    case EEXIST: return "; choose another name or ask to overwrite it";
    case ENOMEM: return "; free memory";
    case ENAMETOOLONG: return "; shorten the name";
    default: return "; check the disk";
    }
}
