/* Planar systems (planar.h): memory, the places of bodies and the forces on them; seed 003, eqs.
 * 15, 19, B.2, B.6. */
#include "reference/planar/planar.h"

#include "core/error.h"
#include "core/memory.h"

#include <inttypes.h>
#include <string.h>

rct_status rct_planar_make(rct_planar_system *system, int32_t n_b, int32_t loads, int32_t closures,
                           rct_error *error)
{
    *system = (rct_planar_system){
        .n_b = n_b, .loads = loads, .closures = closures, .pool = {.what = "a planar system"}};
    if (n_b > PLANAR_MOST_BODIES) {
        return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                        "%" PRId32 " bodies are too many for the semi-recursive references, which "
                        "take at most %d; use a smaller model, or the reference lagrange",
                        n_b, (int)PLANAR_MOST_BODIES);
    }
    system->body = rct_pool_take(&system->pool, n_b, sizeof *system->body, error);
    system->load = rct_pool_take(&system->pool, loads, sizeof *system->load, error);
    system->closure = rct_pool_take(&system->pool, closures, sizeof *system->closure, error);
    return system->pool.failed ? RCT_ERROR_MEMORY : RCT_OK;
}

void rct_planar_free(rct_planar_system *system)
{
    rct_pool_empty(&system->pool);
    *system = (rct_planar_system){.n_b = 0};
}

static int32_t coordinates_of(rct_planar_joint_type type)
{
    static const int32_t coordinates[] = {
        [PLANAR_FIXED] = 0,         [PLANAR_REVOLUTE] = 1,     [PLANAR_PRISMATIC] = 1,
        [PLANAR_POINT_TO_LINE] = 2, [PLANAR_CAM_FOLLOWER] = 2, [PLANAR_FLOATING] = 3,
    };
    return coordinates[type];
}

int32_t rct_planar_constraints(rct_planar_closure_type type)
{
    return type == PLANAR_CLOSE_POINT_TO_LINE || type == PLANAR_CLOSE_CAM ? 1 : 2;
}

/* `ground` numbers of each array come before those of the first body. */
static int make_state(rct_planar_state *s, rct_error *error)
{
    const int64_t n_b = s->system->n_b, n = s->n_c, rows = 3 * n_b, m = s->constraints;
    const struct {
        quad **numbers;
        int64_t ground, count;
    } all[] = {{&s->z, 0, n},        {&s->z_dot, 0, n},        {&s->q, 3, rows},
               {&s->q_dot, 3, rows}, {&s->V, 3 * n, rows * n}, {&s->bias, 3, rows},
               {&s->Q_e, 0, rows},   {&s->M, 0, n * n},        {&s->Q, 0, n},
               {&s->C_z, 0, m * n},  {&s->Q_c, 0, m},          {&s->z_ddot, 0, n},
               {&s->lambda, 0, m},   {&s->q_ddot, 0, rows}};
    s->pool.what = "a planar state";
    s->first = rct_pool_take(&s->pool, n_b + 1, sizeof *s->first, error);
    s->column = rct_pool_take(&s->pool, n, sizeof *s->column, error);
    s->turn = rct_pool_take(&s->pool, n_b + 1, sizeof *s->turn, error);
    for (size_t k = 0; k < sizeof all / sizeof *all && !s->pool.failed; k++) {
        quad *whole = rct_pool_take(&s->pool, all[k].ground + all[k].count, sizeof(quad), error);
        *all[k].numbers = whole != NULL ? whole + all[k].ground : NULL;
    }
    if (s->pool.failed) {
        return 0;
    }
    s->turn++;
    return 1;
}

rct_planar_state *rct_planar_state_create(const rct_planar_system *system, rct_error *error)
{
    rct_planar_state *state = rct_allocate(1, sizeof *state, "a planar state", error);
    if (state == NULL) {
        return NULL;
    }
    state->system = system;
    state->dependent = -1;
    for (int32_t i = 0; i < system->n_b; i++) {
        state->n_c += coordinates_of(system->body[i].joint.type);
    }
    for (int32_t c = 0; c < system->closures; c++) {
        state->constraints += rct_planar_constraints(system->closure[c].type);
    }
    if (!make_state(state, error)) {
        rct_planar_state_free(state);
        return NULL;
    }
    for (int32_t i = 0; i < system->n_b; i++) {
        state->first[i + 1] = state->first[i] + coordinates_of(system->body[i].joint.type);
    }
    return state;
}

void rct_planar_state_free(rct_planar_state *state)
{
    if (state != NULL) {
        rct_pool_empty(&state->pool);
        rct_release(state);
    }
}

/* a = s (cos z, sin z) and its first two derivatives, in the axes of the cam; eq. B.5. With z as a complex
 * number a = s e, a' = (s' + i s) e, a'' = (s'' - s + 2 i s') e. */
