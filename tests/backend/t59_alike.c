/* Random sequences of calls on two solvers of one model: both give the same results, whatever is
 * called. Trees of any hinges with everything a model can have. One solver sweeps serially on the
 * CPU; the other uses the device, or else lanes and threads, with other segments, junctions and
 * methods. `t59_alike N`: N sequences. */
#include "tests/support/cmocka_all.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/one_in.h"
#include "tests/support/systems/hinge_system.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int programs = 150 / ONE_IN;

enum { CALLS = 25, FEW = 60, MANY = 400, NAMED = 4 };

/* The arguments of a call, the same for both solvers. */
typedef struct drawn {
    double efforts[6 * MANY];
    double factor, dt;
    int32_t named[NAMED], count;
    int steps, spoils, other; /* `spoils`: one of the coordinates is not finite */
} drawn;

typedef struct program {
    uint64_t random;
    rct_model *model;
    rct_solver *solver[2];
    int64_t bodies, coordinates, rates;
    int user_forces, kept;
    drawn drawn;
    double before[13 * MANY]; /* coordinates and rates for a call */
} program;

static int below(program *p, int count)
{
    return (int)draw_between(&p->random, 0.0, count);
}

static void draw_call(program *p)
{
    drawn *d = &p->drawn;
    draw_numbers(&p->random, d->efforts, (int)p->rates, 0.1);
    d->factor = draw_between(&p->random, 0.5, 1.5);
    d->dt = draw_between(&p->random, 1e-4, 2e-3);
    d->steps = 1 + below(p, 4);
    d->spoils = below(p, 3) == 0;
    d->other = below(p, 2);
    d->count = 0;
    for (int32_t b = 0; b < p->bodies && d->count < NAMED; b++) {
        if (below(p, (int)p->bodies) < 3) {
            d->named[d->count++] = b;
        }
    }
}

static void push(void *context, double time, int32_t bodies, const double *orientation,
                 const double *angular_velocity, const double *position, const double *velocity,
                 double *force, double *moment)
{
    (void)context, (void)orientation;
    for (int32_t i = 0; i < 3 * bodies; i++) {
        force[i] += 0.3 * sin(time + i) - 0.1 * velocity[i] - 0.05 * position[i];
        moment[i] += 0.05 - 0.02 * angular_velocity[i];
    }
}

/* ---- calls: what they give of one solver to `out`, as many numbers as they say ---------------- */

static rct_status evaluate(program *p, rct_solver *solver, double *out, int64_t *count)
{
    const rct_status status = rct_solver_evaluate(solver, NULL);
    const int64_t n = 3 * p->bodies;
    *count = 4 * n + p->rates;
    rct_solver_get_accelerations(solver, out, out + n);
    rct_solver_get_hinge_forces(solver, out + 2 * n, out + 3 * n);
    rct_solver_get_rate_derivatives(solver, out + 4 * n);
    return status;
}

static rct_status get_coordinates(program *p, rct_solver *solver, double *out, int64_t *count)
{
    *count = p->coordinates + p->rates;
    rct_solver_get_coordinates(solver, out, out + p->coordinates);
    return RCT_OK;
}

static rct_status step(program *p, rct_solver *solver, double *out, int64_t *count)
{
    const rct_status status = rct_solver_step(solver, p->drawn.dt, p->drawn.steps, NULL);
    get_coordinates(p, solver, out, count);
    return status;
}

static rct_status set_coordinates(program *p, rct_solver *solver, double *out, int64_t *count)
{
    double *q = p->before, *u = q + p->coordinates;
    rct_solver_get_coordinates(solver, q, u);
    for (int64_t i = 0; i < p->rates; i++) {
        u[i] *= p->drawn.factor;
    }
    if (p->drawn.spoils) {
        q[(p->coordinates + p->rates - 1) / 2] = (double)NAN;
    }
    const rct_status status = rct_solver_set_coordinates(solver, q, u, NULL);
    get_coordinates(p, solver, out, count);
    return status;
}

