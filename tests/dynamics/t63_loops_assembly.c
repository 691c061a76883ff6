/* Assembled states, and constraints that contradict one another: at the start, in an evaluation, in
 * a step. */
#include "tests/support/cmocka_all.h"

#include "tests/support/draw.h"
#include "tests/support/systems/closed_system.h"
#include "tests/support/systems/loop_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A model without forces with the coordinates of hinges with axes off by up to `by`. */
static rct_model *pulled_open(const rct_model *model, double by, uint64_t seed)
{
    rct_model *open = rct_model_create("open", NULL);
    double gravity[3];
    uint64_t random = seed;
    rct_model_gravity(model, gravity);
    rct_model_set_gravity(open, gravity, NULL);
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body;
        rct_model_body(model, b, &body, NULL);
        for (int i = 0; i < rct_hinge_freedoms(body.hinge); i++) {
            if (body.hinge > RCT_HINGE_BALL && body.hinge < RCT_HINGE_FREE) {
                body.position[i] += draw_between(&random, -by, by);
            }
        }
        assert_int_equal(rct_model_add_body(open, &body, NULL, NULL), RCT_OK);
    }
    for (int32_t i = 0; i < rct_model_loop_count(model); i++) {
        rct_loop loop;
        rct_model_loop(model, i, &loop, NULL);
        assert_int_equal(rct_model_add_loop(open, &loop, NULL, NULL), RCT_OK);
    }
    return open;
}

static void test_assembly(void **state)
{
    (void)state;
    int closed = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        rct_model *model = loop_random(seed, LOOP_POINTLIKE | 1 << RCT_LOOP_REVOLUTE, 0);
        rct_model *open = pulled_open(model, 0.2, seed);
        const rct_solver_options options = loop_options((rct_closing)(seed % 5));
        rct_error error;
        rct_solver *solver = rct_solver_create(open, &options, &error);
        if (solver != NULL) {
            const rct_loop_info info = loop_info(solver);
            rct_measures sums;
            assert_true(info.position < 1e-9 && info.velocity < 1e-9);
            rct_solver_measure(solver, &sums);
            assert_true(sums.potential == 0.0);
            closed++;
        } else {
            assert_int_equal(error.status, RCT_ERROR_LOOP);
        }
        rct_solver_free(solver);
        rct_model_free(open);
        rct_model_free(model);
    }
    print_message("%d of 40 assembled\n", closed);
    assert_true(closed >= 30);
}

