/* Solvers of fault trees (fault_solver.h). */
#include "tests/support/faults/fault_solver.h"

#include "tests/support/answers/whole_state.h"
#include "tests/support/device/accelerator.h"

#include <inttypes.h>

/* Threads and lanes. */
static const int32_t divisions[DIVISIONS][2] = {{1, 1}, {8, 8}, {2, 4}, {3, 2}, {1, 8},
                                                {2, 1}, {8, 1}, {3, 4}, {2, 8}, {1, 2}};

const fault_kind fault_kinds[FAULT_KINDS] = {
    {.period = 2}, {.period = 2, .phase = 1, .side = 1}, {.period = 3}, {.period = 3, .phase = 2}};

rct_solver *fault_solver(const rct_model *model, rct_method method, int64_t segment, int division)
{
    rct_solver_options options = {.method = method, .backend = "cpu", .segment = segment};
    const char *device = division < ON_DEVICE ? NULL : accelerator();
    if (division < ON_DEVICE) {
        options.threads = divisions[division][0];
        options.lanes = divisions[division][1];
    } else {
        options.backend = device != NULL ? device : "cpu";
        options.junction = division == AS_CHOSEN   ? RCT_JUNCTION_AUTO
                           : division == ON_DEVICE ? RCT_JUNCTION_HOST
                                                   : RCT_JUNCTION_DEVICE;
    }
    rct_error error;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL && error.status != RCT_ERROR_UNSUPPORTED) {
        fail_msg("%s", error.text);
    }
    return solver;
}

int32_t fault_expect(rct_solver *solver, rct_status status)
{
    whole_state before = whole_state_take(solver);
    rct_error first = {.status = RCT_OK}, error = {.status = RCT_OK};
    assert_int_equal(rct_solver_evaluate(solver, &first), status);
    assert_int_equal(first.status, status);
    assert_int_equal(first.step, -1);
    whole_state_expect(solver, &before);
    assert_int_equal(rct_solver_step(solver, 1e-3, 5, &error), status);
    assert_int_equal(error.body, first.body);
    assert_int_equal(error.step, 0);
    whole_state_expect(solver, &before);
    whole_state_free(&before);
    return first.body;
}

void fault_expect_sound(rct_solver *solver, const fault_tree *tree, rct_method method,
                        int64_t segment, int division)
{
    rct_solver *fresh = fault_solver(tree->model, method, segment, division);
    rct_solver *both[2] = {solver, fresh};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(rct_solver_set_state(both[i], tree->orientation, tree->rate, NULL),
                         RCT_OK);
        rct_solver_set_time(both[i], 0.0);
        assert_int_equal(rct_solver_evaluate(both[i], NULL), RCT_OK);
        assert_int_equal(rct_solver_step(both[i], 1e-4, 3, NULL), RCT_OK);
    }
    whole_state should = whole_state_take(fresh);
    whole_state_expect(solver, &should);
    whole_state_free(&should);
    rct_solver_free(fresh);
}

void fault_fail(const rct_solver *solver, int32_t blamed, const char *instead)
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    fail_msg("%s on %s, segments of %" PRId32 ", %" PRId32 " threads, %" PRId32
             " lanes: body %" PRId32 " is blamed%s",
             info.method, info.backend, info.segment_length, info.threads, info.lanes, blamed,
             instead);
}
