/* Forces of the user: a ball of 0.1 kg dropped in air, which resists with k v^2, compared with
 * the closed form. */
#include <riccatree/riccatree.h>

#include <math.h>
#include <stdio.h>

static const double mass = 0.1, g = 9.81;

/* Called once for each evaluation: -k |v| v on every body, at its hinge point, which is the
 * centre of the ball. */
static void drag(void *context, double time, int32_t bodies, const double *orientation,
                 const double *angular_velocity, const double *position, const double *velocity,
                 double *force, double *moment)
{
    const double k = *(const double *)context;
    for (int32_t b = 0; b < bodies; b++) {
        const double *v = velocity + 3 * b;
        const double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int i = 0; i < 3; i++) {
            force[3 * b + i] -= k * speed * v[i];
        }
    }
    (void)time, (void)orientation, (void)angular_velocity, (void)position, (void)moment;
}

int main(void)
{
    rct_error error = {.status = RCT_OK};
    double k = 0.002; /* N s^2/m^2 */
    rct_body ball = rct_body_default();
    ball.hinge = RCT_HINGE_FREE;
    ball.mass = mass;
    ball.inertia[0] = ball.inertia[1] = ball.inertia[2] = 1e-4;
    rct_solver_options options = rct_solver_options_default();
    options.user_forces = 1;

    rct_solver *solver = NULL;
    rct_model *model = rct_model_create("ball", &error);
    if (model != NULL && rct_model_add_body(model, &ball, NULL, &error) == RCT_OK) {
        solver = rct_solver_create(model, &options, &error);
    }
    if (solver != NULL) {
        rct_solver_set_force_function(solver, drag, &k, &error);
    }
    const double fastest = sqrt(mass * g / k); /* m/s */
    for (int i = 0; i < 5 && error.status == RCT_OK; i++) {
        if (rct_solver_step(solver, 1e-3, 1000, &error) == RCT_OK) {
            double r[3];
            const double t = rct_solver_time(solver);
            rct_solver_get_state(solver, NULL, NULL, r, NULL);
            printf("t = %3.1f s   z = %13.9f m   exact %13.9f m\n", t, r[2],
                   -fastest * fastest / g * log(cosh(g * t / fastest)));
        }
    }
    if (error.status != RCT_OK) {
        fprintf(stderr, "user_force: %s\n", error.text);
    }
    rct_solver_free(solver);
    rct_model_free(model);
    return error.status == RCT_OK ? 0 : 1;
}
