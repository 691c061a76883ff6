/* Puts positions of closed systems back on their constraints by the least change in the metric of M
 * (closure/method.h), after steps and at assembly. Newton's method keeps the factor of its first
 * iteration while it converges. Systems side by side end one by one, and rest while others
 * continue. */
#include "core/error.h"
#include "dynamics/closed/systems.h"
#include "dynamics/solver.h"
#include "model/loop_check.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_HALVINGS = 12, ADVICE_SIZE = 384 };

/* Fractions of the size of the terms, or of 0.1 of the length of the system if that is more: what
 * one iteration may leave, and what passes where rounding allows no better. Near singular poses phi
 * is small where positions are not, so a step is closed to the last bits. */
static const double rounding = 1e-12, passable = 1e-10, smallest = 0.1;

/* Gaps, as fractions of the reach, that the stale factor of the last stage may close: so small that
 * the state of the factor changes no digit; in large systems none that counts. */
static const double close_by[2] = {1e-10, 1e-8};

static const double most_turn = 0.5; /* rad, in one iteration */

/* ---- what is open --------------------------------------------------------------------------- */

/* Measure each system in the state looked at last: the largest |phi|, the sum of squares, and how
 * far out its loops are, because phi is a difference of numbers of that size. */
static void measure(rct_closed *c)
{
    const rct_closure_rows *rows = rct_closures_rows(c->present);
    rct_closed_find_largest(c, rows->phi);
    for (int32_t i = 0; i < c->count; i++) {
        rct_closed_system *s = &c->systems[i];
        double reach = smallest * s->length, near = reach, squares = 0.0;
        for (int32_t k = s->first_row; k < s->first_row + s->row_count; k++) {
            const int32_t row = c->row_of[k];
            squares += rows->phi[row] * rows->phi[row];
            reach = rows->reach[row] > reach ? rows->reach[row] : reach;
            near = rows->near[row] > near ? rows->near[row] : near;
        }
        s->reach = reach;
        s->near = near;
        s->squares = squares;
    }
}

/* Whether a relation that holds prescribes a motion. */
static int is_driven(const rct_closed *c)
{
    int driven = 0;
    for (int32_t i = 0; i < rct_closed_count(c) && !driven; i++) {
        driven = rct_closures_active(c->present, i) &&
                 rct_loop_moves(&c->solver->plan->surroundings->loops[i]);
    }
    return driven;
}

/* Of the loops of a system other than `loop`, the row with the largest gap, or -1 if no gap is half
 * the largest of the system. */
static int32_t other_open(const rct_closed *c, const rct_closed_system *s, int32_t loop)
{
    const rct_closure_rows *rows = rct_closures_rows(c->present);
    double most = 0.5 * s->most;
    int32_t row = -1;
    for (int32_t k = s->first_row; k < s->first_row + s->row_count; k++) {
        const int32_t i = c->row_of[k];
        if (rows->loop[i] != loop && fabs(rows->phi[i]) >= most) {
            most = fabs(rows->phi[i]);
            row = i;
        }
    }
    return row;
}

static rct_status still_open(const rct_solver *solver, const rct_closed_system *s,
                             const rct_closed_goal *to, rct_error *error)
{
    const rct_closed *c = solver->closed;
    const rct_closure_rows *rows = rct_closures_rows(c->present);
    char advice[ADVICE_SIZE], also[RCT_NAME_SIZE + 32] = "";
    const int32_t other = other_open(c, s, rows->loop[s->row]);
    if (other >= 0) {
        char name[RCT_NAME_SIZE];
        rct_closed_name_loop(c, rows->loop[other], name);
        snprintf(also, sizeof also, "loop \"%s\" stays open too; ", name);
    }
    snprintf(advice, sizeof advice, "%s%s%s", also, to->advice,
             is_driven(c)
                 ? "; or check whether a prescribed motion demands what the loops do not allow"
                 : "");
    return rct_closed_fail(c, rows->loop[s->row], "it cannot be closed: it stays open",
                           s->most / rows->unit[s->row], rct_closed_unit(c, s->row), advice, error);
}

static rct_status check_finite(const rct_solver *solver, rct_error *error)
{
    const rct_closed *c = solver->closed;
    for (int32_t i = 0; i < c->count; i++) {
        if (!isfinite(c->systems[i].most)) {
            const int32_t row = c->systems[i].row;
            return rct_closed_not_finite(solver, rct_closures_rows(c->present)->loop[row], error);
        }
    }
    return RCT_OK;
}

/* ---- along the change ----------------------------------------------------------------------- */

/* Judge the moved systems: one that is better stays, the others move back and try again with half
 * the change. Returns whether any moved back. */
