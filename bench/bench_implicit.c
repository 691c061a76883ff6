/* The cost of a linearly implicit sweep over an explicit one (docs/decisions.md: the implicit
 * stage is a sweep with rotors). Chains with a spring and a damper at every hinge; two solvers
 * alternate in one loop, so that disturbances of the machine slow down both. Times are processor
 * times.
 *
 * Cases have the names WHAT/HINGE/METHOD/HOW/BODIES. WHAT is
 *
 *     sweep   an evaluation under set_delta, over the explicit one: on revolute hinges that of a solver of
 *             fixed steps; on ball hinges that of the same wide rows at delta 0, because ball hinges with
 *             springs are wide only in implicit solvers
 *     balls   the same for ball hinges over the evaluation of a solver of fixed steps
 *     stage   a stage of `implicit`, with everything around the sweep, over one of `rk4`
 *     pair    the same for `dopri5`
 *
 * HOW is serial, one lane, or auto. Counters: processor time per body and evaluation of the
 * implicit one, and `ratio`. */
#include "bench/advance.h"

#include "dynamics/solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TURN = 8 }; /* evaluations of one solver before the other takes its turn */

typedef enum implicit_what { SWEEP, BALLS, STAGE, PAIR } implicit_what;

typedef struct implicit_case {
    implicit_what what;
    rct_hinge_type hinge;
    rct_method method;
    int serial;
} implicit_case;

static struct {
    const implicit_case *owner;
    int64_t size;
    rct_solver *implicit, *explicit;
} last;

static const double stiffness = 1.0, damping = 1e-3; /* N m/rad, N m s/rad */
static const double delta = 1e-3, step = 1e-6;       /* s */

static void check(int held, const rct_error *error)
{
    if (!held) {
        rct_bench_fail(error->text);
    }
}

static rct_model *create_model(const implicit_case *what, int64_t size)
{
    rct_error error;
    rct_family family = rct_family_default();
    family.bodies = size;
    family.hinge = what->hinge;
    family.perturb = 0.1;
    rct_model *plain = rct_model_generate(&family, &error), *model = NULL;
    check(plain != NULL, &error);
    model = rct_model_create(NULL, &error);
    check(model != NULL, &error);
    for (int32_t id = 0; id < rct_model_body_count(plain); id++) {
        rct_body body;
        rct_model_body(plain, id, &body, NULL);
        for (int i = 0; i < rct_hinge_freedoms(what->hinge); i++) {
            body.stiffness[i] = stiffness;
            body.damping[i] = damping;
        }
        check(rct_model_add_body(model, &body, NULL, &error) == RCT_OK, &error);
    }
    rct_model_free(plain);
    return model;
}

static rct_solver *create_solver(const implicit_case *what, rct_integrator integrator, int64_t size)
{
    rct_error error;
    rct_solver_options options = rct_solver_options_default();
    rct_model *model = create_model(what, size);
    options.method = what->method;
    options.threads = 1;
    options.segment = what->serial ? 0 : RCT_SEGMENT_AUTO;
    options.integrator = integrator;
    options.tolerance = 1.0;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    rct_model_free(model);
    check(solver != NULL, &error);
    return solver;
}

/* Make every evaluation that of a stage. */
static void set_delta(rct_solver *solver)
{
    double *resisting = calloc(2 * (size_t)solver->plan->freedoms, sizeof *resisting);
    if (resisting == NULL) {
        rct_bench_fail("no memory");
    }
    for (int64_t r = 0; r < solver->plan->freedoms; r++) {
        resisting[r] = stiffness;
        resisting[solver->plan->freedoms + r] = damping;
    }
    rct_solver_set_delta(solver, delta, resisting, resisting + solver->plan->freedoms);
    free(resisting);
}

static void prepare(const implicit_case *what, int64_t size)
{
    if (last.owner == what && last.size == size) {
        return;
    }
    const rct_integrator other = what->what == SWEEP && what->hinge == RCT_HINGE_BALL
                                     ? RCT_INTEGRATOR_IMPLICIT
                                     : RCT_INTEGRATOR_RK4;
    rct_solver_free(last.implicit);
    rct_solver_free(last.explicit);
    last.owner = what;
    last.size = size;
    last.implicit = create_solver(
        what, what->what == PAIR ? RCT_INTEGRATOR_DOPRI5 : RCT_INTEGRATOR_IMPLICIT, size);
    last.explicit = create_solver(what, other, size);
    if (what->what < STAGE) {
        set_delta(last.implicit);
    }
}

static int64_t evaluations(const rct_solver *solver)
{
    rct_stepping stepping;
    rct_solver_get_stepping(solver, &stepping);
    return stepping.evaluations;
}

/* The turn of one solver: returns the evaluations made and adds their time (s) to `elapsed`. */
static int64_t take_turn(rct_solver *solver, implicit_what what, double *elapsed)
{
    struct timespec begin, end;
    rct_error error;
    const int64_t before = evaluations(solver);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (int k = 0; k < TURN && what < STAGE; k++) {
        check(rct_solver_evaluate(solver, &error) == RCT_OK, &error);
    }
    if (what >= STAGE) {
        check(rct_solver_step(solver, step, TURN, &error) == RCT_OK, &error);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    *elapsed += (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    return what >= STAGE ? evaluations(solver) - before : TURN;
}

static void run(rct_bench *bench, void *context)
{
    const implicit_case *what = context;
    double implicit = 0.0, explicit = 0.0; /* s */
    int64_t swept = 0, other = 0;
    prepare(what, rct_bench_size(bench));
    while (rct_bench_keep_running(bench)) {
        swept += take_turn(last.implicit, what->what, &implicit);
        rct_bench_pause(bench);
        other += take_turn(last.explicit, what->what, &explicit);
        rct_bench_resume(bench);
    }
    rct_bench_set_counter(bench, "time_per_body",
                          implicit / (double)(swept * rct_bench_size(bench)));
    rct_bench_set_counter(bench, "ratio", implicit / (double)swept / (explicit / (double)other));
}

static void add(implicit_case added)
{
    static const char *const whats[] = {"sweep", "balls", "stage", "pair"};
    static const int64_t bodies = 33334; /* as in the paper */
    static implicit_case cases[32];
    static int count;
    char name[96];
    implicit_case *kept = &cases[count++];
    *kept = added;
    snprintf(name, sizeof name, "%s/%s/%s/%s", whats[added.what], rct_hinge_name(added.hinge),
             rct_method_name(added.method), added.serial ? "serial" : "auto");
    rct_bench_add(&(rct_bench_case){.name = name,
                                    .run = run,
                                    .context = kept,
                                    .sizes = &bodies,
                                    .size_count = 1,
                                    .smoke_size = 34});
}

void rct_bench_setup(void)
{
    for (rct_method method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        for (int serial = 0; serial < 2; serial++) {
            add((implicit_case){SWEEP, RCT_HINGE_REVOLUTE, method, serial});
            add((implicit_case){SWEEP, RCT_HINGE_BALL, method, serial});
            add((implicit_case){BALLS, RCT_HINGE_BALL, method, serial});
            add((implicit_case){STAGE, RCT_HINGE_REVOLUTE, method, serial});
            add((implicit_case){STAGE, RCT_HINGE_BALL, method, serial});
            add((implicit_case){PAIR, RCT_HINGE_REVOLUTE, method, serial});
            add((implicit_case){PAIR, RCT_HINGE_BALL, method, serial});
        }
    }
}
