/* Time, and the signals that stop a run. */
#include "cli.h"

#include <signal.h>
#include <time.h>

static volatile sig_atomic_t caught; /* a handler can access nothing else */

double cli_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* After SIGINT or SIGTERM a second of the two, or the same once more, means that the user insists.
 * The other signals may repeat by themselves, from the terminal and its shell, or every second. */
static const struct {
    int number, insists;
    const char *words;
} signals[] = {{SIGINT, 1, "interrupted (SIGINT)"},
               {SIGTERM, 1, "asked to end (SIGTERM)"},
               {SIGHUP, 0, "asked to end (SIGHUP)"},
               {SIGXCPU, 0, "asked to end (SIGXCPU)"},
               {SIGUSR1, 0, "asked to end (SIGUSR1)"}};

enum { SIGNALS = sizeof signals / sizeof signals[0] };

static volatile sig_atomic_t watched[SIGNALS]; /* whether each is caught */

static void remember(int number)
{
    const int insists = number == SIGINT || number == SIGTERM;
    caught = caught == 0 ? number : caught;
    for (int i = 0; i < SIGNALS && insists; i++) {
        if (signals[i].insists && watched[i]) {
            signal(signals[i].number, SIG_DFL);
        }
    }
}

/* Ignored signals stay ignored: a shell starts background jobs with SIGINT ignored, nohup with
 * SIGHUP ignored. */
void cli_catch_signals(void)
{
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction before;
        struct sigaction action = {.sa_handler = remember};
        sigemptyset(&action.sa_mask);
        action.sa_flags = SA_RESTART;
        if (sigaction(signals[i].number, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            watched[i] = 1;
            sigaction(signals[i].number, &action, NULL);
        }
    }
}

int cli_signal_caught(void)
{
    return caught;
}

const char *cli_signal_words(int number)
{
    const char *words = "asked to end";
    for (int i = 0; i < SIGNALS; i++) {
        words = signals[i].number == number ? signals[i].words : words;
    }
    return words;
}
