/* Text to trees: objects and arrays from tokens (scan.h). */
#include "model/json/tree.h"

#include "core/memory.h"
#include "model/json/scan.h"

#include <string.h>

enum {
    DEEPEST = 64, /* nested brackets; model files need 6, and reading recurses on them           */
    MOST_MEMBERS =
        256, /* members of an object, each compared with those before; model files have up to 12 */
    FIRST_VALUES = 64,
    FIRST_BYTES = 256,
};

typedef struct reading {
    rct_json_scan scan;
    rct_json_tree *tree;
    const rct_json_apart *apart;
    int depth; /* open brackets */
} reading;

/* ---- memory ------------------------------------------------------------------------------- */

/* Make room for one more value. */
static int room_for_value(reading *r)
{
    rct_json_tree *tree = r->tree;
    if (tree->count < tree->capacity) {
        return 1;
    }
    const int64_t capacity = 2 * tree->capacity + FIRST_VALUES;
    rct_json *values = rct_widen(tree->values, tree->count, capacity, sizeof *values,
                                 "the values of a model file", r->scan.error);
    if (values == NULL) {
        r->scan.status = RCT_ERROR_MEMORY;
        return 0;
    }
    tree->values = values;
    tree->capacity = capacity;
    return 1;
}

/* The string at the scan, appended to the words. Returns where it begins, or -1 if it is not a
 * string. */
static int64_t take_word(reading *r, int64_t *bytes)
{
    rct_json_tree *tree = r->tree;
    const int64_t size = r->scan.at - r->scan.token;
    if (tree->used + size > tree->room) {
        const int64_t room = 2 * tree->room + size + FIRST_BYTES;
        char *words = rct_widen(tree->words, tree->used, room, 1, "the values of a model file",
                                r->scan.error);
        if (words == NULL) {
            r->scan.status = RCT_ERROR_MEMORY;
            return -1;
        }
        tree->words = words;
        tree->room = room;
    }
    const int64_t begin = tree->used;
    *bytes = rct_json_scan_string(&r->scan, tree->words + begin);
    tree->used += *bytes + 1;
    return r->scan.status == RCT_OK ? begin : -1;
}

/* Whether the word just taken contains a zero. */
static int has_zero(const reading *r, int64_t begin, int64_t bytes)
{
    return r->scan.escaped && memchr(r->tree->words + begin, '\0', (size_t)bytes) != NULL;
}

/* ---- values ------------------------------------------------------------------------------- */

static void read_value(reading *r, const rct_json_apart *apart);

/* Drop the values and words read after the first `count` values and `used` bytes. */
static void drop(reading *r, int64_t count, int64_t used)
{
    r->tree->count = count;
    r->tree->used = used;
}

/* The words of values from number `first` on have their final place: set the pointers to them. */
static void settle(rct_json_tree *tree, int64_t first)
{
    for (int64_t i = first; i < tree->count; i++) {
        rct_json *value = &tree->values[i];
        if (value->is_member) {
            value->key.text = tree->words + value->key.begin;
        }
        if (value->type == RCT_JSON_STRING) {
            value->word.text = tree->words + value->word.begin;
        }
    }
}

/* Read the element at the scan, of the array that is value `own`; `apart`, if not NULL, may take
 * it. */
static void read_element(reading *r, int64_t own, const rct_json_apart *apart)
{
    const int64_t used = r->tree->used;
    read_value(r, NULL);
    r->tree->values[own].count++;
    if (apart != NULL && r->scan.keep && r->scan.status == RCT_OK) {
        settle(r->tree, own + 1);
        r->scan.keep = apart->take(apart->context, &r->tree->values[own + 1]);
    }
    if (apart != NULL || !r->scan.keep) {
        drop(r, own + 1, used);
    }
}

