/* One line of progress, written over itself. */
#include "progress.h"

#include "output.h"

#include <stdio.h>
#include <unistd.h>

enum { TEXT_SIZE = 128 };

static const double interval = 0.2; /* s */

cli_progress cli_progress_start(void)
{
    return (cli_progress){.terminal = isatty(STDERR_FILENO) != 0, .next = 0.0};
}

void cli_progress_share(cli_progress *progress, double share, double elapsed, const char *text)
{
    const double now = cli_seconds();
    if (!progress->terminal || now < progress->next || share <= 0.0) {
        return;
    }
    progress->next = now + interval;
    char left[CLI_SHORT_TEXT];
    cli_duration_text(elapsed * (1.0 - share) / share, left);
    fprintf(stderr, "\r\033[K%3.0f %%  %s  %s left", 100.0 * share, text, left);
    fflush(stderr);
}

void cli_progress_show(cli_progress *progress, const cli_run_state *run)
{
    char text[TEXT_SIZE];
    if (run->note.done > 0) {
        snprintf(text, sizeof text, "t = %.6g s  %.1f ns per body and evaluation",
                 rct_solver_time(run->solver), cli_run_cost(run));
        cli_progress_share(progress, (double)run->note.done / (double)run->note.steps,
                           cli_seconds() - run->started, text);
    }
}

void cli_progress_clear(const cli_progress *progress)
{
    if (progress->terminal) {
        fprintf(stderr, "\r\033[K");
        fflush(stderr);
    }
}
