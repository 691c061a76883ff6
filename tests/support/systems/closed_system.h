/* Random systems with loops, the input of the methods of closing them, and a slow dense answer. */
#ifndef RCT_TESTS_CLOSED_SYSTEM_H
#define RCT_TESTS_CLOSED_SYSTEM_H

#include "closure/method.h"
#include "tests/support/systems/hinge_system.h"

#include <riccatree/solver.h>

/* Adds `count` loops of random types between random bodies of the model, closed in its initial
 * positions, and relations among its hinges; `types`: 1 << type for every drawn type. Cams are
 * drawn only if they are the only type, so that the systems of earlier seeds stay the same. Fails
 * the test if a loop is refused. */
void closed_add_random(rct_model *model, int32_t count, int types, uint64_t seed);

/* The rct_solver_get_state and rct_solver_get_coordinates results for the tree. */
typedef struct closed_state {
    const double *orientation, *angular_velocity, *position, *velocity; /* [n][4], [n][3] ...     */
    const double *coordinates, *rates;
    rct_base_motion ground;
    double time;
} closed_state;

/* A state of a model with loops, ready for a method, and everything that it points to. */
typedef struct closed_system {
    rct_solver *open; /* of the tree without loops */
    rct_closures *closures;
    rct_closure_problem problem;
    closed_state state;
    int32_t n; /* bodies */
    int64_t rates;
    double *numbers;         /* behind `state` */
    rct_pose_of_link *poses; /* [n] of bodies, then that of the ground                            */
} closed_system;

/* The model in its initial state at `time`; fails the test on errors. */
closed_system closed_system_create(const rct_model *model, double time);
void closed_system_free(closed_system *system);

/* Reads the state of `open` again, and writes the rows of the active loops. */
void closed_system_renew(closed_system *system, double time);

/* Of the tree without loops: accelerations of the hinge points and angular ones [n][3], derivatives
 * of the rates [rates]; and the gap [rows] that a method has to close, phi'' with these
 * accelerations. */
void closed_system_accelerate(const closed_system *system, double *linear, double *angular,
                              double *derivatives, double *gap);

/* J [rows][rates] and M [rates][rates], for free(). */
double *closed_system_jacobian(const closed_system *system);
double *closed_system_mass(const closed_system *system);

/* Rank of J, lambda of least length, and change for a gap, by the singular values of J L^-T, M = L
 * L^T. */
int32_t closed_system_answer(const closed_system *system, const double *gap, double *lambda,
                             double *change);

/* A solver of a model with its given loops, on the cpu unless a backend is named; fails the test on
 * errors. */
rct_solver *closed_solver(const rct_model *model, rct_solver_options options);

/* Evaluated; fails the test on errors. */
void closed_evaluate(rct_solver *solver);

/* For two evaluated solvers of one model: the largest difference over the largest number, of
 * accelerations and derivatives of rates, and of forces of loops. */
double closed_apart(const rct_solver *one, const rct_solver *other);

/* Evaluates both solvers: both agree, or both say that the loops contradict one another. Returns
 * whether there are accelerations. */
int closed_evaluate_alike(rct_solver *one, rct_solver *other, double tolerance);

#endif
