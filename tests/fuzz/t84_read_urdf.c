/* URDF files of any bytes: refused with their line, or a model that holds, with what is not supported left out or not. Seeds: the
 * examples, and the files that tests refuse. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/model_holds.h"

#include <riccatree/import.h>

const fuzz_target fuzz_this = {.name = "urdf",
                               .accepted = 20,
                               .text = 1,
                               .folder = {{RCT_EXAMPLES, ".urdf"},
                                          {RCT_FUZZ "/../import/bad", ".urdf"},
                                          {RCT_FUZZ "/seeds", ".urdf"}}};

static void import(const char *text, int64_t size, int ignore)
{
    enum { REFUSED = 1 << RCT_ERROR_SYNTAX | 1 << RCT_ERROR_MODEL | 1 << RCT_ERROR_UNSUPPORTED };
    rct_error error = {.text = ""};
    rct_import_report report;
    const rct_import_options options = {.format = RCT_IMPORT_URDF,
                                        .ignore_unsupported = ignore,
                                        .floating_root = ignore,
                                        .report = &report};
    rct_model *model = rct_model_import_text(text, size, &options, &error);
    if (model != NULL) {
        fuzz_accepted++;
        model_holds(model);
    } else {
        fuzz_refused(&error, REFUSED);
        fuzz_must(error.line >= 1, "refused without a line");
    }
    fuzz_must(ignore || report.ignored == 0, "left out what it was not told to");
    rct_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    import((const char *)bytes, (int64_t)size, 0);
    import((const char *)bytes, (int64_t)size, 1);
    return 0;
}
