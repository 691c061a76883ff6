/* Opening a plugin (plugin.h). Mapping a truncated file would kill the process, so the size of the
 * file is checked against its own tables first. */
#define _GNU_SOURCE /* dladdr */
#include "core/plugin.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096 };

/* The directory of the object with this function. */
static void own_directory(char *path)
{
    static const char here = 0;
    Dl_info info;
    path[0] = '\0';
    if (dladdr(&here, &info) != 0 && info.dli_fname != NULL) {
        snprintf(path, PATH_SIZE, "%s", info.dli_fname);
        char *slash = strrchr(path, '/');
        snprintf(slash != NULL ? slash : path, 2, "%s", slash != NULL ? "" : ".");
    }
}

static int find(const char *name, char *path)
{
    char directory[PATH_SIZE];
    const char *given = getenv("RICCATREE_PLUGINS");
    if (given != NULL && given[0] != '\0') {
        snprintf(directory, sizeof directory, "%s", given);
    } else {
        own_directory(directory);
    }
    const int length = snprintf(path, PATH_SIZE, "%s/libriccatree_%s.so", directory, name);
    return length < PATH_SIZE;
}

/* Whether the file has all the parts that its header and its program headers name. */
static int is_whole(FILE *file)
{
    Elf64_Ehdr header;
    if (fread(&header, sizeof header, 1, file) != 1 ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_phentsize != sizeof(Elf64_Phdr) || fseek(file, 0, SEEK_END) != 0) {
        return 0;
    }
    const uint64_t size = (uint64_t)ftell(file);
    const uint64_t sections = (uint64_t)header.e_shnum * header.e_shentsize;
    if (header.e_shoff > size || sections > size - header.e_shoff) {
        return 0;
    }
    for (int i = 0; i < header.e_phnum; i++) {
        Elf64_Phdr part;
        const uint64_t at = header.e_phoff + (uint64_t)i * sizeof part;
        if (at > size || fseek(file, (long)at, SEEK_SET) != 0 ||
            fread(&part, sizeof part, 1, file) != 1 || part.p_offset > size ||
            part.p_filesz > size - part.p_offset) {
            return 0;
        }
    }
    return 1;
}

static const void *open_whole(const char *path, const int32_t identity[6], rct_plugin_scope scope,
                              const char **reason)
{
    const int seen = scope == RCT_PLUGIN_GLOBAL ? RTLD_GLOBAL : RTLD_LOCAL;
    void *handle = dlopen(path, RTLD_NOW | seen);
    const rct_plugin *plugin = handle != NULL ? dlsym(handle, "rct_plugin_exported") : NULL;
    *reason = NULL;
    if (plugin == NULL) {
        *reason = "its plugin cannot be loaded; build it again on this machine";
    } else if (memcmp(plugin->identity, identity, sizeof plugin->identity) != 0 ||
               strcmp(plugin->build(), rct_build()) != 0) {
        *reason = "its plugin is from another build; build it together with the library";
    }
    if (*reason != NULL && handle != NULL) {
        dlclose(handle);
    }
    return *reason == NULL ? plugin->table : NULL;
}

const void *rct_plugin_open(const char *name, const int32_t identity[6], rct_plugin_scope scope,
                            const char **reason)
{
    char path[PATH_SIZE];
    FILE *file = find(name, path) ? fopen(path, "rb") : NULL;
    if (file == NULL) {
        *reason = "it was not built, or its plugin is not beside the library";
        return NULL;
    }
    const int whole = is_whole(file);
    fclose(file);
    if (!whole) {
        *reason = "its plugin is damaged; build or install it again";
        return NULL;
    }
    return open_whole(path, identity, scope, reason);
}
