/* The loads on each body besides gravity and the forces through its hinge: wrenches, springs and
 * cables between points, drag, loops. */
#include "verify/verify.h"

#include <stdlib.h>

typedef struct loads {
    const cli_state *state;
    double *force, *moment;
} loads;

/* Add a force at a place and a moment to a body, times `sign`. */
static void act(loads *all, int32_t body, double sign, const double place[3], const double force[3],
                const double moment[3])
{
    double arm[3], around[3];
    if (body == RCT_GROUND) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        arm[k] = place[k] - all->state->position[3 * body + k];
    }
    cli_cross(arm, force, around);
    for (int k = 0; k < 3; k++) {
        all->force[3 * body + k] += sign * force[k];
        all->moment[3 * body + k] += sign * (moment[k] + around[k]);
    }
}

static void act_wrench(loads *all, const rct_force *wrench)
{
    double place[3], motion[3];
    double force[3] = {wrench->force[0], wrench->force[1], wrench->force[2]};
    double moment[3] = {wrench->moment[0], wrench->moment[1], wrench->moment[2]};
    cli_state_point(all->state, wrench->body, wrench->at, place, motion);
    if (wrench->in_body_axes) {
        cli_turn(all->state->orientation + 4 * wrench->body, wrench->force, force);
        cli_turn(all->state->orientation + 4 * wrench->body, wrench->moment, moment);
    }
    act(all, wrench->body, 1.0, place, force, moment);
}

static const double none[3] = {0.0, 0.0, 0.0};

static void act_spring(loads *all, const rct_force *spring)
{
    cli_pull pull = cli_pull_of(all->state, spring);
    for (int k = 0; k < 3; k++) {
        pull.along[k] *= pull.pull;
    }
    act(all, spring->body, 1.0, pull.place[0], pull.along, none);
    act(all, spring->other, -1.0, pull.place[1], pull.along, none);
}

static void act_drag(loads *all, const rct_model *model, const rct_force *drag)
{
    double gravity[3];
    cli_pushed pushed[CLI_DRAG_POINTS];
    rct_model_gravity(model, gravity);
    cli_drag(all->state, drag, gravity, pushed);
    for (int k = 0; k < CLI_DRAG_POINTS; k++) {
        act(all, drag->body, 1.0, pushed[k].place, pushed[k].force, none);
    }
}

/* Relations act along coordinates of hinges, so the hinge forces include them. */
static bool act_loops(loads *all, const rct_model *model, const rct_solver *solver)
{
    const int32_t count = rct_model_loop_count(model);
    double *numbers = cli_numbers(6 * (int64_t)count + 1, "forces of loops");
    if (numbers == NULL) {
        return false;
    }
    double *force = numbers, *moment = numbers + 3 * count;
    rct_solver_get_loop_forces(solver, force, moment, NULL);
    for (int32_t i = 0; i < count; i++) {
        double place[3], motion[3];
        rct_loop loop = rct_loop_default();
        rct_model_loop(model, i, &loop, NULL);
        if (loop.type != RCT_LOOP_RELATION) {
            cli_state_point(all->state, loop.body, loop.at, place, motion);
            act(all, loop.body, 1.0, place, force + 3 * i, moment + 3 * i);
            act(all, loop.other, -1.0, place, force + 3 * i, moment + 3 * i);
        }
    }
    free(numbers);
    return true;
}

bool cli_verify_loads(const rct_model *model, const cli_state *state, const rct_solver *solver,
                      double *force, double *moment)
{
    loads all = {.state = state, .force = force, .moment = moment};
    for (int64_t i = 0; i < 3 * state->bodies; i++) {
        force[i] = moment[i] = 0.0;
    }
    for (int32_t i = 0; i < rct_model_force_count(model); i++) {
        rct_force one = rct_force_default();
        rct_model_force(model, i, &one, NULL);
        switch (one.type) {
        case RCT_FORCE_WRENCH: act_wrench(&all, &one); break;
        case RCT_FORCE_SPRING:
        case RCT_FORCE_CABLE: act_spring(&all, &one); break;
        case RCT_FORCE_DRAG: act_drag(&all, model, &one); break;
        default: break; /* included in hinge forces */
        }
    }
    return rct_model_loop_count(model) == 0 || act_loops(&all, model, solver);
}
