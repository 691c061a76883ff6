/* The stiffest motion that springs and dampers at hinges make, and the step of rk4 that it allows; longer ones end in numbers without a
 * meaning.
 *
 * For rates v let m = v M v, c = v C v, k = v K v, M being the mass matrix, C and K the dampers and springs at hinges, of balls about rest: a motion
 * along v goes with exp(z t), m z^2 + c z + k = 0. The largest eigenvalue of M^-1 K, or of M^-1 C, is at least k / m or c / m, for any v; that found
 * by some steps of the power method is close. M^-1 in O(n) by the operators of the library. Loops that hold make it smaller: of models
 * with any nothing is said. */
#include "core/error.h"
#include "core/memory.h"
#include "core/rotation.h"
#include "run/run.h"

#include <riccatree/operators.h>

#include <complex.h>
#include <math.h>
#include <string.h>

enum { ITERATIONS = 12, HALVINGS = 50 };

/* Numbers of all rates: of hinges with axes along them, of balls about the axes of their bodies. */
typedef struct stiff_hinges {
    rct_solver *solver;
    int64_t count, bodies;
    double *stiffness, *damping, *motion, *force;
    double *spin, *moment; /* [bodies][3] of a motion                  */
    double *zeros;         /* [bodies][3]                              */
    double *orientation;   /* [bodies][4]                              */
    int32_t *parent;       /* [bodies]                                 */
    int64_t *first;        /* [bodies] the first rate                  */
    int32_t *body;         /* whose hinge it is                        */
    int8_t *ball;          /* whether that is one                      */
} stiff_hinges;

static void read_hinges(const rct_model *model, stiff_hinges *h)
{
    int64_t r = 0;
    for (int32_t b = 0; b < h->bodies; b++) {
        rct_body body = rct_body_default();
        rct_model_body(model, b, &body, NULL);
        const int yields = body.hinge != RCT_HINGE_FREE;
        h->parent[b] = body.parent;
        h->first[b] = r;
        for (int i = 0; i < rct_hinge_freedoms(body.hinge); i++, r++) {
            h->stiffness[r] = yields ? body.stiffness[i] : 0.0;
            h->damping[r] = yields ? body.damping[i] : 0.0;
            h->body[r] = b;
            h->ball[r] = body.hinge == RCT_HINGE_BALL;
        }
    }
    rct_solver_get_state(h->solver, h->orientation, NULL, NULL, NULL);
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
            for (int64_t k = r; k < r + (h->ball[r] ? 3 : 1); k++) {
                h->stiffness[k] += stiffness;
                h->damping[k] += damping;
            }
        }
    }
}

/* How a body turns against what it hangs on in the motion, in its own axes. */
static void slip_of(const stiff_hinges *h, int32_t b, double R[3][3], double slip[3])
{
    const int32_t parent = h->parent[b];
    double between[3];
    for (int i = 0; i < 3; i++) {
        between[i] = h->spin[3 * b + i] - (parent == RCT_GROUND ? 0.0 : h->spin[3 * parent + i]);
    }
    rct_rotate_back(R, between, slip);
}

/* Moments of so much about the axes of a body, on it and against what it hangs on. */
static void press(const stiff_hinges *h, int32_t b, double R[3][3], const double about[3])
{
    const int32_t parent = h->parent[b];
    double turned[3];
    rct_rotate(R, about, turned);
    for (int i = 0; i < 3; i++) {
        h->moment[3 * b + i] += turned[i];
        if (parent != RCT_GROUND) {
            h->moment[3 * parent + i] -= turned[i];
        }
    }
}

/* x D x of the part of rate r, or of the three of a ball; its moments are added. */
static double part_of(const stiff_hinges *h, const double *diagonal, int64_t r)
{
    double R[3][3], slip[3], about[3], part = 0.0;
    if (!h->ball[r]) {
        return diagonal[r] * h->motion[r] * h->motion[r];
    }
    rct_rotation(h->orientation + 4 * (int64_t)h->body[r], R);
    slip_of(h, h->body[r], R, slip);
    for (int i = 0; i < 3; i++) {
        about[i] = diagonal[r + i] * slip[i];
        part += about[i] * slip[i];
    }
    press(h, h->body[r], R, about);
    return part;
}

