/* Where things stand in a JSON text: the line of a key or an element, for error messages. Jansson
 * keeps no positions, so the text is looked through once more, and only when an error has come up. */
#ifndef RCT_MODEL_JSON_LINES_H
#define RCT_MODEL_JSON_LINES_H

#include <stdint.h>

enum { RCT_JSON_PATH_STEPS = 8 };

/* The way from the root of a text to a value: keys of objects and indices of arrays. */
typedef struct rct_json_path {
    int count;
    struct {
        const char *key; /* NULL: an array's element number `index` */
        int64_t index;
    } steps[RCT_JSON_PATH_STEPS];
} rct_json_path;

/* The line, from 1, of the key or element at the end of `path`; where the text does not go so far,
 * of the last step it has. Any text is safe, one that is not JSON gives some line. */
int32_t rct_json_line(const char *text, int64_t size, const rct_json_path *path);

/* Whether brackets stand deeper than `limit` in each other, and where they first do. */
int rct_json_too_deep(const char *text, int64_t size, int64_t limit, int32_t *line,
                      int32_t *column);

#endif
