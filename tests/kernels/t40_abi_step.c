/* The articulated-body step: its 3x3 factorization, and one body hung on another against all twelve
 * equations of the pair solved at once in long double. */
#include "tests/support/cmocka_all.h"

#include "kernels/laws/abi_step.h"
#include "tests/support/dense.h"
#include "tests/support/draw.h"

#include <string.h>

static sym3 sym3_of(long double m[3][3])
{
    return (sym3){(double)m[0][0], (double)m[1][1], (double)m[2][2],
                  (double)m[0][1], (double)m[0][2], (double)m[1][2]};
}

static void dense_of(sym3 s, long double m[3][3])
{
    const long double rows[3][3] = {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
    memcpy(m, rows, sizeof rows);
}

/* Q diag(d) Q^T of a random rotation. */
static sym3 draw_symmetric(uint64_t *random, const double d[3])
{
    double q[3][3];
    long double m[3][3] = {{0.0L}};
    draw_rotation(random, q);
    for (int k = 0; k < 27; k++) {
        const int i = k / 9, j = k / 3 % 3, a = k % 3;
        m[i][j] += (long double)q[i][a] * d[a] * q[j][a];
    }
    return sym3_of(m);
}

/* Condition numbers up to 1e10: |A x - b| <= few ulp of |A| |x|, and x as good as the condition
 * allows, compared with plain elimination. */
static void test_ldl3_solves(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int k = 0; k < 20000; k++) {
        const double spread = 10.0 * (k % 1000) / 999.0;
        const double scale = pow(10.0, draw_between(&random, -6.0, 6.0));
        const double d[3] = {scale, scale * pow(10.0, -spread * draw_between(&random, 0.0, 1.0)),
                             scale * pow(10.0, -spread)};
        const sym3 a = draw_symmetric(&random, d);
        double numbers[3];
        long double m[3][3], x[3], rest[3], norm = 0.0L;
        draw_numbers(&random, numbers, 3, 1.0);
        const vec3 b = {numbers[0], numbers[1], numbers[2]};
        const ldl3 f = ldl3_factor(a);
        const vec3 is = ldl3_solve(f, b);
        assert_true(f.regular);
        dense_of(a, m);
        const long double found[3] = {is.x, is.y, is.z};
        dense_apply(m, found, rest);
        for (int i = 0; i < 3; i++) {
            x[i] = numbers[i];
            rest[i] -= numbers[i];
            norm = fmaxl(norm, m[i][i]);
        }
        assert_true(dense_norm(3, rest) <= 2e-15L * norm * dense_norm(3, found));
        dense_solve(3, m[0], x);
        for (int i = 0; i < 3; i++) {
            rest[i] = found[i] - x[i];
        }
        assert_true(dense_norm(3, rest) <= 2e-15L * powl(10.0L, spread) * dense_norm(3, x));
    }
}

static void expect_singular(sym3 a)
{
    assert_false(ldl3_factor(a).regular);
}

static void test_ldl3_knows_singular_matrices(void **state)
{
    (void)state;
    uint64_t random = 2;
    expect_singular((sym3){0, 0, 0, 0, 0, 0});
    expect_singular((sym3){0, 1, 1, 0, 0, 0});
    expect_singular((sym3){1, 0, 1, 0, 0, 0});
    expect_singular((sym3){1, 1, 0, 0, 0, 0});
    expect_singular((sym3){-1, 1, 1, 0, 0, 0});
    expect_singular((sym3){1, -1, 1, 0, 0, 0});
    expect_singular((sym3){1, 1, -1, 0, 0, 0});
    expect_singular((sym3){1, 1, 1, 1, 0, 0}); /* first two rows equal */
    expect_singular((sym3){NAN, 1, 1, 0, 0, 0});
    expect_singular((sym3){1, 1, NAN, 0, 0, 0});
    expect_singular((sym3){1, 1, 1, 0, 0, NAN});
    for (int k = 0; k < 1000; k++) { /* rank two, in whole numbers and so without rounding */
        double v[3], w[3];
        for (int i = 0; i < 3; i++) {
            v[i] = floor(draw_between(&random, -100.0, 100.0));
            w[i] = floor(draw_between(&random, -100.0, 100.0));
        }
        expect_singular((sym3){v[0] * v[0] + w[0] * w[0], v[1] * v[1] + w[1] * w[1],
                               v[2] * v[2] + w[2] * w[2], v[0] * v[1] + w[0] * w[1],
                               v[0] * v[2] + w[0] * w[2], v[1] * v[2] + w[1] * w[2]});
    }
}

