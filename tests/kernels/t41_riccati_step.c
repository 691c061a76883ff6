/* One element of the Riccati recursion against the closed forms of seed 000 (eqs. 39, 40, 46, 47):
 * a rod and the hinge after it, closed by the row of the next rod. The forms are those of the paper
 * with its misprints corrected (docs/seed-notes.md); each is also compared with the recursion in
 * long double. */
#include "tests/support/cmocka_all.h"

#include "tests/kernels/planar_riccati.h"
#include "tests/kernels/riccati_elements.h"
#include "tests/support/dense.h"
#include "tests/support/draw.h"

#include <string.h>

/* The place of a planar component among the spatial ones: m_z, q_x, q_y and x'', y'', W'_z. */
static const int row_of[3] = {2, 3, 4}, column_of[3] = {0, 1, 5};

static planar_rod draw_rod(uint64_t *random)
{
    const double theta = draw_between(random, -4.0, 4.0);
    return (planar_rod){1.0L, 0.5L, 9.81L, cos(theta), sin(theta), draw_between(random, -9.0, 9.0)};
}

/* The rod in space. Its inertia across the plane must not matter; `tilt` couples the plane to the
 * rest, which matters from the first hinge on. */
static riccati_body spatial_rod(uint64_t *random, const planar_rod *rod, double tilt)
{
    const double m = (double)rod->m, a = (double)rod->a;
    const vec3 ic = {a * (double)rod->c, a * (double)rod->s, 0.0};
    return (riccati_body){
        .mass = m,
        .ic = ic,
        .io = vec3_scale(2.0, ic),
        .inertia = {draw_between(random, 0.2, 1.0), draw_between(random, 0.2, 1.0),
                    4.0 * m * a * a / 3.0, draw_between(random, -0.1, 0.1), tilt, -0.5 * tilt},
        .rate = {0.0, 0.0, (double)rod->rate},
        .force = {0.0, -m * (double)rod->g, 0.0},
    };
}

/* Normwise: the largest difference relative to the largest number. */
static long double difference(const long double *a, const long double *b, int count)
{
    long double worst = 0.0L, largest = 0.0L;
    for (int i = 0; i < count; i++) {
        worst = fmaxl(worst, fabsl(a[i] - b[i]));
        largest = fmaxl(largest, fabsl(b[i]));
    }
    return worst / largest;
}

static void expect_planar(const riccati *is, long double s[3][3], const long double *e)
{
    long double block[9], vector[3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            block[3 * i + j] = is->s.m[row_of[i]][column_of[j]];
        }
        vector[i] = is->e.v[row_of[i]];
    }
    assert_true(difference(block, s[0], 9) < 1e-14L);
    assert_true(difference(vector, e, 3) < 1e-14L);
}

/* Eqs. 39 and 40. */
static void closed_forms_2(const planar_rod *r, long double s[3][3], long double e[3])
{
    const long double m = r->m, ac = r->a * r->c, as = r->a * r->s, square = r->rate * r->rate;
    const long double rows[3][3] = {
        {m * as, -m * ac, 4 * m * r->a * r->a / 3}, {-m, 0, -m * as}, {0, -m, m * ac}};
    memcpy(s, rows, sizeof rows);
    e[0] = -m * r->g * ac;
    e[1] = -m * ac * square;
    e[2] = -m * as * square - m * r->g;
}

/* Eqs. 46 and 47, corrected (docs/seed-notes.md); `third` is body 3, `fifth` body 5. */
static void closed_forms_3(const planar_rod *third, const planar_rod *fifth, long double s[3][3],
                           long double e[3])
{
    const long double m = third->m, a = third->a, g = third->g, square = third->rate * third->rate;
    const long double c3 = third->c, s3 = third->s, c5 = fifth->c, s5 = fifth->s;
    const long double d = 3 * c3 * c5 + 3 * s3 * s5 + 2;
    const long double rows[3][3] = {
        {3 * m * a * (s3 * s3 * s5 + s3 * c3 * c5 - 2 * s5),
         -3 * m * a * (c3 * c3 * c5 + s3 * c3 * s5 - 2 * c5), 4 * m * a * a / 3},
        {m / 2 * (3 * s3 * s3 + 3 * s3 * s5 - 6 * c3 * c5 - 4), -3 * m / 2 * s3 * (c3 + 3 * c5),
         -m * a * s3},
        {-3 * m / 2 * c3 * (s3 + 3 * s5), m / 2 * (3 * c3 * c3 + 3 * c3 * c5 - 6 * s3 * s5 - 4),
         m * a * c3}};
    const long double n = g * (c3 + c5) + 2 * a * square * (s3 * c5 - c3 * s5) + 2 * g * c5;
    for (int i = 0; i < 9; i++) {
        s[i / 3][i % 3] = rows[i / 3][i % 3] / d;
    }
    e[0] = 2 * m * a * n / d - m * a * g * c3;
    e[1] = -3 * m * s3 / 2 * n / d - m * a * square * c3;
    e[2] = 3 * m * c3 / 2 * n / d - m * a * square * s3 - m * g;
}

