/* Springs between points in implicit stages (soft_springs.h). A spring of stiffness k and damping c
 * between two points gives three rows of J, along it and across it, in which the points part: along
 * it with k and c, across it with the stiffness of its pull, T / distance. Each end off its hinge
 * point gives two more rows, because its arm turns in that pull. Negative stiffness is left out. In
 * a stage of delta seconds the known accelerations a0 become a0 + change, and springs exert J* mu
 * besides,
 *
 *     M change = J* mu        mu = -k J (moved + delta^2 change) - c J (slipped + delta change)
 *
 * M includes the rotors of the stage; `moved` and `slipped` are those of a0. With s = delta c +
 * delta^2 k this is a row that gives way,
 *
 *     J change + mu / s + (k J moved + c J slipped) / s = 0
 *
 * beside the rows of loops, whose gap is 0. A row is scaled by sigma, sigma^2 = s b / (1 + s b), b
 * the mean of 1 / mass. Then soft springs, stiff springs and loops are of one size, and a row with
 * s = 0 is a row of zeros. For all terms that are not linear in a, springs pull with their force at
 * q, u; so the order of the stage does not depend on what k and c leave out
 * (integrate/implicit.c). */
#include "dynamics/soft_springs.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/rotation.h"
#include "dynamics/closed/closed.h"
#include "model/forces/effort.h"
#include "model/model.h"
#include "model/unit.h"
#include "operators/six.h"

#include <math.h>
#include <string.h>

/* Rows of a spring: along and across it, and of each arm. */
enum { WAYS = 3, TURNS = 2 };

struct rct_soft {
    const rct_solver *solver;
    rct_operation *operation;
    void *closing;   /* the work of admittance */
    double mobility; /* b, 1/kg */
    int32_t springs;
    int32_t *spring;       /* [springs] number of the force */
    double (*pull)[4];     /* [springs] at the start of the step: force on its body, T / distance */
    rct_closure_rows rows; /* of loops, then of springs */
    double *give;          /* [rows] */
    double *gap, *also;    /* [rows] */
    double *lambda, *change;  /* [rows], [rates] */
    double *stage;            /* [3][rates] */
    double *linear, *angular; /* [n][3] */
    rct_pool pool;
};

/* ---- making ------------------------------------------------------------------------------- */

/* Whether a force is a soft spring. A spring between two bodies of one link does nothing. */
static int is_soft(const rct_plan *plan, const rct_force *force)
{
    return rct_force_is_between_points(force) && (force->stiffness > 0.0 || force->damping > 0.0) &&
           rct_plan_link(plan, force->body) != rct_plan_link(plan, force->other);
}

/* Whether a force at a point of a body turns with the body: the square of its arm must be large
 * enough to divide by. */
static int has_arm(int32_t body, const double at[3])
{
    return body != RCT_GROUND && rct_dot(at, at) > 1e-300;
}

static void list_springs(rct_soft *x)
{
    const rct_model *model = x->solver->plan->surroundings;
    int32_t count = 0;
    for (int32_t i = 0; i < model->force_count; i++) {
        if (is_soft(x->solver->plan, &model->forces[i])) {
            x->spring[count++] = i;
        }
    }
}

static void allocate(rct_soft *x, rct_error *error)
{
    const rct_model *model = x->solver->plan->surroundings;
    const int64_t n = x->solver->plan->body_count, rates = x->solver->plan->freedoms;
    const int64_t one = sizeof(double);
    int64_t rows = (WAYS + 2 * TURNS) * (int64_t)x->springs, terms = 0;
    for (int32_t i = 0; i < rct_model_loop_count(model); i++) {
        rct_loop loop;
        rct_model_loop(model, i, &loop, NULL);
        rows += rct_loop_constraints(loop.type);
        terms += loop.term_count;
    }
    rct_pool *pool = &x->pool;
    x->spring = rct_pool_take(pool, x->springs, sizeof *x->spring, error);
    x->pull = rct_pool_take(pool, x->springs, sizeof *x->pull, error);
    x->rows.ends_at = rct_pool_take(pool, rows + 1, sizeof *x->rows.ends_at, error);
    x->rows.ends = rct_pool_take(pool, 2 * rows, sizeof *x->rows.ends, error);
    x->rows.rates_at = rct_pool_take(pool, rows + 1, sizeof *x->rows.rates_at, error);
    x->rows.rates = rct_pool_take(pool, terms, sizeof *x->rows.rates, error);
    x->give = rct_pool_take(pool, rows, one, error);
    x->gap = rct_pool_take(pool, rows, one, error);
    x->also = rct_pool_take(pool, rows, one, error);
    x->lambda = rct_pool_take(pool, rows, one, error);
    x->change = rct_pool_take(pool, rates, one, error);
    x->stage = rct_pool_take(pool, 3 * rates, one, error);
    x->linear = rct_pool_take(pool, 3 * n, one, error);
    x->angular = rct_pool_take(pool, 3 * n, one, error);
}

