/* URDF files of any bytes are refused with the line of the error, or give a model that meets its
 * requirements, with and without --ignore-unsupported. Seeds: the examples, and the files that
 * tests refuse. */
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