static riccati nothing(void)
{
    riccati z;
    memset(&z, 0, sizeof z);
    return z;
}

static void test_first_body_in_closed_form(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int k = 0; k < 2000; k++) {
        const planar_rod rod = draw_rod(&random);
        const riccati_body body = spatial_rod(&random, &rod, 0.1);
        const planar_element element = planar_body(&rod);
        planar_riccati derived = {.e = {0.0L}};
        riccati z = nothing();
        long double s[3][3], e[3];
        closed_forms_2(&rod, s, e);
        planar_cross(&element, &derived);
        assert_true(difference(s[0], derived.s[0], 9) < 1e-15L); /* c^2 + s^2 = 1 to a double */
        assert_true(difference(e, derived.e, 3) < 1e-15L);
        riccati_cross_body(&body, &z);
        expect_planar(&z, s, e);
    }
}

static void test_first_hinge_in_closed_form(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (int k = 0; k < 2000; k++) {
        const planar_rod third = draw_rod(&random), fifth = draw_rod(&random);
        const riccati_body body = spatial_rod(&random, &third, 0.0);
        const riccati_body outboard = spatial_rod(&random, &fifth, 0.0);
        const riccati_row row = riccati_moment_row(&outboard);
        const planar_element elements[2] = {planar_body(&third), planar_hinge(&fifth)};
        planar_riccati derived = {.e = {0.0L}};
        riccati z = nothing();
        long double s[3][3], e[3];
        if (fabsl(3 * third.c * fifth.c + 3 * third.s * fifth.s + 2) < 0.25L) {
            continue; /* the recursion as printed breaks down: t42_seed_gap.c */
        }
        closed_forms_3(&third, &fifth, s, e);
        planar_cross(&elements[0], &derived);
        planar_cross(&elements[1], &derived);
        assert_true(difference(s[0], derived.s[0], 9) < 1e-14L);
        assert_true(difference(e, derived.e, 3) < 1e-14L);
        riccati_cross_body(&body, &z);
        const riccati_hinge hinge = riccati_cross_hinge(&row, &z);
        assert_true(hinge.regular);
        expect_planar(&z, s, e);
        const long double gain[3] = {hinge.b.zx, hinge.b.zy, hinge.w.zz}, d = hinge.d.z;
        assert_true(difference(gain, derived.p[2], 3) < 1e-14L);
        assert_true(fabsl(d - derived.pq[2]) < 1e-14L * fmaxl(500.0L, fabsl(derived.pq[2])));
    }
}

/* The misprints are not equivalent forms: printed and derived numbers in one pose. */
static void test_misprints(void **state)
{
    (void)state;
    const planar_rod third = {1.0L, 0.5L, 9.81L, cosl(0.4L), sinl(0.4L), 2.0L};
    const planar_rod fifth = {1.0L, 0.5L, 9.81L, cosl(-0.9L), sinl(-0.9L), 1.0L};
    const long double m = third.m, a = third.a, c3 = third.c, s3 = third.s, c5 = fifth.c;
    const long double d = 3 * c3 * c5 + 3 * s3 * fifth.s + 2;
    const planar_element body = planar_body(&third), hinge = planar_hinge(&fifth);
    planar_riccati z = {.e = {0.0L}};
    planar_cross(&body, &z);
    for (int i = 0; i < 2; i++) { /* eq. 62 prints T22 where T22^-1 stands */
        assert_true(fabsl(z.p[i][2] + body.t22[i][2]) < 1e-18L);
        assert_true(fabsl(z.p[i][2] - body.t22[i][2]) > 0.1L);
    }
    planar_cross(&hinge, &z);
    const long double printed_12 = -3 * m * a * (c3 * c3 * c5 + s3 * c3 * c5 - 2 * c5) / d;
    assert_true(fabsl(printed_12 - z.s[0][1]) > 0.1L);
    assert_true(fabsl(4 * m * a * a / d - 3 * z.s[0][2]) < 1e-15L);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_body_in_closed_form),
        cmocka_unit_test(test_first_hinge_in_closed_form),
        cmocka_unit_test(test_misprints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
