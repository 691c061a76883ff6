/* JSON texts as trees of values, one reader for all that is JSON: every key once in an object, numbers as doubles, rounded as
 * they should be. Memory is used again, and large arrays need not be in it as a whole. */
#ifndef RCT_MODEL_JSON_TREE_H
#define RCT_MODEL_JSON_TREE_H

#include <riccatree/status.h>

typedef enum rct_json_type {
    RCT_JSON_OBJECT,
    RCT_JSON_ARRAY,
    RCT_JSON_STRING,
    RCT_JSON_NUMBER,
    RCT_JSON_TRUE,
    RCT_JSON_FALSE,
    RCT_JSON_NULL
} rct_json_type;

/* A value. What it holds stands behind it. Texts are counted from the first of their tree while it grows. */
typedef struct rct_json {
    rct_json_type type;
    int is_member;     /* of an object: it has a key                                         */
    int64_t span;      /* values up to the next one beside it: itself and all that it holds   */
    int64_t count;     /* values right in an object or array, left out or not                */
    const char *start; /* its first byte in the text, and the byte behind it */
    const char *end;
    const char *shown; /* the same, of a member that of its key: where errors say it stands   */
    union {
        int64_t begin;
        const char *text;
    } key, word; /* of a member, of a string */
    double number;
} rct_json;

/* All zero: empty. Texts that are read must stay where they are as long as their tree. */
typedef struct rct_json_tree {
    const char *text, *end; /* what was read                      */
    rct_json *values;       /* [count], the root first            */
    int64_t count, capacity;
    char *words; /* keys and strings, a zero behind each */
    int64_t used, room;
} rct_json_tree;

/* A member of the root that is read through, but what it holds is left out of the tree; rct_json_element has it. If it is an
 * array, `take` is given its elements while the text is still read, one after the other until it returns 0, unless it is NULL. */
typedef struct rct_json_apart {
    const char *key; /* NULL: ends a list */
    int (*take)(void *context, const rct_json *element);
    void *context;
} rct_json_apart;

/* Read `size` bytes of text, an object or array, in place of what the tree holds. `apart` may be NULL: nothing is.
 * RCT_ERROR_SYNTAX with line and column, or RCT_ERROR_MEMORY. `error` is not NULL. */
rct_status rct_json_read(rct_json_tree *tree, const char *text, int64_t size,
                         const rct_json_apart *apart, rct_error *error);

/* The next element of an array that `whole` left out, into a tree of its own: behind the byte `*at`, which moves; NULL: the
 * first. Calls are no more than it has elements. RCT_ERROR_MEMORY. */
rct_status rct_json_element(rct_json_tree *tree, const rct_json_tree *whole, const rct_json *array,
                            const char **at, rct_error *error);

void rct_json_free(rct_json_tree *tree);

/* The line on which a byte of its text stands, from 1. */
int32_t rct_json_line(const rct_json_tree *tree, const char *at);

/* ---- values, which may be NULL: there is none --------------------------------------------- */

int rct_json_is(const rct_json *value, rct_json_type type);
int64_t rct_json_count(const rct_json *value);      /* elements of an array; 0: it is none */
const char *rct_json_string(const rct_json *value); /* NULL: it is none                    */
double rct_json_number(const rct_json *value);      /* 0: it is none                       */

/* Whether it is a number without point and exponent, and fits. */
int rct_json_integer(const rct_json *value, int64_t *integer);

/* Member `key` of an object, or NULL; element `index` of an array, or NULL. */
const rct_json *rct_json_member(const rct_json *object, const char *key);
const rct_json *rct_json_at(const rct_json *array, int64_t index);

/* One after the other what an object or array holds: the first, and the one beside; count says how many. */
static inline const rct_json *rct_json_first(const rct_json *value)
{
    return value + 1;
}

static inline const rct_json *rct_json_next(const rct_json *value)
{
    return value + value->span;
}

/* Whether both are there and say the same; members in any order. */
int rct_json_same(const rct_json *a, const rct_json *b);

#endif
