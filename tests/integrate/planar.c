/* Lagrange equations of planar links in absolute angles. With r_C,k = sum_j L_kj (cos phi_j, sin phi_j)
 *
 *     M_ij = sum_k m_k L_ki L_kj cos(phi_i - phi_j) + J_i delta_ij
 *     sum_j M_ij phi_j.. = -sum_kj m_k L_ki L_kj sin(phi_i - phi_j) phi_j.^2 - g sum_k m_k L_ki cos phi_i
 */
#include "tests/integrate/planar.h"

#include <math.h>

/* Solve M x = b in place, M symmetric positive definite. */
static void solve(long double m[PLANAR_LINKS][PLANAR_LINKS], long double b[PLANAR_LINKS], int n)
{
    for (int p = 0; p < n; p++) {
        for (int i = p + 1; i < n; i++) {
            const long double factor = m[i][p] / m[p][p];
            for (int j = p; j < n; j++) {
                m[i][j] -= factor * m[p][j];
            }
            b[i] -= factor * b[p];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) {
            b[i] -= m[i][j] * b[j];
        }
        b[i] /= m[i][i];
    }
}

static planar_state rates(const planar_system *s, const planar_state *y)
{
    long double mass[PLANAR_LINKS][PLANAR_LINKS] = {{0.0L}};
    planar_state f = {{0.0L}, {0.0L}};
    for (int i = 0; i < s->links; i++) {
        f.angle[i] = y->rate[i];
        f.rate[i] = 0.0L;
        for (int j = 0; j < s->links; j++) {
            long double coupling = 0.0L;
            for (int k = 0; k < s->links; k++) {
                coupling += s->mass[k] * s->lever[k][i] * s->lever[k][j];
            }
            const long double between = y->angle[i] - y->angle[j];
            mass[i][j] = coupling * cosl(between) + (i == j ? s->inertia[i] : 0.0L);
            f.rate[i] -= coupling * sinl(between) * y->rate[j] * y->rate[j];
        }
        for (int k = 0; k < s->links; k++) {
            f.rate[i] -= s->gravity * s->mass[k] * s->lever[k][i] * cosl(y->angle[i]);
        }
    }
    solve(mass, f.rate, s->links);
    return f;
}

static planar_state moved(const planar_system *s, const planar_state *y, long double h,
                          const planar_state *f)
{
    planar_state x = *y;
    for (int i = 0; i < s->links; i++) {
        x.angle[i] += h * f->angle[i];
        x.rate[i] += h * f->rate[i];
    }
    return x;
}

planar_state planar_run(const planar_system *system, planar_state start, long double dt, int steps)
{
    planar_state y = start;
    for (int n = 0; n < steps; n++) {
        const planar_state a = rates(system, &y);
        const planar_state second = moved(system, &y, dt / 2.0L, &a);
        const planar_state b = rates(system, &second);
        const planar_state third = moved(system, &y, dt / 2.0L, &b);
        const planar_state c = rates(system, &third);
        const planar_state fourth = moved(system, &y, dt, &c);
        const planar_state d = rates(system, &fourth);
        y = moved(system, &y, dt / 6.0L, &a);
        y = moved(system, &y, dt / 3.0L, &b);
        y = moved(system, &y, dt / 3.0L, &c);
        y = moved(system, &y, dt / 6.0L, &d);
    }
    return y;
}