/* x D x of the motion x, to `size`, and D x to the force; the body whose hinge has the largest part, unless NULL. */
static rct_status form(const stiff_hinges *h, const double *diagonal, double *size, int32_t *body,
                       rct_error *error)
{
    double sum = 0.0, largest = -1.0;
    memset(h->moment, 0, 3 * (size_t)h->bodies * sizeof *h->moment);
    rct_status status = rct_solver_jacobian_times(h->solver, 1, h->motion, NULL, h->spin, error);
    for (int64_t r = 0; r < h->count && status == RCT_OK; r += h->ball[r] ? 3 : 1) {
        const double part = part_of(h, diagonal, r);
        sum += part;
        if (body != NULL && part > largest) {
            *body = h->body[r];
            largest = part;
        }
    }
    RCT_THEN(status,
             rct_solver_jacobian_transposed(h->solver, 1, h->zeros, h->moment, h->force, error));
    for (int64_t r = 0; r < h->count; r++) {
        h->force[r] += h->ball[r] ? 0.0 : diagonal[r] * h->motion[r];
    }
    *size = sum;
    return status;
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
static rct_status stiffest(stiff_hinges *h, const double *diagonal, double *step, int32_t *body,
                           rct_error *error)
{
    double size = 0.0, mass = 0.0, damping = 0.0, stiffness = 0.0;
    rct_status status = RCT_OK;
    for (int64_t r = 0; r < h->count; r++) { /* neighbours against one another */
        h->motion[r] = (h->ball[r] ? h->body[r] : r) % 2 == 0 ? 1.0 : -1.0;
    }
    for (int i = 0; i < ITERATIONS && status == RCT_OK; i++) {
        status = form(h, diagonal, &size, NULL, error);
        if (status != RCT_OK || !(size > 0.0)) {
            return status;
        }
        for (int64_t r = 0; r < h->count; r++) {
            h->force[r] /= sqrt(size);
        }
        status = rct_solver_mass_solve(h->solver, 1, h->force, h->motion, error);
    }
    for (int64_t r = 0; r < h->count; r++) {
        mass += h->force[r] * h->motion[r]; /* force = M motion */
    }
    RCT_THEN(status, form(h, diagonal, &size, body, error));
    RCT_THEN(status, form(h, h->damping, &damping, NULL, error));
    RCT_THEN(status, form(h, h->stiffness, &stiffness, NULL, error));
    *step = status == RCT_OK ? step_of(mass, damping, stiffness) : *step;
    return status;
}

/* Whether a number of D is more than 0. */
static int any_of(const stiff_hinges *h, const double *diagonal)
{
    int any = 0;
    for (int64_t r = 0; r < h->count && !any; r++) {
        any = diagonal[r] > 0.0;
    }
    return any;
}

static rct_status search(stiff_hinges *h, double *step, int32_t *body, rct_error *error)
{
    double by[2] = {INFINITY, INFINITY}; /* springs, dampers */
    int32_t at[2] = {-1, -1};
    rct_status status =
        any_of(h, h->stiffness) ? stiffest(h, h->stiffness, &by[0], &at[0], error) : RCT_OK;
    RCT_THEN(status,
             any_of(h, h->damping) ? stiffest(h, h->damping, &by[1], &at[1], error) : RCT_OK);
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
    const int64_t n = info.bodies;
    stiff_hinges h = {.solver = solver, .count = info.dof, .bodies = n};
    const rct_array arrays[] = {RCT_ARRAY(h.stiffness, info.dof), RCT_ARRAY(h.damping, info.dof),
                                RCT_ARRAY(h.motion, info.dof),    RCT_ARRAY(h.force, info.dof),
                                RCT_ARRAY(h.spin, 3 * n),         RCT_ARRAY(h.moment, 3 * n),
                                RCT_ARRAY(h.zeros, 3 * n),        RCT_ARRAY(h.orientation, 4 * n),
                                RCT_ARRAY(h.parent, n),           RCT_ARRAY(h.first, n),
                                RCT_ARRAY(h.body, info.dof),      RCT_ARRAY(h.ball, info.dof)};
    const int32_t count = sizeof arrays / sizeof arrays[0];
    status = rct_allocate_arrays(arrays, count, "the stiffest motion", error);
    if (status == RCT_OK) {
        read_hinges(model, &h);
        read_forces(model, &h);
        status = search(&h, step, body, error);
    }
    rct_release_arrays(arrays, count);
    return status;
}
