/* The cost of calls of the user beside the evaluation. One solver alternates a call and an
 * evaluation in one loop, so that disturbances of the machine slow down both.
 *
 * Cases have the names CALL/SYSTEM/HOW/BODIES. CALL is `call`: state in, evaluation, derivatives
 * of the rates out; `forward`: the same by rct_solver_forward, with an effort at every hinge;
 * `forces`: hinge forces of an evaluated state; `measure`: its energies and momenta. SYSTEM is a
 * family and a hinge type, or `arms`, that many bodies in arms of seven revolute links; HOW is
 * threads1, threads2 or the name of another --backend. Counters: the time per body of a call and
 * of an evaluation, and their `ratio`. */
#include "bench/shim/bench.h"

#include <riccatree/solver.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_CASES = 64, ARM = 7 };

typedef struct call_kind {
    const char *name;
    void (*work)(void);
    int efforts; /* whether every hinge has one */
} call_kind;

typedef struct call_case {
    const call_kind *kind;
    const char *family; /* NULL: arms */
    rct_hinge_type hinge;
    int32_t threads;
} call_case;

/* The solver of the last case, kept because Google Benchmark calls a case many times. */
static struct {
    const call_case *owner;
    int64_t size;
    rct_solver *solver;
    double *coordinates, *rates, *efforts, *derivatives;
    double *forces, *moments;
} last;

static void check(int held, const rct_error *error)
{
    if (!held) {
        rct_bench_fail(error->text);
    }
}

static rct_solver *create_solver(const call_case *what, int64_t size)
{
    rct_error error;
    rct_family family = rct_family_default();
    rct_solver_options options = rct_solver_options_default();
    family.family = what->family != NULL ? what->family : "chain";
    family.bodies = what->family != NULL ? size : ARM;
    family.systems = what->family != NULL ? 1 : size / ARM;
    family.hinge = what->hinge;
    family.perturb = 0.5;
    rct_model *model = rct_model_generate(&family, &error);
    check(model != NULL, &error);
    options.backend = rct_bench_backend();
    options.threads = what->threads;
    options.user_forces = what->kind->efforts;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    rct_model_free(model);
    check(solver != NULL, &error);
    return solver;
}

static double *numbers(int64_t count)
{
    static const rct_error memory = {.text = "out of memory"};
    double *made = calloc((size_t)count, sizeof *made);
    check(made != NULL, &memory);
    return made;
}

static void evaluate(void)
{
    rct_error error;
    check(rct_solver_evaluate(last.solver, &error) == RCT_OK, &error);
}

static void prepare(const call_case *what, int64_t size)
{
    rct_solver_info info;
    if (last.owner == what && last.size == size) {
        return;
    }
    rct_solver_free(last.solver);
    free(last.coordinates);
    free(last.rates);
    free(last.efforts);
    free(last.derivatives);
    free(last.forces);
    free(last.moments);
    last.owner = what;
    last.size = size;
    last.solver = create_solver(what, size);
    rct_solver_get_info(last.solver, &info);
    last.coordinates = numbers(info.coordinates);
    last.rates = numbers(info.dof);
    last.efforts = numbers(info.dof);
    last.derivatives = numbers(info.dof);
    last.forces = numbers(3 * info.bodies);
    last.moments = numbers(3 * info.bodies);
    for (int64_t i = 0; i < info.dof; i++) {
        last.efforts[i] = 1e-3 * (double)(i % 7 - 3);
    }
    rct_solver_get_coordinates(last.solver, last.coordinates, last.rates);
    if (what->kind->efforts) {
        rct_error error;
        check(rct_solver_set_efforts(last.solver, last.efforts, &error) == RCT_OK, &error);
    }
    evaluate();
}

static void call(void)
{
    rct_error error;
    check(rct_solver_set_coordinates(last.solver, last.coordinates, last.rates, &error) == RCT_OK,
          &error);
    evaluate();
    rct_solver_get_rate_derivatives(last.solver, last.derivatives);
}

