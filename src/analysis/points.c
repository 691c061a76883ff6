/* Forces at points of bodies at rest (statics.h): their effect on single bodies, and the coupling
 * of two bodies by springs. */
#include "analysis/statics.h"

#include "analysis/slopes.h"
#include "core/error.h"
#include "core/rotation.h"
#include "model/forces/drag_rule.h"
#include "model/forces/force_check.h"
#include "model/model.h"
#include "model/unit.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Rounding, as a fraction of the stiffness of a spring, or of the numbers of a distance. */
static const double rounding = 0x1p-46;

/* The end of a force on a body, or on the ground. */
typedef struct pulled {
    int32_t body;
    double arm[3], point[3];
} pulled;

static pulled end_of(const rct_statics *s, int32_t body, const double at[3])
{
    pulled end = {.body = body, .point = {at[0], at[1], at[2]}};
    if (body != RCT_GROUND) {
        rct_body_pose pose = rct_solver_body_pose(s->solver, body);
        rct_rotate(pose.rotation, at, end.arm);
        for (int i = 0; i < 3; i++) {
            end.point[i] = pose.position[i] + end.arm[i];
        }
    }
    return end;
}

static void push(rct_statics *s, const pulled *end, const double force[3])
{
    double *reach = s->reach + 2 * (int64_t)end->body;
    reach[0] += sqrt(rct_dot(force, force));
    reach[1] = fmax(reach[1], sqrt(rct_dot(end->arm, end->arm)));
    rct_stiffness_push(s->stiffness, end->body, end->arm, force);
}

/* A spring or cable that begins at a body: its ends and its pull on the first, along arm[0];
 * returns 0 if the ends meet, so that it has no direction. */
static int stretch(const rct_statics *s, const rct_force *f, pulled ends[2],
                   rct_operator_pair *pull)
{
    static const double still[3] = {0.0, 0.0, 0.0};
    const int back = f->body == RCT_GROUND;
    double along[3];
    ends[0] = back ? end_of(s, f->other, f->other_at) : end_of(s, f->body, f->at);
    ends[1] = back ? end_of(s, RCT_GROUND, f->at) : end_of(s, f->other, f->other_at);
    *pull = (rct_operator_pair){.body = ends[0].body, .other = ends[1].body};
    for (int i = 0; i < 3; i++) {
        along[i] = ends[1].point[i] - ends[0].point[i];
    }
    const double distance = sqrt(rct_dot(along, along));
    for (int i = 0; i < 3; i++) {
        along[i] /= distance > 0.0 ? distance : 1.0;
    }
    pull->arm[0][2] = 1.0; /* any direction, where there is none */
    if (distance > 0.0) {
        memcpy(pull->arm[0], along, sizeof along);
    }
    return rct_slope_of_pull(f, distance, along, still, pull);
}

rct_status rct_statics_check_springs(const rct_statics *s, rct_error *error)
{
    const rct_model *model = s->solver->plan->surroundings;
    for (int32_t i = 0; i < model->force_count; i++) {
        pulled ends[2];
        rct_operator_pair pull;
        if (rct_force_is_between_points(&model->forces[i]) &&
            !stretch(s, &model->forces[i], ends, &pull)) {
            return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                            "force %" PRId32 ": the ends of this spring meet, so that its "
                            "direction is undefined; choose another state",
                            i);
        }
    }
    return RCT_OK;
}

/* Whether the distance of its ends is the length of a cable, as far as places are known: there it
 * begins to pull. */
static int is_at_its_length(const rct_statics *s, const rct_force *f)
{
    const pulled ends[2] = {end_of(s, f->body, f->at), end_of(s, f->other, f->other_at)};
    double along[3], known = f->length;
    for (int i = 0; i < 3; i++) {
        along[i] = ends[1].point[i] - ends[0].point[i];
        known += fabs(ends[0].point[i]) + fabs(ends[1].point[i]);
    }
    return fabs(sqrt(rct_dot(along, along)) - f->length) <= rounding * known;
}

