/* Derivatives of accelerations of random trees of every hinge, with and without forces: against
 * central differences of the accelerations of the reference lagrange and of the solver; the
 * transpose against products; refused input. */
#include "tests/support/cmocka_all.h"

#include "tests/support/draw.h"
#include "tests/support/must.h"
#include "tests/support/systems/hinge_tree.h"
#include "tests/support/systems/tangent_bench.h"

#include <riccatree/loop.h>
#include <riccatree/operators.h>
#include <riccatree/reference.h>

static const double time_of_state = 0.4;

/* Smooth where coordinates and rates are within 3 and a step of differences; no force is slack or
 * cut off there; balls have friction alone. */
static void add_at_hinge(rct_model *model, int32_t body, int ball, uint64_t *random)
{
    static const double table[] = {-4.0, 3.0, -0.5, 1.0, 0.4, -2.0, 4.0, 0.5};
    for (int type = RCT_FORCE_FRICTION; type <= (ball ? RCT_FORCE_FRICTION : RCT_FORCE_CURVE);
         type++) {
        rct_force f = rct_force_default();
        f.type = (rct_force_type)type;
        f.body = body;
        if (type == RCT_FORCE_FRICTION) {
            f.coulomb = 1.0, f.breakaway = 1.5, f.stribeck = 0.7, f.slip = 0.5;
        } else if (type == RCT_FORCE_LIMIT) {
            f.lower = 4.0, f.upper = 5.0; /* pushed in by 1 and more */
            f.stiffness = 30.0, f.damping = 1.0;
        } else if (type == RCT_FORCE_SERVO) {
            f.stiffness = draw_between(random, 0.0, 10.0), f.damping = 0.7;
            f.amplitude = 0.5, f.angular_frequency = 2.0;
        } else {
            f.rows = 4, f.table = table;
            f.over = body % 2 == 0 ? RCT_OVER_COORDINATE : RCT_OVER_RATE;
        }
        rct_error error;
        if (rct_model_add_force(model, &f, NULL, &error) != RCT_OK) {
            fail_msg("%s", error.text);
        }
    }
}

static void add_on_body(rct_model *model, int32_t body, uint64_t *random)
{
    rct_force f = rct_force_default();
    f.body = body;
    draw_numbers(random, f.at, 3, 0.7);
    if (body % 2 == 0) {
        f.type = RCT_FORCE_DRAG;
        draw_numbers(random, f.end, 3, 1.0);
        draw_numbers(random, f.current, 3, 2.0);
        f.diameter = 0.2, f.density = 10.0, f.normal = 1.0, f.tangential = 0.1;
    } else {
        f.type = RCT_FORCE_CABLE;
        draw_numbers(random, f.other_at, 3, 9.0);
        f.stiffness = draw_between(random, 5.0, 10.0), f.damping = 0.1;
    }
    if (body % 4 == 3) { /* the ground first */
        f.body = RCT_GROUND, f.other = body;
        for (int i = 0; i < 3; i++) {
            const double at = f.at[i];
            f.at[i] = f.other_at[i], f.other_at[i] = at;
        }
    }
    rct_error error;
    if (rct_model_add_force(model, &f, NULL, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

/* Forces of the random model, and one of every type besides; rotors. */
static void load(rct_model *model, uint64_t seed)
{
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body = rct_body_default();
        rct_model_body(model, b, &body, NULL);
        const int axes = body.hinge != RCT_HINGE_BALL && body.hinge != RCT_HINGE_FREE;
        for (int i = 0; axes && i < rct_hinge_freedoms(body.hinge); i++) {
            body.armature[i] = draw_between(&seed, 0.0, 0.1);
        }
        must_put(model, b, &body);
        if (body.hinge == RCT_HINGE_BALL || (axes && rct_hinge_freedoms(body.hinge) > 0)) {
            add_at_hinge(model, b, !axes, &seed);
        }
        add_on_body(model, b, &seed);
    }
}

/* In a random state, at a time of its own. */
static tangent_bench begin(rct_model *model, uint64_t seed, int pushed)
{
    rct_error error;
    const rct_solver_options options = rct_solver_options_default();
    tangent_bench b = tangent_bench_begin(model, &options, seed, pushed);
    hinge_tree_state(model, &b.random, b.q, b.u);
    rct_solver_set_time(b.solver, time_of_state);
    assert_int_equal(rct_solver_set_coordinates(b.solver, b.q, b.u, &error), RCT_OK);
    tangent_bench_stand(&b);
    return b;
}

/* On every hinge alone and on all together; free, in motion, loaded, with efforts, each with and
 * without the others. */
static void on_benches(void (*check)(tangent_bench *b))
{
    for (int hinge = -1; hinge < RCT_HINGE_TYPES; hinge++) {
        const uint64_t seeds = hinge < 0 ? 60 : hinge == RCT_HINGE_FIXED ? 0 : 8;
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            const int forces = seed % 2 == 0;
            const hinge_tree what = {.bodies = 1 + (int32_t)(seed * 5 % 9),
                                     .hinge = hinge,
                                     .floating = hinge < 0 && seed % 3 == 0,
                                     .forces = forces,
                                     .moving = seed % 4 >= 2,
                                     .seed = seed};
            rct_model *model = hinge_tree_create(&what);
            if (seed % 8 == 0 || seed % 8 >= 5) {
                load(model, seed);
            }
            tangent_bench b = begin(model, seed, seed % 3 != 1);
            check(&b);
            tangent_bench_end(&b);
        }
    }
}

/* Of the solver with efforts, of lagrange without. */
static void accelerations(tangent_bench *b, const double *q, const double *u, const double *tau,
                          double *a)
{
    rct_error error;
    rct_reference_result result = {.derivatives = a};
    if (b->tau != NULL) {
        tangent_bench_forward(b, q, u, tau, a);
    } else if (rct_reference_evaluate_at(b->model, RCT_REFERENCE_LAGRANGE, time_of_state, q, u,
                                         &result, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

/* Along coordinates, rates and efforts alone, with NULL for the others, and along all of them. */
static void check_tangent(tangent_bench *b)
{
    for (int part = 0; part < 4; part++) {
        tangent_bench_check(b, accelerations, 1e-3, part, 1e-8);
    }
}

static void test_tangents_are_differences(void **state)
{
    (void)state;
    on_benches(check_tangent);
}

static void check_adjoint(tangent_bench *b)
{
    tangent_bench_check_adjoint(b, 1e-12);
}

static void test_adjoints_are_transposes(void **state)
{
    (void)state;
    on_benches(check_adjoint);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adjoints_are_transposes),
        cmocka_unit_test(test_tangents_are_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
