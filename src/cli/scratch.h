/* A folder for files that are written, read back and then removed. */
#ifndef RCT_CLI_SCRATCH_H
#define RCT_CLI_SCRATCH_H

#include <stdbool.h>

enum { CLI_SCRATCH_SIZE = 512 };

typedef struct cli_scratch {
    char path[CLI_SCRATCH_SIZE];
} cli_scratch;

/* In $TMPDIR, or /tmp. Returns false, with an error printed, if none can be made. */
bool cli_scratch_make(cli_scratch *scratch);
void cli_scratch_remove(const cli_scratch *scratch); /* with all files in it */

#endif
