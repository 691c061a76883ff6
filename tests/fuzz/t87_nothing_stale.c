/* Random sequences of calls on closed systems: whatever was called before, accelerations and the
 * forces at hinges and of loops are those of a fresh solver in the same state, with the same
 * efforts and forces, or NaN. Mechanisms whose loops are columns of lanes, larger trees whose loops
 * are held in the junction, and operators of the host; refused calls, and loops that cannot be
 * attached. `t87_nothing_stale N`: N sequences. */
#include "tests/support/cmocka_all.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"
#include "tests/support/one_in.h"
#include "tests/support/systems/closed_system.h"

#include <riccatree/closure.h>
#include <riccatree/riccatree.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int programs = 300 / ONE_IN;

enum { CALLS = 40, LOOPS = 3, SMALL = 8, LARGE = 90 };

/* The loads besides those of the model: efforts, unless there are none, and a force function,
 * unless its factor is 0. */
typedef struct acting {
    double efforts[6 * LARGE];
    int pushes;
    double factor;
} acting;

typedef struct program {
    uint64_t random;
    hinge_system system;
    rct_solver_options options;
    rct_model *model;
    rct_solver *solver;
    int32_t bodies, loops;
    int64_t coordinates, rates;
    acting now, then; /* at the last evaluation */
} program;

/* Coordinates, rates and results; loops last. */
typedef struct reading {
    double q[7 * LARGE], u[6 * LARGE], du[6 * LARGE], hinges[6 * LARGE], loops[7 * LOOPS];
} reading;

static int below(program *p, int count)
{
    return (int)draw_between(&p->random, 0.0, count);
}

static void pull(void *context, double time, int32_t bodies, const double *orientation,
                 const double *angular_velocity, const double *position, const double *velocity,
                 double *force, double *moment)
{
    const double factor = *(const double *)context;
    (void)time, (void)orientation;
    for (int32_t i = 0; i < 3 * bodies; i++) {
        force[i] += factor * (1.0 - position[i] - 0.1 * velocity[i]);
        moment[i] += factor * (0.2 - 0.05 * angular_velocity[i]);
    }
}

static void read_all(const program *p, const rct_solver *solver, reading *r)
{
    rct_solver_get_coordinates(solver, r->q, r->u);
    rct_solver_get_rate_derivatives(solver, r->du);
    rct_solver_get_hinge_forces(solver, r->hinges, r->hinges + 3 * (int64_t)p->bodies);
    rct_solver_get_loop_forces(solver, r->loops, r->loops + 3 * LOOPS, r->loops + 6 * LOOPS);
}

/* ---- a fresh one -------------------------------------------------------------------------- */

/* Evaluates in the state and with the loops of p->solver, under `of`; NULL: the evaluation
 * fails. */
