/* The cost of a load, or of one other hinge, in a chain or a tree. A solver of the loaded model
 * and one of the plain model alternate in one loop, so that disturbances of the machine slow
 * down both.
 *
 * Cases have the names WHAT/TREE/LOAD/HOW/BODIES. WHAT is evaluate or step: rct_solver_evaluate,
 * or rct_solver_step of one Runge-Kutta step; with a --backend other than cpu evaluate or
 * steps64. TREE is ball or revolute, a chain, the latter with alternating axes, or a family of
 * ball hinges and a method; HOW is threads1, threads2 or the name of the other backend.
 * Counters: for the loaded model the time per body and evaluation and the bytes per body;
 * `ratio`, its time over that of the plain one. The ratio of `plain`, where both solvers have
 * the same model, is 1 except for disturbances of the machine. */
#include "bench/advance.h"

#include <stdio.h>
#include <time.h>

enum { MOST_CASES = 128 };
enum { TURN = 8 }; /* evaluations of one solver before the other takes its turn */

typedef enum load_kind {
    PLAIN,
    HINGE_DAMPED,   /* the one in the middle                      */
    HINGES_DAMPED,  /* all                                        */
    WRENCH,         /* a constant force on the last body          */
    WRENCHES,       /* on every body                              */
    OTHER_HINGE,    /* in the middle, of the other chain's type   */
    FORCE_FUNCTION, /* of the user, of all bodies; pushes the last */
    BODY_FORCE,     /* the same, of the last body alone           */
    HINGES_SPRUNG,  /* all, by springs; balls have bending springs */
    HINGES_RUBBED,  /* all, by dry friction                       */
    HINGES_DRAGGED, /* all, by dry friction with a breakaway; not for balls, as the following */
    HINGES_STOPPED, /* all, by limits, half of them reached       */
    HINGES_DRIVEN,  /* all, by servos along a sine                */
    HINGES_CURVED,  /* all, by tables of 16 rows over coordinates */
    LOADS
} load_kind;

typedef struct load_case {
    const char *family; /* NULL: chain */
    rct_hinge_type hinge;
    rct_method method;
    load_kind load;
    int32_t threads;
    int64_t steps; /* of a call; 0: an evaluation */
} load_case;

/* The solvers of the last case, kept because Google Benchmark calls a case many times. */
static struct {
    const load_case *owner;
    int64_t size;
    rct_solver *loaded, *plain;
} last;

static const double damping = 1e-3;              /* N m s/rad   */
static const double stiffness = 1.0;             /* N m/rad     */
static const double friction = 0.1, slip = 1e-2; /* N m, rad/s */

/* Whether the load is a force at every hinge. */
static int acts_at_hinges(load_kind what)
{
    return what >= HINGES_RUBBED && what < LOADS;
}

static rct_force at_hinge(load_kind what, int32_t id)
{
    static double table[2 * 16];
    rct_force f = rct_force_default();
    f.body = id;
    switch (what) {
    case HINGES_STOPPED:
        f.type = RCT_FORCE_LIMIT;
        f.stiffness = stiffness;
        f.damping = damping;
        f.lower = id % 2 == 0 ? -10.0 : 1.0;
        f.upper = 10.0;
        break;
    case HINGES_DRIVEN:
        f.type = RCT_FORCE_SERVO;
        f.stiffness = stiffness;
        f.damping = damping;
        f.amplitude = 0.1 + 1e-6 * id;
        f.angular_frequency = 1.0;
        f.phase = 1e-3 * id;
        break;
    case HINGES_CURVED:
        for (int i = 0; i < 16; i++) {
            table[2 * i] = 0.1 * (i - 8);
            table[2 * i + 1] = -table[2 * i] * (1.0 + table[2 * i] * table[2 * i]);
        }
        f.type = RCT_FORCE_CURVE;
        f.rows = 16;
        f.table = table;
        break;
    default:
        f.type = RCT_FORCE_FRICTION;
        f.coulomb = friction + 1e-6 * id;
        f.slip = slip;
        if (what == HINGES_DRAGGED) {
            f.breakaway = 2.0 * friction;
            f.stribeck = 10.0 * slip;
        }
    }
    return f;
}

static void check(int held, const rct_error *error)
{
    if (!held) {
        rct_bench_fail(error->text);
    }
}

