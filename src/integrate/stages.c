/* Stages of integrators (stages.h). */
#include "integrate/stages.h"

#include "core/error.h"
#include "integrate/rk4.h"

static const rct_slope_operations *slopes_of(const rct_steps *s)
{
    return s->solver->backend->slopes;
}

rct_steps rct_steps_begin(rct_solver *solver)
{
    const int64_t freedoms = solver->plan->freedoms;
    rct_steps s = {.solver = solver,
                   .positions = solver->plan->coordinates,
                   .numbers = rct_solver_numbers(solver),
                   .length = rct_length_of(solver->plan),
                   .time = solver->time};
    double *at = solver->stages;
    double **rows[STAGE_ROWS] = {&s.next, &s.other};
    double **rates[STAGE_RATES] = {&s.stiffness, &s.damping, &s.given, &s.accelerations};
    for (int i = 0; i < STAGE_ROWS && at != NULL; i++, at += s.numbers) {
        *rows[i] = at;
    }
    for (int i = 0; i < STAGE_RATES && at != NULL; i++, at += freedoms) {
        *rates[i] = at;
    }
    s.turning = at;
    return s;
}

void rct_steps_keep(rct_steps *s)
{
    slopes_of(s)->copy(s->solver->run, RCT_SLOT_KEPT, RCT_SLOT_STATE);
    s->kept_time = s->time;
    s->kept_pace = s->solver->pace;
}

void rct_steps_take_back(rct_steps *s)
{
    slopes_of(s)->copy(s->solver->run, RCT_SLOT_STATE, RCT_SLOT_KEPT);
    s->time = s->kept_time;
    s->solver->pace = s->kept_pace;
    s->begun = 0;
}

/* ---- slopes ------------------------------------------------------------------------------- */

rct_weighing rct_steps_weigh(const rct_steps *s, double h, const double *weights, int count,
                             int all)
{
    rct_weighing by = {.count = count};
    for (int k = 0; k < count; k++) {
        by.slot[k] = RCT_SLOT_SLOPES + (s->first + k) % all;
        by.weight[k] = h * weights[k];
    }
    return by;
}

void rct_steps_move(const rct_steps *s, const rct_weighing *by)
{
    slopes_of(s)->weigh(s->solver->run, by);
    s->solver->evaluated = 0;
}

double rct_steps_size(const rct_steps *s, const rct_weighing *by)
{
    return slopes_of(s)->size(s->solver->run, by, s->length);
}

rct_status rct_steps_evaluate(const rct_steps *s, double time, rct_error *error)
{
    s->solver->time = time;
    s->solver->pace.evaluations++;
    return rct_solver_evaluate_inside(s->solver, error);
}

rct_status rct_steps_start(rct_steps *s, int all, rct_error *error)
{
    const double one = 1.0;
    rct_weighing by = rct_steps_weigh(s, 1.0, &one, 1, all);
    by.fresh = 1;
    slopes_of(s)->copy(s->solver->run, RCT_SLOT_START, RCT_SLOT_STATE);
    const rct_status status = rct_steps_evaluate(s, s->time, error);
    if (status == RCT_OK) {
        s->steepness = rct_steps_size(s, &by);
    }
    return status;
}

/* ---- rows --------------------------------------------------------------------------------- */

rct_status rct_steps_write(const rct_steps *s, const double *row, rct_error *error)
{
    const rct_status status =
        rct_solver_write_coordinates(s->solver, row, row + s->positions, error);
    if (status == RCT_ERROR_ARGUMENT && error != NULL) {
        char label[RCT_BODY_LABEL];
        return rct_fail_body(error, RCT_ERROR_DIVERGED, error->body,
                             "%s: its motion is no longer finite",
                             rct_bodies_label(s->solver->plan->bodies, error->body, label));
    }
    return status == RCT_ERROR_ARGUMENT ? RCT_ERROR_DIVERGED : status;
}
