/* Spans: the relation of two handles, closing, reaching and composing, against elimination in
 * quadruple precision and in long double; the associative law. */
#include "tests/support/cmocka_all.h"

#include "kernels/laws/abi_span_step.h"
#include "reference/quad.h"
#include "tests/kernels/spans.h"
#include "tests/support/dense.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"

#include <string.h>

static const double epsilon = 0x1p-52;

typedef struct wide3 {
    quad a[3][3];
} wide3;

static wide3 wide_of(sym3 s)
{
    return (wide3){{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}}};
}

/* (1 + a b) x = v for three columns v, where x replaces v; Gaussian elimination with pivoting. */
static void wide_meet(const wide3 *a, const wide3 *b, wide3 *v)
{
    quad m[3][6];
    for (int i = 0; i < 9; i++) {
        const int r = i / 3, c = i % 3;
        m[r][c] = r == c;
        for (int k = 0; k < 3; k++) {
            m[r][c] += a->a[r][k] * b->a[k][c];
        }
        m[r][3 + c] = v->a[r][c];
    }
    for (int k = 0; k < 3; k++) {
        int pivot = k;
        for (int r = k + 1; r < 3; r++) {
            pivot = quad_abs(m[r][k]) > quad_abs(m[pivot][k]) ? r : pivot;
        }
        for (int c = 0; c < 6; c++) {
            const quad swap = m[k][c];
            m[k][c] = m[pivot][c];
            m[pivot][c] = swap;
        }
        for (int r = 0; r < 3; r++) {
            const quad factor = r == k ? 0 : m[r][k] / m[k][k];
            for (int c = k; c < 6; c++) {
                m[r][c] -= factor * m[k][c];
            }
        }
    }
    for (int i = 0; i < 9; i++) {
        v->a[i / 3][i % 3] = m[i / 3][3 + i % 3] / m[i / 3][i / 3];
    }
}

static double wide_norm(const wide3 *a)
{
    double square = 0.0;
    for (int i = 0; i < 9; i++) {
        const double x = (double)a->a[i / 3][i % 3];
        square += x * x;
    }
    return sqrt(square);
}

/* Semidefinite matrices of every rank with scales up to 1e6 in both directions, so that Psi S goes
 * from 1e-12 to 1e12. The errors are those of a stable elimination: of x, |K| |1 + Psi S| |x|, and
 * of T, |S| times that. */
static void test_pass_and_meet(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int n = 0; n < 20000; n++) {
        const sym3 s = draw_semidefinite(&random, pow(10.0, draw_between(&random, -6.0, 6.0)),
                                         n % 4 * 4.0, n / 4 % 4);
        const sym3 psi = draw_semidefinite(&random, pow(10.0, draw_between(&random, -6.0, 6.0)),
                                           n / 16 % 4 * 4.0, n / 64 % 4);
        const vec3 v = draw_vector(&random, 1.0);
        const wide3 ws = wide_of(s), wp = wide_of(psi);
        wide3 t = ws, k = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        wide_meet(&ws, &wp, &t); /* (1 + S Psi)^-1 S = T */
        wide_meet(&wp, &ws, &k);
        const wide3 is = wide_of(abi_join(s, psi).t);
        const vec3 x = abi_meet(psi, s, v);
        const double size = sym3_norm(s), give = sym3_norm(psi);
        const double kn = wide_norm(&k);
        wide3 off = is;
        double wrong = 0.0;
        for (int i = 0; i < 9; i++) {
            off.a[i / 3][i % 3] -= t.a[i / 3][i % 3];
        }
        for (int i = 0; i < 3; i++) {
            const double should = (double)(k.a[i][0] * v.x + k.a[i][1] * v.y + k.a[i][2] * v.z);
            wrong = larger(wrong, fabs((i == 0 ? x.x : i == 1 ? x.y : x.z) - should));
        }
        assert_true(wide_norm(&off) <= 4.0 * epsilon * size * kn * (1.0 + size * give * kn));
        assert_true(wrong <= 4.0 * epsilon * kn * (1.0 + size * give * kn));
    }
}

