/* Semi-recursive II, seed 003, sections 4 and 6.2: all bodies have their reference point in the
 * origin of the global frame, Z_i, and q._i = D_i Z._i. Then Z. = T R_d z. with the path matrix
 * T of zeros and ones, so that T^T sums over the bodies that a joint carries:
 *
 *     M = R_d^T (T^T D^T M D T) R_d,    Q = R_d^T T^T D^T (Q_v + Q_e - M (e + D T d))
 *
 * Z.. is the acceleration of the material point at the origin, not the derivative of Z.: with
 * it, e and d of eqs. 28, 31 and 34 are right. The ground has a prescribed motion: Z_0. */
#include "reference/planar/planar.h"

#include <string.h>

/* Of a body and all bodies that it carries, about the origin. */
typedef struct composite {
    quad M[3][3]; /* sum D^T M D                    */
    quad Q[3];    /* sum D^T (Q_v + Q_e - M bias)   */
} composite;

/* y = D x, eq. 28; sign -1: D^-1 x, eq. D.2. */
static void apply_D(const quad *q, int sign, const quad x[3], quad y[3])
{
    y[0] = x[0] - sign * q[1] * x[2];
    y[1] = x[1] + sign * q[0] * x[2];
    y[2] = x[2];
}

static void apply_D_transposed(const quad *q, const quad x[3], quad y[3])
{
    y[2] = x[2] - q[1] * x[0] + q[0] * x[1];
    y[0] = x[0];
    y[1] = x[1];
}

/* e of eq. 28. */
static void add_e(const quad *q, const quad *q_dot, int sign, quad y[3])
{
    y[0] -= sign * q_dot[2] * q_dot[2] * q[0];
    y[1] -= sign * q_dot[2] * q_dot[2] * q[1];
}

/* b_j of eqs. 31, 34, D.4. */
static void find_b(const rct_planar_column *column, quad b[3])
{
    b[0] = column->turns ? column->r.x[1] : column->h.x[0];
    b[1] = column->turns ? -column->r.x[0] : column->h.x[1];
    b[2] = column->turns;
}

/* Z._i = Z._(i-1) + b_j z._j and q. = D Z. */
static void find_velocities(rct_planar_state *state, quad *Z_dot)
{
    const rct_planar_system *system = state->system;
    apply_D(system->q_0, -1, system->q_dot_0, Z_dot - 3);
    for (int32_t i = 0; i < system->n_b; i++) {
        quad *own = Z_dot + 3 * i;
        memcpy(own, Z_dot + 3 * system->body[i].parent, 3 * sizeof *own);
        for (int64_t j = state->first[i]; j < state->first[i + 1]; j++) {
            quad b[3];
            find_b(&state->column[j], b);
            for (int r = 0; r < 3; r++) {
                own[r] += b[r] * state->z_dot[j];
            }
        }
        apply_D(state->q + 3 * i, 1, own, state->q_dot + 3 * i);
    }
}

/* d_j of eqs. 31 and 34, and of a cam's curve. */
static quad2 find_d(const rct_planar_state *state, int64_t j)
{
    const rct_planar_column *column = &state->column[j];
    const int64_t parent = state->system->body[column->body].parent;
    const quad rate = state->q_dot[3 * column->body + 2], z_dot = state->z_dot[j];
    const quad before = state->q_dot[3 * parent + 2];
    if (column->turns) {
        return quad2_scale(rate * rate - before * before, column->r);
    }
    return quad2_add(quad2_scale(2 * z_dot * before, quad2_tilde(column->h)),
                     quad2_scale(z_dot * z_dot, column->k));
}

/* Z.. if z.. is zero, T d, and from it the bias D T d + e. */
static void find_bias(rct_planar_state *state, quad *Z_ddot)
{
    const rct_planar_system *system = state->system;
    quad less_e[3];
    memcpy(less_e, system->q_ddot_0, sizeof less_e);
    add_e(system->q_0, system->q_dot_0, -1, less_e);
    apply_D(system->q_0, -1, less_e, Z_ddot - 3);
    for (int32_t i = 0; i < system->n_b; i++) {
        const quad *q = state->q + 3 * i;
        quad *own = Z_ddot + 3 * i, *bias = state->bias + 3 * i;
        memcpy(own, Z_ddot + 3 * system->body[i].parent, 3 * sizeof *own);
        for (int64_t j = state->first[i]; j < state->first[i + 1]; j++) {
            const quad2 d = find_d(state, j);
            own[0] += d.x[0];
            own[1] += d.x[1];
        }
        apply_D(q, 1, own, bias);
        add_e(q, state->q_dot + 3 * i, 1, bias);
    }
}

