/* Large systems: the branch family of seed 000 with 1,000 and 33,334 bodies for some steps, at rest
 * and swinging, chains too deep for recursion along them, and long chains on hinges with axes. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/solution.h"
#include "tests/support/larger.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

static rct_model *generate(const char *name, int64_t bodies, double perturb)
{
    const rct_family family = {.family = name,
                               .bodies = bodies,
                               .hinge = RCT_HINGE_BALL,
                               .seed = 1,
                               .perturb = perturb,
                               .systems = 1};
    rct_model *model = rct_model_generate(&family, NULL);
    assert_non_null(model);
    return model;
}

/* The start of the seed: all rods hang straight down, three on the right end of body 11 and two on
 * the left. The body begins to rotate, and moves the rods up and down without rotating them: (J + 5
 * kg a^2) alpha = a (3 - 2) 1 kg g, a = 1/2 m, J = (3 r^2 + L^2) / 12, r = 0.05 m, so that every
 * hinge above carries the weight below less 1 kg a alpha. */
static void test_branch_at_its_start(void **state)
{
    (void)state;
    const int32_t n = 33334, bar = 5;
    const double alpha = 0.5 * 9.81 / ((3.0 * 0.0025 + 1.0) / 12.0 + 1.25);
    rct_model *model = generate("branch", n, 0.0);
    for (int method = RCT_METHOD_ABI; method <= RCT_METHOD_RICCATI; method++) {
        rct_solver *solver = solution_solver(model, (rct_method)method);
        assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
        solution s = solution_of(solver);
        assert_true(fabs(s.angular[3 * bar + 1] - alpha) <= 1e-13);
        for (int32_t i = 0; i < n; i++) {
            const double side = i >= bar ? 0.0 : i < 2 ? 0.5 : -0.5;
            const double carried = 9.81 * (i + 1) - 0.5 * alpha;
            assert_true(i == bar || fabs(s.angular[3 * i + 1]) <= 1e-13);
            assert_true(fabs(s.linear[3 * i + 2] - side * alpha) <= 1e-13);
            assert_true(i < bar || fabs(s.force[3 * i + 2] - carried) <= 1e-12 * carried);
        }
        solution_free(&s);
        rct_solver_free(solver);
    }
    rct_model_free(model);
}

/* Rotated and rotating by up to 1 rad and 1 rad/s. The drift of the energy is relative to the
 * energy that kinetic and potential exchange. */
static void swing(rct_model *model, rct_method method, int steps, double limit)
{
    rct_solver *solver = solution_solver(model, method);
    rct_measures start, now;
    double exchange = 0.0, drift = 0.0;
    rct_solver_measure(solver, &start);
    for (int k = 0; k < steps; k++) {
        assert_int_equal(rct_solver_step(solver, 1e-3, 1, NULL), RCT_OK);
        rct_solver_measure(solver, &now);
        const double kinetic = now.kinetic - start.kinetic;
        const double potential = now.potential - start.potential;
        exchange = larger(exchange, fabs(potential));
        drift = larger(drift, fabs(kinetic + potential));
    }
    if (!(drift <= limit * exchange)) {
        fail_msg("drift %g J, exchange %g J", drift, exchange);
    }
    rct_solver_free(solver);
    rct_model_free(model);
}

static void test_branch_of_1000_bodies_swings(void **state)
{
    (void)state;
    swing(generate("branch", 1000, 1.0), RCT_METHOD_ABI, 10, 1e-10);
    swing(generate("branch", 1000, 1.0), RCT_METHOD_RICCATI, 10, 1e-10);
}

static void test_branch_of_33334_bodies_swings(void **state)
{
    (void)state;
    swing(generate("branch", 33334, 1.0), RCT_METHOD_ABI, 5, 1e-9);
    swing(generate("branch", 33334, 1.0), RCT_METHOD_RICCATI, 1, 1e-9);
}

/* The energy of other trees has the digits of trees on ball hinges alone. */
static void test_branch_of_33334_bodies_and_a_slider_swings(void **state)
{
    (void)state;
    rct_model *model = generate("branch", 33334, 1.0);
    rct_body slider = rct_body_default();
    slider.hinge = RCT_HINGE_PRISMATIC;
    slider.parent = 33333;
    slider.mass = 1.0;
    slider.inertia[0] = slider.inertia[1] = slider.inertia[2] = 0.1;
    assert_int_equal(rct_model_add_body(model, &slider, NULL, NULL), RCT_OK);
    swing(model, RCT_METHOD_ABI, 3, 1e-9);
}

typedef struct deep {
    int64_t bodies;
    rct_method method;
    solution s;
} deep;

