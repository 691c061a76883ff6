/* Positions and velocities of closed systems back on their constraints, by the least change in the metric of M
 * (closure/method.h): after steps, to assemble, and on impact. Newton's method keeps the factor of its first
 * iteration as long as it converges. */
#include "core/error.h"
#include "dynamics/closed.h"
#include "dynamics/solver.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_HALVINGS = 12, MOST_PROJECTIONS = 5, ADVICE_SIZE = 384 };

/* Of the size of the terms, or at least of 0.1: what one iteration may leave, and what passes where rounding allows no
 * more. Near singular poses phi is small where positions are not: after a step it is closed to the last bits. */
static const double rounding = 1e-12, passable = 1e-10, smallest = 0.1;

/* What the factor of the last stage, STALE, closes of a step, in parts of reach; ten times as much of velocities: so little that where
 * it was taken changes no digit. */
static const double close_by = 1e-10;
enum { STALE = 2 };

static const double most_turn = 0.5; /* rad, in one iteration */

/* When a state is left as it is, for how long it is tried, and what to do if that fails. */
typedef struct goal {
    double enough;
    int iterations;
    int anew; /* whether every iteration has a factor of its own: then all methods come to one state */
    const char *advice;
} goal;

static const goal after_a_step = {4e-16, 20, 0, "take a smaller step"};
static const goal from_afar = {1e-12, 60, 1,
                               "start nearer to a closed state, check lengths and axes, or "
                               "release a loop that contradicts it"};

void rct_closed_keep(rct_closed *c)
{
    c->solver->backend->read_state(c->solver->run, c->before);
}

void rct_closed_take_back(rct_closed *c)
{
    c->solver->backend->write_state(c->solver->run, c->before);
    c->solver->evaluated = 0;
}

void rct_closed_begin_step(rct_closed *c)
{
    if (!rct_closed_is_held(c)) { /* there the run has it */
        rct_closed_keep(c);
    }
}

void rct_closed_take_step_back(rct_closed *c, int stages)
{
    if (!rct_closed_is_held(c)) {
        rct_closed_take_back(c);
    } else if (stages > 1) {
        c->solver->backend->moves->take_back(c->solver->run);
    }
}

static rct_status not_finite(const rct_solver *solver, int32_t number, rct_error *error)
{
    const rct_status status = rct_solver_check_inside(solver, error);
    rct_loop loop;
    rct_model_loop(solver->plan->surroundings, number, &loop, NULL);
    const int32_t body = loop.type == RCT_LOOP_RELATION ? loop.terms[0].body : loop.body;
    return status != RCT_OK
               ? status
               : rct_fail_body(error, RCT_ERROR_DIVERGED, body,
                               "body %" PRId32 ": its motion is no longer finite; take a smaller "
                               "step or slower initial rates",
                               body);
}

/* ---- positions ---------------------------------------------------------------------------- */

/* m, how far out the loops are: phi is a difference of such numbers */
static double reach(const rct_closed *c)
{
    const rct_closure_rows *rows = rct_closures_rows(c->present);
    double most = smallest;
    for (int32_t i = 0; i < rows->count; i++) {
        most = rows->reach[i] > most ? rows->reach[i] : most;
    }
    return most;
}

static double sum_of_squares(const rct_closure_rows *rows)
{
    double sum = 0.0;
    for (int32_t i = 0; i < rows->count; i++) {
        sum += rows->phi[i] * rows->phi[i];
    }
    return sum;
}

/* Move along the change, less and less of it until it is for the better; 0: it never was, and nothing moved. */
static int move(rct_closed *c, double time, int halvings)
{
    const rct_closure_rows *rows = rct_closures_rows(c->present);
    const double open = sum_of_squares(rows), most = rct_closed_turning(c);
    double scale = most > most_turn ? most_turn / most : 1.0;
    for (int k = 0; k <= halvings; k++) {
        if (rct_closed_move(c, scale, 0.0)) {
            rows = rct_closed_look_again(c, time);
            if (sum_of_squares(rows) < open) {
                return 1;
            }
            rct_closed_move_back(c);
        }
        scale *= 0.5;
    }
    rct_closed_look_again(c, time);
    return 0;
}

/* Whether a relation that holds prescribes a motion. */
static int is_driven(const rct_closed *c)
{
    int driven = 0;
    for (int32_t i = 0; i < rct_closed_count(c) && !driven; i++) {
        rct_loop loop;
        rct_model_loop(c->solver->plan->surroundings, i, &loop, NULL);
        driven =
            rct_closures_active(c->present, i) && (loop.rate != 0.0 || loop.acceleration != 0.0);
    }
    return driven;
}

