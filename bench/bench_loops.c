/* Closing loops: the cost of a method for the accelerations of a closed system besides those of
 * its tree. One evaluation of only the tree (`tree`, rct_solver_evaluate on one thread), its
 * operators factored (`operators`), the method prepared for other rows (`analyze`) and for
 * another state (`factor`), closing one gap (`solve`); operators, factor and solve (`closed`);
 * one evaluation of the closed system (`whole`). One step of the tree (`tree_step`), and of the
 * closed system with the projection at its end (`step`). With a --backend other than cpu only
 * the cases of solvers, because only these use backends. Systems: four-bars side by side;
 * ladders, which stand upright, because with 100,000 hanging links the operators could not tell
 * the resistance of their hinges from rounding; closures along a chain of 33,334 bodies on ball
 * hinges, and of 100,000 on revolute ones, alternately to the ground and to the body 20 before,
 * closed at the start; hubs with this many arms, and the same by a dense matrix of all rows
 * instead of the hub as a kept node (`hub_dense`). Cases of solvers run with one thread and with
 * two (`threads2`). Counter: time per loop. */
#include "bench/shim/bench.h"

#include "closure/admittance.h"
#include "core/rotation.h"
#include "operators/fill.h"
#include "tests/support/systems/loop_models.h"

#include <riccatree/solver.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum system_kind {
    FOUR_BARS,
    LADDER,
    BALL_CHAIN,
    REVOLUTE_CHAIN,
    HUB,
    HUB_DENSE,
    KINDS
} system_kind;
typedef enum part {
    TREE,
    OPERATORS,
    ANALYZE,
    FACTOR,
    SOLVE,
    CLOSED,
    WHOLE,
    TREE_STEP,
    STEP,
    PARTS
} part;

typedef struct loop_case {
    system_kind kind;
    part what;
    int32_t threads;
} loop_case;

/* No front. */
static const int32_t all_rows = INT32_MAX;

/* The system of the last case, kept because Google Benchmark calls a case many times. */
static struct {
    int made;
    system_kind kind;
    int64_t size;
    int32_t threads;
    rct_model *model;         /* with all loops; the closures read it */
    rct_solver *open, *whole; /* of the tree; with the loops */
    rct_closures *closures;
    rct_operator_tree *tree;
    rct_closure_problem problem;
    void *work;
    double *numbers, *gap, *lambda, *change;
    rct_pose_of_link *poses;     /* [n + 1], the last is the ground */
    double *coordinates, *rates; /* behind `numbers` */
} last;

static void check(int held, const rct_error *error)
{
    if (!held) {
        rct_bench_fail(error->text);
    }
}

static rct_solver *solver_of(const rct_model *model, rct_error *error)
{
    rct_solver_options options = rct_solver_options_default();
    options.backend = rct_bench_backend();
    options.threads = last.threads;
    rct_solver *solver = rct_solver_create(model, &options, error);
    check(solver != NULL, error);
    return solver;
}

/* Point `at` (inertial axes) in the axes of a body at `position` with `orientation`. */
static void point_in_body(const double at[3], const double position[3], const double orientation[4],
                          double out[3])
{
    double m[3][3], from[3];
    for (int i = 0; i < 3; i++) {
        from[i] = at[i] - position[i];
    }
    rct_rotation(orientation, m);
    rct_rotate_back(m, from, out);
}

/* `count` ball closures at hinge points along a chain, alternately to the ground and to the body
 * `span` before. */
static void close_chain(rct_model *model, int32_t count, int32_t span, rct_error *error)
{
    const int32_t n = rct_model_body_count(model);
    double *orientation = calloc(7 * (size_t)n, sizeof *orientation);
    double *position = orientation + 4 * (int64_t)n;
    rct_solver *open = solver_of(model, error);
    rct_solver_get_state(open, orientation, NULL, position, NULL);
    rct_solver_free(open);
    for (int32_t i = 0; i < count; i++) {
        rct_loop loop = rct_loop_default();
        loop.body = (int32_t)((int64_t)(i + 1) * n / count) - 1;
        const double *at = position + 3 * (int64_t)loop.body;
        if (i % 2 == 0 || loop.body < span) {
            memcpy(loop.other_at, at, sizeof loop.other_at);
        } else {
            loop.other = loop.body - span;
            point_in_body(at, position + 3 * (int64_t)loop.other,
                          orientation + 4 * (int64_t)loop.other, loop.other_at);
        }
        check(rct_model_add_loop(model, &loop, NULL, error) == RCT_OK, error);
    }
    free(orientation);
}

