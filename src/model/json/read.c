/* Model files, JSON format version 1: a file, read whole, or text -> rct_model. Errors name the file. Jansson makes a tree of values of the text;
 * what stands above the bodies is read here, the bodies in entries.c, what acts on them in forces.c,
 * loops.c and base.c. */
#include "model/json/read.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/read_file.h"
#include "model/model.h"

#include <inttypes.h>
#include <string.h>

enum {
    FORMAT_VERSION = 1,
    DEEPEST = 64, /* brackets in each other; the format needs 6, Jansson recurses on them */
};

static const char *const model_keys[] = {"riccatree", "name",  "gravity", "bodies",
                                         "forces",    "loops", "base",    NULL};

static void read_version(rct_json_reader *reader, const json_t *root)
{
    double version = 0.0;
    rct_json_required(reader, root, "riccatree",
                      "a model file says \"riccatree\": 1, the version of its format");
    rct_json_number(reader, root, "riccatree", &version);
    if (version != FORMAT_VERSION) {
        rct_json_fail(reader, "riccatree",
                      "format version %g is unknown; this build reads version %d", version,
                      FORMAT_VERSION);
    }
}

/* Version, name and gravity; creates the model. */
static void read_head(rct_json_reader *reader, const json_t *root)
{
    const char *name = NULL;
    double gravity[3] = {0.0, 0.0, -9.81};
    if (!json_is_object(root)) {
        rct_json_fail(reader, NULL, "a model is an object { ... }, this is %s",
                      rct_json_type(root));
    }
    read_version(reader, root);
    rct_json_object(reader, root, "a model", model_keys);
    rct_json_string(reader, root, "name", &name);
    if (name != NULL && strlen(name) >= RCT_NAME_SIZE) {
        rct_json_fail(reader, "name", "the model's name is longer than %d bytes; shorten it",
                      RCT_NAME_SIZE - 1);
    }
    rct_json_vector(reader, root, "gravity", gravity, 3);
    if (reader->status == RCT_OK) {
        reader->model = rct_model_create(name, reader->error);
        reader->status = reader->model == NULL
                             ? reader->error->status
                             : rct_model_set_gravity(reader->model, gravity, reader->error);
    }
}

static void read_bodies(rct_json_reader *reader, const json_t *root)
{
    const json_t *bodies = rct_json_required(reader, root, "bodies", "add an array of bodies");
    if (bodies != NULL && json_array_size(bodies) == 0) {
        rct_json_fail(reader, "bodies",
                      "\"bodies\" is %s; it must be an array of at least one body",
                      json_is_array(bodies) ? "empty" : rct_json_type(bodies));
    }
    rct_json_entries(reader, bodies);
    if (reader->status == RCT_OK) {
        const rct_status status = rct_model_check(reader->model, reader->error);
        if (status == RCT_ERROR_MODEL) {
            rct_json_locate_body(reader, bodies, reader->error->body);
        }
        reader->status = status;
    }
}

static void fail_syntax(rct_error *error, int32_t line, int32_t column, const char *trouble)
{
    rct_fail(error, RCT_ERROR_SYNTAX, "line %" PRId32 ", column %" PRId32 ": not valid JSON: %s",
             line, column, trouble);
    error->line = line;
    error->column = column;
}

/* Jansson reports most failed allocations without a text, and one for a string as if the string,
 * which it then shows as it stands, were no token at all. */
static int is_memory_trouble(const char *trouble)
{
    const char *const texts[] = {"invalid token near '\"", "string or '}' expected near '\""};
    int is = trouble[0] == '\0';
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        is = is || strncmp(trouble, texts[i], strlen(texts[i])) == 0;
    }
    return is;
}

/* The tree of JSON values, or NULL with the line and column of what is not JSON. */
static json_t *load(const char *text, int64_t size, rct_error *error)
{
    int32_t line = 0;
    int32_t column = 0;
    if (rct_json_too_deep(text, size, DEEPEST, &line, &column)) {
        fail_syntax(error, line, column, "brackets stand more than 64 deep in each other");
        return NULL;
    }
    json_error_t trouble;
    json_t *root =
        json_loadb(text, (size_t)size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &trouble);
    if (root == NULL && is_memory_trouble(trouble.text)) {
        rct_fail_memory(error, size, "the values of a model file");
    } else if (root == NULL) {
        fail_syntax(error, trouble.line > 0 ? trouble.line : 1,
                    trouble.column > 0 ? trouble.column : 1, trouble.text);
    }
    return root;
}

rct_model *rct_model_parse(const char *text, int64_t size, rct_error *error)
{
    if (!rct_given(text, "text", error)) {
        return NULL;
    }
    rct_error unheard;
    rct_json_reader reader = {.text = text, .size = size};
    reader.error = error != NULL ? error : &unheard;
    if (size < 0) {
        rct_fail(error, RCT_ERROR_ARGUMENT, "a text of %lld bytes: give its length",
                 (long long)size);
        return NULL;
    }
    json_t *root = load(text, size, reader.error);
    if (root == NULL) {
        return NULL;
    }
    read_head(&reader, root);
    read_bodies(&reader, root);
    rct_json_forces(&reader, root);
    rct_json_loops(&reader, root);
    rct_json_base(&reader, root);
    json_decref(root);
    if (reader.status != RCT_OK) {
        rct_model_free(reader.model);
        reader.model = NULL;
    }
    return reader.model;
}

rct_model *rct_model_read(const char *path, rct_error *error)
{
    if (!rct_given(path, "path", error)) {
        return NULL;
    }
    if (path[0] == '\0') {
        rct_fail(error, RCT_ERROR_ARGUMENT, "no model file was given");
        return NULL;
    }
    int64_t size = 0;
    char *text = rct_read_file(path, "the model file", &size, error);
    rct_model *model = text != NULL ? rct_model_parse(text, size, error) : NULL;
    rct_release(text);
    if (model == NULL) {
        rct_error_name_file(error, path);
    }
    return model;
}
