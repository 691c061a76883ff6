/* A short run against the balances along it: work changes the energy, and external loads change
 * momentum and angular momentum. Powers and forces are integrated by Simpson's rule over pairs
 * of steps, so the residual goes with the fourth power of the step, as the error of the
 * integrator does: with half the step it must be an eighth or less, or rounding. */
#include "run/run.h"
#include "verify/verify.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { ENERGY, MOMENTUM, ANGULAR_MOMENTUM, BALANCES };

/* Gaps of loops are differences of places that are sums over whole paths. */
static const double closed = 16.0;

/* A share of the bound: accelerations of nearly straight chains are known no better than to 1e-8
 * (docs/accuracy.md). */
static const double negligible = 1e-6;

static const char *const names[BALANCES] = {"energy and work", "momentum", "angular momentum"};
static const char *const halved[BALANCES] = {"energy, half the step", "momentum, half the step",
                                             "angular, half the step"};

/* The balanced numbers: energy, momentum, angular momentum; their change in a second; and the
 * size of that change if nothing cancelled. */
typedef struct balances {
    double value[7], rate[7], size[BALANCES];
} balances;

/* The residuals of a run, the scales to which they are compared, and rounding, by quantity. */
typedef struct leftover {
    double most[BALANCES], scale[BALANCES], rounding[BALANCES];
    rct_status status;                  /* of the run */
    int64_t events, impacts;            /* that happened; impacts attach a loop */
    double open, opening, reach, speed; /* violations of loops at the end; m, m/s */
} leftover;

typedef struct short_run {
    cli_verification *v;
    rct_solver *solver;
    cli_state state;
    double *force, *moment;       /* loads [n][3]          */
    double *hinge, *hinge_moment; /* by the parents [n][3] */
} short_run;

/* External loads on a body: loads, of which those between bodies cancel in the sum, its weight,
 * and the forces of the ground. */
static void add_outside(const short_run *run, int32_t b, const double gravity[3], balances *now)
{
    double *rate = now->rate;
    rct_body body = rct_body_default();
    double c[3], weight[3], force[3], arm[3], own[3];
    const double *x = run->state.position + 3 * b;
    rct_model_body(run->v->model, b, &body, NULL);
    const bool root = cli_verify_is_root(run->v, &body);
    cli_turn(run->state.orientation + 4 * b, body.com, c);
    for (int k = 0; k < 3; k++) {
        weight[k] = body.mass * gravity[k];
        c[k] += x[k];
        force[k] = run->force[3 * b + k] + (root ? run->hinge[3 * b + k] : 0.0);
    }
    cli_cross(c, weight, arm);
    cli_cross(x, force, own);
    for (int k = 0; k < 3; k++) {
        rate[1 + k] += weight[k] + force[k];
        rate[4 + k] +=
            arm[k] + own[k] + run->moment[3 * b + k] + (root ? run->hinge_moment[3 * b + k] : 0.0);
    }
    now->size[MOMENTUM] += cli_length(weight) + cli_length(force);
    now->size[ANGULAR_MOMENTUM] += cli_length(arm) + cli_length(own);
}

/* Evaluate the present state. */
static rct_status see(short_run *run, balances *now, double *kinetic, double *potential)
{
    const rct_status status = rct_solver_evaluate(run->solver, &cli_error);
    rct_measures m;
    double gravity[3];
    if (status != RCT_OK) {
        return status;
    }
    rct_solver_measure(run->solver, &m);
    cli_state_read(&run->state, run->solver);
    rct_solver_get_hinge_forces(run->solver, run->hinge, run->hinge_moment);
    *now =
        (balances){.value = {m.kinetic + m.potential, m.momentum[0], m.momentum[1], m.momentum[2],
                             m.angular_momentum[0], m.angular_momentum[1], m.angular_momentum[2]}};
    *kinetic = m.kinetic;
    *potential = m.potential;
    if (!cli_verify_loads(run->v->model, &run->state, run->solver, run->force, run->moment) ||
        !cli_verify_power(run->v, &run->state, run->solver, &now->rate[0])) {
        return RCT_ERROR_MEMORY;
    }
    rct_model_gravity(run->v->model, gravity);
    for (int32_t b = 0; b < run->state.bodies; b++) {
        if (!run->v->grounded[b]) {
            add_outside(run, b, gravity, now);
        }
    }
    now->size[ENERGY] = fabs(now->rate[0]);
    return RCT_OK;
}