static void follow(const rct_planar_outline *cam, quad z, quad2 a[3])
{
    quad s[3] = {cam->radius, 0, 0};
    for (int k = 0; k < PLANAR_HARMONICS; k++) {
        const quad n = k + 1;
        const quad2 e = quad2_of_angle(n * z);
        const quad wave = cam->cosine[k] * e.x[0] + cam->sine[k] * e.x[1];
        s[0] += wave;
        s[1] += n * (cam->sine[k] * e.x[0] - cam->cosine[k] * e.x[1]);
        s[2] -= n * n * wave;
    }
    const quad2 e = quad2_of_angle(z);
    a[0] = quad2_turned((quad2){{s[0], 0}}, e);
    a[1] = quad2_turned((quad2){{s[1], s[0]}}, e);
    a[2] = quad2_turned((quad2){{s[2] - s[0], 2 * s[1]}}, e);
}

/* The columns of the translations of a joint; returns the displacement of P. */
static quad2 slide(const rct_planar_joint *joint, quad2 A, const quad *z, rct_planar_column *column)
{
    const quad2 h = quad2_turned(A, joint->h);
    quad2 a[3];
    switch (joint->type) {
    case PLANAR_FLOATING:
        column[0].h = h;
        column[1].h = quad2_tilde(h);
        return quad2_add(quad2_scale(z[0], h), quad2_scale(z[1], column[1].h));
    case PLANAR_PRISMATIC:
    case PLANAR_POINT_TO_LINE: column[0].h = h; return quad2_scale(z[0], h);
    case PLANAR_CAM_FOLLOWER:
        follow(&joint->outline, z[0], a);
        column[0].h = quad2_turned(A, a[1]);
        column[0].k = quad2_turned(A, a[2]);
        return quad2_turned(A, a[0]);
    case PLANAR_FIXED:
    case PLANAR_REVOLUTE: break;
    }
    return (quad2){{0, 0}};
}

void rct_planar_place(rct_planar_state *state)
{
    const rct_planar_system *system = state->system;
    memcpy(state->q - 3, system->q_0, sizeof system->q_0);
    memcpy(state->q_dot - 3, system->q_dot_0, sizeof system->q_dot_0);
    memcpy(state->bias - 3, system->q_ddot_0, sizeof system->q_ddot_0);
    state->turn[RCT_GROUND] = quad2_of_angle(system->q_0[2]);
    for (int32_t i = 0; i < system->n_b; i++) {
        const rct_planar_body *body = &system->body[i];
        const rct_planar_joint *joint = &body->joint;
        const int32_t count = coordinates_of(joint->type);
        const int turns = joint->type != PLANAR_FIXED && joint->type != PLANAR_PRISMATIC;
        const quad *z = state->z + state->first[i];
        rct_planar_column *column = state->column + state->first[i];
        for (int32_t j = 0; j < count; j++) {
            column[j] = (rct_planar_column){.body = i, .turns = turns && j == count - 1};
        }
        const quad2 A = state->turn[body->parent];
        const quad2 a = quad2_add(quad2_turned(A, joint->from), slide(joint, A, z, column));
        const quad2 P = quad2_add(rct_planar_point(state->q, body->parent), a);
        const quad theta =
            state->q[3 * body->parent + 2] + joint->theta_c + (turns ? z[count - 1] : 0);
        state->turn[i] = quad2_of_angle(theta);
        if (turns) {
            column[count - 1].r = P;
        }
        const quad2 R = quad2_less(P, quad2_turned(state->turn[i], joint->to));
        quad *own = state->q + 3 * i;
        own[0] = R.x[0];
        own[1] = R.x[1];
        own[2] = theta;
    }
}

/* ---- inertia of one body and the forces on all, on the reference point coordinates: after eqs.
 * 44 and 45. A force f at the arm u from the origin of the body frame is L^T f = (f, (I~ u)^T f)
 * ---- */

/* M_i = [m 1, m I~ u; ., J + m u^T u], u from the origin of the frame to the centre of mass. */
void rct_planar_mass(const rct_planar_state *state, int32_t i, const quad x[3], quad y[3])
{
    const rct_planar_body *body = &state->system->body[i];
    const quad2 u = rct_planar_arm(state, i, body->u_C), side = quad2_tilde(u);
    y[0] = body->m * (x[0] + side.x[0] * x[2]);
    y[1] = body->m * (x[1] + side.x[1] * x[2]);
    y[2] = side.x[0] * y[0] + side.x[1] * y[1] + body->J * x[2];
}

/* Q_v = - integral rho L^T L. q. = theta.^2 (m u, 0); the paper lacks the sign that eq. 43
 * requires. */
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
