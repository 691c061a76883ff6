/* Values of a tree, and where they are in the text. */
#include "model/json/tree.h"

#include "core/numbers.h"

#include <stdlib.h>
#include <string.h>

int32_t rct_json_line(const rct_json_tree *tree, const char *at)
{
    int64_t line = 1;
    for (const char *c = tree->text; c < at; c++) {
        line += *c == '\n';
    }
    return line < INT32_MAX ? (int32_t)line : INT32_MAX;
}

int rct_json_is(const rct_json *value, rct_json_type type)
{
    return value != NULL && value->type == type;
}

int64_t rct_json_count(const rct_json *value)
{
    return rct_json_is(value, RCT_JSON_ARRAY) ? value->count : 0;
}

const char *rct_json_string(const rct_json *value)
{
    return rct_json_is(value, RCT_JSON_STRING) ? value->word.text : NULL;
}

double rct_json_number(const rct_json *value)
{
    return rct_json_is(value, RCT_JSON_NUMBER) ? value->number : 0.0;
}

/* A bracket follows every value, and strtoll ends there. */
int rct_json_integer(const rct_json *value, int64_t *integer)
{
    char *end = NULL;
    if (!rct_json_is(value, RCT_JSON_NUMBER)) {
        return 0;
    }
    return rct_whole_number(value->start, integer, &end);
}

const rct_json *rct_json_member(const rct_json *object, const char *key)
{
    const rct_json *found = NULL;
    if (rct_json_is(object, RCT_JSON_OBJECT)) {
        const rct_json *member = rct_json_first(object);
        for (int64_t i = 0; i < object->count && found == NULL; i++) {
            const char *own = member->key.text;
            found = own[0] == key[0] && strcmp(own, key) == 0 ? member : NULL;
            member = rct_json_next(member);
        }
    }
    return found;
}

const rct_json *rct_json_at(const rct_json *array, int64_t index)
{
    const rct_json *element = NULL;
    if (rct_json_is(array, RCT_JSON_ARRAY) && index >= 0 && index < array->count) {
        element = rct_json_first(array);
        for (int64_t i = 0; i < index; i++) {
            element = rct_json_next(element);
        }
    }
    return element;
}

static int same_inside(const rct_json *a, const rct_json *b)
{
    const rct_json *x = rct_json_first(a), *y = rct_json_first(b);
    int same = a->count == b->count;
    for (int64_t i = 0; i < a->count && same; i++) {
        const int is_object = a->type == RCT_JSON_OBJECT;
        same = rct_json_same(x, is_object ? rct_json_member(b, x->key.text) : y);
        x = rct_json_next(x);
        y = rct_json_next(y);
    }
    return same;
}

int rct_json_same(const rct_json *a, const rct_json *b)
{
    if (a == NULL || b == NULL || a->type != b->type) {
        return 0;
    }
    switch (a->type) {
    case RCT_JSON_OBJECT:
    case RCT_JSON_ARRAY: return same_inside(a, b);
    case RCT_JSON_STRING: return strcmp(a->word.text, b->word.text) == 0;
    case RCT_JSON_NUMBER: return a->number == b->number;
    default: return 1;
    }
}
