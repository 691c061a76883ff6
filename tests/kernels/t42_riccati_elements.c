/* Elements of the Riccati recursion in space: a body with two inputs against all its equations
 * solved at once in long double, and rotations of the axes before or after an element. */
#include "tests/support/cmocka_all.h"

#include "tests/kernels/riccati_elements.h"
#include "tests/support/dense.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"

#include <string.h>

enum {
    R1 = 0,
    W1 = 3,
    R2 = 6,
    W2 = 9,
    M1 = 12,
    Q1 = 15,
    M2 = 18,
    Q2 = 21,
    MO = 24,
    QO = 27,
    N = 30
};

static void put(long double *a, int row, int column, long double sign, long double m[3][3])
{
    for (int i = 0; i < 9; i++) {
        a[(row + i / 3) * N + column + i % 3] += sign * m[i / 3][i % 3];
    }
}

static void put_one(long double *a, int row, int column, long double sign)
{
    long double one[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    put(a, row, column, sign, one);
}

/* z_a = S z_b + e, rows from `row`. */
static void put_riccati(long double *a, long double *b, int row, const riccati *z, int za, int zb)
{
    for (int i = 0; i < 6; i++) {
        a[(row + i) * N + za + i] += 1.0L;
        b[row + i] = z->e.v[i];
        for (int j = 0; j < 6; j++) {
            a[(row + i) * N + zb + j] -= z->s.m[i][j];
        }
    }
}

/* r''_P = r''_1 - r~ W' + W~ W~ r and W'_P = W'_1 for the point r of the body, rows from `row`; P's
 * accelerations are the unknowns from `zb`, or known where zb < 0. */
static void put_point(long double *a, long double *b, int row, const double *r, const double *rate,
                      int zb)
{
    const long double rl[3] = {r[0], r[1], r[2]}, w[3] = {rate[0], rate[1], rate[2]};
    long double tilde[3][3], inner[3];
    dense_tilde(rl, tilde);
    dense_cross(w, rl, inner);
    dense_cross(w, inner, b + row);
    for (int i = 0; i < 3 && zb < 0; i++) {
        b[row + i] = -b[row + i];
    }
    if (zb >= 0) {
        put_one(a, row, zb, 1.0L);
        put_one(a, row + 3, zb + 3, 1.0L);
    }
    const long double sign = zb >= 0 ? -1.0L : 1.0L;
    put_one(a, row, R1, sign);
    put(a, row, W1, -sign, tilde);
    put_one(a, row + 3, W1, sign);
}

/* Newton and Euler about I_1, forces positive as the body feels them at its inputs (eqs. 1-2):
 *     m (r''_1 - c~ W') - q_1 - q_2 + q_O = f - m W~ W~ c
 *     J W' + m c~ r''_1 + m_1 + m_2 - r~ q_2 - m_O + o~ q_O = c~ f - W~ J W
 */
static void put_body(long double *a, long double *b, int row, const riccati_body *body, vec3 r)
{
    const sym3 j = body->inertia;
    const long double c[3] = {body->ic.x, body->ic.y, body->ic.z}, rl[3] = {r.x, r.y, r.z};
    const long double o[3] = {body->io.x, body->io.y, body->io.z}, m = body->mass;
    const long double w[3] = {body->rate.x, body->rate.y, body->rate.z};
    const long double f[3] = {body->force.x, body->force.y, body->force.z};
    long double jd[3][3] = {{j.xx, j.xy, j.xz}, {j.xy, j.yy, j.yz}, {j.xz, j.yz, j.zz}};
    long double ct[3][3], rt[3][3], ot[3][3], inner[3], outer[3], lever[3], jw[3], spin[3];
    dense_tilde(c, ct);
    dense_tilde(rl, rt);
    dense_tilde(o, ot);
    put_one(a, row, R1, m);
    put(a, row, W1, -m, ct);
    put_one(a, row, Q1, -1.0L);
    put_one(a, row, Q2, -1.0L);
    put_one(a, row, QO, 1.0L);
    put(a, row + 3, W1, 1.0L, jd);
    put(a, row + 3, R1, m, ct);
    put_one(a, row + 3, M1, 1.0L);
    put_one(a, row + 3, M2, 1.0L);
    put(a, row + 3, Q2, -1.0L, rt);
    put_one(a, row + 3, MO, -1.0L);
    put(a, row + 3, QO, 1.0L, ot);
    dense_cross(w, c, inner);
    dense_cross(w, inner, outer);
    dense_cross(c, f, lever);
    dense_apply(jd, w, jw);
    dense_cross(w, jw, spin);
    for (int i = 0; i < 3; i++) {
        b[row + i] = f[i] - m * outer[i];
        b[row + 3 + i] = lever[i] - spin[i];
    }
}

static vec3 draw_vec3(uint64_t *random, double size)
{
    double v[3];
    draw_numbers(random, v, 3, size);
    return (vec3){v[0], v[1], v[2]};
}

static riccati draw_riccati(uint64_t *random)
{
    riccati z;
    draw_numbers(random, z.s.m[0], 36, 1.0);
    draw_numbers(random, z.e.v, 6, 5.0);
    return z;
}

static riccati_body draw_body(uint64_t *random)
{
    riccati_body body = {.mass = draw_between(random, 0.5, 2.0),
                         .ic = draw_vec3(random, 1.0),
                         .io = draw_vec3(random, 1.0),
                         .rate = draw_vec3(random, 3.0),
                         .force = draw_vec3(random, 10.0)};
    const sym3 own = {draw_between(random, 0.5, 0.9),
                      draw_between(random, 0.5, 0.9),
                      draw_between(random, 0.5, 0.9),
                      0.1,
                      -0.05,
                      0.07};
    body.inertia = inertia_shifted(own, body.mass, body.ic);
    return body;
}

static void test_two_inputs_against_all_equations_at_once(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int k = 0; k < 500; k++) {
        const riccati_body body = draw_body(&random);
        const riccati first = draw_riccati(&random), second = draw_riccati(&random);
        const vec3 r = draw_vec3(&random, 1.0);
        double output[6], rate[3], at[3], io[3];
        long double a[N * N] = {0.0L}, b[N] = {0.0L};
        draw_numbers(&random, output, 6, 5.0);
        vec3_store(rate, 1, body.rate);
        vec3_store(at, 1, r);
        vec3_store(io, 1, body.io);
        put_riccati(a, b, 0, &first, M1, R1);
        put_riccati(a, b, 6, &second, M2, R2);
        put_point(a, b, 12, at, rate, R2);
        put_point(a, b, 18, io, rate, -1);
        for (int i = 0; i < 6; i++) {
            b[18 + i] += output[i];
        }
        put_body(a, b, 24, &body, r);
        dense_solve(N, a, b);

        riccati z = first;
        vec6 zb;
        memcpy(zb.v, output, sizeof output);
        riccati_add_input(&second, r, body.rate, &z);
        riccati_cross_body(&body, &z);
        const vec6 za = mat6_apply(&z.s, &zb);
        for (int i = 0; i < 6; i++) {
            assert_true(fabsl(za.v[i] + z.e.v[i] - b[MO + i]) <
                        1e-12L * 100.0L); /* numbers up to 1e2 */
        }
    }
}

