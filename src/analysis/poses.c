/* Poses of closed systems at rest (statics.h): whether they rest when they are let go, and whether
 * constraints that follow from others do so beside the pose too. */
#include "analysis/statics.h"

#include "core/error.h"

/* Multipliers have run away if hinges carry this many times more with them than in the system let
 * go. */
static const double run_away = 10.0;

rct_status rct_statics_let_go(rct_statics *s, const double *multipliers, int *loose,
                              double *residual, rct_error *error)
{
    rct_error own = {.status = RCT_OK};
    if (s->rows == NULL) {
        return RCT_OK;
    }
    const double scale = rct_statics_scale(s);
    const rct_status status = rct_statics_look(s, NULL, &own);
    const double left = status == RCT_OK ? rct_statics_residual(s, NULL) : 0.0;
    if (!rct_statics_rests(left)) {
        *residual = left;
        return RCT_OK;
    }
    *loose = *loose || scale > run_away * rct_statics_scale(s);
    if (!*loose && (status == RCT_OK || status == RCT_ERROR_LOOP)) {
        return rct_statics_look(s, multipliers, error);
    }
    if (status != RCT_OK && error != NULL) {
        *error = own;
    }
    return status;
}

int32_t rct_statics_dependent(const rct_statics *s)
{
    for (int32_t i = 0; s->rows != NULL && i < s->rows->count; i++) {
        if (!s->kept[i]) {
            return i;
        }
    }
    return -1;
}

/* Random rates, of rad/s and lengths of the system per second. */
static void scatter(const rct_statics *s, double *rates)
{
    uint64_t state = 1;
    for (int64_t r = 0; r < s->rates; r++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        rates[r] = ((double)(int64_t)(state >> 11) * 0x1p-52 - 1.0) * rct_statics_unit(s, r);
    }
}

/* Set bodies going; RCT_ERROR_LOOP: moving bodies cannot keep loops closed. */
static rct_status set_going(rct_statics *s, double *rates, rct_error *error)
{
    rct_solver *solver = s->solver;
    scatter(s, rates);
    rct_status status = rct_solver_write_coordinates(solver, s->coordinates, rates, error);
    RCT_THEN(status, rct_closed_assemble(solver, solver->time, error));
    RCT_THEN(status, rct_solver_evaluate_inside(solver, error));
    return status;
}

rct_status rct_statics_check_pose(rct_statics *s, rct_error *error)
{
    rct_solver *solver = s->solver;
    const rct_plan *plan = solver->plan;
    const int32_t row = rct_statics_dependent(s), loop = row >= 0 ? s->rows->loop[row] : -1;
    if (row < 0) {
        return RCT_OK;
    }
    rct_pool pool = {.what = "a pose"};
    double *state =
        rct_pool_take(&pool, rct_link_state(&plan->links, plan->links.count), sizeof *state, error);
    double *rates = rct_pool_take(&pool, s->rates, sizeof *rates, error);
    rct_status status = RCT_ERROR_MEMORY;
    if (!pool.failed) {
        solver->backend->read_state(solver->run, state);
        status = set_going(s, rates, error);
        solver->backend->write_state(solver->run, state);
        solver->evaluated = 0;
    }
    rct_pool_empty(&pool);
    if (status == RCT_ERROR_LOOP) {
        char name[RCT_NAME_SIZE];
        rct_closed_name_loop(solver->closed, loop, name);
        return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                        "constraints of loop \"%s\" follow from others in this pose, but not in "
                        "poses close to it, as for an arm that is stretched out: motions about "
                        "this pose are not linear; choose another state",
                        name);
    }
    return status == RCT_OK ? rct_statics_look(s, NULL, error) : status;
}
