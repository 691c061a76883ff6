/* Perturbing the start of a body (perturb.h). */
#include "model/perturb.h"

#include "model/hinge_types.h"

#include <math.h>
#include <string.h>

/* The part of the perturbation of angles (rad) that lengths get (m). */
static const double length_share = 0.1;

/* Half the tangent of the largest turn: beyond it the turn is half a turn to six digits. */
static const double largest_turn = 1e6;

/* Turn the orientation by the quaternion (1, v) / |(1, v)|, |v| = tan(angle / 2) <= p / 2, that
 * is by an angle of at most p, about an inertial axis; and add an angular velocity of at most p. */
static void perturb_absolute(rct_body *body, double amount, rct_draw *draw)
{
    double axis[3];
    rct_draw_on_sphere(draw, axis, 3);
    const double size = fmin(0.5 * amount, largest_turn) * rct_draw_unit(draw);
    const double v[3] = {size * axis[0], size * axis[1], size * axis[2]};
    const double *q = body->orientation;
    const double turned[4] = {
        q[0] - v[0] * q[1] - v[1] * q[2] - v[2] * q[3],
        q[1] + v[0] * q[0] + v[1] * q[3] - v[2] * q[2],
        q[2] + v[1] * q[0] + v[2] * q[1] - v[0] * q[3],
        q[3] + v[2] * q[0] + v[0] * q[2] - v[1] * q[1],
    };
    memcpy(body->orientation, turned, sizeof turned);
    rct_draw_on_sphere(draw, axis, 3);
    const double rate = amount * rct_draw_unit(draw);
    for (int i = 0; i < 3; i++) {
        body->angular_velocity[i] += rate * axis[i];
    }
}

static void perturb_relative(rct_body *body, double amount, rct_draw *draw)
{
    for (int k = 0; k < rct_hinge_freedoms(body->hinge); k++) {
        const double size = amount * (rct_hinge_turns(body->hinge, k) ? 1.0 : length_share);
        body->position[k] += size * rct_draw_between(draw, -1.0, 1.0);
        body->rate[k] += amount * rct_draw_between(draw, -1.0, 1.0);
    }
}

void rct_perturb(rct_body *body, double amount, rct_draw *draw)
{
    if (rct_hinge_uses(body->hinge, RCT_KEY_ORIENTATION) > 0) {
        perturb_absolute(body, amount, draw);
    } else {
        perturb_relative(body, amount, draw);
    }
}