static double mean_mobility(const rct_operator_tree *tree)
{
    double mass = 0.0;
    for (int32_t b = 0; b < tree->n; b++) {
        mass += tree->mass[b];
    }
    return mass > 0.0 ? (double)tree->n / mass : 1.0;
}

rct_status rct_soft_create(rct_solver *solver, rct_error *error)
{
    const rct_model *model = solver->plan->surroundings;
    int32_t springs = 0;
    for (int32_t i = 0; i < model->force_count; i++) {
        springs += is_soft(solver->plan, &model->forces[i]);
    }
    if (springs == 0) {
        return RCT_OK;
    }
    rct_soft *x = solver->soft = rct_allocate(1, sizeof *x, "springs between points", error);
    if (x == NULL) {
        return RCT_ERROR_MEMORY;
    }
    *x = (rct_soft){
        .solver = solver, .springs = springs, .pool = {.what = "springs between points"}};
    allocate(x, error);
    x->operation = x->pool.failed ? NULL : rct_operation_create(solver, error);
    x->closing = x->operation != NULL ? rct_closure_admittance.create(NULL, error) : NULL;
    if (x->closing == NULL) {
        return RCT_ERROR_MEMORY; /* the solver frees it */
    }
    x->rows.give = x->give;
    x->rows.length = rct_closed_length(solver->plan, 0, 1);
    x->mobility = mean_mobility(rct_operation_tree(x->operation));
    list_springs(x);
    return rct_soft_warm(solver, error);
}

void rct_soft_free(rct_soft *x)
{
    if (x != NULL) {
        rct_closure_admittance.destroy(x->closing);
        rct_operation_free(x->operation);
        rct_pool_empty(&x->pool);
        rct_release(x);
    }
}

int64_t rct_soft_bytes(const rct_soft *x)
{
    return (int64_t)sizeof *x + x->pool.bytes + rct_operation_bytes(x->operation) +
           rct_closure_admittance.bytes(x->closing);
}

rct_soft_stage rct_soft_begin(const rct_soft *x, double delta)
{
    const int64_t rates = x->solver->plan->freedoms;
    return (rct_soft_stage){.delta = delta,
                            .rotors = x->stage,
                            .moved = x->stage + rates,
                            .slipped = x->stage + 2 * rates};
}

/* ---- rows --------------------------------------------------------------------------------- */

/* Copy the rows of the loops that hold now. */
static void copy_loops(rct_soft *x)
{
    rct_closure_rows *rows = &x->rows;
    const rct_closure_rows *loops =
        x->solver->closed != NULL ? rct_closed_ends(x->solver->closed) : NULL;
    rows->count = loops != NULL ? loops->count : 0;
    rows->version = loops != NULL ? loops->version : 1;
    if (loops != NULL) {
        const size_t places = (size_t)loops->count + 1;
        const size_t ends = (size_t)loops->ends_at[loops->count];
        const size_t rates = (size_t)loops->rates_at[loops->count];
        memcpy(rows->ends_at, loops->ends_at, places * sizeof *rows->ends_at);
        memcpy(rows->rates_at, loops->rates_at, places * sizeof *rows->rates_at);
        memcpy(rows->ends, loops->ends, ends * sizeof *rows->ends);
        memcpy(rows->rates, loops->rates, rates * sizeof *rows->rates);
        memset(x->give, 0, (size_t)loops->count * sizeof *x->give);
    }
}

/* Add an end of the next row: the moment and force that the row exerts on a body. */
static void add_end(rct_closure_rows *rows, int32_t *end, int32_t body, const double moment[3],
                    const double force[3])
{
    if (body != RCT_GROUND) {
        rct_closure_end *at = &rows->ends[(*end)++];
        at->body = body;
        memcpy(at->wrench, moment, 3 * sizeof *moment);
        memcpy(at->wrench + 3, force, 3 * sizeof *force);
    }
}

