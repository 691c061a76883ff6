/* Checks whether the integrator conserving takes a model: all forces must depend only on where
 * bodies are. The integrator asks for the forces on bodies at rest (integrate/conserving.c), so it
 * would miss forces that depend on velocities. */
#include "core/error.h"
#include "dynamics/solver.h"
#include "model/hinge_types.h"
#include "model/loop_check.h"
#include "model/model.h"

#include <inttypes.h>

static const char instead[] = "use the integrator rk4, dopri5 or implicit";

static rct_status check_hinges(const rct_plan *plan, rct_error *error)
{
    for (int32_t b = 0; b < plan->body_count; b++) {
        const rct_body *body = rct_bodies_at(plan->bodies, b);
        for (int i = 0; i < rct_hinge_uses(body->hinge, RCT_KEY_DAMPING); i++) {
            if (body->damping[i] != 0.0) {
                char label[RCT_BODY_LABEL];
                return rct_fail_body(error, RCT_ERROR_UNSUPPORTED, b,
                                     "%s: its hinge is damped, and the integrator conserving is "
                                     "for systems that keep their energy; %s",
                                     rct_bodies_label(plan->bodies, b, label), instead);
            }
        }
    }
    return RCT_OK;
}

/* Types whose forces depend on positions only, unless they have damping; curves only where they are
 * over the coordinate. */
static const int by_places = 1 << RCT_FORCE_WRENCH | 1 << RCT_FORCE_SPRING | 1 << RCT_FORCE_LIMIT |
                             1 << RCT_FORCE_CURVE | 1 << RCT_FORCE_CABLE;

static rct_status check_forces(const rct_model *model, rct_error *error)
{
    for (int32_t i = 0; i < model->force_count; i++) {
        const rct_force *force = &model->forces[i];
        const char *name = rct_force_type_name(force->type);
        if (force->damping != 0.0) {
            return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                            "force %" PRId32 ": this %s is damped, and the integrator conserving "
                            "is for systems that keep their energy; %s",
                            i, name, instead);
        }
        if ((by_places >> force->type & 1) == 0 || force->over != RCT_OVER_COORDINATE) {
            return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                            "force %" PRId32
                            ": forces such as this %s may depend on more than positions, and "
                            "the integrator conserving is for systems that keep their energy; %s",
                            i, name, instead);
        }
    }
    return RCT_OK;
}

static rct_status check_loops(const rct_model *model, rct_error *error)
{
    for (int32_t i = 0; i < rct_model_loop_count(model); i++) {
        if (rct_loop_moves(&model->loops[i])) {
            return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                            "loop %" PRId32 ": it prescribes a motion, and the integrator "
                            "conserving is for systems that keep their energy; %s",
                            i, instead);
        }
    }
    return RCT_OK;
}

rct_status rct_solver_conserves(rct_solver *solver, rct_error *error)
{
    const rct_model *model = solver->plan->surroundings;
    const char *what = rct_model_has_base(model)     ? "a ground that moves"
                       : solver->options.user_forces ? "forces of the user"
                                                     : NULL;
    if (what != NULL) {
        return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                        "%s: the integrator conserving is for systems that keep their energy, "
                        "under forces that depend on positions alone; %s",
                        what, instead);
    }
    if (rct_model_loop_count(model) > 0 && solver->options.drift != RCT_DRIFT_PROJECT) {
        return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                        "drift %s: the integrator conserving keeps loops closed by its steps; use "
                        "the drift project",
                        rct_drift_name(solver->options.drift));
    }
    rct_status status = check_hinges(solver->plan, error);
    RCT_THEN(status, check_loops(model, error));
    RCT_THEN(status, check_forces(model, error));
    if (status == RCT_OK) { /* made anew: its tree copies numbers of the bodies */
        rct_operation_free(solver->operation);
        solver->operation = rct_operation_create(solver, error);
        status = solver->operation != NULL ? RCT_OK : RCT_ERROR_MEMORY;
    }
    return status;
}
