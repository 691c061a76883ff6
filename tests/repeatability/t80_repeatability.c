/* The same run gives the same bits: again, on another solver, and, where nothing is contracted
 * (RCT_STRICT), from every compiler at every level of optimization: the golden hashes. The system
 * is built with + - * / and sqrt only, which round equally everywhere. */
#include "tests/support/cmocka_all.h"

#include "tests/support/draw.h"

#include <riccatree/solver.h>

#include <inttypes.h>
#include <string.h>

enum { BODIES = 50, STEPS = 20 };

/* Bodies of three point masses each; every fifth welded, ids not in the order of the tree. */
static rct_body draw_body(uint64_t *random, int32_t i)
{
    rct_body body = rct_body_default();
    double r[3];
    body.mass = draw_between(random, 0.2, 5.0);
    draw_numbers(random, body.com, 3, 0.5);
    draw_numbers(random, body.hinge_at, 3, 1.0);
    for (int p = 0; p < 3; p++) {
        const double m = body.mass * 0.3;
        draw_numbers(random, r, 3, 0.4);
        body.inertia[0] += m * (r[1] * r[1] + r[2] * r[2]);
        body.inertia[1] += m * (r[0] * r[0] + r[2] * r[2]);
        body.inertia[2] += m * (r[0] * r[0] + r[1] * r[1]);
        body.inertia[3] -= m * r[0] * r[1];
        body.inertia[4] -= m * r[0] * r[2];
        body.inertia[5] -= m * r[1] * r[2];
    }
    if (i % 5 == 3) {
        body.hinge = RCT_HINGE_FIXED;
        draw_numbers(random, body.hinge_orientation, 4, 1.0);
    } else {
        draw_numbers(random, body.orientation, 4, 1.0);
        draw_numbers(random, body.angular_velocity, 3, 3.0);
    }
    return body;
}

/* Body i hangs on one of the three after it, the last ones on the ground: branches and chains, parents
 * after their children. */
static rct_model *fixed_model(void)
{
    uint64_t random = 80;
    rct_model *model = rct_model_create("golden", NULL);
    assert_non_null(model);
    for (int32_t i = 0; i < BODIES; i++) {
        rct_body body = draw_body(&random, i);
        const int32_t parent = i + 1 + (int32_t)(draw_bits(&random) % 3);
        body.parent = parent < BODIES ? parent : RCT_GROUND;
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    return model;
}

/* FNV-1a over the bits of numbers, least byte first. */
static uint64_t hash(uint64_t h, const double *numbers, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        for (int b = 0; b < 64; b += 8) {
            h = (h ^ (bits >> b & 0xff)) * UINT64_C(0x100000001b3);
        }
    }
    return h;
}

/* Hash of the accelerations and hinge forces at the start and of the state after STEPS steps. */
static uint64_t run(rct_solver *solver)
{
    double a[BODIES][3], b[BODIES][3], q[BODIES][4];
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    rct_solver_get_accelerations(solver, a[0], b[0]);
    h = hash(hash(h, a[0], 3 * BODIES), b[0], 3 * BODIES);
    rct_solver_get_hinge_forces(solver, a[0], b[0]);
    h = hash(hash(h, a[0], 3 * BODIES), b[0], 3 * BODIES);
    assert_int_equal(rct_solver_step(solver, 1.0 / 1024.0, STEPS, NULL), RCT_OK);
    rct_solver_get_state(solver, q[0], a[0], b[0], NULL);
    h = hash(hash(h, q[0], 4 * BODIES), a[0], 3 * BODIES);
    return hash(h, b[0], 3 * BODIES);
}

static rct_solver *solver_of(const rct_model *model, rct_method method)
{
    const rct_solver_options options = {.method = method, .backend = "cpu"};
    rct_error error;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

static void test_the_same_run_gives_the_same_bits(void **state)
{
    (void)state;
    rct_model *model = fixed_model();
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        rct_solver *first = solver_of(model, (rct_method)method);
        rct_solver *second = solver_of(model, (rct_method)method);
        const uint64_t h = run(first);
        assert_true(run(second) == h);
        assert_true(run(first) != h); /* it has moved on */
        rct_solver_free(first);
        rct_solver_free(second);
    }
    rct_model_free(model);
}

/* One step after the other, with evaluations between, equals all at once. */
static void test_steps_do_not_care_how_they_are_asked_for(void **state)
{
    (void)state;
    rct_model *model = fixed_model();
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        rct_solver *whole = solver_of(model, (rct_method)method);
        rct_solver *pieces = solver_of(model, (rct_method)method);
        rct_measures measures;
        assert_int_equal(rct_solver_step(whole, 1e-3, STEPS, NULL), RCT_OK);
        for (int k = 0; k < STEPS; k++) {
            rct_solver_measure(pieces, &measures);
            assert_int_equal(rct_solver_step(pieces, 1e-3, 1, NULL), RCT_OK);
            assert_int_equal(rct_solver_evaluate(pieces, NULL), RCT_OK);
        }
        assert_true(run(whole) == run(pieces));
        rct_solver_free(whole);
        rct_solver_free(pieces);
    }
    rct_model_free(model);
}

/* A change of these numbers changes the results of every user: give the reason in the commit. */
static void test_golden_hashes(void **state)
{
    (void)state;
    static const uint64_t golden[2] = {UINT64_C(0xad211cc39f3a4737), UINT64_C(0x44b807dfe1f6bafe)};
    int other = 0;
    rct_model *model = fixed_model();
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        rct_solver *solver = solver_of(model, (rct_method)method);
        const uint64_t h = run(solver);
        print_message("%s %016" PRIx64 "\n", rct_method_name((rct_method)method), h);
#ifdef RCT_STRICT
        other += h != golden[method];
#else
        (void)golden;
#endif
        rct_solver_free(solver);
    }
    rct_model_free(model);
    assert_int_equal(other, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_run_gives_the_same_bits),
        cmocka_unit_test(test_steps_do_not_care_how_they_are_asked_for),
        cmocka_unit_test(test_golden_hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
