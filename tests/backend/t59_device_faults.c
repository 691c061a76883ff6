/* Faults of the model on an accelerator: singular links in pieces, beside pieces, in bushes and in
 * the trunk, and motion that overflows, in an evaluation and within many steps. Status, body and
 * step are those of the serial sweep on the cpu. States and time are those of the last complete
 * step, bit for bit, and the solver continues unharmed. Skipped where the cpu is the only
 * backend. */
#include "tests/support/cmocka_all.h"

#include "tests/support/answers/plain_rk4.h"
#include "tests/support/answers/whole_state.h"
#include "tests/support/faults/fault_aim.h"
#include "tests/support/faults/fault_solver.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int there_is_an_accelerator(void)
{
    rct_backend_info info;
    assert_int_equal(rct_backend_describe(0, &info, NULL), RCT_OK);
    if (!info.available) {
        print_message("%s skipped: %s\n", info.name, info.reason);
    }
    return info.available;
}

static double *numbers(int64_t count)
{
    double *v = malloc((size_t)count * sizeof *v);
    assert_non_null(v);
    return v;
}

/* ---- singular at an evaluation ------------------------------------------------------------ */

static void check_place(rct_solver *solver, const fault_tree *tree, int32_t i, int deep)
{
    double *orientation = numbers(4 * (int64_t)tree->bodies);
    memcpy(orientation, tree->orientation, 4 * (size_t)tree->bodies * sizeof *orientation);
    fault_tree_align(tree, i, deep, orientation);
    assert_int_equal(rct_solver_set_state(solver, orientation, tree->rate, NULL), RCT_OK);
    const int32_t body = fault_expect(solver, RCT_ERROR_SINGULAR);
    if (body != i) {
        char instead[64];
        snprintf(instead, sizeof instead, ", not %" PRId32 "%s", i, deep ? " (deep)" : "");
        fault_fail(solver, body, instead);
    }
    free(orientation);
}

static void check_places(const fault_tree *tree, rct_method method, int64_t segment, int division)
{
    rct_solver *solver = fault_solver(tree->model, method, segment, division);
    for (int32_t i = 0; i < tree->bodies; i++) {
        const int turn = (i + 2 * division + (int)method) % 4; /* each place once in four cases */
        if (tree->arm[i] >= 0 && turn == 0) {
            check_place(solver, tree, i, 0);
        }
        if (tree->second[i] >= 0 && turn == 2) {
            check_place(solver, tree, i, 1);
        }
    }
    fault_expect_sound(solver, tree, method, segment, division);
    rct_solver_free(solver);
}

/* Trees with all the parts into which a device divides them. */
static void expect_all_parts(const fault_tree *tree)
{
    rct_solver_info info;
    rct_solver *solver = fault_solver(tree->model, RCT_METHOD_ABI, 5, ON_DEVICE);
    rct_solver_get_info(solver, &info);
    assert_true(info.segments > 3 && info.tasks > 3 && info.trunk > 3);
    rct_solver_free(solver);
}

static void test_every_place(void **state)
{
    (void)state;
    static const int64_t segments[FAULT_KINDS] = {5, 3, 8, RCT_SEGMENT_AUTO};
    for (int k = 0; k < FAULT_KINDS && there_is_an_accelerator(); k++) {
        fault_tree *tree = fault_tree_branched(fault_kinds[k]);
        expect_all_parts(tree);
        for (int d = 0; d < 4; d++) {
            check_places(tree, (rct_method)(d % 2), segments[k], ON_DEVICE + d / 2);
        }
        fault_tree_free(tree);
    }
    for (int phase = 0; phase < 3 && there_is_an_accelerator(); phase++) {
        fault_tree *tree = fault_tree_chain((fault_kind){.period = 3, .phase = phase}, 36);
        for (int d = 0; d < 6; d++) {
            check_places(tree, (rct_method)(d % 2), 1 + 2 * phase, ON_DEVICE + d / 2);
        }
        fault_tree_free(tree);
    }
}

/* ---- two at once -------------------------------------------------------------------------- */

enum { PAIRS = 8 };

/* For pairs of lines, far and near, the error names one of the two, and the same one again. */
static void check_pairs(const fault_tree *tree, rct_solver *solver)
{
    const size_t bytes = 4 * (size_t)tree->bodies * sizeof(double);
    double *orientation = numbers(4 * (int64_t)tree->bodies);
    int32_t sites[200], count = 0;
    for (int32_t i = 0; i < tree->bodies; i++) {
        if (tree->arm[i] >= 0) {
            sites[count++] = i;
        }
    }
    for (int k = 0; k < PAIRS; k++) {
        const int32_t one = sites[(7 * k) % count];
        const int32_t other = sites[(7 * k + 1 + (11 * k) % (count - 1)) % count];
        memcpy(orientation, tree->orientation, bytes);
        fault_tree_align(tree, one, 0, orientation);
        fault_tree_align(tree, other, 0, orientation);
        assert_int_equal(rct_solver_set_state(solver, orientation, tree->rate, NULL), RCT_OK);
        const int32_t blamed = fault_expect(solver, RCT_ERROR_SINGULAR);
        if (blamed != one && blamed != other) {
            fault_fail(solver, blamed, ", neither of the two");
        }
        assert_int_equal(fault_expect(solver, RCT_ERROR_SINGULAR), blamed);
    }
    free(orientation);
}

