/* The step of one link of trees against dense 6x6 algebra in long double: the contribution to the
 * parent, the solution at hinges of every type, without and with rotors, and the open end that goes
 * along. One file, because all checks solve one dense system. */
#include "tests/support/cmocka_all.h"

#include "kernels/sweeps/wide_inward.h"
#include "tests/kernels/dense_six.h"
#include "tests/support/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- drawing ------------------------------------------------------------------------------ */

static mat3 draw_turn(uint64_t *random)
{
    double m[3][3];
    draw_rotation(random, m);
    return (mat3){m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2], m[2][0], m[2][1], m[2][2]};
}

static vec3 draw_vec(uint64_t *random, double size)
{
    double v[3];
    draw_numbers(random, v, 3, size);
    return (vec3){v[0], v[1], v[2]};
}

static spatial draw_spatial(uint64_t *random)
{
    const vec3 l = draw_vec(random, 2.0);
    return (spatial){l, draw_vec(random, 2.0)};
}

static link_motion draw_motion(uint64_t *random)
{
    const double angle = draw_between(random, -3.0, 3.0);
    link_motion m = {.turn = draw_turn(random), .r = draw_vec(random, 1.0)};
    m.bias = draw_spatial(random);
    m.c = cos(angle);
    m.s = sin(angle);
    return m;
}

/* ---- dense algebra ------------------------------------------------------------------------ */

/* A = X A_parent + bias */
static void transform(const link_motion *m, matrix x)
{
    const mat3 q = m->turn;
    const long double t[3][3] = {
        {q.xx, q.yx, q.zx}, {q.xy, q.yy, q.zy}, {q.xz, q.yz, q.zz}}; /* Q^T */
    const long double r[3][3] = {
        {0.0L, -m->r.z, m->r.y}, {m->r.z, 0.0L, -m->r.x}, {-m->r.y, m->r.x, 0.0L}};
    memset(x, 0, sizeof(matrix));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            x[i][j] = x[3 + i][3 + j] = t[i][j];
            for (int k = 0; k < 3; k++) {
                x[i][3 + j] -= t[i][k] * r[k][j];
            }
        }
    }
}

/* ---- handing over ------------------------------------------------------------------------- */

static void test_what_is_handed_over(void **state)
{
    (void)state;
    uint64_t random = 41;
    for (int n = 0; n < 500; n++) {
        wide_handle h;
        matrix s, x, up = {{0.0L}};
        vector e, bias, a, ue = {0.0L}, reached;
        draw_handle(&random, &h, s, e);
        const link_motion m = draw_motion(&random);
        const spatial parent = draw_spatial(&random);
        transform(&m, x);
        list(m.bias, bias);
        list(parent, a);
        for (int i = 0; i < 6; i++) {
            reached[i] = bias[i];
            for (int j = 0; j < 6; j++) {
                reached[i] += x[i][j] * a[j];
                for (int k = 0; k < 6; k++) { /* X^T (e + S b), X^T S X */
                    ue[i] += x[k][i] * s[k][j] * bias[j] + (j == 0 ? x[k][i] * e[k] : 0.0L);
                    for (int l = 0; l < 6; l++) {
                        up[i][j] += x[k][i] * s[k][l] * x[l][j];
                    }
                }
            }
        }
        const wide_handle over = wide_hand_over_but(&h, &m, 0);
        expect_handle(&over, up, ue, "handed over");
        expect_spatial(link_reach(&m, parent), reached, "reached");
    }
}

/* ---- hinges ------------------------------------------------------------------------------- */

/* The free directions of a hinge, columns of H in link axes, in the order of its rates. */
static int directions(int kind, const link_lanes *link, const link_motion *m, vector h[6])
{
    memset(h, 0, 6 * sizeof(vector));
    switch (kind) {
    case RCT_HINGE_BALL: h[0][AX] = h[1][AY] = h[2][AZ] = 1.0L; return 3;
    case RCT_HINGE_PRISMATIC: h[0][LZ] = 1.0L; return 1;
    case RCT_HINGE_UNIVERSAL: /* axis turned back by angle 2, z */
        h[0][AX] = (long double)m->c * link->parameter[0];
        h[0][AY] = -(long double)m->s * link->parameter[0];
        h[0][AZ] = link->parameter[1];
        h[1][AZ] = 1.0L;
        return 2;
    case RCT_HINGE_CYLINDRICAL: h[0][AZ] = h[1][LZ] = 1.0L; return 2;
    case RCT_HINGE_PLANAR: h[0][LX] = h[1][LY] = h[2][AZ] = 1.0L; return 3;
    case RCT_HINGE_HELICAL: h[0][AZ] = 1.0L, h[0][LZ] = link->parameter[0]; return 1;
    case RCT_HINGE_FREE:
        for (int i = 0; i < 6; i++) {
            h[i][i < 3 ? AX + i : i - 3] = 1.0L;
        }
        return 6;
    default: h[0][AZ] = 1.0L; return 1;
    }
}

