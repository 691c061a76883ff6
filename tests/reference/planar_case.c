/* Planar systems of seed 003 by both semi-recursive formulations (planar_case.h). */
#include "tests/reference/planar_case.h"

#include "tests/support/cmocka_all.h"

#include "tests/reference/absolute_plane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void outline(long double z, long double s[3])
{
    s[0] = (long double)cam.radius + (long double)cam.cosine[0] * cosl(z) +
           (long double)cam.sine[1] * sinl(2 * z);
    s[1] = -(long double)cam.cosine[0] * sinl(z) + 2 * (long double)cam.sine[1] * cosl(2 * z);
    s[2] = -(long double)cam.cosine[0] * cosl(z) - 4 * (long double)cam.sine[1] * sinl(2 * z);
}

static plane_vector vector_of(quad2 v)
{
    return (plane_vector){(long double)v.x[0], (long double)v.x[1]};
}

/* From the centre of mass of a body; of the ground, from its origin. */
static plane_vector from_centre(const rct_planar_system *system, int32_t i, quad2 at)
{
    return vector_of(i == RCT_GROUND ? at : quad2_less(at, system->body[i].u_C));
}

static void add_joint(const rct_planar_system *system, plane_system *s, int32_t i)
{
    const rct_planar_body *body = &system->body[i];
    const rct_planar_joint *joint = &body->joint;
    plane_constraint c = {.one = i + 1,
                          .other = body->parent + 1,
                          .at = from_centre(system, i, joint->to),
                          .other_at = from_centre(system, body->parent, joint->from),
                          .h = vector_of(joint->h),
                          .outline = outline};
    const rct_planar_joint_type type = joint->type;
    if (type == PLANAR_FIXED || type == PLANAR_PRISMATIC) {
        c.type = PLANE_TURN;
        plane_constrain(s, c);
    }
    c.type = type == PLANAR_CAM_FOLLOWER                       ? PLANE_CAM
             : type == PLANAR_FIXED || type == PLANAR_REVOLUTE ? PLANE_PIN
                                                               : PLANE_LINE;
    if (type != PLANAR_FLOATING) {
        plane_constrain(s, c);
    }
}

static void add_closure(const rct_planar_system *system, plane_system *s,
                        const rct_planar_closure *closure)
{
    plane_constraint c = {.one = closure->body + 1,
                          .other = closure->other + 1,
                          .at = from_centre(system, closure->body, closure->at),
                          .other_at = from_centre(system, closure->other, closure->other_at),
                          .h = vector_of(closure->h)};
    if (closure->type == PLANAR_CLOSE_PRISMATIC) {
        c.type = PLANE_TURN;
        plane_constrain(s, c);
    }
    c.type = closure->type == PLANAR_CLOSE_REVOLUTE ? PLANE_PIN : PLANE_LINE;
    plane_constrain(s, c);
}

/* The system at the places and velocities of a state, with gravity and loads, in absolute
 * coordinates. */
static void to_absolute(const rct_planar_system *system, const rct_planar_state *state,
                        plane_system *s)
{
    memset(s, 0, sizeof *s);
    s->bodies = system->n_b + 1;
    s->body[0].given = 1;
    for (int k = 0; k < 3; k++) {
        s->body[0].x[k] = (long double)system->q_0[k];
        s->body[0].v[k] = (long double)system->q_dot_0[k];
        s->body[0].f[k] = (long double)system->q_ddot_0[k];
    }
    for (int32_t i = 0; i < system->n_b; i++) {
        const rct_planar_body *body = &system->body[i];
        plane_body *own = &s->body[i + 1];
        const quad *q = state->q + 3 * i, *v = state->q_dot + 3 * i;
        const plane_vector c = plane_turn((long double)q[2], vector_of(body->u_C));
        const long double x[3] = {(long double)q[0] + c.x, (long double)q[1] + c.y,
                                  (long double)q[2]};
        const long double rate = (long double)v[2];
        const long double w[3] = {(long double)v[0] - rate * c.y, (long double)v[1] + rate * c.x,
                                  rate};
        memcpy(own->x, x, sizeof x);
        memcpy(own->v, w, sizeof w);
        own->m = (long double)body->m;
        own->J = (long double)body->J;
        own->f[0] = own->m * (long double)system->gravity.x[0];
        own->f[1] = own->m * (long double)system->gravity.x[1];
    }
    for (int32_t k = 0; k < system->loads; k++) {
        s->body[system->load[k].body + 1].f[2] += (long double)system->load[k].moment;
    }
    for (int32_t i = 0; i < system->n_b; i++) {
        add_joint(system, s, i);
    }
    for (int32_t k = 0; k < system->closures; k++) {
        add_closure(system, s, &system->closure[k]);
    }
}

void planar_evaluate(int which, rct_planar_state *state)
{
    rct_error error = {.text = ""};
    if (rct_planar_evaluate(which, state, &error) != RCT_OK) {
        fail_msg("semi-recursive %d: %s", which, error.text);
    }
}

static double greater(double a, double b)
{
    return fabs(a) > b ? fabs(a) : b;
}

