/* Requirements of every reader, and the files for readers that take paths. */
#define _GNU_SOURCE 1 /* nftw() */

#include "tests/fuzz/fuzz.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int64_t fuzz_accepted;

void fuzz_must(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "fuzz: %s\n", what);
        abort();
    }
}

/* The number of bytes of the UTF-8 character at `text`; 0: it is invalid. */
static size_t character(const uint8_t *text)
{
    const uint8_t c = text[0];
    const size_t bytes = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
    size_t good = c >= 0x80 && c < 0xc2 ? 0 : bytes;
    for (size_t i = 1; i < good; i++) {
        good = (text[i] & 0xc0) == 0x80 ? good : 0;
    }
    return good;
}

void fuzz_refused(const rct_error *error, int statuses)
{
    const uint8_t *text = (const uint8_t *)error->text;
    int printable = 1;
    for (size_t step = 1; *text != '\0' && printable; text += step) {
        step = character(text);
        printable = step > 0 && *text >= ' ' && *text != 0x7f;
    }
    if (!printable || (statuses & 1 << error->status) == 0 || error->status == RCT_OK) {
        fprintf(stderr, "fuzz: status %s, \"%s\"\n", rct_status_name(error->status), error->text);
    }
    fuzz_must(error->status != RCT_OK && (statuses & 1 << error->status) != 0,
              "refused with a status that its function does not name");
    fuzz_must(error->text[0] != '\0', "refused without a word");
    fuzz_must(printable, "the words of an error are not one line of UTF-8");
}

/* ---- files -------------------------------------------------------------------------------- */

static char folder[64];

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status;
    (void)type;
    (void)walk;
    return remove(path);
}

static void remove_folder(void)
{
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_path(const char *name)
{
    static char path[256];
    if (folder[0] == '\0') {
        /* in memory, where a file that is brought to the disk takes no time */
        snprintf(folder, sizeof folder, "%s/riccatree_fuzz_XXXXXX",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        fuzz_must(mkdtemp(folder) != NULL, "no folder in /tmp");
        atexit(remove_folder);
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

const char *fuzz_file(const char *name, const uint8_t *bytes, size_t size)
{
    const char *path = fuzz_path(name);
    FILE *file = fopen(path, "wb");
    fuzz_must(file != NULL && fwrite(bytes, 1, size, file) == size, "no file in /tmp");
    fuzz_must(fclose(file) == 0, "no file in /tmp");
    return path;
}