/* Of the loops but one the row that is furthest open, or -1 if it is less than half of that one's `open`. */
static int32_t other_open(const rct_closure_rows *rows, int32_t loop, double open)
{
    double most = 0.5 * open;
    int32_t row = -1;
    for (int32_t i = 0; i < rows->count; i++) {
        if (rows->loop[i] != loop && fabs(rows->phi[i]) >= most) {
            most = fabs(rows->phi[i]);
            row = i;
        }
    }
    return row;
}

static rct_status still_open(const rct_solver *solver, int32_t row, double open, const goal *to,
                             rct_error *error)
{
    const rct_closed *c = solver->closed;
    const rct_closure_rows *rows = rct_closures_rows(c->present);
    char advice[ADVICE_SIZE], also[RCT_NAME_SIZE + 32] = "";
    if (!isfinite(open)) {
        return not_finite(solver, rows->loop[row], error);
    }
    const int32_t other = other_open(rows, rows->loop[row], open);
    if (other >= 0) {
        char name[RCT_NAME_SIZE];
        rct_model_loop_name(c->solver->plan->surroundings, rows->loop[other], name);
        snprintf(also, sizeof also, "so does loop \"%s\"; ", name);
    }
    snprintf(advice, sizeof advice, "%s%s%s", also, to->advice,
             is_driven(c)
                 ? "; or see whether a prescribed motion asks for what the loops do not allow"
                 : "");
    return rct_closed_fail(c, rows->loop[row], "it cannot be closed: it stays open", open,
                           rct_closed_unit(c, row), advice, error);
}

/* From the state looked at last; `*factored`: whether a factor of about this state is at hand, before and then. */
static rct_status close_positions(rct_solver *solver, double time, const goal *to, int *factored,
                                  rct_error *error)
{
    rct_closed *c = solver->closed;
    const rct_closure_rows *rows = rct_closures_rows(c->present);
    double open, last = INFINITY, enough = to->enough;
    int32_t row = rct_closed_largest(rows, rows->phi, &open);
    rct_status status = RCT_OK;
    int stale =
        *factored && open <= close_by * reach(c); /* whether the factor is not of this state */
    *factored = stale ? STALE : 0;
    for (int k = 0, moved = 1; k < to->iterations && moved && open > enough * reach(c); k++) {
        if (to->anew || (k == 0 ? !stale : c->columns != NULL || open > 0.1 * last)) {
            status = rct_closed_factor(solver, error);
            stale = 0;
        }
        if (status == RCT_OK) {
            memcpy(c->gap, rows->phi, (size_t)rows->count * sizeof *c->gap);
            status = rct_closed_solve(c, 1, INFINITY, "", error);
        }
        if (status != RCT_OK) {
            return status;
        }
        last = open;
        moved = move(c, time, open > rounding * reach(c) ? MOST_HALVINGS : 0) || stale;
        row = rct_closed_largest(rows, rows->phi, &open);
        *factored = stale ? STALE : last < 1e-3;
        if (c->columns != NULL) {
            *factored = last < 1e-6 ? STALE : 0; /* of the state before the move */
        }
        enough = rounding;
    }
    return open <= passable * reach(c) ? RCT_OK : still_open(solver, row, open, to, error);
}

/* ---- velocities --------------------------------------------------------------------------- */

/* |phi'| in the state looked at last, in parts of its terms; its row. */
static double excess(const rct_closed *c, int32_t *row, double *speed)
{
    const rct_closure_rows *rows = rct_closures_rows(c->present);
    double size = smallest;
    *row = rct_closed_largest(rows, rows->speed, speed);
    for (int32_t i = 0; i < rows->count; i++) {
        size = rows->terms[i] > size ? rows->terms[i] : size;
    }
    return *speed / size;
}

/* One projection: rates less what phi' is too much. */
static rct_status change_rates(rct_solver *solver, double time, rct_error *error)
{
    rct_closed *c = solver->closed;
    const rct_closure_rows *rows = rct_closures_rows(c->present);
    memcpy(c->gap, rows->speed, (size_t)rows->count * sizeof *c->gap);
    rct_status status = rct_closed_solve(c, 1, INFINITY, "", error);
    if (status == RCT_OK && !rct_closed_move(c, 0.0, 1.0)) {
        status = not_finite(solver, rows->loop[0], error);
    }
    rct_closed_look_again(c, time);
    return status;
}

