/* Errors of the command line: one line on standard error, and the exit status they stand for. */
#include "cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE_SIZE = 2048 };

static bool quiet; /* of this process: a rank whose words another one says */
static char kept[LINE_SIZE];

bool cli_is_control(char c)
{
    return (c >= 0 && c < ' ') || c == '\x7f';
}

/* A path may hold anything; what reaches the terminal is one line of text. */
__attribute__((format(printf, 2, 0))) static void write_line(char text[LINE_SIZE],
                                                             const char *format, va_list arguments)
{
    vsnprintf(text, LINE_SIZE, format, arguments);
    for (char *c = text; *c != '\0'; c++) {
        *c = cli_is_control(*c) ? ' ' : *c;
    }
}

int cli_fail(int status, const char *format, ...)
{
    char text[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    write_line(text, format, arguments);
    va_end(arguments);
    if (quiet) {
        memcpy(kept, text, sizeof kept);
        return status;
    }
    fflush(stdout);
    fprintf(stderr, "riccatree: %s\n", text);
    return status;
}

void cli_warn(const char *format, ...)
{
    char text[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    write_line(text, format, arguments);
    va_end(arguments);
    if (!quiet) {
        fflush(stdout);
        fprintf(stderr, "riccatree: warning: %s\n", text);
    }
}

void cli_be_quiet(void)
{
    quiet = true;
}

bool cli_is_quiet(void)
{
    return quiet;
}

const char *cli_kept_error(void)
{
    return kept;
}

int cli_status(const rct_error *error)
{
    switch (error->status) {
    case RCT_OK: return CLI_OK;
    case RCT_ERROR_ARGUMENT:
    case RCT_ERROR_IO: /* before a run: an input or output path */
    case RCT_ERROR_SYNTAX:
    case RCT_ERROR_MODEL:
    case RCT_ERROR_UNSUPPORTED: return CLI_BAD_INPUT;
    case RCT_ERROR_MEMORY:
    case RCT_ERROR_SINGULAR:
    case RCT_ERROR_DIVERGED:
    case RCT_ERROR_DEVICE:
    case RCT_ERROR_LOOP: return CLI_FAILED;
    }
    return CLI_FAILED;
}

int cli_fail_library(const rct_error *error)
{
    return cli_fail(cli_status(error), "%s", error->text);
}
