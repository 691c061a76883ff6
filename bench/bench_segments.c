/* Segments in lanes compared with the serial sweep: evaluations and Runge-Kutta steps of
 * perturbed systems.
 *
 * Cases have the names WHAT/FAMILY/METHOD/HOW/BODIES. WHAT is evaluate, step or steps64: a call
 * is one evaluation, one step or 64 steps. HOW is serial (segment 0, one thread), threadsN
 * (segments chosen, N threads), auto (all chosen), lanesN or segmentN (one thread). With a
 * --backend other than cpu HOW is its name, or its name and the links of a piece. Cases named
 * huge_WHAT need their own process, because a peak of memory is that of the process so far; all
 * others keep their solvers, so that their repetitions can be interleaved. Counters: time per
 * evaluation and per body, bytes of memory per body, segments, threads. */
#include "bench/advance.h"

#include "kernels/sweeps/lanes.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>

enum {
    PAPER = 33334,
    SMALL = 1000,
    SMALLEST = 34,
    LARGE = 1000000,
    LONGEST = 3333334,
    MOST_CASES = 64
};

typedef struct segment_case {
    const char *family;
    rct_solver_options options;
    int64_t steps;      /* of a call; 0: an evaluation                       */
    int large;          /* 1: the solver is freed before the next large case */
    rct_solver *solver; /* made when first needed                            */
} segment_case;

static segment_case cases[MOST_CASES];
static int case_count;

static void make_room(void)
{
    for (int i = 0; i < case_count; i++) {
        if (cases[i].large) {
            rct_solver_free(cases[i].solver);
            cases[i].solver = NULL;
        }
    }
}

static rct_solver *prepare(segment_case *what, int64_t bodies)
{
    if (what->solver == NULL) {
        rct_error error = {.text = ""};
        rct_family family = rct_family_default();
        family.family = what->family;
        family.bodies = bodies;
        family.perturb = 1.0;
        if (what->large) {
            make_room();
        }
        rct_model *model = rct_model_generate(&family, &error);
        what->solver = model != NULL ? rct_solver_create(model, &what->options, &error) : NULL;
        rct_model_free(model);
        if (what->solver == NULL) {
            rct_bench_fail(error.text);
        }
    }
    return what->solver;
}

/* Peak memory of this process so far, bytes. */
static double peak_memory(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * (double)usage.ru_maxrss : 0.0;
}

static void run_case(rct_bench *bench, void *context)
{
    segment_case *what = context;
    const int64_t n = rct_bench_size(bench);
    rct_solver *solver = prepare(what, n);
    rct_solver_info info;
    int64_t evaluated = 0;
    while (rct_bench_keep_running(bench)) {
        evaluated += bench_advance(solver, what->steps);
    }
    rct_solver_get_info(solver, &info);
    rct_bench_set_time_per_item(bench, "time_per_body", evaluated * n);
    rct_bench_set_time_per_item(bench, "time_per_evaluation", evaluated);
    rct_bench_set_counter(bench, "bytes_per_body", (double)info.bytes / (double)n);
    rct_bench_set_counter(bench, "segments", info.segments);
    rct_bench_set_counter(bench, "team", info.threads);
    rct_bench_set_label(bench, info.backend);
    if (what->large) {
        rct_bench_set_counter(bench, "peak_memory", peak_memory());
    }
}

static void add(const segment_case *added, const char *what, const char *how, int64_t bodies)
{
    char name[96];
    if (case_count == MOST_CASES) {
        rct_bench_fail("more cases than MOST_CASES");
    }
    segment_case *kept = &cases[case_count++];
    *kept = *added;
    kept->steps = bench_steps(what);
    kept->large = strncmp(what, "huge", 4) == 0;
    snprintf(name, sizeof name, "%s/%s/%s/%s", what, added->family,
             rct_method_name(added->options.method), how);
    const rct_bench_case registered = {.name = name,
                                       .run = run_case,
                                       .context = kept,
                                       .sizes = &bodies,
                                       .size_count = 1,
                                       .smoke_size = kept->steps > 1 ? SMALLEST : SMALL};
    rct_bench_add(&registered);
}

static void add_serial(const char *what, const char *family, rct_method method, int64_t bodies)
{
    const segment_case serial = {.family = family,
                                 .options = {.method = method, .backend = "cpu", .threads = 1}};
    add(&serial, what, "serial", bodies);
}

/* threads 0: auto */
static void add_threads(const char *what, const char *family, rct_method method, int32_t threads,
                        int64_t bodies)
{
    char how[32] = "auto";
    const segment_case lanes = {
        .family = family,
        .options = {
            .method = method, .backend = "cpu", .threads = threads, .segment = RCT_SEGMENT_AUTO}};
    if (threads > 0) {
        snprintf(how, sizeof how, "threads%d", threads);
    }
    add(&lanes, what, how, bodies);
}

