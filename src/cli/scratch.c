/* A temporary folder in $TMPDIR, removed with its files. */
#include "scratch.h"

#include "cli.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cli_scratch_make(cli_scratch *scratch)
{
    const char *folder = getenv("TMPDIR");
    folder = folder != NULL && folder[0] != '\0' ? folder : "/tmp";
    const int length = snprintf(scratch->path, sizeof scratch->path, "%s/riccatree-XXXXXX", folder);
    if (length >= (int)sizeof scratch->path) {
        return cli_fail(CLI_FAILED, "TMPDIR %s: its path is too long; give a shorter one", folder);
    }
    return mkdtemp(scratch->path) != NULL ||
           cli_fail(CLI_FAILED,
                    "cannot make a folder for temporary files in %s: %s; set TMPDIR to a folder "
                    "that can be written to",
                    folder, strerror(errno));
}

void cli_scratch_remove(const cli_scratch *scratch)
{
    char path[CLI_SCRATCH_SIZE + sizeof(((struct dirent *)NULL)->d_name) + 1];
    DIR *folder = opendir(scratch->path);
    const struct dirent *file = folder != NULL ? readdir(folder) : NULL;
    while (file != NULL) {
        snprintf(path, sizeof path, "%s/%s", scratch->path, file->d_name);
        unlink(path); /* "." and ".." stay, because they are folders */
        file = readdir(folder);
    }
    if (folder != NULL) {
        closedir(folder);
    }
    rmdir(scratch->path);
}
