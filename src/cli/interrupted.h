/* A run that is kept in a checkpoint halfway, and continued from there. */
#ifndef RCT_CLI_INTERRUPTED_H
#define RCT_CLI_INTERRUPTED_H

#include "state.h"

/* Run `steps` of dt with default options on one thread of the cpu: half of them, then the rest
 * by a solver made from the checkpoint, a file in `folder`. `end` is the state at the end, to be
 * freed. Returns false, with an error printed, on failure. */
bool cli_run_interrupted(const rct_model *model, double dt, int64_t steps, const char *folder,
                         cli_state *end);

#endif
