/* State vectors of hinges of every type: the motion and the forces in them, which parts a hinge
 * transmits, and how the rates of the hinge change the other parts. */
#include "tests/support/cmocka_all.h"

#include "core/rotation.h"
#include "tests/support/larger.h"
#include "tests/support/systems/hinge_system.h"

#include <riccatree/solver.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double time_of_state = 0.3;

typedef struct shown {
    rct_model *model;
    int32_t n;
    double *orientation, *rate, *position, *velocity; /* [n][4], [n][3] */
    double *linear, *angular, *force, *moment;        /* [n][3] */
    double *derivatives;                              /* [dof] */
    double *outboard, *inboard;                       /* [n][12] */
    rct_base_motion ground;
} shown;

/* The pose and motion of the body or ground on which a body hangs. */
typedef struct carrier {
    double orientation[4], rate[3], position[3], velocity[3], linear[3], angular[3];
} carrier;

static double *numbers(int64_t count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static shown show(const hinge_system *system)
{
    rct_error error;
    shown s = {.model = hinge_system_create(system), .n = system->tree.bodies};
    assert_non_null(s.model);
    rct_solver *solver = rct_solver_create(s.model, NULL, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    const int64_t n = s.n;
    s.orientation = numbers(4 * n + 21 * n + 24 * n);
    s.rate = s.orientation + 4 * n, s.position = s.rate + 3 * n, s.velocity = s.position + 3 * n;
    s.linear = s.velocity + 3 * n, s.angular = s.linear + 3 * n, s.force = s.angular + 3 * n;
    s.moment = s.force + 3 * n, s.outboard = s.moment + 3 * n, s.inboard = s.outboard + 12 * n;
    s.derivatives = numbers(hinge_freedoms(s.model));
    rct_solver_set_time(solver, time_of_state);
    assert_int_equal(rct_solver_evaluate(solver, &error), RCT_OK);
    rct_solver_get_state(solver, s.orientation, s.rate, s.position, s.velocity);
    rct_solver_get_state_vectors(solver, s.outboard, s.inboard);
    rct_solver_get_accelerations(solver, s.linear, s.angular);
    rct_solver_get_hinge_forces(solver, s.force, s.moment);
    rct_solver_get_rate_derivatives(solver, s.derivatives);
    rct_solver_get_state_vectors(solver, NULL, NULL);
    rct_model_base_motion(s.model, time_of_state, &s.ground);
    rct_solver_free(solver);
    return s;
}

static void hide(shown *s)
{
    rct_model_free(s->model);
    free(s->orientation);
    free(s->derivatives);
}

static carrier carrier_of(const shown *s, int64_t up)
{
    const rct_base_motion *g = &s->ground;
    const int on_ground = up == RCT_GROUND;
    carrier c;
    memcpy(c.orientation, on_ground ? g->orientation : s->orientation + 4 * up, 4 * sizeof(double));
    memcpy(c.rate, on_ground ? g->angular_velocity : s->rate + 3 * up, sizeof c.rate);
    memcpy(c.position, on_ground ? g->position : s->position + 3 * up, sizeof c.position);
    memcpy(c.velocity, on_ground ? g->velocity : s->velocity + 3 * up, sizeof c.velocity);
    memcpy(c.linear, on_ground ? g->acceleration : s->linear + 3 * up, sizeof c.linear);
    memcpy(c.angular, on_ground ? g->angular_acceleration : s->angular + 3 * up, sizeof c.angular);
    return c;
}

/* Signs of eqs. 1-2; moments and forces are the same on both sides. */
static void check_rows(const shown *s, int64_t i)
{
    const double *out = s->outboard + 12 * i, *in = s->inboard + 12 * i;
    for (int k = 0; k < 3; k++) {
        assert_true(out[k] == s->linear[3 * i + k]);
        assert_true(out[3 + k] == s->angular[3 * i + k]);
        assert_true(out[6 + k] == s->moment[3 * i + k]);
        assert_true(out[9 + k] == -s->force[3 * i + k]);
    }
    assert_memory_equal(out + 6, in + 6, 6 * sizeof *in);
}

/* The contribution of sliding at derivatives x of the rates: the axes times the derivatives along
 * them. */
static void sliding(const rct_body *body, const carrier *on, const double *x, double out[3])
{
    double frame[4], m[3][3], across[3], own[3] = {0.0};
    rct_quaternion_product(on->orientation, body->hinge_orientation, frame);
    rct_rotation(frame, m);
    rct_cross(body->hinge_axis, body->hinge_axis2, across);
    for (int i = 0; i < 3; i++) {
        const double along = body->hinge_axis[i];
        switch (body->hinge) {
        case RCT_HINGE_PRISMATIC: own[i] = along * x[0]; break;
        case RCT_HINGE_CYLINDRICAL: own[i] = along * x[1]; break;
        case RCT_HINGE_HELICAL: own[i] = body->hinge_pitch * along * x[0]; break;
        case RCT_HINGE_PLANAR: own[i] = body->hinge_axis2[i] * x[0] + across[i] * x[1]; break;
        default: break;
        }
    }
    rct_rotate(m, own, out);
}

/* r''_O = r''_I + 2 w x v + (axes) u', with the velocity v of the hinge point relative to the
 * parent. */
static void check_motion(const shown *s, const rct_body *body, int64_t i, const double *x)
{
    const carrier on = carrier_of(s, body->parent);
    const double *in = s->inboard + 12 * i;
    double arm[3], carried[3], relative[3], coriolis[3], slid[3], scale = 1.0;
    for (int k = 0; k < 3; k++) {
        arm[k] = s->position[3 * i + k] - on.position[k];
        scale = larger(scale, fabs(s->linear[3 * i + k]));
        scale = larger(scale, fabs(on.linear[k]) + fabs(on.angular[k]));
    }
    rct_cross(on.rate, arm, carried);
    for (int k = 0; k < 3; k++) {
        relative[k] = s->velocity[3 * i + k] - on.velocity[k] - carried[k];
    }
    rct_cross(on.rate, relative, coriolis);
    sliding(body, &on, x, slid);
    for (int k = 0; k < 3; k++) {
        const double own = in[k] + 2.0 * coriolis[k] + slid[k];
        assert_true(fabs(own - s->linear[3 * i + k]) <= 1e-12 * scale);
        assert_true(in[3 + k] == on.angular[k]);
    }
}

static void check(const hinge_system *system)
{
    shown s = show(system);
    const double *x = s.derivatives;
    for (int32_t i = 0; i < s.n; i++) {
        rct_body body;
        const double *in = s.inboard + 12 * (int64_t)i;
        rct_model_body(s.model, i, &body, NULL);
        check_rows(&s, i);
        if (body.hinge == RCT_HINGE_FREE) { /* inertial space */
            for (int k = 0; k < 6; k++) {
                assert_true(in[k] == 0.0);
            }
        } else {
            check_motion(&s, &body, i, x);
        }
        if (body.hinge == RCT_HINGE_FIXED || body.hinge == RCT_HINGE_BALL ||
            body.hinge == RCT_HINGE_REVOLUTE || body.hinge == RCT_HINGE_UNIVERSAL) {
            assert_memory_equal(in, s.outboard + 12 * (int64_t)i, 3 * sizeof *in);
        }
        x += rct_hinge_freedoms(body.hinge);
    }
    hide(&s);
}

static void test_every_hinge_alone(void **state)
{
    (void)state;
    for (int type = RCT_HINGE_FIXED; type < RCT_HINGE_TYPES; type++) {
        for (uint64_t seed = 1; seed <= 3; seed++) {
            const hinge_system system = {.tree = {.bodies = 8, .spin = 2.0, .seed = seed},
                                         .hinges = 1 << type | 1,
                                         .joint_forces = seed > 1,
                                         .floating = type == RCT_HINGE_FREE,
                                         .ground_moves = (int)(seed % 3)};
            check(&system);
        }
    }
}

static void test_trees(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const hinge_system system = {.tree = {.shape = (random_shape)(seed % 4),
                                              .bodies = 10 * (int32_t)seed,
                                              .shuffled = 1,
                                              .spin = 2.0,
                                              .seed = seed},
                                     .hinges = ALL_HINGES,
                                     .joint_forces = seed % 2,
                                     .forces = seed % 3 ? 10 : 0,
                                     .floating = seed % 5 == 0,
                                     .ground_moves = (int)(seed % 3)};
        check(&system);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_hinge_alone),
        cmocka_unit_test(test_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
