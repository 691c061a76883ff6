/* MJCF files of any bytes, by themselves and included by another: refused with their line, or a model that holds, with what is not
 * supported left out or not. Seeds: the examples, and the files that tests refuse. */
#include "tests/fuzz/imports.h"

const fuzz_target fuzz_this = {.name = "mjcf",
                               .accepted = 20,
                               .text = 1,
                               .folder = {{RCT_EXAMPLES, ".xml"},
                                          {RCT_FUZZ "/../import/bad", ".xml"},
                                          {RCT_FUZZ "/seeds", ".xml"}}};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char main_file[] = "<mujoco><include file='part.xml'/></mujoco>";
    fuzz_imports(RCT_IMPORT_MJCF, bytes, size);
    fuzz_file("part.xml", bytes, size);
    fuzz_import_file(fuzz_file("main.xml", (const uint8_t *)main_file, sizeof main_file - 1));
    return 0;
}
