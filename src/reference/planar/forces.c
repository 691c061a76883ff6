/* Inertia of one planar body and the forces on all of them, on the reference point coordinates: seed 003,
 * after eqs. 44 and 45. A force f at the arm u from the origin of the body frame is L^T f = (f, (I~ u)^T f). */
#include "reference/planar/planar.h"

#include <string.h>

/* M_i = [m 1, m I~ u; ., J + m u^T u], u from the origin of the frame to the centre of mass. */
void rct_planar_mass(const rct_planar_state *state, int32_t i, const quad x[3], quad y[3])
{
    const rct_planar_body *body = &state->system->body[i];
    const quad2 u = rct_planar_arm(state, i, body->u_C), side = quad2_tilde(u);
    y[0] = body->m * (x[0] + side.x[0] * x[2]);
    y[1] = body->m * (x[1] + side.x[1] * x[2]);
    y[2] = side.x[0] * y[0] + side.x[1] * y[1] + body->J * x[2];
}

/* Q_v = - integral rho L^T L. q. = theta.^2 (m u, 0); the paper lacks the sign that eq. 43 wants. */
void rct_planar_centrifugal(const rct_planar_state *state, int32_t i, quad y[3])
{
    const rct_planar_body *body = &state->system->body[i];
    const quad rate = state->q_dot[3 * i + 2];
    const quad2 u = rct_planar_arm(state, i, body->u_C);
    y[0] = body->m * rate * rate * u.x[0];
    y[1] = body->m * rate * rate * u.x[1];
    y[2] = 0;
}

/* At the centre of mass. */
static void add_force(rct_planar_state *state, int32_t i, quad2 force)
{
    const quad2 arm = rct_planar_arm(state, i, state->system->body[i].u_C);
    quad *Q_e = state->Q_e + 3 * i;
    Q_e[0] += force.x[0];
    Q_e[1] += force.x[1];
    Q_e[2] += quad2_dot(quad2_tilde(arm), force);
}

void rct_planar_forces(rct_planar_state *state)
{
    const rct_planar_system *system = state->system;
    memset(state->Q_e, 0, 3 * (size_t)system->n_b * sizeof *state->Q_e);
    memset(state->Q, 0, (size_t)state->n_c * sizeof *state->Q);
    for (int32_t i = 0; i < system->n_b; i++) {
        const rct_planar_body *body = &system->body[i];
        const rct_planar_joint *joint = &body->joint;
        const int64_t first = state->first[i];
        for (int64_t j = 0; j < state->first[i + 1] - first; j++) {
            state->Q[first + j] += joint->applied[j] -
                                   joint->stiffness[j] * (state->z[first + j] - joint->rest[j]) -
                                   joint->damping[j] * state->z_dot[first + j];
        }
        add_force(state, i, quad2_scale(body->m, system->gravity));
    }
    for (int32_t k = 0; k < system->loads; k++) {
        const rct_planar_load *load = &system->load[k];
        add_force(state, load->body, load->force);
        state->Q_e[3 * load->body + 2] += load->moment;
    }
}
