/* Motions with springs and cables between points in implicit stages: their errors, loops beside
 * them, bits, and the small number of steps for stiff ones. */
#include "tests/support/cmocka_all.h"

#include "dynamics/solver.h"
#include "tests/integrate/adaptive_case.h"
#include "tests/support/must.h"
#include "tests/support/systems/units.h"

#include <riccatree/loop.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *row(int64_t count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

/* A chain of three links on hinges of a type, held by springs and a cable, with a free body on it;
 * `rest`: relative to their lengths. */
static rct_model *hung(rct_hinge_type hinge, double stiffness, double damping, double bending,
                       double rest)
{
    rct_model *model = rct_model_create("hung", NULL);
    for (int32_t b = 0; b < 4; b++) {
        rct_body body = rct_body_default();
        body.parent = b > 0 ? b - 1 : RCT_GROUND;
        body.hinge = b == 3 ? RCT_HINGE_FREE : hinge;
        body.parent = b == 3 ? RCT_GROUND : body.parent;
        body.hinge_at[0] = b > 0 && b < 3 ? 0.5 : 0.0;
        body.position[0] = b == 3 ? 1.6 : 0.0;
        body.position[2] = b == 3 ? -0.3 : 0.0;
        body.mass = 1.0 + 0.2 * b;
        body.com[0] = b == 3 ? 0.0 : 0.25;
        body.inertia[0] = 0.02, body.inertia[1] = 0.03, body.inertia[2] = 0.04;
        if (hinge == RCT_HINGE_REVOLUTE && b < 3) {
            body.hinge_axis[0] = body.hinge_axis[2] = 0.0;
            body.hinge_axis[1] = 1.0;
        }
        for (int i = 0; i < 3 && b < 3 && bending > 0.0 && i < rct_hinge_freedoms(hinge); i++) {
            body.stiffness[i] = bending;
            body.damping[i] = 0.01 * bending;
        }
        must_add(model, &body);
    }
    for (int k = 0; k < 3; k++) {
        rct_force f = rct_force_default();
        f.type = k == 0 ? RCT_FORCE_CABLE : RCT_FORCE_SPRING;
        f.body = k == 0 ? 1 : 2;
        f.other = k == 2 ? 3 : RCT_GROUND;
        f.at[0] = 0.5;
        f.other_at[0] = k == 2 ? 0.1 : 1.0;
        f.other_at[1] = k == 2 ? 0.0 : 0.4;
        f.other_at[2] = k == 2 ? 0.1 : 0.9;
        f.length = rest * (k == 0 ? sqrt(0.97) : k == 1 ? sqrt(1.22) : sqrt(0.08));
        f.stiffness = stiffness;
        f.damping = damping;
        must_force(model, &f);
    }
    return model;
}

/* To the tolerance, with any forces at the hinges. */
static void test_motions_come_to_their_tolerance(void **state)
{
    (void)state;
    static const rct_hinge_type hinges[] = {RCT_HINGE_REVOLUTE, RCT_HINGE_BALL};
    for (int k = 0; k < 4; k++) {
        rct_model *model = hung(hinges[k % 2], 300.0, 5.0, k < 2 ? 0.0 : 20.0, 0.5);
        rct_solver *truth = adaptive_solver(model, RCT_INTEGRATOR_DOPRI5, 1e-11);
        must_step(truth, 0.5, 1);
        for (int digits = 4; digits <= 8; digits += 2) {
            const double tolerance = pow(10.0, -digits);
            rct_solver *solver = adaptive_solver(model, RCT_INTEGRATOR_IMPLICIT, tolerance);
            must_step(solver, 0.5, 1);
            const double off = apart(solver, truth);
            if (!(off < 10.0 * tolerance)) {
                fail_msg("case %d: off by %.2e at %.0e", k, off, tolerance);
            }
            rct_solver_free(solver);
        }
        rct_solver_free(truth);
        rct_model_free(model);
    }
}

