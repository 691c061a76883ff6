/* Checks that end in a verdict, as `verify` and `doctor` print them: each a line with what was checked, the number measured, its bound,
 * and what came of it. */
#ifndef RCT_CLI_CHECKS_H
#define RCT_CLI_CHECKS_H

#include "cli.h"

typedef struct cli_checks {
    int64_t passed, failed, unchecked;
} cli_checks;

typedef struct cli_bound {
    bool least;
    double value;
} cli_bound;

static inline cli_bound cli_at_most(double value)
{
    return (cli_bound){.value = value};
}

static inline cli_bound cli_at_least(double value)
{
    return (cli_bound){.least = true, .value = value};
}

/* Begin the list, after the output has been started with a first column of CLI_CHECK_WIDTH. */
enum { CLI_CHECK_WIDTH = 28 };
void cli_checks_start(void);

/* One check. It has passed where `measured` is at most, or at least, the bound; `advice`, for one that has not, says where and what to do.
 * Or it was not made; or it has failed with no number. */
__attribute__((format(printf, 5, 6))) void cli_check_bound(cli_checks *checks, const char *what,
                                                           double measured, cli_bound bound,
                                                           const char *advice, ...);
__attribute__((format(printf, 3, 4))) void cli_check_skip(cli_checks *checks, const char *what,
                                                          const char *why, ...);
__attribute__((format(printf, 3, 4))) void cli_check_fail(cli_checks *checks, const char *what,
                                                          const char *why, ...);

/* The verdict, and the end of the output; false, with an error that begins with `of_what`, if a check has failed. */
bool cli_checks_finish(const cli_checks *checks, const char *of_what);

#endif
