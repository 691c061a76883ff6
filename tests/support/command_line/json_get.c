/* Prints one value of the JSON text on standard input: json_get KEY.INDEX.KEY... A path that ends in
 * "#" prints the number of elements there. Exit status 1: no such value; 2: not JSON. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const json_t *element(const json_t *value, const char *key)
{
    if (json_is_array(value)) {
        char *end = NULL;
        const long index = strtol(key, &end, 10);
        return *end == '\0' && index >= 0 ? json_array_get(value, (size_t)index) : NULL;
    }
    return json_object_get(value, key);
}

static void print_value(const json_t *value)
{
    if (json_is_string(value)) {
        printf("%s\n", json_string_value(value));
    } else if (json_is_real(value)) {
        printf("%.17g\n", json_real_value(value));
    } else if (json_is_array(value) || json_is_object(value)) {
        json_dumpf(value, stdout, JSON_COMPACT | JSON_REAL_PRECISION(17));
        printf("\n");
    } else {
        json_dumpf(value, stdout, JSON_ENCODE_ANY);
        printf("\n");
    }
}

int main(int count, char **words)
{
    json_error_t error;
    json_t *root = json_loadf(stdin, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL || count != 2) {
        fprintf(stderr, "json_get: line %d: %s\n", error.line, error.text);
        return 2;
    }
    const json_t *value = root;
    int counted = 0;
    for (char *key = strtok(words[1], "."); key != NULL && value != NULL; key = strtok(NULL, ".")) {
        counted = strcmp(key, "#") == 0;
        value = counted ? value : element(value, key);
    }
    if (value == NULL) {
        fprintf(stderr, "json_get: no such value\n");
    } else if (counted) {
        printf("%zu\n", json_is_array(value) ? json_array_size(value) : json_object_size(value));
    } else {
        print_value(value);
    }
    json_decref(root);
    return value == NULL;
}