/* Springs of 1e8 N/m and their dampers: as many steps as the motion of the held bodies needs. */
static void test_stiff_springs_take_few_steps(void **state)
{
    (void)state;
    int64_t soft = 0, stiff = 0;
    for (int k = 0; k < 2; k++) {
        rct_model *model = hung(RCT_HINGE_BALL, k == 0 ? 1e4 : 1e8, k == 0 ? 1e3 : 1e6, 20.0, 1.0);
        rct_solver *solver = adaptive_solver(model, RCT_INTEGRATOR_IMPLICIT, 1e-5);
        must_step(solver, 0.5, 1);
        *(k == 0 ? &soft : &stiff) = evaluations_of(solver);
        rct_solver_free(solver);
        rct_model_free(model);
    }
    assert_true(stiff < 3 * soft);
}

/* A spring that pulls from far: the stiffness that rotates its arm and that across it are as large
 * as its pull, and no step follows them. */
static void test_what_pulls_is_stiff(void **state)
{
    (void)state;
    int64_t evaluations[2];
    for (int k = 0; k < 2; k++) {
        rct_model *model = rct_model_create("pulled", NULL);
        rct_body body = rct_body_default();
        body.parent = RCT_GROUND;
        body.mass = 1.0;
        body.com[0] = 0.5;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
        body.damping[0] = body.damping[1] = body.damping[2] = k == 0 ? 2e2 : 2e5;
        must_add(model, &body);
        rct_force f = rct_force_default();
        f.type = RCT_FORCE_SPRING;
        f.body = 0;
        f.other = RCT_GROUND;
        f.at[0] = 1.0;
        f.other_at[0] = 101.0;
        f.other_at[2] = 5.0;
        f.stiffness = k == 0 ? 1e2 : 1e8;
        must_force(model, &f);
        rct_solver *solver = adaptive_solver(model, RCT_INTEGRATOR_IMPLICIT, 1e-4);
        must_step(solver, 0.5, 2);
        evaluations[k] = evaluations_of(solver);
        rct_solver_free(solver);
        rct_model_free(model);
    }
    if (!(evaluations[1] < 2 * evaluations[0])) {
        fail_msg("%lld evaluations, and %lld", (long long)evaluations[0],
                 (long long)evaluations[1]);
    }
}

/* A spring of zero length and 1e9 N/m between two points of a chain acts as a ball closure between
 * them. */
static void test_a_stiff_spring_is_a_closure(void **state)
{
    (void)state;
    const rct_family family = {.family = "necklace",
                               .bodies = 6,
                               .hinge = RCT_HINGE_BALL,
                               .seed = 1,
                               .perturb = 0.2,
                               .systems = 1};
    rct_model *closed = must_generate(&family), *open;
    rct_loop loop = rct_loop_default();
    rct_force f = rct_force_default();
    assert_int_equal(rct_model_loop(closed, 0, &loop, NULL), RCT_OK);
    open = rct_model_create("open", NULL);
    for (int32_t b = 0; b < rct_model_body_count(closed); b++) {
        rct_body body = rct_body_default();
        rct_model_body(closed, b, &body, NULL);
        must_add(open, &body);
    }
    f.type = RCT_FORCE_SPRING;
    f.body = loop.body;
    f.other = loop.other;
    memcpy(f.at, loop.at, sizeof f.at);
    memcpy(f.other_at, loop.other_at, sizeof f.other_at);
    f.stiffness = 1e9;
    must_force(open, &f);
    rct_solver *a = adaptive_solver(closed, RCT_INTEGRATOR_DOPRI5, 1e-9);
    rct_solver *b = adaptive_solver(open, RCT_INTEGRATOR_IMPLICIT, 1e-3);
    double *q = row(a->plan->coordinates), *u = row(a->plan->freedoms);
    rct_solver_get_coordinates(a, q, u);
    assert_int_equal(rct_solver_set_coordinates(b, q, u, NULL), RCT_OK);
    free(q), free(u);
    must_step(a, 0.2, 1);
    must_step(b, 0.2, 1);
    const double off = apart(a, b);
    if (!(off < 1e-3 && evaluations_of(b) < 3000)) {
        fail_msg("off by %.2e, %lld evaluations", off, (long long)evaluations_of(b));
    }
    rct_solver_free(a), rct_solver_free(b);
    rct_model_free(closed), rct_model_free(open);
}

