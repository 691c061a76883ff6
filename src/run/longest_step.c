/* The stiffest motion that springs and dampers make, and the step of rk4 that it allows; longer
 * steps end in meaningless numbers.
 *
 * For rates v let m = v M v, c = v C v, k = v K v, where M is the mass matrix, and C and K are the
 * dampers and springs: of balls about rest, between points along the line between them, of cables
 * as if taut. A motion along v goes with exp(z t), m z^2 + c z + k = 0. The largest eigenvalue of
 * M^-1 K, or of M^-1 C, is at least k / m or c / m for any v; a few steps of the power method come
 * close to it. The operators of the library give M^-1 in O(n). Loops that hold make the eigenvalue
 * smaller: nothing is said about models with loops. */
#include "core/error.h"
#include "core/memory.h"
#include "core/rotation.h"
#include "run/run.h"

#include <riccatree/operators.h>

#include <complex.h>
#include <math.h>
#include <string.h>

enum { ITERATIONS = 12, HALVINGS = 50 };

/* What resists a motion. */
typedef enum resistance { SPRINGS, DAMPERS, RESISTANCES } resistance;

/* A spring or cable between two points; a body, or the ground, and its arm from the hinge point,
 * for each end. */
typedef struct stiff_spring {
    int32_t body[2];
    double arm[2][3], along[3], resists[RESISTANCES];
} stiff_spring;

/* Numbers of all rates: along the axes of hinges with axes, for balls about the axes of their
 * bodies. */
typedef struct stiff_hinges {
    rct_solver *solver;
    int64_t count, bodies;
    double *resists[RESISTANCES], *motion, *generalized;
    double *spin, *moment;    /* [bodies][3] of a motion */
    double *velocity, *force; /* likewise, at hinge points */
    double *orientation;      /* [bodies][4] */
    stiff_spring *springs;
    int32_t spring_count;
    int32_t *parent; /* [bodies] */
    int64_t *first;  /* [bodies] the first rate */
    int32_t *body;   /* [rates] the body of the hinge */
    int8_t *ball;    /* [rates] whether the hinge is a ball */
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
            h->resists[SPRINGS][r] = yields ? body.stiffness[i] : 0.0;
            h->resists[DAMPERS][r] = yields ? body.damping[i] : 0.0;
            h->body[r] = b;
            h->ball[r] = body.hinge == RCT_HINGE_BALL;
        }
    }
}

/* The spring in this state, with hinge points at `position`. */
static stiff_spring spring_of(const stiff_hinges *h, const rct_force *f, const double *position)
{
    const double *at[2] = {f->at, f->other_at};
    stiff_spring s = {.body = {f->body, f->other}, .resists = {f->stiffness, f->damping}};
    double length = 0.0;
    for (int e = 0; e < 2; e++) {
        const int64_t b = s.body[e];
        double R[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
        if (b != RCT_GROUND) {
            rct_rotation(h->orientation + 4 * b, R);
        }
        rct_rotate(R, at[e], s.arm[e]);
        for (int i = 0; i < 3; i++) {
            const double place = s.arm[e][i] + (b == RCT_GROUND ? 0.0 : position[3 * b + i]);
            s.along[i] += e == 0 ? -place : place;
        }
    }
    length = sqrt(rct_dot(s.along, s.along));
    for (int i = 0; i < 3; i++) {
        s.along[i] = length > 0.0 ? s.along[i] / length : i == 0 ? 1.0 : 0.0;
    }
    return s;
}

/* The largest slopes of a force at a hinge: of friction at rest, of limits within reach, of a curve
 * at its rows. */
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
    /* `velocity` holds positions here */
    rct_solver_get_state(h->solver, h->orientation, NULL, h->velocity, NULL);
    for (int32_t i = 0; i < rct_model_force_count(model); i++) {
        double stiffness, damping;
        rct_force force = rct_force_default();
        rct_model_force(model, i, &force, NULL);
        if (force.type == RCT_FORCE_SPRING || force.type == RCT_FORCE_CABLE) {
            h->springs[h->spring_count++] = spring_of(h, &force, h->velocity);
        } else if (is_at_hinge(&force)) {
            const int64_t r = h->first[force.body] + force.coordinate;
            stiffest_of(model, i, &force, &stiffness, &damping);
            for (int64_t k = r; k < r + (h->ball[r] ? 3 : 1); k++) {
                h->resists[SPRINGS][k] += stiffness;
                h->resists[DAMPERS][k] += damping;
            }
        }
    }
}

