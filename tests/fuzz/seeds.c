/* The seeds of a reader: files of its folders, past finds, and seeds that it makes itself. */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fuzz_take_file(const char *path, fuzz_take *take, void *context)
{
    static uint8_t bytes[FUZZ_MOST_BYTES + 1];
    FILE *file = fopen(path, "rb");
    fuzz_must(file != NULL, path);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    if (size <= FUZZ_MOST_BYTES) {
        take(context, bytes, size);
    }
    fclose(file);
}

/* In the order of their names, because the order in a folder is arbitrary. */
static void take_folder(const char *path, const char *beginning, const char *ending,
                        fuzz_take *take, void *context)
{
    struct dirent **names = NULL;
    const int count = scandir(path, &names, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *name = names[i]->d_name;
        const size_t length = strlen(name), tail = strlen(ending);
        char file[1024];
        if (strncmp(name, beginning, strlen(beginning)) == 0 && length > tail && name[0] != '.' &&
            strcmp(name + length - tail, ending) == 0) {
            snprintf(file, sizeof file, "%s/%s", path, name);
            fuzz_take_file(file, take, context);
        }
        free(names[i]);
    }
    free(names);
}

void fuzz_take_seeds(fuzz_take *take, void *context)
{
    char beginning[64];
    for (int i = 0; i < FUZZ_SEED_FOLDERS && fuzz_this.folder[i].path != NULL; i++) {
        take_folder(fuzz_this.folder[i].path, "", fuzz_this.folder[i].ending, take, context);
    }
    snprintf(beginning, sizeof beginning, "%s-", fuzz_this.name);
    take_folder(RCT_FUZZ "/finds", beginning, "", take, context);
    if (fuzz_this.make != NULL) {
        fuzz_this.make(take, context);
    }
}
