/* Models of examples/ (example.h). */
#include "tests/support/systems/example.h"

#include "tests/support/cmocka_all.h"

#include <stdio.h>

rct_model *example(const char *name)
{
    char path[512];
    rct_error error;
    snprintf(path, sizeof path, "%s/%s.json", RCT_EXAMPLES, name);
    rct_model *model = rct_model_read(path, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    return model;
}