/* The solution of a hinge, dense: derivatives of rates as y - G A for the arriving acceleration A,
 * and with an open end. */
typedef struct dense {
    int f;
    vector h[6], sh[6], eh[6]; /* H, S H, E^T H by columns */
    long double y[6], g[6][6], l[6][6];
} dense;

/* D from rates to the block of directions: a planar hinge has its displacements in the hinge frame,
 * directions in the link. */
static void add_rotors(int kind, const link_motion *m, const double d[3],
                       long double a[GAUSS_MOST][2 * GAUSS_MOST])
{
    const long double c = m->c, s = m->s;
    if (kind == RCT_HINGE_PLANAR) {
        a[0][0] += c * c * d[0] + s * s * d[1];
        a[1][1] += s * s * d[0] + c * c * d[1];
        a[0][1] += c * s * (d[1] - d[0]);
        a[1][0] += c * s * (d[1] - d[0]);
        a[2][2] += d[2];
        return;
    }
    for (int i = 0; i < 3 && hinge_has_axes(kind); i++) {
        a[i][i] += i < hinge_freedoms(kind) ? d[i] : 0.0;
    }
}

static dense solve_dense(int kind, const link_lanes *link, const link_motion *m,
                         const double d_rates[3], matrix s, const vector e, const double load[3],
                         matrix through)
{
    dense d;
    long double a[GAUSS_MOST][2 * GAUSS_MOST] = {{0.0L}};
    memset(&d, 0, sizeof d);
    d.f = directions(kind, link, m, d.h);
    for (int i = 0; i < d.f; i++) {
        for (int j = 0; j < 6; j++) {
            for (int k = 0; k < 6; k++) {
                d.sh[i][j] += s[j][k] * d.h[i][k];
                d.eh[i][j] += through[k][j] * d.h[i][k];
            }
        }
    }
    for (int i = 0; i < d.f; i++) { /* D y = tau - H^T e, D G = H^T S, D L = H^T E */
        long double *right = a[i] + d.f;
        right[0] = kind == RCT_HINGE_FREE ? 0.0L : load[i];
        for (int k = 0; k < 6; k++) {
            right[0] -= d.h[i][k] * e[k];
            right[1 + k] = d.sh[i][k];
            right[7 + k] = d.eh[i][k];
            for (int j = 0; j < d.f; j++) {
                a[i][j] += d.h[i][k] * d.sh[j][k];
            }
        }
    }
    add_rotors(kind, m, d_rates, a);
    gauss(d.f, 13, a);
    for (int i = 0; i < d.f; i++) {
        d.y[i] = a[i][d.f];
        memcpy(d.g[i], a[i] + d.f + 1, sizeof d.g[i]);
        memcpy(d.l[i], a[i] + d.f + 7, sizeof d.l[i]);
    }
    return d;
}

/* S, e and the open end beyond the hinge. */
static void expect_eliminated(const dense *d, matrix s, vector e, const six *x)
{
    const wide_handle h = six_handle(x);
    matrix beyond;
    vector be;
    for (int i = 0; i < 6; i++) {
        be[i] = e[i];
        for (int k = 0; k < d->f; k++) {
            be[i] += d->sh[k][i] * d->y[k];
        }
        for (int j = 0; j < 6; j++) {
            beyond[i][j] = s[i][j];
            for (int k = 0; k < d->f; k++) {
                beyond[i][j] -= d->sh[k][i] * d->g[k][j];
            }
        }
    }
    expect_handle(&h, beyond, be, "beyond the hinge");
}

static void expect_through(const dense *d, const wide_through *before, const wide_through *t)
{
    for (int i = 0; i < 6; i++) {
        long double free = before->h[i];
        for (int k = 0; k < d->f; k++) {
            free += d->eh[k][i] * d->y[k];
        }
        expect_near(t->h[i], free, "free end");
        for (int j = 0; j < 6; j++) {
            long double e = before->e[i][j], psi = before->psi[i][j];
            for (int k = 0; k < d->f; k++) {
                e -= d->sh[k][i] * d->l[k][j];
                psi += d->eh[k][i] * d->l[k][j];
            }
            expect_near(t->e[i][j], e, "through");
            if (i <= j) {
                expect_near(t->psi[i][j], psi, "compliance");
            }
        }
    }
}