/* From the state looked at last; `factored` as above. */
static rct_status close_velocities(rct_solver *solver, double time, double enough, int factored,
                                   rct_error *error)
{
    const rct_closed *c = solver->closed;
    rct_status status = RCT_OK;
    int32_t row;
    double speed, last = INFINITY, over = excess(c, &row, &speed);
    for (int k = 0; k < MOST_PROJECTIONS && over > enough && status == RCT_OK; k++) {
        if (k > 0 && over <= passable && over > 0.5 * last) {
            break; /* rounding, of which another projection would make as much */
        }
        last = over;
        if (k == 0 ? !factored || (factored == STALE && over > 10.0 * close_by) : k == 2) {
            status = rct_closed_factor(solver, error);
        }
        if (status == RCT_OK) {
            status = change_rates(solver, time, error);
        }
        over = excess(c, &row, &speed);
        enough = rounding;
    }
    if (status != RCT_OK || over <= passable) {
        return status;
    }
    const int32_t loop = rct_closures_rows(c->present)->loop[row];
    return !isfinite(speed)
               ? not_finite(solver, loop, error)
               : rct_closed_fail(c, loop, "no velocities meet its constraints: they miss them",
                                 speed, "",
                                 "its constraints contradict one another or those of other loops "
                                 "in this state; release one of them",
                                 error);
}

/* ---- both --------------------------------------------------------------------------------- */

static rct_status close_both(rct_solver *solver, double time, const goal *to, int factored,
                             rct_error *error)
{
    const rct_status status = close_positions(solver, time, to, &factored, error);
    return status == RCT_OK ? close_velocities(solver, time, to->enough, factored, error) : status;
}

rct_status rct_closed_settle(rct_solver *solver, double time, rct_error *error)
{
    rct_closed *c = solver->closed;
    const int partitions = c->drift == RCT_DRIFT_PARTITION;
    if (c->drift != RCT_DRIFT_PROJECT && !partitions) {
        return RCT_OK;
    }
    rct_solver_move_ground(c->solver, time);
    const rct_closure_rows *rows = rct_closed_look_again(c, time);
    c->partitioning = partitions; /* the factor of the last stage is another's */
    const rct_status status =
        rows->count > 0 ? close_both(solver, time, &after_a_step, !partitions, error) : RCT_OK;
    c->partitioning = 0;
    return status;
}

rct_status rct_closed_assemble(rct_solver *solver, double time, rct_error *error)
{
    rct_closed *c = solver->closed;
    rct_closed_keep(c);
    rct_solver_move_ground(c->solver, time);
    const rct_closure_rows *rows = rct_closed_look_again(c, time);
    rct_status status = rows->count > 0 ? close_both(solver, time, &from_afar, 0, error) : RCT_OK;
    if (status == RCT_OK && rows->flipped >= 0) {
        status = rct_closed_fail(c, rows->flipped, "it closes with its frames turned round, over",
                                 180.0, " degrees", "turn its bodies by half a turn", error);
    }
    if (status != RCT_OK) {
        rct_closed_take_back(c);
    }
    return status;
}

rct_status rct_closed_begin(rct_solver *solver, rct_error *error)
{
    rct_closed *c = solver->closed;
    rct_solver_move_ground(c->solver, 0.0);
    const rct_closure_rows *rows = rct_closed_look_again(c, 0.0);
    const int32_t open = rct_closed_largest(rows, rows->phi, &c->start_position);
    const int32_t moving = rct_closed_largest(rows, rows->speed, &c->start_velocity);
    c->start_position_loop = open >= 0 ? rows->loop[open] : -1;
    c->start_velocity_loop = moving >= 0 ? rows->loop[moving] : -1;
    return rct_closed_assemble(solver, 0.0, error);
}

rct_status rct_closed_warm(rct_solver *solver, rct_error *error)
{
    rct_closed *c = solver->closed;
    const rct_closure_rows *rows = rct_closed_look_again(c, solver->time);
    rct_status status = RCT_OK;
    if (rows->count > 0 && c->drift == RCT_DRIFT_PARTITION) {
        c->partitioning = 1;
        status = rct_closed_factor(solver, error);
        c->partitioning = 0;
    }
    if (rows->count > 0) {
        RCT_THEN(status, rct_closed_factor(solver, error));
    }
    return status;
}

rct_status rct_closed_impact(rct_solver *solver, double time, rct_error *error)
{
    return close_velocities(solver, time, rounding, 1, error);
}
