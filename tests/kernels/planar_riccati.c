/* The planar Riccati recursion of seed 000, section 5.1, in long double. */
#include "tests/kernels/planar_riccati.h"

#include "tests/support/dense.h"

#include <string.h>

static void set_one(long double m[3][3])
{
    for (int i = 0; i < 9; i++) {
        m[i / 3][i % 3] = i % 4 == 0 ? 1.0L : 0.0L;
    }
}

planar_element planar_body(const planar_rod *rod)
{
    const long double m = rod->m, ac = rod->a * rod->c, as = rod->a * rod->s;
    const long double square = rod->rate * rod->rate;
    planar_element t = {
        .t12 = {{m * as, -m * ac, -2 * m * rod->a * rod->a / 3}, {-m, 0, m * as}, {0, -m, -m * ac}},
        .fa = {-m * rod->g * ac, m * ac * square, m * as * square - m * rod->g},
        .fb = {-2 * ac * square, -2 * as * square, 0},
    };
    set_one(t.t11);
    set_one(t.t22);
    t.t11[0][1] = t.t22[0][2] = -2 * as;
    t.t11[0][2] = t.t22[1][2] = 2 * ac;
    return t;
}

planar_element planar_hinge(const planar_rod *outboard)
{
    const long double m = outboard->m, a = outboard->a, c = outboard->c, s = outboard->s;
    planar_element t = {
        .t21 = {{0}, {0}, {3 / (2 * m * a * a), -3 * s / (m * a), 3 * c / (m * a)}},
        .t22 = {{1, 0, 0}, {0, 1, 0}, {3 * s / (2 * a), -3 * c / (2 * a), 0}},
        .fb = {0, 0, -3 * outboard->g * c / (2 * a)},
    };
    set_one(t.t11);
    return t;
}

/* x = m^-1, column by column. */
static void invert(long double m[3][3], long double x[3][3])
{
    for (int j = 0; j < 3; j++) {
        long double copy[3][3], column[3] = {j == 0, j == 1, j == 2};
        memcpy(copy, m, sizeof copy);
        dense_solve(3, copy[0], column);
        for (int i = 0; i < 3; i++) {
            x[i][j] = column[i];
        }
    }
}

/* P = (T21 S + T22)^-1, q = -(T21 e + f_b), S' = (T11 S + T12) P, e' = T11 e + f_a + S' q */
void planar_cross(const planar_element *element, planar_riccati *z)
{
    planar_element t = *element;
    long double m[3][3], q[3], te[3], sq[3];
    dense_product(t.t21, z->s, m);
    dense_apply(t.t21, z->e, q);
    for (int i = 0; i < 3; i++) {
        q[i] = -(q[i] + t.fb[i]);
        for (int j = 0; j < 3; j++) {
            m[i][j] += t.t22[i][j];
        }
    }
    invert(m, z->p);
    dense_apply(z->p, q, z->pq);
    dense_product(t.t11, z->s, m);
    for (int i = 0; i < 9; i++) {
        m[i / 3][i % 3] += t.t12[i / 3][i % 3];
    }
    dense_product(m, z->p, z->s);
    dense_apply(t.t11, z->e, te);
    dense_apply(z->s, q, sq);
    for (int i = 0; i < 3; i++) {
        z->e[i] = te[i] + t.fa[i] + sq[i];
    }
}
