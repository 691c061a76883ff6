/* The units in which the Lagrangian system of a model has ordinary numbers, so that zero means
 * the same in all units of a model. Masses are relative to the heaviest body; lengths to the
 * reach of bodies or, if that is zero, to the spread of their mass. */
#include "model/model.h"
#include "reference/lagrange/lagrange.h"

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double power_of_two(double x)
{
    return x > 0.0 ? exp2(nearbyint(log2(x))) : 1.0;
}

rct_lagrange_units rct_lagrange_units_of(const rct_model *model)
{
    double mass = 0.0, arm = 0.0, spread = 0.0;
    for (int32_t i = 0; i < model->count; i++) {
        const rct_body *body = rct_bodies_at(model->bodies, i);
        const double carried =
            model->bodies->parent[i] == RCT_GROUND ? 0.0 : length_of(body->hinge_at);
        mass = fmax(mass, body->mass);
        arm = fmax(arm, fmax(carried, length_of(body->com)));
        for (int k = 0; k < 3; k++) {
            spread = fmax(spread, body->inertia[k]);
        }
    }
    return (rct_lagrange_units){
        .root_mass = power_of_two(sqrt(mass)),
        .length = power_of_two(arm > 0.0 || mass == 0.0 ? arm : sqrt(spread / mass))};
}
