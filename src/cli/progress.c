/* One line of progress on standard error, overwritten each time, if that is a terminal. */
#include "cli.h"

#include <stdio.h>
#include <unistd.h>

static const double interval = 0.2; /* s */

static bool shown;
static double next; /* s, by the clock: earliest next update */

void cli_progress(double share, double elapsed, const char *text)
{
    const double now = cli_seconds();
    char left[CLI_SHORT_TEXT];
    if (now < next || share <= 0.0) {
        return;
    }
    next = now + interval;
    if (isatty(STDERR_FILENO) == 0) {
        return;
    }
    shown = true;
    fprintf(stderr, "\r\033[K%3.0f %%  %s  %s left", 100.0 * share, text,
            cli_duration_text(elapsed * (1.0 - share) / share, left));
    fflush(stderr);
}

void cli_progress_clear(void)
{
    if (shown) {
        fprintf(stderr, "\r\033[K");
        fflush(stderr);
    }
    shown = false;
}