/* The norm of the numbers of one quantity. */
static double size(const double numbers[7], int quantity)
{
    return quantity == ENERGY ? fabs(numbers[0]) : cli_length(numbers + 3 * quantity - 2);
}

/* Make two steps and add up their residuals. */
static rct_status take_pair(short_run *run, double dt, balances *at, double sum[7], leftover *left)
{
    balances next[2];
    double kinetic, potential;
    for (int i = 0; i < 2; i++) {
        rct_status status = rct_solver_step(run->solver, dt, 1, &cli_error);
        status = status == RCT_OK ? see(run, &next[i], &kinetic, &potential) : status;
        if (status != RCT_OK) {
            return status;
        }
    }
    for (int k = 0; k < 7; k++) {
        const double work = dt / 3.0 * (at->rate[k] + 4.0 * next[0].rate[k] + next[1].rate[k]);
        sum[k] += next[1].value[k] - at->value[k] - work;
    }
    for (int q = 0; q < BALANCES; q++) {
        left->most[q] = fmax(left->most[q], size(sum, q));
        left->scale[q] += 2.0 * dt * next[0].size[q];
    }
    left->scale[ENERGY] = fmax(left->scale[ENERGY], kinetic);
    *at = next[1];
    return RCT_OK;
}

/* The scales: for energy, the kinetic energy plus the rounding of what gravity and springs may
 * give, as in `run`; for momentum, the momentum of this energy; for angular momentum, also the
 * size of bodies, and for its rounding their places. */
static void find_scales(const short_run *run, double kinetic, leftover *left)
{
    const rct_census *c = &run->v->census;
    const double speed = sqrt(2.0 * fmax(kinetic, left->scale[ENERGY]) * c->mass);
    const double reach = cli_largest_length(run->state.position, run->state.bodies) + c->length;
    left->scale[ENERGY] += kinetic + RCT_RUN_ROUNDING * c->holds;
    left->scale[MOMENTUM] += speed;
    left->scale[ANGULAR_MOMENTUM] += speed * c->length;
    const double digits = 64.0 * DBL_EPSILON * (double)run->v->steps;
    const double held = (cli_has_active_loops(run->v->model) ? 64.0 : 8.0) * DBL_EPSILON;
    left->rounding[ENERGY] = digits * left->scale[ENERGY] + held * c->holds;
    left->rounding[MOMENTUM] = digits * left->scale[MOMENTUM];
    left->rounding[ANGULAR_MOMENTUM] = digits * left->scale[MOMENTUM] * reach;
    left->reach = reach;
    left->speed = cli_largest_length(run->state.velocity, run->state.bodies) +
                  cli_largest_length(run->state.spin, run->state.bodies) * c->length +
                  run->v->comparison.scale[CLI_LINEAR] * run->v->dt * (double)run->v->steps;
}

static void see_end(const short_run *run, leftover *left)
{
    rct_loop_info loops;
    const int32_t count = rct_model_event_count(run->v->model);
    int64_t *happened = calloc((size_t)count + 1, sizeof *happened);
    rct_solver_get_loop_info(run->solver, &loops);
    left->open = loops.open;
    left->opening = loops.opening;
    left->events = left->impacts =
        happened == NULL; /* if memory is short, it is unknown which events happened */
    if (happened != NULL) {
        rct_solver_get_events(run->solver, happened, NULL);
    }
    for (int32_t i = 0; i < count && happened != NULL; i++) {
        rct_event event;
        rct_model_event(run->v->model, i, &event, NULL);
        left->events += happened[i];
        left->impacts += event.state != RCT_LOOP_RELEASED ? happened[i] : 0;
    }
    free(happened);
}

static void go(short_run *run, double dt, int64_t pairs, leftover *left)
{
    balances at;
    double sum[7] = {0.0}, kinetic = 0.0, potential = 0.0;
    left->status = see(run, &at, &kinetic, &potential);
    for (int64_t i = 0; i < pairs && left->status == RCT_OK; i++) {
        left->status = take_pair(run, dt, &at, sum, left);
    }
    find_scales(run, kinetic, left);
    see_end(run, left);
}

