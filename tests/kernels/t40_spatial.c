/* The small vectors and matrices of the kernels against naive loops, and rotation matrices of
 * quaternions of any length. */
#include "tests/support/cmocka_all.h"

#include "kernels/lane/spatial.h"
#include "tests/support/dense.h"
#include "tests/support/draw.h"

#include <string.h>

enum { ROUNDS = 2000 };

/* Random operands, as the kernels and as naive loops see them. */
typedef struct operands {
    double a[3], b[3], p[9], q[9], s[6], t;
    long double al[3], bl[3], pl[3][3], ql[3][3], sl[3][3];
} operands;

static operands draw_operands(uint64_t *random)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    operands o;
    o.t = draw_between(random, -2.0, 2.0);
    draw_numbers(random, o.a, 3, 2.0);
    draw_numbers(random, o.b, 3, 2.0);
    draw_numbers(random, o.p, 9, 2.0);
    draw_numbers(random, o.q, 9, 2.0);
    draw_numbers(random, o.s, 6, 2.0);
    for (int i = 0; i < 3; i++) {
        o.al[i] = o.a[i];
        o.bl[i] = o.b[i];
    }
    for (int i = 0; i < 9; i++) {
        o.pl[i / 3][i % 3] = o.p[i];
        o.ql[i / 3][i % 3] = o.q[i];
    }
    for (int i = 0; i < 6; i++) {
        o.sl[row[i]][column[i]] = o.sl[column[i]][row[i]] = o.s[i];
    }
    return o;
}

static void expect(const double *is, const long double *should, int count)
{
    for (int i = 0; i < count; i++) {
        if (!(fabsl(is[i] - should[i]) <= 5e-14L)) {
            fail_msg("number %d is %.17g, not %.17Lg", i, is[i], should[i]);
        }
    }
}

static void expect_vec3(vec3 is, const long double *should)
{
    double numbers[3];
    vec3_store(numbers, 1, is);
    expect(numbers, should, 3);
}

static void expect_mat3(mat3 is, long double should[3][3])
{
    double numbers[9];
    mat3_store(numbers, 1, is);
    expect(numbers, should[0], 9);
}

static void expect_sym3(sym3 is, long double should[3][3])
{
    const double numbers[9] = {is.xx, is.xy, is.xz, is.xy, is.yy, is.yz, is.xz, is.yz, is.zz};
    expect(numbers, should[0], 9);
}

static void transpose(long double m[3][3], long double t[3][3])
{
    for (int i = 0; i < 9; i++) {
        t[i / 3][i % 3] = m[i % 3][i / 3];
    }
}

static void test_vectors(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int k = 0; k < ROUNDS; k++) {
        const operands o = draw_operands(&random);
        const vec3 a = vec3_load(o.a, 1), b = vec3_load(o.b, 1);
        long double sum[3], rest[3], part[3], scaled[3], cross[3], twice[3], dot = 0.0L;
        for (int i = 0; i < 3; i++) {
            sum[i] = o.al[i] + o.bl[i];
            rest[i] = o.al[i] - o.bl[i];
            scaled[i] = o.t * o.bl[i];
            part[i] = o.al[i] + scaled[i];
            dot += o.al[i] * o.bl[i];
        }
        const double inner = vec3_dot(a, b);
        dense_cross(o.al, o.bl, cross);
        dense_cross(o.al, cross, twice);
        expect_vec3(vec3_add(a, b), sum);
        expect_vec3(vec3_sub(a, b), rest);
        expect_vec3(vec3_scale(o.t, b), scaled);
        expect_vec3(vec3_add_scaled(a, o.t, b), part);
        expect(&inner, &dot, 1);
        expect_vec3(vec3_cross(a, b), cross);
        expect_vec3(vec3_centripetal(a, b), twice);
    }
}

static void test_matrices(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (int k = 0; k < ROUNDS; k++) {
        operands o = draw_operands(&random);
        const vec3 a = vec3_load(o.a, 1);
        const mat3 p = mat3_load(o.p, 1), q = mat3_load(o.q, 1);
        const sym3 s = sym3_load(o.s, 1);
        long double v[3], m[3][3], t[3][3], turned[3][3], tilde[3][3];
        dense_apply(o.sl, o.al, v);
        expect_vec3(sym3_apply(s, a), v);
        dense_apply(o.pl, o.al, v);
        expect_vec3(mat3_apply(p, a), v);
        transpose(o.pl, t);
        dense_apply(t, o.al, v);
        expect_vec3(mat3_apply_transposed(p, a), v);
        dense_product(t, o.ql, m);
        expect_mat3(mat3_transposed_times(p, q), m);
        dense_product(o.pl, o.sl, m);
        dense_product(m, t, turned);
        expect_sym3(sym3_rotate(p, s), turned);
        dense_tilde(o.al, tilde);
        dense_product(o.sl, tilde, m);
        expect_mat3(sym3_times_tilde(s, a), m);
        dense_product(tilde, m, turned); /* r~ s r~ is symmetric */
        expect_sym3(tilde_times_symmetric(a, sym3_times_tilde(s, a)), turned);
    }
}

