/* The state of a closed system moved along a change of its rates (closure/method.h): by the run, in lanes, where it has what it swept
 * for under the multipliers alone, which are so large that the change is one part in RCT_BEYOND_ALL of that; else here. */
#include "core/rotation.h"
#include "dynamics/closed.h"
#include "dynamics/solver.h"
#include "model/hinge_types.h"

#include <math.h>

static const double least_turn = 1e-5; /* rad^2, that sine and cosine are asked for */

/* rad or m: what was condensed serves velocities where no hinge has moved further. */
static const double nearby = 1e-8;

/* exp(turn) q, the turn a rotation vector in inertial axes. */
static void turn(const double vector[3], double scale, const double q[4], double out[4])
{
    const double square = rct_dot(vector, vector) * scale * scale;
    double by[4], along;
    if (square < least_turn) { /* the next terms are below 1e-17 */
        by[0] = 1.0 - square / 8.0 * (1.0 - square / 48.0);
        along = scale * (0.5 - square / 48.0 * (1.0 - square / 80.0));
    } else {
        const double angle = sqrt(square);
        by[0] = cos(0.5 * angle);
        along = scale * sin(0.5 * angle) / angle;
    }
    for (int i = 0; i < 3; i++) {
        by[1 + i] = along * vector[i];
    }
    rct_quaternion_product(by, q, out);
}

static int is_absolute(rct_hinge_type hinge)
{
    return hinge == RCT_HINGE_BALL || hinge == RCT_HINGE_FREE;
}

/* trial = start moved by `scale` times the change */
static void advance(rct_closed *c, double scale)
{
    const double *q = c->start, *change = c->change;
    double *out = c->trial;
    for (int32_t b = 0; b < c->tree->n; b++) {
        const rct_hinge_type hinge = c->tree->hinge[b];
        const int absolute = is_absolute(hinge);
        const int turned = absolute ? 4 : 0, skipped = absolute ? 3 : 0;
        const int slid = rct_hinges[hinge].coordinates - turned;
        if (absolute) {
            turn(change, scale, q, out);
        }
        for (int i = 0; i < slid; i++) {
            out[turned + i] = q[turned + i] + scale * change[skipped + i];
        }
        q += turned + slid;
        out += turned + slid;
        change += skipped + slid;
    }
}

double rct_closed_turning(rct_closed *c)
{
    const double *change = c->change;
    double most = 0.0;
    if (rct_closed_is_held(c)) {
        double largest[2];
        c->solver->backend->moves->largest(c->solver->run, largest);
        c->largest = fmax(largest[0], largest[1]) / RCT_BEYOND_ALL;
        return largest[0] / RCT_BEYOND_ALL;
    }
    for (int32_t b = 0; b < c->tree->n; b++) {
        const rct_hinge_type hinge = c->tree->hinge[b];
        const int32_t freedoms = rct_hinges[hinge].freedoms;
        for (int32_t i = 0; i < freedoms; i++) {
            const int turns = is_absolute(hinge) ? i < 3 : rct_hinge_turns(hinge, i);
            most = turns ? fmax(most, fabs(change[i])) : most;
        }
        change += freedoms;
    }
    return most;
}

int rct_closed_move(rct_closed *c, double positions, double rates)
{
    if (rct_closed_is_held(c)) {
        const int near = positions == 0.0 || positions * c->largest <= nearby;
        c->gone |= !near;
        return c->solver->backend->moves->move(c->solver->run, positions / RCT_BEYOND_ALL,
                                               rates / RCT_BEYOND_ALL, near);
    }
    rct_solver_get_coordinates_inside(c->solver, c->start, c->rates);
    advance(c, positions);
    for (int64_t r = 0; r < c->solver->plan->freedoms && rates != 0.0; r++) {
        c->rates[r] += rates * c->change[r];
    }
    return rct_solver_write_coordinates(c->solver, c->trial, c->rates, NULL) == RCT_OK;
}

void rct_closed_move_back(rct_closed *c)
{
    if (rct_closed_is_held(c)) {
        c->gone = 1;
        c->solver->backend->moves->move_back(c->solver->run);
    } else {
        rct_solver_write_coordinates(c->solver, c->start, c->rates, NULL);
    }
}
