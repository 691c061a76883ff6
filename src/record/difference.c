/* Texts of the facts on which bits depend, compared line by line (difference.h). */
#include "record/difference.h"

#include <riccatree/version.h>

#include <stdio.h>
#include <string.h>

enum { LINE_SHOWN = 80, VALUE_SHOWN = 48, DIFFERENCES_SHOWN = 3, WORDS_SIZE = 512 };

static int length_of(const char *line, int most)
{
    const size_t whole = strcspn(line, "\n");
    return whole < (size_t)most ? (int)whole : most;
}

static int is_same(const char *a, const char *b)
{
    const size_t length = strcspn(a, "\n");
    return length == strcspn(b, "\n") && memcmp(a, b, length) == 0;
}

static const char *next_line(const char *line)
{
    const char *end = line + strcspn(line, "\n");
    return end + (*end == '\n');
}

void rct_check_text(rct_call *call, const char *what, const char *saved, const char *own)
{
    if (call->status != RCT_OK || strcmp(saved, own) == 0) {
        return;
    }
    while (is_same(saved, own) && *saved != '\0') {
        saved = next_line(saved);
        own = next_line(own);
    }
    rct_call_fail(
        call, RCT_ERROR_ARGUMENT,
        "belongs to another %s: its \"%.*s\" is \"%.*s\" here; give the one that it was made from",
        what, length_of(saved, LINE_SHOWN), saved, length_of(own, LINE_SHOWN), own);
}

void rct_check_facts(rct_call *call, const char *saved, const char *own, const char *advice)
{
    char words[WORDS_SIZE] = "";
    int count = 0;
    if (call->status != RCT_OK || strcmp(saved, own) == 0) {
        return;
    }
    while (*saved != '\0' && *own != '\0' && count < DIFFERENCES_SHOWN) {
        const int name = (int)strcspn(saved, " \n");
        const char *a = saved + name + 1, *b = own + name + 1;
        if (strncmp(saved, own, (size_t)name + 1) != 0) {
            break; /* an earlier difference of counts explains it */
        }
        if (!is_same(saved, own)) {
            const size_t used = strlen(words);
            snprintf(words + used, sizeof words - used, "%s%.*s %.*s, not %.*s",
                     count > 0 ? "; " : "", name, saved, length_of(a, VALUE_SHOWN), a,
                     length_of(b, VALUE_SHOWN), b);
            count++;
        }
        saved = next_line(saved);
        own = next_line(own);
    }
    rct_call_fail(call, RCT_ERROR_ARGUMENT, "was made with %s; %s",
                  count > 0 ? words : "other options", advice);
}

void rct_check_same_build(rct_call *call, const char *build)
{
    if (strcmp(build, rct_build()) != 0) {
        rct_call_fail(call, RCT_ERROR_UNSUPPORTED,
                      "was made by another build, which may round otherwise: %s; this build is %s; "
                      "continue with the build that made it",
                      build, rct_build());
    }
}
