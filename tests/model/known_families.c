/* The families without loops and the smallest size of each (known_families.h). */
#include "tests/model/known_families.h"

#include "tests/support/cmocka_all.h"

rct_body must_get(const rct_model *model, int32_t id)
{
    rct_body body;
    assert_int_equal(rct_model_body(model, id, &body, NULL), RCT_OK);
    return body;
}
