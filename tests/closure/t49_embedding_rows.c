/* Constraint embedding of aggregates with many rates and few independent ones, rows of mechanisms
 * that share their cranks: against admittance, closed forms and the dense answer; in poses where
 * ranks drop; refused input, and failing allocations. One file, because all cases build and check
 * rows in the same way. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "tests/closure/embedding_case.h"
#include "tests/support/draw.h"
#include "tests/support/must.h"
#include "tests/support/systems/closed_system.h"
#include "tests/support/systems/loop_models.h"
#include "tests/support/systems/loop_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const rct_closure_method *const method = &rct_closure_embedding;

/* ---- rows of four-bars -------------------------------------------------------------------- */

typedef struct row {
    int32_t loops;
    rct_loop_type type;
    double angle;  /* of the cranks, from the line through their feet                          */
    double spread; /* couplers are hinged up to this far from the tips; 0: parallelograms      */
    int carried;   /* it stands on a free body that turns, not on the ground                   */
    int loaded;    /* every seventh crank carries a pendulum of two bodies                     */
} row;

static int32_t count_of(const rct_model *model)
{
    return (int32_t)rct_model_body_count(model);
}

static void add_carrier(rct_model *model)
{
    rct_body p = rct_body_default();
    rct_error error;
    p.hinge = RCT_HINGE_FREE;
    p.mass = 4.0;
    p.com[1] = 0.3;
    memcpy(p.inertia, (double[6]){4.0, 5.0, 6.0, 0.1, -0.2, 0.3}, sizeof p.inertia);
    memcpy(p.angular_velocity, (double[3]){0.5, -1.0, 0.2}, sizeof p.angular_velocity);
    memcpy(p.orientation, (double[4]){0.5, 0.1, -0.7, 0.5}, sizeof p.orientation);
    const double size = sqrt(0.25 + 0.01 + 0.49 + 0.25);
    for (int i = 0; i < 4; i++) {
        p.orientation[i] /= size;
    }
    assert_int_equal(rct_model_add_body(model, &p, NULL, &error), RCT_OK);
}

static void add_pendulum(rct_model *model, int32_t crank)
{
    rct_body bob = rct_body_default();
    bob.parent = crank;
    bob.hinge_at[0] = 0.6;
    bob.mass = 0.3;
    bob.com[1] = -0.4;
    bob.inertia[0] = bob.inertia[1] = bob.inertia[2] = 0.05;
    assert_int_equal(rct_model_add_body(model, &bob, NULL, NULL), RCT_OK);
    add_rod(model, count_of(model) - 1, 0.2, 0.7, 0.2, 0.4, 0.0);
}

/* Cranks of 1 m, 1 m apart, each a little heavier or lighter than the last one; what it is made of is drawn by its size. */
static rct_model *make_row(const row *r)
{
    rct_model *model = upright();
    uint64_t random = (uint64_t)r->loops;
    int32_t coupler = -1, carrier = RCT_GROUND;
    double reach = 0.0;
    if (r->carried) {
        add_carrier(model);
        carrier = 0;
    }
    for (int32_t i = 0; i <= r->loops; i++) {
        const double from = 1.0 - draw_between(&random, 0.0, r->spread);
        const double to = 1.0 - draw_between(&random, 0.0, r->spread);
        const int32_t crank = count_of(model);
        const double mass = r->spread > 0.0 ? draw_between(&random, 0.5, 2.0) : 2.0;
        add_rod(model, carrier, i, 1.0, mass, r->angle, 0.0);
        if (coupler >= 0) {
            add_closure(model, r->type, coupler, reach, crank, to);
        }
        if (r->loaded && i % 7 == 3) {
            add_pendulum(model, crank);
        }
        if (i < r->loops) { /* to where it will be on the next one, which is drawn there again */
            uint64_t next = random;
            draw_between(&next, 0.0, r->spread);
            const double across = 1.0 - draw_between(&next, 0.0, r->spread) - from;
            const double x = 1.0 + across * cos(r->angle), y = across * sin(r->angle);
            reach = hypot(x, y);
            coupler = count_of(model);
            add_rod(model, crank, from, reach, r->spread > 0.0 ? 1.0 : 3.0, atan2(y, x) - r->angle,
                    0.0);
        }
    }
    return model;
}

/* With the accelerations of the open system for a gap. */
static void take_motion(const closed_system *s, solution *x, double *derivatives)
{
    double *motion = zeros(6 * (int64_t)s->n);
    closed_system_accelerate(s, motion, motion + 3 * (int64_t)s->n, derivatives, x->gap);
    free(motion);
}

