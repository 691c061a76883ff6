/* Checks that end in a verdict, as `verify` and `doctor` print them. Each is a line with the
 * thing checked, the number measured, its bound, and the result. */
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

/* Begin the list, after the output was started with a first column of CLI_CHECK_WIDTH. */
enum { CLI_CHECK_WIDTH = 28 };
void cli_checks_start(void);

/* One check. It passes if `measured` is at most, or at least, the bound; `advice` says where a
 * failed check failed and what to do. The others: a check that was not made, and one that failed
 * without a number. */
__attribute__((format(printf, 5, 6))) void cli_check_bound(cli_checks *checks, const char *what,
                                                           double measured, cli_bound bound,
                                                           const char *advice, ...);
__attribute__((format(printf, 3, 4))) void cli_check_skip(cli_checks *checks, const char *what,
                                                          const char *why, ...);
__attribute__((format(printf, 3, 4))) void cli_check_fail(cli_checks *checks, const char *what,
                                                          const char *why, ...);

/* Print the verdict and end the output. Returns false, with an error that begins with `of_what`,
 * if a check failed. */
bool cli_checks_finish(const cli_checks *checks, const char *of_what);

#endif
