/* Closed systems (closed_models.h). */
#include "tests/analysis/closed_models.h"

#include "tests/analysis/held_tree.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/must.h"
#include "tests/support/systems/closed_system.h"

#include <riccatree/closure.h>
#include <riccatree/force.h>

#include <math.h>

static const double gravity = 9.81;

static void must_close(rct_model *model, const rct_loop *loop)
{
    rct_error error;
    if (rct_model_add_loop(model, loop, NULL, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

/* A thin rod along -z of length l. */
static rct_body rod(int32_t parent, double l, double m)
{
    rct_body body = rct_body_default();
    body.parent = parent;
    body.mass = m;
    body.com[2] = -0.5 * l;
    body.inertia[0] = body.inertia[1] = m * l * l / 12.0;
    body.inertia[2] = 1e-3 * m * l * l;
    return body;
}

/* Turned about y so that -z points at `angle` below x. */
static void point_down(rct_body *body, double angle, double from)
{
    const double turn = 0.5 * acos(-1.0) - angle; /* from straight down */
    if (body->hinge == RCT_HINGE_BALL) {
        body->orientation[0] = cos(0.5 * turn);
        body->orientation[2] = -sin(0.5 * turn);
    } else {
        body->hinge_axis[1] = 1.0, body->hinge_axis[2] = 0.0;
        body->position[0] = -(turn - from);
    }
}

rct_model *closed_cable(int32_t rods, double l, const double to[2], rct_hinge_type hinge)
{
    rct_model *model = rct_model_create("cable", NULL);
    rct_loop loop = rct_loop_default();
    const double span = hypot(to[0], to[1]), tilt = atan2(-to[1], to[0]);
    const double bend = acos(span / (l * rods));
    double before = 0.0;
    for (int32_t i = 0; i < rods; i++) {
        const double angle = tilt + (i < rods / 2 ? bend : -bend);
        rct_body body = rod(i - 1, l, 1.0 / gravity);
        body.hinge = hinge;
        body.hinge_at[2] = i > 0 ? -l : 0.0;
        point_down(&body, angle, before);
        before = 0.5 * acos(-1.0) - angle;
        must_add(model, &body);
    }
    loop.body = rods - 1;
    loop.at[2] = -l;
    loop.other_at[0] = to[0], loop.other_at[2] = to[1];
    must_close(model, &loop);
    return model;
}

rct_model *closed_four_bar(double stiffness)
{
    static const double length[3] = {1.0, 2.0, 1.5};
    rct_model *model = rct_model_create("four-bar with springs", NULL);
    rct_force spring = rct_force_default();
    rct_loop loop = rct_loop_default();
    for (int32_t i = 0; i < 3; i++) {
        rct_body body = rod(i - 1, length[i], 1.0 + i);
        body.hinge = RCT_HINGE_REVOLUTE;
        body.hinge_axis[1] = 1.0, body.hinge_axis[2] = 0.0;
        body.hinge_at[2] = i > 0 ? -length[i - 1] : 0.0;
        body.position[0] = i == 1 ? -1.2 : i == 2 ? -0.8 : -0.4;
        body.stiffness[0] = i == 0 ? 3.0 : 0.0;
        must_add(model, &body);
    }
    loop.type = RCT_LOOP_PLANAR_REVOLUTE;
    loop.body = 2;
    loop.at[2] = -length[2];
    loop.axis[1] = 1.0, loop.axis[2] = 0.0;
    loop.other_at[0] = 2.2;
    must_close(model, &loop);
    if (stiffness > 0.0) {
        spring.type = RCT_FORCE_SPRING;
        spring.body = 0, spring.other = 2;
        spring.at[0] = 0.1, spring.at[2] = -0.7;
        spring.other_at[2] = -0.9;
        spring.stiffness = stiffness, spring.length = 1.0;
        assert_int_equal(rct_model_add_force(model, &spring, NULL, NULL), RCT_OK);
    }
    return model;
}

rct_model *closed_geared(void)
{
    rct_model *model = rct_model_create("geared", NULL);
    static const double factor[3] = {1.0, -2.0, 0.7};
    rct_loop_term terms[3];
    for (int32_t i = 0; i < 3; i++) {
        rct_body body = rod(RCT_GROUND, 1.0 + 0.2 * i, 1.0);
        body.hinge = RCT_HINGE_REVOLUTE;
        body.hinge_axis[1] = 1.0, body.hinge_axis[2] = 0.0;
        body.hinge_at[1] = i;
        body.position[0] = 0.3 * i;
        body.applied[0] = i == 0 ? 2.0 : 0.0;
        must_add(model, &body);
        terms[i] = (rct_loop_term){i, 0, factor[i]};
    }
    for (int k = 2; k <= 3; k++) {
        rct_loop loop = rct_loop_default();
        loop.type = RCT_LOOP_RELATION;
        loop.terms = terms, loop.term_count = k;
        loop.offset = -0.6 + (k == 3 ? 0.42 : 0.0) + 0.1;
        must_close(model, &loop);
    }
    return model;
}

static int32_t id_of(int32_t n, int32_t i, int32_t j)
{
    const int inside = i > 0 && j > 0 && i < n - 1 && j < n - 1;
    return inside ? (i - 1) * (n - 2) + j - 1 : RCT_GROUND;
}

static void tie(rct_model *model, int32_t n, double length, const int32_t from[2],
                const int32_t to[2])
{
    rct_force cable = rct_force_default();
    cable.type = RCT_FORCE_CABLE;
    cable.body = id_of(n, from[0], from[1]);
    cable.other = id_of(n, to[0], to[1]);
    for (int k = 0; k < 2; k++) {
        cable.at[k] = cable.body == RCT_GROUND ? from[k] : 0.0;
        cable.other_at[k] = cable.other == RCT_GROUND ? to[k] : 0.0;
    }
    cable.stiffness = 300.0, cable.length = length;
    if (cable.body != RCT_GROUND || cable.other != RCT_GROUND) {
        assert_int_equal(rct_model_add_force(model, &cable, NULL, NULL), RCT_OK);
    }
}

rct_model *closed_net(int32_t n, double length)
{
    rct_model *model = rct_model_create("net", NULL);
    for (int32_t i = 1; i < n - 1; i++) {
        for (int32_t j = 1; j < n - 1; j++) {
            rct_body body = rct_body_default();
            body.hinge = RCT_HINGE_FREE;
            body.mass = 1.0 + 0.1 * ((3 * i + 5 * j) % 7);
            body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.01;
            body.position[0] = i + 0.02 * ((i + 2 * j) % 3), body.position[1] = j;
            must_add(model, &body);
        }
    }
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < n; j++) {
            const int32_t from[2] = {i, j}, right[2] = {i + 1, j}, up[2] = {i, j + 1};
            if (i + 1 < n) {
                tie(model, n, length, from, right);
            }
            if (j + 1 < n) {
                tie(model, n, length, from, up);
            }
        }
    }
    return model;
}

rct_model *closed_random(rct_loop_type type, uint64_t seed)
{
    rct_model *model =
        held_tree_create(5 + (int32_t)(seed % 4), seed % 2 == 0 ? RCT_HINGE_BALL : -1, seed);
    rct_loop_info info;
    closed_add_random(model, 1 + (int32_t)(seed % 3 == 0), 1 << type, seed);
    rct_solver *solver = closed_solver(model, rct_solver_options_default());
    rct_solver_get_loop_info(solver, &info);
    rct_solver_free(solver);
    if (info.redundant > 0) {
        rct_model_free(model);
        model = NULL;
    }
    return model;
}
