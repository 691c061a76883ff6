/* The stiffest motion that springs and dampers at hinges make, and the step of rk4 that it allows; longer ones end in numbers without a
 * meaning.
 *
 * For rates v let m = v M v, c = v C v, k = v K v, M being the mass matrix, C and K the dampers and springs at hinges: a motion
 * along v goes with exp(z t), m z^2 + c z + k = 0. The largest eigenvalue of M^-1 K, or of M^-1 C, is at least k / m or c / m, for any v; that found
 * by some steps of the power method is close. M^-1 in O(n) by the operators of the library. Loops that hold make it smaller: of models
 * with any nothing is said. */
#include "core/error.h"
#include "core/memory.h"
#include "run/run.h"

#include <riccatree/operators.h>

#include <complex.h>
#include <math.h>

enum { ITERATIONS = 12, HALVINGS = 50 };

/* Numbers of all rates. */
typedef struct stiff_hinges {
    int64_t count;
    double *stiffness, *damping, *motion, *force;
    int32_t *body;  /* whose hinge it is          */
    int64_t *first; /* of bodies: their first rate */
} stiff_hinges;

static int is_absolute(rct_hinge_type hinge)
{
    return hinge == RCT_HINGE_BALL || hinge == RCT_HINGE_FREE;
}

static void read_hinges(const rct_model *model, stiff_hinges *h)
{
    int64_t r = 0;
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body = rct_body_default();
        rct_model_body(model, b, &body, NULL);
        h->first[b] = r;
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

static int is_at_hinge(const rct_force *f)
{
    return f->type >= RCT_FORCE_FRICTION && f->type <= RCT_FORCE_CURVE;
}

static void read_forces(const rct_model *model, stiff_hinges *h)
{
    for (int32_t i = 0; i < rct_model_force_count(model); i++) {
        double stiffness, damping;
        rct_force force = rct_force_default();
        rct_model_force(model, i, &force, NULL);
        if (is_at_hinge(&force)) {
            const int64_t r = h->first[force.body] + force.coordinate;
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
 * is 0. */
static rct_status stiffest(rct_solver *solver, stiff_hinges *h, const double *diagonal,
                           double *step, int32_t *body, rct_error *error)
{
    double mass = 0.0, largest = -1.0;
    rct_status status = RCT_OK;
    for (int64_t r = 0; r < h->count; r++) { /* neighbours against one another */
        h->motion[r] = r % 2 == 0 ? 1.0 : -1.0;
    }
    for (int i = 0; i < ITERATIONS && status == RCT_OK; i++) {
        const double size = form(h, diagonal, h->motion);
        if (!(size > 0.0)) {
            return RCT_OK;
        }
        for (int64_t r = 0; r < h->count; r++) {
            h->force[r] = diagonal[r] * h->motion[r] / sqrt(size);
        }
        status = rct_solver_mass_solve(solver, 1, h->force, h->motion, error);
    }
    for (int64_t r = 0; r < h->count && status == RCT_OK; r++) {
        const double part = diagonal[r] * h->motion[r] * h->motion[r];
        mass += h->force[r] * h->motion[r]; /* force = M motion */
        *body = part > largest ? h->body[r] : *body;
        largest = fmax(part, largest);
    }
    *step = status == RCT_OK
                ? step_of(mass, form(h, h->damping, h->motion), form(h, h->stiffness, h->motion))
                : *step;
    return status;
}

static rct_status search(rct_solver *solver, stiff_hinges *h, double *step, int32_t *body,
                         rct_error *error)
{
    double by[2] = {INFINITY, INFINITY}; /* springs, dampers */
    int32_t at[2] = {-1, -1};
    rct_status status = stiffest(solver, h, h->stiffness, &by[0], &at[0], error);
    RCT_THEN(status, stiffest(solver, h, h->damping, &by[1], &at[1], error));
    const int k = by[1] < by[0];
    *step = by[k];
    *body = at[k];
    return status;
}

rct_status rct_solver_longest_step(rct_solver *solver, const rct_model *model, double *step,
                                   int32_t *body, rct_error *error)
{
    if (!rct_given(solver, "solver", error) || !rct_given(model, "model", error) ||
        !rct_given(step, "step", error) || !rct_given(body, "body", error)) {
        return RCT_ERROR_ARGUMENT;
    }
    rct_solver_info info;
    rct_loop_info loops;
    rct_status status = rct_run_check_model(solver, model, error);
    if (status != RCT_OK) {
        return status;
    }
    rct_solver_get_info(solver, &info);
    rct_solver_get_loop_info(solver, &loops);
    *step = INFINITY;
    *body = -1;
    if (loops.active > 0) {
        return RCT_OK;
    }
    stiff_hinges h = {.count = info.dof};
    const rct_array arrays[] = {RCT_ARRAY(h.stiffness, info.dof), RCT_ARRAY(h.damping, info.dof),
                                RCT_ARRAY(h.motion, info.dof),    RCT_ARRAY(h.force, info.dof),
                                RCT_ARRAY(h.body, info.dof),      RCT_ARRAY(h.first, info.bodies)};
    const int32_t count = sizeof arrays / sizeof arrays[0];
    status = rct_allocate_arrays(arrays, count, "the stiffest motion", error);
    if (status == RCT_OK) {
        read_hinges(model, &h);
        read_forces(model, &h);
        status = search(solver, &h, step, body, error);
    }
    rct_release_arrays(arrays, count);
    return status;
}
