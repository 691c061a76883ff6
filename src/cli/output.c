/* Standard output. JSON is written as it comes, so that a hundred thousand bodies take no memory. */
#include "output.h"

#include "cli.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

cli_output cli_output_start(void)
{
    return (cli_output){.failure = 0, .comma = false};
}

void cli_print(cli_output *out, const char *format, ...)
{
    if (out->failure != 0) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    if (vprintf(format, arguments) < 0) {
        out->failure = errno;
    }
    va_end(arguments);
}

int cli_output_finish(cli_output *out)
{
    if (out->failure == 0 && fflush(stdout) != 0) {
        out->failure = errno;
    }
    if (out->failure != 0) {
        return cli_fail(CLI_FAILED, "cannot write to standard output: %s", strerror(out->failure));
    }
    return CLI_OK;
}

/* Bytes of the UTF-8 character at `c`, 0 if there is none: overlong forms, surrogates and what lies
 * beyond U+10FFFF are none. */
static int character_bytes(const unsigned char *c)
{
    const int bytes = c[0] < 0x80                   ? 1
                      : c[0] >= 0xc2 && c[0] < 0xe0 ? 2
                      : c[0] >= 0xe0 && c[0] < 0xf0 ? 3
                      : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                                    : 0;
    for (int i = 1; i < bytes; i++) {
        if ((c[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    const bool bad = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] >= 0xa0) ||
                     (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] >= 0x90);
    return bad ? 0 : bytes;
}

static void print_string(cli_output *out, const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    cli_print(out, "\"");
    while (*c != '\0') {
        const int bytes = character_bytes(c);
        if (bytes == 0) {
            cli_print(out, "\\ufffd");
        } else if (*c == '"' || *c == '\\') {
            cli_print(out, "\\%c", *c);
        } else if (*c < 0x20 || *c == 0x7f) {
            cli_print(out, "\\u%04x", (unsigned)*c);
        } else {
            cli_print(out, "%.*s", bytes, (const char *)c);
        }
        c += bytes > 0 ? bytes : 1;
    }
    cli_print(out, "\"");
}

/* What stands before a value: the comma, and its key. */
static void lead_in(cli_output *out, const char *key)
{
    cli_print(out, "%s", out->comma ? ", " : "");
    out->comma = true;
    if (key != NULL) {
        print_string(out, key);
        cli_print(out, ": ");
    }
}

void cli_json_open(cli_output *out, const char *key, char bracket)
{
    lead_in(out, key);
    cli_print(out, "%c", bracket);
    out->comma = false;
}

void cli_json_close(cli_output *out, char bracket)
{
    cli_print(out, "%c", bracket);
    out->comma = true;
}

void cli_json_text(cli_output *out, const char *key, const char *value)
{
    if (value == NULL) {
        cli_json_null(out, key);
        return;
    }
    lead_in(out, key);
    print_string(out, value);
}

void cli_json_count(cli_output *out, const char *key, int64_t value)
{
    lead_in(out, key);
    cli_print(out, "%" PRId64, value);
}

void cli_json_bool(cli_output *out, const char *key, bool value)
{
    lead_in(out, key);
    cli_print(out, "%s", value ? "true" : "false");
}

void cli_json_real(cli_output *out, const char *key, double value)
{
    if (!isfinite(value)) {
        cli_json_null(out, key);
        return;
    }
    lead_in(out, key);
    cli_print(out, "%.17g", value);
}

void cli_json_vector(cli_output *out, const char *key, const double *values, int count)
{
    cli_json_open(out, key, '[');
    for (int i = 0; i < count; i++) {
        cli_json_real(out, NULL, values[i]);
    }
    cli_json_close(out, ']');
}

void cli_json_null(cli_output *out, const char *key)
{
    lead_in(out, key);
    cli_print(out, "null");
}

const char *cli_plain_name(const char *name, char plain[RCT_NAME_SIZE])
{
    snprintf(plain, RCT_NAME_SIZE, "%s", name);
    for (char *c = plain; *c != '\0'; c++) {
        *c = cli_is_control(*c) ? '?' : *c;
    }
    return plain;
}

void cli_bytes_text(int64_t bytes, char text[CLI_SHORT_TEXT])
{
    static const char *const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    double scaled = (double)bytes / 1e3;
    int unit = 0;
    while (scaled >= 999.95 && unit < 5) {
        scaled /= 1e3;
        unit++;
    }
    if (bytes < 1000) {
        snprintf(text, CLI_SHORT_TEXT, "%" PRId64 " B", bytes);
    } else {
        snprintf(text, CLI_SHORT_TEXT, "%.1f %s", scaled, units[unit]);
    }
}

void cli_duration_text(double seconds, char text[CLI_SHORT_TEXT])
{
    const int64_t whole = seconds < 1e9 ? llround(seconds) : 1000000000;
    if (whole < 60) {
        snprintf(text, CLI_SHORT_TEXT, "%" PRId64 " s", whole);
    } else if (whole < 3600) {
        snprintf(text, CLI_SHORT_TEXT, "%" PRId64 " min %" PRId64 " s", whole / 60, whole % 60);
    } else {
        snprintf(text, CLI_SHORT_TEXT, "%" PRId64 " h %" PRId64 " min", whole / 3600,
                 whole % 3600 / 60);
    }
}
