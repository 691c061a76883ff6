/* Model files in HDF5: the group /model and two attributes, under a seal; and the model of any
 * file that has one. */
#include "core/error.h"
#include "core/memory.h"
#include "model/model.h"
#include "record/file/place.h"
#include "record/file/seal.h"
#include "record/model/model.h"

#include <riccatree/model_h5.h>
#include <riccatree/version.h>

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { FORMAT_VERSION = 1, STRUCTURE_BYTES = 16384 /* superblock, groups, attributes */ };

/* ---- writing ------------------------------------------------------------------------------ */

static void put_attributes(rct_call *call, hid_t file, const rct_model *model)
{
    const int32_t version = FORMAT_VERSION;
    rct_h5_put_text(call, file, "format", "riccatree model");
    rct_h5_put_values(call, file, "format_version", H5T_NATIVE_INT32, 0, &version);
    rct_h5_put_text(call, file, "library_version", rct_version());
    rct_h5_put_text(call, file, "model_name", model->name);
    rct_h5_put_values(call, file, "gravity", H5T_NATIVE_DOUBLE, 3, model->gravity);
    rct_h5_put_text(call, file, "units",
                    "SI; gravity in m/s^2, inertial axes; of a dataset its attribute \"unit\"");
}

/* Write HDF5's part; returns where it ends. */
static int64_t write_file(rct_call *call, const rct_place *place, const rct_model *model)
{
    hid_t driver = -1;
    hid_t file = rct_h5_create_file(call, place->part, &driver);
    if (call->status == RCT_OK) {
        put_attributes(call, file, model);
        rct_record_model(call, file, model, 0);
    }
    rct_h5_flush(call, file);
    const int64_t end = rct_h5_file_size(call, file);
    rct_h5_close(call, &file);
    rct_h5_close(call, &driver);
    return end;
}

static void write_whole(rct_call *call, rct_place *place, const rct_model *model)
{
    rct_ranges none = {.count = 0};
    rct_place_open(place, call, 1);
    rct_place_check_replaced(place, call);
    rct_place_reserve(
        place, call,
        rct_model_group_bytes(model, 0) + rct_model_names_bytes(model) + STRUCTURE_BYTES, NULL);
    call->disk = &place->disk;
    const int64_t end = write_file(call, place, model);
    const int64_t bytes = rct_seal_put(call, place->disk.file, end, &none);
    rct_ranges_release(&none);
    rct_place_settle(place, call, bytes);
    rct_place_close(place, call);
}

