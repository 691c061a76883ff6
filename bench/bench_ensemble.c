/* Ensembles from start to end, including making their members, models and plans: Runge-Kutta
 * steps of many members on one thread. Cases: 32-link chains, compared with the scalar sweep, in
 * single lanes, of all of them in one model; four-bars, closed, each step with its projection,
 * and their open trees (`fourbar_closed`, `fourbar_open`). Counters: evaluations of a member per
 * second, time per body and evaluation. */
#include "bench/shim/bench.h"

#include <riccatree/ensemble.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { LINKS = 32, FEW_MEMBERS = 512, SCALAR_STEPS = 5 };

/* Few members also stay in the cache of the scalar sweep and take many steps; for many members
 * making them counts. */
static int64_t steps_of(int64_t members)
{
    return members == FEW_MEMBERS ? 1000 : 300;
}

typedef enum member_kind { CHAIN, OPEN_FOUR_BAR, FOUR_BAR } member_kind;

typedef struct ensemble_case {
    member_kind kind;
    rct_hinge_type hinge; /* of chains */
    int scalar;
} ensemble_case;

static rct_model *chains(rct_hinge_type hinge, int64_t systems, double perturb)
{
    rct_error error;
    rct_family family = rct_family_default();
    family.bodies = LINKS;
    family.systems = systems;
    family.hinge = hinge;
    family.perturb = perturb;
    rct_model *model = rct_model_generate(&family, &error);
    if (model == NULL) {
        rct_bench_fail(error.text);
    }
    return model;
}

/* A four-bar, or only its tree. */
static rct_model *four_bar(int closed)
{
    rct_error error = {.text = ""};
    rct_family family = rct_family_default();
    family.family = "fourbars";
    family.bodies = 3;
    rct_model *whole = rct_model_generate(&family, &error);
    rct_model *tree = closed || whole == NULL ? NULL : rct_model_create("open", &error);
    rct_status status = whole == NULL || (!closed && tree == NULL) ? error.status : RCT_OK;
    for (int32_t b = 0; b < 3 && tree != NULL && status == RCT_OK; b++) {
        rct_body body;
        rct_model_body(whole, b, &body, NULL);
        status = rct_model_add_body(tree, &body, NULL, &error);
    }
    if (status != RCT_OK) {
        rct_bench_fail(error.text);
    }
    if (!closed) {
        rct_model_free(whole);
    }
    return closed ? whole : tree;
}

static rct_status count(void *context, const rct_member_result *result, rct_error *error)
{
    (void)error;
    *(int64_t *)context += result->status == RCT_OK;
    return RCT_OK;
}

static void run_ensemble(rct_bench *bench, const ensemble_case *what)
{
    rct_error error;
    const int64_t members = rct_bench_size(bench);
    const int chain = what->kind == CHAIN;
    int64_t done = 0;
    rct_model *model = chain ? chains(what->hinge, 1, 0.0) : four_bar(what->kind == FOUR_BAR);
    const rct_ensemble_options of = {.members = members, .seed = 1, .perturb = chain ? 0.5 : 0.01};
    rct_ensemble *ensemble = rct_ensemble_create(model, &of, &error);
    rct_ensemble_run_options options = rct_ensemble_run_options_default();
    options.dt =
        chain ? 1e-9 : 1e-3; /* chains stay at their start; four-bars must move to have gaps */
    options.steps = steps_of(members);
    options.threads = 1;
    options.solver.backend = rct_bench_backend();
    options.deliver = count;
    options.context = &done;
    while (ensemble != NULL && rct_bench_keep_running(bench)) {
        if (rct_ensemble_run(ensemble, &options, &error) != RCT_OK) {
            rct_bench_fail(error.text);
        }
    }
    if (ensemble == NULL || done != members * rct_bench_iterations(bench)) {
        rct_bench_fail("not all members came to the end");
    }
    rct_bench_set_items(bench, done * options.steps * 4);
    rct_bench_set_time_per_item(bench, "time_per_body",
                                done * options.steps * 4 * (chain ? LINKS : 3));
    rct_ensemble_free(ensemble);
    rct_model_free(model);
}

static void run_scalar(rct_bench *bench, rct_hinge_type hinge)
{
    rct_error error;
    rct_solver_options options = rct_solver_options_default();
    options.segment = 0;
    options.threads = 1;
    options.backend = rct_bench_backend();
    rct_model *model = chains(hinge, rct_bench_size(bench), 0.5);
    rct_solver *solver = rct_solver_create(model, &options, &error);
    rct_model_free(model);
    while (solver != NULL && rct_bench_keep_running(bench)) {
        if (rct_solver_step(solver, 1e-9, SCALAR_STEPS, &error) != RCT_OK) {
            rct_bench_fail(error.text);
        }
    }
    if (solver == NULL) {
        rct_bench_fail(error.text);
    }
    const int64_t evaluations =
        rct_bench_iterations(bench) * rct_bench_size(bench) * SCALAR_STEPS * 4;
    rct_bench_set_items(bench, evaluations);
    rct_bench_set_time_per_item(bench, "time_per_body", evaluations * LINKS);
    rct_solver_free(solver);
}

static void run(rct_bench *bench, void *context)
{
    const ensemble_case *what = context;
    if (what->scalar) {
        run_scalar(bench, what->hinge);
    } else {
        run_ensemble(bench, what);
    }
}

static void add(const char *name, ensemble_case *what)
{
    static const int64_t sizes[] = {FEW_MEMBERS, 10000};
    rct_bench_add(&(rct_bench_case){.name = name,
                                    .run = run,
                                    .context = what,
                                    .sizes = sizes,
                                    .size_count = sizeof sizes / sizeof sizes[0],
                                    .smoke_size = 8});
}

void rct_bench_setup(void)
{
    static ensemble_case cases[6];
    const int other = strcmp(rct_bench_backend(), "cpu") != 0; /* the scalar sweep is the cpu's */
    for (int k = 0; k < 4; k += 1 + other) {
        char name[64];
        cases[k] = (ensemble_case){CHAIN, k < 2 ? RCT_HINGE_BALL : RCT_HINGE_REVOLUTE, k % 2};
        snprintf(name, sizeof name, "%s/%s", rct_hinge_name(cases[k].hinge),
                 cases[k].scalar ? "scalar" : "ensemble");
        add(name, &cases[k]);
    }
    cases[4] = (ensemble_case){OPEN_FOUR_BAR, RCT_HINGE_REVOLUTE, 0};
    cases[5] = (ensemble_case){FOUR_BAR, RCT_HINGE_REVOLUTE, 0};
    add("fourbar_open", &cases[4]);
    add("fourbar_closed", &cases[5]);
}
