/* Solvers for tests of failures, and snapshots of a solver's visible state (snapshot.h). */
#include "tests/dynamics/snapshot.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/systems/random_system.h"

#include <string.h>

rct_solver *snapshot_solver(const rct_model *model, rct_method method)
{
    rct_solver_options options = rct_solver_options_default();
    options.method = method;
    rct_error error;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

rct_model *snapshot_tree(void)
{
    const random_system system = {
        .bodies = SNAPSHOT_BODIES, .fixed = 0.2, .shuffled = 1, .spin = 1.0, .seed = 6};
    rct_model *model = random_system_create(&system);
    assert_non_null(model);
    return model;
}

snapshot snapshot_take(const rct_solver *solver)
{
    static snapshot s;
    rct_solver_info info;
    memset(&s, 0, sizeof s);
    rct_solver_get_info(solver, &info);
    assert_true(info.bodies <= SNAPSHOT_BODIES);
    rct_solver_get_state(solver, s.orientation[0], s.rate[0], s.position[0], s.velocity[0]);
    s.time = rct_solver_time(solver);
    return s;
}

void snapshot_expect(const rct_solver *solver, const snapshot *before)
{
    const snapshot now = snapshot_take(solver);
    assert_memory_equal(&now, before, sizeof now);
}

rct_status snapshot_set(rct_solver *solver, const snapshot *state, rct_error *error)
{
    return rct_solver_set_state(solver, state->orientation[0], state->rate[0], error);
}

int32_t snapshot_find(const rct_model *model, rct_hinge_type hinge)
{
    for (int32_t b = 0; b < SNAPSHOT_BODIES; b++) {
        rct_body body;
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        if (body.hinge == hinge) {
            return b;
        }
    }
    fail_msg("no such body");
    return -1;
}