static const rct_embed_sparse *is_sparse(const solution *x)
{
    const rct_embedding *e = x->work;
    assert_int_equal(e->aggregation->count, 1);
    return e->block[0].sparse;
}

/* The same gap by admittance, which leaves 1e-9 of the multipliers of dependent rows where nothing
 * acts. */
static void check_admittance(const closed_system *s, solution *x)
{
    const int32_t rows = s->problem.rows->count;
    double *lambda = zeros(rows), *change = zeros(s->rates);
    rct_closure_report report;
    rct_error error;
    void *work = rct_closure_admittance.create(s->closures, &error);
    if (rct_closure_admittance.factor(work, &s->problem, &report, &error) != RCT_OK ||
        rct_closure_admittance.solve(work, x->gap, lambda, change, &report, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
    embed_solve(x);
    const double off = differ(x->change, change, s->rates);
    const double off_lambda = differ(x->lambda, lambda, rows);
    if (!(off <= 1e-10) || !(off_lambda <= (x->report.rank == rows ? 1e-10 : 1e-9))) {
        fail_msg("change off by %g, lambda by %g", off, off_lambda);
    }
    assert_true(x->report.residual <= 1e-10);
    rct_closure_admittance.destroy(work);
    free(lambda);
    free(change);
}

/* Rows out of the plane of the mechanisms have no effect. */
static void check_idle(const closed_system *s, const solution *x, int32_t of_loop)
{
    const double size = largest(x->lambda, s->problem.rows->count);
    for (int32_t i = 0; i < s->problem.rows->count; i++) {
        assert_true(i % of_loop < 2 || fabs(x->lambda[i]) <= 1e-11 * size);
    }
}

/* Repeated: the bits are the same, and a solve allocates nothing. */
static void check_again(const closed_system *s, solution *x)
{
    const size_t size = (size_t)s->rates * sizeof(double);
    double *before = zeros(s->rates);
    memcpy(before, x->change, size);
    memset(x->change, 0, size);
    embed_again(s, x);
    rct_allocate_fail_after(0);
    embed_solve(x);
    rct_allocate_fail_after(-1);
    assert_memory_equal(x->change, before, size);
    free(before);
}

/* In space one row of three, and three of five, follow from others. */
static void test_rows(void **state)
{
    (void)state;
    static const rct_loop_type types[] = {RCT_LOOP_PLANAR_REVOLUTE, RCT_LOOP_REVOLUTE,
                                          RCT_LOOP_BALL};
    for (int k = 0; k < 12; k++) {
        const row r = {.loops = k % 3 == 1 ? 420 : 1030,
                       .type = types[k % 3],
                       .angle = 1.1,
                       .spread = k / 6 ? 0.2 : 0.0,
                       .carried = k / 3 % 2,
                       .loaded = 1};
        rct_model *model = make_row(&r);
        closed_system s = closed_system_create(model, 0.0);
        solution x = embed_begin(&s);
        double *derivatives = zeros(s.rates);
        assert_non_null(is_sparse(&x));
        take_motion(&s, &x, derivatives);
        check_admittance(&s, &x);
        check_idle(&s, &x, s.problem.rows->count / r.loops);
        assert_int_equal(x.report.rank, 2 * r.loops);
        assert_int_equal(x.report.dependent >= 0, r.type != RCT_LOOP_PLANAR_REVOLUTE);
        check_again(&s, &x);
        free(derivatives);
        embed_end(&x);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* Gaps that no motion explains, most of which cannot be cancelled completely in space; all
 * aggregates sparse, against the dense answer. */
static void test_any_gap(void **state)
{
    (void)state;
    static const rct_loop_type types[] = {RCT_LOOP_PLANAR_REVOLUTE, RCT_LOOP_REVOLUTE,
                                          RCT_LOOP_BALL, RCT_LOOP_FIXED};
    embed_limits = &all_sparse;
    for (int k = 0; k < 32; k++) {
        const row r = {.loops = 1 + k,
                       .type = types[k % 4],
                       .angle = 0.8,
                       .spread = k % 3 ? 0.3 : 0.0,
                       .carried = k / 2 % 2,
                       .loaded = k / 8 % 2};
        rct_model *model = make_row(&r);
        closed_system s = closed_system_create(model, 0.0);
        solution x = embed_begin(&s);
        uint64_t random = (uint64_t)k;
        assert_non_null(is_sparse(&x));
        draw_numbers(&random, x.gap, s.problem.rows->count, 1.0);
        embed_compare(&s, &x, (uint64_t)k);
        embed_end(&x);
        closed_system_free(&s);
        rct_model_free(model);
    }
    embed_limits = NULL;
}

/* Aggregates with few rates, and with a J that is not sparse, use dense matrices. */
static void test_kinds(void **state)
{
    (void)state;
    static const int sparse[] = {0, 1, 0, 0};
    for (int k = 0; k < 4; k++) {
        rct_model *model = k < 2    ? loop_model_four_bars(k ? 50 : 9, RCT_LOOP_REVOLUTE, NULL)
                           : k == 2 ? loop_model_ladder(50, RCT_LOOP_REVOLUTE, NULL)
                                    : loop_model_necklace(50, NULL);
        closed_system s = closed_system_create(model, 0.0);
        solution x = embed_begin(&s);
        assert_int_equal(is_sparse(&x) != NULL, sparse[k]);
        embed_end(&x);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

/* Steps of the whole solver, by embedding and by admittance. */
static void test_motion(void **state)
{
    (void)state;
    rct_model *model = must_family("fourbars", 2401, RCT_HINGE_REVOLUTE);
    const rct_solver_options one = loop_options(RCT_CLOSING_EMBEDDING),
                             other = loop_options(RCT_CLOSING_ADMITTANCE);
    rct_solver *solver = loop_solver(model, &one), *expected = loop_solver(model, &other);
    int64_t count;
    must_step(solver, 5e-3, 20);
    must_step(expected, 5e-3, 20);
    double *x = loop_state(solver, &count), *y = loop_state(expected, &count);
    assert_true(largest(y, count) > 0.01);
    assert_true(differ(x, y, count) <= 1e-10);
    assert_true(closed_evaluate_alike(solver, expected, 1e-10));
    free(x);
    free(y);
    rct_solver_free(solver);
    rct_solver_free(expected);
    rct_model_free(model);
}

/* ---- poses in which all rods are in line -------------------------------------------------- */

/* The acceleration of the cranks of parallelograms with couplers of 3 kg and cranks of 2 kg at an angle. */
static double crank_acceleration(int32_t loops, double angle)
{
    const double cranks = 2.0 * (loops + 1), couplers = 3.0 * loops;
    return -9.81 * cos(angle) * (0.5 * cranks + couplers) / (cranks / 3.0 + couplers);
}

static void test_near_flat(void **state)
{
    (void)state;
    static const double angles[] = {0.7, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
    for (int k = 0; k < 7; k++) {
        const row r = {.loops = 1050, .type = RCT_LOOP_PLANAR_REVOLUTE, .angle = angles[k]};
        rct_model *model = make_row(&r);
        closed_system s = closed_system_create(model, 0.0);
        solution x = embed_begin(&s);
        double *derivatives = zeros(s.rates);
        const double wanted = crank_acceleration(r.loops, r.angle);
        take_motion(&s, &x, derivatives);
        embed_solve(&x);
        assert_int_equal(x.report.rank, 2 * r.loops);
        for (int64_t i = 0; i < s.rates; i++) {
            const int crank = i == s.rates - 1 || i % 2 == 0;
            const double off = derivatives[i] + x.change[i] - (crank ? wanted : -wanted);
            if (!(fabs(off) <= 1e-11 / r.angle)) { /* a thousand rods in a row */
                fail_msg("angle %g: rate %d off by %g", r.angle, (int)i, off);
            }
        }
        free(derivatives);
        embed_end(&x);
        closed_system_free(&s);
        rct_model_free(model);
    }
}

static void refuse(const rct_model *model, const rct_embed_limits *limits, rct_status status,
                   const char *words)
{
    closed_system s = closed_system_create(model, 0.0);
    rct_closure_report report;
    rct_error error;
    embed_limits = limits;
    void *work = embed_create(s.closures, &error);
    embed_limits = NULL;
    assert_int_equal(method->factor(work, &s.problem, &report, &error), status);
    if (strstr(error.text, words) == NULL || strstr(error.text, "admittance") == NULL) {
        fail_msg("%s", error.text);
    }
    assert_true(error.body >= 0);
    method->destroy(work);
    closed_system_free(&s);
}

/* In line each loop has one row less: the numbers are right, and an error says if too many rates
 * are independent. */
static void test_flat(void **state)
{
    (void)state;
    row r = {.loops = 40, .type = RCT_LOOP_PLANAR_REVOLUTE};
    rct_model *model = make_row(&r);
    closed_system s = closed_system_create(model, 0.0);
    embed_limits = &all_sparse;
    solution x = embed_begin(&s);
    embed_limits = NULL;
    uint64_t random = 5;
    draw_numbers(&random, x.gap, s.problem.rows->count, 1.0);
    embed_compare(&s, &x, 0);
    assert_int_equal(x.report.rank, r.loops);
    embed_end(&x);
    closed_system_free(&s);
    rct_model_free(model);
    r.loops = 2100;
    model = make_row(&r);
    refuse(model, NULL, RCT_ERROR_UNSUPPORTED,
           "loop \"loop0\" and those that share bodies with it are 4200 constraints on 4201 bodies "
           "with 4201 rates, from body 0 outward: 2101 of the rates are independent, and embedding "
           "is for at most 2048; close the loops by admittance");
    rct_model_free(model);
}

/* ---- what is refused ----------------------------------------------------------------------- */

/* Rate `one` is `ratio` times rate `other`, of revolute hinges. */
static void add_relation(rct_model *model, int32_t one, int32_t other, double ratio)
{
    const rct_loop_term terms[2] = {{one, 0, 1.0}, {other, 0, -ratio}};
    rct_loop gear = rct_loop_default();
    gear.type = RCT_LOOP_RELATION;
    gear.terms = terms;
    gear.term_count = 2;
    assert_int_equal(rct_model_add_loop(model, &gear, NULL, NULL), RCT_OK);
}

/* Rods of which each turns a given number of times as fast as the one before. */
static rct_model *make_gears(int32_t rods, double ratio)
{
    rct_model *model = upright();
    for (int32_t i = 0; i < rods; i++) {
        add_rod(model, RCT_GROUND, i, 1.0, 1.0, 0.0, 0.0);
        if (i > 0) {
            add_relation(model, i, i - 1, ratio);
        }
    }
    return model;
}

static void test_too_large(void **state)
{
    (void)state;
    rct_model *model = loop_model_ladder(2100, RCT_LOOP_PLANAR_REVOLUTE, NULL);
    refuse(model, NULL, RCT_ERROR_UNSUPPORTED, "2100 of the rates are independent");
    rct_model_free(model);
    model = loop_model_necklace(700, NULL);
    refuse(model, NULL, RCT_ERROR_UNSUPPORTED, "2097 of the rates are independent");
    rct_model_free(model);
    const row r = {.loops = 50, .type = RCT_LOOP_BALL, .angle = 1.0, .carried = 1};
    const rct_embed_limits
        few = {.few = -1, .rates = -1, .free = 2048, .numbers = 1000, .fill = 100},
        some = {.few = -1, .rates = -1, .free = 2048, .numbers = 700, .fill = 650, .of_row = 7};
    model = make_row(&r);
    refuse(model, &few, RCT_ERROR_UNSUPPORTED,
           "factors of their constraints have more than 100 numbers");
    rct_model_free(model);
    model = make_gears(100, 1.0); /* all products of two of 99 numbers, of the last one */
    add_relation(model, 0, 99, 1.0);
    refuse(model, &some, RCT_ERROR_UNSUPPORTED,
           "factors of their constraints have more than 700 numbers");
    rct_model_free(model);
    model = loop_model_ladder(20, RCT_LOOP_PLANAR_REVOLUTE, NULL);
    refuse(model, &some, RCT_ERROR_UNSUPPORTED,
           "the other rates by 20 independent ones takes 1200 numbers, and embedding is for at "
           "most 700");
    rct_model_free(model);
}

/* A row in which each crank turns the next by a third of its own rotation, and a distance between
 * two of them that holds up to rounding: no pivot shows that it is dependent. */
static void test_hidden(void **state)
{
    enum { LOOPS = 47 };
    const double angle = 1.1, from = 0.33, to = 0.9;
    const double x = 1.0 + (to - from) * cos(angle), y = (to - from) * sin(angle);
    rct_model *model = upright();
    rct_loop rod = rct_loop_default();
    (void)state;
    for (int32_t i = 0; i <= LOOPS; i++) {
        add_rod(model, RCT_GROUND, i, 1.0, 1.0, angle, 0.0);
        if (i > 0) {
            add_closure(model, RCT_LOOP_PLANAR_REVOLUTE, 2 * i - 1, hypot(x, y), 2 * i, to);
        }
        if (i < LOOPS) {
            add_rod(model, 2 * i, from, hypot(x, y), 1.0, atan2(y, x) - angle, 0.0);
        }
    }
    rod.type = RCT_LOOP_DISTANCE;
    rod.body = 84;
    rod.at[0] = 1.0;
    rod.other = 72;
    rod.other_at[0] = 1.0;
    rod.length = 6.3;
    assert_int_equal(rct_model_add_loop(model, &rod, NULL, NULL), RCT_OK);
    refuse(model, NULL, RCT_ERROR_UNSUPPORTED, "which of them depend on others");
    rct_model_free(model);
}

/* Gears of many stages, 2^1200 between the ends of some: the independent rate is a fast one, at
 * either end. */
static void test_gears(void **state)
{
    (void)state;
    static const double ratios[] = {2.0, 0.5, 1.01, 0.99};
    embed_limits = &all_sparse;
    for (int k = 0; k < 4; k++) {
        rct_model *model = make_gears(1200, ratios[k]);
        closed_system s = closed_system_create(model, 0.0);
        solution x = embed_begin(&s);
        const rct_embed_choice *c = &((const rct_embedding *)x.work)->block[0].choice;
        assert_int_equal(c->rank, 1199);
        assert_true(largest(c->X, c->rank) <= 10.0);
        double *derivatives = zeros(s.rates);
        take_motion(&s, &x, derivatives);
        embed_solve(&x);
        const int64_t fast = ratios[k] > 1.0 ? s.rates - 1 : 0, next = fast == 0 ? 1 : fast - 1;
        const double slower = fmin(ratios[k], 1.0 / ratios[k]);
        assert_true(fabs(derivatives[fast] + x.change[fast]) > 1e-3);
        assert_true(fabs(derivatives[next] + x.change[next] -
                         slower * (derivatives[fast] + x.change[fast])) <= 1e-11);
        free(derivatives);
        embed_end(&x);
        closed_system_free(&s);
        rct_model_free(model);
    }
    embed_limits = NULL;
}

static void test_not_finite(void **state)
{
    (void)state;
    const row r = {.loops = 5, .type = RCT_LOOP_BALL, .angle = 1.0};
    rct_model *model = make_row(&r);
    closed_system s = closed_system_create(model, 0.0);
    embed_limits = &all_sparse;
    solution x = embed_begin(&s);
    embed_limits = NULL;
    rct_error error;
    double *number = &s.problem.rows->ends[3].wrench[4], kept = *number;
    *number = NAN;
    assert_int_equal(method->factor(x.work, &s.problem, &x.report, &error), RCT_ERROR_DIVERGED);
    *number = kept;
    embed_again(&s, &x);
    x.gap[1] = 1.0;
    embed_compare(&s, &x, 0);
    embed_end(&x);
    closed_system_free(&s);
    rct_model_free(model);
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Another pose needs another choice, and the choice needs memory. */
static void test_memory(void **state)
{
    (void)state;
    row r = {.loops = 12, .type = RCT_LOOP_BALL, .angle = 0.9, .carried = 1};
    rct_model *upright_row = make_row(&r);
    r.angle = 0.0;
    rct_model *flat_row = make_row(&r);
    closed_system s = closed_system_create(upright_row, 0.0),
                  flat = closed_system_create(flat_row, 0.0);
    embed_limits = &all_sparse;
    solution x = embed_begin(&s);
    embed_limits = NULL;
    rct_error error;
    int64_t failures = 0;
    for (rct_status status = RCT_ERROR_MEMORY; status != RCT_OK; failures++) {
        error.status = RCT_OK;
        rct_allocate_fail_after(failures);
        status = method->factor(x.work, &flat.problem, &x.report, &error);
        rct_allocate_fail_after(-1);
        assert_true(status == RCT_OK || status == RCT_ERROR_MEMORY);
        assert_int_equal(error.status, status);
    }
    assert_true(failures > 20);
    assert_int_equal(x.report.rank, r.loops);
    assert_true(method->bytes(x.work) > 12 * 36 * 8);
    uint64_t random = 3;
    draw_numbers(&random, x.gap, s.problem.rows->count, 1.0);
    embed_compare(&flat, &x, 0);
    embed_again(&s, &x);
    embed_compare(&s, &x, 1);
    embed_end(&x);
    closed_system_free(&s);
    closed_system_free(&flat);
    rct_model_free(upright_row);
    rct_model_free(flat_row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),       cmocka_unit_test(test_any_gap),
        cmocka_unit_test(test_kinds),      cmocka_unit_test(test_motion),
        cmocka_unit_test(test_near_flat),  cmocka_unit_test(test_flat),
        cmocka_unit_test(test_too_large),  cmocka_unit_test(test_hidden),
        cmocka_unit_test(test_gears),      cmocka_unit_test(test_memory),
        cmocka_unit_test(test_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
