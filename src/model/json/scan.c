/* Tokens: words, strings with their escapes, and the error of a text that is not JSON. */
#include "model/json/scan.h"

#include "core/character.h"
#include "core/error.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    LONGEST_SHOWN = 20,
    SAID_SIZE = 96,
    HIGH = 0xd800, /* the first half of a surrogate pair; the second half */
    LOW = 0xdc00,
    HALVES = 0x400,
};

static int is_wide(char c)
{
    return (c & 0x80) != 0;
}

/* ---- errors ------------------------------------------------------------------------------- */

static int32_t clamp(int64_t place)
{
    return place < 1 ? 1 : place < INT32_MAX ? (int32_t)place : INT32_MAX;
}

void rct_json_scan_fail_plain(rct_json_scan *scan, const char *says)
{
    int64_t lines = 1, characters = 0;
    if (scan->status != RCT_OK) {
        return;
    }
    for (const char *c = scan->text; c < scan->at; c++) {
        lines += *c == '\n';
        characters = *c == '\n' ? 0 : characters + ((*c & 0xc0) != 0x80);
    }
    const int32_t line = clamp(lines), column = clamp(characters);
    scan->status =
        rct_fail(scan->error, RCT_ERROR_SYNTAX,
                 "line %" PRId32 ", column %" PRId32 ": not valid JSON: %s", line, column, says);
    scan->error->line = line;
    scan->error->column = column;
}

void rct_json_scan_fail(rct_json_scan *scan, const char *says)
{
    char text[SAID_SIZE + 2 * LONGEST_SHOWN];
    const int64_t size = scan->at - scan->token;
    says = size > 0 && scan->token[0] == '/' ? "JSON has no comments" : says;
    if (size == 0 || scan->token[0] == '\0') {
        snprintf(text, sizeof text, "%s near end of file", says);
    } else if (size <= LONGEST_SHOWN) {
        snprintf(text, sizeof text, "%s near '%.*s'", says, (int)size, scan->token);
    } else {
        snprintf(text, sizeof text, "%s", says);
    }
    rct_json_scan_fail_plain(scan, text);
}

/* Bytes of the next character; 0 with the error if it is not UTF-8. */
static int64_t character(rct_json_scan *scan)
{
    const char c = *scan->at;
    const int64_t size = is_wide(c) ? rct_character_size(scan->at, scan->end - scan->at) : 1;
    if (size == 0) {
        char says[SAID_SIZE];
        snprintf(says, sizeof says, "unable to decode byte 0x%x", (unsigned)(c & 0xff));
        if (scan->at > scan->token) {
            rct_json_scan_fail(scan, says);
        } else {
            rct_json_scan_fail_plain(scan, says);
        }
    }
    return size;
}

/* A word or a number must be followed by a character. */
static void look_ahead(rct_json_scan *scan)
{
    if (scan->at < scan->end && is_wide(*scan->at)) {
        character(scan);
    }
}

/* ---- strings ------------------------------------------------------------------------------ */

/* Move past the next character if it is one of these. */
static int skip_one(rct_json_scan *scan, const char *these)
{
    const int good = scan->at < scan->end && *scan->at != '\0' && strchr(these, *scan->at) != NULL;
    scan->at += good;
    return good;
}

/* Move past the escape that starts here. Returns 0 with the error if it is invalid. */
static int skip_escape(rct_json_scan *scan)
{
    scan->at++;
    int good = skip_one(scan, "\"\\/bfnrtu");
    if (good && scan->at[-1] == 'u') {
        for (int i = 0; i < 4 && good; i++) {
            good = skip_one(scan, "0123456789abcdefABCDEF");
        }
    }
    if (!good && scan->at < scan->end) {
        scan->at += character(scan); /* the error shows this character */
    }
    if (!good) {
        rct_json_scan_fail(scan, "invalid escape");
    }
    return good;
}

/* Bytes that stand for themselves in a string: ASCII without controls, quotes and backslashes. */
/* clang-format off */
static const char plain[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
};
/* clang-format on */

