/* The formulations of seed 004 besides eq. 10: the models each covers, and one evaluation. */
#include "reference/mufti/mufti.h"

#include "core/error.h"
#include "model/model.h"

#include <inttypes.h>

enum {
    BALL = 1 << RCT_HINGE_BALL | 1 << RCT_HINGE_FREE,
    TURNING = BALL | 1 << RCT_HINGE_UNIVERSAL | 1 << RCT_HINGE_REVOLUTE |
              1 << RCT_HINGE_FIXED,   /* section 3.2, a fixed hinge by n_j = 0 */
    ALL = (1 << RCT_HINGE_TYPES) - 1, /* Remark 5 */
    MOST_OF_GAUSS = 200,              /* singular values of 6 n rows */
};

typedef struct formulation {
    int hinges;   /* 1 << type of every hinge type it covers          */
    int floating; /* 1: no hinge may be on the ground: section 3.1 without Remark 3 */
    int closed;   /* 1: closes loops itself, eq. 63; 0: loops are closed on top of it, eq. 73 */
    int32_t most; /* bodies */
    rct_mufti_formulation *solve;
    const char *covers; /* and the terms its equation leaves out */
} formulation;

static const char all_hinges[] = "all hinges";
static const char balls[] =
    "ball and free hinges: the only unknowns of its equation are angular accelerations, so it has "
    "no torque of a hinge that turns about fewer than three axes (eq. 51 has)";
static const char turning[] = "ball, universal, revolute, fixed and free hinges: its equation "
                              "eliminates all three components of hinge forces by T_2 C = E (eq. "
                              "24), and a hinge that slides has fewer (Remark 5)";
static const char afloat[] = "ball hinges on trees that float freely: eq. 38 has barycentres of "
                             "all bodies of a tree, and the ground is not one of them (Remark 3)";

static const formulation formulations[] = {
    [RCT_REFERENCE_FORCES] = {ALL, 0, 0, MUFTI_MOST_BODIES, rct_mufti_forces, all_hinges},
    [RCT_REFERENCE_MIXED] = {ALL, 0, 0, MUFTI_MOST_BODIES, rct_mufti_mixed, all_hinges},
    [RCT_REFERENCE_SPINS] = {BALL, 0, 0, MUFTI_MOST_BODIES, rct_mufti_spins, balls},
    [RCT_REFERENCE_AUGMENTED] = {BALL, 0, 0, MUFTI_MOST_BODIES, rct_mufti_augmented, balls},
    [RCT_REFERENCE_BARYCENTRES] = {BALL, 1, 0, MUFTI_MOST_BODIES, rct_mufti_barycentres, afloat},
    [RCT_REFERENCE_DIRECTIONS] = {ALL, 0, 0, MUFTI_MOST_BODIES, rct_mufti_directions, all_hinges},
    [RCT_REFERENCE_TORQUES] = {TURNING, 0, 0, MUFTI_MOST_BODIES, rct_mufti_torques, turning},
    [RCT_REFERENCE_ANGLES] = {TURNING, 0, 0, MUFTI_MOST_BODIES, rct_mufti_angles, turning},
    [RCT_REFERENCE_GAUSS] = {ALL, 0, 1, MOST_OF_GAUSS, rct_mufti_gauss, all_hinges},
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
    if (model->count > f->most) {
        return rct_fail(
            error, RCT_ERROR_UNSUPPORTED,
            "reference %s forms full matrices: it takes up to %d bodies, and the model has %" PRId32
            "; use the lagrange reference",
            name, (int)f->most, model->count);
    }
    for (int32_t i = 0; i < model->count; i++) {
        const rct_body *body = rct_bodies_at(model->bodies, i);
        const int held = model->bodies->parent[i] == RCT_GROUND && body->hinge != RCT_HINGE_FREE;
        if ((f->hinges >> body->hinge & 1) == 0 || (f->floating && held)) {
            return rct_model_fail_body(model, i, error, RCT_ERROR_UNSUPPORTED,
                                       " has a %s hinge%s; reference %s covers %s; use the "
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
    const formulation *f = &formulations[reference];
    rct_status status = check(model, reference, error);
    RCT_THEN(status, rct_mufti_make(&s));
    if (status == RCT_OK) {
        rct_mufti_constrain(&s);
        const int opened = !f->closed && s.independent > 0;
        if (opened) {
            rct_mufti_open(&s);
        }
        rct_mufti_solution solution = {.r = &s.algebra.nothing, .w = &s.algebra.nothing};
        if (s.algebra.status == RCT_OK) {
            solution = f->solve(&s);
        }
        if (opened) {
            rct_mufti_close(&s, &solution);
        }
        if (s.algebra.status == RCT_OK && rct_mufti_expect_loops(&s, &solution) == RCT_OK) {
            rct_mufti_give_back(&s, &solution, result);
        }
        status = s.algebra.status;
    }
    rct_pool_empty(&s.algebra.pool);
    return status;
}
