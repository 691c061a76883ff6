/* A loop that comes and goes: a capsule drifts to a station, docks off its centre, turns with it
 * and leaves; compared with the closed form. No gravity. Momenta stay constant; docking loses
 * energy. */
#include <riccatree/riccatree.h>

#include <stdio.h>

static const double station_mass = 1000, capsule_mass = 200; /* kg */
static const double station_spin = 2000, capsule_spin = 100; /* kg m^2, moments of inertia */
static const double speed = 1, beside = 0.5;                 /* m/s; m, path off the centre */

static rct_body floating(const char *name, double mass, double inertia)
{
    rct_body body = rct_body_default();
    body.name = name;
    body.hinge = RCT_HINGE_FREE;
    body.mass = mass;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = inertia;
    return body;
}

/* The two bodies, with a metre between their ports, and the loop that will join them. */
static rct_status build(rct_model *model, rct_error *error)
{
    rct_body station = floating("station", station_mass, station_spin);
    rct_body capsule = floating("capsule", capsule_mass, capsule_spin);
    capsule.position[0] = 4;
    capsule.position[1] = beside;
    capsule.rate[0] = -speed;

    rct_loop dock = rct_loop_default();
    dock.name = "dock";
    dock.type = RCT_LOOP_FIXED;
    dock.active = 0;
    dock.body = 1;
    dock.at[0] = -1;
    dock.other = 0;
    dock.other_at[0] = 2;
    dock.other_at[1] = beside;

    const double weightless[3] = {0, 0, 0};
    rct_status status = rct_model_set_gravity(model, weightless, error);
    status = status == RCT_OK ? rct_model_add_body(model, &station, NULL, error) : status;
    status = status == RCT_OK ? rct_model_add_body(model, &capsule, NULL, error) : status;
    return status == RCT_OK ? rct_model_add_loop(model, &dock, NULL, error) : status;
}

static void show(const char *what, const rct_solver *solver, double exact)
{
    double spin[2][3];
    rct_measures sum;
    rct_solver_get_state(solver, NULL, spin[0], NULL, NULL);
    rct_solver_measure(solver, &sum);
    printf("t = %4.1f s  %-8s  momentum %12.8f N s  %12.8f N m s  energy %12.8f J  spin %11.9f "
           "exact %11.9f rad/s\n",
           rct_solver_time(solver), what, sum.momentum[0], sum.angular_momentum[2], sum.kinetic,
           spin[0][2], exact);
}

int main(void)
{
    rct_error error = {.status = RCT_OK};
    const double reduced = station_mass * capsule_mass / (station_mass + capsule_mass);
    const double inertia = station_spin + capsule_spin + reduced * (3 * 3 + beside * beside);
    const double exact = reduced * beside * speed / inertia; /* rad/s, of both as one body */

    rct_solver *solver = NULL;
    rct_model *model = rct_model_create("docking", &error);
    if (model != NULL && build(model, &error) == RCT_OK) {
        solver = rct_solver_create(model, NULL, &error);
    }
    if (solver != NULL && rct_solver_step(solver, 1e-3, 1000, &error) == RCT_OK) {
        show("arrived", solver, 0);
    }
    if (error.status == RCT_OK &&
        rct_solver_set_loop_active(solver, 0, RCT_LOOP_ATTACHED, &error) == RCT_OK) {
        show("docked", solver, exact);
        rct_solver_step(solver, 1e-3, 10000, &error);
    }
    if (error.status == RCT_OK &&
        rct_solver_set_loop_active(solver, 0, RCT_LOOP_RELEASED, &error) == RCT_OK) {
        show("released", solver, exact);
        rct_solver_step(solver, 1e-3, 10000, &error);
    }
    if (error.status == RCT_OK) {
        show("gone", solver, exact);
    } else {
        fprintf(stderr, "attach: %s\n", error.text);
    }
    rct_solver_free(solver);
    rct_model_free(model);
    return error.status == RCT_OK ? 0 : 1;
}
