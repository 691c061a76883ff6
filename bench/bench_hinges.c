/* Plans: ensembles of 32-link chains, and one long chain, on hinges of one type; revolute hinges
 * alternate between two axes. One evaluation, or one Runge-Kutta step of four. `scalar` is the
 * serial sweep in single lanes, `lanes` the widest on one thread, `all` the solver's own choice.
 * With a --backend other than cpu only `all`, also with 64 steps in a call, `steps64`. Counters:
 * time per evaluation and per body, bytes of memory per body. */
#include "bench/advance.h"

#include <stdio.h>

enum { MEMBER = 32 }; /* links of a member of an ensemble */

typedef enum sweep_kind { SCALAR, LANES, ALL } sweep_kind;

/* The settings of a case. */
typedef struct hinge_case {
    rct_hinge_type hinge;
    sweep_kind how;
    int ensemble;     /* 1: as many members as the size, 0: one chain of as many links */
    const char *what; /* a call: evaluate, step or steps64 */
} hinge_case;

/* The solver of the last case, kept because Google Benchmark calls a case many times. */
static struct {
    const hinge_case *owner;
    int64_t size;
    rct_solver *solver;
} last;

static rct_solver *create(const hinge_case *what, int64_t size)
{
    rct_error error = {.text = ""};
    rct_family family = rct_family_default();
    rct_solver_options options = rct_solver_options_default();
    family.bodies = what->ensemble ? MEMBER : size;
    family.systems = what->ensemble ? size : 1;
    family.hinge = what->hinge;
    family.perturb = 0.5;
    options.backend = rct_bench_backend();
    options.threads = what->how != ALL;
    options.segment = what->how == SCALAR ? 0 : RCT_SEGMENT_AUTO;
    rct_model *model = rct_model_generate(&family, &error);
    rct_solver *solver = model != NULL ? rct_solver_create(model, &options, &error) : NULL;
    rct_model_free(model);
    if (solver == NULL) {
        rct_bench_fail(error.text);
    }
    return solver;
}

static rct_solver *prepare(const hinge_case *what, int64_t size)
{
    if (last.owner != what || last.size != size) {
        rct_solver_free(last.solver);
        last.solver = create(what, size);
        last.owner = what;
        last.size = size;
    }
    return last.solver;
}

static void run(rct_bench *bench, void *context)
{
    const hinge_case *what = context;
    rct_solver *solver = prepare(what, rct_bench_size(bench));
    rct_solver_info info;
    int64_t evaluated = 0;
    rct_solver_get_info(solver, &info);
    while (rct_bench_keep_running(bench)) {
        evaluated += bench_advance(solver, bench_steps(what->what));
    }
    rct_bench_set_time_per_item(bench, "time_per_body", evaluated * info.bodies);
    rct_bench_set_time_per_item(bench, "time_per_evaluation", evaluated);
    rct_bench_set_counter(bench, "bytes_per_body", (double)info.bytes / info.bodies);
    rct_bench_set_label(bench, info.backend);
}

static const int64_t members[] = {1000, 10000};
static const int64_t links[] = {100, 1000, 10000, 100000, 1000000};

static void add(hinge_case added)
{
    static hinge_case cases[64];
    static int count;
    static const char *const hows[] = {"scalar", "lanes", "all"};
    char name[64];
    hinge_case *what = &cases[count++];
    *what = added;
    snprintf(name, sizeof name, "%s/%s/%s%s%s", what->ensemble ? "ensemble" : "chain",
             rct_hinge_name(what->hinge), bench_steps(what->what) > 0 ? what->what : "",
             bench_steps(what->what) > 0 ? "/" : "", hows[what->how]);
    rct_bench_add(&(rct_bench_case){.name = name,
                                    .run = run,
                                    .context = what,
                                    .sizes = what->ensemble ? members : links,
                                    .size_count = what->ensemble ? 2 : 5,
                                    .smoke_size = what->ensemble ? 2 : 40});
}

static void add_other_backend(void)
{
    for (int type = RCT_HINGE_BALL; type < RCT_HINGE_FREE; type++) {
        add((hinge_case){(rct_hinge_type)type, ALL, 1, "evaluate"});
        add((hinge_case){(rct_hinge_type)type, ALL, 1, "steps64"});
    }
    add((hinge_case){RCT_HINGE_REVOLUTE, ALL, 0, "evaluate"});
    add((hinge_case){RCT_HINGE_REVOLUTE, ALL, 0, "steps64"});
}

/* All ensembles; for chains, only those on revolute hinges. */
void rct_bench_setup(void)
{
    if (strcmp(rct_bench_backend(), "cpu") != 0) {
        add_other_backend();
        return;
    }
    for (int type = RCT_HINGE_BALL; type < RCT_HINGE_FREE; type++) {
        for (int how = SCALAR; how <= LANES; how++) {
            add((hinge_case){(rct_hinge_type)type, (sweep_kind)how, 1, "evaluate"});
            if (type == RCT_HINGE_BALL || type == RCT_HINGE_REVOLUTE) {
                add((hinge_case){(rct_hinge_type)type, (sweep_kind)how, 1, "step"});
            }
        }
    }
    for (int how = SCALAR; how <= ALL; how++) {
        add((hinge_case){RCT_HINGE_REVOLUTE, (sweep_kind)how, 0, "evaluate"});
    }
}
