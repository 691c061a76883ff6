/* How good a step is: one of dt against two of dt/2 from the same state (step doubling;
 * Richardson). The two differ by some 15/16 of the error of the long step. A difference of
 * velocities is measured by the kinetic energy that bodies with these velocities would have, so
 * that all bodies count by their motion, whether light or heavy, turning or sliding. */
#include "core/error.h"
#include "core/memory.h"
#include "core/rotation.h"
#include "core/sized.h"
#include "dynamics/raw_state.h"
#include "dynamics/rigid.h"
#include "integrate/rk4.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* sqrt(difference / kinetic) of an advised step; and above which the order of the method tells
 * nothing. */
static const double good_error = 1e-4, largest_error = 0.1;

/* Halvings until a step is given up. */
enum { HALVINGS = 30 };

/* A step that is shorter only by rounding counts as that step. */
static const double enough = 1.0 + 1e-9;

/* The arrays of a check besides the solver, for all bodies. */
typedef struct trial {
    double *start;                                     /* raw state */
    double *orientation, *angular_velocity, *velocity; /* [n][4], [n][3], [n][3] */
    /* [n][6] velocities of centres of mass and angular velocities after the long step */
    double *motion;
    double time, kept;
} trial;

static void release(trial *t)
{
    rct_release(t->start);
    rct_release(t->orientation);
}

static rct_status allocate(const rct_solver *solver, trial *t, rct_error *error)
{
    static const char what[] = "checking a step";
    const int64_t n = solver->plan->body_count;
    *t = (trial){.time = solver->time, .kept = solver->kept};
    t->start = rct_allocate(rct_raw_count(solver), sizeof *t->start, what, error);
    t->orientation = rct_allocate(n, 16 * (int64_t)sizeof(double), what, error);
    if (t->start == NULL || t->orientation == NULL) {
        return RCT_ERROR_MEMORY;
    }
    t->angular_velocity = t->orientation + 4 * n;
    t->velocity = t->angular_velocity + 3 * n;
    t->motion = t->velocity + 3 * n;
    rct_raw_read(solver, t->start);
    return rct_solver_check_inside(solver, error);
}

static rct_status take_back(rct_solver *solver, const trial *t, rct_error *error)
{
    const rct_status status = rct_raw_write(solver, t->time, t->start, error);
    solver->kept = t->kept;
    return status == RCT_OK ? rct_solver_check_inside(solver, error) : status;
}

/* Velocity of the centre of mass and angular velocity of body b, inertial axes; `m` turns body axes
 * into inertial ones. */
static void motion_of(const rct_solver *solver, const trial *t, int64_t b, double m[3][3],
                      double motion[6])
{
    const double *rate = t->angular_velocity + 3 * b;
    double arm[3], turning[3];
    rct_rotation(t->orientation + 4 * b, m);
    rct_rotate(m, rct_bodies_at(solver->plan->bodies, b)->com, arm);
    rct_cross(rate, arm, turning);
    for (int i = 0; i < 3; i++) {
        motion[i] = t->velocity[3 * b + i] + turning[i];
        motion[3 + i] = rate[i];
    }
}

/* The kinetic energy of a body with this motion, J. */
static double energy_of(const rct_body *body, double m[3][3], const double motion[6])
{
    double own[3], spin[3];
    rct_rotate_back(m, motion + 3, own);
    rct_inertia_times(body->inertia, own, spin);
    return 0.5 * (body->mass * rct_dot(motion, motion) + rct_dot(own, spin));
}

static void read_motion(rct_solver *solver, trial *t)
{
    double m[3][3];
    rct_solver_get_state_inside(solver, t->orientation, t->angular_velocity, NULL, t->velocity);
    for (int64_t b = 0; b < solver->plan->body_count; b++) {
        motion_of(solver, t, b, m, t->motion + 6 * b);
    }
}

