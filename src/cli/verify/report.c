/* The lines of a verification, as a table or as JSON, and its verdict. */
#include "verify/verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { NOTE_SIZE = 700 };

void cli_verify_start(const cli_verification *v)
{
    char plain[RCT_NAME_SIZE];
    const char *name = rct_model_name(v->model);
    const int32_t bodies = rct_model_body_count(v->model);
    cli_output_start(v->arguments->given[CLI_JSON], 28);
    cli_json_text("model", name);
    cli_json_count("bodies", bodies);
    cli_json_real("dt", v->dt);
    cli_json_count("steps", v->steps);
    cli_print("%s, %" PRId32 " bodies; motion over %" PRId64 " steps of %.9g s\n",
              cli_plain_name(name, plain), bodies, v->steps, v->dt);
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
    cli_print("  %s%s%s\n", result, note[0] != '\0' ? ": " : "", note);
}

void cli_verify_bound(cli_verification *v, const char *what, double measured, cli_bound bound,
                      const char *advice, ...)
{
    char note[NOTE_SIZE] = "";
    const bool good = bound.least ? measured >= bound.value : measured <= bound.value;
    va_list arguments;
    va_start(arguments, advice);
    if (!good) {
        vsnprintf(note, sizeof note, advice, arguments);
    }
    va_end(arguments);
    v->passed += good;
    v->failed += !good;
    print(what, measured, &bound, good ? "passed" : "failed", note);
}

void cli_verify_skip(cli_verification *v, const char *what, const char *why, ...)
{
    char note[NOTE_SIZE];
    va_list arguments;
    va_start(arguments, why);
    vsnprintf(note, sizeof note, why, arguments);
    va_end(arguments);
    v->unchecked++;
    print(what, NAN, NULL, "not checked", note);
}

void cli_verify_fail(cli_verification *v, const char *what, const char *why, ...)
{
    char note[NOTE_SIZE];
    va_list arguments;
    va_start(arguments, why);
    vsnprintf(note, sizeof note, why, arguments);
    va_end(arguments);
    v->failed++;
    print(what, NAN, NULL, "failed", note);
}

bool cli_verify_finish(const cli_verification *v)
{
    const bool good = v->failed == 0;
    cli_json_close("]");
    cli_json_count("passed", v->passed);
    cli_json_count("failed", v->failed);
    cli_json_count("not_checked", v->unchecked);
    cli_json_text("verdict", good ? "passed" : "failed");
    cli_print("verdict: %s: %" PRId64 " passed, %" PRId64 " failed, %" PRId64 " not checked\n",
              good ? "passed" : "failed", v->passed, v->failed, v->unchecked);
    return cli_output_finish() &&
           (good || cli_fail(CLI_FAILED, "%s: %" PRId64 " of %" PRId64 " checks failed",
                             v->arguments->operand, v->failed, v->passed + v->failed));
}
