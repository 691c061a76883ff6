/* Calls that fail the test on an error (must.h). */
#include "tests/support/must.h"

#include "backend/cpu/kernels.h"
#include "model/model.h"
#include "tests/support/cmocka_all.h"

rct_solver *must_solver(const rct_model *model, const rct_solver_options *options)
{
    rct_error error = {0};
    const rct_solver_options plain = rct_solver_options_default();
    rct_solver *solver = rct_solver_create(model, options != NULL ? options : &plain, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

void must_step(rct_solver *solver, double dt, int64_t steps)
{
    rct_error error = {0};
    if (rct_solver_step(solver, dt, steps, &error) != RCT_OK) {
        fail_msg("step %lld: %s", (long long)error.step, error.text);
    }
}

void must_add(rct_model *model, const rct_body *body)
{
    rct_error error = {0};
    if (rct_model_add_body(model, body, NULL, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

void must_force(rct_model *model, const rct_force *force)
{
    rct_error error = {0};
    if (rct_model_add_force(model, force, NULL, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

void must_put(rct_model *model, int32_t id, const rct_body *body)
{
    rct_error error = {0};
    if (rct_model_reserve(model, 0, &error) != RCT_OK ||
        rct_bodies_put(model->bodies, id, body, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

rct_model *must_generate(const rct_family *family)
{
    rct_error error;
    rct_model *model = rct_model_generate(family, &error);
    if (model == NULL) {
        fail_msg("%s: %s", family->family, error.text);
    }
    return model;
}

rct_model *must_family(const char *name, int64_t bodies, rct_hinge_type hinge)
{
    rct_family family = rct_family_default();
    family.family = name;
    family.bodies = bodies;
    family.hinge = hinge;
    return must_generate(&family);
}

int32_t lanes_up_to(int32_t lanes)
{
    const int32_t most = rct_cpu_kernels(0, NULL)->lanes;
    return lanes < most ? lanes : most;
}

rct_ensemble *must_ensemble(rct_model *model, int64_t members, double perturb, int32_t count,
                            const rct_variation *variations)
{
    rct_error error;
    const rct_ensemble_options options = {members, 5, count, variations, perturb};
    assert_non_null(model);
    rct_ensemble *ensemble = rct_ensemble_create(model, &options, &error);
    if (ensemble == NULL) {
        fail_msg("%s", error.text);
    }
    rct_model_free(model);
    return ensemble;
}
