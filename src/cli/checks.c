/* Checks as a table or as JSON, and their verdict. */
#include "checks.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { NOTE_SIZE = 700 };

void cli_checks_start(void)
{
    cli_line("", " %9s    %8s", "measured", "bound");
    cli_json_open("checks", '[');
}

static void print(const char *what, double measured, const cli_bound *bound, const char *result,
                  const char *note)
{
    cli_json_open_line();
    cli_json_text("check", what);
    cli_json_real("measured", measured);
    cli_json_real(bound != NULL && bound->least ? "at_least" : "at_most",
                  bound != NULL ? bound->value : NAN);
    cli_json_text("result", result);
    cli_json_text("note", note[0] != '\0' ? note : NULL);
    cli_json_close("}");
    cli_label(what);
    if (bound != NULL) {
        cli_print(" %9.2e %s %8.2e", measured, bound->least ? ">=" : "<=", bound->value);
    } else {
        cli_print(" %9s    %8s", "-", "-");
    }
    cli_print_plain("  %s%s%s", result, note[0] != '\0' ? ": " : "", note);
    cli_print("\n");
}

void cli_check_bound(cli_checks *checks, const char *what, double measured, cli_bound bound,
                     const char *advice, ...)
{
    char note[NOTE_SIZE] = "";
    const bool good =
        isfinite(measured) && (bound.least ? measured >= bound.value : measured <= bound.value);
    va_list arguments;
    va_start(arguments, advice);
    if (!good) {
        vsnprintf(note, sizeof note, advice, arguments);
    }
    va_end(arguments);
    checks->passed += good;
    checks->failed += !good;
    print(what, measured, &bound, good ? "passed" : "failed", note);
}

/* Print a check without a number. */
static void tell(const char *what, const char *result, const char *why, va_list arguments)
{
    char note[NOTE_SIZE];
    vsnprintf(note, sizeof note, why, arguments);
    print(what, NAN, NULL, result, note);
}

void cli_check_skip(cli_checks *checks, const char *what, const char *why, ...)
{
    va_list arguments;
    va_start(arguments, why);
    tell(what, "not checked", why, arguments);
    va_end(arguments);
    checks->unchecked++;
}

void cli_check_fail(cli_checks *checks, const char *what, const char *why, ...)
{
    va_list arguments;
    va_start(arguments, why);
    tell(what, "failed", why, arguments);
    va_end(arguments);
    checks->failed++;
}

bool cli_checks_finish(const cli_checks *checks, const char *of_what)
{
    const bool good = checks->failed == 0;
    cli_json_close("]");
    cli_json_count("passed", checks->passed);
    cli_json_count("failed", checks->failed);
    cli_json_count("not_checked", checks->unchecked);
    cli_json_text("verdict", good ? "passed" : "failed");
    cli_print("verdict: %s: %" PRId64 " passed, %" PRId64 " failed, %" PRId64 " not checked\n",
              good ? "passed" : "failed", checks->passed, checks->failed, checks->unchecked);
    return cli_output_finish() &&
           (good || cli_fail(CLI_FAILED, "%s: %" PRId64 " of %" PRId64 " checks failed", of_what,
                             checks->failed, checks->passed + checks->failed));
}
