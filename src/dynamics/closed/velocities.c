/* Puts velocities of closed systems back on their constraints by the least change in the metric of
 * M: after steps, at assembly, and on impact. Systems side by side end one by one, and rest while
 * others continue. */
#include "core/error.h"
#include "dynamics/closed/systems.h"
#include "dynamics/solver.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MOST_PROJECTIONS = 5 };

/* Fractions of the size of the terms, or of 0.1 of the pace of the system if that is more: what
 * passes where rounding allows no better; what one projection may leave, and how much a stale
 * factor closes, in systems that are not large, or large. */
static const double passable = 1e-10, smallest = 0.1;
static const double rounding[2] = {1e-12, 1e-11}, close_by[2] = {1e-9, 1e-6};

rct_status rct_closed_not_finite(const rct_solver *solver, int32_t loop, rct_error *error)
{
    const rct_status status = rct_solver_check_inside(solver, error);
    const int32_t body = rct_closed_body_of(solver->closed, loop);
    char label[RCT_BODY_LABEL];
    return status != RCT_OK
               ? status
               : rct_fail_body(error, RCT_ERROR_DIVERGED, body,
                               "%s: its motion is no longer finite; take a smaller step or slower "
                               "initial rates",
                               rct_bodies_label(solver->plan->bodies, body, label));
}

/* |phi'| of a system in the state looked at last, as a fraction of its terms. */
static double excess(const rct_closed_system *s)
{
    return s->most / fmax(smallest * s->pace, s->terms);
}

static void measure(rct_closed *c)
{
    const rct_closure_rows *rows = rct_closures_rows(c->present);
    rct_closed_find_largest(c, rows->speed);
    rct_closed_take_terms(c, rows->terms);
}

/* Whether any system goes on. */
static int go_on(rct_closed *c, int projection)
{
    int any = 0;
    for (int32_t i = 0; i < c->count; i++) {
        rct_closed_system *s = &c->systems[i];
        const double over = excess(s);
        s->going = s->going && over > s->enough;
        if (projection > 0 && over <= passable && over > 0.5 * s->last) {
            s->going = 0; /* only rounding is left, and another projection would leave as much */
        }
        any = any || s->going;
    }
    return any;
}

/* Factor the systems that have no usable factor of this state; with several systems none has one,
 * because another system may have been factored since. Factor again where one projection closed too
 * little. */
static rct_status factor(rct_solver *solver, int projection, rct_error *error)
{
    rct_closed *c = solver->closed;
    for (int32_t i = 0; i < c->count; i++) {
        rct_closed_system *s = &c->systems[i];
        const int stale = s->factored == RCT_FACTOR_STALE;
        const int none = c->count > 1 || s->factored == RCT_FACTOR_NONE ||
                         (stale && excess(s) > close_by[rct_closed_is_large(c)]);
        const int again = projection == (stale ? 1 : 2);
        s->last = s->going ? excess(s) : s->last;
        s->pending = s->going && (projection == 0 ? none : again);
        s->factored = s->pending ? RCT_FACTOR_NEAR : s->factored;
    }
    return rct_closed_pending(c) > 0 ? rct_closed_factor(solver, error) : RCT_OK;
}

/* One projection: take from the rates what phi' is too much. */
static rct_status change_rates(rct_solver *solver, double time, rct_error *error)
{
    rct_closed *c = solver->closed;
    const rct_closure_rows *rows = rct_closures_rows(c->present);
    for (int32_t i = 0; i < c->count; i++) {
        c->systems[i].pending = c->systems[i].going;
        c->systems[i].along = 0.0;
    }
    memcpy(c->gap, rows->speed, (size_t)rows->count * sizeof *c->gap);
    rct_status status = rct_closed_solve(c, 1, error);
    if (status == RCT_OK) {
        rct_closed_move(c, 1.0);
    }
    for (int32_t i = 0; i < c->count && status == RCT_OK; i++) {
        const rct_closed_system *s = &c->systems[i];
        if (s->pending && !s->moving) {
            status = rct_closed_not_finite(solver, rows->loop[c->row_of[s->first_row]], error);
        }
    }
    rct_closed_look_again(c, time);
    return status;
}

static rct_status still_moving(const rct_solver *solver, const rct_closed_system *s,
                               rct_error *error)
{
    const rct_closure_rows *rows = rct_closures_rows(s->closed->present);
    const int32_t loop = rows->loop[s->row];
    return !isfinite(s->most)
               ? rct_closed_not_finite(solver, loop, error)
               : rct_closed_fail(s->closed, loop,
                                 "no velocities meet its constraints: they miss them",
                                 s->most / rows->unit[s->row], "", rct_closed_contradicted, error);
}

rct_status rct_closed_close_velocities(rct_solver *solver, double time, double enough,
                                       rct_error *error)
{
    rct_closed *c = solver->closed;
    rct_status status = RCT_OK;
    measure(c);
    for (int32_t i = 0; i < c->count; i++) {
        c->systems[i].going = 1;
        c->systems[i].enough = enough;
        c->systems[i].last = INFINITY;
    }
    for (int k = 0; k < MOST_PROJECTIONS && status == RCT_OK && go_on(c, k); k++) {
        status = factor(solver, k, error);
        RCT_THEN(status, change_rates(solver, time, error));
        measure(c);
        for (int32_t i = 0; i < c->count; i++) {
            if (c->systems[i].going) {
                c->systems[i].enough = rounding[rct_closed_is_large(c)];
            }
        }
    }
    for (int32_t i = 0; i < c->count && status == RCT_OK; i++) {
        if (!(excess(&c->systems[i]) <= passable)) {
            status = still_moving(solver, &c->systems[i], error);
        }
    }
    return status;
}
