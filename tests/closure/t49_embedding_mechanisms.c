/* Constraint embedding on mechanisms: against closed forms, with cuts in different places, in
 * singular poses, and through all poses of one mechanism. */
#include "tests/support/cmocka_all.h"

#include "closure/embedding.h"
#include "tests/closure/embedding_case.h"
#include "tests/support/systems/closed_system.h"

#include <riccatree/loop.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const rct_closure_method *const method = &rct_closure_embedding;

/* ---- what loops do to a motion ------------------------------------------------------------------ */

/* Accelerations [n][3] of the hinge points and angular ones of the system with its loops closed. */
static void accelerate(const closed_system *s, solution *x, double *linear, double *angular)
{
    const int64_t n = s->n;
    double *rates = zeros(s->rates), *more = zeros(6 * n);
    closed_system_accelerate(s, linear, angular, rates, x->gap);
    embed_solve(x);
    rct_operator_velocities(s->problem.operators, 1, x->change, more, more + 3 * n);
    for (int64_t i = 0; i < 3 * n; i++) {
        linear[i] += more[i];
        angular[i] += more[3 * n + i];
    }
    free(rates);
    free(more);
}

static const double pi = 3.14159265358979323846;

typedef enum cut { TERMINAL, INTERNAL } cut;

/* Seed 002, Figs. 8 and 9, on the body that carries the mechanism, from `first` on: cranks of 1 m,
 * a coupler of 2 m. */
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
    solution x = embed_begin(&s);
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
    embed_end(&x);
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
        for (int k = 2; k <= 6; k++) { /* flat at 0, where the rank is one less */
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
    solution x = embed_begin(&s);
    assert_int_equal(x.report.rank, 1);
    x.gap[0] = 0.3;
    x.gap[1] = -1.0;
    embed_compare(&s, &x, 0);
    embed_end(&x);
    closed_system_free(&s);
    rct_model_free(model);
}

/* Figs. 8 and 9 within a system: on a rotating free body, with a body on the coupler. Bodies: p,
 * crank, coupler, rocker, c. */
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
        solution x = embed_begin(&s);
        accelerate(&s, &x, linear[where], angular[where]);
        const rct_aggregation *a = ((const rct_embedding *)x.work)->aggregation;
        assert_int_equal(a->count, 1);
        assert_int_equal(a->aggregate[0].bodies, 3);
        assert_int_equal(a->aggregate[0].top, 0);
        assert_int_equal(a->nodes, 3);
        embed_end(&x);
        closed_system_free(&s);
        rct_model_free(model);
    }
    /* the rocker has its hinge point at its other end: its own point is not comparable */
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
    solution x = embed_begin(&s);
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
    embed_end(&x);
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
        solution x = embed_begin(&s);
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
        embed_compare(&s, &x, (uint64_t)k);
        work = x.work;
        x.work = NULL;
        embed_end(&x);
        closed_system_free(&s);
        rct_model_free(model);
    }
    method->destroy(work);
    assert_true(changes >= 2 && changes <= 16);
}

static int make_sparse(void **state)
{
    (void)state;
    embed_limits = &all_sparse;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parallelogram), cmocka_unit_test(test_flat),
        cmocka_unit_test(test_cuts),          cmocka_unit_test(test_geared_link),
        cmocka_unit_test(test_turns),
    };
    const int failed = cmocka_run_group_tests_name("dense", tests, NULL, NULL);
    return failed + cmocka_run_group_tests_name("sparse", tests, make_sparse, NULL);
}