static rct_status forward(program *p, rct_solver *solver, double *out, int64_t *count)
{
    const double *efforts = p->user_forces && p->drawn.other ? p->drawn.efforts : NULL;
    get_coordinates(p, solver, p->before, count);
    *count = p->rates;
    return rct_solver_forward(solver, 1, p->before, p->before + p->coordinates, efforts, out, NULL);
}

static rct_status get_state(program *p, rct_solver *solver, double *out, int64_t *count)
{
    const int64_t n = p->bodies;
    *count = 13 * n;
    rct_solver_get_state(solver, out, out + 4 * n, out + 7 * n, out + 10 * n);
    return RCT_OK;
}

static rct_status measure(program *p, rct_solver *solver, double *out, int64_t *count)
{
    rct_measures sums;
    (void)p;
    rct_solver_measure(solver, &sums);
    out[0] = sums.kinetic, out[1] = sums.potential;
    *count = 2;
    return RCT_OK;
}

static rct_status set_efforts(program *p, rct_solver *solver, double *out, int64_t *count)
{
    (void)out, (void)count;
    return rct_solver_set_efforts(solver, p->drawn.other ? p->drawn.efforts : NULL, NULL);
}

static rct_status set_body_forces(program *p, rct_solver *solver, double *out, int64_t *count)
{
    (void)out, (void)count;
    return rct_solver_set_body_forces(solver, p->drawn.named, p->drawn.count, push, NULL, NULL);
}

static rct_status set_force_function(program *p, rct_solver *solver, double *out, int64_t *count)
{
    (void)out, (void)count;
    return rct_solver_set_force_function(solver, p->drawn.other ? push : NULL, NULL, NULL);
}

static rct_status set_time(program *p, rct_solver *solver, double *out, int64_t *count)
{
    (void)out, (void)count;
    rct_solver_set_time(solver, 100.0 * p->drawn.dt);
    return RCT_OK;
}

/* A state kept while the next step runs is the state before that step, to the last bit. A backend
 * that cannot keep a state makes a step instead. */
static rct_status keep(program *p, rct_solver *solver, double *out, int64_t *count)
{
    double kept[13 * MANY];
    const int64_t n = p->bodies;
    const int keeps = rct_solver_keep(solver, NULL) == RCT_OK;
    get_state(p, solver, out, count);
    const rct_status status = rct_solver_step(solver, 1e-4, 1, NULL);
    if (keeps) {
        assert_int_equal(
            rct_solver_get_kept(solver, kept, kept + 4 * n, kept + 7 * n, kept + 10 * n, NULL),
            RCT_OK);
        assert_memory_equal(kept, out, (size_t)*count * sizeof *out);
    }
    return status;
}

static const struct {
    rct_status (*of)(program *, rct_solver *, double *, int64_t *);
    const char *name;
} calls[] = {{evaluate, "evaluate"},
             {step, "step"},
             {step, "step"},
             {get_coordinates, "get_coordinates"},
             {set_coordinates, "set_coordinates"},
             {forward, "forward"},
             {get_state, "get_state"},
             {measure, "measure"},
             {set_efforts, "set_efforts"},
             {set_body_forces, "set_body_forces"},
             {set_force_function, "set_force_function"},
             {set_time, "set_time"},
             {keep, "keep"}};

/* ---- programs ----------------------------------------------------------------------------- */

static void draw_options(program *p, const char *other, rct_solver_options options[2])
{
    static const int64_t segments[] = {RCT_SEGMENT_AUTO, 3, 7, RCT_SEGMENT_WHOLE};
    static const rct_integrator integrators[] = {RCT_INTEGRATOR_RK4, RCT_INTEGRATOR_RK4,
                                                 RCT_INTEGRATOR_DOPRI5, RCT_INTEGRATOR_IMPLICIT};
    p->user_forces = below(p, 3) > 0;
    options[0] = rct_solver_options_default();
    options[0].backend = "cpu";
    options[0].method = (rct_method)below(p, 2);
    options[0].integrator = integrators[below(p, 4)];
    options[0].tolerance = 1e-3;
    options[0].user_forces = p->user_forces;
    options[0].as_given = 1;
    options[1] = options[0];
    options[0].lanes = options[0].threads = 1;
    options[0].segment = RCT_SEGMENT_WHOLE;
    options[1].backend = other;
    options[1].segment = segments[below(p, 4)];
    options[1].junction = (rct_junction)below(p, 3);
    if (strcmp(other, "cpu") == 0) {
        options[1].junction = RCT_JUNCTION_AUTO;
        options[1].lanes = lanes_up_to(1 << below(p, 4));
        options[1].threads = 1 + below(p, 2);
    }
}