/* Rank two up to rounding, its minors well off zero. */
static void test_ldl3_knows_rounded_singular_matrices(void **state)
{
    (void)state;
    uint64_t random = 3;
    int tried = 0;
    for (int k = 0; k < 4000; k++) {
        const double d[3] = {1.0, draw_between(&random, 0.5, 1.0), 0.0};
        const sym3 a = draw_symmetric(&random, d);
        if (a.xx * a.yy - a.xy * a.xy > 0.1 * a.xx * a.yy) {
            expect_singular(a);
            tried++;
        }
    }
    assert_true(tried > 1000);
}

/* A body in long double, axes common to both bodies. */
typedef struct plain_body {
    double m, c[3], w[3];
    sym3 j; /* about the hinge point */
    long double jd[3][3];
} plain_body;

/* A body of 1e-2 to 1e2 kg and a random shape: J about the hinge from a positive J about the centre
 * of mass that satisfies the triangle inequality. */
static plain_body draw_body(uint64_t *random)
{
    plain_body b;
    double moments[3], e[3];
    b.m = pow(10.0, draw_between(random, -2.0, 2.0));
    draw_numbers(random, b.c, 3, 1.0);
    draw_numbers(random, b.w, 3, 5.0);
    for (int i = 0; i < 3; i++) {
        e[i] = b.m * draw_between(random, 1e-3, 0.3);
    }
    for (int i = 0; i < 3; i++) {
        moments[i] = e[(i + 1) % 3] + e[(i + 2) % 3];
    }
    dense_of(draw_symmetric(random, moments), b.jd);
    const long double square =
        (long double)b.c[0] * b.c[0] + (long double)b.c[1] * b.c[1] + (long double)b.c[2] * b.c[2];
    for (int i = 0; i < 9; i++) {
        b.jd[i / 3][i % 3] +=
            b.m * ((i % 4 == 0 ? square : 0.0L) - (long double)b.c[i / 3] * b.c[i % 3]);
    }
    b.j = sym3_of(b.jd);
    dense_of(b.j, b.jd);
    return b;
}

static vec3 vec3_of(const double v[3])
{
    return (vec3){v[0], v[1], v[2]};
}

/* w x (w x r) */
static void dense_centripetal(const double w[3], const double r[3], long double *out)
{
    const long double wl[3] = {w[0], w[1], w[2]}, rl[3] = {r[0], r[1], r[2]};
    long double inner[3];
    dense_cross(wl, rl, inner);
    dense_cross(wl, inner, out);
}

/* Writes `m` times `sign` at (row, column) of a 12x12 matrix. */
static void put(long double *a, int row, int column, long double sign, long double m[3][3])
{
    for (int i = 0; i < 9; i++) {
        a[(row + i / 3) * 12 + column + i % 3] += sign * m[i / 3][i % 3];
    }
}

/* m (a + w x (w x c)) and -(w x J w) - m c x a: the force and moment that a body needs with its
 * hinge point at acceleration `a`, before its angular acceleration. */
static void add_loads(plain_body *b, const long double *a, long double *force, long double *moment)
{
    const long double w[3] = {b->w[0], b->w[1], b->w[2]}, c[3] = {b->c[0], b->c[1], b->c[2]};
    long double jw[3], spin[3], lever[3], d[3];
    dense_apply(b->jd, w, jw);
    dense_cross(w, jw, spin);
    dense_cross(c, a, lever);
    dense_centripetal(b->w, b->c, d);
    for (int i = 0; i < 3; i++) {
        force[i] = b->m * (a[i] + d[i]);
        moment[i] = -spin[i] - b->m * lever[i];
    }
}

/* Unknowns alpha (0), force at the hinge (3), alpha outboard (6), force outboard (9); A of the inboard
 * hinge point given. Newton's and Euler's equations of both bodies about their hinge points:
 *
 *     F - F_o + m c~ alpha = m (A + w x (w x c))     J alpha + r~ F_o = -(w x J w) - m c x A
 *     F_o + m_o c_o~ alpha_o + m_o r~ alpha = m_o (A + v + w_o x (w_o x c_o))
 *     J_o alpha_o - m_o c_o~ r~ alpha = -(w_o x J_o w_o) - m_o c_o x (A + v)
 */
