/* Standard output. JSON is written as it comes, so that a hundred thousand bodies take no
 * memory. */
#define _GNU_SOURCE /* vasprintf() */
#include "cli.h"
#include "core/character.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    int failure; /* errno of the first failed write, else 0 */
    bool json;
    bool comma; /* the next value of this level is not the first */
    int width;  /* of the first column of a table */
} out;

__attribute__((format(printf, 1, 0))) static void put_list(const char *format, va_list arguments)
{
    if (out.failure == 0 && vprintf(format, arguments) < 0) {
        out.failure = errno;
    }
}

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_list(format, arguments);
    va_end(arguments);
}

void cli_output_start(bool json, int width)
{
    out.json = json;
    out.width = width;
    out.comma = false;
    if (json) {
        put("{");
    }
}

bool cli_output_finish(void)
{
    if (out.json) {
        put("}\n");
    }
    if (out.failure == 0 && fflush(stdout) != 0) {
        out.failure = errno;
    }
    return out.failure == 0 ? !ferror(stdout) || cli_output_failed(EIO)
                            : cli_output_failed(out.failure);
}

bool cli_output_failed(int number)
{
    struct pollfd pipe = {.fd = STDOUT_FILENO, .events = POLLOUT};
    const bool left = poll(&pipe, 1, 0) == 1 && (pipe.revents & POLLERR) != 0;
    return left ? cli_end_with(CLI_SIGNAL + SIGPIPE)
                : cli_fail(CLI_FAILED, "cannot write to standard output: %s", strerror(number));
}

bool cli_output_works(void)
{
    return out.failure == 0;
}

/* ---- tables ------------------------------------------------------------------------------- */

void cli_print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!out.json) {
        put_list(format, arguments);
    }
    va_end(arguments);
}

__attribute__((format(printf, 1, 0))) static void put_plain(const char *format, va_list arguments)
{
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0) {
        out.failure = out.failure != 0 ? out.failure : ENOMEM;
        return;
    }
    rct_characters_plain(text, '?');
    put("%s", text);
    free(text);
}

void cli_print_plain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!out.json) {
        put_plain(format, arguments);
    }
    va_end(arguments);
}

void cli_label(const char *label)
{
    cli_print("%-*s", out.width, label);
}

void cli_line(const char *label, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cli_label(label);
    if (!out.json) {
        put_plain(format, arguments);
        put("\n");
    }
    va_end(arguments);
}

/* ---- JSON --------------------------------------------------------------------------------- */

/* The number of a character of up to three bytes. */
static unsigned code_of(const unsigned char *c, int size)
{
    return size == 1   ? c[0]
           : size == 2 ? (c[0] & 0x1fu) << 6 | (c[1] & 0x3fu)
                       : (c[0] & 0x0fu) << 12 | (c[1] & 0x3fu) << 6 | (c[2] & 0x3fu);
}

static void put_string(const char *text)
{
    put("\"");
    for (int size = 0; *text != '\0'; text += size > 0 ? size : 1) {
        size = rct_character_size(text, 4);
        if (size == 0) {
            put("\\ufffd");
        } else if (*text == '"' || *text == '\\') {
            put("\\%c", *text);
        } else if (rct_character_steers(text, size)) {
            put("\\u%04x", code_of((const unsigned char *)text, size));
        } else {
            put("%.*s", size, text);
        }
    }
    put("\"");
}

/* Write what precedes a value: the comma and its key. Returns whether the value is to be
 * written. */
static bool lead_in(const char *key)
{
    if (out.json) {
        put("%s", out.comma ? ", " : "");
        out.comma = true;
    }
    if (out.json && key != NULL) {
        put_string(key);
        put(": ");
    }
    return out.json;
}

void cli_json_open(const char *key, char bracket)
{
    if (lead_in(key)) {
        put("%c", bracket);
        out.comma = false;
    }
}

void cli_json_open_line(void)
{
    if (out.json) {
        put("%s\n", out.comma ? "," : "");
        out.comma = false;
    }
    cli_json_open(NULL, '{');
}

void cli_json_close(const char *bracket)
{
    if (out.json) {
        put("%s", bracket);
        out.comma = true;
    }
}

void cli_json_text(const char *key, const char *value)
{
    if (lead_in(key) && value != NULL) {
        put_string(value);
    } else if (out.json) {
        put("null");
    }
}

void cli_json_count(const char *key, int64_t value)
{
    if (lead_in(key)) {
        put("%" PRId64, value);
    }
}

void cli_json_bool(const char *key, bool value)
{
    if (lead_in(key)) {
        put("%s", value ? "true" : "false");
    }
}

void cli_json_real(const char *key, double value)
{
    if (!isfinite(value)) {
        cli_json_text(key, NULL);
    } else if (lead_in(key)) {
        put("%.17g", value);
    }
}

void cli_json_vector(const char *key, const double *values, int count)
{
    cli_json_open(key, '[');
    for (int i = 0; i < count; i++) {
        cli_json_real(NULL, values[i]);
    }
    cli_json_close("]");
}

/* ---- both --------------------------------------------------------------------------------- */

void cli_count(const char *key, const char *label, int64_t value, const char *after)
{
    cli_json_count(key, value);
    cli_line(label, "%" PRId64 "%s", value, after);
}

void cli_text(const char *key, const char *label, const char *value)
{
    cli_json_text(key, value);
    cli_line(label, "%s", value);
}

void cli_model_name(const char *name)
{
    char plain[RCT_NAME_SIZE];
    cli_json_text("model", name);
    cli_line("model", "%s", cli_plain_name(name, plain));
}

const char *cli_plain_name(const char *name, char plain[RCT_NAME_SIZE])
{
    snprintf(plain, RCT_NAME_SIZE, "%s", name[0] != '\0' ? name : "(no name)");
    rct_characters_plain(plain, '?');
    return plain;
}

const char *cli_counted(int64_t count, const char *noun, char text[CLI_COUNTED])
{
    const char *of = strstr(noun, " of ");
    const int first = (int)(of != NULL ? of - noun : (ptrdiff_t)strlen(noun));
    const char *last = first > 0 ? noun + first - 1 : noun;
    const bool vowel = first > 1 && strchr("aeiou", last[-1]) != NULL;
    const bool many = count != 1, y = many && *last == 'y' && !vowel;
    const bool hisses = strchr("sxh", *last) != NULL;
    snprintf(text, CLI_COUNTED, "%" PRId64 " %.*s%s%s", count, y ? first - 1 : first, noun,
             !many    ? ""
             : y      ? "ies"
             : hisses ? "es"
                      : "s",
             noun + first);
    return text;
}

const char *cli_bytes_text(int64_t bytes, char text[CLI_SHORT_TEXT])
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
    return text;
}

const char *cli_duration_text(double seconds, char text[CLI_SHORT_TEXT])
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
    return text;
}