static rct_solver *fresh_solver(const program *p, const reading *state, acting *of)
{
    int32_t active[LOOPS];
    rct_model *model = hinge_system_create(&p->system);
    rct_solver_get_active_loops(p->solver, active);
    for (int32_t i = 0; i < p->loops; i++) {
        rct_loop loop;
        assert_int_equal(rct_model_loop(p->model, i, &loop, NULL), RCT_OK);
        loop.active = active[i];
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
    rct_solver *fresh = must_solver(model, &p->options);
    rct_model_free(model);
    rct_solver_set_time(fresh, rct_solver_time(p->solver));
    assert_int_equal(rct_solver_set_coordinates(fresh, state->q, state->u, NULL), RCT_OK);
    rct_solver_set_efforts(fresh, of->pushes ? of->efforts : NULL, NULL);
    if (of->factor != 0.0) {
        rct_solver_set_force_function(fresh, pull, &of->factor, NULL);
    }
    if (rct_solver_evaluate(fresh, NULL) != RCT_OK) {
        rct_solver_free(fresh);
        return NULL;
    }
    return fresh;
}

static void expect_same(const double *a, const double *b, int64_t count, const char *what,
                        const char *after)
{
    double most = 0.0, off = 0.0;
    for (int64_t i = 0; i < count; i++) {
        most = larger(most, fabs(b[i]));
        off = larger(off, fabs(a[i] - b[i]));
    }
    if (!(off <= 1e-6 * (1.0 + most))) {
        fail_msg("after %s %s are off by %.2e of %.2e", after, what, off, most);
    }
}

/* NaN, or the result of a fresh solver; returns whether the latter. */
static int expect_fresh(program *p, const char *after)
{
    static reading own, other;
    read_all(p, p->solver, &own);
    if (isnan(own.du[0])) {
        return 0;
    }
    rct_solver *fresh = fresh_solver(p, &own, &p->then);
    assert_non_null(fresh);
    read_all(p, fresh, &other);
    expect_same(own.du, other.du, p->rates, "accelerations", after);
    expect_same(own.hinges, other.hinges, 6 * (int64_t)p->bodies, "forces at hinges", after);
    expect_same(own.loops, other.loops, 7 * LOOPS, "forces of loops", after);
    rct_solver_free(fresh);
    return 1;
}

/* ---- calls -------------------------------------------------------------------------------- */

static void evaluate(program *p)
{
    p->then = p->now; /* if it fails, nothing is known */
    rct_solver_evaluate(p->solver, NULL);
}

static void step(program *p)
{
    rct_solver_step(p->solver, draw_between(&p->random, 1e-5, 1e-3), below(p, 3), NULL);
}

static void too_long_a_step(program *p)
{
    static reading before, after;
    rct_solver_get_coordinates(p->solver, before.q, before.u);
    if (p->options.integrator == RCT_INTEGRATOR_RK4) { /* others take as many as it needs */
        rct_solver_step(p->solver, 10.0, 2, NULL);
    }
    rct_solver_get_coordinates(p->solver, after.q, after.u);
    if (memcmp(before.u, after.u, sizeof after.u) != 0) { /* it has gone far away */
        assert_int_equal(rct_solver_set_coordinates(p->solver, before.q, before.u, NULL), RCT_OK);
    }
}

static void set_coordinates(program *p)
{
    static double q[7 * LARGE], u[6 * LARGE];
    rct_solver_get_coordinates(p->solver, q, u);
    for (int64_t i = 0; i < p->rates; i++) {
        u[i] += draw_between(&p->random, -0.1, 0.1);
    }
    if (below(p, 4) == 0) {
        u[0] = (double)NAN;
    }
    rct_solver_set_coordinates(p->solver, q, u, NULL);
}

static void set_efforts(program *p)
{
    p->now.pushes = below(p, 4) != 0;
    draw_numbers(&p->random, p->now.efforts, (int)p->rates, 2.0);
    rct_solver_set_efforts(p->solver, p->now.pushes ? p->now.efforts : NULL, NULL);
}

static void set_function(program *p)
{
    p->now.factor = below(p, 3) == 0 ? 0.0 : draw_between(&p->random, 0.5, 2.0);
    rct_solver_set_force_function(p->solver, p->now.factor != 0.0 ? pull : NULL, &p->now.factor,
                                  NULL);
}

/* Loops far open cannot be attached. */
static void set_loop(program *p)
{
    rct_solver_set_loop_active(p->solver, below(p, p->loops), (rct_loop_state)below(p, 3), NULL);
}

static void release_all(program *p)
{
    for (int32_t i = 0; i < p->loops; i++) {
        rct_solver_set_loop_active(p->solver, i, RCT_LOOP_RELEASED, NULL);
    }
}

static void assemble(program *p)
{
    rct_solver_assemble(p->solver, NULL);
}

static void check_step(program *p)
{
    rct_step_report report;
    rct_solver_check_step(p->solver, 1e-4, &report, NULL);
}

static void inverse_dynamics(program *p)
{
    static double x[6 * LARGE], effort[6 * LARGE];
    draw_numbers(&p->random, x, (int)p->rates, 1.0);
    rct_solver_inverse_dynamics(p->solver, x, NULL, NULL, effort, NULL);
}

static void set_time(program *p)
{
    rct_solver_set_time(p->solver, rct_solver_time(p->solver) + draw_between(&p->random, 0.0, 0.1));
}

static void measure(program *p)
{
    rct_measures sums;
    rct_loop_info info;
    rct_solver_measure(p->solver, &sums);
    rct_solver_get_loop_info(p->solver, &info);
}

static const struct {
    void (*of)(program *p);
    const char *name;
} calls[] = {{evaluate, "evaluate"},
             {evaluate, "evaluate"},
             {evaluate, "evaluate"},
             {step, "step"},
             {too_long_a_step, "too long a step"},
             {set_coordinates, "set_coordinates"},
             {set_efforts, "set_efforts"},
             {set_function, "set_force_function"},
             {set_loop, "set_loop_active"},
             {set_loop, "set_loop_active"},
             {release_all, "releasing all loops"},
             {assemble, "assemble"},
             {check_step, "check_step"},
             {inverse_dynamics, "inverse_dynamics"},
             {set_time, "set_time"},
             {measure, "measure"}};

/* ---- programs ----------------------------------------------------------------------------- */

static void draw_program(program *p, uint64_t seed)
{
    static const int types = (1 << RCT_LOOP_TYPES) - 1 - (1 << RCT_LOOP_CAM);
    memset(p, 0, sizeof *p);
    p->random = seed + 1;
    const int large = below(p, 3) == 0;
    p->bodies = large ? LARGE : SMALL;
    p->system = (hinge_system){.tree = {.shape = large ? SHAPE_CHAIN : SHAPE_TREE,
                                        .bodies = p->bodies,
                                        .spin = 0.5,
                                        .seed = seed},
                               .hinges = below(p, 2) == 0 ? ALL_HINGES & ~(1 << RCT_HINGE_FREE)
                                                          : 1 << RCT_HINGE_BALL,
                               .joint_forces = below(p, 2),
                               .no_rotors = 1,
                               .forces = below(p, 3)};
    p->options = rct_solver_options_default();
    p->options.method = (rct_method)below(p, 2);
    p->options.lanes = lanes_up_to(1 << below(p, 3));
    p->options.threads = 1 + below(p, 2);
    p->options.segment = large ? 8 : RCT_SEGMENT_AUTO;
    p->options.user_forces = 1;
    p->options.closing = below(p, 4) == 0 ? RCT_CLOSING_MULTIPLIERS : RCT_CLOSING_ADMITTANCE;
    p->options.drift = (rct_drift)below(p, 4);
    p->options.integrator = below(p, 3) == 0 ? (rct_integrator)below(p, 4) : RCT_INTEGRATOR_RK4;
    p->model = hinge_system_create(&p->system);
    closed_add_random(p->model, LOOPS, types, seed);
    p->loops = rct_model_loop_count(p->model);
    assert_true(p->loops <= LOOPS);
    p->options.as_given = 1;
    p->solver = rct_solver_create(p->model, &p->options, NULL);
    if (p->solver == NULL) { /* an integrator that does not take such a system */
        p->options.integrator = RCT_INTEGRATOR_RK4;
        p->solver = must_solver(p->model, &p->options);
    }
    p->coordinates = hinge_coordinates(p->model);
    p->rates = hinge_freedoms(p->model);
}

static void test_programs(void **state)
{
    static program p;
    int known = 0;
    (void)state;
    for (uint64_t seed = 0; seed < (uint64_t)programs; seed++) {
        draw_program(&p, seed);
        for (int k = 0; k < CALLS; k++) {
            const int call = below(&p, (int)(sizeof calls / sizeof *calls));
            calls[call].of(&p);
            known += expect_fresh(&p, calls[call].name);
        }
        rct_solver_free(p.solver);
        rct_model_free(p.model);
    }
    print_message("%d of %d states evaluated\n", known, programs * CALLS);
    assert_true(known > programs * CALLS / 4);
}

int main(int count, char **arguments)
{
    programs = count > 1 ? atoi(arguments[1]) : programs;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
