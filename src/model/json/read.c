/* Model files, JSON format version 1: a file, read whole, or text -> rct_model. Errors name the
 * file. Bodies are added while the text is read, with one element at a time in memory as values.
 * But an error of JSON is reported before any error of the model, and errors of the members
 * above the bodies, which are read here, before errors of the bodies. entries.c reads bodies;
 * forces.c, loops.c and base.c read what acts on them; events.c reads events. */
#include "model/json/read.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/read_file.h"
#include "model/model.h"

#include <stdio.h>
#include <string.h>

enum { FORMAT_VERSION = 1 };

static const char *const model_keys[] = {"riccatree", "name", "gravity", "bodies", "forces",
                                         "loops",     "base", "events",  NULL};

static void read_version(rct_json_reader *reader, const rct_json *root)
{
    double version = 0.0;
    rct_json_required(reader, root, "riccatree",
                      "a model file says \"riccatree\": 1, the version of its format");
    rct_json_one(reader, root, "riccatree", &version);
    if (version != FORMAT_VERSION) {
        rct_json_fail(reader, "riccatree",
                      "format version %g is unknown; this build reads version %d", version,
                      FORMAT_VERSION);
    }
}

/* Version, name and gravity. */
static void read_head(rct_json_reader *reader, const rct_json *root)
{
    const char *name = NULL;
    double gravity[3] = {0.0, 0.0, -9.81};
    if (root->type != RCT_JSON_OBJECT) {
        rct_json_fail(reader, NULL, "a model must be an object { ... }, but this is %s",
                      rct_json_type_name(root));
    }
    read_version(reader, root);
    rct_json_object(reader, root, "a model", model_keys);
    rct_json_text(reader, root, "name", &name);
    if (name != NULL && strlen(name) >= RCT_NAME_SIZE) {
        rct_json_fail(reader, "name", "the model's name is longer than %d bytes; shorten it",
                      RCT_NAME_SIZE - 1);
    }
    rct_json_vector(reader, root, "gravity", gravity, 3);
    if (reader->status == RCT_OK) {
        snprintf(reader->model->name, sizeof reader->model->name, "%s", name != NULL ? name : "");
        reader->status = rct_model_set_gravity(reader->model, gravity, reader->error);
    }
}

/* If "bodies" is an array with elements, its error is the one found while they were read. */
static void read_bodies(rct_json_reader *reader, const rct_json *root, const rct_error *found)
{
    const rct_json *bodies = rct_json_required(reader, root, "bodies", "add an array of bodies");
    if (bodies != NULL && rct_json_count(bodies) == 0) {
        rct_json_fail(reader, "bodies",
                      "\"bodies\" is %s; it must be an array of at least one body",
                      bodies->type == RCT_JSON_ARRAY ? "empty" : rct_json_type_name(bodies));
    }
    if (reader->status == RCT_OK && found->status != RCT_OK) {
        *reader->error = *found;
        reader->status = found->status;
    }
    rct_json_link(reader, bodies);
    if (reader->status == RCT_OK) {
        const rct_status status = rct_model_check(reader->model, reader->error);
        if (status == RCT_ERROR_MODEL) {
            rct_json_locate_body(reader, bodies, reader->error->body);
        }
        reader->status = status;
    }
}

/* Read a whole text into the reader's model. */
static void read_text(rct_json_reader *reader, const char *text, int64_t size)
{
    rct_error found = {.status = RCT_OK}, *error = reader->error;
    const rct_json_apart apart[] = {{"bodies", rct_json_take_body, reader},
                                    {"forces", NULL, NULL},
                                    {"loops", NULL, NULL},
                                    {"events", NULL, NULL},
                                    {NULL, NULL, NULL}};
    reader->error = &found;
    const rct_status status = rct_json_read(&reader->file, text, size, apart, error);
    reader->error = error;
    reader->status = status;
    if (status == RCT_OK) {
        const rct_json *root = reader->file.values;
        reader->at = root;
        read_head(reader, root);
        read_bodies(reader, root, &found);
        rct_json_forces(reader);
        rct_json_loops(reader);
        rct_json_base(reader);
        rct_json_events(reader);
    }
}

rct_model *rct_model_parse(const char *text, int64_t size, rct_error *error)
{
    if (!rct_given(text, "text", error)) {
        return NULL;
    }
    rct_error unheard;
    rct_json_reader reader = {.number = 0};
    reader.error = error != NULL ? error : &unheard;
    if (size < 0) {
        rct_fail(error, RCT_ERROR_ARGUMENT, "a text of %lld bytes: give a length of 0 or more",
                 (long long)size);
        return NULL;
    }
    reader.model = rct_model_create(NULL, reader.error);
    if (reader.model == NULL) {
        return NULL;
    }
    read_text(&reader, text, size);
    rct_json_free(&reader.element);
    rct_json_free(&reader.file);
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
    rct_model *model = text != NULL && rct_check_kind(text, size, "model", "{", error) == RCT_OK
                           ? rct_model_parse(text, size, error)
                           : NULL;
    rct_release(text);
    if (model == NULL) {
        rct_error_name_file(error, path);
    }
    return model;
}
