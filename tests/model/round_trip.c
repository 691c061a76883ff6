/* Model files written and read again (round_trip.h). */
#include "tests/model/round_trip.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/systems/models_alike.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

char model_file[] = "/tmp/rct-model-XXXXXX";

int make_model_file(void **state)
{
    (void)state;
    const int descriptor = mkstemp(model_file);
    return descriptor < 0 || close(descriptor) != 0;
}

int remove_model_file(void **state)
{
    (void)state;
    return unlink(model_file);
}

long round_trip(const rct_model *model)
{
    rct_error error = {.text = ""};
    if (rct_model_write(model, model_file, &error) != RCT_OK) {
        fail_msg("write: %s", error.text);
    }
    rct_model *back = rct_model_read(model_file, &error);
    if (back == NULL) {
        fail_msg("read: %s", error.text);
    }
    assert_true(models_alike(model, back));
    rct_model_free(back);
    FILE *stream = fopen(model_file, "r");
    fseek(stream, 0, SEEK_END);
    const long bytes = ftell(stream);
    fclose(stream);
    return bytes;
}
