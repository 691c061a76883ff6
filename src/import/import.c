/* The entry of imports: the file into memory, its XML into elements, those into parts, and the
 * parts into a model through the public interface. Errors name the file. */
#include "core/error.h"
#include "core/memory.h"
#include "core/read_file.h"
#include "core/sized.h"
#include "import/parts.h"

#include <locale.h>

static rct_import_format format_of(const rct_xml_element *root)
{
    return rct_xml_is(root, "robot")    ? RCT_IMPORT_URDF
           : rct_xml_is(root, "mujoco") ? RCT_IMPORT_MJCF
                                        : RCT_IMPORT_AUTO;
}

static void check_format(rct_source *source)
{
    const rct_import_format wanted = source->options->format;
    const rct_import_format is = format_of(source->root);
    source->report->format = is;
    rct_source_demand(source->root,
                      is != RCT_IMPORT_AUTO && (wanted == RCT_IMPORT_AUTO || wanted == is),
                      "the root element must be %s",
                      wanted == RCT_IMPORT_URDF   ? "<robot>, of a URDF file"
                      : wanted == RCT_IMPORT_MJCF ? "<mujoco>, of an MJCF file"
                                                  : "<robot> (URDF) or <mujoco> (MJCF)");
}

/* The model gets the name of the root element. */
static rct_model *create_model(rct_source *source)
{
    const int urdf = source->report->format == RCT_IMPORT_URDF;
    rct_model *model =
        rct_model_create(rct_xml_value(source->root, urdf ? "name" : "model"), source->error);
    if (model == NULL && source->error->status != RCT_ERROR_MEMORY) {
        source->error->status = RCT_ERROR_MODEL;
        rct_source_locate(source->root);
    }
    source->status = model != NULL ? RCT_OK : source->error->status;
    return model;
}

static rct_model *read_root(rct_source *source)
{
    rct_parts parts = {.part = NULL};
    check_format(source);
    rct_model *model = source->status == RCT_OK ? create_model(source) : NULL;
    if (model != NULL && source->report->format == RCT_IMPORT_URDF) {
        rct_urdf_read(model, &parts, source);
    } else if (model != NULL) {
        rct_mjcf_read(model, &parts, source);
    }
    rct_parts_add_to_model(model, &parts, source);
    rct_parts_free(&parts);
    if (source->status != RCT_OK) {
        rct_model_free(model);
        model = NULL;
    }
    return model;
}

static rct_model *read_text(const char *path, const char *text, int64_t size,
                            const rct_import_options *options, rct_error *error)
{
    rct_source source = {
        .path = path, .options = options, .report = options->report, .error = error};
    if ((int)source.options->format < RCT_IMPORT_AUTO ||
        (int)source.options->format > RCT_IMPORT_MJCF) {
        rct_fail(error, RCT_ERROR_ARGUMENT,
                 "unknown format %d; give RCT_IMPORT_AUTO, _URDF or _MJCF",
                 (int)source.options->format);
        return NULL;
    }
    rct_xml *xml = rct_xml_parse(text, size, 0, error);
    rct_model *model = NULL;
    if (xml != NULL) {
        xml->source = &source;
        source.root = xml->root;
        model = read_root(&source);
        rct_xml_free(xml);
    }
    return model;
}

/* Numbers have points whatever the locale of the program; the locale changes only for this
 * thread. */
static rct_model *import_text(const char *path, const char *text, int64_t size,
                              const rct_import_options *options, rct_error *heard)
{
    if (size < 0) {
        rct_fail(heard, RCT_ERROR_ARGUMENT, "a text of %lld bytes: give a length of 0 or more",
                 (long long)size);
        return NULL;
    }
    const locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0) {
        rct_fail_memory(heard, 0, "a locale");
        return NULL;
    }
    const locale_t before = uselocale(plain);
    rct_model *model = read_text(path, text, size, options, heard);
    uselocale(before);
    freelocale(plain);
    return model;
}

/* The report goes where the caller's options point. */
static rct_model *import_sized(const char *path, const char *text, int64_t size, rct_in in,
                               rct_error *error)
{
    rct_error unheard;
    rct_error *heard = error != NULL ? error : &unheard;
    rct_import_options options = {.report = NULL};
    rct_import_report report = {.ignored = 0};
    if (!rct_given(text, "text", heard) ||
        (in.at != NULL && !rct_take(&options, rct_whole(sizeof options), in, "options", heard))) {
        return NULL;
    }
    const rct_out asked = rct_out_of(options.report, (size_t)in.item, 0, 0);
    options.report = &report;
    rct_model *model = import_text(path, text, size, &options, heard);
    rct_give(asked, &report, rct_whole(sizeof report));
    return model;
}

rct_model *rct_model_import_text_sized(const char *text, int64_t size, rct_in in, rct_error *error)
{
    return import_sized(NULL, text, size, in, error);
}

rct_model *rct_model_import_sized(const char *path, rct_in options, rct_error *error)
{
    if (!rct_given(path, "path", error)) {
        return NULL;
    }
    if (path[0] == '\0') {
        rct_fail(error, RCT_ERROR_ARGUMENT, "no file was given to import");
        return NULL;
    }
    int64_t size = 0;
    char *text = rct_read_file(path, "the file", &size, error);
    rct_model *model =
        text != NULL && rct_check_kind(text, size, "URDF or MJCF", "<", error) == RCT_OK
            ? import_sized(path, text, size, options, error)
            : NULL;
    rct_release(text);
    if (model == NULL) {
        rct_error_name_file(error, path);
    }
    return model;
}
