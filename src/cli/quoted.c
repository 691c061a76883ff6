/* Words quoted for a shell. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* Returns the end; `to` has room for four times the word and 3 more. */
static char *quote(char *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./=+,:@%";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        return stpcpy(to, word);
    }
    *to++ = '\'';
    for (; *word != '\0'; word++) {
        if (*word == '\'') {
            to = stpcpy(to, "'\\''");
        } else {
            *to++ = *word;
        }
    }
    return stpcpy(to, "'");
}

char *cli_quoted(const char *word)
{
    char *text = malloc(4 * strlen(word) + 4);
    if (text != NULL) {
        quote(text, word);
    }
    return text;
}

char *cli_joined(int count, char *const *words)
{
    size_t size = 1;
    for (int i = 0; i < count; i++) {
        size += 4 * strlen(words[i]) + 4;
    }
    char *text = malloc(size);
    char *end = text;
    for (int i = 0; i < count && text != NULL; i++) {
        end = quote(i > 0 ? stpcpy(end, " ") : end, i > 0 ? words[i] : "riccatree");
    }
    return text;
}
