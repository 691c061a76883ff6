/* Random models with hinges of every type, springs and dampers at them, forces on bodies, and a moving ground; the
 * same for the same options on every machine. */
#ifndef RCT_TESTS_HINGE_TREE_H
#define RCT_TESTS_HINGE_TREE_H

#include <riccatree/force.h>
#include <riccatree/model.h>

typedef struct hinge_tree {
    int32_t bodies;
    int hinge;    /* a hinge type for all bodies, or -1: any                                     */
    int floating; /* 1: one tree, its root free; 0: several roots of any hinge                    */
    int forces;   /* 1: springs, dampers and drives at hinges, wrenches and springs on bodies    */
    int moving;   /* 1: the ground moves                                                         */
    uint64_t seed;
} hinge_tree;

/* Ids are shuffled: parents may come after their children. Stops the test program on failure. */
rct_model *hinge_tree_create(const hinge_tree *system);

/* The number of coordinates and of rates. */
int32_t hinge_tree_coordinates(const rct_model *model);
int32_t hinge_tree_freedoms(const rct_model *model);

/* The model's initial state, or, if `random` is not NULL, a random state. */
void hinge_tree_state(const rct_model *model, uint64_t *random, double *coordinates, double *rates);

/* q after a time h at rates u that change by du: exact to the second order. */
void hinge_tree_advance(const rct_model *model, const double *q, const double *u, const double *du,
                        double h, double *q_after, double *u_after);

#endif
