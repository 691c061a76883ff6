/* What acts on each body besides gravity and what comes through its hinge: wrenches, springs and dampers between points, loops. */
#include "verify/verify.h"

#include <stdlib.h>

typedef struct loads {
    const cli_state *state;
    double *force, *moment;
} loads;

/* A force at a place, and a moment, on a body; times `sign`. */
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

static void act_spring(loads *all, const rct_force *spring)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    double place[2][3], motion[2][3], along[3], closing[3];
    cli_state_point(all->state, spring->body, spring->at, place[0], motion[0]);
    cli_state_point(all->state, spring->other, spring->other_at, place[1], motion[1]);
    for (int k = 0; k < 3; k++) {
        along[k] = place[1][k] - place[0][k];
        closing[k] = motion[1][k] - motion[0][k];
    }
    const double distance = cli_length(along);
    if (distance > 0.0) { /* else its direction is undetermined, and there is no force */
        const double rate = cli_dot(along, closing) / distance;
        const double pull =
            spring->stiffness * (distance - spring->length) + spring->damping * rate;
        for (int k = 0; k < 3; k++) {
            along[k] *= pull / distance;
        }
        act(all, spring->body, 1.0, place[0], along, none);
        act(all, spring->other, -1.0, place[1], along, none);
    }
}

/* Relations act along coordinates of hinges, and are in what these exert. */
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
        if (one.type == RCT_FORCE_SPRING) {
            act_spring(&all, &one);
        } else {
            act_wrench(&all, &one);
        }
    }
    return rct_model_loop_count(model) == 0 || act_loops(&all, model, solver);
}
