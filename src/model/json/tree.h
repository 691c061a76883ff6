/* JSON texts as trees of values; all JSON is read by this one reader. A key is in an object
 * once; numbers are doubles, correctly rounded. Memory is reused, and large arrays need not be
 * in memory as a whole. */
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

/* A value; its content stands behind it. While the tree grows, texts are counted from its first
 * one. */
typedef struct rct_json {
    rct_json_type type;
    int is_member;     /* member of an object: it has a key                                  */
    int64_t span;      /* values up to the next one beside it: the value and its content      */
    int64_t count;     /* direct elements or members, whether left out or not                */
    const char *start; /* its first byte in the text, and the byte behind it */
    const char *end;
    const char *shown; /* the same, for a member its key: the place that errors give          */
    union {
        int64_t begin;
        const char *text;
    } key, word; /* key of a member, text of a string */
    double number;
} rct_json;

/* All zero is an empty tree. Texts must stay in place as long as their tree lives. */
typedef struct rct_json_tree {
    const char *text, *end; /* the text that was read             */
    rct_json *values;       /* [count], the root first            */
    int64_t count, capacity;
    char *words; /* keys and strings, each with a zero behind it */
    int64_t used, room;
} rct_json_tree;

/* A member of the root that is read through, but whose content is left out of the tree;
 * rct_json_element reads it. If the member is an array and `take` is not NULL, `take` gets its
 * elements one by one while the text is being read, until it returns 0. */
typedef struct rct_json_apart {
    const char *key; /* NULL: ends a list */
    int (*take)(void *context, const rct_json *element);
    void *context;
} rct_json_apart;

/* Read `size` bytes of text, an object or array; they replace the content of the tree. `apart`
 * may be NULL: no member is left out. RCT_ERROR_SYNTAX with line and column, or
 * RCT_ERROR_MEMORY. `error` is not NULL. */
rct_status rct_json_read(rct_json_tree *tree, const char *text, int64_t size,
                         const rct_json_apart *apart, rct_error *error);

/* Read the next element of an array that `whole` left out into a tree of its own. `*at` is the
 * byte before the element and moves; NULL: the first element. Call it at most once for each
 * element. RCT_ERROR_MEMORY. */
rct_status rct_json_element(rct_json_tree *tree, const rct_json_tree *whole, const rct_json *array,
                            const char **at, rct_error *error);

void rct_json_free(rct_json_tree *tree);

/* The line of a byte of the text, counted from 1. */
int32_t rct_json_line(const rct_json_tree *tree, const char *at);

/* ---- values; NULL means no value ---------------------------------------------------------- */

int rct_json_is(const rct_json *value, rct_json_type type);
int64_t rct_json_count(const rct_json *value);      /* elements of an array; 0 if it is no array */
const char *rct_json_string(const rct_json *value); /* NULL if it is no string             */
double rct_json_number(const rct_json *value);      /* 0 if it is no number                */

/* Whether it is a number without point and exponent that fits. */
int rct_json_integer(const rct_json *value, int64_t *integer);

/* Member `key` of an object, or NULL; element `index` of an array, or NULL. */
const rct_json *rct_json_member(const rct_json *object, const char *key);
const rct_json *rct_json_at(const rct_json *array, int64_t index);

/* Iterate over an object or array: its first value, and the next one beside a value; `count`
 * says how many there are. */
static inline const rct_json *rct_json_first(const rct_json *value)
{
    return value + 1;
}

static inline const rct_json *rct_json_next(const rct_json *value)
{
    return value + value->span;
}

/* Whether both exist and have the same content; the order of members does not matter. */
int rct_json_same(const rct_json *a, const rct_json *b);

#endif