/* With a stride, records of several systems lie side by side. */
static void test_strides(void **state)
{
    (void)state;
    double numbers[64], copy[64];
    for (int i = 0; i < 64; i++) {
        numbers[i] = i;
        copy[i] = -1.0;
    }
    const quat q = quat_load(numbers, 7);
    assert_true(q.w == 0.0 && q.x == 7.0 && q.y == 14.0 && q.z == 21.0);
    vec3_store(copy, 7, vec3_load(numbers, 7));
    sym3_store(copy + 1, 7, sym3_load(numbers + 1, 7));
    mat3_store(copy + 2, 7, mat3_load(numbers + 2, 7));
    for (int i = 0; i < 64; i++) {
        const int fields[7] = {3, 6, 9, 0, 0, 0, 0};
        assert_true(copy[i] == (i / 7 < fields[i % 7] ? i : -1.0));
    }
}

/* A rotation whatever the length: R^T R = 1, det R = 1, and the axis stays. */
static void test_rotation_of_any_quaternion(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int k = 0; k < ROUNDS; k++) {
        double q[4], numbers[9];
        const double length = pow(10.0, draw_between(&random, -6.0, 6.0));
        draw_numbers(&random, q, 4, length);
        const mat3 r = quat_rotation(quat_load(q, 1));
        const mat3 square = mat3_transposed_times(r, r);
        long double should[3][3];
        dense_rotation(q, should);
        mat3_store(numbers, 1, r);
        for (int i = 0; i < 9; i++) {
            assert_true(fabsl(numbers[i] - should[i / 3][i % 3]) <= 2e-15L);
        }
        mat3_store(numbers, 1, square);
        for (int i = 0; i < 9; i++) {
            assert_true(fabs(numbers[i] - (i % 4 == 0 ? 1.0 : 0.0)) <= 3e-15);
        }
        const vec3 x = {r.xx, r.yx, r.zx}, y = {r.xy, r.yy, r.zy}, z = {r.xz, r.yz, r.zz};
        assert_true(fabs(vec3_dot(vec3_cross(x, y), z) - 1.0) <= 3e-15);
        const vec3 axis = {q[1] / length, q[2] / length, q[3] / length};
        const vec3 moved = vec3_sub(mat3_apply(r, axis), axis);
        assert_true(vec3_dot(moved, moved) <= 1e-29);
    }
}

/* q' = (1/2) q (0, w): perpendicular to q, and R' = R w~ by central differences. */
static void test_quaternion_rate(void **state)
{
    (void)state;
    uint64_t random = 4;
    const double h = 1e-6;
    for (int k = 0; k < ROUNDS; k++) {
        double q[4], w[3], before[4], after[4], m[9], n[9];
        long double r[3][3], tilde[3][3], should[3][3];
        draw_numbers(&random, q, 4, 1.0);
        draw_numbers(&random, w, 3, 1.0);
        const quat rate = quat_rate(quat_load(q, 1), vec3_load(w, 1));
        const double d[4] = {rate.w, rate.x, rate.y, rate.z};
        const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (square < 0.1) {
            continue;
        }
        assert_true(fabs(q[0] * d[0] + q[1] * d[1] + q[2] * d[2] + q[3] * d[3]) <= 1e-15);
        for (int i = 0; i < 4; i++) {
            before[i] = q[i] - h * d[i];
            after[i] = q[i] + h * d[i];
        }
        mat3_store(m, 1, quat_rotation(quat_load(before, 1)));
        mat3_store(n, 1, quat_rotation(quat_load(after, 1)));
        const long double wl[3] = {w[0], w[1], w[2]};
        dense_rotation(q, r);
        dense_tilde(wl, tilde);
        dense_product(r, tilde, should);
        for (int i = 0; i < 9; i++) {
            assert_true(fabsl((n[i] - m[i]) / (2 * h) - should[i / 3][i % 3]) <= 1e-8L);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),         cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_strides),         cmocka_unit_test(test_rotation_of_any_quaternion),
        cmocka_unit_test(test_quaternion_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