/* The string that starts here. */
static void scan_string(rct_json_scan *scan)
{
    scan->kind = '?';
    scan->escaped = 0;
    scan->at++;
    while (scan->status == RCT_OK && scan->kind == '?') {
        const char *at = scan->at;
        while (at < scan->end && plain[*at & 0xff]) {
            at++;
        }
        scan->at = at;
        if (at == scan->end) {
            rct_json_scan_fail(scan, "premature end of input");
        } else if (*at == '"') {
            scan->kind = '"';
            scan->at++;
        } else if (*at == '\\') {
            scan->escaped = 1;
            skip_escape(scan);
        } else if (is_wide(*at)) {
            scan->at += character(scan);
        } else {
            char says[SAID_SIZE];
            snprintf(says, sizeof says, "control character 0x%x", (unsigned)*at);
            rct_json_scan_fail(scan, *at == '\n' ? "unexpected newline" : says);
        }
    }
}

/* The number in \uXXXX. */
static int32_t code_at(const char *c)
{
    int32_t code = 0;
    for (int i = 2; i < 6; i++) {
        code = 16 * code + (c[i] <= '9' ? c[i] - '0' : (c[i] | 0x20) - 'a' + 10);
    }
    return code;
}

static int is_half(int32_t code, int32_t which)
{
    return code >= which && code < which + HALVES;
}

/* The character of \u at `*c`, perhaps with a second \u behind it; `*c` moves behind. -1 with
 * the error for half a pair. */
static int32_t take_code(rct_json_scan *scan, const char **c)
{
    const int32_t first = code_at(*c);
    char says[SAID_SIZE];
    *c += 6;
    if (!is_half(first, HIGH) && !is_half(first, LOW)) {
        return first;
    }
    if (is_half(first, HIGH) && (*c)[0] == '\\' && (*c)[1] == 'u') {
        const int32_t second = code_at(*c);
        *c += 6;
        if (is_half(second, LOW)) {
            return 0x10000 + (first - HIGH) * HALVES + (second - LOW);
        }
        snprintf(says, sizeof says, "invalid Unicode '\\u%04X\\u%04X'", (unsigned)first,
                 (unsigned)second);
    } else {
        snprintf(says, sizeof says, "invalid Unicode '\\u%04X'", (unsigned)first);
    }
    rct_json_scan_fail(scan, says);
    return -1;
}

/* Append the character in UTF-8. */
static char *put_character(char *text, int32_t code)
{
    if (code < 0x80) {
        *text++ = (char)code;
        return text;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    const int lead[] = {0, 0xc0, 0xe0, 0xf0};
    *text++ = (char)(lead[more] | code >> 6 * more);
    for (int i = more - 1; i >= 0; i--) {
        *text++ = (char)(0x80 | (code >> 6 * i & 0x3f));
    }
    return text;
}

int64_t rct_json_scan_string(rct_json_scan *scan, char *text)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *c = scan->token + 1, *end = scan->at - 1;
    char *to = text;
    if (!scan->escaped) {
        memcpy(text, c, (size_t)(end - c));
        text[end - c] = '\0';
        return end - c;
    }
    while (c < end && scan->status == RCT_OK) {
        if (c[0] != '\\') {
            *to++ = *c++;
        } else if (c[1] != 'u') {
            *to++ = meant[strchr(letters, c[1]) - letters];
            c += 2;
        } else {
            const int32_t code = take_code(scan, &c);
            to = code >= 0 ? put_character(to, code) : to;
        }
    }
    *to = '\0';
    return to - text;
}

/* ---- tokens ------------------------------------------------------------------------------- */

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void scan_word(rct_json_scan *scan)
{
    static const char *const words[] = {"true", "false", "null"};
    const char *at = scan->at;
    while (at < scan->end && is_letter(*at)) {
        at++;
    }
    scan->at = at;
    scan->kind = '?';
    look_ahead(scan);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const size_t size = strlen(words[i]);
        if ((size_t)(at - scan->token) == size && memcmp(scan->token, words[i], size) == 0) {
            scan->kind = words[i][0];
        }
    }
}

static void scan_number(rct_json_scan *scan)
{
    int good = 0;
    scan->at = rct_json_scan_number(scan->at, scan->end, &scan->number, &good);
    scan->kind = good ? '0' : '?';
    look_ahead(scan);
    if (good && isinf(scan->number)) {
        rct_json_scan_fail(scan, "real number overflow");
    }
}

void rct_json_scan_token(rct_json_scan *scan)
{
    if (scan->at == scan->end) {
        scan->kind = '\0';
    } else if (*scan->at == '"') {
        scan_string(scan);
    } else if (*scan->at == '-' || (*scan->at >= '0' && *scan->at <= '9')) {
        scan_number(scan);
    } else if (is_letter(*scan->at)) {
        scan_word(scan);
    } else {
        scan->kind = '?';
        scan->at += character(scan);
    }
}