/* A light end is compliant across and stiff along some axis of its own: Psi of 1 to 1e6 on the
 * diagonal, with the rest in proportion. T keeps the digits of its smallest entries beside the
 * largest. */
static void test_pass_of_light_ends(void **state)
{
    (void)state;
    uint64_t random = 6;
    for (int n = 0; n < 20000; n++) {
        double d[3];
        const sym3 s = draw_semidefinite(&random, 1.0, 1.0, 0);
        sym3 psi = draw_semidefinite(&random, 1.0, 1.0, 0);
        for (int i = 0; i < 3; i++) {
            d[i] = pow(10.0, draw_between(&random, 0.0, 3.0));
        }
        psi = (sym3){d[0] * psi.xx * d[0], d[1] * psi.yy * d[1], d[2] * psi.zz * d[2],
                     d[0] * psi.xy * d[1], d[0] * psi.xz * d[2], d[1] * psi.yz * d[2]};
        const wide3 ws = wide_of(s), wp = wide_of(psi), is = wide_of(abi_join(s, psi).t);
        assert_true(abi_join(s, psi).regular);
        wide3 t = ws;
        wide_meet(&ws, &wp, &t);
        for (int i = 0; i < 9; i++) {
            const int r = i / 3, c = i % 3;
            const double size = sqrt((double)t.a[r][r] * (double)t.a[c][c]);
            assert_true((double)quad_abs(is.a[r][c] - t.a[r][c]) <= 2000.0 * epsilon * size);
        }
    }
}

/* Nothing hangs on the end: the span stays unchanged, to the last bit. */
static void test_nothing_beyond(void **state)
{
    (void)state;
    uint64_t random = 2;
    const sym3 none = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (int n = 0; n < 100; n++) {
        const sym3 psi = draw_semidefinite(&random, 1.0, 3.0, n % 3);
        const sym3 t = abi_join(none, psi).t;
        const vec3 v = draw_vector(&random, 1.0), x = abi_meet(psi, none, v);
        assert_true(sym3_norm(t) == 0.0);
        assert_memory_equal(&x, &v, sizeof x);
    }
}

/* ---- spans --------------------------------------------------------------------------------- */

static void put_sym3(long double *m, int n, int row, int column, long double factor, sym3 s)
{
    const double a[9] = {s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz};
    for (int i = 0; i < 9; i++) {
        m[(row + i / 3) * n + column + i % 3] += factor * a[i];
    }
}

static void expect_vector(vec3 is, const long double *should, double size)
{
    const double d[3] = {is.x - (double)should[0], is.y - (double)should[1],
                         is.z - (double)should[2]};
    const double off = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (!(off <= 1e-13 * size)) {
        fail_msg("off by %g of %g", off, size);
    }
}

/* Closing and reaching solve all equations of the joint at once: unknown lambda and a, a + Psi
 * lambda = E^T A + h lambda - S a = e */
static void test_close_and_reach(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int n = 0; n < 2000; n++) {
        const double mass = pow(10.0, draw_between(&random, -3.0, 3.0));
        const abi_span p = draw_span(&random, 1.0);
        const abi_handle c = draw_span(&random, mass).handle;
        const vec3 a = draw_vector(&random, 10.0);
        const vec3 u = vec3_add(mat3_apply_transposed(p.through, a), p.free);
        long double m[36] = {0.0L}, x[6] = {u.x, u.y, u.z, c.e.x, c.e.y, c.e.z}, force[3];
        put_sym3(m, 6, 0, 3, 1.0L, p.compliance);
        put_sym3(m, 6, 3, 0, -1.0L, c.s);
        for (int i = 0; i < 6; i++) {
            m[7 * i] += 1.0L;
        }
        dense_solve(6, m, x);
        mask regular;
        const abi_handle closed = abi_span_close(&p, c, &regular);
        assert_true(regular);
        const vec3 f = vec3_add(sym3_apply(closed.s, a), closed.e);
        const vec3 own = vec3_add(sym3_apply(p.handle.s, a), p.handle.e);
        const mat3 e = p.through;
        force[0] = own.x + e.xx * x[3] + e.xy * x[4] + e.xz * x[5];
        force[1] = own.y + e.yx * x[3] + e.yy * x[4] + e.yz * x[5];
        force[2] = own.z + e.zx * x[3] + e.zy * x[4] + e.zz * x[5];
        expect_vector(f, force, 1000.0 * (1.0 + mass));
        expect_vector(abi_span_reach(&p, c, a), x, 100.0 * (1.0 + 1.0 / mass));
    }
}

