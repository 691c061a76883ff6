/* The gap of seed 000 in its four-body example, and the project's solution. With the moment
 * equations as printed the overall equation (59) has rank seven of nine, and the recursion breaks
 * down in poses where the mechanics does not. With each hinge closed by its own m = 0, neither
 * happens. */
#include "tests/support/cmocka_all.h"

#include "tests/kernels/planar_riccati.h"
#include "tests/support/answers/reference_case.h"
#include "tests/support/dense.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"

#include <riccatree/solver.h>

#include <lapacke.h>
#include <string.h>

/* ---- the overall equation as printed ------------------------------------------------------ */

/* Bodies 1, 3, 5, 7 in this order: rods of length 2 a, with 7 hanging by its middle. */
typedef struct pendulum {
    planar_rod rod[4];
    double theta[4];
} pendulum;

static const long double mass = 1.0L, half = 0.5L, gravity = 9.81L;

static pendulum pendulum_of(const double theta[4], const double rate[4])
{
    pendulum p;
    memcpy(p.theta, theta, sizeof p.theta);
    for (int i = 0; i < 4; i++) {
        p.rod[i] =
            (planar_rod){mass, half, gravity, cosl(theta[i]), sinl(theta[i]), (long double)rate[i]};
    }
    return p;
}

/* The Riccati coefficients of the two subchains: of body 1, and of 3, 4, 5 one after the other. */
typedef struct subchains {
    planar_riccati one, three, hinge, five;
} subchains;

static subchains cross_subchains(const pendulum *p)
{
    subchains c = {.one = {.e = {0.0L}}, .three = {.e = {0.0L}}};
    planar_element t = planar_body(&p->rod[0]);
    planar_cross(&t, &c.one);
    t = planar_body(&p->rod[1]);
    planar_cross(&t, &c.three);
    c.hinge = c.three;
    t = planar_hinge(&p->rod[2]);
    planar_cross(&t, &c.hinge);
    c.five = c.hinge;
    t = planar_body(&p->rod[2]);
    planar_cross(&t, &c.five);
    return c;
}

/* State (x'', y'', W', m, q_x, q_y, 1); with two inputs (x'', y'', W', m_1, q_1, m_2, q_2, 1). */
enum { PLAIN = 7, DOUBLE = 10, ALL = 15, EQUATIONS = 9 };

/* Eqs. 8 and 49: body 7 from its two inputs to its middle. Row 3 is its moment row u_{3,1} ... */
static void body_7(const planar_rod *r, long double u[PLAIN][DOUBLE])
{
    const long double m = r->m, ac = r->a * r->c, as = r->a * r->s, square = r->rate * r->rate;
    const long double rows[PLAIN][DOUBLE] = {
        {1, 0, -as, 0, 0, 0, 0, 0, 0, -ac * square},
        {0, 1, ac, 0, 0, 0, 0, 0, 0, -as * square},
        {0, 0, 1, 0, 0, 0, 0, 0, 0, 0},
        {0, 0, m * r->a * r->a / 3, 1, -as, ac, 1, as, -ac, 0},
        {-m, 0, m * as, 0, 1, 0, 0, 1, 0, m * ac * square},
        {0, -m, -m * ac, 0, 0, 1, 0, 0, 1, m * as * square - m * r->g},
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};
    memcpy(u, rows, sizeof rows);
}

/* Eqs. 12 and 13: hinge 8 from its k-th input (0, 1) to the two inputs of body 7. */
static void hinge_8(long double u7[PLAIN][DOUBLE], int k, long double u[DOUBLE][PLAIN])
{
    const long double *row = u7[3];
    memset(u, 0, DOUBLE * PLAIN * sizeof u[0][0]);
    for (int i = 0; i < 3; i++) {
        u[2][3 + i] = -row[3 + 3 * k + i] / row[2];
        u[3 + 3 * k + i][3 + i] = 1;
    }
    if (k == 0) {
        u[0][0] = u[1][1] = u[9][6] = 1;
        u[2][0] = -row[0] / row[2];
        u[2][1] = -row[1] / row[2];
        u[2][6] = -row[9] / row[2];
    }
}

/* U_tip of eqs. 42 and 48. */
static void tip(const planar_riccati *z, long double u[PLAIN][4])
{
    memset(u, 0, PLAIN * 4 * sizeof u[0][0]);
    for (int i = 0; i < 3; i++) {
        u[i][i] = 1;
        u[3 + i][3] = z->e[i];
        memcpy(u[3 + i], z->s[i], sizeof z->s[i]);
    }
    u[6][3] = 1;
}