static mat3 draw_turn(uint64_t *random)
{
    double q[3][3];
    draw_rotation(random, q);
    return mat3_load(q[0], 1);
}

static mat3 turn_block(mat3 q, mat3 b)
{
    const mat3 qt = {q.xx, q.yx, q.zx, q.xy, q.yy, q.zy, q.xz, q.yz, q.zz};
    return mat3_product(q, mat3_product(b, qt));
}

static riccati_body turn_body(mat3 q, const riccati_body *b)
{
    return (riccati_body){b->mass,
                          mat3_apply(q, b->ic),
                          mat3_apply(q, b->io),
                          sym3_rotate(q, b->inertia),
                          mat3_apply(q, b->rate),
                          mat3_apply(q, b->force)};
}

static riccati_row turn_row(mat3 q, const riccati_row *r)
{
    return (riccati_row){turn_block(q, r->u1), turn_block(q, r->u2), turn_block(q, r->u3),
                         turn_block(q, r->u4), mat3_apply(q, r->u5)};
}

static void expect_same(const riccati *a, const riccati *b, double tolerance)
{
    double largest = 1.0, worst = 0.0;
    for (int i = 0; i < 42; i++) {
        const double x = i < 36 ? a->s.m[i / 6][i % 6] : a->e.v[i - 36];
        const double y = i < 36 ? b->s.m[i / 6][i % 6] : b->e.v[i - 36];
        largest = larger(largest, fabs(y));
        worst = fabs(x - y) <= worst ? worst : fabs(x - y);
    }
    assert_true(worst <= tolerance * largest);
}

static riccati nothing(void)
{
    riccati z;
    memset(&z, 0, sizeof z);
    return z;
}

/* A rotation and a crossing commute, for a body, for a second input, and for both kinds of
 * hinge. */
static void test_turning_commutes_with_crossing(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int k = 0; k < 500; k++) {
        const mat3 q = draw_turn(&random);
        const riccati_body body = draw_body(&random), outboard = draw_body(&random);
        const riccati_body turned = turn_body(q, &body);
        const riccati_row rows[2] = {riccati_smooth_row(), riccati_moment_row(&outboard)};
        const riccati second = draw_riccati(&random), second_turned = riccati_turn(q, &second);
        const vec3 r = draw_vec3(&random, 1.0);
        riccati z = nothing(), t = nothing();
        riccati_cross_body(&body, &z);
        riccati_cross_body(&turned, &t);
        riccati back = riccati_turn(q, &z);
        expect_same(&t, &back, 1e-14);
        for (int i = 0; i < 2; i++) {
            riccati beyond = z, beyond_turned = t;
            const riccati_row row = turn_row(q, &rows[i]);
            const riccati_hinge h = riccati_cross_hinge(&rows[i], &beyond);
            riccati_cross_hinge(&row, &beyond_turned);
            back = riccati_turn(q, &beyond);
            expect_same(&beyond_turned, &back, i == 0 ? 1e-12 : 1e-9);
            assert_true(i == 1 || h.regular);
        }
        riccati_add_input(&second, r, body.rate, &z);
        riccati_add_input(&second_turned, mat3_apply(q, r), turned.rate, &t);
        back = riccati_turn(q, &z);
        expect_same(&t, &back, 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_inputs_against_all_equations_at_once),
        cmocka_unit_test(test_turning_commutes_with_crossing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