static void draw_program(program *p, uint64_t seed, const char *other)
{
    rct_solver_options options[2];
    p->random = 7919 * seed + 3;
    const hinge_system system = {.tree = {.shape = (random_shape)below(p, 4),
                                          .bodies = 1 + below(p, below(p, 5) == 0 ? MANY : FEW),
                                          .fixed = below(p, 2) ? 0.2 : 0.0,
                                          .shuffled = below(p, 2),
                                          .spin = 2.0,
                                          .seed = seed + 1},
                                 .hinges = below(p, 3) == 0 ? 1 << RCT_HINGE_BALL : ALL_HINGES,
                                 .joint_forces = below(p, 2),
                                 .forces = below(p, 6),
                                 .acting = below(p, 3) == 0 ? below(p, 8) : 0,
                                 .smooth = 1,
                                 .floating = below(p, 2),
                                 .ground_moves = below(p, 3)};
    p->model = hinge_system_create(&system);
    assert_non_null(p->model);
    p->bodies = system.tree.bodies;
    p->coordinates = hinge_coordinates(p->model);
    p->rates = hinge_freedoms(p->model);
    draw_options(p, other, options);
    for (int k = 0; k < 2; k++) {
        p->solver[k] = must_solver(p->model, &options[k]);
    }
}

/* Whether the motion still has meaningful numbers. */
static int compare(const double *found, const double *truth, int64_t count, const char *call,
                   uint64_t seed)
{
    double apart = 0.0, size = 1e-3;
    for (int64_t i = 0; i < count; i++) {
        if (isnan(found[i]) && isnan(truth[i])) {
            continue;
        }
        apart = larger(apart, fabs(found[i] - truth[i]));
        size = larger(size, fabs(truth[i]));
    }
    const int alike = apart <= 1e-8 * size;
    if (!alike && size < 1e8) {
        fail_msg("program %d, %s: apart by %g of %g", (int)seed, call, apart, size);
    }
    return alike;
}

/* The number of comparisons; the sequence ends when the motion is no longer finite. */
static int run(program *p, uint64_t seed)
{
    static double out[2][12 * MANY + 6 * MANY];
    int done = 0, goes_on = 1;
    for (int k = 0; k < CALLS && goes_on; k++) {
        const int call = below(p, (int)(sizeof calls / sizeof *calls));
        rct_status status[2];
        int64_t count = 0;
        draw_call(p);
        for (int i = 0; i < 2; i++) {
            status[i] = calls[call].of(p, p->solver[i], out[i], &count);
        }
        const int fails = status[0] == RCT_ERROR_DIVERGED || status[1] == RCT_ERROR_DIVERGED;
        goes_on = !fails && compare(out[1], out[0], count, calls[call].name, seed);
        if (!fails) {
            assert_int_equal(status[1], status[0]);
        }
        done += count > 0;
    }
    return done;
}

static void test_programs(void **state)
{
    static program p;
    const char *other = "cpu";
    int done = 0;
    (void)state;
    for (int32_t i = 0; i < rct_backend_count(); i++) {
        rct_backend_info info;
        assert_int_equal(rct_backend_describe(i, &info, NULL), RCT_OK);
        other = info.available && strcmp(info.name, "cpu") != 0 ? info.name : other;
    }
    for (uint64_t seed = 0; seed < (uint64_t)programs; seed++) {
        draw_program(&p, seed, other);
        done += run(&p, seed);
        for (int k = 0; k < 2; k++) {
            rct_solver_free(p.solver[k]);
        }
        rct_model_free(p.model);
    }
    print_message("%s: %d of %d calls compared\n", other, done, programs * CALLS);
    assert_true(done > programs * CALLS / 3);
}

int main(int count, char **arguments)
{
    programs = count > 1 ? atoi(arguments[1]) : programs;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
