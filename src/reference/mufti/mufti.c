/* The formulations of seed 004 beside eq. 10: what each covers, and one evaluation. */
#include "reference/mufti/mufti.h"

#include "core/error.h"
#include "model/model.h"

#include <inttypes.h>

enum {
    BALL = 1 << RCT_HINGE_BALL,
    FREE = 1 << RCT_HINGE_FREE,
    TURNING = BALL | FREE | 1 << RCT_HINGE_UNIVERSAL | 1 << RCT_HINGE_REVOLUTE |
              1 << RCT_HINGE_FIXED, /* section 3.2, a fixed hinge by n_j = 0 */
    SLIDING = TURNING | 1 << RCT_HINGE_PRISMATIC | 1 << RCT_HINGE_CYLINDRICAL |
              1 << RCT_HINGE_PLANAR, /* Remark 5 */
};

typedef struct formulation {
    int hinges;   /* 1 << type of every type it covers                */
    int floating; /* 1: no hinge may be on the ground: section 3.1 without Remark 3 */
    const char *covers;
    rct_mufti_formulation *solve;
} formulation;

static const char balls[] = "ball and free hinges";
static const char turning[] = "ball, universal, revolute, fixed and free hinges";

static const formulation formulations[] = {
    [RCT_REFERENCE_FORCES] = {TURNING, 0, turning, rct_mufti_forces},
    [RCT_REFERENCE_MIXED] = {BALL | FREE, 0, balls, rct_mufti_mixed},
    [RCT_REFERENCE_SPINS] = {BALL | FREE, 0, balls, rct_mufti_spins},
    [RCT_REFERENCE_AUGMENTED] = {BALL | FREE, 0, balls, rct_mufti_augmented},
    [RCT_REFERENCE_BARYCENTRES] = {BALL | FREE, 1, "ball hinges on trees that float freely",
                                   rct_mufti_barycentres},
    [RCT_REFERENCE_DIRECTIONS] = {SLIDING, 0, "all hinges but helical ones", rct_mufti_directions},
    [RCT_REFERENCE_TORQUES] = {TURNING, 0, turning, rct_mufti_torques},
    [RCT_REFERENCE_ANGLES] = {TURNING, 0, turning, rct_mufti_angles},
};

int rct_mufti_knows(rct_reference reference)
{
    const int last = (int)(sizeof formulations / sizeof formulations[0]) - 1;
    const int number = (int)reference;
    return number >= 0 && number <= last && formulations[number].solve != NULL;
}

static rct_status check(const rct_model *model, rct_reference reference, rct_error *error)
{
    const formulation *f = &formulations[reference];
    const char *name = rct_reference_name(reference);
    if (model->count > MUFTI_MOST_BODIES) {
        return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                        "reference %s forms matrices in full: up to %d bodies, the model has "
                        "%" PRId32 "; use the lagrange reference",
                        name, (int)MUFTI_MOST_BODIES, model->count);
    }
    for (int32_t i = 0; i < model->count; i++) {
        const rct_body *body = rct_bodies_at(model->bodies, i);
        const int held = model->bodies->parent[i] == RCT_GROUND && body->hinge != RCT_HINGE_FREE;
        if ((f->hinges >> body->hinge & 1) == 0 || (f->floating && held)) {
            return rct_model_fail_body(model, i, error, RCT_ERROR_UNSUPPORTED,
                                       " has a %s hinge%s; reference %s covers %s, use the "
                                       "lagrange reference",
                                       rct_hinge_name(body->hinge), held ? " on the ground" : "",
                                       name, f->covers);
        }
    }
    return RCT_OK;
}

rct_status rct_mufti_evaluate(const rct_model *model, rct_reference reference, double time,
                              const rct_pose *pose, rct_reference_result *result, rct_error *error)
{
    rct_mufti s = {.model = model,
                   .pose = pose,
                   .ground = rct_pose_ground(model, time),
                   .algebra = {.error = error, .pool = {.what = "the system of a reference"}},
                   .n = model->count};
    rct_status status = check(model, reference, error);
    RCT_THEN(status, rct_mufti_make(&s));
    if (status == RCT_OK) {
        const rct_mufti_solution solution = formulations[reference].solve(&s);
        rct_mufti_give_back(&s, &solution, result);
        status = s.algebra.status;
    }
    rct_pool_empty(&s.algebra.pool);
    return status;
}
