/* The planar systems of seed 003 by both semi-recursive formulations: its quick-return mechanism, point-to-line
 * and cam-follower joints, and random trees of all joints with loops, against absolute coordinates with
 * multipliers, the matrices of the paper, and differences of positions. */
#include "cmocka_all.h"

#include "core/memory.h"
#include "reference/planar.h"
#include "support/absolute_plane.h"
#include "support/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The cam of all tests. */
static const rct_planar_outline cam = {0.6, {0.1, 0, 0, 0}, {0, 0.05, 0, 0}};

static void outline(long double z, long double s[3])
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

/* The system at the places and velocities of a state, gravity and loads acting, in absolute coordinates. */
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

static void evaluate(const rct_planar_system *system, int which, rct_planar_state *state)
{
    rct_error error = {.text = ""};
    if (rct_planar_evaluate(system, which, state, &error) != RCT_OK) {
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

/* Both formulations, held against each other and absolute coordinates. */
static void check(const rct_planar_system *system, rct_planar_state *state)
{
    static plane_system s;
    const size_t rows = 3 * (size_t)system->n_b;
    quad *first = malloc(rows * sizeof *first);
    double scale = 0.0, worst = 0.0;
    assert_non_null(first);
    evaluate(system, 1, state);
    to_absolute(system, state, &s);
    assert_true(plane_solve(&s));
    memcpy(first, state->q_ddot, rows * sizeof *first);
    assert_true(off(system, state, &s) < 1e-11);
    evaluate(system, 2, state);
    assert_true(off(system, state, &s) < 1e-11);
    for (size_t k = 0; k < rows; k++) {
        scale = greater((double)first[k], scale);
        worst = greater((double)(first[k] - state->q_ddot[k]), worst);
    }
    assert_true(worst < 1e-11 * scale);
    assert_true((double)state->residual < 1e-20);
    free(first);
}

static quad2 pair(double x, double y)
{
    return (quad2){{x, y}};
}

static void set_body(rct_planar_system *system, int32_t i, int32_t parent,
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

/* Fig. 8: lever 1 on the ground, slider 2 on it, crank 3 on the slider and at D on the ground, rod 4 on the
 * lever, ram 5 on the rod and at E, F on the ground. A torque drives the crank, which is at the angle phi. */
static rct_planar_state *quick_return(rct_planar_system *system, double phi, double rate)
{
    assert_int_equal(rct_planar_make(system, 5, 1, 0, 2, NULL), RCT_OK);
    set_body(system, 0, RCT_GROUND, PLANAR_REVOLUTE, pair(0, 0), pair(-0.5, 0));
    set_body(system, 1, 0, PLANAR_PRISMATIC, pair(-0.5, 0), pair(0.03, -0.02));
    set_body(system, 2, 1, PLANAR_REVOLUTE, pair(0.03, -0.02), pair(0.075, 0));
    set_body(system, 3, 0, PLANAR_REVOLUTE, pair(0.5, 0), pair(-0.2, 0));
    set_body(system, 4, 3, PLANAR_REVOLUTE, pair(0.2, 0), pair(0.1, 0.05));
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

static void test_quick_return(void **unused)
{
    (void)unused;
    for (int k = 0; k < 12; k++) {
        rct_planar_system system;
        rct_planar_state *state = quick_return(&system, 0.5 * k, 3.0 - k);
        quad violation[8];
        check(&system, state);
        rct_planar_close(&system, state, violation);
        for (int row = 0; row < 8; row++) {
            assert_true(fabs((double)violation[row]) < 1e-14);
        }
        rct_planar_state_free(state);
        rct_planar_free(&system);
    }
}

static quad2 origin_of(const rct_planar_state *state, int32_t i)
{
    return (quad2){{state->q[3 * i], state->q[3 * i + 1]}};
}

/* Column j, body i of V; eq. 38: [I~ (R_i - r_j); 1], [h; 0] or nothing. */
static void expect_column(const rct_planar_state *state, int32_t i, int64_t j, quad2 move,
                          quad turn)
{
    const quad right[3] = {move.x[0], move.x[1], turn};
    for (int r = 0; r < 3; r++) {
        const quad v = state->V[(3 * i + r) * state->n_c + j];
        assert_true(fabs((double)(v - right[r])) < 1e-25);
    }
}

/* Eq. 38, which D T R_d of semi-recursive II must be too. */
static void test_velocity_transformation(void **unused)
{
    (void)unused;
    static const int path[5][5] = {
        {1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 1, 1, 0, 0}, {1, 0, 0, 1, 0}, {1, 0, 0, 1, 1}};
    for (int which = 1; which <= 2; which++) {
        rct_planar_system system;
        rct_planar_state *state = quick_return(&system, 1.0, 2.0);
        evaluate(&system, which, state);
        for (int32_t i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++) {
                const rct_planar_joint *joint = &system.body[j].joint;
                const quad2 r_j =
                    quad2_add(origin_of(state, j), rct_planar_arm(state, &system, j, joint->to));
                const quad2 arm = quad2_tilde(quad2_less(origin_of(state, i), r_j));
                const quad2 h = rct_planar_arm(state, &system, 0, joint->h);
                const quad2 move = j == 1 ? h : arm;
                expect_column(state, i, j, path[i][j] ? move : pair(0, 0), path[i][j] && j != 1);
            }
        }
        rct_planar_state_free(state);
        rct_planar_free(&system);
    }
}

/* B.3: one body whose point slides along a line on the ground. */
static void test_point_to_line(void **unused)
{
    (void)unused;
    rct_planar_system system;
    assert_int_equal(rct_planar_make(&system, 1, 1, 0, 0, NULL), RCT_OK);
    set_body(&system, 0, RCT_GROUND, PLANAR_POINT_TO_LINE, pair(0.3, 0.1), pair(-0.4, 0.1));
    system.body[0].joint.h = pair(0.6, 0.8);
    system.body[0].joint.theta_c = 0.4;
    system.gravity = pair(1, -9.81);
    system.load[0] = (rct_planar_load){.body = 0, .moment = -0.4};
    rct_planar_state *state = rct_planar_state_create(&system, NULL);
    state->z[0] = 0.7;
    state->z[1] = -1.2;
    state->z_dot[0] = 1.1;
    state->z_dot[1] = 2.3;
    check(&system, state);
    const quad2 P = pair(0.3 + 0.6 * 0.7, 0.1 + 0.8 * 0.7);
    assert_true(fabs((double)(state->q[2] + 0.8)) < 1e-15);
    const quad2 arm = quad2_tilde(quad2_less(origin_of(state, 0), P));
    const double right[2][3] = {{0.6, 0.8, 0.0}, {(double)arm.x[0], (double)arm.x[1], 1.0}};
    for (int j = 0; j < 2; j++) {
        for (int r = 0; r < 3; r++) {
            assert_true(fabs((double)state->V[2 * r + j] - right[j][r]) < 1e-15);
        }
    }
    rct_planar_state_free(state);
    rct_planar_free(&system);
}

/* Fig. B.10: cam 1 on the ground, follower 2 touching it with a point. In the angle z_3 of B.6, which counts
 * from the ground, the columns are those of B.7: z_cam has V^cam - V^angle. */
static void test_cam_follower(void **unused)
{
    (void)unused;
    for (int k = 0; k < 8; k++) {
        rct_planar_system system;
        assert_int_equal(rct_planar_make(&system, 2, 1, 0, 0, NULL), RCT_OK);
        set_body(&system, 0, RCT_GROUND, PLANAR_REVOLUTE, pair(0.2, -0.1), pair(0.1, 0.05));
        set_body(&system, 1, 0, PLANAR_CAM_FOLLOWER, pair(0.1, 0.05), pair(0.3, -0.4));
        system.gravity = pair(0, -9.81);
        system.load[0] = (rct_planar_load){.body = 0, .moment = 2.0};
        rct_planar_state *state = rct_planar_state_create(&system, NULL);
        const double z[3] = {0.3 + k, 0.8 * k, 1.0 - k}, z_dot[3] = {1.5, -2.0 + k, 0.7};
        for (int j = 0; j < 3; j++) {
            state->z[j] = z[j];
            state->z_dot[j] = z_dot[j];
        }
        check(&system, state);
        long double s[3];
        outline(z[1], s);
        const long double polar = (long double)z[0] + z[1];
        const plane_vector a = plane_turn(polar, (plane_vector){s[0], 0});
        const plane_vector slope = plane_turn(polar, (plane_vector){s[1], s[0]});
        const double P[2] = {0.2 + (double)a.x, -0.1 + (double)a.y};
        const double right[3][3] = {
            {-(double)a.y, (double)a.x, 0.0},
            {(double)slope.x, (double)slope.y, 0.0},
            {-((double)state->q[4] - P[1]), (double)state->q[3] - P[0], 1.0},
        };
        for (int r = 0; r < 3; r++) {
            const quad *V = state->V + (3 + r) * 3;
            assert_true(fabs((double)(V[0] - V[2]) - right[0][r]) < 1e-14);
            assert_true(fabs((double)V[1] - right[1][r]) < 1e-14);
            assert_true(fabs((double)V[2] - right[2][r]) < 1e-14);
        }
        rct_planar_state_free(state);
        rct_planar_free(&system);
    }
}

static quad draw_quad(uint64_t *seed, double size)
{
    return draw_between(seed, -size, size);
}

static quad2 draw_pair(uint64_t *seed, double size)
{
    const quad x = draw_quad(seed, size);
    return (quad2){{x, draw_quad(seed, size)}};
}

static int32_t draw_end(uint64_t *seed, int32_t n)
{
    return (int32_t)(draw_bits(seed) % (uint64_t)(n + 1)) - 1;
}

static quad2 draw_direction(uint64_t *seed)
{
    return quad2_of_angle(draw_quad(seed, 3.0));
}

/* A tree of all joints, the ground moving, `closures` loops in a state that does not fulfil them. */
static rct_planar_state *draw_system(rct_planar_system *system, int32_t n, int32_t closures,
                                     uint64_t seed)
{
    assert_int_equal(rct_planar_make(system, n, 2, 0, closures, NULL), RCT_OK);
    for (int32_t i = 0; i < n; i++) {
        const rct_planar_joint_type type = (rct_planar_joint_type)(draw_bits(&seed) % 6);
        set_body(system, i, draw_end(&seed, i), type, draw_pair(&seed, 1.0), draw_pair(&seed, 1.0));
        system->body[i].joint.h = draw_direction(&seed);
        system->body[i].joint.theta_c = draw_quad(&seed, 3.0);
    }
    for (int32_t k = 0; k < 2; k++) {
        system->load[k] = (rct_planar_load){.body = n - 1 - k, .moment = draw_quad(&seed, 5.0)};
    }
    for (int32_t k = 0; k < closures; k++) {
        const int32_t body = n - 1 - k;
        system->closure[k] = (rct_planar_closure){
            .type = (rct_planar_closure_type)(draw_bits(&seed) % 3),
            .body = body,
            .other = draw_end(&seed, body - 1),
            .at = draw_pair(&seed, 1.0),
            .other_at = draw_pair(&seed, 1.0),
            .h = draw_direction(&seed),
            .theta_c = draw_quad(&seed, 3.0),
        };
    }
    system->gravity = draw_pair(&seed, 10.0);
    for (int k = 0; k < 3; k++) {
        system->q_0[k] = draw_quad(&seed, 1.0);
        system->q_dot_0[k] = draw_quad(&seed, 1.0);
        system->q_ddot_0[k] = draw_quad(&seed, 1.0);
    }
    rct_planar_state *state = rct_planar_state_create(system, NULL);
    assert_non_null(state);
    for (int64_t j = 0; j < state->n_c; j++) {
        state->z[j] = draw_quad(&seed, 2.0);
        state->z_dot[j] = draw_quad(&seed, 2.0);
    }
    return state;
}

static void test_random_systems(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        rct_planar_system system;
        const int32_t n = 6 + (int32_t)(seed % 9);
        rct_planar_state *state = draw_system(&system, n, 0, seed);
        check(&system, state);
        rct_planar_state_free(state);
        rct_planar_free(&system);
    }
}

/* Loops at random may be redundant, or close what does not move: both must say so. */
static void test_random_loops(void **unused)
{
    (void)unused;
    int checked = 0;
    for (uint64_t seed = 1; seed <= 80; seed++) {
        rct_planar_system system;
        rct_planar_state *state = draw_system(&system, 12, 2, seed);
        rct_error error;
        if (rct_planar_evaluate(&system, 1, state, &error) == RCT_OK) {
            check(&system, state);
            checked++;
        } else {
            assert_int_equal(error.status, RCT_ERROR_SINGULAR);
            assert_int_equal(rct_planar_evaluate(&system, 2, state, NULL), RCT_ERROR_SINGULAR);
        }
        rct_planar_state_free(state);
        rct_planar_free(&system);
    }
    assert_true(checked > 60);
}

/* Everything a time t later, or earlier, by the accelerations found: q, and C by a state of its own. */
static void place_at(rct_planar_system later, const rct_planar_state *state, quad t,
                     rct_planar_state *moved, quad *violation)
{
    for (int64_t j = 0; j < state->n_c; j++) {
        moved->z[j] = state->z[j] + t * (state->z_dot[j] + t / 2 * state->z_ddot[j]);
    }
    for (int k = 0; k < 3; k++) {
        later.q_0[k] += t * (later.q_dot_0[k] + t / 2 * later.q_ddot_0[k]);
    }
    rct_semi_recursive_1(&later, moved);
    rct_planar_close(&later, moved, violation);
}

/* Differences of positions over +-t, t = 1e-9 s, are right to t^2 = 1e-18 relative: velocities, accelerations
 * (the paper's V., d and e), and C.. = -2 a C. - b^2 C, eq. 60, in states that violate the constraints. */
static void test_differences_of_positions(void **unused)
{
    (void)unused;
    const quad t = 1e-9;
    for (uint64_t seed = 100; seed < 140; seed++) {
        rct_planar_system system;
        rct_planar_state *state = draw_system(&system, 9, 1, seed);
        rct_planar_state *moved = rct_planar_state_create(&system, NULL);
        quad now[4], before[4], after[4];
        const int which = 1 + (int)(seed % 2);
        system.a = 5;
        system.b = 7;
        if (rct_planar_evaluate(&system, which, state, NULL) == RCT_OK) {
            quad earlier[27];
            rct_planar_close(&system, state, now);
            place_at(system, state, -t, moved, before);
            memcpy(earlier, moved->q, sizeof earlier);
            place_at(system, state, t, moved, after);
            for (int row = 0; row < 27; row++) {
                const quad v = (moved->q[row] - earlier[row]) / (2 * t);
                const quad a = (moved->q[row] - 2 * state->q[row] + earlier[row]) / (t * t);
                assert_true(fabs((double)(v - state->q_dot[row])) < 1e-12);
                assert_true(fabs((double)(a - state->q_ddot[row])) < 1e-10);
            }
            for (int64_t row = 0; row < state->constraints; row++) {
                const quad C_dot = (after[row] - before[row]) / (2 * t);
                const quad C_ddot = (after[row] - 2 * now[row] + before[row]) / (t * t);
                assert_true(fabs((double)(C_dot - now[state->constraints + row])) < 1e-12);
                assert_true(fabs((double)(C_ddot + 10 * C_dot + 49 * now[row])) < 1e-9);
            }
        }
        rct_planar_state_free(moved);
        rct_planar_state_free(state);
        rct_planar_free(&system);
    }
}

/* What docs/seed-notes.md says of the printed equations, on the slider and the crank of Fig. 8. */
static void test_misprints(void **unused)
{
    (void)unused;
    rct_planar_system system;
    rct_planar_state *state = quick_return(&system, 1.0, 2.0);
    evaluate(&system, 2, state);
    const quad *q = state->q, *v = state->q_dot, *bias = state->bias;
    const quad2 h = rct_planar_arm(state, &system, 0, pair(1, 0));
    /* eq. 23, prismatic: theta._i of the crank in place of the lever's, which carries h */
    const quad wrong = (v[8] - v[2]) * quad2_tilde(h).x[0] * state->z_dot[1];
    assert_true(fabs((double)wrong) > 0.01);
    /* eqs. 28, 31: d_1 = theta.^2 r_1 = 0 and e_1 give the lever; at the rod, d = b. z. would not do */
    const quad2 r_4 =
        quad2_add(origin_of(state, 3), rct_planar_arm(state, &system, 3, pair(-0.2, 0)));
    const quad2 r_4_dot = quad2_scale(v[2], quad2_tilde(r_4));
    const quad d_4 = (v[11] * v[11] - v[2] * v[2]) * r_4.x[0];
    const quad e_4 = -v[11] * v[11] * q[9];
    const quad derivative = -state->z_dot[3] * quad2_tilde(r_4_dot).x[0];
    assert_true(fabs((double)(d_4 + e_4 - bias[9])) < 1e-25);
    assert_true(fabs((double)(derivative + e_4 - bias[9])) > 0.01);
    /* but e = D. Z. with d = b. z. all along the path would: the derivative of Z., not of the material point */
    const quad D_dot_Z = -v[11] * v[10];
    const quad d_1_and_4 = derivative + 0;
    assert_true(fabs((double)(D_dot_Z + d_1_and_4 - bias[9])) < 1e-25);
    rct_planar_state_free(state);
    rct_planar_free(&system);
}

/* Less what the torque did. */
static quad energy(const rct_planar_system *system, const rct_planar_state *state)
{
    quad sum = 0;
    for (int32_t i = 0; i < system->n_b; i++) {
        const quad *v = state->q_dot + 3 * i;
        quad p[3];
        rct_planar_mass(system, state, i, v, p);
        const quad2 c =
            quad2_add(origin_of(state, i), rct_planar_arm(state, system, i, system->body[i].u_C));
        sum += (v[0] * p[0] + v[1] * p[1] + v[2] * p[2]) / 2 -
               system->body[i].m * quad2_dot(system->gravity, c);
    }
    return sum - system->load[0].moment * state->q[8];
}

static void step(const rct_planar_system *system, int which, rct_planar_state *state, quad dt)
{
    quad z[5], u[5], dz[5] = {0}, du[5] = {0};
    memcpy(z, state->z, sizeof z);
    memcpy(u, state->z_dot, sizeof u);
    for (int stage = 0; stage < 4; stage++) {
        evaluate(system, which, state);
        const quad weight = stage == 0 || stage == 3 ? 1 : 2, node = stage < 2 ? dt / 2 : dt;
        for (int j = 0; j < 5; j++) {
            const quad rate = state->z_dot[j];
            dz[j] += weight * rate;
            du[j] += weight * state->z_ddot[j];
            state->z[j] = z[j] + (stage < 3 ? node * rate : dt / 6 * dz[j]);
            state->z_dot[j] = u[j] + (stage < 3 ? node * state->z_ddot[j] : dt / 6 * du[j]);
        }
    }
}

/* 0.5 s by Runge-Kutta: with eq. 60 the loops stay closed, and energy changes by the work of the torque. */
static void test_motion_of_the_quick_return(void **unused)
{
    (void)unused;
    for (int which = 1; which <= 2; which++) {
        rct_planar_system system;
        rct_planar_state *state = quick_return(&system, 0.0, 6.0);
        quad violation[8];
        system.a = system.b = 20;
        evaluate(&system, which, state);
        const quad start = energy(&system, state), angle = state->q[8];
        for (int k = 0; k < 250; k++) {
            step(&system, which, state, 0.002);
        }
        evaluate(&system, which, state);
        rct_planar_close(&system, state, violation);
        for (int row = 0; row < 4; row++) {
            assert_true(fabs((double)violation[row]) < 1e-8);
        }
        assert_true(fabs((double)(state->q[8] - angle)) > 0.9);
        assert_true(fabs((double)(energy(&system, state) - start)) < 1e-6);
        rct_planar_state_free(state);
        rct_planar_free(&system);
    }
}

/* The same loop closed twice; and memory that runs out. */
static void test_errors(void **unused)
{
    (void)unused;
    rct_planar_system system;
    rct_error error;
    rct_planar_state *state = quick_return(&system, 1.0, 2.0);
    rct_planar_closure twice[2] = {system.closure[0], system.closure[0]};
    rct_planar_closure *own = system.closure;
    system.closure = twice;
    assert_int_equal(rct_planar_evaluate(&system, 1, state, &error), RCT_ERROR_SINGULAR);
    assert_non_null(strstr(error.text, "closure 1: its constraints depend on those before it"));
    system.closure = own;
    for (int which = 1; which <= 2; which++) {
        int fails = 0;
        rct_status status = RCT_ERROR_MEMORY;
        for (; status == RCT_ERROR_MEMORY && fails < 20; fails++) {
            rct_allocate_fail_after(fails);
            status = rct_planar_evaluate(&system, which, state, &error);
            rct_allocate_fail_after(-1);
        }
        assert_int_equal(status, RCT_OK);
        assert_int_equal(fails, which == 1 ? 6 : 8);
    }
    rct_planar_state_free(state);
    rct_planar_free(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quick_return),
        cmocka_unit_test(test_velocity_transformation),
        cmocka_unit_test(test_point_to_line),
        cmocka_unit_test(test_cam_follower),
        cmocka_unit_test(test_random_systems),
        cmocka_unit_test(test_random_loops),
        cmocka_unit_test(test_differences_of_positions),
        cmocka_unit_test(test_misprints),
        cmocka_unit_test(test_motion_of_the_quick_return),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
