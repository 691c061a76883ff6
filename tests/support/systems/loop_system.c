/* Small models with loops, solvers of them, and the comparison of their states (loop_system.h). */
#include "tests/support/systems/loop_system.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/systems/closed_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

rct_solver_options loop_options(rct_closing closing)
{
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    options.closing = closing;
    return options;
}

rct_solver *loop_solver(const rct_model *model, const rct_solver_options *options)
{
    rct_error error;
    rct_solver *solver = rct_solver_create(model, options, &error);
    if (solver == NULL) {
        fail_msg("%s", error.text);
    }
    return solver;
}

/* Coordinates, then rates, for free(). */
double *loop_state(const rct_solver *solver, int64_t *count)
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    double *state = calloc((size_t)(info.coordinates + info.dof), sizeof *state);
    assert_non_null(state);
    rct_solver_get_coordinates(solver, state, state + info.coordinates);
    *count = info.coordinates + info.dof;
    return state;
}

void loop_set_state(rct_solver *solver, const double *state)
{
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    assert_int_equal(rct_solver_set_coordinates(solver, state, state + info.coordinates, NULL),
                     RCT_OK);
}

void loop_check_kept(const rct_solver *solver, const double *state)
{
    int64_t count;
    double *now = loop_state(solver, &count);
    assert_memory_equal(now, state, (size_t)count * sizeof *now);
    free(now);
}

rct_loop_info loop_info(const rct_solver *solver)
{
    rct_loop_info info;
    rct_solver_get_loop_info(solver, &info);
    return info;
}

void loop_expect(rct_status found, rct_status expected, const rct_error *error, int32_t body,
                 const char *text)
{
    if (found != expected || error->body != body || strstr(error->text, text) == NULL) {
        fail_msg("%s of body %d, not \"%s\": %s", rct_status_name(found), (int)error->body, text,
                 error->text);
    }
}

rct_body loop_rod(int32_t parent, rct_hinge_type hinge)
{
    rct_body body = rct_body_default();
    body.parent = parent;
    body.hinge = hinge;
    body.mass = 1.0;
    body.com[0] = 0.5;
    body.inertia[1] = body.inertia[2] = 1.0 / 12.0;
    body.inertia[0] = 0.01;
    if (parent != RCT_GROUND) {
        body.hinge_at[0] = 1.0;
    }
    return body;
}

/* A chain of rods of 1 m in zigzag along x, each so much off it, its end to be pinned `off` where it is. */
rct_model *loop_chain(int32_t bodies, rct_hinge_type hinge, double bend, double off, int active)
{
    rct_model *model = rct_model_create("pinned", NULL);
    rct_loop loop = rct_loop_default();
    for (int32_t b = 0; b < bodies; b++) {
        rct_body body = loop_rod(b == 0 ? RCT_GROUND : b - 1, hinge);
        const double angle = b % 2 == 0 ? bend : -bend;
        if (hinge == RCT_HINGE_BALL) {
            body.orientation[0] = cos(0.5 * angle);
            body.orientation[3] = sin(0.5 * angle);
        } else {
            body.position[0] = b == 0 ? angle : 2.0 * angle;
        }
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    loop.name = "pin";
    loop.type = hinge == RCT_HINGE_REVOLUTE ? RCT_LOOP_PLANAR_REVOLUTE : RCT_LOOP_BALL;
    loop.active = active;
    loop.body = bodies - 1;
    loop.at[0] = 1.0;
    loop.other = RCT_GROUND;
    loop.other_at[0] = bodies * cos(bend) + off;
    loop.other_at[1] = bodies % 2 == 0 ? 0.0 : sin(bend);
    assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    return model;
}

rct_model *loop_random(uint64_t seed, int types, int floating)
{
    const hinge_system system = {
        .tree = {.shape = SHAPE_TREE, .bodies = 14, .shuffled = 1, .spin = 1.0, .seed = seed},
        .hinges = ALL_HINGES,
        .floating = floating,
        .joint_forces = !floating};
    rct_model *model = hinge_system_create(&system);
    assert_non_null(model);
    closed_add_random(model, 2, types, seed + 500);
    return model;
}
