/* MJCF files of any bytes: refused with their line, or a model that holds, with what is not supported left out or not. Seeds: the
 * examples, and the files that tests refuse. */
#include "tests/fuzz/imports.h"

const fuzz_target fuzz_this = {.name = "mjcf",
                               .accepted = 20,
                               .text = 1,
                               .folder = {{RCT_EXAMPLES, ".xml"},
                                          {RCT_FUZZ "/../import/bad", ".xml"},
                                          {RCT_FUZZ "/seeds", ".xml"}}};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_imports(RCT_IMPORT_MJCF, bytes, size);
    return 0;
}
