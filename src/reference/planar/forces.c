/* Inertia of one planar body and the forces on all of them, on the reference point coordinates: seed 003,
 * after eqs. 44 and 45. A force f at the arm u from the origin of the body frame is L^T f = (f, (I~ u)^T f). */
#include "reference/planar/planar.h"

#include <stddef.h>

/* M_i = [m 1, m I~ u; ., J + m u^T u], u from the origin of the frame to the centre of mass. */
void rct_planar_mass(const rct_planar_system *system, const rct_planar_state *state, int32_t i,
                     const quad x[3], quad y[3])
{
    const rct_planar_body *body = &system->body[i];
    const quad2 u = rct_planar_arm(state, system, i, body->u_C), side = quad2_tilde(u);
    y[0] = body->m * (x[0] + side.x[0] * x[2]);
    y[1] = body->m * (x[1] + side.x[1] * x[2]);
    y[2] = side.x[0] * y[0] + side.x[1] * y[1] + body->J * x[2];
}

/* Q_v = - integral rho L^T L. q. = theta.^2 (m u, 0); the paper lacks the sign that eq. 43 wants. */
void rct_planar_centrifugal(const rct_planar_system *system, const rct_planar_state *state,
                            int32_t i, quad y[3])
{
    const rct_planar_body *body = &system->body[i];
    const quad rate = state->q_dot[3 * (int64_t)i + 2];
    const quad2 u = rct_planar_arm(state, system, i, body->u_C);
    y[0] = body->m * rate * rate * u.x[0];
    y[1] = body->m * rate * rate * u.x[1];
    y[2] = 0;
}

static void add_force(rct_planar_state *state, int32_t i, quad2 arm, quad2 force)
{
    if (i != RCT_GROUND) {
        quad *Q_e = state->Q_e + 3 * (int64_t)i;
        Q_e[0] += force.x[0];
        Q_e[1] += force.x[1];
        Q_e[2] += quad2_dot(quad2_tilde(arm), force);
    }
}

static void add_load(const rct_planar_system *system, rct_planar_state *state,
                     const rct_planar_load *load)
{
    const quad2 arm = rct_planar_arm(state, system, load->body, load->at);
    const quad2 force =
        load->in_body_axes ? rct_planar_arm(state, system, load->body, load->force) : load->force;
    add_force(state, load->body, arm, force);
    state->Q_e[3 * (int64_t)load->body + 2] += load->moment;
}

/* A spring's end: its arm, place and velocity. Those on the ground are inertial. */
typedef struct spring_end {
    quad2 arm, r, r_dot;
} spring_end;

static spring_end end_of(const rct_planar_system *system, const rct_planar_state *state, int32_t i,
                         quad2 at)
{
    spring_end end = {.arm = at, .r = at};
    if (i != RCT_GROUND) {
        const quad *q = state->q + 3 * (int64_t)i, *q_dot = state->q_dot + 3 * (int64_t)i;
        end.arm = rct_planar_arm(state, system, i, at);
        end.r = quad2_add((quad2){{q[0], q[1]}}, end.arm);
        end.r_dot =
            quad2_add((quad2){{q_dot[0], q_dot[1]}}, quad2_scale(q_dot[2], quad2_tilde(end.arm)));
    }
    return end;
}

static void add_spring(const rct_planar_system *system, rct_planar_state *state,
                       const rct_planar_spring *spring)
{
    const spring_end one = end_of(system, state, spring->body, spring->at);
    const spring_end other = end_of(system, state, spring->other, spring->other_at);
    const quad2 way = quad2_less(other.r, one.r), way_dot = quad2_less(other.r_dot, one.r_dot);
    const quad distance = quad_root(quad2_dot(way, way) + spring->apart * spring->apart);
    if (distance > 0) {
        const quad rate = quad2_dot(way, way_dot) / distance;
        const quad pull = spring->stiffness * (distance - spring->length) + spring->damping * rate;
        const quad2 force = quad2_scale(pull / distance, way);
        add_force(state, spring->body, one.arm, force);
        add_force(state, spring->other, other.arm, quad2_scale(-1, force));
    }
}

void rct_planar_forces(const rct_planar_system *system, rct_planar_state *state)
{
    for (int32_t i = 0; i < system->n_b; i++) {
        const rct_planar_body *body = &system->body[i];
        const rct_planar_joint *joint = &body->joint;
        const int64_t first = state->first[i];
        for (int64_t j = 0; j < state->first[i + 1] - first; j++) {
            state->Q[first + j] += joint->applied[j] -
                                   joint->stiffness[j] * (state->z[first + j] - joint->rest[j]) -
                                   joint->damping[j] * state->z_dot[first + j];
        }
        state->Q_e[3 * (int64_t)i] = state->Q_e[3 * (int64_t)i + 1] = 0;
        state->Q_e[3 * (int64_t)i + 2] = 0;
        add_force(state, i, rct_planar_arm(state, system, i, body->u_C),
                  quad2_scale(body->m, system->gravity));
    }
    for (int32_t k = 0; k < system->loads; k++) {
        add_load(system, state, &system->load[k]);
    }
    for (int32_t k = 0; k < system->springs; k++) {
        add_spring(system, state, &system->spring[k]);
    }
}