/* Largest difference of the accelerations of frames and absolute coordinates, relative to the largest. */
static double off(const rct_planar_system *system, const rct_planar_state *state,
                  const plane_system *s)
{
    double scale = 0.0, worst = 0.0;
    for (int32_t i = 0; i < system->n_b; i++) {
        const quad *a = state->q_ddot + 3 * i;
        const plane_vector origin =
            plane_acceleration(s, i + 1, from_centre(system, i, (quad2){{0, 0}}));
        const long double right[3] = {origin.x, origin.y, s->a[i + 1][2]};
        for (int k = 0; k < 3; k++) {
            scale = greater((double)right[k], scale);
            worst = greater((double)((long double)a[k] - right[k]), worst);
        }
    }
    return worst / scale;
}

void planar_check(const rct_planar_system *system, rct_planar_state *state)
{
    static plane_system s;
    const size_t rows = 3 * (size_t)system->n_b;
    quad *first = malloc(rows * sizeof *first);
    double scale = 0.0, worst = 0.0;
    assert_non_null(first);
    planar_evaluate(1, state);
    to_absolute(system, state, &s);
    assert_true(plane_solve(&s));
    memcpy(first, state->q_ddot, rows * sizeof *first);
    assert_true(off(system, state, &s) < 1e-11);
    planar_evaluate(2, state);
    assert_true(off(system, state, &s) < 1e-11);
    for (size_t k = 0; k < rows; k++) {
        scale = greater((double)first[k], scale);
        worst = greater((double)(first[k] - state->q_ddot[k]), worst);
    }
    assert_true(worst < 1e-11 * scale);
    assert_true((double)state->residual < 1e-20);
    free(first);
}

quad2 pair(double x, double y)
{
    return (quad2){{x, y}};
}

void planar_set_body(rct_planar_system *system, int32_t i, int32_t parent,
                     rct_planar_joint_type type, quad2 from, quad2 to)
{
    system->body[i] = (rct_planar_body){
        .parent = parent,
        .joint = {.type = type, .from = from, .to = to, .h = {{1, 0}}, .outline = cam},
        .m = 1.0 + 0.25 * i,
        .J = 0.02 + 0.01 * i,
        .u_C = pair(0.05 - 0.02 * i, 0.01 * i),
    };
}

rct_planar_state *quick_return(rct_planar_system *system, double phi, double rate)
{
    assert_int_equal(rct_planar_make(system, 5, 1, 2, NULL), RCT_OK);
    planar_set_body(system, 0, RCT_GROUND, PLANAR_REVOLUTE, pair(0, 0), pair(-0.5, 0));
    planar_set_body(system, 1, 0, PLANAR_PRISMATIC, pair(-0.5, 0), pair(0.03, -0.02));
    planar_set_body(system, 2, 1, PLANAR_REVOLUTE, pair(0.03, -0.02), pair(0.075, 0));
    planar_set_body(system, 3, 0, PLANAR_REVOLUTE, pair(0.5, 0), pair(-0.2, 0));
    planar_set_body(system, 4, 3, PLANAR_REVOLUTE, pair(0.2, 0), pair(0.1, 0.05));
    system->body[1].joint.theta_c = 0.2;
    system->gravity = pair(0, -9.81);
    system->load[0] = (rct_planar_load){.body = 2, .moment = 0.7};
    system->closure[0] = (rct_planar_closure){.type = PLANAR_CLOSE_REVOLUTE,
                                              .body = 2,
                                              .other = RCT_GROUND,
                                              .at = pair(-0.075, 0),
                                              .other_at = pair(0, 0.4)};
    system->closure[1] = (rct_planar_closure){.type = PLANAR_CLOSE_PRISMATIC,
                                              .body = 4,
                                              .other = RCT_GROUND,
                                              .other_at = pair(-1, 0.9),
                                              .h = pair(1, 0)};
    rct_planar_state *state = rct_planar_state_create(system, NULL);
    assert_non_null(state);
    const double px = 0.15 * cos(phi), py = 0.4 + 0.15 * sin(phi), s = hypot(px, py);
    const double vx = -0.15 * rate * sin(phi), vy = 0.15 * rate * cos(phi);
    const double beta = atan2(py, px), beta_dot = (px * vy - py * vx) / (s * s);
    const double gamma = asin((0.95 - sin(beta)) / 0.4);
    const double gamma_dot = -cos(beta) * beta_dot / (0.4 * cos(gamma));
    const double z[5] = {beta, s, phi - beta - 0.2, gamma - beta, -gamma};
    const double z_dot[5] = {beta_dot, (px * vx + py * vy) / s, rate - beta_dot,
                             gamma_dot - beta_dot, -gamma_dot};
    for (int j = 0; j < 5; j++) {
        state->z[j] = z[j];
        state->z_dot[j] = z_dot[j];
    }
    return state;
}

quad2 origin_of(const rct_planar_state *state, int32_t i)
{
    return (quad2){{state->q[3 * i], state->q[3 * i + 1]}};
}
