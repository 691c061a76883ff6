/* Errors with lines, ignored and refused elements, attributes as numbers. */
#include "import/source.h"

#include "core/error.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 64 }; /* bytes of a word that an error quotes */

static const char blanks[] = " \t\r\n";

static void describe(char *text, size_t size, const rct_xml_element *at)
{
    const char *name = rct_xml_value(at, "name");
    snprintf(text, size, "<%.*s>%s%.*s%s", SHOWN, at->name, name != NULL ? " \"" : "", SHOWN,
             name != NULL ? name : "", name != NULL ? "\"" : "");
}

static void fail(const rct_xml_element *at, rct_status status, const char *format,
                 va_list arguments)
{
    rct_source *source = rct_source_of(at);
    char what[4 * SHOWN];
    if (source->status == RCT_OK) {
        source->status = rct_fail_list(source->error, status, -1, format, arguments);
        describe(what, sizeof what, at);
        rct_error_prefix(source->error, "%s: ", what);
        rct_source_locate(at);
    }
}

void rct_source_fail(const rct_xml_element *at, rct_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(at, status, format, arguments);
    va_end(arguments);
}

int rct_source_demand(const rct_xml_element *at, int holds, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!holds) {
        fail(at, RCT_ERROR_MODEL, format, arguments);
    }
    va_end(arguments);
    return holds;
}

static void note(rct_import_report *report, const rct_xml_element *at, const char *text)
{
    report->ignored++;
    if (report->notes < RCT_IMPORT_NOTES) {
        char what[4 * SHOWN], line[RCT_ERROR_TEXT_SIZE + 2 * sizeof what];
        describe(what, sizeof what, at);
        snprintf(line, sizeof line, "%s%s%.*s: %s", what, at->file->name != NULL ? " of " : "",
                 2 * SHOWN, at->file->name != NULL ? at->file->name : "", text);
        report->note[report->notes].line = at->line;
        snprintf(report->note[report->notes].text, RCT_IMPORT_NOTE_SIZE, "%.*s",
                 RCT_IMPORT_NOTE_SIZE - 1, line);
        report->notes++;
    }
}

void rct_source_unsupported(const rct_xml_element *at, int given, const char *format, ...)
{
    const rct_source *source = rct_source_of(at);
    char text[RCT_ERROR_TEXT_SIZE / 2];
    va_list arguments;
    if (!given || source->status != RCT_OK) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (source->options->ignore_unsupported) {
        note(source->report, at, text);
    } else {
        rct_source_fail(
            at, RCT_ERROR_UNSUPPORTED,
            "%s%s remove it, or continue without it by ignore_unsupported (--ignore-unsupported)",
            text, strchr(text, ';') != NULL ? "," : ";");
    }
}

void rct_source_have(rct_source *source, const void *memory)
{
    if (source->status == RCT_OK && memory == NULL) {
        source->status = RCT_ERROR_MEMORY;
    }
}

void rct_source_locate(const rct_xml_element *at)
{
    rct_error *error = rct_source_of(at)->error;
    rct_error_prefix(error, "line %d: ", at->line);
    if (at->file->name != NULL) {
        rct_error_prefix(error, "%.*s: ", 2 * SHOWN, at->file->name);
    }
    error->line = at->line;
}

int rct_word_in(const char *list, const char *word)
{
    const size_t length = strlen(word);
    const char *at = length > 0 ? strstr(list, word) : NULL;
    while (at != NULL &&
           ((at > list && at[-1] != ' ') || (at[length] != ' ' && at[length] != '\0'))) {
        at = strstr(at + 1, word);
    }
    return at != NULL && strchr(word, ' ') == NULL;
}

void rct_source_check_attributes(const rct_xml_element *element, const char *known)
{
    for (int32_t i = 0; i < element->attribute_count; i++) {
        const char *name = element->attributes[i].name;
        rct_source_unsupported(element, !rct_word_in(known, name),
                               "the attribute \"%.*s\" is not known", SHOWN, name);
    }
}

void rct_source_check_children(const rct_xml_element *element, const char *known)
{
    for (const rct_xml_element *c = element->child; c != NULL; c = c->next) {
        rct_source_unsupported(c, !rct_word_in(known, c->name),
                               "this element is not supported in <%.*s>", SHOWN, element->name);
    }
}

const rct_xml_element *rct_source_child(const rct_xml_element *element, const char *name)
{
    const rct_xml_element *child = NULL;
    for (const rct_xml_element *c = element->child; c != NULL; c = c->next) {
        if (rct_xml_is(c, name) &&
            rct_source_demand(c, child == NULL,
                              "<%.*s> already has this element, in line %d; keep one", SHOWN,
                              element->name, child != NULL ? child->line : 0)) {
            child = c;
        }
    }
    return child;
}

/* The number at `text`, up to white space or the end; NULL if there is none, else the text
 * behind it. The locale is the C locale here (import.c), so the decimal sign is a point. */
static const char *parse_number(double *number, const char *text)
{
    const size_t length = strcspn(text, blanks);
    char *end = NULL;
    if (length == 0 || strspn(text, "+-.0123456789eE") < length) {
        return NULL;
    }
    *number = strtod(text, &end);
    return end == text + length && isfinite(*number) ? end : NULL;
}

/* Read the numbers in `text`, at most `most`. Returns how many; -1: more, or something else. */
static int parse_list(double *numbers, int most, const char *text)
{
    int count = 0;
    const char *next = text + strspn(text, blanks);
    while (next != NULL && *next != '\0') {
        next = count < most ? parse_number(&numbers[count++], next) : NULL;
        next = next != NULL ? next + strspn(next, blanks) : NULL;
    }
    return next != NULL ? count : -1;
}

int rct_source_parse_some(double *numbers, int most, const rct_xml_element *at, const char *name,
                          const char *text)
{
    const int count = parse_list(numbers, most, text);
    const int good =
        rct_source_demand(at, count >= 0, "%s=\"%.*s\": give at most %d finite number%s", name,
                          SHOWN, text, most, most == 1 ? "" : "s separated by spaces");
    return good ? count : 0;
}

void rct_source_parse(double *numbers, int count, const rct_xml_element *at, const char *name,
                      const char *text)
{
    double list[RCT_SOURCE_NUMBERS];
    assert(count <= RCT_SOURCE_NUMBERS);
    if (rct_source_demand(at, parse_list(list, count, text) == count,
                          "%s=\"%.*s\": give %d finite number%s", name, SHOWN, text, count,
                          count == 1 ? "" : "s separated by spaces")) {
        memcpy(numbers, list, (size_t)count * sizeof *numbers);
    }
}

void rct_source_optional(double *numbers, int count, const rct_xml_element *at, const char *name)
{
    const char *text = rct_xml_value(at, name);
    if (text != NULL) {
        rct_source_parse(numbers, count, at, name, text);
    }
}

int rct_source_word(int otherwise, const rct_xml_element *at, const char *name,
                    const char *const words[])
{
    const char *value = rct_xml_value(at, name);
    if (value == NULL) {
        return otherwise;
    }
    int i = 0;
    while (words[i] != NULL && strcmp(value, words[i]) != 0) {
        i++;
    }
    return rct_source_demand(at, words[i] != NULL, "%s=\"%.64s\" is not known; give %s or %s", name,
                             value, words[0], words[1])
               ? i
               : otherwise;
}

void rct_source_required(double *numbers, int count, const rct_xml_element *at, const char *name)
{
    rct_source_demand(at, rct_xml_value(at, name) != NULL, "the attribute \"%s\" is missing", name);
    rct_source_optional(numbers, count, at, name);
}
