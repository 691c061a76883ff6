/* Many small systems in one model: chains of 32 links with ball hinges, each in its own pose.
 * Cases have the names WHAT/METHOD/SYSTEMS; WHAT is evaluate or step, and with a --backend other
 * than cpu also steps64, 64 steps in a call; --size N takes N systems. Counters: bodies
 * evaluated per second (four times in a step), time per evaluation, also per body and per
 * system, bytes of memory per body. */
#include "bench/advance.h"

#include <stddef.h>
#include <stdio.h>

enum { LINKS = 32, MOST_SYSTEMS = 100000 };

typedef struct batch_case {
    rct_method method;
    int64_t steps; /* of a call; 0: an evaluation */
} batch_case;

/* The solver of the last case, kept because Google Benchmark calls a case many times. */
static struct {
    rct_method method;
    int64_t systems;
    rct_solver *solver;
} last;

static rct_solver *prepare(rct_method method, int64_t systems)
{
    if (systems > MOST_SYSTEMS) {
        rct_bench_fail("give up to 100000 systems");
    }
    if (last.solver == NULL || last.method != method || last.systems != systems) {
        rct_error error = {.text = ""};
        const rct_family family = {.family = "chain",
                                   .bodies = LINKS,
                                   .hinge = RCT_HINGE_BALL,
                                   .seed = 1,
                                   .perturb = 1.0,
                                   .systems = systems};
        rct_solver_options options = rct_solver_options_default();
        options.method = method;
        options.backend = rct_bench_backend();
        rct_solver_free(last.solver);
        rct_model *model = rct_model_generate(&family, &error);
        last.solver = model != NULL ? rct_solver_create(model, &options, &error) : NULL;
        rct_model_free(model);
        if (last.solver == NULL) {
            rct_bench_fail(error.text);
        }
        last.method = method;
        last.systems = systems;
    }
    return last.solver;
}

static void run_batch(rct_bench *bench, void *context)
{
    const batch_case *what = context;
    const int64_t systems = rct_bench_size(bench);
    rct_solver *solver = prepare(what->method, systems);
    rct_solver_info info;
    int64_t evaluated = 0;
    while (rct_bench_keep_running(bench)) {
        evaluated += bench_advance(solver, what->steps);
    }
    rct_solver_get_info(solver, &info);
    rct_bench_set_items(bench, evaluated * systems * LINKS);
    rct_bench_set_time_per_item(bench, "time_per_body", evaluated * systems * LINKS);
    rct_bench_set_time_per_item(bench, "time_per_system", evaluated * systems);
    rct_bench_set_time_per_item(bench, "time_per_evaluation", evaluated);
    rct_bench_set_counter(bench, "bytes_per_body", (double)info.bytes / (double)info.bodies);
    rct_bench_set_counter(bench, "bushes", info.bushes);
    rct_bench_set_counter(bench, "segments", info.segments);
    rct_bench_set_counter(bench, "trunk", info.trunk);
    rct_bench_set_label(bench, info.backend);
}

void rct_bench_setup(void)
{
    static const char *const whats[] = {"evaluate", "step", "steps64"};
    static const int64_t sizes[] = {100, 1000, 10000};
    static batch_case cases[2][3];
    const int kinds = strcmp(rct_bench_backend(), "cpu") == 0 ? 2 : 3;
    for (int m = 0; m < 2; m++) {
        for (int w = 0; w < kinds; w++) {
            char name[64];
            cases[m][w] = (batch_case){(rct_method)m, bench_steps(whats[w])};
            snprintf(name, sizeof name, "%s/%s", whats[w], rct_method_name((rct_method)m));
            rct_bench_add(&(rct_bench_case){.name = name,
                                            .run = run_batch,
                                            .context = &cases[m][w],
                                            .sizes = sizes,
                                            .size_count = sizeof sizes / sizeof sizes[0],
                                            .smoke_size = w < 2 ? 100 : 2});
        }
    }
}