rct_status rct_model_write_h5(const rct_model *model, const char *path, rct_error *error)
{
    rct_call call;
    rct_place place = {.disk.file = -1};
    if (!rct_given(model, "model", error) || !rct_given(path, "path", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_call_begin(&call, path, NULL, error);
    if (path[0] == '\0') {
        rct_call_fail(&call, RCT_ERROR_ARGUMENT, "no path for the model; give a file name");
    } else if (model->count == 0) {
        rct_call_fail(&call, RCT_ERROR_MODEL, "the model has no bodies; add some");
    } else {
        write_whole(&call, &place, model);
    }
    return rct_call_end(&call);
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Before HDF5 reads the file. A file without a seal is of another program, or of an older
 * version. */
static void check_seal(rct_call *call)
{
    const int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC;
    const int file = RCT_SYSTEM(call, "open the file", open(call->path, flags));
    const rct_seal seal = rct_seal_check(call, file);
    if (call->status == RCT_OK && seal == RCT_SEAL_FOREIGN) {
        rct_call_fail(call, RCT_ERROR_IO, "is not an HDF5 file: it does not begin like one");
    }
    if (file >= 0) {
        close(file);
    }
}

/* The attributes of a file that is only a model: an unknown one may be meant for another. Those of
 * the layers above HDF5 do not begin with a small letter. */
static void check_attributes(rct_call *call, hid_t file)
{
    static const char *const known[] = {
        "format", "format_version", "library_version", "model_name", "gravity", "units", NULL};
    char name[RCT_H5_NAME], hint[RCT_ERROR_TEXT_SIZE];
    hid_t root = rct_h5_open_group(call, file, "/");
    for (int64_t i = 0; rct_h5_attribute_name(call, root, i, name); i++) {
        int k = 0;
        while (known[k] != NULL && strcmp(known[k], name) != 0) {
            k++;
        }
        if (known[k] == NULL && name[0] >= 'a' && name[0] <= 'z') {
            rct_call_fail(call, RCT_ERROR_MODEL, "its attribute \"%s\" is not part of a model%s",
                          name, rct_did_you_mean(name, known, "remove it", hint));
        }
    }
    rct_h5_close(call, &root);
}

/* Files of other programs need not have a format or a version. */
static void check_format(rct_call *call, hid_t file)
{
    char format[32] = "riccatree model";
    int32_t version = FORMAT_VERSION;
    if (rct_h5_has_attribute(call, file, "format")) {
        rct_h5_get_text(call, file, "format", sizeof format, format);
    }
    if (strncmp(format, "riccatree ", 10) != 0) {
        rct_call_fail(call, RCT_ERROR_IO,
                      "has the format \"%s\"; a model has \"riccatree model\", or none", format);
    }
    if (strcmp(format, "riccatree model") != 0) { /* a recording, a checkpoint */
        return;
    }
    if (rct_h5_has_attribute(call, file, "format_version")) {
        rct_h5_get_values(call, file, "format_version", H5T_NATIVE_INT32, &version);
    }
    if (version != FORMAT_VERSION) {
        rct_call_fail(call, RCT_ERROR_IO, "has format version %" PRId32 "; this version reads %d",
                      version, FORMAT_VERSION);
    }
    check_attributes(call, file);
}

/* An empty model with the name and the gravity of the file, if the file has them. */
static rct_model *read_head(rct_call *call, hid_t file)
{
    rct_error why = {.status = RCT_OK, .text = ""};
    char name[2 * RCT_NAME_SIZE] = "";
    double gravity[3] = {0.0, 0.0, -9.81};
    check_format(call, file);
    if (rct_h5_has_attribute(call, file, "model_name")) {
        rct_h5_get_text(call, file, "model_name", sizeof name, name);
    }
    if (rct_h5_has_attribute(call, file, "gravity")) {
        rct_h5_get_vector(call, file, "gravity", 3, gravity);
    }
    rct_model *model = call->status == RCT_OK ? rct_model_create(name, &why) : NULL;
    if (model != NULL) {
        rct_model_set_gravity(model, gravity, &why);
    }
    rct_recall_status(call, why.status, &why);
    return model;
}

static rct_model *read_group(rct_call *call, hid_t file)
{
    rct_error why;
    rct_model *model = read_head(call, file);
    if (model == NULL) {
        return NULL;
    }
    rct_recall_model(call, file, model);
    if (call->status == RCT_OK) {
        rct_recall_status(call, rct_model_check(model, &why), &why);
    }
    return model;
}

/* The file of an ensemble holds its base model as text. */
static rct_model *read_text(rct_call *call, hid_t file)
{
    rct_error why = {.status = RCT_OK, .text = ""};
    int64_t size = 0;
    rct_model *model = NULL;
    char *text = rct_h5_get_texts(call, file, "model", 1, &size);
    if (call->status == RCT_OK) {
        model = rct_model_parse(text, (int64_t)strlen(text), &why);
        rct_recall_status(call, why.status, &why);
    }
    rct_release(text);
    return model;
}

static rct_model *read_file(rct_call *call)
{
    rct_model *model = NULL;
    hid_t file = rct_h5_open_to_read(call, call->path);
    if (rct_h5_has_group(call, file, "model")) {
        model = read_group(call, file);
    } else if (rct_h5_has(call, file, "model")) {
        model = read_text(call, file);
    } else {
        rct_call_fail(call, RCT_ERROR_IO, "has no model: there is no /model in it");
    }
    rct_h5_close(call, &file);
    return model;
}

rct_model *rct_model_read_h5(const char *path, rct_error *error)
{
    rct_call call;
    rct_model *model = NULL;
    if (!rct_given(path, "path", error)) {
        return NULL;
    }
    rct_call_begin(&call, path, NULL, error);
    if (path[0] == '\0') {
        rct_call_fail(&call, RCT_ERROR_ARGUMENT, "no model file was given");
    }
    if (call.status == RCT_OK) {
        check_seal(&call);
    }
    if (call.status == RCT_OK) {
        model = read_file(&call);
    }
    if (call.status != RCT_OK) {
        rct_model_free(model);
        model = NULL;
    }
    rct_call_end(&call);
    return model;
}