/* The cpu names the one with the smaller label; a device that sweeps plain ball trees names the
 * outer one. */
static void test_of_two_one_is_named(void **state)
{
    (void)state;
    for (int k = 0; k < FAULT_KINDS && there_is_an_accelerator(); k++) {
        fault_tree *tree = fault_tree_branched(fault_kinds[k]);
        for (int d = 0; d < 4; d++) {
            rct_solver *device =
                fault_solver(tree->model, (rct_method)(d % 2), 1 + 2 * k, ON_DEVICE + d / 2);
            check_pairs(tree, device);
            rct_solver_free(device);
        }
        rct_solver *cpu = fault_solver(tree->model, RCT_METHOD_ABI, 0, 0);
        check_pairs(tree, cpu);
        rct_solver_free(cpu);
        fault_tree_free(tree);
    }
}

/* ---- in the midst of many steps ----------------------------------------------------------- */

typedef struct ending {
    rct_status status;
    int32_t body;
    int64_t step;
} ending;

/* `steps` steps from x, which fail; the visible state afterwards is that of the complete steps
 * alone. */
static ending fail_in_steps(rct_solver *solver, rct_solver *twin, int32_t n, const double *x,
                            double dt, int64_t steps)
{
    rct_error error = {.status = RCT_OK};
    assert_int_equal(plain_motion_set(solver, n, x, NULL), RCT_OK);
    rct_solver_set_time(solver, 3.0);
    const rct_status status = rct_solver_step(solver, dt, steps, &error);
    assert_int_not_equal(status, RCT_OK);
    assert_int_equal(error.status, status);
    assert_true(error.step >= 0 && error.step < steps);
    assert_int_equal(plain_motion_set(twin, n, x, NULL), RCT_OK);
    rct_solver_set_time(twin, 3.0);
    assert_int_equal(rct_solver_step(twin, dt, error.step, NULL), RCT_OK);
    whole_state whole = whole_state_take(twin);
    whole_state_expect(solver, &whole);
    whole_state_free(&whole);
    return (ending){status, error.body, error.step};
}

/* Like `wanted`, on the cpu and on the device. NULL: motion that overflows, where each finds its
 * own error, but in the same step. */
static void expect_the_ending_of_the_cpu(const fault_tree *tree, int64_t segment, const double *x,
                                         double dt, int64_t steps, const ending *wanted)
{
    rct_solver *cpu = fault_solver(tree->model, RCT_METHOD_ABI, 0, 0);
    rct_solver *twin = fault_solver(tree->model, RCT_METHOD_ABI, 0, 0);
    const ending serial = fail_in_steps(cpu, twin, tree->bodies, x, dt, steps);
    rct_solver_free(cpu);
    rct_solver_free(twin);
    assert_memory_equal(&serial, wanted != NULL ? wanted : &serial, sizeof serial);
    for (int d = 0; d < 4; d++) {
        const rct_method method = (rct_method)(d % 2);
        rct_solver *device = fault_solver(tree->model, method, segment, ON_DEVICE + d / 2);
        rct_solver *other = fault_solver(tree->model, method, segment, ON_DEVICE + d / 2);
        const ending own = fail_in_steps(device, other, tree->bodies, x, dt, steps);
        const int same = own.status == serial.status && own.body == serial.body;
        if (own.step != serial.step || (wanted != NULL && !same)) {
            fail_msg("%s, pieces of %" PRId64 ", junction %d: %s of body %" PRId32
                     " in step %" PRId64 ", on the cpu %s of %" PRId32 " in %" PRId64,
                     rct_method_name(method), segment, d / 2, rct_status_name(own.status), own.body,
                     own.step, rct_status_name(serial.status), serial.body, serial.step);
        }
        fault_expect_sound(device, tree, method, segment, ON_DEVICE + d / 2);
        rct_solver_free(device);
        rct_solver_free(other);
    }
}

/* 0 if no such state is found. */
static int check_singular_stage(const fault_tree *tree, int32_t i, int64_t step, int stage)
{
    const double dt = 1e-3;
    const int32_t n = tree->bodies;
    double *x = numbers(PLAIN_ROW * (int64_t)n);
    rct_solver *plain = fault_solver(tree->model, RCT_METHOD_ABI, 0, 0);
    plain_motion_get(plain, n, x);
    memset(x + PLAIN_ROW * i + 4, 0, 3 * sizeof *x);
    memcpy(x + PLAIN_ROW * tree->arm[i] + 4, (double[3]){48.0, -120.0, 100.0}, 3 * sizeof *x);
    const int found = fault_aim(plain, tree, i, dt, step, stage, x);
    rct_solver_free(plain);
    if (found) {
        const ending wanted = {RCT_ERROR_SINGULAR, i, step};
        expect_the_ending_of_the_cpu(tree, 1 + 2 * stage, x, dt, step + 3 + stage, &wanted);
    }
    free(x);
    return found;
}

