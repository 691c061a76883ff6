/* Constraint embedding against the dense answer on random closed systems, against closed forms, and against what
 * defines a solution: M change = J* lambda, J change + gap = 0. */
#include "cmocka_all.h"

#include "closure/embedding.h"
#include "core/memory.h"
#include "support/closed_system.h"
#include "support/draw.h"

#include <lapacke.h>
#include <riccatree/loop.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_TYPES = (1 << RCT_LOOP_TYPES) - 1 };

static const rct_closure_method *const method = &rct_closure_embedding;

static double *numbers(int64_t count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static double largest(const double *x, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* Largest difference over the largest of y. */
static double differ(const double *x, const double *y, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
    }
    const double size = largest(y, count);
    return size > 0.0 ? most / size : most;
}

static rct_model *random_model(uint64_t seed, random_shape shape, int32_t bodies, int32_t loops,
                               int types)
{
    const mixed_system system = {
        .tree = {.shape = shape, .bodies = bodies, .shuffled = 1, .spin = 1.0, .seed = seed},
        .hinges = MIXED_ALL_HINGES,
        .joint_forces = 1,
        .forces = 3,
        .ground_moves = (int)(seed % 2)};
    rct_model *model = mixed_system_create(&system);
    assert_non_null(model);
    closed_add_random(model, loops, types, seed + 100);
    return model;
}

/* ---- one method on one system ---------------------------------------------------------------- */

typedef struct solution {
    void *work;
    double *gap, *lambda, *change;
    rct_closure_report report;
} solution;

static solution factored(const closed_system *s)
{
    solution x = {.gap = numbers(s->problem.rows->count),
                  .lambda = numbers(s->problem.rows->count),
                  .change = numbers(s->rates)};
    rct_error error;
    x.work = method->create(s->closures, &error);
    assert_non_null(x.work);
    if (method->factor(x.work, &s->problem, &x.report, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    return x;
}

static void solve(solution *x)
{
    assert_int_equal(method->solve(x->work, x->gap, x->lambda, x->change, &x->report, NULL),
                     RCT_OK);
}

static void release(solution *x)
{
    method->destroy(x->work);
    free(x->gap);
    free(x->lambda);
    free(x->change);
}

/* ---- random systems ---------------------------------------------------------------------------- */

/* J of a random motion, so that it can be cancelled whatever the rank. */
static void draw_consistent(const closed_system *s, uint64_t *random, double *gap)
{
    const int64_t rows = s->problem.rows->count;
    double *J = closed_system_jacobian(s), *u = numbers(s->rates);
    draw_numbers(random, u, (int)s->rates, 1.0);
    for (int64_t i = 0; i < rows; i++) {
        gap[i] = 0.0;
        for (int64_t j = 0; j < s->rates; j++) {
            gap[i] += J[i * s->rates + j] * u[j];
        }
    }
    free(J);
    free(u);
}

/* |J change + gap| by the dense J. */
static double residual_of(const closed_system *s, const solution *x)
{
    const int64_t rows = s->problem.rows->count;
    double *J = closed_system_jacobian(s), most = 0.0;
    for (int64_t i = 0; i < rows; i++) {
        double sum = x->gap[i];
        for (int64_t j = 0; j < s->rates; j++) {
            sum += J[i * s->rates + j] * x->change[j];
        }
        most = fmax(most, fabs(sum));
    }
    free(J);
    const double size = largest(x->gap, rows);
    return size > 0.0 ? most / size : 0.0;
}

/* Whether the others span the row of J: what least squares by singular values leave of it. */
static int follows(const closed_system *s, int32_t row)
{
    const int v = (int)s->rates, others = s->problem.rows->count - 1;
    const int longer = v > others ? v : others;
    double *J = closed_system_jacobian(s), *wanted = numbers(longer), *values = numbers(longer);
    double *left = numbers(v), *columns = numbers((int64_t)v * others);
    int32_t rank = 0;
    memcpy(wanted, J + (int64_t)row * v, (size_t)v * sizeof *wanted);
    memcpy(left, wanted, (size_t)v * sizeof *left);
    memmove(J + (int64_t)row * v, J + (int64_t)(row + 1) * v,
            (size_t)(others - row) * (size_t)v * sizeof *J);
    memcpy(columns, J, (size_t)others * (size_t)v * sizeof *J);
    const double size = fmax(largest(left, v), largest(J, (int64_t)others * v));
    if (others > 0) {
        assert_int_equal(LAPACKE_dgelsd(LAPACK_COL_MAJOR, v, others, 1, columns, v, wanted, longer,
                                        values, 1e-9, &rank),
                         0);
        for (int32_t i = 0; i < others; i++) {
            for (int32_t j = 0; j < v; j++) {
                left[j] -= J[(int64_t)i * v + j] * wanted[i];
            }
        }
    }
    const int spanned = largest(left, v) <= 1e-8 * size;
    free(J);
    free(wanted);
    free(values);
    free(left);
    free(columns);
    return spanned;
}

static void compare(const closed_system *s, solution *x, uint64_t seed)
{
    const int32_t rows = s->problem.rows->count;
    double *lambda = numbers(rows), *change = numbers(s->rates);
    const int32_t rank = closed_system_answer(s, x->gap, lambda, change);
    solve(x);
    const double off = differ(x->change, change, s->rates);
    const double off_lambda = differ(x->lambda, lambda, rows);
    if (x->report.rank != rank || !(off <= 1e-10) || !(off_lambda <= 1e-10)) {
        fail_msg("seed %d: rank %d of %d, change off by %g, lambda by %g", (int)seed,
                 x->report.rank, rank, off, off_lambda);
    }
    assert_true(fabs(x->report.residual - residual_of(s, x)) <= 1e-10);
    assert_true((x->report.dependent >= 0) == (rank < rows));
    assert_true(rank == rows || follows(s, x->report.dependent));
    free(lambda);
    free(change);
}

static void test_random(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 900; seed++) {
        rct_model *model = random_model(seed, (random_shape)(seed % 4), 4 + (int32_t)(seed % 23),
                                        1 + (int32_t)(seed % 7), ALL_TYPES);
        closed_system s = closed_system_create(model, 0.2);
        solution x = factored(&s);
        uint64_t random = seed;
        double *J = closed_system_jacobian(&s);
        const int nothing = largest(J, s.rates * s.problem.rows->count) < 1e-12;
        free(J);
        if (nothing) { /* loops of what cannot move against another: the dense answer is one of rounding */
            assert_int_equal(x.report.rank, 0);
        } else {
            draw_consistent(&s, &random, x.gap);
            compare(&s, &x, seed);
            draw_numbers(&random, x.gap, s.problem.rows->count,
                         1.0); /* most cannot be cancelled whole */
            compare(&s, &x, seed);
        }
        release(&x);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* ---- what loops do to a motion ------------------------------------------------------------------ */

/* Accelerations [n][3] of the hinge points and angular ones of the system with its loops closed. */
static void accelerate(const closed_system *s, solution *x, double *linear, double *angular)
{
    const int64_t n = s->n;
    double *rates = numbers(s->rates), *more = numbers(6 * n);
    rct_error error;
    assert_int_equal(rct_solver_evaluate(s->open, &error), RCT_OK);
    rct_solver_get_accelerations(s->open, linear, angular);
    rct_solver_get_rate_derivatives(s->open, rates);
    rct_closure_take(s->problem.rows, angular, linear, rates, x->gap);
    for (int32_t i = 0; i < s->problem.rows->count; i++) {
        x->gap[i] += s->problem.rows->bias[i];
    }
    solve(x);
    rct_operator_velocities(s->problem.operators, 1, x->change, more, more + 3 * n);
    for (int64_t i = 0; i < 3 * n; i++) {
        linear[i] += more[i];
        angular[i] += more[3 * n + i];
    }
    free(rates);
    free(more);
}

static const double rotor = 1e-4; /* kg m^2, of a rod about its axis, and of one of no length */

static void add_rod(rct_model *model, int32_t parent, double at, double length, double mass,
                    double angle, double rate)
{
    rct_body body = rct_body_default();
    rct_error error;
    body.parent = parent;
    body.hinge = RCT_HINGE_REVOLUTE;
    body.hinge_at[0] = at;
    body.hinge_axis[0] = body.hinge_axis[1] = 0.0;
    body.hinge_axis[2] = 1.0;
    body.position[0] = angle;
    body.rate[0] = rate;
    body.mass = mass;
    body.com[0] = 0.5 * length;
    memset(body.inertia, 0, sizeof body.inertia);
    body.inertia[0] = rotor;
    body.inertia[1] = body.inertia[2] = length > 0.0 ? mass * length * length / 12.0 : rotor;
    if (rct_model_add_body(model, &body, NULL, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

static void add_closure(rct_model *model, rct_loop_type type, int32_t body, double at,
                        int32_t other, double other_at)
{
    rct_loop loop = rct_loop_default();
    rct_error error;
    loop.type = type;
    loop.body = body;
    loop.other = other;
    loop.at[0] = at;
    loop.other_at[0] = other_at;
    if (rct_model_add_loop(model, &loop, NULL, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

static rct_model *upright(void)
{
    static const double gravity[3] = {0.0, -9.81, 0.0};
    rct_model *model = rct_model_create(NULL, NULL);
    assert_non_null(model);
    assert_int_equal(rct_model_set_gravity(model, gravity, NULL), RCT_OK);
    return model;
}

static const double pi = 3.14159265358979323846;

typedef enum cut { TERMINAL, INTERNAL } cut;

/* Seed 002, Figs. 8 and 9, on what carries the mechanism, from `first` on: cranks of 1 m, a coupler of 2 m. */
static void add_parallelogram(rct_model *model, int32_t carrier, int32_t first, cut where,
                              rct_loop_type type, double angle, double rate)
{
    add_rod(model, carrier, 0.0, 1.0, 2.0, angle, rate);
    add_rod(model, first, 1.0, 2.0, 3.0, -angle, -rate);
    if (where == TERMINAL) {
        add_rod(model, first + 1, 2.0, 1.0, 2.0, angle + pi, rate);
        add_closure(model, type, first + 2, 1.0, carrier, 2.0);
    } else {
        add_rod(model, carrier, 2.0, 1.0, 2.0, angle, rate);
        add_closure(model, type, first + 1, 2.0, first + 2, 1.0);
    }
}

/* (2 m_crank / 3 + m_coupler) L^2 angle'' = - (m_crank + m_coupler) g L cos angle */
static void check_parallelogram(cut where, rct_loop_type type, double angle, double tolerance)
{
    rct_model *model = upright();
    double linear[9], angular[9];
    add_parallelogram(model, RCT_GROUND, 0, where, type, angle, 1.5);
    closed_system s = closed_system_create(model, 0.0);
    solution x = factored(&s);
    accelerate(&s, &x, linear, angular);
    const double wanted = -5.0 * 9.81 * cos(angle) / (4.0 / 3.0 + 3.0);
    for (int32_t b = 0; b < 3; b++) {
        const double off = fabs(angular[3 * b + 2] - (b == 1 ? 0.0 : wanted));
        if (!(off <= tolerance)) {
            fail_msg("cut %d, angle %g: body %d off by %g", (int)where, angle, (int)b, off);
        }
    }
    assert_int_equal(x.report.rank, 2);
    assert_int_equal(x.report.dependent >= 0, type == RCT_LOOP_REVOLUTE);
    assert_true(x.report.residual <= tolerance);
    release(&x);
    closed_system_free(&s);
    rct_model_free(model);
}

static void test_parallelogram(void **state)
{
    (void)state;
    for (int where = TERMINAL; where <= INTERNAL; where++) {
        for (int k = 0; k < 50; k++) {
            const double angle = 0.1 + 0.05 * k;
            check_parallelogram((cut)where, RCT_LOOP_PLANAR_REVOLUTE, angle, 1e-11);
            check_parallelogram((cut)where, RCT_LOOP_REVOLUTE, angle, 1e-11);
        }
        for (int k = 2; k <= 6; k++) { /* flat at 0: there the rank is one less */
            const double angle = pow(10.0, -k);
            check_parallelogram((cut)where, RCT_LOOP_PLANAR_REVOLUTE, angle, 1e-8);
            check_parallelogram((cut)where, RCT_LOOP_REVOLUTE, -angle, 1e-8);
        }
    }
}

/* In the singular pose itself: one row less, and still the dense answer. */
static void test_flat(void **state)
{
    (void)state;
    rct_model *model = upright();
    add_parallelogram(model, RCT_GROUND, 0, INTERNAL, RCT_LOOP_PLANAR_REVOLUTE, 0.0, 0.0);
    closed_system s = closed_system_create(model, 0.0);
    solution x = factored(&s);
    assert_int_equal(x.report.rank, 1);
    x.gap[0] = 0.3;
    x.gap[1] = -1.0;
    compare(&s, &x, 0);
    release(&x);
    closed_system_free(&s);
    rct_model_free(model);
}

/* Figs. 8 and 9 within a system: on a free body that turns, with a body on the coupler. Bodies: p, crank, coupler,
 * rocker, c. */
static void test_cuts(void **state)
{
    (void)state;
    double linear[2][15], angular[2][15];
    for (int where = TERMINAL; where <= INTERNAL; where++) {
        rct_model *model = upright();
        rct_body p = rct_body_default(), c = rct_body_default();
        p.hinge = RCT_HINGE_FREE;
        p.mass = 4.0;
        p.com[1] = 0.3;
        memcpy(p.angular_velocity, (double[3]){0.5, -1.0, 2.0}, sizeof p.angular_velocity);
        c.parent = 2;
        c.hinge_at[0] = 1.0;
        c.mass = 1.0;
        c.com[1] = -0.5;
        p.inertia[0] = p.inertia[1] = p.inertia[2] = 0.4;
        c.inertia[0] = c.inertia[1] = c.inertia[2] = 0.1;
        memcpy(c.angular_velocity, (double[3]){1.0, 0.2, -0.4}, sizeof c.angular_velocity);
        assert_int_equal(rct_model_add_body(model, &p, NULL, NULL), RCT_OK);
        add_parallelogram(model, 0, 1, (cut)where, RCT_LOOP_REVOLUTE, 0.7, 1.5);
        assert_int_equal(rct_model_add_body(model, &c, NULL, NULL), RCT_OK);
        closed_system s = closed_system_create(model, 0.0);
        solution x = factored(&s);
        accelerate(&s, &x, linear[where], angular[where]);
        const rct_aggregation *a = ((const rct_embedding *)x.work)->aggregation;
        assert_int_equal(a->count, 1);
        assert_int_equal(a->aggregate[0].bodies, 3);
        assert_int_equal(a->aggregate[0].top, 0);
        assert_int_equal(a->nodes, 3);
        release(&x);
        closed_system_free(&s);
        rct_model_free(model);
    }
    /* the rocker has its hinge point at its other end: its own point does not compare */
    memcpy(linear[0] + 9, linear[1] + 9, 3 * sizeof **linear);
    assert_true(differ(linear[0], linear[1], 15) <= 1e-12);
    assert_true(differ(angular[0], angular[1], 15) <= 1e-12);
    assert_true(largest(angular[0], 15) > 1.0);
}

/* Seed 002, section 5.1: mu theta_l = theta_m, both on one body; the motor adds mu^2 of its inertia. */
static void test_geared_link(void **state)
{
    (void)state;
    const double mu = 100.0, angle = 0.4;
    const rct_loop_term terms[2] = {{1, 0, mu}, {2, 0, -1.0}};
    rct_model *model = upright();
    rct_loop gear = rct_loop_default();
    double linear[9], angular[9];
    const rct_loop_term still = {0, 0, 1.0};
    add_rod(model, RCT_GROUND, 0.0, 1.0, 1.0, 0.0, 0.0);
    add_rod(model, 0, 1.0, 1.0, 2.0, angle, 0.3);
    add_rod(model, 0, 0.5, 0.0, 0.5, mu * angle, mu * 0.3); /* about its centre of mass */
    gear.type = RCT_LOOP_RELATION;
    gear.terms = terms;
    gear.term_count = 2;
    assert_int_equal(rct_model_add_loop(model, &gear, NULL, NULL), RCT_OK);
    gear.terms = &still; /* what carries them is held by a relation of its own */
    gear.term_count = 1;
    assert_int_equal(rct_model_add_loop(model, &gear, NULL, NULL), RCT_OK);
    closed_system s = closed_system_create(model, 0.0);
    solution x = factored(&s);
    accelerate(&s, &x, linear, angular);
    const double wanted = -2.0 * 9.81 * 0.5 * cos(angle) / (2.0 / 3.0 + mu * mu * rotor);
    const rct_aggregation *a = ((const rct_embedding *)x.work)->aggregation;
    assert_int_equal(a->count, 2);
    assert_int_equal(a->aggregate[0].bodies, 2);
    assert_int_equal(a->aggregate[0].top, 0);
    assert_int_equal(x.report.rank, 2);
    assert_true(fabs(angular[2]) <= 1e-12);
    assert_true(fabs(angular[5] - wanted) <= 1e-11 * fabs(wanted));
    assert_true(fabs(angular[8] - mu * wanted) <= 1e-11 * fabs(mu * wanted));
    release(&x);
    closed_system_free(&s);
    rct_model_free(model);
}

/* ---- a choice through a motion ------------------------------------------------------------------ */

/* Links of 2 m between pivots 3.5 m apart, cut inside: none of them turns round, so each rests somewhere. The distance
 * from the tip of the crank to the other pivot goes from 1.5 to 4 m and back as t grows; crank and ground are in line
 * at one end, coupler and rocker at the other, and change sides there. */
static rct_model *triple_rocker(double t)
{
    const double far = 2.75 - 1.25 * cos(t);
    const int phase = (int)(t / pi) % 4;
    const double crank =
        (phase == 0 || phase == 1 ? 1.0 : -1.0) * acos(fmin(1.0, (16.25 - far * far) / 14.0));
    const double tip[2] = {2.0 * cos(crank), 2.0 * sin(crank)};
    const double coupler = atan2(-tip[1], 3.5 - tip[0]) +
                           (phase == 0 || phase == 3 ? 1.0 : -1.0) * acos(fmin(1.0, 0.25 * far));
    rct_model *model = upright();
    add_rod(model, RCT_GROUND, 0.0, 2.0, 1.0, crank, 0.0);
    add_rod(model, 0, 2.0, 2.0, 2.0, coupler - crank, 0.0);
    add_rod(model, RCT_GROUND, 3.5, 2.0, 1.5,
            atan2(tip[1] + 2.0 * sin(coupler), tip[0] + 2.0 * cos(coupler) - 3.5), 0.0);
    add_closure(model, RCT_LOOP_PLANAR_REVOLUTE, 1, 2.0, 2, 2.0);
    return model;
}

/* One work through all poses and back to the first: the independent rate changes before it rests. */
static void test_turns(void **state)
{
    enum { STEPS = 400 };
    void *work = NULL;
    int32_t before = -1, changes = 0;
    (void)state;
    for (int k = 0; k < STEPS; k++) {
        rct_model *model = triple_rocker(4.0 * pi * (k + 0.5) / STEPS);
        closed_system s = closed_system_create(model, 0.0);
        solution x = factored(&s);
        if (work != NULL) {
            method->destroy(x.work);
            x.work = work;
            assert_int_equal(method->factor(work, &s.problem, &x.report, NULL), RCT_OK);
        }
        const rct_embed_choice *choice = &((const rct_embedding *)x.work)->block[0].choice;
        changes += before >= 0 && choice->order[2] != before;
        assert_true(fabs(s.problem.rows->phi[0]) + fabs(s.problem.rows->phi[1]) <= 1e-14);
        before = choice->order[2];
        assert_true(fabs(choice->X[0]) <= 10.0 && fabs(choice->X[1]) <= 10.0);
        x.gap[0] = 1.0;
        x.gap[1] = -0.7;
        compare(&s, &x, (uint64_t)k);
        work = x.work;
        x.work = NULL;
        release(&x);
        closed_system_free(&s);
        rct_model_free(model);
    }
    method->destroy(work);
    assert_true(changes >= 2 && changes <= 16);
}

/* ---- loops that come and go, and none ------------------------------------------------------------- */

static void refactor(const closed_system *s, solution *x)
{
    rct_error error;
    if (method->factor(x->work, &s->problem, &x->report, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

static void test_active(void **state)
{
    (void)state;
    rct_model *model = random_model(11, SHAPE_TREE, 20, 6, ALL_TYPES);
    closed_system s = closed_system_create(model, 0.0);
    solution x = factored(&s);
    uint64_t random = 3;
    const int64_t whole = method->bytes(x.work);
    assert_true(whole > 1000);
    for (int32_t step = 0; step < 12; step++) { /* off one after the other, and on */
        rct_closures_set_active(s.closures, step % 6, step >= 6);
        closed_system_renew(&s, 0.0);
        refactor(&s, &x);
        if (step == 5) {
            memset(x.change, 1, (size_t)s.rates * sizeof *x.change);
            solve(&x);
            assert_int_equal(s.problem.rows->count, 0);
            assert_int_equal(x.report.rank, 0);
            assert_int_equal(x.report.dependent, -1);
            assert_int_equal(x.report.worst, -1);
            assert_true(largest(x.change, s.rates) == 0.0 && x.report.residual == 0.0);
            continue;
        }
        draw_numbers(&random, x.gap, s.problem.rows->count, 1.0);
        compare(&s, &x, (uint64_t)step);
    }
    assert_int_equal(method->bytes(x.work), whole);
    memset(x.gap, 0, (size_t)s.problem.rows->count * sizeof *x.gap);
    solve(&x);
    assert_true(largest(x.change, s.rates) == 0.0 && x.report.residual == 0.0);
    release(&x);
    closed_system_free(&s);
    rct_model_free(model);
}

/* Between solves in one state nothing is kept: the same gap, the same bits. */
static void test_repeated(void **state)
{
    (void)state;
    rct_model *model = random_model(13, SHAPE_TREE, 20, 5, ALL_TYPES);
    closed_system s = closed_system_create(model, 0.0);
    solution x = factored(&s);
    uint64_t random = 3;
    const int32_t rows = s.problem.rows->count;
    double *change = numbers(s.rates), *lambda = numbers(rows), *gap = numbers(rows);
    draw_numbers(&random, gap, rows, 1.0);
    memcpy(x.gap, gap, (size_t)rows * sizeof *gap);
    solve(&x);
    memcpy(change, x.change, (size_t)s.rates * sizeof *change);
    memcpy(lambda, x.lambda, (size_t)rows * sizeof *lambda);
    draw_numbers(&random, x.gap, rows, 1.0);
    solve(&x);
    memcpy(x.gap, gap, (size_t)rows * sizeof *gap);
    solve(&x);
    assert_memory_equal(x.change, change, (size_t)s.rates * sizeof *change);
    assert_memory_equal(x.lambda, lambda, (size_t)rows * sizeof *lambda);
    free(change);
    free(lambda);
    free(gap);
    release(&x);
    closed_system_free(&s);
    rct_model_free(model);
}

/* ---- large aggregates ---------------------------------------------------------------------------- */

/* A chain of ball hinges whose last hinge point is pinned where it is. */
static rct_model *pinned_chain(int32_t bodies)
{
    const mixed_system chain = {.tree = {.shape = SHAPE_CHAIN, .bodies = bodies, .seed = 5},
                                .hinges = 1 << RCT_HINGE_BALL};
    rct_model *model = mixed_system_create(&chain);
    closed_system s = closed_system_create(model, 0.0);
    rct_loop pin = rct_loop_default();
    pin.body = bodies - 1;
    memcpy(pin.other_at, s.state.position + 3 * ((int64_t)bodies - 1), sizeof pin.other_at);
    assert_int_equal(rct_model_add_loop(model, &pin, NULL, NULL), RCT_OK);
    closed_system_free(&s);
    return model;
}

/* |M change - J* lambda| over |M change|. */
static double imbalance(const closed_system *s, const solution *x)
{
    const int64_t n = s->n, v = s->rates;
    double *load = numbers(6 * n), *effort = numbers(v), *given = numbers(v), *taken = numbers(v);
    rct_closure_give(s->problem.rows, x->lambda, load, load + 3 * n, effort);
    rct_operator_gather(s->problem.operators, 1, load, load + 3 * n, given);
    rct_operator_mass(s->problem.operators, 1, x->change, taken);
    for (int64_t i = 0; i < v; i++) {
        given[i] += effort[i];
    }
    const double off = differ(given, taken, v);
    free(load);
    free(effort);
    free(given);
    free(taken);
    return off;
}

static void test_long_loop(void **state)
{
    (void)state;
    rct_model *model = pinned_chain(660);
    closed_system s = closed_system_create(model, 0.0);
    solution x = factored(&s);
    assert_int_equal(s.rates, 1980);
    x.gap[0] = 1.0;
    x.gap[1] = -2.0;
    x.gap[2] = 0.5;
    solve(&x);
    assert_int_equal(x.report.rank, 3);
    assert_true(x.report.residual <= 1e-11);
    assert_true(imbalance(&s, &x) <= 1e-10);
    release(&x);
    closed_system_free(&s);
    rct_model_free(model);
}

/* |change - M^-1 J* lambda|: lambda applied as loads moves the tree as the solution says. */
static double unlike_loads(const closed_system *s, const solution *x)
{
    double *load = numbers(6 * (int64_t)s->n), *effort = numbers(s->rates);
    double *moved = numbers(s->rates);
    rct_closure_give(s->problem.rows, x->lambda, load, load + 3 * (int64_t)s->n, effort);
    rct_operator_gather(s->problem.operators, 1, load, load + 3 * (int64_t)s->n, moved);
    for (int64_t i = 0; i < s->rates; i++) {
        moved[i] += effort[i];
    }
    rct_operator_solve(s->problem.operators, 1, moved, moved);
    const double off = differ(x->change, moved, s->rates);
    free(load);
    free(effort);
    free(moved);
    return off;
}

/* Long and nearly straight: a dense mass matrix in relative rates leaves seven digits at 640 rods. */
static void test_straight_loops(void **state)
{
    (void)state;
    for (int32_t rods = 10; rods <= 640; rods *= 2) {
        rct_model *model = upright();
        for (int32_t k = 0; k < rods; k++) {
            add_rod(model, k - 1, k > 0 ? 1.0 : 0.0, 1.0, 1.0, 0.001, 0.0);
        }
        closed_system open = closed_system_create(model, 0.0);
        rct_loop pin = rct_loop_default();
        pin.type = RCT_LOOP_PLANAR_REVOLUTE;
        pin.body = rods - 1;
        memcpy(pin.other_at, open.state.position + 3 * ((int64_t)rods - 1), sizeof pin.other_at);
        assert_int_equal(rct_model_add_loop(model, &pin, NULL, NULL), RCT_OK);
        closed_system s = closed_system_create(model, 0.0);
        solution x = factored(&s);
        x.gap[0] = 1.0;
        x.gap[1] = -2.0;
        solve(&x);
        assert_true(x.report.residual <= 1e-11);
        assert_true(unlike_loads(&s, &x) <= 1e-12 * rods); /* 5e-7 at 640 unless polished */
        release(&x);
        closed_system_free(&s);
        closed_system_free(&open);
        rct_model_free(model);
    }
}

static void refuse(const rct_model *model, const char *words)
{
    closed_system s = closed_system_create(model, 0.0);
    rct_closure_report report;
    rct_error error;
    void *work = method->create(s.closures, NULL);
    assert_int_equal(method->factor(work, &s.problem, &report, &error), RCT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, words));
    assert_non_null(strstr(error.text, "admittance"));
    assert_true(error.body >= 0);
    method->destroy(work);
    closed_system_free(&s);
}

static void test_too_large(void **state)
{
    (void)state;
    rct_model *model = pinned_chain(700);
    refuse(model, "2100 rates");
    rct_model_free(model);
    model = upright();
    add_rod(model, RCT_GROUND, 0.0, 1.0, 1.0, 0.0, 0.0);
    for (int k = 0; k < 1366; k++) {
        add_closure(model, RCT_LOOP_FIXED, 0, 0.0, RCT_GROUND, 0.0);
    }
    refuse(model, "8196 constraints");
    rct_model_free(model);
}

/* ---- failures ------------------------------------------------------------------------------------- */

/* Factor two rods in a row, the second at `at` on the first, with other masses than those of the model, of which all
 * hinges move something: a slot ties `body` to the ground. The body at fault. */
static int32_t fault(double at, int32_t body, const double mass[2])
{
    rct_model *model = upright();
    rct_error error;
    add_rod(model, RCT_GROUND, 0.0, 1.0, 1.0, 0.3, 0.0);
    add_rod(model, 0, at, 1.0, 1.0, 0.3, 0.0);
    add_closure(model, RCT_LOOP_SLOT, body, 1.0, RCT_GROUND, 1.0);
    closed_system s = closed_system_create(model, 0.0);
    solution x = factored(&s);
    const double inertia[12] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, mass[1], mass[1], mass[1]};
    rct_operator_tree tree = *s.problem.tree;
    const rct_closure_problem other = {&tree, s.problem.operators, s.problem.rows};
    tree.mass = mass;
    tree.inertia = inertia;
    assert_int_equal(method->factor(x.work, &other, &x.report, &error), RCT_ERROR_SINGULAR);
    assert_non_null(strstr(error.text, "nothing resists"));
    refactor(&s, &x); /* and none is left */
    assert_int_equal(x.report.rank, 1);
    release(&x);
    closed_system_free(&s);
    rct_model_free(model);
    return error.body;
}

/* A single body without mass, an aggregate without, and one in which a motion has none: of two coaxial hinges with
 * nothing between. */
static void test_singular(void **state)
{
    (void)state;
    assert_int_equal(fault(1.0, 0, (double[2]){0.0, 0.0}), 1);
    assert_int_equal(fault(1.0, 1, (double[2]){0.0, 0.0}), 0);
    assert_int_equal(fault(0.0, 1, (double[2]){0.0, 1.0}), 0);
}

static void test_memory(void **state)
{
    (void)state;
    rct_model *model = random_model(17, SHAPE_TREE, 12, 4, ALL_TYPES);
    closed_system s = closed_system_create(model, 0.0);
    rct_closure_report report;
    rct_error error;
    int64_t failures = 0;
    rct_allocate_fail_after(0);
    assert_null(method->create(s.closures, &error));
    assert_int_equal(error.status, RCT_ERROR_MEMORY);
    rct_allocate_fail_after(-1);
    void *work = method->create(s.closures, &error);
    for (rct_status status = RCT_ERROR_MEMORY; status != RCT_OK; failures++) {
        error.status = RCT_OK;
        rct_allocate_fail_after(failures);
        status = method->factor(work, &s.problem, &report, &error);
        rct_allocate_fail_after(-1);
        assert_true(status == RCT_OK || status == RCT_ERROR_MEMORY);
        assert_int_equal(error.status, status);
    }
    assert_true(failures > 25);
    rct_allocate_fail_after(0); /* neither a factor of the same loops nor a solve allocates */
    assert_int_equal(method->factor(work, &s.problem, &report, &error), RCT_OK);
    double *gap = calloc((size_t)s.problem.rows->count, sizeof *gap);
    double *lambda = calloc((size_t)s.problem.rows->count, sizeof *lambda);
    double *change = calloc((size_t)s.rates, sizeof *change);
    gap[0] = 1.0;
    assert_int_equal(method->solve(work, gap, lambda, change, &report, &error), RCT_OK);
    rct_allocate_fail_after(-1);
    assert_true(largest(change, s.rates) > 0.0);
    free(gap);
    free(lambda);
    free(change);
    method->destroy(work);
    method->destroy(NULL);
    closed_system_free(&s);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),         cmocka_unit_test(test_parallelogram),
        cmocka_unit_test(test_flat),           cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_geared_link),    cmocka_unit_test(test_turns),
        cmocka_unit_test(test_active),         cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_long_loop),      cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_straight_loops), cmocka_unit_test(test_singular),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