/* Accelerations of the link and derivatives of the rates from the arriving acceleration. */
static void expect_accelerated(int kind, const dense *d, const link_lanes *link,
                               const link_motion *m, const six_gain *gain, spatial reached,
                               const double rotors[3])
{
    const vec3 armature = {rotors[0], rotors[1], rotors[2]};
    const real q[7] = {1.0}, u[6] = {0.0};
    real dq[7], du[6];
    long double rate[6];
    vector a, with;
    list(reached, a);
    memcpy(with, a, sizeof with);
    for (int k = 0; k < d->f; k++) {
        rate[k] = d->y[k];
        for (int i = 0; i < 6; i++) {
            rate[k] -= d->g[k][i] * a[i];
        }
        for (int i = 0; i < 6; i++) {
            with[i] += d->h[k][i] * rate[k];
        }
    }
    spatial is;
#define ACCELERATE(TYPE)                                                                           \
    const hinge_rotor rotor = hinge_rotor_of(TYPE, link, m, armature);                             \
    is = hinge_accelerate(TYPE, link, m, hinge_has_axes(TYPE) ? &rotor : NULL, gain, reached);     \
    hinge_derivatives(TYPE, link, m, is, reached, q, u, vec3_zero(), dq, du)
    HINGE_CASES(kind, ACCELERATE)
#undef ACCELERATE
    expect_spatial(is, with, "accelerated");
    if (kind == RCT_HINGE_PLANAR) { /* in the axes of the hinge frame */
        const long double x = rate[0], y = rate[1];
        rate[0] = m->c * x - m->s * y;
        rate[1] = m->c * y + m->s * x;
    }
    for (int k = 0; k < d->f; k++) {
        const int absolute = kind == RCT_HINGE_BALL || kind == RCT_HINGE_FREE;
        const int i = k < 3 ? AX + k : k - 3; /* their rates are those of the link itself */
        expect_near(du[k], absolute ? with[i] : rate[k], "derivative");
    }
}

/* As the sweeps do it, with the open end unless `t` is NULL. */
static mask eliminate(int kind, const link_lanes *link, const link_motion *m, const real load[3],
                      six *x, wide_through *t, six_gain *gain)
{
    mask regular;
#define HINGE_CASE(TYPE)                                                                           \
    regular = hinge_eliminate(TYPE, link, m, NULL, load, x, gain);                                 \
    if (t != NULL) {                                                                               \
        hinge_eliminate_through(TYPE, link, m, NULL, gain, t);                                     \
    }
    HINGE_CASES(kind, HINGE_CASE)
#undef HINGE_CASE
    return regular;
}

static mask eliminate_armed(int kind, const link_lanes *link, const link_motion *m, vec3 armature,
                            const real load[3], six *x, wide_through *t, six_gain *gain)
{
    mask regular;
#define HINGE_CASE(TYPE)                                                                           \
    const hinge_rotor rotor = hinge_rotor_of(TYPE, link, m, armature);                             \
    regular = hinge_eliminate(TYPE, link, m, &rotor, load, x, gain);                               \
    hinge_eliminate_through(TYPE, link, m, &rotor, gain, t)
    HINGE_ROTOR_CASES(kind, HINGE_CASE)
#undef HINGE_CASE
    return regular;
}

/* Rotors, any of which may be zero. */
static void check_rotors(int kind, const link_lanes *link, const link_motion *m, matrix s,
                         const vector e, const double load[3], const wide_handle *h,
                         const wide_through *before, matrix through, uint64_t *random)
{
    double rotors[3];
    six_gain gain[6];
    six x = six_of(h);
    wide_through t = *before;
    for (int i = 0; i < 3; i++) {
        rotors[i] = draw_between(random, 0.0, 3.0) < 1.0 ? 0.0 : draw_between(random, 0.0, 5.0);
    }
    const dense d = solve_dense(kind, link, m, rotors, s, e, load, through);
    assert_true(eliminate_armed(kind, link, m, (vec3){rotors[0], rotors[1], rotors[2]}, load, &x,
                                &t, gain));
    expect_eliminated(&d, s, (long double *)(uintptr_t)e, &x);
    expect_through(&d, before, &t);
    expect_accelerated(kind, &d, link, m, gain, draw_spatial(random), rotors);
}