/* Finish the next row, of stiffness k and damping c, whose ends stop before `end`: k / s goes to
 * the gap, c / s to `also`. */
static void close_row(rct_soft *x, int32_t end, double k, double c, double delta)
{
    rct_closure_rows *rows = &x->rows;
    const int32_t row = rows->count++;
    const double b = x->mobility, s = delta * (c + delta * k);
    const double scale = sqrt(s * b / (1.0 + s * b));
    for (int32_t e = rows->ends_at[row]; e < end; e++) {
        rct_scale6(scale, rows->ends[e].wrench);
    }
    rows->ends_at[row + 1] = end;
    rows->rates_at[row + 1] = rows->rates_at[row];
    x->give[row] = b / (1.0 + s * b);
    x->gap[row] = s > 0.0 ? k / s : 0.0;
    x->also[row] = s > 0.0 ? c / s : 0.0;
}

/* A row in which the points part along a unit vector. */
static void add_way(rct_soft *x, const rct_force *f, const rct_stretch *at, const double along[3],
                    double k, double c, double delta)
{
    const double back[3] = {-along[0], -along[1], -along[2]};
    int32_t end = x->rows.ends_at[x->rows.count];
    double moment[3];
    rct_cross(at->arm[0], back, moment);
    add_end(&x->rows, &end, f->body, moment, back);
    rct_cross(at->arm[1], along, moment);
    add_end(&x->rows, &end, f->other, moment, along);
    close_row(x, end, k, c, delta);
}

/* A row of the distance by which a turn of a body about a unit vector moves the end of an arm of a
 * length, with stiffness k, N/m. */
static void add_turn(rct_soft *x, int32_t body, const double about[3], double arm, double k,
                     double delta)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    const double way[3] = {arm * about[0], arm * about[1], arm * about[2]};
    int32_t end = x->rows.ends_at[x->rows.count];
    add_end(&x->rows, &end, body, way, none);
    close_row(x, end, k, 0.0, delta);
}

/* Rows for the turn of the arm r of a force F. A small turn w has the energy -F . (w x (w x r)) /
 * 2, so its stiffness is (F.r + |F| |r|) / 2 about r/|r| - F/|F| and F.r about r x F, where these
 * are positive. Dividing by |r|^2 measures the turn by the distance that the end of the arm moves,
 * as in the rows across: the size of rows for the turn itself would depend on the unit of
 * length. */
static void add_turns(rct_soft *x, int32_t body, const double arm[3], const double force[3],
                      double delta)
{
    const double square = rct_dot(arm, arm), pulls = rct_dot(arm, force) / square;
    const double length = sqrt(square), most = sqrt(rct_dot(force, force)) / length;
    double r[3], F[3], between[3], one[3], other[3];
    memcpy(r, arm, sizeof r);
    memcpy(F, force, sizeof F);
    if (!rct_make_unit(r, 3) || !rct_make_unit(F, 3)) {
        r[0] = F[0] = 1.0; /* no force: rows of zeros */
    }
    rct_cross(r, F, other);
    if (rct_dot(other, other) > 1e-16) {
        for (int i = 0; i < 3; i++) {
            between[i] = r[i] + F[i];
        }
        rct_make_unit(other, 3);
        rct_cross(other, between, one);
        rct_make_unit(one, 3);
    } else {
        rct_find_across(r, one, other);
    }
    add_turn(x, body, one, length, 0.5 * fmax(0.0, pulls + most), delta);
    add_turn(x, body, other, length, fmax(0.0, pulls), delta);
}

static const rct_force *force_of(const rct_soft *x, int32_t k)
{
    return &x->solver->plan->surroundings->forces[x->spring[k]];
}

static int is_slack(const rct_force *f, const rct_stretch *at)
{
    return f->type == RCT_FORCE_CABLE && !(rct_force_pull(f, at->distance, at->rate) > 0.0);
}

void rct_soft_look(const rct_solver *solver)
{
    const rct_soft *x = solver->soft;
    for (int32_t k = 0; k < x->springs; k++) {
        const rct_force *f = force_of(x, k);
        const rct_stretch at = rct_solver_stretch(solver, f);
        const double k_now = is_slack(f, &at) ? 0.0 : f->stiffness;
        const double pull = k_now * (at.distance - f->length);
        for (int i = 0; i < 3; i++) {
            x->pull[k][i] = pull * at.along[i];
        }
        x->pull[k][3] = f->length == 0.0 ? k_now : at.distance > 0.0 ? pull / at.distance : 0.0;
    }
}

