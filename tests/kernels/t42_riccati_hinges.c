/* Elements of the Riccati recursion of trees: hinges of every type, without and with rotors,
 * against all their equations solved at once in long double, and a body in factored form against
 * that of seed 000, eqs. 4 and 5. One file, because all checks share these equations. */
#include "tests/support/cmocka_all.h"

#define METHOD_RICCATI
#include "kernels/sweeps/rows.h"
#include "tests/kernels/riccati_case.h"
#include "tests/kernels/riccati_elements.h"
#include "tests/support/dense.h"
#include "tests/support/draw.h"
#include "tests/support/larger.h"

#include <string.h>

enum { MOST = 18 }; /* z_b and z_a at the input, and y */

/* As the kernels call them, the type of the hinge constant. */
static mask cross(const hinge_case *c, riccati *z, wide_through *t, six_gain *gain)
{
    return c->armed
               ? row_cross_rotors(c->kind, &c->link, &c->motion, c->armature, c->load, z, t, gain)
               : row_cross_alike(c->kind, &c->link, &c->motion, c->load, z, t, gain);
}

static spatial outboard(const hinge_case *c, const six_gain *gain, spatial reached)
{
    spatial out;
    if (c->armed) {
#define STEP(TYPE)                                                                                 \
    const hinge_rotor rotor = hinge_rotor_of(TYPE, &c->link, &c->motion, c->armature);             \
    out = wide_outboard(TYPE, &c->link, &c->motion, &rotor, gain, reached)
        HINGE_ROTOR_CASES(c->kind, STEP)
#undef STEP
        return out;
    }
#define STEP(TYPE) out = wide_outboard(TYPE, &c->link, &c->motion, NULL, gain, reached)
    HINGE_CASES(c->kind, STEP)
#undef STEP
    return out;
}

/* Work of z_a along a column of H: m with W', -q with r''. */
static double conjugate(const double h[6], int row)
{
    return row < 3 ? h[row + 3] : -h[row - 3];
}

static wide_through draw_open(uint64_t *random)
{
    wide_through t;
    draw_numbers(random, t.e[0], 36, 1.0);
    draw_numbers(random, t.h, 6, 3.0);
    draw_numbers(random, t.psi[0], 36, 1.0);
    return t;
}

/* z_a at the input from z_b at the output, `b`, with the terms that add to e; writes z_b at the
 * input to `in`. */
static void solve_all(const hinge_case *c, const riccati *z, const double more[6],
                      const double b[6], double za[6], double in[6])
{
    const int size = 12 + c->n;
    long double a[MOST * MOST] = {0.0L}, x[MOST] = {0.0L};
    for (int i = 0; i < 6; i++) {
        a[i * size + i] = 1.0L; /* z_b - H y = z_b,O */
        x[i] = b[i];
        a[(6 + i) * size + 6 + i] = 1.0L; /* z_a - S z_b = e */
        x[6 + i] = (long double)z->e.v[i] + more[i];
        for (int j = 0; j < 6; j++) {
            a[(6 + i) * size + j] = -z->s.m[i][j];
        }
        for (int k = 0; k < c->n; k++) {
            a[i * size + 12 + k] = -c->h[k][i];
            a[(12 + k) * size + 6 + i] = conjugate(c->h[k], i); /* G z_a + D y = tau */
        }
    }
    for (int k = 0; k < c->n * c->n; k++) {
        a[(12 + k / c->n) * size + 12 + k % c->n] = c->d[k / c->n][k % c->n];
    }
    for (int k = 0; k < c->n; k++) {
        x[12 + k] = c->tau[k];
    }
    dense_solve(size, a, x);
    for (int i = 0; i < 6; i++) {
        in[i] = (double)x[i];
        za[i] = (double)x[6 + i];
    }
}

static void expect_close(const double *a, const double *b, int kind, const char *what)
{
    double size = 1.0, worst = 0.0;
    for (int i = 0; i < 6; i++) {
        size = larger(size, fabs(b[i]));
        worst = fabs(a[i] - b[i]) <= worst ? worst : fabs(a[i] - b[i]);
    }
    if (!(worst <= 1e-12 * size)) {
        fail_msg("hinge type %d, %s: %.2e", kind, what, worst);
    }
}

