/* Time, and the signals that ask a run to stop. */
#include "cli.h"

#include <signal.h>
#include <time.h>

static volatile sig_atomic_t caught; /* a handler can reach nothing else */

double cli_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void remember(int number)
{
    caught = number;
}

/* What is ignored stays so: a shell starts what runs in its background with SIGINT ignored. */
static void catch (int number)
{
    struct sigaction before;
    struct sigaction action = {.sa_handler = remember};
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART | (int)SA_RESETHAND;
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
        sigaction(number, &action, NULL);
    }
}

void cli_catch_signals(void)
{
    catch (SIGINT);
    catch (SIGTERM);
}

int cli_signal_caught(void)
{
    return caught;
}
