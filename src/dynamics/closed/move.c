/* Moves the state of a closed system along a change of its rates (closure/method.h). The run moves
 * it, in lanes, where it has swept under the multipliers alone; these are so large that the change
 * is one part in RCT_BEYOND_ALL of the result. Otherwise the host moves it. */
#include "closure/aggregate.h"
#include "core/rotation.h"
#include "dynamics/closed/systems.h"
#include "dynamics/solver.h"
#include "model/hinge_types.h"

#include <math.h>
#include <string.h>

/* rad, or fraction of the length of the system: if no hinge has moved further, what was condensed
 * still serves for velocities. */
static const double nearby = 1e-8;

static int is_absolute(rct_hinge_type hinge)
{
    return hinge == RCT_HINGE_BALL || hinge == RCT_HINGE_FREE;
}

/* The share of the change by which each link moves; 0 if its system does not move. */
static void share(rct_closed *c, int positions)
{
    const rct_plan *plan = c->solver->plan;
    for (int32_t l = 0; l < plan->links.count; l++) {
        const rct_closed_system *s = &c->systems[plan->places.head[l] % c->count];
        c->share[l] = !s->moving ? 0.0 : positions ? s->along : 1.0;
    }
}

/* Systems whose change is not finite do not move; returns whether there are any. */
static int leave_not_finite(rct_closed *c)
{
    int any = 0;
    c->solver->backend->read_derivatives(c->solver->run, c->change);
    for (int64_t r = 0; r < c->solver->plan->freedoms; r++) {
        rct_closed_system *s = &c->systems[rct_aggregation_body_of(c->tree, r) % c->count];
        any = any || (s->moving && !isfinite(c->change[r]));
        s->moving = s->moving && isfinite(c->change[r]);
    }
    return any;
}

/* Move by the run. A single system moves by the same share everywhere. */
static int move_run(rct_closed *c, double rates)
{
    const double along = c->count == 1 ? c->systems[0].along : 1.0;
    const int positions = rates == 0.0;
    const int near = !positions || (c->count == 1 && along * c->largest <= nearby);
    const rct_move by = {.positions = positions ? along / RCT_BEYOND_ALL : 0.0,
                         .rates = rates / RCT_BEYOND_ALL,
                         .share = c->count == 1 ? NULL : c->share};
    c->gone |= !near;
    if (c->count > 1) {
        share(c, positions);
    }
    return c->solver->backend->moves->move(c->solver->run, &by, near);
}

static void set_moving(rct_closed *c, int moving)
{
    for (int32_t i = 0; i < c->count; i++) {
        c->systems[i].moving = moving && c->systems[i].pending;
    }
}

/* The largest turn of each system among the changes of all rates, times `scale`. */
static void find_turns(rct_closed *c, double scale)
{
    const double *change = c->change;
    for (int32_t i = 0; i < c->count; i++) {
        c->systems[i].turn = 0.0;
    }
    for (int32_t b = 0, of = 0; b < c->tree->n; b++, of = of + 1 < c->count ? of + 1 : 0) {
        const rct_hinge_type hinge = c->tree->hinge[b];
        rct_closed_system *s = &c->systems[of];
        const int32_t freedoms = rct_hinges[hinge].freedoms;
        for (int32_t i = 0; i < freedoms; i++) {
            const int turns = is_absolute(hinge) ? i < 3 : rct_hinge_turns(hinge, i);
            const double size = turns ? scale * fabs(change[i]) : 0.0;
            s->turn = size > s->turn ? size : s->turn;
        }
        change += freedoms;
    }
}

void rct_closed_turning(rct_closed *c)
{
    const rct_backend *backend = c->solver->backend;
    if (!rct_closed_is_held(c)) {
        find_turns(c, 1.0);
    } else if (c->count > 1) {
        backend->read_derivatives(c->solver->run, c->change);
        find_turns(c, 1.0 / RCT_BEYOND_ALL);
    } else {
        double largest[2];
        backend->moves->largest(c->solver->run, largest);
        c->largest = fmax(largest[0], largest[1] / c->systems[0].length) / RCT_BEYOND_ALL;
        c->systems[0].turn = largest[0] / RCT_BEYOND_ALL;
    }
}

/* Move one system on the host. */
static int move_host(rct_closed *c, double rates)
{
    rct_solver_get_coordinates_inside(c->solver, c->start, c->rates);
    rct_solver_advance(c->solver, c->start, c->change, rates == 0.0 ? c->systems[0].along : 0.0,
                       c->trial);
    for (int64_t r = 0; r < c->solver->plan->freedoms && rates != 0.0; r++) {
        c->rates[r] += rates * c->change[r];
    }
    return rct_solver_write_coordinates(c->solver, c->trial, c->rates, NULL) == RCT_OK;
}

void rct_closed_move(rct_closed *c, double rates)
{
    set_moving(c, 1);
    int moved = rct_closed_is_held(c) ? move_run(c, rates) : move_host(c, rates);
    if (!moved && c->count > 1 && leave_not_finite(c)) {
        moved = move_run(c, rates);
    }
    if (!moved) {
        set_moving(c, 0);
    }
}

/* Systems that no longer move keep their state, bit for bit; the others move back. */
static void move_some_back(rct_closed *c)
{
    const rct_solver *solver = c->solver;
    const rct_links *links = &solver->plan->links;
    solver->backend->read_state(solver->run, c->resting);
    solver->backend->moves->move_back(solver->run);
    solver->backend->read_state(solver->run, solver->state);
    for (int64_t l = 0; l < links->count; l++) {
        const int64_t at = rct_link_state(links, l);
        if (!c->systems[solver->plan->places.head[l] % c->count].moving) {
            memcpy(solver->state + at, c->resting + at,
                   (size_t)(rct_link_state(links, l + 1) - at) * sizeof *c->resting);
        }
    }
    solver->backend->write_state(solver->run, solver->state);
}

void rct_closed_move_back(rct_closed *c)
{
    if (!rct_closed_is_held(c)) {
        rct_solver_write_coordinates(c->solver, c->start, c->rates, NULL);
    } else if (c->count > 1) {
        move_some_back(c);
    } else {
        c->gone = 1;
        c->solver->backend->moves->move_back(c->solver->run);
    }
}