/* The rotation of a body relative to its parent in the motion, in its own axes. */
static void slip_of(const stiff_hinges *h, int32_t b, double R[3][3], double slip[3])
{
    const int32_t parent = h->parent[b];
    double between[3];
    for (int i = 0; i < 3; i++) {
        between[i] = h->spin[3 * b + i] - (parent == RCT_GROUND ? 0.0 : h->spin[3 * parent + i]);
    }
    rct_rotate_back(R, between, slip);
}

/* Add the moments `about` the axes of a body, to the body and with opposite sign to its parent. */
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

/* x D x of rate r, or of the three rates of a ball; the moments of a ball are added. */
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

/* The same for a spring; its forces and moments are added. */
static double part_of_spring(const stiff_hinges *h, const stiff_spring *s, resistance kind)
{
    double rate = 0.0, moment[3];
    for (int e = 0; e < 2; e++) {
        const double *spin = h->spin + 3 * (int64_t)s->body[e];
        double swept[3];
        if (s->body[e] != RCT_GROUND) {
            rct_cross(spin, s->arm[e], swept);
            for (int i = 0; i < 3; i++) {
                const double moves = h->velocity[3 * (int64_t)s->body[e] + i] + swept[i];
                rate += (e == 0 ? -1.0 : 1.0) * s->along[i] * moves;
            }
        }
    }
    for (int e = 0; e < 2; e++) {
        const double size = (e == 0 ? -1.0 : 1.0) * s->resists[kind] * rate;
        const double force[3] = {size * s->along[0], size * s->along[1], size * s->along[2]};
        rct_cross(s->arm[e], force, moment);
        for (int i = 0; i < 3 && s->body[e] != RCT_GROUND; i++) {
            h->force[3 * (int64_t)s->body[e] + i] += force[i];
            h->moment[3 * (int64_t)s->body[e] + i] += moment[i];
        }
    }
    return s->resists[kind] * rate * rate;
}

/* x D x of the motion x, to `size`, and D x to the generalized forces; the body whose hinge or
 * spring contributes most, unless `body` is NULL. */
static rct_status form(const stiff_hinges *h, resistance kind, double *size, int32_t *body,
                       rct_error *error)
{
    const double *diagonal = h->resists[kind];
    double sum = 0.0, largest = -1.0;
    memset(h->moment, 0, 3 * (size_t)h->bodies * sizeof *h->moment);
    memset(h->force, 0, 3 * (size_t)h->bodies * sizeof *h->force);
    rct_status status =
        rct_solver_jacobian_times(h->solver, 1, h->motion, h->velocity, h->spin, error);
    for (int64_t r = 0; r < h->count && status == RCT_OK; r += h->ball[r] ? 3 : 1) {
        const double part = part_of(h, diagonal, r);
        sum += part;
        if (body != NULL && part > largest) {
            *body = h->body[r];
            largest = part;
        }
    }
    for (int32_t k = 0; k < h->spring_count && status == RCT_OK; k++) {
        const stiff_spring *s = &h->springs[k];
        const double part = part_of_spring(h, s, kind);
        sum += part;
        if (body != NULL && part > largest) {
            *body = s->body[0] == RCT_GROUND ? s->body[1] : s->body[0];
            largest = part;
        }
    }
    RCT_THEN(status, rct_solver_jacobian_transposed(h->solver, 1, h->force, h->moment,
                                                    h->generalized, error));
    for (int64_t r = 0; r < h->count; r++) {
        h->generalized[r] += h->ball[r] ? 0.0 : diagonal[r] * h->motion[r];
    }
    *size = sum;
    return status;
}

/* The step, s, that a motion z (1/s) allows: up to there rk4 does not let it grow. */
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