/* NOLINTNEXTLINE(readability-function-size): as rct_force_function has it */
static void push_last(void *context, double time, int32_t bodies, const double *orientation,
                      const double *angular_velocity, const double *position,
                      const double *velocity, double *force, double *moment)
{
    (void)context, (void)time, (void)orientation, (void)angular_velocity;
    (void)position, (void)velocity, (void)moment;
    force[3 * (int64_t)(bodies - 1)] = 1.0;
}

/* Whether the load acts on body `id` of a chain. */
static int is_loaded(load_kind what, int32_t id, int32_t bodies)
{
    switch (what) {
    case HINGE_DAMPED:
    case OTHER_HINGE: return id == bodies / 2;
    case HINGES_DAMPED:
    case HINGES_SPRUNG:
    case HINGES_RUBBED:
    case HINGES_DRAGGED:
    case HINGES_STOPPED:
    case HINGES_DRIVEN:
    case HINGES_CURVED:
    case WRENCHES: return 1;
    case WRENCH: return id == bodies - 1;
    default: return 0;
    }
}

/* The same body on a hinge of the other type, about the default axis. */
static rct_body on_other_hinge(const rct_body *body)
{
    rct_body other = rct_body_default();
    other.parent = body->parent;
    other.hinge = body->hinge == RCT_HINGE_BALL ? RCT_HINGE_REVOLUTE : RCT_HINGE_BALL;
    other.mass = body->mass;
    memcpy(other.hinge_at, body->hinge_at, sizeof other.hinge_at);
    memcpy(other.com, body->com, sizeof other.com);
    memcpy(other.inertia, body->inertia, sizeof other.inertia);
    return other;
}

static void add_loaded(rct_model *model, const rct_body *body, int32_t id, load_kind what)
{
    rct_error error;
    rct_body loaded = what == OTHER_HINGE ? on_other_hinge(body) : *body;
    rct_force push = acts_at_hinges(what) ? at_hinge(what, id) : rct_force_default();
    push.body = id;
    if (!acts_at_hinges(what)) {
        push.force[0] = 1.0;
    }
    if (what == HINGE_DAMPED || what == HINGES_DAMPED) {
        loaded.damping[0] = damping;
    }
    if (what == HINGES_SPRUNG) {
        loaded.stiffness[0] = stiffness;
    }
    check(rct_model_add_body(model, &loaded, NULL, &error) == RCT_OK, &error);
    if (what == WRENCH || what == WRENCHES || acts_at_hinges(what)) {
        check(rct_model_add_force(model, &push, NULL, &error) == RCT_OK, &error);
    }
}

static rct_model *create_model(const load_case *what, load_kind acting, int64_t size)
{
    rct_error error;
    rct_family family = rct_family_default();
    family.family = what->family != NULL ? what->family : "chain";
    family.bodies = size;
    family.hinge = what->hinge;
    family.perturb = 0.5;
    rct_model *plain = rct_model_generate(&family, &error), *model = NULL;
    check(plain != NULL, &error);
    model = rct_model_create(NULL, &error);
    check(model != NULL, &error);
    const int32_t bodies = rct_model_body_count(plain);
    for (int32_t id = 0; id < bodies; id++) {
        rct_body body;
        rct_model_body(plain, id, &body, NULL);
        add_loaded(model, &body, id, is_loaded(acting, id, bodies) ? acting : PLAIN);
    }
    rct_model_free(plain);
    return model;
}

static rct_solver *create_solver(const load_case *what, load_kind acting, int64_t size)
{
    rct_error error;
    rct_solver_options options = rct_solver_options_default();
    rct_model *model = create_model(what, acting, size);
    const int32_t tip = rct_model_body_count(model) - 1;
    options.backend = rct_bench_backend();
    options.method = what->method;
    options.threads = what->threads;
    options.user_forces = acting == FORCE_FUNCTION || acting == BODY_FORCE;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    rct_model_free(model);
    check(solver != NULL, &error);
    if (acting == FORCE_FUNCTION) {
        check(rct_solver_set_force_function(solver, push_last, NULL, &error) == RCT_OK, &error);
    }
    if (acting == BODY_FORCE) {
        check(rct_solver_set_body_forces(solver, &tip, 1, push_last, NULL, &error) == RCT_OK,
              &error);
    }
    return solver;
}