static int judge(rct_closed *c, int halvings)
{
    int back = 0;
    for (int32_t i = 0; i < c->count; i++) {
        rct_closed_system *s = &c->systems[i];
        if (s->moving && s->squares < s->before) {
            s->better = 1;
            s->moving = s->pending = 0;
        }
        s->pending = s->pending && halvings < s->halvings;
        s->along *= 0.5;
        back = back || s->moving;
    }
    if (back) {
        rct_closed_move_back(c);
    }
    return back;
}

/* Move the systems that go on along the change, halving it until they are `better`; a system that
 * is never better does not move. */
static void move(rct_closed *c, double time)
{
    int back = 0;
    rct_closed_turning(c);
    for (int32_t i = 0; i < c->count; i++) {
        rct_closed_system *s = &c->systems[i];
        s->pending = s->going;
        s->better = 0;
        s->before = s->squares;
        s->along = s->turn > most_turn ? most_turn / s->turn : 1.0;
        s->halvings = s->most > rounding * s->reach ? MOST_HALVINGS : 0;
    }
    for (int k = 0; rct_closed_pending(c) > 0; k++) {
        rct_closed_move(c, 0.0);
        rct_closed_look_again(c, time);
        measure(c);
        back = judge(c, k);
    }
    if (back) {
        rct_closed_look_again(c, time);
        measure(c);
    }
}

/* ---- the iteration -------------------------------------------------------------------------- */

static void start(rct_closed *c, const rct_closed_goal *to)
{
    for (int32_t i = 0; i < c->count; i++) {
        rct_closed_system *s = &c->systems[i];
        s->stale = s->factored != RCT_FACTOR_NONE &&
                   (c->columns != NULL || s->most <= close_by[rct_closed_is_large(c)] * s->reach);
        s->factored = s->stale ? RCT_FACTOR_STALE : RCT_FACTOR_NONE;
        s->last = INFINITY;
        s->enough = to->enough * s->near;
        s->going = 1;
    }
}

/* Whether any system goes on. */
static int go_on(rct_closed *c)
{
    int any = 0;
    for (int32_t i = 0; i < c->count; i++) {
        rct_closed_system *s = &c->systems[i];
        s->going = s->going && s->most > s->enough;
        any = any || s->going;
    }
    return any;
}

/* A step of Newton's method, with a factor of this state unless an older one serves. */
static rct_status change_positions(rct_solver *solver, const rct_closed_goal *to, int iteration,
                                   rct_error *error)
{
    rct_closed *c = solver->closed;
    const rct_closure_rows *rows = rct_closures_rows(c->present);
    for (int32_t i = 0; i < c->count; i++) {
        rct_closed_system *s = &c->systems[i];
        const int own =
            to->anew ||
            (iteration == 0 ? !s->stale : c->columns != NULL || s->most > 0.1 * s->last);
        s->pending = s->going && own;
        s->stale = s->stale && !s->pending;
    }
    rct_status status = rct_closed_pending(c) > 0 ? rct_closed_factor(solver, error) : RCT_OK;
    for (int32_t i = 0; i < c->count; i++) {
        c->systems[i].pending = c->systems[i].going;
        c->systems[i].last = c->systems[i].going ? c->systems[i].most : c->systems[i].last;
    }
    if (status == RCT_OK) {
        memcpy(c->gap, rows->phi, (size_t)rows->count * sizeof *c->gap);
        status = rct_closed_solve(c, 1, error);
    }
    return status;
}

rct_status rct_closed_close_positions(rct_solver *solver, double time, const rct_closed_goal *to,
                                      rct_error *error)
{
    rct_closed *c = solver->closed;
    measure(c);
    rct_status status = check_finite(solver, error);
    start(c, to);
    for (int k = 0; k < to->iterations && status == RCT_OK && go_on(c); k++) {
        status = change_positions(solver, to, k, error);
        if (status == RCT_OK) {
            move(c, time);
        }
        for (int32_t i = 0; i < c->count && status == RCT_OK; i++) {
            rct_closed_system *s = &c->systems[i];
            if (s->going) {
                const double share = c->method->by_values ? rounding : to->anew ? 1e-8 : 1e-3;
                const int near =
                    c->columns != NULL /* of the state before the move */
                        ? (s->last < 1e-6 * s->length ? RCT_FACTOR_STALE : RCT_FACTOR_NONE)
                        : (s->last < share * s->length ? RCT_FACTOR_NEAR : RCT_FACTOR_NONE);
                s->going = s->better || s->stale;
                s->factored = s->stale ? RCT_FACTOR_STALE : near;
                s->enough = rounding * s->reach;
            }
        }
    }
    for (int32_t i = 0; i < c->count && status == RCT_OK; i++) {
        const rct_closed_system *s = &c->systems[i];
        if (!(s->most <= passable * s->reach)) {
            status = still_open(solver, s, to, error);
        }
    }
    return status;
}