static rct_model *model_of(system_kind kind, int64_t size, rct_error *error)
{
    if (kind == FOUR_BARS) {
        return loop_model_four_bars((int32_t)size, RCT_LOOP_PLANAR_REVOLUTE, error);
    }
    if (kind == LADDER) {
        return loop_model_ladder((int32_t)size, RCT_LOOP_PLANAR_REVOLUTE, error);
    }
    rct_family family = rct_family_default();
    if (kind == HUB || kind == HUB_DENSE) {
        family.family = "hub";
        family.bodies = 2 * size + 1;
        rct_model *model = rct_model_generate(&family, error);
        check(model != NULL, error);
        return model;
    }
    family.bodies = kind == BALL_CHAIN ? 33334 : 100000;
    family.hinge = kind == BALL_CHAIN ? RCT_HINGE_BALL : RCT_HINGE_REVOLUTE;
    family.perturb = 0.3;
    rct_model *model = rct_model_generate(&family, error);
    check(model != NULL, error);
    close_chain(model, (int32_t)size, 20, error);
    return model;
}

/* A solver of only the tree. */
static rct_solver *open_solver(const rct_model *model, rct_error *error)
{
    rct_model *open = rct_model_create(NULL, error);
    check(open != NULL, error);
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body;
        rct_model_body(model, b, &body, NULL);
        body.name = NULL;
        check(rct_model_add_body(open, &body, NULL, error) == RCT_OK, error);
    }
    rct_solver *solver = solver_of(open, error);
    rct_model_free(open);
    return solver;
}

/* Rows and operators in the initial state. */
static void take_state(const rct_bodies *bodies, int32_t n, rct_error *error)
{
    rct_solver_info info;
    rct_solver_get_info(last.open, &info);
    double *x = last.numbers =
        calloc((size_t)(13 * (int64_t)n + info.coordinates + info.dof), sizeof *x);
    double *coordinates = x + 13 * (int64_t)n, *rates = coordinates + info.coordinates;
    last.poses = calloc((size_t)n + 1, sizeof *last.poses);
    check(x != NULL && last.poses != NULL, error);
    last.coordinates = coordinates;
    last.rates = rates;
    rct_solver_get_state(last.open, x, x + 4 * n, x + 7 * n, x + 10 * n);
    rct_solver_get_coordinates(last.open, coordinates, rates);
    rct_closure_state state = {.poses = (const double *)last.poses,
                               .ground_pose = (const double *)(last.poses + n),
                               .apart = 1,
                               .coordinates = coordinates,
                               .rates = rates};
    rct_model_base_motion(last.model, 0.0, &state.ground);
    loop_poses(x, x + 4 * n, x + 7 * n, x + 10 * n, n, &state.ground, last.poses);
    last.problem.rows = rct_closures_write(last.closures, &state);
    const rct_operator_state at = {
        .orientation = x, .coordinates = state.coordinates, .ground = state.ground};
    last.tree = rct_operator_tree_create(bodies, n, &at, error);
    check(last.tree != NULL, error);
    last.problem.tree = last.tree;
    last.problem.operators = rct_operator_create(last.tree, 1, error);
    check(last.problem.operators != NULL, error);
    last.gap = calloc((size_t)(2 * (int64_t)last.problem.rows->count + info.dof), sizeof *last.gap);
    last.lambda = last.gap + last.problem.rows->count;
    last.change = last.lambda + last.problem.rows->count;
    for (int32_t i = 0; i < last.problem.rows->count; i++) {
        last.gap[i] = (i * 37 % 11 - 5) / 5.0;
    }
}

static void make_work(rct_error *error)
{
    last.work = last.kind == HUB_DENSE ? (void *)rct_admittance_create(&all_rows, error)
                                       : rct_closure_admittance.create(last.closures, error);
    check(last.work != NULL, error);
}

static void forget(void)
{
    rct_closure_admittance.destroy(last.work);
    rct_operator_free(last.problem.operators);
    rct_operator_tree_free(last.tree);
    rct_closures_free(last.closures);
    rct_solver_free(last.open);
    rct_solver_free(last.whole);
    rct_model_free(last.model);
    free(last.numbers);
    free(last.poses);
    free(last.gap);
    memset(&last, 0, sizeof last);
}

static void prepare(const loop_case *what, int64_t size)
{
    const system_kind kind = what->kind;
    rct_error error = {.text = "out of memory"};
    if (last.made && last.kind == kind && last.size == size && last.threads == what->threads) {
        return;
    }
    forget();
    last.made = 1;
    last.kind = kind;
    last.size = size;
    last.threads = what->threads;
    last.model = model_of(kind, size, &error);
    check(last.model != NULL, &error);
    last.open = open_solver(last.model, &error);
    last.whole = solver_of(last.model, &error);
    const int32_t n = rct_model_body_count(last.model);
    rct_bodies *bodies = rct_bodies_create(&error);
    rct_hinge_type *hinges = calloc((size_t)n, sizeof *hinges);
    check(hinges != NULL && bodies != NULL && rct_bodies_reserve(bodies, 0, n, &error) == RCT_OK,
          &error);
    for (int32_t b = 0; b < n; b++) {
        rct_body body;
        rct_model_body(last.model, b, &body, NULL);
        hinges[b] = body.hinge;
        check(rct_bodies_put(bodies, b, &body, &error) == RCT_OK, &error);
    }
    last.closures = rct_closures_create(last.model, hinges, NULL, n, NULL, &error);
    check(last.closures != NULL, &error);
    take_state(bodies, n, &error);
    free(hinges);
    rct_bodies_release(bodies);
    make_work(&error);
}

