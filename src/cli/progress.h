/* One line of progress on standard error, if that is a terminal. */
#ifndef RCT_CLI_PROGRESS_H
#define RCT_CLI_PROGRESS_H

#include "run/run.h"

typedef struct cli_progress {
    bool terminal;
    double next; /* s, by the clock: not shown again before */
} cli_progress;

cli_progress cli_progress_start(void);
void cli_progress_show(cli_progress *progress, const cli_run_state *run);

/* A share of the work that is done after `elapsed` seconds, and a text beside it. */
void cli_progress_share(cli_progress *progress, double share, double elapsed, const char *text);
void cli_progress_clear(const cli_progress *progress);

#endif
