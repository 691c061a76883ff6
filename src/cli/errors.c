/* Errors of the command line: one line on standard error, and the exit status for it. */
#include "cli.h"
#include "core/character.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE_SIZE = 2048 };

rct_error cli_error;

static int exit_status; /* of this process */
static bool quiet;      /* another rank prints for this one */
static char kept[LINE_SIZE];

/* A path may contain any bytes; the terminal gets one line of text. */
__attribute__((format(printf, 2, 0))) static void say(const char *before, const char *format,
                                                      va_list arguments)
{
    char text[LINE_SIZE];
    vsnprintf(text, sizeof text, format, arguments);
    rct_characters_plain(text, ' ');
    if (!quiet) {
        fflush(stdout);
        cli_progress_clear();
        fprintf(stderr, "riccatree: %s%s\n", before, text);
    } else if (before[0] == '\0') {
        memcpy(kept, text, sizeof kept);
    }
}

bool cli_fail(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("", format, arguments);
    va_end(arguments);
    return cli_end_with(status);
}

void cli_warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("warning: ", format, arguments);
    va_end(arguments);
}

bool cli_end_with(int status)
{
    exit_status = status != CLI_OK ? status : exit_status;
    return false;
}

int cli_exit_status(void)
{
    return exit_status;
}

void cli_be_quiet(void)
{
    quiet = true;
}

bool cli_is_quiet(void)
{
    return quiet;
}

int cli_status(void)
{
    switch (cli_error.status) {
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

bool cli_did(rct_status status)
{
    return status == RCT_OK || cli_fail(cli_status(), "%s", cli_error.text);
}

bool cli_have(const void *made)
{
    return made != NULL || cli_fail(cli_status(), "%s", cli_error.text);
}

bool cli_closed(rct_status status)
{
    return status == RCT_OK || cli_fail(CLI_FAILED, "%s", cli_error.text);
}

bool cli_have_memory(const void *memory)
{
    return memory != NULL || cli_fail(CLI_FAILED, "out of memory; free some");
}

bool cli_is_first(const cli_arguments *arguments)
{
    return rct_ranks_number(arguments->ranks) == 0;
}

bool cli_agree(const cli_arguments *arguments, bool good)
{
    rct_error *error = &cli_error;
    const int status = cli_exit_status();
    error->status = good ? RCT_OK : status == CLI_BAD_INPUT ? RCT_ERROR_ARGUMENT : RCT_ERROR_DEVICE;
    snprintf(error->text, sizeof error->text, "%.*s", RCT_ERROR_TEXT_SIZE - 1, kept);
    const rct_status agreed = rct_ranks_agree(arguments->ranks, error->status, error);
    return good && cli_did(agreed); /* the error of the rank itself is printed already */
}
