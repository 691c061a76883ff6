/* A file read whole into memory; how long it is shows when it ends, for it may be a pipe, or be written. */
#include "core/read_file.h"

#include "core/error.h"
#include "core/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { FIRST_BYTES = 1 << 16 };

/* `expected` bytes, more or fewer. */
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

char *rct_read_file(const char *path, const char *what, int64_t *size, rct_error *error)
{
    char *text = NULL;
    struct stat found;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        rct_fail(error, RCT_ERROR_IO, "cannot open %s: %s", what, strerror(errno));
        return NULL;
    }
    const int known = fstat(fileno(stream), &found) == 0;
    if (known && S_ISDIR(found.st_mode)) {
        rct_fail(error, RCT_ERROR_IO, "cannot read %s: it is a directory; name a file in it", what);
    } else {
        text = read_all(stream, known && S_ISREG(found.st_mode) ? found.st_size : 0, what, size,
                        error);
    }
    fclose(stream);
    return text;
}
