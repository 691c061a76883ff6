/* Bytes read as URDF or MJCF (imports.h). */
#include "tests/fuzz/imports.h"

#include "tests/fuzz/model_holds.h"

enum {
    REFUSED = 1 << RCT_ERROR_SYNTAX | 1 << RCT_ERROR_MODEL | 1 << RCT_ERROR_UNSUPPORTED,
    REFUSED_FILES = REFUSED | 1 << RCT_ERROR_IO
};

static void holds(rct_model *model, const rct_error *error, int statuses)
{
    if (model != NULL) {
        fuzz_accepted++;
        model_holds(model);
    } else {
        fuzz_refused(error, statuses);
        fuzz_must(error->line >= 1, "refused without a line");
    }
    rct_model_free(model);
}

static void import(rct_import_format format, const char *text, int64_t size, int ignore)
{
    rct_error error = {.text = ""};
    rct_import_report report;
    const rct_import_options options = {
        .format = format, .ignore_unsupported = ignore, .floating_root = ignore, .report = &report};
    holds(rct_model_import_text(text, size, &options, &error), &error, REFUSED);
    fuzz_must(ignore || report.ignored == 0, "left out what it was not told to");
}

void fuzz_imports(rct_import_format format, const uint8_t *bytes, size_t size)
{
    import(format, (const char *)bytes, (int64_t)size, 0);
    import(format, (const char *)bytes, (int64_t)size, 1);
}

void fuzz_import_file(const char *path)
{
    rct_error error = {.text = ""};
    const rct_import_options options = {.ignore_unsupported = 1};
    holds(rct_model_import(path, &options, &error), &error, REFUSED_FILES);
}
