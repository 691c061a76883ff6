/* Systems in motion: models with some of their forces, solvers with every division of labour, and
 * the difference between two motions. */
#ifndef RCT_TESTS_MOTION_H
#define RCT_TESTS_MOTION_H

#include "tests/support/systems/hinge_system.h"

#include <riccatree/solver.h>

/* Which forces of a system stay. */
enum {
    STAY_NONE = 0,
    STAY_DAMPING = 1,  /* of hinges and springs */
    STAY_DRIVES = 2,   /* applied at hinges, and wrenches */
    STAY_GROUNDED = 4, /* springs that end on the ground */
    STAY_ALL = 7
};

/* The model of a system with the remaining forces, in this gravity (NULL: that of a new model).
 * Fails the test on errors. */
rct_model *motion_model(const hinge_system *system, int stay, const double *gravity);

/* A copy of the model with its bodies changed by `change`. */
rct_model *motion_changed(const rct_model *model,
                          void (*change)(rct_body *body, const void *context), const void *context);

/* A solver on the cpu; NULL if the machine has no such lanes. */
rct_solver *motion_solver(const rct_model *model, const rct_solver_options *options);

/* With random segments and lanes by the seed; serial for seed 0. */
rct_solver *motion_any(const rct_model *model, uint64_t seed);

double motion_energy(const rct_solver *solver);

/* The largest difference of hinge points, velocities, angular velocities and rotations of two
 * solvers with the same number of bodies. */
double motion_apart(const rct_solver *a, const rct_solver *b);

/* The same of coordinates and rates. */
double motion_coordinates_apart(const rct_solver *a, const rct_solver *b);

/* Fails unless the order, from the errors at steps of h and h / 2, is between `low` and `high`. */
void motion_expect_order(double coarse, double fine, double low, double high);

#endif