static void test_each_stage_of_a_later_step_may_be_singular(void **state)
{
    (void)state;
    if (!there_is_an_accelerator()) {
        return;
    }
    fault_tree *tree = fault_tree_branched((fault_kind){.period = 2});
    int32_t met = 0, found[4] = {0};
    for (int32_t i = 0; i < tree->bodies; i++) {
        for (int stage = 0; stage < 4 && tree->arm[i] >= 0 && met % 8 == 0; stage++) {
            found[stage] += check_singular_stage(tree, i, (met / 8 + stage) % 3, stage);
        }
        met += tree->arm[i] >= 0;
    }
    for (int stage = 0; stage < 4; stage++) {
        assert_true(found[stage] >= 2);
    }
    fault_tree_free(tree);
}

/* A stage that overflows: at once, or some steps after a rate that is only much too large. */
static void test_motion_beyond_all_numbers(void **state)
{
    (void)state;
    static const double sizes[] = {1e4, 1e5, 1e7, 1e10, 1e20, 1e40, 1e80, 1e150, 1e200};
    for (int k = 0; k < FAULT_KINDS && there_is_an_accelerator(); k += 2) {
        fault_tree *tree = fault_tree_branched(fault_kinds[k]);
        double *x = numbers(PLAIN_ROW * (int64_t)tree->bodies);
        for (int s = 0; s < 9; s++) {
            rct_solver *plain = fault_solver(tree->model, RCT_METHOD_ABI, 0, 0);
            plain_motion_get(plain, tree->bodies, x);
            x[PLAIN_ROW * ((13 * s + 40 * k) % tree->bodies) + 4 + s % 3] = sizes[s];
            rct_solver_free(plain);
            expect_the_ending_of_the_cpu(tree, 1 + k, x, 1e-3, 100, NULL);
        }
        free(x);
        fault_tree_free(tree);
    }
}

/* The number of steps, at most `most`, after which a chain that turns by `turn` rad per step
 * overflows; the solver is then in the state after the first `before` of them. */
static int64_t steps_to_the_end(rct_solver *solver, const fault_tree *tree, double turn,
                                int64_t before, int64_t most, rct_error *error)
{
    const double dt = 1e-2;
    double *rate = numbers(3 * (int64_t)tree->bodies);
    for (int32_t i = 0; i < 3 * tree->bodies; i++) {
        rate[i] = tree->rate[i] * turn / dt;
    }
    assert_int_equal(rct_solver_set_state(solver, tree->orientation, rate, NULL), RCT_OK);
    free(rate);
    assert_int_equal(rct_solver_step(solver, dt, before, NULL), RCT_OK);
    return rct_solver_step(solver, dt, most, error) == RCT_OK ? most : error->step;
}

/* The host checks a device that steps by itself only now and then (src/backend/cuda/steps.c):
 * wherever the fault falls between two checks, the steps before it are done and those after it are
 * not. */
static void test_faults_between_and_at_the_looks_of_the_host(void **state)
{
    (void)state;
    static const int64_t ahead[] = {0, 1, 62, 63, 64, 65};
    fault_tree *tree = fault_tree_chain((fault_kind){.period = 2}, 12);
    int found = 0;
    for (int k = 0; k < 6 && there_is_an_accelerator(); k++) {
        rct_error error = {.status = RCT_OK}, later = error;
        const double turn = 0.008 + 0.002 * k;
        const int division = k % 3 == 0 ? AS_CHOSEN : ON_DEVICE + 1;
        rct_solver *solver = fault_solver(tree->model, (rct_method)(k % 2), 3, division);
        const int64_t steps = steps_to_the_end(solver, tree, turn, 0, 700, &error);
        for (int i = 0; i < 6 && steps > 65 && steps < 700; i++) {
            whole_state before = whole_state_take(solver);
            const int64_t left =
                steps_to_the_end(solver, tree, turn, steps - ahead[i], 200, &later);
            assert_int_equal(left, ahead[i]);
            assert_int_equal(later.status, error.status);
            assert_int_equal(later.body, error.body);
            rct_solver_set_time(solver, before.numbers[13 * tree->bodies]);
            whole_state_expect(solver, &before);
            whole_state_free(&before);
            found++;
        }
        rct_solver_free(solver);
    }
    assert_true(found >= 6 || !there_is_an_accelerator());
    fault_tree_free(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_place),
        cmocka_unit_test(test_of_two_one_is_named),
        cmocka_unit_test(test_each_stage_of_a_later_step_may_be_singular),
        cmocka_unit_test(test_motion_beyond_all_numbers),
        cmocka_unit_test(test_faults_between_and_at_the_looks_of_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
