/* Sweep files of any bytes, and variations as on the command line, are refused with a message, or
 * give an ensemble that can be made or is refused. */
#include "tests/fuzz/fuzz.h"

#include <riccatree/model.h>
#include <riccatree/sweep.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

const fuzz_target fuzz_this = {
    .name = "sweep", .accepted = 20, .text = 1, .folder = {{RCT_FUZZ "/seeds", ".sweep"}}};

/* The ensemble of the input, of two bodies. */
static void make_members(const rct_ensemble_options *options)
{
    rct_error error = {.text = ""};
    rct_family family = rct_family_default();
    family.bodies = 2;
    rct_model *model = rct_model_generate(&family, &error);
    fuzz_must(model != NULL, error.text);
    rct_ensemble *ensemble = rct_ensemble_create(model, options, &error);
    if (ensemble != NULL) {
        rct_model *first = rct_ensemble_model(ensemble, 0, &error);
        fuzz_must(rct_ensemble_members(ensemble) > 0, "an ensemble without members");
        if (first == NULL) {
            fuzz_refused(&error, 1 << RCT_ERROR_MODEL | 1 << RCT_ERROR_ARGUMENT);
        }
        rct_model_free(first);
    } else {
        fuzz_refused(&error,
                     1 << RCT_ERROR_MODEL | 1 << RCT_ERROR_ARGUMENT | 1 << RCT_ERROR_MEMORY);
    }
    rct_ensemble_free(ensemble);
    rct_model_free(model);
}

static void read_variation(const uint8_t *bytes, size_t size)
{
    rct_error error = {.text = ""};
    rct_variation v;
    int64_t length = -1;
    char *text = malloc(size + 1);
    memcpy(text, bytes, size);
    text[size] = '\0';
    if (rct_variation_parse(text, &v, &length, &error) == RCT_OK) {
        fuzz_must(length > 0 && length < (int64_t)strlen(text), "a path that is none");
        fuzz_must(isfinite(v.a) && isfinite(v.b), "a variation that is not finite");
        text[length] = '\0';
        v.path = text;
        rct_ensemble_options options = rct_ensemble_options_default();
        options.variation_count = 1;
        options.variations = &v;
        make_members(&options);
    } else {
        fuzz_refused(&error, 1 << RCT_ERROR_ARGUMENT);
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    rct_error error = {.text = ""};
    read_variation(bytes, size);
    rct_sweep *sweep = rct_sweep_read(fuzz_file("a.sweep", bytes, size), &error);
    if (sweep != NULL) {
        fuzz_accepted++;
        make_members(&sweep->ensemble);
    } else {
        fuzz_refused(&error, 1 << RCT_ERROR_SYNTAX | 1 << RCT_ERROR_ARGUMENT);
    }
    rct_sweep_free(sweep);
    return 0;
}
