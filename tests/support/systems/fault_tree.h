/* Trees in which every line mass can be made singular, alone, by the pose of the bodies that hang
 * on it.
 *
 * A line (mass along body z, no inertia about it) carries an arm off its axis. The arm is a bar, a
 * point mass on a massless bar. If the bar turns about the line from its mass to its own outboard
 * hinge, nothing resists. This direction is the y axis of the bar, whatever hangs on it, so a line
 * is singular if bar and line have the same axes, and only then. If a bar carries a bar whose y
 * axis is the z axis of the first, the first resists neither along x nor y, and a line is singular
 * if it is turned against the bar about z by any angle: the cause lies two links further out. All
 * other bodies on a line hang on its axis, all other bodies on a bar at its outboard hinge. Tips
 * are solid. */
#ifndef RCT_TESTS_FAULT_TREE_H
#define RCT_TESTS_FAULT_TREE_H

#include <riccatree/solver.h>

typedef struct fault_tree {
    rct_model *model;
    int32_t bodies;
    int32_t *arm;        /* [n] of a line whose arm is a bar: that bar; else -1                  */
    int32_t *second;     /* [n] of such a line whose bar carries only one bar: that bar; else -1 */
    double *orientation; /* [n][4] sound, random                                                 */
    double *rate;        /* [n][3] up to 1 rad/s                                                 */
} fault_tree;

/* The links of a path are, by depth, line, bar, ..., bar in turns of `period` (2 or 3), beginning
 * with the link `phase` of a turn. The arm is the first outboard link, or with `side` the last.
 * Aborts without memory. */
typedef struct fault_kind {
    int period, phase, side;
} fault_kind;

/* A chain; and two long paths, one of them with side chains of many lengths, and a short one. */
fault_tree *fault_tree_chain(fault_kind kind, int32_t bodies);
fault_tree *fault_tree_branched(fault_kind kind);
void fault_tree_free(fault_tree *tree);

/* Makes line i singular in orientations [n][4]; `deep`: by its second bar. */
void fault_tree_align(const fault_tree *tree, int32_t i, int deep, double *orientation);

/* The product p q of quaternions w x y z. */
void fault_tree_product(const double p[4], const double q[4], double out[4]);

#endif