rct_status rct_statics_check_cables(const rct_statics *s, rct_error *error)
{
    const rct_model *model = s->solver->plan->surroundings;
    for (int32_t i = 0; i < model->force_count; i++) {
        const rct_force *f = &model->forces[i];
        if (f->type == RCT_FORCE_CABLE && f->length > 0.0 && is_at_its_length(s, f)) {
            return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                            "force %" PRId32
                            ": this cable is just at its length, where it pulls when longer and "
                            "not when shorter, so that no motion is linear; give it another "
                            "length, or choose another state",
                            i);
        }
    }
    return RCT_OK;
}

static void add_spring(rct_statics *s, const rct_force *f)
{
    pulled ends[2];
    rct_operator_pair pull;
    if (!stretch(s, f, ends, &pull)) {
        return;
    }
    const double back[3] = {-pull.force[0], -pull.force[1], -pull.force[2]};
    push(s, &ends[0], pull.force);
    s->reach[2 * (int64_t)ends[0].body] += f->stiffness * f->length;
    if (ends[1].body == RCT_GROUND) {
        rct_stiffness_hold(s->stiffness, ends[0].body, ends[0].arm, (const double(*)[3])pull.hold);
    } else {
        push(s, &ends[1], back);
        s->reach[2 * (int64_t)ends[1].body] += f->stiffness * f->length;
    }
}

/* The buoyancy of a rod in a fluid at rest: a force at its middle. */
static void add_buoyancy(rct_statics *s, const rct_force *f)
{
    const double *g = rct_plan_gravity(s->solver->plan, f->body);
    double middle[3], way[3], force[3];
    for (int i = 0; i < 3; i++) {
        middle[i] = 0.5 * (f->at[i] + f->end[i]);
        way[i] = f->end[i] - f->at[i];
    }
    rct_drag_buoyancy(f, sqrt(rct_dot(way, way)), g, force);
    const pulled end = end_of(s, f->body, middle);
    push(s, &end, force);
    s->energy -= rct_dot(force, end.point);
}

void rct_statics_pull(rct_statics *s, const rct_force *f)
{
    if (rct_force_is_between_points(f)) {
        add_spring(s, f);
    } else if (f->type == RCT_FORCE_DRAG) {
        add_buoyancy(s, f);
    } else {
        const pulled end = end_of(s, f->body, f->at);
        push(s, &end, f->force);
        s->energy -= rct_dot(f->force, end.point);
    }
}

/* ---- two bodies ------------------------------------------------------------------------------ */

int rct_statics_couples(const rct_force *f)
{
    return rct_force_is_between_points(f) && f->body != RCT_GROUND && f->other != RCT_GROUND;
}

/* Add a row for the parting of the ends along a direction, unless the stiffness there is rounding
 * of `stiff`. */
static void add_row(rct_statics *s, const pulled ends[2], const double direction[3],
                    const double hold[9], double stiff)
{
    rct_border_end row[2];
    double pull[3];
    for (int e = 0; e < 2; e++) {
        const double sign = e == 0 ? -1.0 : 1.0;
        row[e].body = ends[e].body;
        rct_cross(ends[e].arm, direction, row[e].part);
        for (int i = 0; i < 3; i++) {
            row[e].part[i] *= sign;
            row[e].part[3 + i] = sign * direction[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        pull[i] = rct_dot(hold + 3 * (int64_t)i, direction);
    }
    if (fabs(rct_dot(direction, pull)) > rounding * stiff) {
        rct_border_add(&s->border, row, 2, rct_dot(direction, pull));
    }
}

void rct_statics_couple(rct_statics *s, const rct_force *f)
{
    pulled ends[2];
    rct_operator_pair pull;
    if (!stretch(s, f, ends, &pull)) {
        return;
    }
    const double *n = pull.arm[0]; /* one along it, and two across */
    double across[2][3];
    rct_find_across(n, across[0], across[1]);
    add_row(s, ends, n, pull.hold, f->stiffness);
    add_row(s, ends, across[0], pull.hold, f->stiffness);
    add_row(s, ends, across[1], pull.hold, f->stiffness);
}
