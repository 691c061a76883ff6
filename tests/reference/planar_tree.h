/* Random trees whose motion is planar: once as a model in space, with the plane and every body's
 * axes in random orientations, and once as bodies of a plane in absolute coordinates. */
#ifndef RCT_TESTS_PLANAR_TREE_H
#define RCT_TESTS_PLANAR_TREE_H

#include "tests/reference/absolute_plane.h"

#include <riccatree/force.h>

enum { TREE_MOST_BODIES = 50, TREE_FORCES = 6 };

/* Lengths and angles in the plane, and heights along its normal. */
typedef struct tree_body {
    int parent; /* smaller, or -1 */
    rct_hinge_type hinge;
    double sense;       /* of the axis: along the normal, or -1 against it         */
    double at[3], turn; /* hinge in the parent's frame, third: height; frame turned */
    double along;       /* angle of the prismatic axis or of the planar x          */
    double m, J, com[3];
    double z[3], u[3], stiffness[3], rest[3], damping[3], applied[3];
    double axes[4]; /* quaternion, model's body axes to planar frame */
} tree_body;

typedef struct tree_force {
    rct_force_type type;
    int body, other, in_body_axes;
    double at[3], other_at[3], force[3], moment[3], stiffness, damping, length;
} tree_force;

typedef struct planar_tree {
    int n, forces;
    tree_body body[TREE_MOST_BODIES];
    tree_force force[TREE_FORCES];
    int id[TREE_MOST_BODIES]; /* in the model */
    double plane[4];          /* quaternion, plane's axes to inertial */
    double gravity[3];        /* plane's axes */
    double time, base_velocity[2], base_acceleration[2], base_rate, base_angular_acceleration;
} planar_tree;

/* branching 0: a chain; 1: random parents. Hinges are drawn from all planar ones. */
planar_tree planar_tree_draw(int n, int branching, uint64_t seed);

/* Coordinates and rates [sum of freedoms] in the model's order. */
rct_model *planar_tree_model(const planar_tree *tree);
void planar_tree_state(const planar_tree *tree, double *coordinates, double *rates);

/* Body i of the tree is body i + 1, the ground body 0. */
void planar_tree_plane(const planar_tree *tree, plane_system *system);

/* Of the solved system: acceleration of the hinge point, and derivatives of the rates in the order
 * of the tree. */
plane_vector planar_tree_linear(const planar_tree *tree, const plane_system *system, int i);
void planar_tree_derivatives(const planar_tree *tree, const plane_system *system, int i,
                             long double derivatives[3]);
double planar_tree_sign(const tree_body *body, int j); /* of the model's rates */

/* Plane's axes to inertial ones. */
void planar_tree_to_inertial(const planar_tree *tree, const double v[3], double out[3]);

#endif
