/* Constraints that close the loops: seed 003, eqs. 56-58 and 60, on the reference point
 * coordinates of two bodies, transformed to the joint coordinates by V, eq. 47, or D T R_d, eq.
 * 54.
 *
 *     C.. = C_q q.. + (C_q). q.,    q.. = V z.. + bias,    Q_c = -(C_q bias + (C_q). q.) */
#include "reference/planar/planar.h"

/* One scalar constraint: its rows on q of body and other, C, C. and (C_q). q. */
typedef struct constraint {
    quad own[3], far[3];
    quad C, C_dot, gamma;
} constraint;

typedef struct closing {
    quad2 u_i, u_o;              /* to the points, inertial axes                  */
    quad2 apart;                 /* r_o - r_i                                     */
    quad2 apart_dot;             /*                                               */
    quad2 apart_gamma;           /* its second derivative if q.. is zero          */
    quad2 h;                     /* inertial axes                                 */
    quad turned, rate_i, rate_o; /* theta_i - theta_o; their rates      */
} closing;

static quad2 velocity_of(const rct_planar_state *state, int64_t i, quad2 u)
{
    return quad2_add(rct_planar_point(state->q_dot, i),
                     quad2_scale(state->q_dot[3 * i + 2], quad2_tilde(u)));
}

static closing look(const rct_planar_state *state, const rct_planar_closure *closure)
{
    const int64_t i = closure->body, o = closure->other;
    closing c = {.u_i = rct_planar_arm(state, i, closure->at),
                 .u_o = rct_planar_arm(state, o, closure->other_at),
                 .h = rct_planar_arm(state, o, closure->h),
                 .turned = state->q[3 * i + 2] - state->q[3 * o + 2],
                 .rate_i = state->q_dot[3 * i + 2],
                 .rate_o = state->q_dot[3 * o + 2]};
    c.apart = quad2_less(quad2_add(rct_planar_point(state->q, o), c.u_o),
                         quad2_add(rct_planar_point(state->q, i), c.u_i));
    c.apart_dot = quad2_less(velocity_of(state, o, c.u_o), velocity_of(state, i, c.u_i));
    c.apart_gamma = quad2_less(quad2_scale(c.rate_i * c.rate_i, c.u_i),
                               quad2_scale(c.rate_o * c.rate_o, c.u_o));
    return c;
}

/* Component k of r_i - r_o, eq. 56. */
static constraint meet(const closing *c, int k)
{
    constraint one = {
        .C = -c->apart.x[k], .C_dot = -c->apart_dot.x[k], .gamma = -c->apart_gamma.x[k]};
    one.own[k] = 1;
    one.far[k] = -1;
    one.own[2] = quad2_tilde(c->u_i).x[k];
    one.far[2] = -quad2_tilde(c->u_o).x[k];
    return one;
}

/* (I~ h)^T (r_o - r_i), eq. 57, with h. = theta_o. I~ h and I~ I~ = -1. */
static constraint stay_on_line(const closing *c)
{
    const quad2 p = quad2_tilde(c->h);
    const quad rate = c->rate_o;
    return (constraint){
        .own = {-p.x[0], -p.x[1], -quad2_dot(c->h, c->u_i)},
        .far = {p.x[0], p.x[1], quad2_dot(c->h, quad2_less(c->u_o, c->apart))},
        .C = quad2_dot(p, c->apart),
        .C_dot = quad2_dot(p, c->apart_dot) - rate * quad2_dot(c->h, c->apart),
        .gamma = quad2_dot(p, c->apart_gamma) - 2 * rate * quad2_dot(c->h, c->apart_dot) -
                 rate * rate * quad2_dot(p, c->apart),
    };
}

/* rho - s(z), eq. B.5; `g` is its gradient in the plane. */
static constraint follow(const rct_planar_closure *cam, const closing *c, quad2 *g)
{
    const quad2 h = c->h, p = quad2_tilde(h), D = quad2_scale(-1, c->apart);
    const quad2 D_dot = quad2_scale(-1, c->apart_dot), D_gamma = quad2_scale(-1, c->apart_gamma);
    const quad rate = c->rate_o, x = quad2_dot(D, h), y = quad2_dot(D, p);
    const quad rho = quad_root(x * x + y * y);
    const quad2 e = {{x / rho, y / rho}};
    quad2 wave = {{1, 0}};
    quad s[3] = {cam->radius, 0, 0};
    for (int k = 0; k < PLANAR_WAVES; k++) {
        wave = quad2_turned(e, wave);
        s[0] += cam->cosine[k] * wave.x[0] + cam->sine[k] * wave.x[1];
        s[1] += (k + 1) * (cam->sine[k] * wave.x[0] - cam->cosine[k] * wave.x[1]);
        s[2] -= (quad)(k + 1) * (k + 1) * (cam->cosine[k] * wave.x[0] + cam->sine[k] * wave.x[1]);
    }
    const quad gx = e.x[0] + s[1] / rho * e.x[1], gy = e.x[1] - s[1] / rho * e.x[0];
    const quad vx = quad2_dot(D_dot, h) + rate * y, vy = quad2_dot(D_dot, p) - rate * x;
    const quad ax = quad2_dot(D_gamma, h) + 2 * rate * quad2_dot(D_dot, p) - rate * rate * x;
    const quad ay = quad2_dot(D_gamma, p) - 2 * rate * quad2_dot(D_dot, h) - rate * rate * y;
    const quad out = e.x[0] * vx + e.x[1] * vy, turn = (e.x[0] * vy - e.x[1] * vx) / rho;
    *g = quad2_add(quad2_scale(gx, h), quad2_scale(gy, p));
    return (constraint){
        .own = {g->x[0], g->x[1], quad2_dot(*g, quad2_tilde(c->u_i))},
        .far = {-g->x[0], -g->x[1], gx * y - gy * x - quad2_dot(*g, quad2_tilde(c->u_o))},
        .C = rho - s[0],
        .C_dot = gx * vx + gy * vy,
        .gamma = gx * ax + gy * ay + (rho - s[2]) * turn * turn + 2 * s[1] / rho * out * turn,
    };
}

