/* MJCF files of any bytes, by themselves, included by another file and attached by one, are refused
 * with the line of the error, or give a model that meets its requirements, with and without
 * --ignore-unsupported. A model lies beside them that they may attach, as seeds/attach.xml does.
 * Seeds: the examples, and the files that tests refuse. */
#include "tests/fuzz/imports.h"

const fuzz_target fuzz_this = {.name = "mjcf",
                               .accepted = 20,
                               .text = 1,
                               .folder = {{RCT_EXAMPLES, ".xml"},
                                          {RCT_FUZZ "/../import/bad", ".xml"},
                                          {RCT_FUZZ "/seeds", ".xml"}}};

static void put_hand(void *context, const uint8_t *bytes, size_t size)
{
    *(int *)context = 1;
    fuzz_file("hand.xml", bytes, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static int there;
    static const char includes[] = "<mujoco><include file='part.xml'/></mujoco>";
    static const char attaches[] =
        "<mujoco><asset><model name='p' file='part.xml'/></asset><worldbody><frame pos='1 0 0'>"
        "<attach model='p' prefix='p_'/></frame></worldbody></mujoco>";
    if (!there) {
        fuzz_take_file(RCT_FUZZ "/seeds/hand.xml", put_hand, &there);
    }
    fuzz_imports(RCT_IMPORT_MJCF, bytes, size);
    fuzz_file("part.xml", bytes, size);
    fuzz_import_file(fuzz_file("main.xml", (const uint8_t *)includes, sizeof includes - 1));
    fuzz_import_file(fuzz_file("main.xml", (const uint8_t *)attaches, sizeof attaches - 1));
    return 0;
}