/* A run of pairs of steps from the initial state. */
static bool make_run(cli_verification *v, double dt, int64_t pairs, leftover *left)
{
    const int64_t n = rct_model_body_count(v->model);
    short_run run = {.v = v, .force = cli_numbers(12 * n, "forces")};
    *left = (leftover){.status = RCT_OK};
    if (run.force == NULL) {
        return false;
    }
    run.moment = run.force + 3 * n, run.hinge = run.force + 6 * n,
    run.hinge_moment = run.force + 9 * n;
    run.solver = cli_verify_solver(v, RCT_METHOD_ABI, 0);
    const bool good = cli_have(run.solver) && cli_state_create(&run.state, run.solver);
    if (good) {
        go(&run, dt, pairs, left);
        cli_state_free(&run.state);
    }
    rct_solver_free(run.solver);
    free(run.force);
    return good;
}

static void judge(cli_verification *v, int quantity, const leftover *whole, const leftover *half)
{
    const double scale = whole->scale[quantity], left = half->most[quantity];
    if (!(scale > 0.0)) {
        cli_check_skip(&v->checks, names[quantity], "nothing moves, and nothing acts");
        return;
    }
    cli_check_bound(&v->checks, names[quantity], whole->most[quantity] / scale,
                    cli_at_most(RCT_RUN_SHARE),
                    "it changes by more than work or forces explain: take shorter steps than --dt "
                    "%g; if that does not help, something acts that is not in the model",
                    v->dt);
    if (left <= half->rounding[quantity]) {
        cli_check_skip(&v->checks, halved[quantity], "the remainder is rounding");
    } else if (left <= negligible * RCT_RUN_SHARE * scale) {
        cli_check_skip(&v->checks, halved[quantity],
                       "the remainder is less than %g of the bound, and may be rounding",
                       negligible);
    } else if (half->events > 0 || v->census.kinks != NULL) {
        cli_check_skip(&v->checks, halved[quantity], "%s",
                       half->events > 0 ? "an event happens within the run" : v->census.kinks);
    } else {
        cli_check_bound(&v->checks, halved[quantity], left / whole->most[quantity],
                        cli_at_most(0.125),
                        "the remainder does not come from the steps, or the steps are far too "
                        "long; take shorter steps than --dt %g",
                        v->dt);
    }
}

static void judge_loops(cli_verification *v, const leftover *left)
{
    if (cli_has_active_loops(v->model)) {
        cli_check_bound(
            &v->checks, "loops closed", left->open, cli_at_most(closed * v->rounding * left->reach),
            "loops are open by this much (m) at the end of the run; take shorter steps");
        cli_check_bound(&v->checks, "loops closed, velocities", left->opening,
                        cli_at_most(closed * v->rounding * left->speed),
                        "loops open at this speed (m/s) at the end of the run; take shorter steps");
    }
}

bool cli_verify_motion(cli_verification *v)
{
    leftover whole, half;
    const int64_t pairs = v->steps / 2;
    if (pairs == 0) {
        cli_check_skip(&v->checks, names[ENERGY],
                       "the check takes two steps; give a longer --t-end");
        return true;
    }
    if (!make_run(v, v->dt, pairs, &whole)) {
        return false;
    }
    if (whole.status != RCT_OK) {
        cli_check_fail(&v->checks, "motion", "%s", cli_error.text);
        return true;
    }
    if (!make_run(v, 0.5 * v->dt, 2 * pairs, &half)) {
        return false;
    }
    if (half.status != RCT_OK) {
        cli_check_fail(&v->checks, "motion", "with half the step: %s", cli_error.text);
        return true;
    }
    for (int q = 0; q < BALANCES; q++) {
        if (whole.impacts > 0) {
            cli_check_skip(&v->checks, names[q], "a loop is attached by an impact within the run");
        } else if (q == ENERGY && v->census.ground_moves && cli_verify_touches_ground(v)) {
            cli_check_skip(&v->checks, names[q],
                           "a spring or loop ends on a body that a moving ground carries");
        } else {
            judge(v, q, &whole, &half);
        }
    }
    judge_loops(v, &whole);
    return true;
}