/* Creates, evaluates, and reads everything. cmocka's checks belong to its own thread. */
static void *go_deep(void *argument)
{
    deep *work = argument;
    const rct_family family = {.family = "chain",
                               .bodies = work->bodies,
                               .hinge = RCT_HINGE_BALL,
                               .seed = 1,
                               .perturb = 0.0,
                               .systems = 1};
    rct_model *model = rct_model_generate(&family, NULL);
    rct_solver *solver = solution_solver(model, work->method);
    double *state = malloc((size_t)work->bodies * 10 * sizeof *state);
    int whole = state != NULL && rct_solver_evaluate(solver, NULL) == RCT_OK;
    if (whole) {
        rct_measures measures;
        rct_solver_get_state(solver, state, state + 4 * work->bodies, state + 7 * work->bodies,
                             NULL);
        rct_solver_measure(solver, &measures);
        whole = measures.kinetic == 0.0 && measures.potential == 0.0;
        work->s = solution_of(solver);
    }
    free(state);
    rct_solver_free(solver);
    rct_model_free(model);
    return whole ? work : NULL;
}

static void run_deep(int64_t bodies, rct_method method)
{
    enum { SHORT = 100 };
    rct_model *model = generate("chain", SHORT, 0.0);
    solution truth = solution_by_reference(model);
    deep work = {.bodies = bodies, .method = method};
    pthread_attr_t attributes;
    pthread_t thread;
    void *result = NULL;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, (size_t)256 * 1024), 0);
    assert_int_equal(pthread_create(&thread, &attributes, go_deep, &work), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    pthread_attr_destroy(&attributes);
    assert_non_null(result);
    double worst = 0.0;
    for (int i = 0; i < 3 * SHORT / 2; i++) { /* they do not feel how long the chain is */
        worst = larger(worst, fabs(work.s.linear[i] - truth.linear[i]));
        worst = larger(worst, fabs(work.s.angular[i] - truth.angular[i]));
        worst = larger(worst, fabs(work.s.force[i] - truth.force[i]));
    }
    for (int64_t i = 3 * bodies / 2; i < 3 * bodies; i++) { /* far out all is free fall */
        worst = larger(worst, fabs(work.s.linear[i] - (i % 3 == 2 ? -9.81 : 0.0)));
        worst = larger(worst, fabs(work.s.angular[i]));
        worst = larger(worst, fabs(work.s.force[i]));
    }
    assert_true(worst <= 1e-13);
    solution_free(&work.s);
    solution_free(&truth);
    rct_model_free(model);
}

static void test_a_million_bodies_deep(void **state)
{
    (void)state;
    run_deep(1000000, RCT_METHOD_ABI);
    run_deep(100000, RCT_METHOD_RICCATI);
}

/* Rates of such hinges are relative. A perturbation must not add up along the chain: rods with the
 * same rotation add up to arms, which tear the chain apart when they rotate fast. */
static void test_long_perturbed_chains_turn_no_faster_than_short_ones(void **state)
{
    (void)state;
    enum { BODIES = 20000 };
    const double amount = 0.1;
    double *rate = calloc(BODIES, 3 * sizeof *rate);
    assert_non_null(rate);
    for (int type = RCT_HINGE_REVOLUTE; type <= RCT_HINGE_HELICAL; type++) {
        const rct_family family = {.family = "chain",
                                   .bodies = BODIES,
                                   .hinge = (rct_hinge_type)type,
                                   .seed = 1,
                                   .perturb = amount,
                                   .systems = 1};
        rct_model *model = rct_model_generate(&family, NULL);
        assert_non_null(model);
        rct_solver *solver = solution_solver(model, RCT_METHOD_ABI);
        rct_measures start, now;
        double fastest = 0.0;
        rct_solver_get_state(solver, NULL, rate, NULL, NULL);
        for (int64_t b = 0; b < BODIES; b++) {
            const double *w = rate + 3 * b;
            fastest = larger(fastest, sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
        }
        assert_true(fastest <= 3.0 * amount);
        assert_true(type == RCT_HINGE_PRISMATIC ? fastest == 0.0 : fastest > amount);
        rct_solver_measure(solver, &start);
        assert_int_equal(rct_solver_step(solver, 1e-3, 20, NULL), RCT_OK);
        rct_solver_measure(solver, &now);
        assert_true(fabs(now.kinetic - start.kinetic + now.potential - start.potential) <=
                    1e-6 * start.kinetic);
        rct_solver_free(solver);
        rct_model_free(model);
    }
    free(rate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_branch_at_its_start),
        cmocka_unit_test(test_branch_of_1000_bodies_swings),
        cmocka_unit_test(test_branch_of_33334_bodies_swings),
        cmocka_unit_test(test_branch_of_33334_bodies_and_a_slider_swings),
        cmocka_unit_test(test_a_million_bodies_deep),
        cmocka_unit_test(test_long_perturbed_chains_turn_no_faster_than_short_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