/* Columns of input k in eq. 57: those of U_7 U_8k U_tip, and of (H_O U_8k - H) U_tip below. */
static void put_input(const planar_rod *r, int k, const planar_riccati *z,
                      long double all[DOUBLE][ALL])
{
    long double u7[PLAIN][DOUBLE], u8[DOUBLE][PLAIN], u_tip[PLAIN][4], left[DOUBLE][PLAIN] = {{0}};
    const long double as = r->a * r->s, ac = r->a * r->c, square = r->rate * r->rate;
    const long double h[2][DOUBLE] = {{1, 0, -2 * as, 0, 0, 0, 0, 0, 0, -2 * ac * square},
                                      {0, 1, 2 * ac, 0, 0, 0, 0, 0, 0, -2 * as * square}};
    body_7(r, u7);
    hinge_8(u7, k, u8);
    tip(z, u_tip);
    for (int j = 0; j < PLAIN; j++) {
        for (int l = 0; l < DOUBLE; l++) {
            for (int i = 0; i < PLAIN; i++) {
                left[i][j] += u7[i][l] * u8[l][j];
            }
            left[7][j] += h[0][l] * u8[l][j];
            left[8][j] += h[1][l] * u8[l][j];
        }
    }
    if (k == 1) { /* H: x'', y'' and m of the second input */
        left[7][0] -= 1;
        left[8][1] -= 1;
        left[9][3] -= 1;
    }
    for (int i = 0; i < DOUBLE * 4; i++) {
        for (int l = 0; l < PLAIN; l++) {
            all[i / 4][PLAIN + 4 * k + i % 4] += left[i / 4][l] * u_tip[l][i % 4];
        }
    }
}

/* Eq. 59: unknowns (W'_7, q_7, x''_1, y''_1, W'_1, x''_5, y''_5, W'_5). */
typedef struct overall {
    long double u[EQUATIONS][EQUATIONS], b[EQUATIONS];
} overall;

static overall reduce(long double all[DOUBLE][ALL])
{
    static const int column[EQUATIONS] = {2, 4, 5, 7, 8, 9, 11, 12, 13};
    static const int row[EQUATIONS] = {0, 1, 2, 3, 4, 5, 7, 8, 9};
    overall o;
    for (int i = 0; i < EQUATIONS; i++) {
        for (int j = 0; j < EQUATIONS; j++) {
            o.u[i][j] = all[row[i]][column[j]];
        }
        o.b[i] = -(all[row[i]][6] + all[row[i]][10] + all[row[i]][14]);
    }
    return o;
}

static overall overall_of(const pendulum *p, const subchains *c)
{
    long double all[DOUBLE][ALL] = {{0}};
    for (int i = 0; i < PLAIN; i++) {
        all[i][i] = -1;
    }
    put_input(&p->rod[3], 0, &c->one, all);
    put_input(&p->rod[3], 1, &c->five, all);
    return reduce(all);
}

/* The two equations that nobody imposes, instead of two that say 0 = 0: m_{1,O} = 0 (instead of
 * m_{7,O} = 0, row 3), and m_{3,O} = 0 (instead of m_{5,O} = 0, row 8) with z_b of body 3 by eq.
 * 33. */
static void complete(const subchains *c, overall *o)
{
    subchains copy = *c;
    long double p[3][3], moved[3];
    memset(o->u[3], 0, sizeof o->u[3]);
    memset(o->u[8], 0, sizeof o->u[8]);
    dense_product(copy.hinge.p, copy.five.p, p);
    dense_apply(copy.hinge.p, copy.five.pq, moved);
    o->b[3] = -c->one.e[0];
    o->b[8] = -c->three.e[0];
    for (int i = 0; i < 3; i++) {
        o->u[3][3 + i] = c->one.s[0][i];
        o->b[8] -= c->three.s[0][i] * (moved[i] + c->hinge.pq[i]);
        for (int j = 0; j < 3; j++) {
            o->u[8][6 + j] += c->three.s[0][i] * p[i][j];
        }
    }
}

/* Singular values, largest first. */
static void singular_values(const overall *o, double values[EQUATIONS])
{
    double a[EQUATIONS * EQUATIONS], superb[EQUATIONS];
    for (int i = 0; i < EQUATIONS * EQUATIONS; i++) {
        a[i] = (double)o->u[i / EQUATIONS][i % EQUATIONS];
    }
    assert_int_equal(LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', EQUATIONS, EQUATIONS, a, EQUATIONS,
                                    values, NULL, EQUATIONS, NULL, EQUATIONS, superb),
                     0);
}

/* ---- the same pendulum as a model --------------------------------------------------------- */

/* Body axes: x from the input to the output. Ids 0 to 3 are bodies 7, 1, 5, 3. */
static reference_case *model_of(const pendulum *p)
{
    static const int rod[4] = {3, 0, 2, 1}, parent[4] = {RCT_GROUND, 0, 0, 2};
    static const double at[4] = {0.0, -0.5, 0.5, -1.0};
    rct_body bodies[4];
    for (int i = 0; i < 4; i++) {
        const planar_rod *r = &p->rod[rod[i]];
        bodies[i] = rct_body_default();
        bodies[i].parent = parent[i];
        bodies[i].hinge_at[0] = at[i];
        bodies[i].mass = (double)mass;
        bodies[i].com[0] = i == 0 ? 0.0 : -(double)half;
        bodies[i].inertia[0] = 0.01;
        bodies[i].inertia[1] = bodies[i].inertia[2] = (double)(mass * half * half / 3);
        bodies[i].orientation[0] = cos(p->theta[rod[i]] / 2);
        bodies[i].orientation[3] = sin(p->theta[rod[i]] / 2);
        bodies[i].angular_velocity[2] = (double)r->rate;
    }
    reference_case *c = reference_case_of(bodies, 4);
    const double g[3] = {0.0, -(double)gravity, 0.0};
    assert_int_equal(rct_model_set_gravity(c->model, g, NULL), RCT_OK);
    return c;
}