/* The step that a motion with forms m, c and k allows. */
static double step_of(double m, double c, double k)
{
    const double complex root = csqrt(c * c - 4.0 * m * k);
    const double complex z[2] = {(-c - root) / (2.0 * m), (-c + root) / (2.0 * m)};
    const double first = cabs(z[0]) > 0.0 ? allowed(z[0]) : INFINITY;
    const double second = cabs(z[1]) > 0.0 ? allowed(z[1]) : INFINITY;
    return fmin(first, second);
}

/* The largest eigenvector of M^-1 D by the power method, and the step that it allows; the body that
 * contributes most. INFINITY where D is 0. */
static rct_status stiffest(stiff_hinges *h, resistance kind, double *step, int32_t *body,
                           rct_error *error)
{
    double size = 0.0, mass = 0.0, damping = 0.0, stiffness = 0.0;
    rct_status status = RCT_OK;
    for (int64_t r = 0; r < h->count; r++) {            /* neighbours against one another */
        const double one = 1.0 + (double)(r % 7) / 8.0; /* ends of springs against one another */
        h->motion[r] = (h->ball[r] ? h->body[r] : r) % 2 == 0 ? one : -one;
    }
    for (int i = 0; i < ITERATIONS && status == RCT_OK; i++) {
        status = form(h, kind, &size, NULL, error);
        if (status != RCT_OK || !(size > 0.0)) {
            return status;
        }
        for (int64_t r = 0; r < h->count; r++) {
            h->generalized[r] /= sqrt(size);
        }
        status = rct_solver_mass_solve(h->solver, 1, h->generalized, h->motion, error);
    }
    for (int64_t r = 0; r < h->count; r++) {
        mass += h->generalized[r] * h->motion[r]; /* `generalized` is M motion */
    }
    RCT_THEN(status, form(h, kind, &size, body, error));
    RCT_THEN(status, form(h, DAMPERS, &damping, NULL, error));
    RCT_THEN(status, form(h, SPRINGS, &stiffness, NULL, error));
    *step = status == RCT_OK ? step_of(mass, damping, stiffness) : *step;
    return status;
}

/* Whether a number of D is more than 0. */
static int any_of(const stiff_hinges *h, resistance kind)
{
    int any = 0;
    for (int64_t r = 0; r < h->count && !any; r++) {
        any = h->resists[kind][r] > 0.0;
    }
    for (int32_t k = 0; k < h->spring_count && !any; k++) {
        any = h->springs[k].resists[kind] > 0.0;
    }
    return any;
}

static rct_status search(stiff_hinges *h, double *step, int32_t *body, rct_error *error)
{
    double by[RESISTANCES] = {INFINITY, INFINITY};
    int32_t at[RESISTANCES] = {-1, -1};
    rct_status status = RCT_OK;
    for (resistance kind = SPRINGS; kind < RESISTANCES && status == RCT_OK; kind++) {
        status = any_of(h, kind) ? stiffest(h, kind, &by[kind], &at[kind], error) : RCT_OK;
    }
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
    rct_census census;
    rct_model_take_census(model, &census);
    const int stiff =
        census.hinge_springs > 0 || census.hinge_dampers > 0 || rct_model_force_count(model) > 0;
    if (loops.active > 0 || !stiff) {
        return RCT_OK;
    }
    const int64_t n = info.bodies;
    stiff_hinges h = {.solver = solver, .count = info.dof, .bodies = n};
    const rct_array arrays[] = {RCT_ARRAY(h.resists[SPRINGS], info.dof),
                                RCT_ARRAY(h.resists[DAMPERS], info.dof),
                                RCT_ARRAY(h.motion, info.dof),
                                RCT_ARRAY(h.generalized, info.dof),
                                RCT_ARRAY(h.spin, 3 * n),
                                RCT_ARRAY(h.moment, 3 * n),
                                RCT_ARRAY(h.velocity, 3 * n),
                                RCT_ARRAY(h.force, 3 * n),
                                RCT_ARRAY(h.orientation, 4 * n),
                                RCT_ARRAY(h.parent, n),
                                RCT_ARRAY(h.first, n),
                                RCT_ARRAY(h.body, info.dof),
                                RCT_ARRAY(h.ball, info.dof),
                                RCT_ARRAY(h.springs, rct_model_force_count(model))};
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
