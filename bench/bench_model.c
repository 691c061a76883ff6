/* Building a chain of n rods body by body through the public interface, and freeing it. */
#include "bench/shim/bench.h"

#include <riccatree/model.h>

#include <stddef.h>

static rct_model *chain(int64_t n, rct_error *error)
{
    rct_model *model = rct_model_create("chain", error);
    rct_status status = model != NULL ? RCT_OK : error->status;
    rct_body rod = rct_body_default();
    rod.mass = 1.0;
    rod.com[2] = -0.5;
    rod.inertia[0] = rod.inertia[1] = 1.0 / 12.0;
    rod.inertia[2] = 0.001;
    for (int32_t i = 0; i < n && status == RCT_OK; i++) {
        rod.parent = i == 0 ? RCT_GROUND : i - 1;
        rod.hinge_at[2] = i == 0 ? 0.0 : -1.0;
        status = rct_model_add_body(model, &rod, NULL, error);
    }
    if (status != RCT_OK) {
        rct_model_free(model);
        model = NULL;
    }
    return model;
}

static void run_build(rct_bench *bench, void *context)
{
    (void)context;
    const int64_t n = rct_bench_size(bench);
    rct_error error;
    while (rct_bench_keep_running(bench)) {
        rct_model *model = chain(n, &error);
        if (model == NULL) {
            rct_bench_fail(error.text);
        }
        rct_bench_keep(model);
        rct_model_free(model);
    }
    rct_bench_set_items(bench, rct_bench_iterations(bench) * n);
}

void rct_bench_setup(void)
{
    static const int64_t sizes[] = {100, 1000, 10000, 100000, 1000000};
    const rct_bench_case build = {
        .name = "model_build_chain",
        .run = run_build,
        .sizes = sizes,
        .size_count = sizeof sizes / sizeof sizes[0],
        .linear = 1,
    };
    rct_bench_add(&build);
}
