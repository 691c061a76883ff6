/* Statistics of a model. */
#include "core/sized.h"

#include <riccatree/census.h>
#include <riccatree/event.h>
#include <riccatree/force.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static int any(const double v[3])
{
    return v[0] != 0.0 || v[1] != 0.0 || v[2] != 0.0;
}

static double squared(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

static double length_of(const double v[3])
{
    return sqrt(squared(v));
}

/* m^2. The hinge point of a root is left out: it says where the tree stands, not how large it
 * is. */
static double reach_squared(const rct_body *body)
{
    const double *inertia = body->inertia;
    const double spread =
        body->mass > 0.0 ? 0.5 * (inertia[0] + inertia[1] + inertia[2]) / body->mass : 0.0;
    return spread + squared(body->com) +
           (body->parent == RCT_GROUND ? 0.0 : squared(body->hinge_at));
}

static void count_body(rct_census *census, const rct_body *body)
{
    for (int k = 0; k < 3; k++) {
        const double stretch =
            body->hinge == RCT_HINGE_BALL ? acos(-1.0) : body->position[k] - body->rest[k];
        census->holds += body->stiffness[k] * stretch * stretch;
    }
    census->hinges[body->hinge]++;
    census->hinge_springs += any(body->stiffness);
    census->hinge_dampers += any(body->damping);
    census->hinge_forces += any(body->applied);
    census->hinge_rotors += any(body->armature);
}

static void count_force(rct_census *census, const rct_force *force)
{
    const int over = force->type == RCT_FORCE_CURVE && force->over == RCT_OVER_COORDINATE;
    census->forces[force->type]++;
    census->dampers += force->damping != 0.0 && force->type != RCT_FORCE_SERVO;
    if (force->rows > 0) {
        census->kinks = "the table of a force has kinks";
    } else if (force->type == RCT_FORCE_LIMIT || force->type == RCT_FORCE_CABLE ||
               force->saturation > 0.0) {
        census->kinks = "limits, cables or saturated servos give the motion kinks";
    } else if (force->type == RCT_FORCE_FRICTION) {
        census->kinks = "dry friction gives the motion kinks";
    }
    census->losing += force->type == RCT_FORCE_CURVE && !over;
    census->holds += force->stiffness * force->length * force->length;
    for (int64_t i = 1; i < force->rows && over; i++) {
        const double *row = force->table + 2 * i;
        census->holds += 0.5 * (fabs(row[1]) + fabs(row[-1])) * (row[0] - row[-2]);
    }
}

static void name_changers(rct_census *census)
{
    const struct {
        int there;
        const char *name;
    } changers[] = {
        {census->hinge_dampers + census->dampers > 0, "dampers"},
        {census->hinge_forces > 0, "forces applied at hinges"},
        {census->forces[RCT_FORCE_WRENCH] > 0, "wrenches"},
        {census->forces[RCT_FORCE_FRICTION] > 0, "dry friction"},
        {census->forces[RCT_FORCE_SERVO] > 0, "servos"},
        {census->losing > 0, "curves over rate or time"},
        {census->forces[RCT_FORCE_DRAG] > 0, "drag"},
        {census->driven > 0, "prescribed motion"},
        {census->ground_moves, "a ground that moves"},
        {census->impacts > 0, "impacts"},
    };
    for (size_t i = 0; i < sizeof changers / sizeof changers[0]; i++) {
        const size_t used = strlen(census->changers);
        if (changers[i].there) {
            snprintf(census->changers + used, sizeof census->changers - used, "%s%s",
                     used > 0 ? ", " : "", changers[i].name);
        }
    }
}

void rct_model_take_census_sized(const rct_model *model, rct_out out)
{
    rct_census census;
    rct_base base;
    rct_body body = rct_body_default();
    double gravity[3] = {0.0}, size = 0.0, moments = 0.0; /* if there is no model */
    memset(&census, 0, sizeof census);                    /* the padding too: it is written */
    for (int32_t i = 0; i < rct_model_body_count(model); i++) {
        rct_model_body(model, i, &body, NULL);
        count_body(&census, &body);
        census.mass += body.mass;
        size += length_of(body.hinge_at) + length_of(body.com);
        moments += body.mass * reach_squared(&body);
    }
    rct_model_gravity(model, gravity);
    census.gravity = length_of(gravity);
    census.length = census.mass > 0.0 ? sqrt(moments / census.mass) : 0.0;
    census.holds += census.mass * census.gravity * size;
    for (int32_t i = 0; i < rct_model_force_count(model); i++) {
        rct_force force = rct_force_default();
        rct_model_force(model, i, &force, NULL);
        count_force(&census, &force);
    }
    for (int32_t i = 0; i < rct_model_loop_count(model); i++) {
        rct_loop loop = rct_loop_default();
        rct_model_loop(model, i, &loop, NULL);
        census.driven += loop.rate != 0.0 || loop.acceleration != 0.0 || loop.rows > 0 ||
                         (loop.amplitude != 0.0 && loop.angular_frequency != 0.0);
        census.kinks = loop.rows > 0 ? "the table of a relation has kinks" : census.kinks;
    }
    for (int32_t i = 0; i < rct_model_event_count(model); i++) {
        rct_event event = rct_event_default();
        rct_model_event(model, i, &event, NULL);
        census.impacts += event.state != RCT_LOOP_RELEASED;
    }
    rct_model_base(model, &base);
    census.ground_rows = base.rows;
    census.kinks = base.rows > 0 ? "the table of the motion of the ground has kinks" : census.kinks;
    census.ground_moves = base.rows > 0 || any(base.velocity) || any(base.acceleration) ||
                          base.rate != 0.0 || base.angular_acceleration != 0.0;
    name_changers(&census);
    rct_give(out, &census, rct_whole(sizeof census));
}
