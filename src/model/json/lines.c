/* A tokenizer that knows just enough JSON to find a key or an element again and say on which line it
 * stands. No recursion: a value is passed over by counting brackets. */
#include "model/json/lines.h"

#include <jansson.h>
#include <stddef.h>
#include <string.h>

typedef struct cursor {
    const char *at;
    const char *end;
    int64_t line;
} cursor;

static int at_end(const cursor *c)
{
    return c->at >= c->end;
}

/* The byte that is next, 0 at the end. */
static char next(const cursor *c)
{
    return at_end(c) ? '\0' : *c->at;
}

/* Every byte goes by here, so that no line is missed. */
static void step(cursor *c)
{
    c->line += next(c) == '\n';
    c->at += !at_end(c);
}

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_space(cursor *c)
{
    while (is_space(next(c))) {
        step(c);
    }
}

/* Past the string that starts here; an escaped character is none that ends it. */
static void skip_string(cursor *c)
{
    step(c);
    while (!at_end(c) && next(c) != '"') {
        if (next(c) == '\\') {
            step(c);
        }
        step(c);
    }
    step(c);
}

/* Past the value that starts here, up to the comma or bracket after it. */
static void skip_value(cursor *c)
{
    int64_t depth = 0;
    int inside = 1;
    while (inside && !at_end(c)) {
        const char byte = *c->at;
        if (byte == '"') {
            skip_string(c);
        } else if (depth == 0 && (byte == ',' || byte == ']' || byte == '}')) {
            inside = 0;
        } else {
            depth += (byte == '[' || byte == '{') - (byte == ']' || byte == '}');
            step(c);
        }
    }
}

/* Whether the string literal of `size` bytes says `key`; Jansson resolves its escapes. */
static int says(const char *literal, ptrdiff_t size, const char *key)
{
    int same = 0;
    if (memchr(literal, '\\', (size_t)size) == NULL) {
        const size_t length = strlen(key);
        same = (size_t)size == length + 2 && memcmp(literal + 1, key, length) == 0;
    } else {
        json_t *string = json_loadb(literal, (size_t)size, JSON_DECODE_ANY, NULL);
        same = json_is_string(string) && strcmp(json_string_value(string), key) == 0;
        json_decref(string);
    }
    return same;
}

/* From a value's first byte to that of its element number `index`; 0 if there is none. */
static int find_element(cursor *c, int64_t index)
{
    int found = next(c) == '[';
    for (int64_t i = 0; i <= index && found; i++) {
        step(c); /* the bracket, a comma */
        skip_space(c);
        if (i < index) {
            skip_value(c);
            found = next(c) == ',';
        }
    }
    return found && !at_end(c) && next(c) != ']';
}

/* From a value's first byte to the value of its member `key`; 0 if there is none. `line` becomes
 * that of the key. */
static int find_member(cursor *c, const char *key, int64_t *line)
{
    int found = 0;
    int more = next(c) == '{';
    while (more && !found) {
        step(c);
        skip_space(c);
        const char *literal = c->at;
        const int64_t key_line = c->line;
        more = next(c) == '"';
        if (more) {
            skip_string(c);
            found = says(literal, c->at - literal, key);
            *line = found ? key_line : *line;
        }
        skip_space(c);
        if (found) {
            step(c); /* the colon */
            skip_space(c);
        } else if (more) {
            skip_value(c);
            more = next(c) == ',';
        }
    }
    return found;
}

int32_t rct_json_line(const char *text, int64_t size, const rct_json_path *path)
{
    cursor c = {text, text + size, 1};
    skip_space(&c);
    int64_t line = c.line;
    int found = 1;
    for (int i = 0; i < path->count && found; i++) {
        if (path->steps[i].key != NULL) {
            found = find_member(&c, path->steps[i].key, &line);
        } else {
            found = find_element(&c, path->steps[i].index);
            line = found ? c.line : line;
        }
    }
    return line < INT32_MAX ? (int32_t)line : INT32_MAX;
}

int rct_json_too_deep(const char *text, int64_t size, int64_t limit, int32_t *line, int32_t *column)
{
    cursor c = {text, text + size, 1};
    int64_t depth = 0;
    while (!at_end(&c) && depth <= limit) {
        if (*c.at == '"') {
            skip_string(&c);
        } else {
            depth += (*c.at == '[' || *c.at == '{') - (*c.at == ']' || *c.at == '}');
            step(&c);
        }
    }
    const char *start = c.at;
    while (start > text && start[-1] != '\n') {
        start--;
    }
    const int64_t place = c.at - start;
    *line = c.line < INT32_MAX ? (int32_t)c.line : INT32_MAX;
    *column = place < INT32_MAX ? (int32_t)place : INT32_MAX;
    return depth > limit;
}
