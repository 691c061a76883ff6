/* A file read whole into memory. Its length is known only at its end, because it may be a pipe, or
 * be growing. */
#include "core/read_file.h"

#include "core/error.h"
#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_BYTES = 1 << 16 };

/* Reads to the end; `expected` is a guess of the bytes. */
static char *read_all(FILE *stream, int64_t expected, const char *what, int64_t *size,
                      rct_error *error)
{
    int64_t room = expected + FIRST_BYTES;
    char *text = rct_allocate_unset(room, 1, what, error), *wide = text;
    *size = 0;
    while (wide != NULL) {
        *size += (int64_t)fread(text + *size, 1, (size_t)(room - *size), stream);
        if (*size < room) {
            text[*size] = '\0';
            break;
        }
        wide = rct_widen(text, room, 2 * room, 1, what, error);
        text = wide != NULL ? wide : text;
        room *= 2;
    }
    if (wide != NULL && ferror(stream)) {
        rct_fail(error, RCT_ERROR_IO, "cannot read %s: %s", what, strerror(errno));
        wide = NULL;
    }
    if (wide == NULL) {
        rct_release(text);
    }
    return wide;
}

/* Why an opened file cannot be read, or NULL. */
static const char *trouble(const struct stat *found, int regular)
{
    return S_ISDIR(found->st_mode) ? "it is a directory; name a file in it"
           : regular && !S_ISREG(found->st_mode)
               ? "it is not a regular file; a file that another file names must be a regular file"
               : NULL;
}

/* Opening a pipe waits for its writer unless O_NONBLOCK is given, which has no effect on regular
 * files. */
static char *read_path(const char *path, int regular, const char *what, int64_t *size,
                       rct_error *error)
{
    char *text = NULL;
    struct stat found = {.st_size = 0};
    const int file = open(path, O_RDONLY | O_CLOEXEC | (regular ? O_NONBLOCK : 0));
    FILE *stream = file >= 0 ? fdopen(file, "rb") : NULL;
    if (stream == NULL) {
        rct_fail(error, RCT_ERROR_IO, "cannot open %s: %s", what, strerror(errno));
        if (file >= 0) {
            close(file);
        }
        return NULL;
    }
    fstat(file, &found);
    const char *why = trouble(&found, regular);
    if (why != NULL) {
        rct_fail(error, RCT_ERROR_IO, "cannot read %s: %s", what, why);
    } else {
        text = read_all(stream, S_ISREG(found.st_mode) ? found.st_size : 0, what, size, error);
    }
    fclose(stream);
    return text;
}

char *rct_read_file(const char *path, const char *what, int64_t *size, rct_error *error)
{
    return read_path(path, 0, what, size, error);
}

char *rct_read_regular_file(const char *path, const char *what, int64_t *size, rct_error *error)
{
    return read_path(path, 1, what, size, error);
}

rct_status rct_check_kind(const char *text, int64_t size, const char *what, const char *own,
                          rct_error *error)
{
    static const struct {
        const char *first, *is;
    } kinds[] = {
        {"{", "JSON; rct_model_read reads models, and riccatree import if the name ends in .json"},
        {"<", "XML; rct_model_import reads URDF and MJCF, and so does riccatree import"},
        {"RCTSEAL",
         "HDF5; rct_model_read_h5 reads models, and riccatree import if the name ends in .h5"},
        {"\211HDF",
         "HDF5; rct_model_read_h5 reads models, and riccatree import if the name ends in .h5"},
        {"RCTCHECK", "a checkpoint of a run; riccatree resume continues it"},
        {"RCTBATCH", "the begun members of an ensemble; riccatree resume continues them "
                     "with the file of results"},
        {"PK\003\004", "an archive, such as .npz"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const int64_t length = (int64_t)strlen(kinds[i].first);
        if (size >= length && memcmp(text, kinds[i].first, (size_t)length) == 0 &&
            strcmp(kinds[i].first, own) != 0) {
            return rct_fail(error, RCT_ERROR_SYNTAX, "it is no %s but %s", what, kinds[i].is);
        }
    }
    return RCT_OK;
}
