/* A pendulum: a mass of 1 kg on a massless bar of 1 m, let go horizontally, for ten seconds. */
#include <riccatree/riccatree.h>

#include <stdio.h>

int main(void)
{
    rct_error error = {.status = RCT_OK};
    rct_body bob = rct_body_default(); /* hung on the ground by a ball hinge at the origin */
    bob.mass = 1.0;
    bob.com[2] = -1.0;
    bob.inertia[0] = bob.inertia[2] = 0.01; /* a thin rod along y, the axis it swings about */
    bob.orientation[2] = 1.0;               /* (1, 0, 1, 0): a quarter turn about y */

    rct_solver *solver = NULL;
    rct_model *model = rct_model_create("pendulum", &error);
    if (model != NULL && rct_model_add_body(model, &bob, NULL, &error) == RCT_OK) {
        solver = rct_solver_create(model, NULL, &error); /* NULL: abi, all else chosen */
    }
    for (int k = 0; k < 10 && error.status == RCT_OK; k++) {
        if (rct_solver_step(solver, 1e-3, 1000, &error) == RCT_OK) {
            double q[4]; /* w x y z, body axes to inertial */
            rct_solver_get_state(solver, q, NULL, NULL, NULL);
            printf("t = %4.1f s   x = %12.9f m   z = %12.9f m\n", rct_solver_time(solver),
                   -2.0 * q[0] * q[2], 2.0 * q[2] * q[2] - 1.0);
        }
    }
    if (error.status != RCT_OK) {
        fprintf(stderr, "pendulum: %s\n", error.text);
    }
    rct_solver_free(solver);
    rct_model_free(model);
    return error.status == RCT_OK ? 0 : 1;
}