/* Read the elements of the array that is value `own`. */
static void read_elements(reading *r, int64_t own, const rct_json_apart *apart)
{
    rct_json_scan_next(&r->scan);
    if (r->scan.kind == ']') {
        return;
    }
    int more = 1;
    while (more && r->scan.kind != '\0') {
        read_element(r, own, apart);
        if (r->scan.status != RCT_OK) {
            return;
        }
        rct_json_scan_next(&r->scan);
        more = r->scan.kind == ',';
        if (more) {
            rct_json_scan_next(&r->scan);
            if (r->scan.kind == ']') {
                rct_json_scan_fail_plain(&r->scan, "a comma before ']'; remove it");
            }
        }
    }
    if (r->scan.kind != ']') {
        rct_json_scan_fail(&r->scan, "']' expected");
    }
}

/* Whether the object that is value `own` has the key at `start` in the words. */
static int has_key(const rct_json_tree *tree, int64_t own, int64_t start)
{
    const rct_json *value = &tree->values[own + 1];
    const char *key = tree->words + start;
    int found = 0;
    for (int64_t i = 0; i < tree->values[own].count && !found; i++) {
        const char *other = tree->words + value->key.begin;
        found = other[0] == key[0] && strcmp(other, key) == 0;
        value = rct_json_next(value);
    }
    return found;
}

/* Read the key at the scan, of the next member of value `own`, and the colon. Returns where the
 * key begins, or -1 if there is no key. */
static int64_t read_key(reading *r, int64_t own)
{
    int64_t bytes = 0;
    if (r->scan.kind == '}') {
        rct_json_scan_fail_plain(&r->scan, "a comma before '}'; remove it");
        return -1;
    }
    if (r->scan.kind != '"') {
        rct_json_scan_fail(&r->scan, r->tree->values[own].count > 0 ? "string expected"
                                                                    : "string or '}' expected");
        return -1;
    }
    const int64_t key = take_word(r, &bytes);
    if (key < 0) {
        return -1;
    }
    if (has_zero(r, key, bytes)) {
        rct_json_scan_fail(&r->scan, "NUL byte in object key not supported");
    } else if (has_key(r->tree, own, key)) {
        rct_json_scan_fail(&r->scan, "duplicate object key");
    } else if (r->tree->values[own].count == MOST_MEMBERS) {
        rct_json_scan_fail(&r->scan, "more than 256 keys in an object");
    }
    rct_json_scan_next(&r->scan);
    if (r->scan.kind != ':') {
        rct_json_scan_fail(&r->scan, "':' expected");
    }
    return r->scan.status == RCT_OK ? key : -1;
}

/* How the member whose key begins there is read apart; NULL: it is not. */
static const rct_json_apart *apart_of(const reading *r, int64_t key)
{
    const rct_json_apart *apart = r->depth == 1 ? r->apart : NULL;
    while (apart != NULL && apart->key != NULL && strcmp(r->tree->words + key, apart->key) != 0) {
        apart++;
    }
    return apart != NULL && apart->key != NULL ? apart : NULL;
}

/* Read the members of the object that is value `own`. */
static void read_members(reading *r, int64_t own)
{
    rct_json_tree *tree = r->tree;
    const int keep = r->scan.keep;
    const int64_t used = tree->used;
    rct_json_scan_next(&r->scan);
    int more = r->scan.kind != '}';
    while (more) {
        const char *shown = r->scan.token;
        const int64_t child = tree->count;
        const int64_t key = read_key(r, own);
        if (key < 0) {
            return;
        }
        const rct_json_apart *apart = apart_of(r, key);
        rct_json_scan_next(&r->scan);
        r->scan.keep = keep && (apart == NULL || (apart->take != NULL && r->scan.kind == '['));
        read_value(r, apart);
        r->scan.keep = keep;
        if (r->scan.status != RCT_OK) {
            return;
        }
        tree->values[child].is_member = 1;
        tree->values[child].key.begin = key;
        tree->values[child].shown = shown;
        tree->values[own].count++;
        rct_json_scan_next(&r->scan);
        more = r->scan.kind == ',';
        if (more) {
            rct_json_scan_next(&r->scan);
        }
    }
    if (r->scan.kind != '}') {
        rct_json_scan_fail(&r->scan, "'}' expected");
    }
    if (!keep) {
        drop(r, own + 1, used);
    }
}

