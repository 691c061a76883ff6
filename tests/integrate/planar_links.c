/* Links that swing in the x-y plane (planar_links.h). */
#include "tests/integrate/planar_links.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/larger.h"
#include "tests/support/must.h"

#include <math.h>

enum { MOST = 4 };

/* ---- models ------------------------------------------------------------------------------- */

/* Along body +x, hinged `at` on its parent: a uniform rod, or a point mass at its end. The point is
 * extended along z, which adds nothing to the moment about z and leaves no spin undetermined. */
static rct_body link_body(rct_hinge_type hinge, int32_t parent, double at, int point)
{
    rct_body body = rct_body_default();
    body.hinge = hinge;
    body.parent = parent;
    body.hinge_at[0] = at;
    body.mass = 1.0;
    body.com[0] = point ? 1.0 : 0.5;
    body.inertia[0] = point ? 0.1 : 0.001;
    body.inertia[1] = point ? 0.1 : 1.0 / 12.0;
    body.inertia[2] = point ? 0.0 : 1.0 / 12.0;
    return body;
}

/* Its x axis at this angle; ball hinges count from the inertial axis, others from the parent's. */
static void turn(rct_body *body, double angle, double angle_of_parent)
{
    if (body->hinge == RCT_HINGE_BALL) {
        body->orientation[0] = cos(0.5 * angle);
        body->orientation[3] = sin(0.5 * angle);
    } else {
        body->position[0] = angle - angle_of_parent;
    }
}

static rct_model *model_of(const rct_body *bodies, int32_t count)
{
    rct_model *model = rct_model_create("planar", NULL);
    assert_int_equal(rct_model_set_gravity(model, (double[]){0.0, -9.81, 0.0}, NULL), RCT_OK);
    for (int32_t i = 0; i < count; i++) {
        must_add(model, &bodies[i]);
    }
    return model;
}

rct_model *planar_pendulum(rct_hinge_type hinge)
{
    rct_body body = link_body(hinge, RCT_GROUND, 0.0, 1);
    turn(&body, acos(-1.0), 0.0);
    return model_of(&body, 1);
}

rct_model *planar_two_links(rct_hinge_type hinge, int point)
{
    const rct_body bodies[2] = {link_body(hinge, RCT_GROUND, 0.0, point),
                                link_body(hinge, 0, 1.0, point)};
    return model_of(bodies, 2);
}

rct_model *planar_four_bodies(rct_hinge_type hinge)
{
    const double down = -0.5 * acos(-1.0);
    rct_body bodies[4] = {link_body(hinge, RCT_GROUND, 0.0, 0), link_body(hinge, 0, -0.5, 0),
                          link_body(hinge, 0, 0.5, 0), link_body(hinge, 2, 1.0, 0)};
    bodies[0].com[0] = 0.0;
    turn(&bodies[1], down, 0.0);
    turn(&bodies[2], down, 0.0);
    turn(&bodies[3], down, down);
    return model_of(bodies, 4);
}

/* ---- motion ------------------------------------------------------------------------------- */

void planar_run_to(rct_solver *solver, double t, double dt)
{
    must_step(solver, dt, llround((t - rct_solver_time(solver)) / dt));
    assert_true(fabs(rct_solver_time(solver) - t) < 1e-9);
}

void planar_expect_in_plane(const rct_solver *solver)
{
    double q[MOST][4], w[MOST][3], r[MOST][3], v[MOST][3];
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    rct_solver_get_state(solver, q[0], w[0], r[0], v[0]);
    for (int32_t i = 0; i < info.bodies; i++) {
        assert_true(fabs(q[i][1]) + fabs(q[i][2]) <= 1e-15);
        assert_true(fabs(w[i][0]) + fabs(w[i][1]) <= 1e-14);
        assert_true(fabs(r[i][2]) <= 1e-15 && fabs(v[i][2]) <= 1e-14);
    }
}

/* The end of link i at time t: hinge point + its x axis. */
static void check_tip(rct_solver *solver, double t, double dt, int i, const double at[2],
                      double limit)
{
    double q[MOST][4], r[MOST][3];
    planar_run_to(solver, t, dt);
    rct_solver_get_state(solver, q[0], NULL, r[0], NULL);
    const double *o = q[i];
    const double tip[2] = {r[i][0] + o[0] * o[0] - o[3] * o[3], r[i][1] + 2.0 * o[0] * o[3]};
    const double off = hypot(tip[0] - at[0], tip[1] - at[1]);
    if (!(off <= limit)) {
        fail_msg("at %g s the tip is at (%.12f, %.12f), off by %g", t, tip[0], tip[1], off);
    }
    planar_expect_in_plane(solver);
}

void planar_check_pendulum(rct_solver *solver)
{
    check_tip(solver, 1.0, 1e-3, 0, (double[]){0.986291751131875, -0.165010853125541}, 1e-11);
    check_tip(solver, 10.0, 1e-3, 0, (double[]){-0.275087462576117, -0.961419205099125}, 1e-9);
    check_tip(solver, 20.0, 1e-3, 0, (double[]){0.996907173990992, -0.078588080809334}, 1e-9);
}

void planar_check_two_links(rct_solver *solver, int point, double dt, const double limit[2])
{
    static const double rods[2][2] = {{-1.662115135816127581, -1.041466637193224740},
                                      {0.313524776450181586, -1.914746617562305245}};
    static const double points[2][2] = {{-1.444818849943475797, -1.321794461381464556},
                                        {-1.434124817464276637, -1.129870195647157978}};
    for (int second = 0; second < 2; second++) {
        check_tip(solver, second + 1, dt, 1, point ? points[second] : rods[second], limit[second]);
    }
}

/* ---- angles ------------------------------------------------------------------------------- */

planar_state planar_four_angles(void)
{
    const long double down = -0.5L * acosl(-1.0L);
    return (planar_state){.angle = {0.0L, down, down, down}};
}

planar_state planar_four_later(planar_state angles)
{
    const planar_system system = {
        .links = 4,
        .gravity = 9.81,
        .mass = {1.0L, 1.0L, 1.0L, 1.0L},
        .inertia = {1.0L / 12.0L, 1.0L / 12.0L, 1.0L / 12.0L, 1.0L / 12.0L},
        .lever = {{0.0L}, {-0.5L, 0.5L}, {0.5L, 0.0L, 0.5L}, {0.5L, 0.0L, 1.0L, 0.5L}},
    };
    return planar_run(&system, angles, 1.0L / 4000.0L, 4000);
}

double planar_off_angles(const rct_solver *solver, const planar_state *truth)
{
    double q[MOST][4], w[MOST][3], worst = 0.0;
    rct_solver_get_state(solver, q[0], w[0], NULL, NULL);
    for (int i = 0; i < 4; i++) {
        const double c = q[i][0] * q[i][0] - q[i][3] * q[i][3], s = 2.0 * q[i][0] * q[i][3];
        worst = larger(worst, fabs(c - (double)cosl(truth->angle[i])));
        worst = larger(worst, fabs(s - (double)sinl(truth->angle[i])));
        worst = larger(worst, fabs(w[i][2] - (double)truth->rate[i]));
    }
    return worst;
}
