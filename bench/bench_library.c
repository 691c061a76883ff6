/* The library baseline (baseline.h): a perturbed chain cut into subchains, all condensed to
 * their two handles by batched calls of cuBLAS, link by link. Cases have the names
 * condense/SOLVE/LENGTH/BODIES, SOLVE inverse or lu, LENGTH links of a subchain. Counters: time
 * per body, subchains, calls. Compare with bench_segments with --backend cuda, which does more:
 * it joins the subchains and also sweeps outward. Without cuBLAS or a GPU: one line, exit status
 * 1. */
#include "bench/baseline.h"
#include "bench/shim/bench.h"

#include <stdio.h>

enum { SMALL = 1000, PAPER = 33334, CALLS_INVERSE = 6, CALLS_LU = 7 };

typedef struct library_case {
    baseline_solve solve;
    int64_t length;
} library_case;

static libraries opened;

/* The baseline of the last case, kept because Google Benchmark calls a case many times. */
static struct {
    const library_case *owner;
    int64_t bodies;
    baseline *made;
} last;

static baseline *make(const library_case *what, int64_t bodies)
{
    rct_error error = {.text = ""};
    char reason[256] = "";
    rct_family family = rct_family_default();
    family.bodies = bodies;
    family.perturb = 1.0;
    if (opened.handle == NULL && !libraries_open(&opened, reason)) {
        rct_bench_fail(reason);
    }
    rct_model *model = rct_model_generate(&family, &error);
    rct_plan *plan = model != NULL ? rct_plan_create(model, &error) : NULL;
    baseline *made = plan != NULL ? baseline_create(&opened, plan, what->length, reason) : NULL;
    rct_plan_free(plan);
    rct_model_free(model);
    if (made == NULL) {
        rct_bench_fail(reason[0] != '\0' ? reason : error.text);
    }
    return made;
}

static void run_condense(rct_bench *bench, void *context)
{
    const library_case *what = context;
    const int64_t n = rct_bench_size(bench);
    if (last.owner != what || last.bodies != n) {
        baseline_free(last.made);
        last.made = make(what, n);
        last.owner = what;
        last.bodies = n;
    }
    while (rct_bench_keep_running(bench)) {
        if (!baseline_condense(last.made, what->solve)) {
            rct_bench_fail("a call of cuBLAS failed");
        }
    }
    const int64_t calls = what->solve == BASELINE_INVERSE ? CALLS_INVERSE : CALLS_LU;
    rct_bench_set_time_per_item(bench, "time_per_body", rct_bench_iterations(bench) * n);
    rct_bench_set_counter(bench, "subchains", (double)baseline_subchains(last.made));
    rct_bench_set_counter(bench, "calls", (double)(calls * what->length));
}

void rct_bench_setup(void)
{
    enum { LENGTHS = 3 };
    static const int64_t lengths[LENGTHS] = {8, 32, 128}, sizes[] = {PAPER};
    static library_case cases[2][LENGTHS];
    for (int solve = 0; solve < 2; solve++) {
        for (int k = 0; k < LENGTHS; k++) {
            char name[64];
            cases[solve][k] = (library_case){(baseline_solve)solve, lengths[k]};
            snprintf(name, sizeof name, "condense/%s/%d",
                     solve == BASELINE_INVERSE ? "inverse" : "lu", (int)lengths[k]);
            const rct_bench_case added = {.name = name,
                                          .run = run_condense,
                                          .context = &cases[solve][k],
                                          .sizes = sizes,
                                          .size_count = 1,
                                          .smoke_size = SMALL};
            rct_bench_add(&added);
        }
    }
}