/* With loops, with and without forces at hinges, wherever the loops are closed. */
static void test_beside_loops(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        const rct_family family = {.family = k == 2 ? "necklace" : "fourbars",
                                   .bodies = k == 2 ? 6 : 5,
                                   .hinge = k == 2 ? RCT_HINGE_BALL : RCT_HINGE_REVOLUTE,
                                   .seed = 1,
                                   .perturb = 0.1,
                                   .systems = 1};
        rct_model *model = must_generate(&family);
        for (int32_t b = 0; b < rct_model_body_count(model) && k > 0; b++) {
            rct_body body = rct_body_default();
            rct_model_body(model, b, &body, NULL);
            body.stiffness[0] = 30.0;
            body.damping[0] = 0.5;
            must_put(model, b, &body);
        }
        rct_force f = rct_force_default();
        f.type = RCT_FORCE_SPRING;
        f.body = 1;
        f.other = 4;
        f.at[1] = 0.2;
        f.length = 1.0;
        f.stiffness = 50.0;
        f.damping = 2.0;
        must_force(model, &f);
        rct_solver *a = adaptive_solver(model, RCT_INTEGRATOR_DOPRI5, 1e-10);
        rct_solver *b = adaptive_solver(model, RCT_INTEGRATOR_IMPLICIT, 1e-7);
        must_step(a, 0.1, 2);
        must_step(b, 0.1, 2);
        const double off = apart(a, b);
        if (!(off < 1e-6)) {
            fail_msg("case %d: off by %.2e", k, off);
        }
        rct_solver_free(a), rct_solver_free(b);
        rct_model_free(model);
    }
}

/* With any division into calls, and in a solver that continues from the state of another. */
static void test_the_same_bits(void **state)
{
    (void)state;
    enum { STEPS = 4 };
    rct_model *model = hung(RCT_HINGE_BALL, 1e6, 1e3, 20.0, 0.9);
    rct_solver *whole = adaptive_solver(model, RCT_INTEGRATOR_IMPLICIT, 1e-5);
    rct_solver *cut = adaptive_solver(model, RCT_INTEGRATOR_IMPLICIT, 1e-5);
    must_step(whole, 0.02, STEPS);
    for (int k = 0; k < STEPS; k++) {
        must_step(cut, 0.02, 1);
        assert_int_equal(rct_solver_evaluate(cut, NULL), RCT_OK);
    }
    assert_true(apart(whole, cut) == 0.0);
    rct_solver_free(whole), rct_solver_free(cut);
    rct_model_free(model);
}

/* Both the rotation of arms and the motion apart count: neither is lost if lengths are small or
 * large. */
static void test_other_units(void **state)
{
    (void)state;
    static const int units[][3] = {{0, 0, 0}, {0, 20, 0}, {0, -20, 0}, {40, 30, 0}, {-40, -30, 0}};
    for (int h = 0; h < 3; h++) {
        static const rct_hinge_type hinges[] = {RCT_HINGE_REVOLUTE, RCT_HINGE_BALL,
                                                RCT_HINGE_UNIVERSAL};
        rct_model *metres = hung(hinges[h], 1e4, 10.0, 0.0, 0.8);
        double truth[32], found[32], factor[32];
        for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
            const test_units u = test_units_of(units[k]);
            rct_model *model = in_units(metres, &u);
            rct_solver *solver = adaptive_solver(model, RCT_INTEGRATOR_IMPLICIT, 1e-6);
            const int64_t rates = solver->plan->freedoms;
            must_step(solver, 0.02, 5);
            rct_solver_get_coordinates(solver, NULL, k == 0 ? truth : found);
            units_of_rates(model, &u, 1, factor);
            for (int64_t r = 0; r < rates && k > 0; r++) {
                assert_true(fabs(found[r] / factor[r] - truth[r]) < 1e-9);
            }
            rct_solver_free(solver);
            rct_model_free(model);
        }
        rct_model_free(metres);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_motions_come_to_their_tolerance),
        cmocka_unit_test(test_stiff_springs_take_few_steps),
        cmocka_unit_test(test_what_pulls_is_stiff),
        cmocka_unit_test(test_a_stiff_spring_is_a_closure),
        cmocka_unit_test(test_beside_loops),
        cmocka_unit_test(test_the_same_bits),
        cmocka_unit_test(test_other_units),
    };
    return cmocka_run_group_tests_name("springs in implicit stages", tests, NULL, NULL);
}
