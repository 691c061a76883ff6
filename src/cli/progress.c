/* One line of progress, written over itself. */
#include "progress.h"

#include "output.h"

#include <stdio.h>
#include <unistd.h>

static const double interval = 0.2; /* s */

cli_progress cli_progress_start(void)
{
    return (cli_progress){.terminal = isatty(STDERR_FILENO) != 0, .next = 0.0};
}

void cli_progress_show(cli_progress *progress, const cli_run_state *run)
{
    const double now = cli_seconds();
    if (!progress->terminal || now < progress->next || run->done == 0) {
        return;
    }
    progress->next = now + interval;
    const double share = (double)run->done / (double)run->steps;
    char left[CLI_SHORT_TEXT];
    cli_duration_text((now - run->started) * (1.0 - share) / share, left);
    fprintf(stderr, "\r\033[K%3.0f %%  t = %.6g s  %.1f ns per body and evaluation  %s left",
            100.0 * share, rct_solver_time(run->solver), cli_run_cost(run), left);
    fflush(stderr);
}

void cli_progress_clear(const cli_progress *progress)
{
    if (progress->terminal) {
        fprintf(stderr, "\r\033[K");
        fflush(stderr);
    }
}
