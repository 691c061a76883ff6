/* The length and speed of closed systems: tolerances are fractions of these, so that any units
 * serve. */
#include "core/rotation.h"
#include "dynamics/closed/systems.h"
#include "dynamics/solver.h"

#include <math.h>

/* Systems of ordinary size count as 1 m and 1 m/s: sizes between 1 / 64 and 64. */
static const double ordinary = 64.0;

static double beyond_ordinary(double size)
{
    return size > ordinary ? size / ordinary : size < 1.0 / ordinary ? size * ordinary : 1.0;
}

static double length_of(const double v[3])
{
    return sqrt(rct_dot(v, v));
}

double rct_closed_farthest(const rct_plan *plan, int32_t system, int32_t systems)
{
    double reach = 0.0;
    for (int64_t b = system; b < plan->body_count; b += systems) {
        const rct_body *body = rct_bodies_at(plan->bodies, b);
        const double carried = body->parent == RCT_GROUND ? 0.0 : length_of(body->hinge_at);
        reach = fmax(reach, fmax(carried, length_of(body->com)));
    }
    return reach;
}

/* The same for loops. */
static double farthest_loop(const rct_plan *plan, int32_t system, int32_t systems)
{
    const rct_model *model = plan->surroundings;
    double reach = 0.0;
    for (int32_t i = system; i < rct_model_loop_count(model); i += systems) {
        rct_loop loop;
        rct_model_loop(model, i, &loop, NULL);
        const double other = loop.other == RCT_GROUND ? 0.0 : length_of(loop.other_at);
        reach = fmax(reach, fmax(length_of(loop.at), fmax(loop.length, loop.radius)));
        reach = fmax(reach, other);
    }
    return reach;
}

/* The length of a system whose bodies have no arms: from the places of their hinges, or the spread
 * of their mass. */
static double anywhere(const rct_plan *plan, int32_t system, int32_t systems)
{
    double reach = 0.0;
    for (int64_t b = system; b < plan->body_count; b += systems) {
        const rct_body *body = rct_bodies_at(plan->bodies, b);
        const double spread = body->inertia[0] + body->inertia[1] + body->inertia[2];
        reach = fmax(reach, length_of(body->hinge_at));
        reach = fmax(reach, body->mass > 0.0 ? sqrt(spread / body->mass) : 0.0);
    }
    return reach;
}

double rct_closed_length(const rct_plan *plan, int32_t system, int32_t systems)
{
    const double arms =
        fmax(rct_closed_farthest(plan, system, systems), farthest_loop(plan, system, systems));
    const double reach = arms > 0.0 ? arms : anywhere(plan, system, systems);
    return reach > 0.0 && isfinite(reach) ? beyond_ordinary(reach) : 1.0;
}

double rct_closed_pace(const rct_plan *plan, int32_t system, double length)
{
    const double fall = length_of(rct_plan_gravity(plan, system)) * length;
    return fall > 0.0 && isfinite(fall) ? beyond_ordinary(sqrt(fall)) : length;
}