/* Read the text between the brackets of value `own`. */
static void read_inside(reading *r, int64_t own, const rct_json_apart *apart)
{
    if (r->depth == DEEPEST) {
        rct_json_scan_fail_plain(&r->scan, "brackets are nested more than 64 deep");
        return;
    }
    r->depth++;
    if (r->tree->values[own].type == RCT_JSON_OBJECT) {
        read_members(r, own);
    } else {
        read_elements(r, own, apart);
    }
    r->depth--;
}

static void read_string(reading *r, int64_t own)
{
    int64_t bytes = 0;
    const int64_t word = take_word(r, &bytes);
    r->tree->values[own].word.begin = word;
    if (word >= 0 && has_zero(r, word, bytes)) {
        rct_json_scan_fail(&r->scan, "\\u0000 is not allowed");
    }
}

/* The type of value that the present token is or starts; -1 with the error if it is none. */
static int type_of(reading *r)
{
    switch (r->scan.kind) {
    case '{': return RCT_JSON_OBJECT;
    case '[': return RCT_JSON_ARRAY;
    case '"': return RCT_JSON_STRING;
    case '0': return RCT_JSON_NUMBER;
    case 't': return RCT_JSON_TRUE;
    case 'f': return RCT_JSON_FALSE;
    case 'n': return RCT_JSON_NULL;
    case '?': rct_json_scan_fail(&r->scan, "invalid token"); return -1;
    default: rct_json_scan_fail(&r->scan, "unexpected token"); return -1;
    }
}

/* Read the value whose first token is at the scan. Where numbers are not kept, its content is
 * not kept either. */
static void read_value(reading *r, const rct_json_apart *apart)
{
    const int64_t own = r->tree->count;
    const int type = type_of(r);
    if (type < 0 || !room_for_value(r)) {
        return;
    }
    r->tree->count++;
    r->tree->values[own] = (rct_json){.type = (rct_json_type)type,
                                      .start = r->scan.token,
                                      .shown = r->scan.token,
                                      .number = r->scan.number};
    if (type == RCT_JSON_STRING) {
        read_string(r, own);
    } else if (type == RCT_JSON_OBJECT || type == RCT_JSON_ARRAY) {
        read_inside(r, own, apart);
    }
    r->tree->values[own].span = r->tree->count - own;
    r->tree->values[own].end = r->scan.at;
}

/* ---- trees -------------------------------------------------------------------------------- */

static void start(reading *r, rct_json_tree *tree, const char *text, const char *end,
                  rct_error *error)
{
    tree->text = text;
    tree->end = end;
    *r = (reading){.tree = tree,
                   .scan = {.text = text, .end = end, .at = text, .keep = 1, .error = error}};
    drop(r, 0, 0);
}

rct_status rct_json_read(rct_json_tree *tree, const char *text, int64_t size,
                         const rct_json_apart *apart, rct_error *error)
{
    reading r;
    start(&r, tree, text, text + size, error);
    r.apart = apart;
    rct_json_scan_next(&r.scan);
    if (r.scan.kind != '{' && r.scan.kind != '[') {
        rct_json_scan_fail(&r.scan, "'[' or '{' expected");
    } else {
        read_value(&r, NULL);
    }
    if (r.scan.status == RCT_OK) {
        rct_json_scan_next(&r.scan);
        if (r.scan.kind != '\0') {
            rct_json_scan_fail(&r.scan, "end of file expected");
        }
    }
    if (r.scan.status == RCT_OK) {
        settle(tree, 0);
    }
    return r.scan.status;
}

rct_status rct_json_element(rct_json_tree *tree, const rct_json_tree *whole, const rct_json *array,
                            const char **at, rct_error *error)
{
    reading r;
    start(&r, tree, whole->text, whole->end, error);
    r.scan.at = *at != NULL ? *at : array->start;
    rct_json_scan_next(&r.scan); /* the bracket or a comma */
    rct_json_scan_next(&r.scan);
    read_value(&r, NULL);
    if (r.scan.status == RCT_OK) {
        settle(tree, 0);
    }
    *at = r.scan.at;
    return r.scan.status;
}

void rct_json_free(rct_json_tree *tree)
{
    rct_release(tree->values);
    rct_release(tree->words);
    *tree = (rct_json_tree){.count = 0};
}
