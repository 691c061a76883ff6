/* The stiffest motion that springs and dampers at hinges make, and the step of rk4 that it allows: told before a run whose steps
 * are longer, which would end in numbers without a meaning.
 *
 * For rates v let m = v M v, c = v C v, k = v K v, M being the mass matrix, C and K the dampers and springs at hinges, of balls about rest: a motion
 * along v goes with exp(z t), m z^2 + c z + k = 0. The largest eigenvalue of M^-1 K, or of M^-1 C, is at least k / m or c / m, for any v; that found
 * by some steps of the power method is close. M^-1 in O(n) by the operators of the library. Loops that hold make it smaller: of models
 * with any nothing is said. */
#include "run/run.h"
#include "state.h"

#include <complex.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 12, MOST_NUMBERS = 1 << 21, HALVINGS = 50 };

/* Within this share of what is allowed nothing is said: the power method comes from below. */
static const double close_by = 0.98;

/* Numbers of all rates: of hinges with axes along them, of balls about the axes of their bodies. */
typedef struct stiff_hinges {
    rct_solver *solver;
    const rct_model *model;
    int64_t count, bodies;
    double *stiffness, *damping, *motion, *force;
    double *spin, *moment; /* [bodies][3] of a motion                  */
    double *zeros;         /* [bodies][3]                              */
    double *orientation;   /* [bodies][4]                              */
    int32_t *parent;       /* [bodies]                                 */
    int32_t *body;         /* whose hinge it is                        */
    bool *ball;            /* whether that is one                      */
} stiff_hinges;

static void read_hinges(stiff_hinges *h)
{
    int64_t r = 0;
    for (int32_t b = 0; b < h->bodies; b++) {
        rct_body body = rct_body_default();
        rct_model_body(h->model, b, &body, NULL);
        h->parent[b] = body.parent;
        for (int i = 0; i < rct_hinge_freedoms(body.hinge); i++, r++) {
            const bool yields = body.hinge != RCT_HINGE_FREE;
            h->stiffness[r] = yields ? body.stiffness[i] : 0.0;
            h->damping[r] = yields ? body.damping[i] : 0.0;
            h->body[r] = b;
            h->ball[r] = body.hinge == RCT_HINGE_BALL;
        }
    }
    rct_solver_get_state(h->solver, h->orientation, NULL, NULL, NULL);
}

/* How a body turns against what it hangs on in the motion, in its own axes. */
static void slip_of(const stiff_hinges *h, int32_t b, double slip[3])
{
    const double *q = h->orientation + 4 * b, back[4] = {q[0], -q[1], -q[2], -q[3]};
    const int32_t parent = h->parent[b];
    double between[3];
    for (int i = 0; i < 3; i++) {
        between[i] = h->spin[3 * b + i] - (parent == RCT_GROUND ? 0.0 : h->spin[3 * parent + i]);
    }
    cli_turn(back, between, slip);
}

/* Moments of so much about the axes of a body, on it and against what it hangs on. */
static void press(const stiff_hinges *h, int32_t b, const double about[3])
{
    const int32_t parent = h->parent[b];
    double turned[3];
    cli_turn(h->orientation + 4 * b, about, turned);
    for (int i = 0; i < 3; i++) {
        h->moment[3 * b + i] += turned[i];
        if (parent != RCT_GROUND) {
            h->moment[3 * parent + i] -= turned[i];
        }
    }
}

/* x D x of the motion x, and D x to `force` unless NULL; the body whose hinge has the largest part, unless NULL. NAN: it cannot be
 * had. */
static double form(const stiff_hinges *h, const double *diagonal, double *force, int32_t *body)
{
    double sum = 0.0, largest = -1.0;
    memset(h->moment, 0, 3 * (size_t)h->bodies * sizeof *h->moment);
    if (rct_solver_jacobian_times(h->solver, 1, h->motion, NULL, h->spin, NULL) != RCT_OK) {
        return NAN;
    }
    for (int64_t r = 0; r < h->count; r += h->ball[r] ? 3 : 1) {
        double part = 0.0, slip[3], about[3];
        if (h->ball[r]) {
            slip_of(h, h->body[r], slip);
            for (int i = 0; i < 3; i++) {
                about[i] = diagonal[r + i] * slip[i];
                part += about[i] * slip[i];
            }
            press(h, h->body[r], about);
        } else {
            part = diagonal[r] * h->motion[r] * h->motion[r];
        }
        sum += part;
        if (body != NULL && part > largest) {
            largest = part;
            *body = h->body[r];
        }
    }
    if (force != NULL &&
        rct_solver_jacobian_transposed(h->solver, 1, h->zeros, h->moment, force, NULL) != RCT_OK) {
        return NAN;
    }
    for (int64_t r = 0; r < h->count && force != NULL; r++) {
        force[r] += h->ball[r] ? 0.0 : diagonal[r] * h->motion[r];
    }
    return sum;
}