static void prepare(const load_case *what, int64_t size)
{
    if (last.owner != what || last.size != size) {
        rct_solver_free(last.loaded);
        rct_solver_free(last.plain);
        last.owner = what;
        last.size = size;
        last.loaded = create_solver(what, what->load, size);
        last.plain = create_solver(what, PLAIN, size);
    }
}

/* The turn of one solver: returns the evaluations made and adds their time (s) to `elapsed`. */
static int64_t take_turn(rct_solver *solver, int64_t steps, double *elapsed)
{
    struct timespec begin, end;
    int64_t evaluated = 0;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    while (evaluated < TURN) {
        evaluated += bench_advance(solver, steps);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    *elapsed += (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    return evaluated;
}

static void run(rct_bench *bench, void *context)
{
    const load_case *what = context;
    double loaded = 0.0, plain = 0.0; /* s */
    int64_t evaluated = 0;
    rct_solver_info info;
    prepare(what, rct_bench_size(bench));
    while (rct_bench_keep_running(bench)) {
        evaluated += take_turn(last.loaded, what->steps, &loaded);
        rct_bench_pause(bench);
        take_turn(last.plain, what->steps, &plain);
        rct_bench_resume(bench);
    }
    rct_solver_get_info(last.loaded, &info);
    rct_bench_set_time_per_item(bench, "time_per_body", evaluated * info.bodies);
    rct_bench_set_counter(bench, "bytes_per_body", (double)info.bytes / info.bodies);
    rct_bench_set_counter(bench, "ratio", loaded / plain);
    rct_bench_set_label(bench, info.backend);
}

static void add(load_case added, const char *what, const char *how)
{
    static const char *const loads[LOADS] = {
        "plain",          "hinge_damped",   "hinges_damped", "wrench",        "wrenches",
        "other_hinge",    "force_function", "body_force",    "hinges_sprung", "hinges_rubbed",
        "hinges_dragged", "hinges_stopped", "hinges_driven", "hinges_curved"};
    static const int64_t bodies = 33334; /* as in the paper */
    static load_case cases[MOST_CASES];
    static int count;
    char name[96];
    load_case *kept = &cases[count++];
    *kept = added;
    kept->steps = bench_steps(what);
    if (added.family == NULL) {
        snprintf(name, sizeof name, "%s/%s/%s/%s", what, rct_hinge_name(added.hinge),
                 loads[added.load], how);
    } else {
        snprintf(name, sizeof name, "%s/%s_%s/%s/%s", what, added.family,
                 rct_method_name(added.method), loads[added.load], how);
    }
    rct_bench_add(&(rct_bench_case){.name = name,
                                    .run = run,
                                    .context = kept,
                                    .sizes = &bodies,
                                    .size_count = 1,
                                    .smoke_size = 34});
}

static void add_chain(const char *what, rct_hinge_type hinge)
{
    for (load_kind acting = PLAIN; acting < LOADS; acting++) {
        if (acting > HINGES_RUBBED && hinge == RCT_HINGE_BALL) {
            continue;
        }
        if (strcmp(rct_bench_backend(), "cpu") != 0) {
            add((load_case){.hinge = hinge, .load = acting}, what, rct_bench_backend());
            continue;
        }
        add((load_case){.hinge = hinge, .load = acting, .threads = 1}, what, "threads1");
        add((load_case){.hinge = hinge, .load = acting, .threads = 2}, what, "threads2");
    }
}

/* A wrench on the last body of a family: the plain tree has its own kernels. */
static void add_trees(rct_method method)
{
    static const char *const families[] = {"branch", "fork", "comb", "binary", "random", "star"};
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        const load_case tree = {
            .family = families[i], .hinge = RCT_HINGE_BALL, .method = method, .load = WRENCH};
        load_case one = tree, two = tree;
        one.threads = 1;
        two.threads = 2;
        add(one, "evaluate", "threads1");
        add(two, "evaluate", "threads2");
    }
}

void rct_bench_setup(void)
{
    const char *step = strcmp(rct_bench_backend(), "cpu") == 0 ? "step" : "steps64";
    add_chain("evaluate", RCT_HINGE_BALL);
    add_chain("evaluate", RCT_HINGE_REVOLUTE);
    add_chain(step, RCT_HINGE_BALL);
    add_chain(step, RCT_HINGE_REVOLUTE);
    if (strcmp(rct_bench_backend(), "cpu") == 0) {
        add_trees(RCT_METHOD_ABI);
        add_trees(RCT_METHOD_RICCATI);
    }
}
