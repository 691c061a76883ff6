/* The Lagrangian reference of systems with closed loops (loop_reference.h). */
#include "tests/reference/loop_reference.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/larger.h"

#include <math.h>

rct_status refer(const rct_model *model, double time, const double *q, const double *u,
                 double *derivatives, rct_error *error)
{
    rct_reference_result result = {.derivatives = derivatives};
    return rct_reference_evaluate_at(model, RCT_REFERENCE_LAGRANGE, time, q, u, &result, error);
}

void must_refer(const rct_model *model, double *derivatives)
{
    rct_error error;
    if (refer(model, 0.0, NULL, NULL, derivatives, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

double difference(const double *a, const double *b, int64_t count)
{
    double off = 0.0, size = 1.0;
    for (int64_t k = 0; k < count; k++) {
        off = larger(off, fabs(a[k] - b[k]));
        size = larger(size, fabs(b[k]));
    }
    return off / size;
}
