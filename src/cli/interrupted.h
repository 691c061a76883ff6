/* A run that is kept in a checkpoint halfway, and gone on with from there. */
#ifndef RCT_CLI_INTERRUPTED_H
#define RCT_CLI_INTERRUPTED_H

#include "state.h"

/* `steps` of dt by the default options on one thread of the cpu; half of them, then the rest by a solver made from the checkpoint, a file in
 * `folder`. The state at the end, to be freed; false, with an error printed, where it comes to none. */
bool cli_run_interrupted(const rct_model *model, double dt, int64_t steps, const char *folder,
                         cli_state *end);

#endif