/* (A B) C = A (B C), and closing (A B) by C is closing A by B closed by C. */
static void test_associative_law(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int n = 0; n < 2000; n++) {
        const abi_span a = draw_span(&random, 1.0), b = draw_span(&random, 1.0),
                       c = draw_span(&random, 1.0);
        mask regular;
        const abi_span ab = abi_span_compose(&a, &b, &regular);
        const abi_span bc = abi_span_compose(&b, &c, &regular);
        const abi_span x = abi_span_compose(&ab, &c, &regular);
        const abi_span y = abi_span_compose(&a, &bc, &regular);
        assert_true(sym3_off(x.handle.s, y.handle.s) <= 1e-13);
        assert_true(vec3_off(x.handle.e, y.handle.e) <= 1e-12); /* of some 10 N */
        assert_true(mat3_off(x.through, y.through) <= 1e-13);
        assert_true(vec3_off(x.free, y.free) <= 1e-12);
        assert_true(sym3_off(x.compliance, y.compliance) <= 1e-13);
        const abi_handle once = abi_span_close(&ab, c.handle, &regular);
        const abi_handle twice =
            abi_span_close(&a, abi_span_close(&b, c.handle, &regular), &regular);
        assert_true(sym3_off(once.s, twice.s) <= 1e-13);
        assert_true(vec3_off(once.e, twice.e) <= 1e-12);
    }
}

/* Rest less stand-in and compliance cancel along one axis: nothing resists there. */
static void test_a_joint_that_nothing_resists(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int n = 0; n < 1000; n++) {
        double q[3][3];
        sym3 s[2];
        draw_rotation(&random, q);
        const double mu = pow(10.0, draw_between(&random, -6.0, 6.0));
        for (int k = 0; k < 2; k++) { /* Psi = 1 / mu and S = 0 along the third axis */
            const double d[3] = {k ? 3.0 * mu : 0.5 / mu, k ? mu / 3 : 0.2 / mu,
                                 k ? 0.0 : 1.0 / mu};
            double m[3][3] = {{0.0}};
            for (int i = 0; i < 27; i++) {
                m[i / 9][i / 3 % 3] += q[i / 9][i % 3] * d[i % 3] * q[i / 3 % 3][i % 3];
            }
            s[k] = (sym3){m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]};
        }
        const abi_handle rest = abi_besides((abi_handle){s[1], vec3_zero()}, mu);
        assert_false(abi_join(rest.s, s[0]).regular);
        assert_true(abi_join(s[1], s[0]).regular);
    }
}

/* Loads the stored numbers, among the fields of other lanes. */
static void test_records(void **state)
{
    (void)state;
    uint64_t random = 5;
    double record[SPAN_CORE * 3];
    const abi_span span = draw_span(&random, 1.0);
    memset(record, 0, sizeof record);
    abi_span_store(record + 1, 3, &span);
    const abi_span again = abi_span_load(record + 1, 3);
    assert_memory_equal(&span, &again, sizeof span);
    for (int i = 0; i < SPAN_CORE * 3; i++) {
        assert_true(i % 3 == 1 || record[i] == 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pass_and_meet),   cmocka_unit_test(test_pass_of_light_ends),
        cmocka_unit_test(test_nothing_beyond),  cmocka_unit_test(test_close_and_reach),
        cmocka_unit_test(test_associative_law), cmocka_unit_test(test_a_joint_that_nothing_resists),

        cmocka_unit_test(test_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