static void solve_pair(plain_body *b, plain_body *o, const double r[3], const double a[3],
                       long double x[12])
{
    long double one[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, rt[3][3], ct[3][3], ot[3][3];
    long double product[3][3], m[144] = {0.0L}, beyond[3];
    const long double rl[3] = {r[0], r[1], r[2]}, cl[3] = {b->c[0], b->c[1], b->c[2]};
    const long double ol[3] = {o->c[0], o->c[1], o->c[2]}, al[3] = {a[0], a[1], a[2]};
    dense_tilde(rl, rt);
    dense_tilde(cl, ct);
    dense_tilde(ol, ot);
    dense_product(ot, rt, product);
    put(m, 0, 3, 1.0L, one);
    put(m, 0, 9, -1.0L, one);
    put(m, 0, 0, b->m, ct);
    put(m, 3, 0, 1.0L, b->jd);
    put(m, 3, 9, 1.0L, rt);
    put(m, 6, 9, 1.0L, one);
    put(m, 6, 6, o->m, ot);
    put(m, 6, 0, o->m, rt);
    put(m, 9, 6, 1.0L, o->jd);
    put(m, 9, 0, -(long double)o->m, product);
    dense_centripetal(b->w, r, beyond);
    for (int i = 0; i < 3; i++) {
        beyond[i] += al[i];
    }
    add_loads(b, al, x, x + 3);
    add_loads(o, beyond, x + 6, x + 9);
    dense_solve(12, m, x);
}

static void expect_vector(vec3 is, const long double *should, long double size)
{
    const long double d[3] = {is.x - should[0], is.y - should[1], is.z - should[2]};
    if (!(dense_norm(3, d) <= 1e-12L * size)) {
        fail_msg("off by %Lg of %Lg", dense_norm(3, d), size);
    }
}

/* The outboard body given in axes of its own, which Q rotates into the inboard ones. */
static abi_handle outboard_handle(const plain_body *o, double q[3][3])
{
    const mat3 turn = {q[0][0], q[0][1], q[0][2], q[1][0], q[1][1],
                       q[1][2], q[2][0], q[2][1], q[2][2]};
    const mat3 back = {q[0][0], q[1][0], q[2][0], q[0][1], q[1][1],
                       q[2][1], q[0][2], q[1][2], q[2][2]};
    const abi_body alone = abi_body_alone(o->m, mat3_apply(back, vec3_of(o->c)),
                                          sym3_rotate(back, o->j), mat3_apply(back, vec3_of(o->w)));
    abi_handle handle;
    abi_gain gain;
    assert_true(abi_eliminate(&alone, &handle, &gain).regular);
    return abi_turn(turn, handle);
}

static void test_pair_against_all_equations_at_once(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int k = 0; k < 2000; k++) {
        plain_body b = draw_body(&random), o = draw_body(&random);
        double r[3], a[3], q[3][3];
        long double x[12];
        draw_numbers(&random, r, 3, 1.0);
        draw_numbers(&random, a, 3, 10.0);
        draw_rotation(&random, q);
        solve_pair(&b, &o, r, a, x);

        abi_body body = abi_body_alone(b.m, vec3_of(b.c), b.j, vec3_of(b.w));
        abi_handle handle;
        abi_gain gain;
        const abi_handle out = outboard_handle(&o, q);
        abi_add_outboard(&body, out, vec3_of(r), vec3_of(b.w));
        assert_true(abi_eliminate(&body, &handle, &gain).regular);
        const vec3 alpha = abi_angular(gain, vec3_of(a));
        const vec3 force = vec3_add(sym3_apply(handle.s, vec3_of(a)), handle.e);
        const vec3 beyond = point_acceleration(vec3_of(a), alpha, vec3_of(b.w), vec3_of(r));
        const vec3 outer = vec3_add(sym3_apply(out.s, beyond), out.e);
        expect_vector(alpha, x, 1.0L + dense_norm(3, x));
        expect_vector(force, x + 3, (b.m + o.m) * (10.0L + dense_norm(3, x)));
        expect_vector(outer, x + 9, (b.m + o.m) * (10.0L + dense_norm(3, x)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ldl3_solves),
        cmocka_unit_test(test_ldl3_knows_singular_matrices),
        cmocka_unit_test(test_ldl3_knows_rounded_singular_matrices),
        cmocka_unit_test(test_pair_against_all_equations_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
