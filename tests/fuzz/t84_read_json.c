/* Model files of any bytes are refused with the place of the error, or give a model that meets its
 * requirements. Seeds: the examples, the models that tests refuse, random models of everything a
 * model can hold, and words from the tables of keys. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/model_holds.h"
#include "tests/support/systems/any_model.h"

#include "model/keys.h"

#include <riccatree/model.h>

#include <stdio.h>
#include <string.h>

enum { DRAWN = 40 };

/* A list of all keys of the tables: not a model, but pieces for others. */
static void make_keys(fuzz_take *take, void *context)
{
    char text[4096] = "{";
    const rct_keys *const tables[] = {&rct_force_keys, &rct_loop_keys, &rct_base_keys};
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        for (int k = 0; k < tables[t]->count; k++) {
            const size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "\"%s\": [0, 1, 2], ",
                     tables[t]->key[k].name);
        }
    }
    take(context, (const uint8_t *)text, strlen(text));
}

static void make(fuzz_take *take, void *context)
{
    make_keys(take, context);
    for (uint64_t seed = 0; seed < DRAWN; seed++) {
        rct_error error = {.text = ""};
        rct_model *model = any_model(seed, 6, &error);
        const char *path = fuzz_path("seed.json");
        fuzz_must(model != NULL && rct_model_write(model, path, &error) == RCT_OK, error.text);
        fuzz_take_file(path, take, context);
        rct_model_free(model);
    }
}

const fuzz_target fuzz_this = {
    .name = "json",
    .accepted = 20,
    .text = 1,
    .folder = {{RCT_EXAMPLES, ".json"}, {RCT_FUZZ "/../model/bad", ".json"}},
    .make = make};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    rct_error error = {.text = ""};
    const char *text = (const char *)bytes;
    if (model_is_huge(text, (int64_t)size)) {
        return 0;
    }
    rct_model *model = rct_model_parse(text, (int64_t)size, &error);
    if (model != NULL) {
        fuzz_accepted++;
        model_holds(model);
    } else {
        fuzz_refused(&error, 1 << RCT_ERROR_SYNTAX | 1 << RCT_ERROR_MODEL);
        fuzz_must(error.line >= 1, "refused without a line");
    }
    rct_model_free(model);
    return 0;
}