static int32_t constraints_of(const rct_planar_closure *closure, const closing *c,
                              constraint rows[2])
{
    switch (closure->type) {
    case PLANAR_CLOSE_REVOLUTE:
        rows[0] = meet(c, 0);
        rows[1] = meet(c, 1);
        return 2;
    case PLANAR_CLOSE_PRISMATIC: /* theta_i - theta_o - theta_c, eq. 57 */
        rows[0] = (constraint){.own = {0, 0, 1},
                               .far = {0, 0, -1},
                               .C = c->turned - closure->theta_c,
                               .C_dot = c->rate_i - c->rate_o};
        rows[1] = stay_on_line(c);
        return 2;
    case PLANAR_CLOSE_POINT_TO_LINE: rows[0] = stay_on_line(c); return 1;
    case PLANAR_CLOSE_CAM: {
        quad2 g;
        rows[0] = follow(closure, c, &g);
        return 1;
    }
    }
    return 0;
}

/* C_z = C_q V of both bodies. Entries that cancel except for rounding become zero; otherwise a
 * constraint that no joint can fulfil would look like one that some can. */
static void project(const rct_planar_state *state, const rct_planar_closure *closure,
                    const constraint *row, quad *C_z)
{
    static const double rounding = 1e-28;
    const int64_t i = closure->body, o = closure->other;
    for (int64_t j = 0; j < state->n_c; j++) {
        quad sum = 0, size = 0;
        for (int64_t r = 0; r < 3; r++) {
            const quad own = row->own[r] * state->V[(3 * i + r) * state->n_c + j];
            const quad far = row->far[r] * state->V[(3 * o + r) * state->n_c + j];
            sum += own + far;
            size += quad_abs(own) + quad_abs(far);
        }
        C_z[j] = quad_abs(sum) > rounding * size ? sum : 0;
    }
}

void rct_planar_reaction(const rct_planar_state *state, int32_t k, const quad *lambda, quad2 *force,
                         quad *moment)
{
    const rct_planar_closure *closure = &state->system->closure[k];
    const quad2 across = quad2_tilde(rct_planar_arm(state, closure->other, closure->h));
    *moment = 0;
    switch (closure->type) {
    case PLANAR_CLOSE_REVOLUTE: *force = (quad2){{-lambda[0], -lambda[1]}}; break;
    case PLANAR_CLOSE_PRISMATIC:
        *moment = -lambda[0];
        *force = quad2_scale(lambda[1], across);
        break;
    case PLANAR_CLOSE_POINT_TO_LINE: *force = quad2_scale(lambda[0], across); break;
    case PLANAR_CLOSE_CAM: {
        const closing c = look(state, closure);
        quad2 g;
        follow(closure, &c, &g);
        *force = quad2_scale(-lambda[0], g);
        break;
    }
    }
}

void rct_planar_close(rct_planar_state *state, quad *violation)
{
    const rct_planar_system *system = state->system;
    int64_t at = 0;
    for (int32_t k = 0; k < system->closures; k++) {
        const rct_planar_closure *closure = &system->closure[k];
        const closing c = look(state, closure);
        const quad *bias_i = state->bias + 3 * closure->body;
        const quad *bias_o = state->bias + 3 * closure->other;
        constraint rows[2];
        const int32_t count = constraints_of(closure, &c, rows);
        for (int32_t r = 0; r < count; r++, at++) {
            quad Q_c =
                -rows[r].gamma - 2 * system->a * rows[r].C_dot - system->b * system->b * rows[r].C;
            for (int i = 0; i < 3; i++) {
                Q_c -= rows[r].own[i] * bias_i[i] + rows[r].far[i] * bias_o[i];
            }
            state->Q_c[at] = Q_c;
            project(state, closure, &rows[r], state->C_z + at * state->n_c);
            if (violation != NULL) {
                violation[at] = rows[r].C;
                violation[state->constraints + at] = rows[r].C_dot;
            }
        }
    }
}