static void forward(void)
{
    rct_error error;
    check(rct_solver_forward(last.solver, 1, last.coordinates, last.rates, last.efforts,
                             last.derivatives, &error) == RCT_OK,
          &error);
}

static void forces(void)
{
    rct_solver_get_hinge_forces(last.solver, last.forces, last.moments);
}

static void measure(void)
{
    rct_measures measures;
    rct_solver_measure(last.solver, &measures);
}

static const call_kind kinds[] = {
    {"call", call, 0}, {"forward", forward, 1}, {"forces", forces, 0}, {"measure", measure, 0}};

/* The time of `turns` calls, s. */
static double timed(void (*what)(void), int64_t turns)
{
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int64_t k = 0; k < turns; k++) {
        what();
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

static void run(rct_bench *bench, void *context)
{
    const call_case *what = context;
    const int64_t size = rct_bench_size(bench), turns = size < 10000 ? 10000 / size + 1 : 1;
    double calls = 0.0, evaluations = 0.0; /* s */
    int64_t done = 0;
    rct_solver_info info;
    prepare(what, size);
    while (rct_bench_keep_running(bench)) {
        calls += timed(what->kind->work, turns);
        rct_bench_pause(bench);
        evaluations += timed(evaluate, turns);
        rct_bench_resume(bench);
        done += turns;
    }
    rct_solver_get_info(last.solver, &info);
    rct_bench_set_time_per_item(bench, "time_per_body", done * info.bodies);
    rct_bench_set_counter(bench, "evaluation_ns", 1e9 * evaluations / (double)(done * info.bodies));
    rct_bench_set_counter(bench, "ratio", calls / evaluations);
    rct_bench_set_label(bench, info.backend);
}

static void add(call_case added, int64_t bodies, const char *how)
{
    static call_case cases[MOST_CASES];
    static int64_t sizes[MOST_CASES];
    static int count;
    char name[64];
    cases[count] = added;
    sizes[count] = bodies;
    if (added.family != NULL) {
        snprintf(name, sizeof name, "%s/%s_%s/%s", added.kind->name, added.family,
                 rct_hinge_name(added.hinge), how);
    } else {
        snprintf(name, sizeof name, "%s/arms/%s", added.kind->name, how);
    }
    rct_bench_add(&(rct_bench_case){.name = name,
                                    .run = run,
                                    .context = &cases[count],
                                    .sizes = &sizes[count],
                                    .size_count = 1,
                                    .smoke_size = bodies < 70 ? bodies : 70});
    count++;
}

static void add_threads(call_case added, int64_t bodies)
{
    if (strcmp(rct_bench_backend(), "cpu") != 0) {
        add(added, bodies, rct_bench_backend());
        return;
    }
    added.threads = 1;
    add(added, bodies, "threads1");
    if (bodies >= 1000) {
        added.threads = 2;
        add(added, bodies, "threads2");
    }
}

void rct_bench_setup(void)
{
    static const int64_t small[] = {1, 4, 7, 16, 31, 64};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        add_threads((call_case){&kinds[k], "chain", RCT_HINGE_BALL, 0},
                    33334); /* as in the paper */
        add_threads((call_case){&kinds[k], "chain", RCT_HINGE_REVOLUTE, 0}, 10000);
        add_threads((call_case){&kinds[k], "random", RCT_HINGE_BALL, 0}, 10000);
        add_threads((call_case){&kinds[k], "random", RCT_HINGE_REVOLUTE, 0}, 10000);
        add_threads((call_case){&kinds[k], NULL, RCT_HINGE_REVOLUTE, 0}, 512L * ARM);
    }
    add_threads((call_case){&kinds[0], NULL, RCT_HINGE_REVOLUTE, 0}, 8L * ARM);
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        add_threads((call_case){&kinds[0], "chain", RCT_HINGE_REVOLUTE, 0}, small[i]);
        add_threads((call_case){&kinds[0], "chain", RCT_HINGE_BALL, 0}, small[i]);
    }
}
