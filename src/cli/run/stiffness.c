/* The stiffest motion that springs and dampers at hinges make, and the step of rk4 that it allows: told before a run whose steps
 * are longer, which would end in numbers without a meaning.
 *
 * For rates v let m = v M v, c = v C v, k = v K v, M being the mass matrix, C and K the dampers and springs at hinges: a motion
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

/* Numbers of all rates. */
typedef struct stiff_hinges {
    int64_t count;
    double *stiffness, *damping, *motion, *force;
    int32_t *body; /* whose hinge it is */
} stiff_hinges;

static bool is_absolute(rct_hinge_type hinge)
{
    return hinge == RCT_HINGE_BALL || hinge == RCT_HINGE_FREE;
}

static void read_hinges(const rct_model *model, stiff_hinges *h)
{
    int64_t r = 0;
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body = rct_body_default();
        rct_model_body(model, b, &body, NULL);
        for (int i = 0; i < rct_hinge_freedoms(body.hinge); i++, r++) {
            h->stiffness[r] = is_absolute(body.hinge) ? 0.0 : body.stiffness[i];
            h->damping[r] = is_absolute(body.hinge) ? 0.0 : body.damping[i];
            h->body[r] = b;
        }
    }
}

/* The most that a force at a hinge resists anywhere: the slopes of friction at rest, of limits within reach, of a curve at its rows. */
static void stiffest_of(const rct_model *model, int32_t i, const rct_force *f, double *stiffness,
                        double *damping)
{
    rct_force_effort e = {.effort = 0.0};
    *stiffness = f->stiffness, *damping = f->damping;
    if (f->type == RCT_FORCE_FRICTION) {
        rct_model_force_effort(model, i, 0.0, 0.0, 0.0, &e, NULL);
        *damping = -e.by_rate;
    }
    for (int64_t k = 0; k < f->rows && f->type == RCT_FORCE_CURVE; k++) {
        const double x = f->table[2 * k];
        rct_model_force_effort(model, i, x, x, x, &e, NULL);
        *stiffness = fmax(*stiffness, -e.by_coordinate);
        *damping = fmax(*damping, -e.by_rate);
    }
}

static bool is_at_hinge(const rct_force *f)
{
    return f->type >= RCT_FORCE_FRICTION && f->type <= RCT_FORCE_CURVE;
}

static void read_forces(const rct_model *model, const int64_t *places, stiff_hinges *h)
{
    for (int32_t i = 0; i < rct_model_force_count(model); i++) {
        double stiffness, damping;
        rct_force force = rct_force_default();
        rct_model_force(model, i, &force, NULL);
        if (is_at_hinge(&force)) {
            const int64_t r = places[2 * force.body + 1] + force.coordinate;
            stiffest_of(model, i, &force, &stiffness, &damping);
            h->stiffness[r] += stiffness;
            h->damping[r] += damping;
        }
    }
}

/* x D x */
static double form(const stiff_hinges *h, const double *diagonal, const double *x)
{
    double sum = 0.0;
    for (int64_t r = 0; r < h->count; r++) {
        sum += diagonal[r] * x[r] * x[r];
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
static double stiffest(rct_solver *solver, stiff_hinges *h, const double *diagonal, int32_t *body)
{
    double mass = 0.0, largest = -1.0;
    for (int64_t r = 0; r < h->count; r++) { /* neighbours against one another */
        h->motion[r] = r % 2 == 0 ? 1.0 : -1.0;
    }
    for (int i = 0; i < ITERATIONS; i++) {
        const double size = form(h, diagonal, h->motion);
        for (int64_t r = 0; r < h->count && size > 0.0; r++) {
            h->force[r] = diagonal[r] * h->motion[r] / sqrt(size);
        }
        if (!(size > 0.0) ||
            rct_solver_mass_solve(solver, 1, h->force, h->motion, NULL) != RCT_OK) {
            return INFINITY;
        }
    }
    for (int64_t r = 0; r < h->count; r++) {
        const double part = diagonal[r] * h->motion[r] * h->motion[r];
        mass += h->force[r] * h->motion[r]; /* force = M motion */
        *body = part > largest ? h->body[r] : *body;
        largest = fmax(part, largest);
    }
    return step_of(mass, form(h, h->damping, h->motion), form(h, h->stiffness, h->motion));
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

void cli_run_expect(cli_run_state *run)
{
    stiff_hinges h = {.count = run->info.dof};
    const bool any = run->census.hinge_springs + run->census.hinge_dampers +
                         run->census.forces[RCT_FORCE_FRICTION] +
                         run->census.forces[RCT_FORCE_LIMIT] + run->census.forces[RCT_FORCE_SERVO] +
                         run->census.forces[RCT_FORCE_CURVE] >
                     0;
    rct_loop_info loops;
    rct_solver_get_loop_info(run->solver, &loops);
    if (run->note.adapts || !any || h.count > MOST_NUMBERS || loops.active > 0) {
        return;
    }
    double *numbers = calloc((size_t)h.count, 4 * sizeof *numbers);
    h.body = calloc((size_t)h.count, sizeof *h.body);
    int64_t *places = cli_hinge_places(run->model);
    if (numbers != NULL && h.body != NULL && places != NULL) { /* without memory nothing is said */
        int32_t at[2] = {0, 0};
        h.stiffness = numbers, h.damping = numbers + h.count;
        h.motion = numbers + 2 * h.count, h.force = numbers + 3 * h.count;
        read_hinges(run->model, &h);
        read_forces(run->model, places, &h);
        const double springs = stiffest(run->solver, &h, h.stiffness, &at[0]);
        const double dampers = stiffest(run->solver, &h, h.damping, &at[1]);
        const double step = fmin(springs, dampers);
        if (close_by * run->arguments->dt > step) {
            run->warnings++;
            say(run, step, springs <= dampers ? at[0] : at[1]);
        }
    }
    free(numbers);
    free(h.body);
    free(places);
}