/* D^T M D and D^T (Q_v + Q_e - M bias) of one body, added to those of the bodies it carries. */
static void add_body(const rct_planar_state *state, int32_t i, composite *sum)
{
    const quad *q = state->q + 3 * i, *Q_e = state->Q_e + 3 * i;
    quad moved[3], back[3], right[3];
    for (int c = 0; c < 3; c++) {
        const quad unit[3] = {c == 0, c == 1, c == 2};
        apply_D(q, 1, unit, right);
        rct_planar_mass(state, i, right, moved);
        apply_D_transposed(q, moved, back);
        for (int r = 0; r < 3; r++) {
            sum->M[r][c] += back[r];
        }
    }
    rct_planar_mass(state, i, state->bias + 3 * i, moved);
    rct_planar_centrifugal(state, i, right);
    for (int r = 0; r < 3; r++) {
        right[r] += Q_e[r] - moved[r];
    }
    apply_D_transposed(q, right, back);
    for (int r = 0; r < 3; r++) {
        sum->Q[r] += back[r];
    }
}

/* Rows and columns of M of the joint of body i: b_j^T (sum D^T M D) b_k, k on its path; eqs. 51, 52. */
static void project(rct_planar_state *state, int32_t i, const composite *sum)
{
    for (int64_t j = state->first[i]; j < state->first[i + 1]; j++) {
        quad b[3], moved[3], other[3];
        find_b(&state->column[j], b);
        for (int r = 0; r < 3; r++) {
            state->Q[j] += b[r] * sum->Q[r];
            moved[r] = sum->M[r][0] * b[0] + sum->M[r][1] * b[1] + sum->M[r][2] * b[2];
        }
        for (int32_t at = i; at != RCT_GROUND; at = state->system->body[at].parent) {
            for (int64_t k = state->first[at]; k < state->first[at + 1] && k <= j; k++) {
                find_b(&state->column[k], other);
                state->M[j * state->n_c + k] =
                    moved[0] * other[0] + moved[1] * other[1] + moved[2] * other[2];
            }
        }
    }
}

/* D_i T_i R_d, which closures and the accelerations of bodies need. */
static void transform(rct_planar_state *state, int32_t i)
{
    quad *V = state->V + 3 * i * state->n_c;
    memset(V, 0, (size_t)(3 * state->n_c) * sizeof *V);
    for (int32_t at = i; at != RCT_GROUND; at = state->system->body[at].parent) {
        for (int64_t j = state->first[at]; j < state->first[at + 1]; j++) {
            quad b[3], v[3];
            find_b(&state->column[j], b);
            apply_D(state->q + 3 * i, 1, b, v);
            for (int64_t r = 0; r < 3; r++) {
                V[r * state->n_c + j] = v[r];
            }
        }
    }
}

rct_status rct_semi_recursive_2(rct_planar_state *state, rct_error *error)
{
    const rct_planar_system *system = state->system;
    const size_t n_c = (size_t)state->n_c;
    rct_pool pool = {.what = "sums over paths"};
    composite *sum = rct_pool_take(&pool, system->n_b, sizeof *sum, error);
    quad *Z = rct_pool_take(&pool, 3 * system->n_b + 3, sizeof *Z, error);
    if (pool.failed) {
        rct_pool_empty(&pool);
        return RCT_ERROR_MEMORY;
    }
    rct_planar_place(state);
    find_velocities(state, Z + 3); /* the ground first */
    find_bias(state, Z + 3);
    memset(state->M, 0, n_c * n_c * sizeof *state->M);
    rct_planar_forces(state);
    for (int32_t i = system->n_b - 1; i >= 0; i--) {
        const int32_t parent = system->body[i].parent;
        add_body(state, i, &sum[i]);
        project(state, i, &sum[i]);
        transform(state, i);
        for (int r = 0; parent != RCT_GROUND && r < 3; r++) {
            sum[parent].Q[r] += sum[i].Q[r];
            for (int c = 0; c < 3; c++) {
                sum[parent].M[r][c] += sum[i].M[r][c];
            }
        }
    }
    rct_pool_empty(&pool);
    return RCT_OK;
}
