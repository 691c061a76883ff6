/* The forces of a model in a state: drag of a slender body, spring and cable between points.
 * Computed independently of the library. */
#include "state.h"

#include <math.h>

/* Gauss's rule of five points on [-1, 1]: places and weights. */
static void gauss(int k, double *place, double *weight)
{
    const double root = sqrt(10.0 / 7.0), more = 13.0 * sqrt(70.0);
    const int outer = k == 0 || k == 4;
    *place = k == 2 ? 0.0 : sqrt(5.0 + (outer ? 2.0 : -2.0) * root) / 3.0 * (k < 2 ? -1.0 : 1.0);
    *weight = k == 2 ? 128.0 / 225.0 : (322.0 + (outer ? -more : more)) / 900.0;
}

static void push(const rct_force *drag, const double along[3], double length,
                 const double motion[3], double force[3])
{
    double past[3], slip = 0.0, cross = 0.0;
    for (int i = 0; i < 3; i++) {
        past[i] = drag->current[i] - motion[i];
        slip += past[i] * along[i];
    }
    for (int i = 0; i < 3; i++) {
        const double across = past[i] - slip * along[i];
        cross += across * across;
    }
    for (int i = 0; i < 3; i++) {
        const double across = past[i] - slip * along[i];
        force[i] = 0.5 * drag->density * drag->diameter * length *
                   (drag->normal * sqrt(cross) * across +
                    acos(-1.0) * drag->tangential * fabs(slip) * slip * along[i]);
    }
}

void cli_drag(const cli_state *state, const rct_force *drag, const double gravity[3],
              cli_pushed pushed[CLI_DRAG_POINTS])
{
    double way[3], along[3], middle[3];
    const double length = cli_distance(drag->at, drag->end);
    const double mass = drag->density * acos(-1.0) * drag->diameter * drag->diameter / 4.0 * length;
    for (int i = 0; i < 3; i++) {
        way[i] = (drag->end[i] - drag->at[i]) / length;
        middle[i] = 0.5 * (drag->at[i] + drag->end[i]);
    }
    cli_turn(state->orientation + 4 * drag->body, way, along);
    for (int k = 0; k < RCT_DRAG_POINTS; k++) {
        double place, weight, at[3];
        gauss(k, &place, &weight);
        for (int i = 0; i < 3; i++) {
            at[i] = middle[i] + 0.5 * place * length * way[i];
        }
        cli_state_point(state, drag->body, at, pushed[k].place, pushed[k].motion);
        push(drag, along, 0.5 * weight * length, pushed[k].motion, pushed[k].force);
    }
    cli_pushed *lifted = &pushed[RCT_DRAG_POINTS];
    cli_state_point(state, drag->body, middle, lifted->place, lifted->motion);
    for (int i = 0; i < 3; i++) {
        lifted->force[i] = -mass * gravity[i];
    }
}

cli_pull cli_pull_of(const cli_state *state, const rct_force *spring)
{
    double motion[2][3], closing[3];
    cli_pull pull = {.pull = 0.0};
    cli_state_point(state, spring->body, spring->at, pull.place[0], motion[0]);
    cli_state_point(state, spring->other, spring->other_at, pull.place[1], motion[1]);
    const double distance = cli_distance(pull.place[0], pull.place[1]);
    for (int k = 0; k < 3 && distance > 0.0; k++) { /* otherwise its direction is undetermined */
        pull.along[k] = (pull.place[1][k] - pull.place[0][k]) / distance;
        closing[k] = motion[1][k] - motion[0][k];
        pull.rate += pull.along[k] * closing[k];
    }
    const double stretch = distance - spring->length;
    if (distance > 0.0 && (spring->type != RCT_FORCE_CABLE || stretch > 0.0)) {
        pull.kept = spring->stiffness * stretch;
        pull.pull = pull.kept + spring->damping * pull.rate;
    }
    if (spring->type == RCT_FORCE_CABLE && pull.pull < 0.0) {
        pull.pull = 0.0;
    }
    return pull;
}

int64_t *cli_hinge_places(const rct_model *model)
{
    const int64_t bodies = rct_model_body_count(model);
    int64_t *places = (int64_t *)cli_numbers(2 * bodies + 1, "where the numbers of hinges begin");
    int64_t q = 0, u = 0;
    for (int32_t b = 0; b < bodies && places != NULL; b++) {
        rct_body body = rct_body_default();
        rct_model_body(model, b, &body, NULL);
        places[2 * (int64_t)b] = q;
        places[2 * (int64_t)b + 1] = u;
        q += rct_hinge_coordinates(body.hinge);
        u += rct_hinge_freedoms(body.hinge);
    }
    return places;
}

double cli_slip(const rct_model *model, const cli_state *state, int32_t body)
{
    rct_base_motion ground;
    rct_body own = rct_body_default();
    rct_model_base_motion(model, state->time, &ground);
    rct_model_body(model, body, &own, NULL);
    return cli_distance(state->spin + 3 * (int64_t)body,
                        own.parent == RCT_GROUND ? ground.angular_velocity
                                                 : state->spin + 3 * (int64_t)own.parent);
}

rct_force_effort cli_effort(const rct_model *model, const cli_state *state, const int64_t *places,
                            int32_t index, double *rate)
{
    rct_force force = rct_force_default();
    rct_body body = rct_body_default();
    rct_force_effort effort = {.effort = 0.0};
    rct_model_force(model, index, &force, NULL);
    rct_model_body(model, force.body, &body, NULL);
    const int64_t *place = places + 2 * (int64_t)force.body;
    *rate = body.hinge == RCT_HINGE_BALL ? cli_slip(model, state, force.body)
                                         : state->rates[place[1] + force.coordinate];
    rct_model_force_effort(model, index, state->time,
                           state->coordinates[place[0] + force.coordinate], *rate, &effort, NULL);
    return effort;
}