/* Set the state of the solver again: an evaluation keeps results of a state for the next
 * evaluation of the same state. */
static void renew_state(rct_bench *bench, part what)
{
    rct_error error;
    rct_solver *solver = what == TREE ? last.open : last.whole;
    rct_bench_pause(bench);
    rct_solver_get_coordinates(solver, last.coordinates, last.rates);
    check(rct_solver_set_coordinates(solver, last.coordinates, last.rates, &error) == RCT_OK,
          &error);
    rct_bench_resume(bench);
}

static void once(part what, rct_closure_report *report)
{
    rct_error error = {.text = "the operators have no inverse"};
    if (what == TREE || what == WHOLE) {
        rct_solver *solver = what == TREE ? last.open : last.whole;
        check(rct_solver_evaluate(solver, &error) == RCT_OK, &error);
    }
    if (what == TREE_STEP || what == STEP) {
        rct_solver *solver = what == TREE_STEP ? last.open : last.whole;
        check(rct_solver_step(solver, 1e-6, 1, &error) == RCT_OK, &error);
    }
    if (what == OPERATORS || what == CLOSED) {
        check(rct_operator_factor(last.problem.operators, RCT_METHOD_ABI) < 0, &error);
    }
    if (what == ANALYZE) {
        rct_closure_admittance.destroy(last.work);
        make_work(&error);
    }
    if (what == ANALYZE || what == FACTOR || what == CLOSED) {
        check(rct_closure_admittance.factor(last.work, &last.problem, report, &error) == RCT_OK,
              &error);
    }
    if (what == SOLVE || what == CLOSED) {
        check(rct_closure_admittance.solve(last.work, last.gap, last.lambda, last.change, report,
                                           &error) == RCT_OK,
              &error);
    }
}

static void run(rct_bench *bench, void *context)
{
    const loop_case *what = context;
    const int64_t size = rct_bench_size(bench);
    rct_closure_report report;
    prepare(what, size);
    once(CLOSED, &report); /* analysis, and everything that the parts need */
    if (!(report.residual < 1e-9)) {
        rct_bench_fail("the loops are not closed");
    }
    while (rct_bench_keep_running(bench)) {
        if (what->what == TREE || what->what == WHOLE) {
            renew_state(bench, what->what);
        }
        once(what->what, &report);
    }
    rct_bench_set_time_per_item(bench, "time_per_loop", rct_bench_iterations(bench) * size);
}

void rct_bench_setup(void)
{
    static const char *const kinds[] = {"four_bars",      "ladder", "ball_chain",
                                        "revolute_chain", "hub",    "hub_dense"};
    static const char *const parts[] = {"tree",   "operators", "analyze",   "factor", "solve",
                                        "closed", "whole",     "tree_step", "step"};
    static const int64_t bars[] = {1, 10, 24, 100, 1000, 10000, 100000};
    static const int64_t rungs[] = {100, 1000, 10000};
    static const int64_t arms[] = {10, 100, 1000};
    static const int64_t closures[] = {1, 3, 10, 30, 100, 300, 1000};
    static loop_case cases[2 * KINDS * PARTS];
    const int other = strcmp(rct_bench_backend(), "cpu") != 0;
    for (int i = 0; i < 2 * KINDS * PARTS; i++) {
        char name[64];
        const int32_t threads = 1 + i / (KINDS * PARTS);
        cases[i] = (loop_case){(system_kind)(i / PARTS % KINDS), (part)(i % PARTS), threads};
        if ((other || threads > 1) && cases[i].what > TREE && cases[i].what < WHOLE) {
            continue;
        }
        const system_kind kind = cases[i].kind;
        const int hub = kind == HUB || kind == HUB_DENSE;
        if (kind == HUB_DENSE && cases[i].what != FACTOR && cases[i].what != SOLVE) {
            continue;
        }
        snprintf(name, sizeof name, "%s/%s%s", kinds[kind], parts[cases[i].what],
                 threads > 1 ? "/threads2" : "");
        rct_bench_add(&(rct_bench_case){.name = name,
                                        .run = run,
                                        .context = &cases[i],
                                        .sizes = kind == FOUR_BARS ? bars
                                                 : kind == LADDER  ? rungs
                                                 : hub             ? arms
                                                                   : closures,
                                        .size_count = kind == LADDER || hub ? 3 : 7});
    }
}