/* Rows of a spring: along its ends as it is now, across as it pulled at the start of the step. A
 * stage misses the position held by a stiff spring by more than the spring gives way. A spring of
 * no length whose ends meet has no damping. */
static void add_spring(rct_soft *x, int32_t k, double delta)
{
    static const double any[3] = {1.0, 0.0, 0.0};
    const rct_force *f = force_of(x, k);
    const rct_stretch at = rct_solver_stretch(x->solver, f);
    const int apart = at.distance > 0.0, slack = is_slack(f, &at);
    const double *along = apart ? at.along : any, *pull = x->pull[k];
    const double across = slack ? 0.0 : fmax(0.0, pull[3]), c = slack || !apart ? 0.0 : f->damping;
    const double back[3] = {-pull[0], -pull[1], -pull[2]};
    double one[3], other[3];
    rct_find_across(along, one, other);
    add_way(x, f, &at, along, slack ? 0.0 : f->stiffness, c, delta);
    add_way(x, f, &at, one, across, 0.0, delta);
    add_way(x, f, &at, other, across, 0.0, delta);
    if (has_arm(f->body, f->at)) {
        add_turns(x, f->body, at.arm[0], pull, delta);
    }
    if (has_arm(f->other, f->other_at)) {
        add_turns(x, f->other, at.arm[1], back, delta);
    }
}

/* ---- a stage ------------------------------------------------------------------------------ */

/* J x of all rows to y. */
static void take(const rct_soft *s, const double *x, double *y)
{
    rct_operator_velocities(rct_operation_sweeps(s->operation), 1, x, s->linear, s->angular);
    rct_closure_take(&s->rows, s->angular, s->linear, x, y);
}

/* The gap of the rows; 0 for rows of loops. */
static void find_gap(const rct_soft *x, int32_t loops, const rct_soft_stage *stage)
{
    take(x, stage->moved, x->lambda);
    for (int32_t i = loops; i < x->rows.count; i++) {
        x->gap[i] *= x->lambda[i];
    }
    take(x, stage->slipped, x->lambda);
    for (int32_t i = 0; i < x->rows.count; i++) {
        x->gap[i] = i < loops ? 0.0 : x->gap[i] + x->also[i] * x->lambda[i];
    }
}

/* Write and factor the rows of the state and its operators; *loops: how many rows belong to
 * loops. */
static rct_status factor(rct_soft *x, const rct_soft_stage *stage, int32_t *loops, rct_error *error)
{
    const rct_solver *s = x->solver;
    rct_closure_report report;
    rct_status status = rct_operation_renew(x->operation, s, stage->rotors, error);
    rct_solver_read_acting_poses(s);
    copy_loops(x);
    *loops = x->rows.count;
    for (int32_t k = 0; k < x->springs; k++) {
        add_spring(x, k, stage->delta);
    }
    const rct_closure_problem problem = {.tree = rct_operation_tree(x->operation),
                                         .operators = rct_operation_sweeps(x->operation),
                                         .rows = &x->rows};
    RCT_THEN(status, rct_closure_admittance.factor(x->closing, &problem, &report, error));
    return status;
}

rct_status rct_soft_warm(const rct_solver *solver, rct_error *error)
{
    rct_soft *x = solver->soft;
    const rct_soft_stage none = rct_soft_begin(x, 0.0);
    int32_t loops;
    memset(none.rotors, 0, (size_t)solver->plan->freedoms * sizeof *none.rotors);
    const rct_status status = factor(x, &none, &loops, error);
    return status == RCT_ERROR_MEMORY ? status : RCT_OK; /* an evaluation reports other failures */
}

rct_status rct_soft_yield(const rct_solver *solver, const rct_soft_stage *stage, double *a,
                          rct_error *error)
{
    rct_soft *x = solver->soft;
    rct_closure_report report;
    int32_t loops;
    rct_status status = factor(x, stage, &loops, error);
    if (status == RCT_OK) {
        find_gap(x, loops, stage);
        status =
            rct_closure_admittance.solve(x->closing, x->gap, x->lambda, x->change, &report, error);
    }
    for (int64_t r = 0; r < solver->plan->freedoms && status == RCT_OK; r++) {
        a[r] += x->change[r];
    }
    return status;
}
