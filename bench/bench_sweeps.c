/* The serial sweep with one thread, or the choice of --backend: one evaluation, inward and
 * outward, of perturbed systems, and one Runge-Kutta step, for both methods and every family.
 * Counters: time per body and evaluation, bytes of memory per body. `traverse` moves the data of
 * an abi evaluation and computes nothing: it is the lower bound. */
#include "bench/advance.h"

#include "kernels/records/links.h"

#include <stdio.h>
#include <stdlib.h>

/* The settings of a case. */
typedef struct sweep_case {
    const char *family;
    rct_method method;
    int step; /* 1: Runge-Kutta steps, 0: evaluations */
} sweep_case;

/* The solver of the last case, kept because Google Benchmark calls a case many times. */
static struct {
    const sweep_case *owner;
    int64_t bodies;
    rct_solver *solver;
} last;

static rct_solver *prepare(const sweep_case *what, int64_t bodies)
{
    if (last.owner != what || last.bodies != bodies) {
        rct_error error = {.text = ""};
        const rct_family family = {.family = what->family,
                                   .bodies = bodies,
                                   .hinge = RCT_HINGE_BALL,
                                   .seed = 1,
                                   .perturb = 0.5,
                                   .systems = 1};
        const int serial = strcmp(rct_bench_backend(), "cpu") == 0;
        const rct_solver_options options = {.method = what->method,
                                            .backend = rct_bench_backend(),
                                            .threads = serial,
                                            .segment = serial ? 0 : RCT_SEGMENT_AUTO};
        rct_model *model = rct_model_generate(&family, &error);
        rct_solver_free(last.solver);
        last.solver = model != NULL ? rct_solver_create(model, &options, &error) : NULL;
        rct_model_free(model);
        if (last.solver == NULL) {
            rct_bench_fail(error.text);
        }
        last.owner = what;
        last.bodies = bodies;
    }
    return last.solver;
}

static void run_sweep(rct_bench *bench, void *context)
{
    const sweep_case *what = context;
    const int64_t n = rct_bench_size(bench);
    rct_solver *solver = prepare(what, n);
    rct_solver_info info;
    int64_t evaluated = 0;
    while (rct_bench_keep_running(bench)) {
        evaluated += bench_advance(solver, what->step);
    }
    rct_solver_get_info(solver, &info);
    rct_bench_set_time_per_item(bench, "time_per_body", evaluated * n);
    rct_bench_set_counter(bench, "bytes_per_body", (double)info.bytes / (double)n);
    rct_bench_set_label(bench, info.backend);
}

/* Numbers of a body: those an abi sweep reads; its work record, and the part of it that the way
 * inward writes. */
enum { RECORD = LINK_FIELDS + STATE_FIELDS, WORK = 36, INWARD = 30 };

/* Inward: read record and state, write the work record. Outward: read the work record, write its end.
 */
static double traverse(const double *records, double *work, int64_t n)
{
    double sum = 0.0;
    for (int64_t i = n - 1; i >= 0; i--) {
        memcpy(work + i * WORK, records + i * RECORD, RECORD * sizeof *work);
        memcpy(work + i * WORK + RECORD, records + i * RECORD, (INWARD - RECORD) * sizeof *work);
    }
    for (int64_t i = 0; i < n; i++) {
        double *mine = work + i * WORK;
        sum += mine[0] + mine[INWARD / 2] + mine[INWARD - 1];
        memcpy(mine + INWARD, mine + INWARD / 2, (WORK - INWARD) * sizeof *work);
    }
    return sum;
}

static void run_traverse(rct_bench *bench, void *context)
{
    (void)context;
    const int64_t n = rct_bench_size(bench);
    double *records = calloc((size_t)n, RECORD * sizeof *records);
    double *work = calloc((size_t)n, WORK * sizeof *work);
    if (records == NULL || work == NULL) {
        rct_bench_fail("out of memory");
    }
    traverse(records, work, n); /* touch every page */
    while (rct_bench_keep_running(bench)) {
        const double sum = traverse(records, work, n);
        rct_bench_keep(&sum);
        rct_bench_keep(work);
    }
    rct_bench_set_time_per_item(bench, "time_per_body", rct_bench_iterations(bench) * n);
    rct_bench_set_counter(bench, "bytes_per_body", (RECORD + WORK) * sizeof *work);
    free(work);
    free(records);
}

static const int64_t long_sizes[] = {100, 1000, 10000, 33334, 100000, 1000000};
static const int64_t short_sizes[] = {1000, 33334};

static void add(const char *what, sweep_case *context, const int64_t *sizes, int count)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%s_%s", what, context->family,
             rct_method_name(context->method));
    const rct_bench_case added = {
        .name = name, .run = run_sweep, .context = context, .sizes = sizes, .size_count = count};
    rct_bench_add(&added);
}

void rct_bench_setup(void)
{
    enum { FAMILIES = 7, METHODS = 2 };
    static sweep_case cases[METHODS][FAMILIES + 1];
    const int few = sizeof short_sizes / sizeof short_sizes[0];
    const int many = sizeof long_sizes / sizeof long_sizes[0];
    for (int m = 0; m < METHODS; m++) {
        for (int f = 0; f < FAMILIES && rct_family_names()[f] != NULL; f++) {
            const char *family = rct_family_names()[f];
            const int chain = strcmp(family, "chain") == 0;
            cases[m][f] = (sweep_case){family, (rct_method)m, 0};
            add("evaluate", &cases[m][f], chain ? long_sizes : short_sizes, chain ? many : few);
        }
        cases[m][FAMILIES] = (sweep_case){"branch", (rct_method)m, 1};
        add("step", &cases[m][FAMILIES], short_sizes, few);
    }
    const rct_bench_case floor = {
        .name = "traverse", .run = run_traverse, .sizes = long_sizes, .size_count = many};
    rct_bench_add(&floor);
}