/* Rotors without inertia change no bit. */
static void check_no_rotors(int kind, const link_lanes *link, const link_motion *m,
                            const double load[3], const wide_handle *h, const wide_through *before)
{
    six_gain gain[6], same_gain[6];
    six x = six_of(h), same = x;
    wide_through t = *before, same_t = *before;
    assert_true(eliminate(kind, link, m, load, &x, &t, gain));
    assert_true(eliminate_armed(kind, link, m, vec3_zero(), load, &same, &same_t, same_gain));
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            assert_true(t.e[i][j] == same_t.e[i][j]);
            assert_true(i > j || (x.s[i][j] == same.s[i][j] && t.psi[i][j] == same_t.psi[i][j]));
        }
        assert_true(x.e[i] == same.e[i] && t.h[i] == same_t.h[i]);
    }
}

static void check_hinge(int kind, uint64_t *random)
{
    wide_handle h;
    link_lanes link = {.mass = 1.0};
    wide_through t, before;
    six_gain gain[6];
    matrix s, through;
    vector e;
    double load[3];
    const link_motion m = draw_motion(random);
    draw_handle(random, &h, s, e);
    draw_numbers(random, load, 3, 3.0);
    draw_numbers(random, link.parameter, 2, 1.0);
    if (kind == RCT_HINGE_UNIVERSAL) { /* a unit vector, not along z */
        const double angle = draw_between(random, 0.3, 2.8);
        link.parameter[0] = sin(angle);
        link.parameter[1] = cos(angle);
    }
    draw_numbers(random, before.e[0], 36, 1.0);
    draw_numbers(random, before.h, 6, 1.0);
    draw_numbers(random, before.psi[0], 36, 1.0);
    for (int i = 0; i < 36; i++) {
        through[i / 6][i % 6] = before.e[i / 6][i % 6];
    }
    static const double none[3] = {0.0};
    const dense d = solve_dense(kind, &link, &m, none, s, e, load, through);
    six x = six_of(&h), alone = x;
    t = before;
    assert_true(eliminate(kind, &link, &m, load, &x, &t, gain));
    expect_eliminated(&d, s, e, &x);
    expect_through(&d, &before, &t);
    expect_accelerated(kind, &d, &link, &m, gain, draw_spatial(random), none);
    assert_true(eliminate(kind, &link, &m, load, &alone, NULL, gain));
    assert_memory_equal(&alone, &x, sizeof x);
    if (hinge_has_axes(kind)) {
        check_rotors(kind, &link, &m, s, e, load, &h, &before, through, random);
        check_no_rotors(kind, &link, &m, load, &h, &before);
    }
}

static void test_hinges_of_every_type(void **state)
{
    (void)state;
    uint64_t random = 42;
    for (int kind = RCT_HINGE_BALL; kind < RCT_HINGE_TYPES; kind++) {
        for (int n = 0; n < 200; n++) {
            check_hinge(kind, &random);
        }
    }
}

/* A hinge with zeros along one of its directions is not regular, nor is one with NaN there. */
static void test_pivots_that_vanish(void **state)
{
    (void)state;
    uint64_t random = 43;
    for (int kind = RCT_HINGE_BALL; kind < RCT_HINGE_TYPES; kind++) {
        link_lanes link = {.parameter = {0.8, 0.6}};
        const double load[3] = {1.0, 1.0, 1.0};
        const link_motion m = draw_motion(&random);
        vector dir[6];
        const int f = directions(kind, &link, &m, dir);
        for (int k = 0; k < 2 * f; k++) {
            vector *v = &dir[k % f];
            wide_handle h;
            six_gain gain[6];
            matrix s;
            vector e;
            long double sv[6] = {0.0L}, vsv = 0.0L;
            draw_handle(&random, &h, s, e);
            six x = six_of(&h);
            for (int i = 0; i < 6; i++) {
                for (int j = 0; j < 6; j++) {
                    sv[i] += s[i][j] * (*v)[j];
                    vsv += (*v)[i] * s[i][j] * (*v)[j];
                }
            }
            for (int i = 0; i < 6; i++) {
                for (int j = i; j < 6; j++) { /* S v = 0, or v S v is none */
                    x.s[i][j] = k < f ? (double)(s[i][j] - sv[i] * sv[j] / vsv)
                                : (*v)[i] * (*v)[j] != 0.0L ? (double)NAN
                                                            : x.s[i][j];
                }
            }
            assert_false(eliminate(kind, &link, &m, load, &x, NULL, gain));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_handed_over),
        cmocka_unit_test(test_hinges_of_every_type),
        cmocka_unit_test(test_pivots_that_vanish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
