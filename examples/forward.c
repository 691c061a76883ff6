/* Efforts at hinges: an arm of seven joints, imported from examples/arm7.urdf. Inverse dynamics
 * finds the efforts that hold it still and those that accelerate every joint by 1 rad/s^2;
 * forward dynamics finds the accelerations without efforts and with each of these, all in one
 * call: forward arm7.urdf */
#include <riccatree/riccatree.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { JOINTS = 7, CASES = 3 };

static const char *const names[CASES] = {"let go", "held", "driven"};

/* The efforts for accelerations of `wanted` rad/s^2 of all joints, in the state of the solver. */
static rct_status invert(rct_solver *solver, double wanted, double efforts[JOINTS],
                         rct_error *error)
{
    double accelerations[JOINTS];
    for (int i = 0; i < JOINTS; i++) {
        accelerations[i] = wanted;
    }
    return rct_solver_inverse_dynamics(solver, accelerations, NULL, NULL, efforts, error);
}

/* The same state with each of the efforts. */
static rct_status compute(rct_solver *solver, double found[CASES][JOINTS], rct_error *error)
{
    double q[CASES][JOINTS], u[CASES][JOINTS] = {{0}}, efforts[CASES][JOINTS] = {{0}};
    for (int i = 0; i < JOINTS; i++) {
        q[0][i] = 0.3;
    }
    memcpy(q[1], q[0], sizeof q[0]);
    memcpy(q[2], q[0], sizeof q[0]);
    rct_status status = rct_solver_set_coordinates(solver, q[0], u[0], error);
    status = status == RCT_OK ? invert(solver, 0, efforts[1], error) : status;
    status = status == RCT_OK ? invert(solver, 1, efforts[2], error) : status;
    return status == RCT_OK
               ? rct_solver_forward(solver, CASES, q[0], u[0], efforts[0], found[0], error)
               : status;
}

int main(int count, char **arguments)
{
    rct_error error = {.status = RCT_OK};
    double found[CASES][JOINTS];
    rct_solver *solver = NULL;
    rct_solver_options options = rct_solver_options_default();
    options.user_forces = 1; /* efforts will be given */
    rct_model *model =
        rct_model_import(count > 1 ? arguments[1] : "examples/arm7.urdf", NULL, &error);
    if (model != NULL) {
        solver = rct_solver_create(model, &options, &error);
    }
    if (solver != NULL && compute(solver, found, &error) == RCT_OK) {
        for (int k = 0; k < CASES; k++) {
            printf("%-7s", names[k]);
            for (int i = 0; i < JOINTS; i++) {
                printf(" %8.4f", fabs(found[k][i]) < 1e-9 ? 0 : found[k][i]);
            }
            printf(" rad/s^2\n");
        }
    } else {
        fprintf(stderr, "forward: %s\n", error.text);
    }
    rct_solver_free(solver);
    rct_model_free(model);
    return error.status == RCT_OK ? 0 : 1;
}
