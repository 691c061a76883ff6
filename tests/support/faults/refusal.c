/* Small models (refusal.h). */
#include "tests/support/faults/refusal.h"

#include "tests/support/cmocka_all.h"

#include <string.h>

rct_model *two_bodies(void)
{
    rct_model *model = rct_model_create(NULL, NULL);
    rct_body body = rct_body_default();
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    for (int32_t i = 0; i < 2; i++) {
        body.parent = i - 1;
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    return model;
}

static void expect(const rct_error *error, rct_status status, const char *says)
{
    assert_int_equal(error->status, status);
    if (strstr(error->text, says) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error->text, says);
    }
}

void expect_words(const rct_error *error, const char *says)
{
    expect(error, RCT_ERROR_MODEL, says);
}

void expect_refusal(rct_status status, rct_error *error, const char *says)
{
    assert_int_equal(status, RCT_ERROR_ARGUMENT);
    expect(error, RCT_ERROR_ARGUMENT, says);
    *error = (rct_error){.status = RCT_OK};
}
