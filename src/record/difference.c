/* Texts of what bits depend on, compared line by line (difference.h). */
#include "record/difference.h"

#include <riccatree/version.h>

#include <stdio.h>
#include <string.h>

enum { LINE_SHOWN = 80, VALUE_SHOWN = 48, DIFFERENCES_SHOWN = 3, WORDS_SIZE = 512 };

/* The line of `text` that holds its byte `at`; at most so many bytes of it. */
static const char *line_at(const char *text, int64_t at, int *length)
{
    while (at > 0 && text[at - 1] != '\n') {
        at--;
    }
    const size_t whole = strcspn(text + at, "\n");
    *length = whole < LINE_SHOWN ? (int)whole : LINE_SHOWN;
    return text + at;
}

/* Both texts end in a zero. -1: they are equal. */
static int64_t first_difference(const char *a, const char *b)
{
    int64_t i = 0;
    while (a[i] == b[i] && a[i] != '\0') {
        i++;
    }
    return a[i] == b[i] ? -1 : i;
}

void rct_check_text(rct_call *call, const char *what, const char *saved, const char *own)
{
    const int64_t at = first_difference(saved, own);
    int saved_length = 0, own_length = 0;
    if (at >= 0) {
        const char *saved_line = line_at(saved, at, &saved_length);
        const char *own_line = line_at(own, at, &own_length);
        rct_call_fail(call, RCT_ERROR_ARGUMENT,
                      "is of another %s: its \"%.*s\" is \"%.*s\" here; give what it was made from",
                      what, saved_length, saved_line, own_length, own_line);
    }
}

/* A line as name and value. */
typedef struct fact {
    const char *name, *value;
    int name_length, value_length;
} fact;

/* The fact at the beginning of `text`; what follows it. */
static const char *take_fact(fact *f, const char *text)
{
    const size_t whole = strcspn(text, "\n"), name = strcspn(text, " \n");
    f->name = text;
    f->name_length = (int)name;
    f->value = text + name + (text[name] == ' ');
    f->value_length = (int)(text + whole - f->value);
    return text + whole + (text[whole] == '\n');
}

static int shown(int length)
{
    return length < VALUE_SHOWN ? length : VALUE_SHOWN;
}

void rct_check_facts(rct_call *call, const char *saved, const char *own, const char *advice)
{
    char words[WORDS_SIZE] = "";
    int count = 0;
    if (call->status != RCT_OK || strcmp(saved, own) == 0) {
        return;
    }
    while (*saved != '\0' && *own != '\0' && count < DIFFERENCES_SHOWN) {
        fact a, b;
        saved = take_fact(&a, saved);
        own = take_fact(&b, own);
        if (a.name_length != b.name_length || strncmp(a.name, b.name, (size_t)a.name_length) != 0) {
            break; /* a count before has said so */
        }
        if (a.value_length != b.value_length ||
            strncmp(a.value, b.value, (size_t)a.value_length) != 0) {
            const size_t used = strlen(words);
            snprintf(words + used, sizeof words - used, "%s%.*s %.*s, not %.*s",
                     count > 0 ? "; " : "", a.name_length, a.name, shown(a.value_length), a.value,
                     shown(b.value_length), b.value);
            count++;
        }
    }
    rct_call_fail(call, RCT_ERROR_ARGUMENT, "was made with %s; %s",
                  count > 0 ? words : "other options", advice);
}

void rct_check_same_build(rct_call *call, const char *build)
{
    if (strcmp(build, rct_build()) != 0) {
        rct_call_fail(call, RCT_ERROR_UNSUPPORTED,
                      "was made by another build, which may round otherwise: %s; this is %s; go on "
                      "with the one that made it",
                      build, rct_build());
    }
}
