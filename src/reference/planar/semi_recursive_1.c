/* Semi-recursive I, seed 003, sections 3 and 6.1: the velocity transformation matrix V takes the
 * relative velocities to those of reference points on the bodies; q. = V z., q.. = V z.. + V.
 * z., and M z.. = Q with M = sum V_i^T M_i V_i. The ground has a prescribed motion, which adds
 * B_i^0 q._0 to the paper's q. */
#include "reference/planar/planar.h"

#include <string.h>

/* V_i^j of eqs. 18, 20, B.3, C.4: [I~ (R_i - r_j); 1] or [h_j; 0]. */
static void unit_velocity(const rct_planar_column *column, quad2 R, quad v[3])
{
    const quad2 arm = quad2_tilde(quad2_less(R, column->r));
    const quad2 move = column->turns ? arm : column->h;
    v[0] = move.x[0];
    v[1] = move.x[1];
    v[2] = column->turns;
}

/* V of eq. 21, row by row, from the joints on the path from body i to the ground; and q. */
static void transform(rct_planar_state *state, int32_t i)
{
    const rct_planar_system *system = state->system;
    const int64_t n_c = state->n_c;
    const quad *q = state->q + 3 * i, *v_0 = system->q_dot_0;
    quad *V = state->V + 3 * i * n_c, *q_dot = state->q_dot + 3 * i;
    memset(V, 0, (size_t)(3 * n_c) * sizeof *V);
    q_dot[0] = v_0[0] - v_0[2] * (q[1] - system->q_0[1]);
    q_dot[1] = v_0[1] + v_0[2] * (q[0] - system->q_0[0]);
    q_dot[2] = v_0[2];
    for (int32_t at = i; at != RCT_GROUND; at = system->body[at].parent) {
        for (int64_t j = state->first[at]; j < state->first[at + 1]; j++) {
            quad v[3];
            unit_velocity(&state->column[j], rct_planar_point(state->q, i), v);
            for (int64_t r = 0; r < 3; r++) {
                V[r * n_c + j] = v[r];
                q_dot[r] += v[r] * state->z_dot[j];
            }
        }
    }
}

/* V._i^j of eq. 23: [I~ (R._i - r._j); 0], r_j moving with the body of the joint, or [h._j; 0],
 * h_j turning with the body that carries it. The paper's theta._i is right only for the first
 * body beyond the joint. */
static quad2 unit_velocity_rate(const rct_planar_state *state, int64_t j, int32_t i)
{
    const rct_planar_column *column = &state->column[j];
    const int64_t own = column->body, carrier = state->system->body[own].parent;
    if (column->turns) {
        const quad2 arm = quad2_less(column->r, rct_planar_point(state->q, own));
        const quad2 r_dot = quad2_add(rct_planar_point(state->q_dot, own),
                                      quad2_scale(state->q_dot[3 * own + 2], quad2_tilde(arm)));
        return quad2_tilde(quad2_less(rct_planar_point(state->q_dot, i), r_dot));
    }
    return quad2_add(quad2_scale(state->q_dot[3 * carrier + 2], quad2_tilde(column->h)),
                     quad2_scale(state->z_dot[j], column->k));
}

/* V. z. and the terms of the ground, B_i^0 q.._0 + B._i^0 q._0. */
static void find_bias(rct_planar_state *state, int32_t i)
{
    const rct_planar_system *system = state->system;
    const quad *q = state->q + 3 * i, *v = state->q_dot + 3 * i;
    const quad *q_0 = system->q_0, *v_0 = system->q_dot_0, *a_0 = system->q_ddot_0;
    quad *bias = state->bias + 3 * i;
    bias[0] = a_0[0] - a_0[2] * (q[1] - q_0[1]) - v_0[2] * (v[1] - v_0[1]);
    bias[1] = a_0[1] + a_0[2] * (q[0] - q_0[0]) + v_0[2] * (v[0] - v_0[0]);
    bias[2] = a_0[2];
    for (int32_t at = i; at != RCT_GROUND; at = system->body[at].parent) {
        for (int64_t j = state->first[at]; j < state->first[at + 1]; j++) {
            const quad2 rate = unit_velocity_rate(state, j, i);
            bias[0] += rate.x[0] * state->z_dot[j];
            bias[1] += rate.x[1] * state->z_dot[j];
        }
    }
}

/* Body i's part of M and Q, eqs. 44 and 45: V_i^T M_i V_i and V_i^T (Q_v + Q_e - M_i V._i z.). */
static void add_body(rct_planar_state *state, int32_t i)
{
    const int64_t n_c = state->n_c;
    const quad *V = state->V + 3 * i * n_c, *Q_e = state->Q_e + 3 * i;
    quad Q_v[3], inertial[3], moved[3];
    rct_planar_centrifugal(state, i, Q_v);
    rct_planar_mass(state, i, state->bias + 3 * i, inertial);
    for (int64_t j = 0; j < n_c; j++) {
        const quad v[3] = {V[j], V[n_c + j], V[2 * n_c + j]};
        if (v[0] == 0 && v[1] == 0 && v[2] == 0) {
            continue;
        }
        rct_planar_mass(state, i, v, moved);
        for (int64_t r = 0; r < 3; r++) {
            state->Q[j] += v[r] * (Q_v[r] + Q_e[r] - inertial[r]);
        }
        for (int64_t k = 0; k <= j; k++) {
            state->M[j * n_c + k] +=
                moved[0] * V[k] + moved[1] * V[n_c + k] + moved[2] * V[2 * n_c + k];
        }
    }
}

void rct_semi_recursive_1(rct_planar_state *state)
{
    const size_t n_c = (size_t)state->n_c;
    const int32_t n_b = state->system->n_b;
    rct_planar_place(state);
    for (int32_t i = 0; i < n_b; i++) {
        transform(state, i);
    }
    for (int32_t i = 0; i < n_b; i++) {
        find_bias(state, i);
    }
    memset(state->M, 0, n_c * n_c * sizeof *state->M);
    rct_planar_forces(state);
    for (int32_t i = 0; i < n_b; i++) {
        add_body(state, i);
    }
}