static void compare_motion(rct_solver *solver, trial *t, rct_step_report *report)
{
    const rct_plan *plan = solver->plan;
    rct_solver_get_state_inside(solver, t->orientation, t->angular_velocity, NULL, t->velocity);
    report->kinetic = report->difference = 0.0;
    for (int64_t b = 0; b < plan->body_count; b++) {
        double m[3][3], now[6];
        motion_of(solver, t, b, m, now);
        report->kinetic += energy_of(rct_bodies_at(plan->bodies, b), m, now);
        for (int i = 0; i < 6; i++) {
            now[i] -= t->motion[6 * b + i];
        }
        report->difference += energy_of(rct_bodies_at(plan->bodies, b), m, now);
    }
    if (!isfinite(report->kinetic) || !isfinite(report->difference)) {
        report->kinetic = NAN; /* the squares overflowed */
        report->difference = INFINITY;
    } else if (report->difference == 0.0) {
        report->error = 0.0;
    } else {
        report->error = sqrt(report->difference / report->kinetic);
    }
}

/* One step of dt and two of dt/2; `report` is their difference. The state stays. */
static rct_status compare(rct_solver *solver, double dt, trial *t, rct_step_report *report,
                          rct_error *error)
{
    rct_error own;
    int64_t done;
    *report = (rct_step_report){
        .dt = dt, .kinetic = NAN, .difference = INFINITY, .error = INFINITY, .advised = dt};
    rct_status status = rct_rk4_steps(solver, dt, 1, &done, &own);
    if (status == RCT_OK) {
        read_motion(solver, t);
        status = take_back(solver, t, &own);
    }
    if (status == RCT_OK) {
        status = rct_rk4_steps(solver, 0.5 * dt, 2, &done, &own);
    }
    if (status == RCT_OK) {
        compare_motion(solver, t, report);
    }
    if (status != RCT_OK && !rct_is_of_motion(status)) {
        if (error != NULL) {
            *error = own;
        }
        return status;
    }
    return take_back(solver, t, error);
}

double rct_step_advised(double dt, double share, int32_t order)
{
    static const double nice[] = {5.0, 2.0};
    const double best = share < 1.0 ? dt * pow(share, 1.0 / order) : dt;
    if (!(best > 0.0) || !isfinite(best)) {
        return 0.0;
    }
    const double decade = pow(10.0, floor(log10(best * enough)));
    for (int k = 0; k < 2; k++) {
        if (nice[k] * decade <= best * enough) {
            return nice[k] * decade;
        }
    }
    return decade;
}

static rct_status check(rct_solver *solver, double dt, trial *t, rct_step_report *report,
                        rct_error *error)
{
    rct_status status = compare(solver, dt, t, report, error);
    rct_step_report shorter = *report;
    for (int k = 0; k < HALVINGS && status == RCT_OK && !(shorter.error <= largest_error); k++) {
        status = compare(solver, 0.5 * shorter.dt, t, &shorter, error);
    }
    if (!(shorter.error <= good_error)) {
        report->advised = rct_step_advised(shorter.dt, good_error / shorter.error, 5);
    }
    return status;
}

rct_status rct_check_step(rct_solver *solver, double dt, rct_step_report *report, rct_error *error)
{
    trial t;
    if (!(dt > 0.0) || !isfinite(dt)) {
        return rct_fail(error, RCT_ERROR_ARGUMENT, "a step of %g s to check: give a positive one",
                        dt);
    }
    const rct_pace pace = solver->pace; /* steps of a check do not count for the solver */
    rct_status status = allocate(solver, &t, error);
    if (status == RCT_OK) {
        status = check(solver, dt, &t, report, error);
    }
    solver->pace = pace;
    release(&t);
    return status;
}

rct_status rct_solver_check_step_sized(rct_solver *solver, double dt, rct_out report,
                                       rct_error *error)
{
    if (!rct_given(report.at, "report", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_step_report own;
    rct_status status = rct_solver_enter_in_time(solver, error);
    if (status == RCT_OK) {
        status = rct_solver_leave(solver, rct_check_step(solver, dt, &own, error));
    }
    if (status == RCT_OK) {
        rct_give(report, &own, rct_whole(sizeof own));
    }
    return status;
}