static void test_hinges_against_all_equations_at_once(void **state)
{
    (void)state;
    uint64_t random = 11;
    const double none[6] = {0.0};
    for (int k = 0; k < 100 * RCT_HINGE_TYPES; k++) {
        const int kind = k % RCT_HINGE_TYPES;
        if (kind == RCT_HINGE_FIXED) {
            continue;
        }
        const hinge_case c = draw_hinge(&random, kind);
        const riccati before = draw_law(&random, 0.2);
        riccati z = before;
        six_gain gain[6];
        vec6 b, za;
        double wanted[6], in[6], own[6];
        draw_numbers(&random, b.v, 6, 3.0);
        solve_all(&c, &before, none, b.v, wanted, in);
        assert_true(cross(&c, &z, NULL, gain));
        za = mat6_apply(&z.s, &b);
        for (int i = 0; i < 6; i++) {
            za.v[i] += z.e.v[i];
        }
        expect_close(za.v, wanted, kind, "z_a");
        six_list(outboard(&c, gain, six_unlist(b.v)), own);
        expect_close(own, in, kind, "z_b");
        for (int f = 0; f < c.n && !c.armed;
             f++) { /* closing rows hold for any z_b, to the last digits */
            double sum = -c.tau[f], size = fabs(c.tau[f]);
            for (int i = 0; i < 6; i++) {
                sum += conjugate(c.h[f], i) * z.e.v[i];
                size += fabs(conjugate(c.h[f], i) * z.e.v[i]);
            }
            assert_true(fabs(sum) <= 1e-15 * 4.0 * size);
        }
    }
}

/* D x: E transposed, rows q with the other sign */
static double reciprocal(const wide_through *t, int c, const double x[6])
{
    double sum = 0.0;
    for (int i = 0; i < 6; i++) {
        sum += t->e[i][c] * conjugate(x, i);
    }
    return sum;
}

/* z with the coordinates in `solved` (bits) removed: their columns and closing rows are zero. */
static riccati beyond_hinge(riccati z, int solved)
{
    for (int i = 0; i < 36; i++) {
        const int row = i / 6, column = i % 6;
        z.s.m[row][column] *= ((solved >> column | solved >> riccati_row_of(row)) & 1) == 0;
    }
    return z;
}

/* The outboard end, with S symmetric by reciprocity: lambda there, its acceleration. */
static void test_open_ends_against_all_equations_at_once(void **state)
{
    (void)state;
    uint64_t random = 12;
    for (int k = 0; k < 100 * RCT_HINGE_TYPES; k++) {
        const int kind = k % RCT_HINGE_TYPES;
        if (kind == RCT_HINGE_FIXED) {
            continue;
        }
        const hinge_case c = draw_hinge(&random, kind);
        const riccati before = draw_law(&random, 0.0);
        const wide_through open = draw_open(&random);
        riccati z = before;
        wide_through t = open;
        six_gain gain[6];
        vec6 b, za;
        double lambda[6], more[6] = {0.0}, wanted[6], in[6], out[6], wanted_out[6];
        draw_numbers(&random, b.v, 6, 3.0);
        draw_numbers(&random, lambda, 6, 3.0);
        for (int i = 0; i < 36; i++) {
            more[i / 6] += open.e[i / 6][i % 6] * lambda[i % 6];
        }
        solve_all(&c, &before, more, b.v, wanted, in);
        assert_true(cross(&c, &z, &t, gain));
        za = mat6_apply(&z.s, &b);
        for (int i = 0; i < 6; i++) {
            za.v[i] += z.e.v[i];
            out[i] = t.h[i] + reciprocal(&t, i, b.v);
            wanted_out[i] = open.h[i] + reciprocal(&open, i, in);
            for (int j = 0; j < 6; j++) {
                const int r = i < j ? i : j, s = i < j ? j : i; /* the upper half */
                za.v[i] += t.e[i][j] * lambda[j];
                out[i] -= t.psi[r][s] * lambda[j];
                wanted_out[i] -= open.psi[r][s] * lambda[j];
            }
        }
        expect_close(za.v, wanted, kind, "z_a with an open end");
        expect_close(out, wanted_out, kind, "the acceleration of the open end");
    }
}

static vec3 draw_vec3(uint64_t *random, double size)
{
    double v[3];
    draw_numbers(random, v, 3, size);
    return (vec3){v[0], v[1], v[2]};
}

static link_motion draw_arm(uint64_t *random, vec3 rate, vec3 io)
{
    double turn[3][3];
    link_motion m = {.r = vec3_scale(-1.0, io)};
    draw_rotation(random, turn);
    m.turn = mat3_load(turn[0], 1);
    m.bias.l = mat3_apply_transposed(m.turn, vec3_centripetal(rate, m.r)); /* P q of eq. 5 */
    m.bias.a = vec3_zero();
    return m;
}

