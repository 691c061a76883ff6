/* The state of a closed system moved along a change of its rates (closure/method.h): where loops are held in the junction by
 * the run, in lanes, else here. */
#include "core/numbers.h"
#include "core/rotation.h"
#include "dynamics/closed_systems.h"
#include "dynamics/solver.h"
#include "model/hinge_types.h"

#include <math.h>
#include <string.h>

static const double least_turn = 1e-5; /* rad^2, that sine and cosine are asked for */

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

/* Coordinates q and rates u of a hinge along the change, to `out` and `out_rates`. 0: they are no longer finite. */
static int advance_hinge(rct_hinge_type hinge, const double *change, double along, double rates,
                         const double *q, const double *u, double *out, double *out_rates)
{
    const int absolute = is_absolute(hinge), freedoms = rct_hinges[hinge].freedoms;
    const int turned = absolute ? 4 : 0, skipped = absolute ? 3 : 0;
    const int slid = rct_hinges[hinge].coordinates - turned;
    if (absolute) {
        turn(change, along, q, out);
    }
    for (int i = 0; i < slid; i++) {
        out[turned + i] = q[turned + i] + along * change[skipped + i];
    }
    for (int i = 0; i < freedoms; i++) {
        out_rates[i] = rates != 0.0 ? u[i] + rates * change[i] : u[i];
    }
    return rct_all_finite(out, turned + slid) && rct_all_finite(out_rates, freedoms);
}

/* trial = start moved, of systems that are moving; those whose state is none then are not. */
static void advance(rct_closed *c, double rates)
{
    const double *q = c->start, *u = c->rates, *change = c->change;
    double *out = c->trial, *out_rates = c->trial_rates;
    for (int32_t b = 0, of = 0; b < c->tree->n; b++, of = of + 1 < c->count ? of + 1 : 0) {
        const rct_hinge_type hinge = c->tree->hinge[b];
        rct_closed_system *s = &c->systems[of];
        if (s->moving) {
            s->moving = advance_hinge(hinge, change, s->along, rates, q, u, out, out_rates);
        }
        q += rct_hinges[hinge].coordinates;
        out += rct_hinges[hinge].coordinates;
        u += rct_hinges[hinge].freedoms;
        out_rates += rct_hinges[hinge].freedoms;
        change += rct_hinges[hinge].freedoms;
    }
}

/* Any state to systems that rest, in place of what they have, which may be none. */
static void blank(const rct_closed *c, double *q, double *u)
{
    for (int32_t b = 0, of = 0; b < c->tree->n; b++, of = of + 1 < c->count ? of + 1 : 0) {
        const rct_hinge_type hinge = c->tree->hinge[b];
        const int32_t coordinates = rct_hinges[hinge].coordinates;
        const int32_t freedoms = rct_hinges[hinge].freedoms;
        if (!c->systems[of].moving) {
            memset(q, 0, (size_t)coordinates * sizeof *q);
            memset(u, 0, (size_t)freedoms * sizeof *u);
            if (is_absolute(hinge)) {
                q[0] = 1.0;
            }
        }
        q += coordinates;
        u += freedoms;
    }
}

/* What systems that rest held, bit for bit, beside what the others hold now. */
static void put_resting(const rct_closed *c)
{
    const rct_solver *solver = c->solver;
    const rct_links *links = &solver->plan->links;
    solver->backend->read_state(solver->run, solver->state);
    for (int64_t l = 0; l < links->count; l++) {
        const int64_t at = links->state_at[l];
        if (!c->systems[solver->plan->head[l] % c->count].moving) {
            memcpy(solver->state + at, c->resting + at,
                   (size_t)(links->state_at[l + 1] - at) * sizeof *c->resting);
        }
    }
    solver->backend->write_state(solver->run, solver->state);
}

/* Coordinates q and rates u to the systems that are moving; numbers of others are not kept. 0: they are no state. */
static int write_moving(rct_closed *c, double *q, double *u)
{
    const rct_solver *solver = c->solver;
    int32_t moving = 0;
    for (int32_t i = 0; i < c->count; i++) {
        moving += c->systems[i].moving;
    }
    if (moving < c->count) {
        solver->backend->read_state(solver->run, c->resting);
        blank(c, q, u);
    }
    const int written = moving > 0 && rct_solver_write_coordinates(c->solver, q, u, NULL) == RCT_OK;
    if (written && moving < c->count) {
        put_resting(c);
    }
    return written;
}

static void set_moving(rct_closed *c, int moving)
{
    for (int32_t i = 0; i < c->count; i++) {
        c->systems[i].moving = moving && c->systems[i].pending;
    }
}

void rct_closed_turning(rct_closed *c)
{
    const double *change = c->change;
    for (int32_t i = 0; i < c->count; i++) {
        c->systems[i].turn = 0.0;
    }
    if (rct_closed_in_junction(c)) {
        c->systems[0].turn = rct_closed_turning_junction(c);
        return;
    }
    for (int32_t b = 0, of = 0; b < c->tree->n; b++, of = of + 1 < c->count ? of + 1 : 0) {
        const rct_hinge_type hinge = c->tree->hinge[b];
        rct_closed_system *s = &c->systems[of];
        const int32_t freedoms = rct_hinges[hinge].freedoms;
        for (int32_t i = 0; i < freedoms; i++) {
            const int turns = is_absolute(hinge) ? i < 3 : rct_hinge_turns(hinge, i);
            s->turn = turns ? fmax(s->turn, fabs(change[i])) : s->turn;
        }
        change += freedoms;
    }
}

void rct_closed_move(rct_closed *c, double rates)
{
    set_moving(c, 1);
    if (rct_closed_in_junction(c)) {
        rct_closed_system *s = &c->systems[0];
        s->moving = rct_closed_move_junction(c, s->along, rates);
        return;
    }
    rct_solver_get_coordinates_inside(c->solver, c->start, c->rates);
    advance(c, rates);
    if (!write_moving(c, c->trial, c->trial_rates)) {
        set_moving(c, 0);
    }
}

void rct_closed_move_back(rct_closed *c)
{
    if (rct_closed_in_junction(c)) {
        rct_closed_move_back_junction(c);
    } else {
        write_moving(c, c->start, c->rates);
    }
}