/* The system of the paper: both methods. */
static void add_branch(const char *what)
{
    add_serial(what, "branch", RCT_METHOD_ABI, PAPER);
    add_threads(what, "branch", RCT_METHOD_ABI, 1, PAPER);
    add_threads(what, "branch", RCT_METHOD_ABI, 2, PAPER);
    add_serial(what, "branch", RCT_METHOD_RICCATI, PAPER);
    add_threads(what, "branch", RCT_METHOD_RICCATI, 2, PAPER);
}

static void add_chain(const char *what, int64_t bodies)
{
    if (bodies < LONGEST) { /* so that the peak of memory is that of segments */
        add_serial(what, "chain", RCT_METHOD_ABI, bodies);
    }
    add_threads(what, "chain", RCT_METHOD_ABI, 1, bodies);
    add_threads(what, "chain", RCT_METHOD_ABI, 2, bodies);
}

static void add_families(void)
{
    static const char *const families[] = {"fork", "comb", "binary", "random", "star"};
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++) {
        for (int64_t bodies = SMALL; bodies <= PAPER; bodies += PAPER - SMALL) {
            add_serial("evaluate", families[f], RCT_METHOD_ABI, bodies);
            add_threads("evaluate", families[f], RCT_METHOD_ABI, 0, bodies);
        }
    }
}

/* Widths this machine can run, and segment lengths. */
static void add_shapes(void)
{
    const rct_lane_kernels *const *widths = rct_lane_kernels_list();
    char how[32];
    segment_case shape = {.family = "branch",
                          .options = {.method = RCT_METHOD_ABI, .backend = "cpu", .threads = 1}};
    shape.options.segment = RCT_SEGMENT_AUTO;
    for (int i = 0; widths[i] != NULL; i++) {
        shape.options.lanes = widths[i]->lanes;
        snprintf(how, sizeof how, "lanes%d", (int)widths[i]->lanes);
        add(&shape, "evaluate", how, PAPER);
    }
    shape.options.lanes = 0;
    for (int length = 16; length <= 1024; length *= 2) {
        shape.options.segment = length;
        snprintf(how, sizeof how, "segment%d", length);
        add(&shape, "evaluate", how, PAPER);
    }
}

/* length 0: the backend's choice */
static void add_other(const char *what, const char *family, rct_method method, int64_t length,
                      int64_t bodies)
{
    char how[48];
    const segment_case other = {.family = family,
                                .options = {.method = method,
                                            .backend = rct_bench_backend(),
                                            .segment = length > 0 ? length : RCT_SEGMENT_AUTO}};
    if (length > 0) {
        snprintf(how, sizeof how, "%.20s%d", rct_bench_backend(), (int)length);
    } else {
        snprintf(how, sizeof how, "%.20s", rct_bench_backend());
    }
    add(&other, what, how, bodies);
}

static void add_other_backend(void)
{
    static const char *const systems[] = {"branch", "chain"}, *const whats[] = {"steps64", "step",
                                                                                "evaluate"};
    for (size_t w = 0; w < sizeof whats / sizeof whats[0]; w++) {
        for (int i = 0; i < 4; i++) {
            add_other(whats[w], systems[i / 2], (rct_method)(i % 2), 0, PAPER);
        }
    }
    for (int length = 1; length <= 64; length *= 2) {
        add_other("steps64", "chain", RCT_METHOD_ABI, length, PAPER);
        add_other("steps64", "chain", RCT_METHOD_RICCATI, length, PAPER);
    }
    static const char *const families[] = {"fork", "comb", "binary", "random", "star"};
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++) {
        add_other("steps64", families[f], RCT_METHOD_ABI, 0, PAPER);
    }
    add_other("huge_steps64", "chain", RCT_METHOD_ABI, 0, LARGE);
    add_other("huge_steps64", "chain", RCT_METHOD_RICCATI, 0, LARGE);
    for (int length = 8; length <= 64; length *= 2) {
        add_other("huge_steps64", "chain", RCT_METHOD_ABI, length, LARGE);
    }
    add_other("huge_longest_steps64", "chain", RCT_METHOD_ABI, 0, LONGEST);
}

void rct_bench_setup(void)
{
    if (strcmp(rct_bench_backend(), "cpu") != 0) {
        add_other_backend();
        return;
    }
    add_branch("evaluate");
    add_branch("step");
    add_chain("evaluate", SMALL);
    add_chain("evaluate", PAPER);
    add_families();
    add_shapes();
    add_chain("huge_evaluate", LARGE);
    add_chain("huge_evaluate", LONGEST);
}