/* Rotated, along the arm, and the mass: the body of eqs. 4, 5 after a rotation. */
static void test_body_in_factors(void **state)
{
    (void)state;
    uint64_t random = 13;
    for (int k = 0; k < 200; k++) {
        const sym3 own = {0.7, 0.6, 0.8, 0.1, -0.05, 0.07};
        const double mass = draw_between(&random, 0.5, 2.0);
        const vec3 ic = draw_vec3(&random, 1.0), io = draw_vec3(&random, 1.0);
        const vec3 oc = vec3_sub(ic, io), force = draw_vec3(&random, 10.0);
        const vec3 rate = draw_vec3(&random, 2.0);
        const riccati_body body = {mass, ic, io, inertia_shifted(own, mass, ic), rate, force};
        const link_lanes link = {
            .mass = mass, .com = oc, .inertia = inertia_shifted(own, mass, oc)};
        const link_motion m = draw_arm(&random, rate, io);
        const riccati start = beyond_hinge(draw_law(&random, 0.2), k % 64);
        riccati whole = riccati_turn(m.turn, &start), z = start;
        riccati_cross_body(&body, &whole);
        riccati_inboard(&z, &m, k % 64);
        riccati_cross_mass(&z, &link, rate);
        riccati_add_load(&z, (spatial){force, vec3_cross(oc, force)});
        for (int i = 0; i < 6; i++) {
            expect_close(z.s.m[i], whole.s.m[i], -1, "S across a body");
        }
        expect_close(z.e.v, whole.e.v, -1, "e across a body");
    }
}

/* E and h transform like S and e: with F at the open end given, both give the same for the link
 * inboard. */
static void test_open_end_inboard(void **state)
{
    (void)state;
    uint64_t random = 14;
    for (int k = 0; k < 200; k++) {
        const link_motion m = draw_arm(&random, draw_vec3(&random, 2.0), draw_vec3(&random, 1.0));
        const int solved = k % 64;
        wide_through open = draw_open(&random);
        for (int i = 0; i < 36; i++) {
            open.e[i / 6][i % 6] *= (solved >> riccati_row_of(i / 6) & 1) == 0;
        }
        wide_through t = open;
        double inboard[6], out[6], wanted[6];
        draw_numbers(&random, inboard, 6, 3.0);
        double here[6]; /* z_b beyond the hinge */
        six_list(link_reach(&m, six_unlist(inboard)), here);
        riccati_open_inboard(&t, &m, solved);
        for (int c = 0; c < 6; c++) {
            riccati z = {0}; /* column c of E as an e */
            out[c] = t.h[c] + reciprocal(&t, c, inboard);
            wanted[c] = open.h[c] + reciprocal(&open, c, here);
            for (int i = 0; i < 6; i++) {
                z.e.v[i] = open.e[i][c];
            }
            riccati_inboard(&z, &m, solved);
            for (int i = 0; i < 6; i++) {
                assert_true(fabs(z.e.v[i] - t.e[i][c]) < 1e-14);
            }
        }
        expect_close(out, wanted, -1, "the open end from the link inboard");
    }
}

/* Records take the symmetric part, and return it. */
static void test_records(void **state)
{
    (void)state;
    uint64_t random = 15;
    for (int k = 0; k < 50; k++) {
        const riccati whole = draw_law(&random, 0.0);
        riccati skew = whole;
        const double d[3] = {draw_between(&random, -1, 1), draw_between(&random, -1, 1),
                             draw_between(&random, -1, 1)};
        skew.s.m[0][4] += d[0], skew.s.m[1][3] -= d[0]; /* m by W' */
        skew.s.m[3][2] += d[1], skew.s.m[5][0] -= d[1]; /* q by r'' */
        skew.s.m[0][1] += d[2], skew.s.m[4][3] += d[2]; /* m by r'', q by W' */
        const wide_handle record = riccati_record(&skew);
        const riccati back = riccati_of_record(&record);
        for (int i = 0; i < 6; i++) {
            expect_close(back.s.m[i], whole.s.m[i], -1, "S by its record");
        }
        expect_close(back.e.v, whole.e.v, -1, "e by its record");
    }
}

static void test_without_mass_is_singular(void **state)
{
    (void)state;
    uint64_t random = 16;
    for (int kind = RCT_HINGE_BALL; kind < RCT_HINGE_TYPES; kind++) {
        hinge_case c = draw_hinge(&random, kind);
        riccati z = {0};
        c.armed = 0;
        six_gain gain[6];
        assert_false(cross(&c, &z, NULL, gain));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hinges_against_all_equations_at_once),
        cmocka_unit_test(test_open_ends_against_all_equations_at_once),
        cmocka_unit_test(test_body_in_factors),
        cmocka_unit_test(test_open_end_inboard),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_without_mass_is_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