/* The step that a motion z (1/s) allows, s: up to there rk4 makes it no larger. */
static double allowed(double complex z)
{
    double low = 0.0, high = 4.0 / cabs(z);
    for (int i = 0; i < HALVINGS; i++) {
        const double h = 0.5 * (low + high);
        const double complex x = h * z;
        const double growth = cabs(1.0 + x * (1.0 + x / 2.0 * (1.0 + x / 3.0 * (1.0 + x / 4.0))));
        if (growth <= 1.0 + 1e-12) {
            low = h;
        } else {
            high = h;
        }
    }
    return low;
}

/* Of a motion with forms m, c and k: the step that it allows. */
static double step_of(double m, double c, double k)
{
    const double complex root = csqrt(c * c - 4.0 * m * k);
    const double complex z[2] = {(-c - root) / (2.0 * m), (-c + root) / (2.0 * m)};
    const double first = cabs(z[0]) > 0.0 ? allowed(z[0]) : INFINITY;
    const double second = cabs(z[1]) > 0.0 ? allowed(z[1]) : INFINITY;
    return fmin(first, second);
}

/* The largest eigenvector of M^-1 D by the power method, and the step that it allows; the body that moves most by it. INFINITY where D
 * is 0, or M^-1 cannot be had. */
static double stiffest(stiff_hinges *h, const double *diagonal, int32_t *body)
{
    double mass = 0.0;
    for (int64_t r = 0; r < h->count; r++) { /* neighbours against one another */
        h->motion[r] = (h->ball[r] ? h->body[r] : r) % 2 == 0 ? 1.0 : -1.0;
    }
    for (int i = 0; i < ITERATIONS; i++) {
        const double size = form(h, diagonal, h->force, NULL);
        for (int64_t r = 0; r < h->count && size > 0.0; r++) {
            h->force[r] /= sqrt(size);
        }
        if (!(size > 0.0) ||
            rct_solver_mass_solve(h->solver, 1, h->force, h->motion, NULL) != RCT_OK) {
            return INFINITY;
        }
    }
    for (int64_t r = 0; r < h->count; r++) {
        mass += h->force[r] * h->motion[r]; /* force = M motion */
    }
    form(h, diagonal, NULL, body);
    return step_of(mass, form(h, h->damping, NULL, NULL), form(h, h->stiffness, NULL, NULL));
}

static void say(const cli_run_state *run, double step, int32_t body)
{
    rct_body own = rct_body_default();
    char name[RCT_NAME_SIZE];
    rct_model_body(run->model, body, &own, NULL);
    rct_model_body_name(run->model, body, name);
    cli_warn("steps of %.9g s are too long for springs and dampers at hinges, stiffest at body "
             "%" PRId32
             " \"%s\": these need less than %.3g s; try --dt %.9g, or --integrator implicit",
             run->arguments->dt, body, name, step, rct_step_advised(step, 0.5, 1));
}

/* Room for all numbers; false without memory. */
static bool make_room(stiff_hinges *h)
{
    double *numbers = calloc((size_t)(4 * h->count + 13 * h->bodies), sizeof *numbers);
    h->body = calloc((size_t)h->count, sizeof *h->body);
    h->ball = calloc((size_t)h->count, sizeof *h->ball);
    h->parent = calloc((size_t)h->bodies, sizeof *h->parent);
    h->stiffness = numbers;
    if (numbers != NULL) {
        h->damping = numbers + h->count;
        h->motion = numbers + 2 * h->count, h->force = numbers + 3 * h->count;
        h->spin = numbers + 4 * h->count, h->moment = h->spin + 3 * h->bodies;
        h->orientation = h->moment + 3 * h->bodies, h->zeros = h->orientation + 4 * h->bodies;
    }
    return numbers != NULL && h->body != NULL && h->ball != NULL && h->parent != NULL;
}

void cli_run_expect(cli_run_state *run)
{
    stiff_hinges h = {.solver = run->solver,
                      .model = run->model,
                      .count = run->info.dof,
                      .bodies = run->info.bodies};
    const bool any = run->census.hinge_springs + run->census.hinge_dampers > 0;
    rct_loop_info loops;
    rct_solver_get_loop_info(run->solver, &loops);
    if (run->note.adapts || !any || h.count > MOST_NUMBERS || loops.active > 0) {
        return;
    }
    if (make_room(&h)) { /* without memory nothing is said */
        int32_t at[2] = {0, 0};
        read_hinges(&h);
        const double springs = stiffest(&h, h.stiffness, &at[0]);
        const double dampers = stiffest(&h, h.damping, &at[1]);
        const double step = fmin(springs, dampers);
        if (close_by * run->arguments->dt > step) {
            run->warnings++;
            say(run, step, springs <= dampers ? at[0] : at[1]);
        }
    }
    free(h.stiffness);
    free(h.body);
    free(h.ball);
    free(h.parent);
}