static void check_solver(const pendulum *p)
{
    reference_case *truth = model_of(p), *is = model_of(p);
    rct_solver_options options = rct_solver_options_default();
    options.method = RCT_METHOD_RICCATI;
    rct_solver *solver = rct_solver_create(is->model, &options, NULL);
    assert_non_null(solver);
    assert_int_equal(reference_case_run(truth, RCT_REFERENCE_LAGRANGE), RCT_OK);
    assert_int_equal(rct_solver_evaluate(solver, NULL), RCT_OK);
    rct_solver_get_accelerations(solver, is->linear, is->angular);
    rct_solver_get_hinge_forces(solver, is->force, is->moment);
    assert_true(reference_case_difference(is, truth) < 1e-12);
    rct_solver_free(solver);
    reference_case_free(truth);
    reference_case_free(is);
}

/* The completed equation (59) against the Lagrangian system. */
static void check_completed(const pendulum *p, overall o)
{
    reference_case *truth = model_of(p);
    assert_int_equal(reference_case_run(truth, RCT_REFERENCE_LAGRANGE), RCT_OK);
    const double *linear = truth->linear, *angular = truth->angular, *force = truth->force;
    const double should[EQUATIONS] = {angular[2], -force[0], -force[1], linear[3], linear[4],
                                      angular[5], linear[6], linear[7], angular[8]};
    double largest = 1.0;
    dense_solve(EQUATIONS, o.u[0], o.b);
    for (int i = 0; i < EQUATIONS; i++) {
        largest = larger(largest, fabs(should[i]));
    }
    for (int i = 0; i < EQUATIONS; i++) {
        assert_true(fabsl(o.b[i] - should[i]) < 1e-12L * largest);
    }
    reference_case_free(truth);
}

static pendulum draw_pendulum(uint64_t *random)
{
    double theta[4], rate[4];
    draw_numbers(random, theta, 4, 3.0);
    draw_numbers(random, rate, 4, 5.0);
    return pendulum_of(theta, rate);
}

static void test_overall_equation_has_rank_seven(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int k = 0; k < 200; k++) {
        const pendulum p = draw_pendulum(&random);
        if (fabs(3.0 * cos(p.theta[1] - p.theta[2]) + 2.0) < 0.25) {
            continue;
        }
        const subchains c = cross_subchains(&p);
        double values[EQUATIONS];
        overall o = overall_of(&p, &c);
        singular_values(&o, values);
        assert_true(values[6] > 1e-4 * values[0]);
        assert_true(values[7] < 1e-14 * values[0]);
        for (int j = 0; j < EQUATIONS; j++) { /* m_{7,O} = 0 and m_{5,O} = 0 say 0 = 0 */
            assert_true(fabsl(o.u[3][j]) < 1e-15L && fabsl(o.u[8][j]) < 1e-15L);
        }
        complete(&c, &o);
        singular_values(&o, values);
        assert_true(values[8] > 1e-5 * values[0]);
        check_completed(&p, o);
    }
}

static void test_own_moments_give_the_lagrangian_answer(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (int k = 0; k < 200; k++) {
        const pendulum p = draw_pendulum(&random);
        check_solver(&p);
    }
}

/* 3 cos(theta_3 - theta_5) + 2 = 0: the printed S_3 has a pole there, the pendulum has not. */
static void test_printed_recursion_breaks_down_in_a_regular_pose(void **state)
{
    (void)state;
    const double rate[4] = {1.0, -2.0, 0.5, 1.5};
    double theta[4] = {0.3, 0.2 + acos(-2.0 / 3.0), 0.2, -0.7};
    const pendulum at = pendulum_of(theta, rate);
    const subchains broken = cross_subchains(&at);
    theta[1] -= 1.0;
    const pendulum off = pendulum_of(theta, rate);
    const subchains sound = cross_subchains(&off);
    assert_false(fabsl(broken.hinge.s[1][1]) < 1e14L); /* as good as infinite */
    assert_true(fabsl(sound.hinge.s[1][1]) < 1e2L);
    check_solver(&at);
    check_solver(&off);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overall_equation_has_rank_seven),
        cmocka_unit_test(test_own_moments_give_the_lagrangian_answer),
        cmocka_unit_test(test_printed_recursion_breaks_down_in_a_regular_pose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