/* Rates of a start whose positions are closed: the given ones after the dense projection. */
static void test_velocities(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        rct_model *model = loop_random(seed, LOOP_POINTLIKE | 1 << RCT_LOOP_FIXED, 0);
        closed_system s = closed_system_create(model, 0.0);
        const rct_solver_options options = loop_options((rct_closing)(seed % 5));
        rct_error error;
        rct_solver *solver = rct_solver_create(model, &options, &error);
        double lambda[32], *change = calloc((size_t)s.rates, sizeof *change);
        int64_t count;
        closed_system_answer(&s, s.problem.rows->speed, lambda, change);
        if (solver != NULL) {
            double *found = loop_state(solver, &count);
            const double *rates = found + count - s.rates;
            for (int64_t k = 0; k < s.rates; k++) {
                const double expected = s.state.rates[k] + change[k];
                assert_true(fabs(rates[k] - expected) <= 1e-9 * (1.0 + fabs(expected)));
            }
            free(found);
        } else {
            assert_int_equal(error.status, RCT_ERROR_LOOP);
        }
        free(change);
        rct_solver_free(solver);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* A closed state stays bit for bit; `as_given` leaves an open one. */
static void test_nothing_moves(void **state)
{
    (void)state;
    rct_model *closed = loop_chain(4, RCT_HINGE_REVOLUTE, 0.0, 0.0, 1);
    rct_model *open = loop_chain(4, RCT_HINGE_REVOLUTE, 0.0, -1.0, 1);
    rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    rct_solver *solver = loop_solver(closed, &options);
    const double zeros[8] = {0.0};
    loop_check_kept(solver, zeros);
    assert_int_equal(rct_solver_assemble(solver, NULL), RCT_OK);
    loop_check_kept(solver, zeros);
    rct_solver_free(solver);
    options.as_given = 1;
    solver = loop_solver(open, &options);
    loop_check_kept(solver, zeros);
    assert_true(loop_info(solver).position == 1.0);
    assert_int_equal(loop_info(solver).position_loop, 0);
    rct_solver_free(solver);
    rct_model_free(open);
    rct_model_free(closed);
}

static void test_impossible(void **state)
{
    (void)state;
    rct_error error;
    for (int k = 0; k < 5; k++) {
        const rct_solver_options options = loop_options((rct_closing)k);
        rct_model *model = loop_chain(3, RCT_HINGE_REVOLUTE, 0.3, 0.5, 1);
        assert_null(rct_solver_create(model, &options, &error));
        loop_expect(error.status, RCT_ERROR_LOOP, &error, 2,
                    "loop \"pin\" of body 2: it cannot be closed: it stays open by 0.");
        rct_model_free(model);
    }
}

/* A revolute closure whose axes point in opposite directions satisfies its rows in the opposite
 * sense. */
static void test_turned_round(void **state)
{
    (void)state;
    rct_model *model = rct_model_create("flipped", NULL);
    rct_body body = loop_rod(RCT_GROUND, RCT_HINGE_BALL);
    rct_loop loop = rct_loop_default();
    const rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    rct_error error;
    body.orientation[0] = 0.0;
    body.orientation[1] = 1.0; /* half a turn about x */
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    loop.type = RCT_LOOP_REVOLUTE;
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    assert_null(rct_solver_create(model, &options, &error));
    loop_expect(error.status, RCT_ERROR_LOOP, &error, 0, "frames turned round");
    rct_model_free(model);
}

/* ---- constraints that contradict one another ---------------------------------------------- */

/* A rod whose angle two relations prescribe differently. */
static rct_model *torn(double second)
{
    rct_model *model = rct_model_create("torn", NULL);
    rct_body body = loop_rod(RCT_GROUND, RCT_HINGE_REVOLUTE);
    const rct_loop_term term = {0, 0, 1.0};
    rct_loop loop = rct_loop_default();
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    loop.type = RCT_LOOP_RELATION;
    loop.term_count = 1;
    loop.terms = &term;
    loop.rate = 1.0;
    for (int k = 0; k < 2; k++, loop.rate = 1.0, loop.acceleration = second) {
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
    return model;
}

static void test_contradiction(void **state)
{
    (void)state;
    rct_error error;
    for (int k = 0; k < 5; k++) {
        const rct_solver_options options = loop_options((rct_closing)k);
        int64_t count;
        rct_model *model = torn(0.5), *agreed = torn(0.0);
        rct_solver *solver = loop_solver(model, &options);
        double *before = loop_state(solver, &count);
        loop_expect(rct_solver_evaluate(solver, &error), RCT_ERROR_LOOP, &error, 0,
                    "its accelerations cannot meet the constraints");
        loop_expect(rct_solver_step(solver, 1e-3, 5, &error), RCT_ERROR_LOOP, &error, 0,
                    "of rank 1)");
        assert_int_equal(error.step, 0);
        assert_true(rct_solver_time(solver) == 0.0);
        loop_check_kept(solver, before);
        assert_int_equal(rct_solver_set_loop_active(solver, 1, RCT_LOOP_RELEASED, &error), RCT_OK);
        assert_int_equal(rct_solver_step(solver, 1e-3, 5, &error), RCT_OK);
        free(before);
        rct_solver_free(solver);
        solver = loop_solver(agreed, &options);
        assert_int_equal(rct_solver_step(solver, 1e-3, 1000, &error), RCT_OK);
        before = loop_state(solver, &count);
        assert_true(fabs(before[0] - 1.0) < 1e-12 && fabs(before[1] - 1.0) < 1e-12);
        assert_int_equal(loop_info(solver).redundant, 1);
        free(before);
        rct_solver_free(solver);
        rct_model_free(agreed);
        rct_model_free(model);
    }
}

/* Two relations that prescribe different values of one coordinate: the error names both. */
static void test_two_places(void **state)
{
    (void)state;
    rct_error error;
    const rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    rct_model *model = rct_model_create("two places", NULL);
    const rct_body body = loop_rod(RCT_GROUND, RCT_HINGE_REVOLUTE);
    const rct_loop_term term = {0, 0, 1.0};
    rct_loop loop = rct_loop_default();
    assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    loop.type = RCT_LOOP_RELATION;
    loop.term_count = 1;
    loop.terms = &term;
    for (int k = 0; k < 2; k++) {
        loop.name = k == 0 ? "a" : "b";
        loop.offset = 1.0 + 0.5 * k;
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
    assert_null(rct_solver_create(model, &options, &error));
    loop_expect(error.status, RCT_ERROR_LOOP, &error, 0, "open by 0.25 (m or rad");
    assert_non_null(strstr(error.text, "loop \"a\""));
    assert_non_null(strstr(error.text, "loop \"b\""));
    assert_null(strstr(error.text, "prescribed motion"));
    rct_model_free(model);
}

/* A prescribed motion pulls a slider until the chain behind it is stretched: the impossible step is
 * undone completely. */
static void test_pulled_apart(void **state)
{
    (void)state;
    rct_error error;
    const rct_solver_options options = loop_options(RCT_CLOSING_ADMITTANCE);
    rct_model *model = loop_chain(2, RCT_HINGE_REVOLUTE, 0.3, 0.0, 0);
    rct_body slider = loop_rod(RCT_GROUND, RCT_HINGE_PRISMATIC);
    const rct_loop_term term = {2, 0, 1.0};
    rct_loop pin = rct_loop_default(), pull = rct_loop_default();
    slider.hinge_axis[0] = 1.0;
    slider.hinge_axis[2] = 0.0;
    slider.position[0] = 2.0 * cos(0.3);
    assert_int_equal(rct_model_add_body(model, &slider, NULL, NULL), RCT_OK);
    pin.name = "hook";
    pin.type = RCT_LOOP_PLANAR_REVOLUTE;
    pin.body = 1;
    pin.at[0] = 1.0;
    pin.other = 2;
    pull.type = RCT_LOOP_RELATION;
    pull.term_count = 1;
    pull.terms = &term;
    pull.offset = 2.0 * cos(0.3);
    pull.rate = 0.5;
    assert_int_equal(rct_model_add_loop(model, &pin, NULL, NULL), RCT_OK);
    assert_int_equal(rct_model_add_loop(model, &pull, NULL, NULL), RCT_OK);
    rct_solver *solver = loop_solver(model, &options), *other = loop_solver(model, &options);
    const rct_status status = rct_solver_step(solver, 1e-3, 1000, &error);
    assert_int_equal(status, RCT_ERROR_LOOP);
    assert_true(error.step > 150 && error.step < 210);
    assert_non_null(strstr(error.text, "or check whether a prescribed motion demands"));
    assert_true(strstr(error.text, "hook") != NULL || strstr(error.text, "loop2") != NULL);
    const int64_t whole = error.step;
    int64_t count;
    assert_int_equal(rct_solver_step(other, 1e-3, whole, &error), RCT_OK);
    double *kept = loop_state(other, &count);
    loop_check_kept(solver, kept);
    assert_true(rct_solver_time(solver) == rct_solver_time(other));
    free(kept);
    rct_solver_free(solver);
    rct_solver_free(other);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_assembly),      cmocka_unit_test(test_velocities),
        cmocka_unit_test(test_nothing_moves), cmocka_unit_test(test_impossible),
        cmocka_unit_test(test_turned_round),  cmocka_unit_test(test_contradiction),
        cmocka_unit_test(test_two_places),    cmocka_unit_test(test_pulled_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
