/* Prints one value of the JSON text on standard input: json_get KEY.INDEX.KEY... A path that ends in
 * "#" prints the number of elements there. Exit status 1: no such value; 2: not JSON. */
#include "core/read_file.h"
#include "model/json/tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const rct_json *element(const rct_json *value, const char *key)
{
    if (rct_json_is(value, RCT_JSON_ARRAY)) {
        char *end = NULL;
        const long index = strtol(key, &end, 10);
        return *end == '\0' ? rct_json_at(value, index) : NULL;
    }
    return rct_json_member(value, key);
}

/* Numbers with all their digits, integers as they are written; nothing between values. */
static void print_value(const rct_json *value)
{
    int64_t whole;
    if (value->type == RCT_JSON_OBJECT || value->type == RCT_JSON_ARRAY) {
        const int object = value->type == RCT_JSON_OBJECT;
        const rct_json *inside = rct_json_first(value);
        putchar(object ? '{' : '[');
        for (int64_t i = 0; i < value->count; i++) {
            if (i > 0) {
                putchar(',');
            }
            if (object) {
                printf("\"%s\":", inside->key.text);
            }
            print_value(inside);
            inside = rct_json_next(inside);
        }
        putchar(object ? '}' : ']');
    } else if (value->type == RCT_JSON_NUMBER && !rct_json_integer(value, &whole)) {
        printf("%.17g", value->number);
    } else {
        printf("%.*s", (int)(value->end - value->start), value->start);
    }
}

/* The value at `path`, which is cut into its keys; the exit status. */
static int print_at(const rct_json *value, char *path)
{
    int counted = 0;
    for (char *key = strtok(path, "."); key != NULL && value != NULL; key = strtok(NULL, ".")) {
        counted = strcmp(key, "#") == 0;
        value = counted ? value : element(value, key);
    }
    if (value == NULL) {
        fprintf(stderr, "json_get: no such value\n");
    } else if (counted) {
        printf("%" PRId64 "\n", value->count);
    } else if (value->type == RCT_JSON_STRING) {
        printf("%s\n", value->word.text);
    } else {
        print_value(value);
        putchar('\n');
    }
    return value == NULL;
}

int main(int count, char **words)
{
    rct_error error = {.text = "usage: json_get PATH"};
    rct_json_tree tree = {.count = 0};
    int64_t size = 0;
    int status = 2;
    char *text = count == 2 ? rct_read_file("/dev/stdin", "the text", &size, &error) : NULL;
    if (text != NULL && rct_json_read(&tree, text, size, NULL, &error) == RCT_OK) {
        status = print_at(tree.values, words[1]);
    } else {
        fprintf(stderr, "json_get: %s\n", error.text);
    }
    rct_json_free(&tree);
    free(text);
    return status;
}
