/* URDF files of any bytes: refused with their line, or a model that holds, with what is not supported left out or not. Seeds: the
 * examples, and the files that tests refuse. */
#include "tests/fuzz/imports.h"

const fuzz_target fuzz_this = {.name = "urdf",
                               .accepted = 20,
                               .text = 1,
                               .folder = {{RCT_EXAMPLES, ".urdf"},
                                          {RCT_FUZZ "/../import/bad", ".urdf"},
                                          {RCT_FUZZ "/seeds", ".urdf"}}};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_imports(RCT_IMPORT_URDF, bytes, size);
    return 0;
}
