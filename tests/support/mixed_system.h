/* Random models with hinges of every type, springs and dampers at them, forces on bodies, and a moving ground; the
 * same for the same options on every machine. */
#ifndef RCT_TESTS_MIXED_SYSTEM_H
#define RCT_TESTS_MIXED_SYSTEM_H

#include <riccatree/force.h>
#include <riccatree/model.h>

typedef struct mixed_system {
    int32_t bodies;
    int hinge;    /* a hinge type for all bodies, or -1: any                                     */
    int floating; /* 1: one tree, its root free; 0: several roots of any hinge                    */
    int forces;   /* 1: springs, dampers and drives at hinges, wrenches and springs on bodies    */
    int moving;   /* 1: the ground moves                                                         */
    uint64_t seed;
} mixed_system;

/* Ids are shuffled: parents may come after what hangs on them. Stops the test program on failure. */
rct_model *mixed_system_create(const mixed_system *system);

/* Number of coordinates and of rates. */
int32_t mixed_coordinates(const rct_model *model);
int32_t mixed_freedoms(const rct_model *model);

/* The model's initial state, or, if `random` is not NULL, a random one. */
void mixed_state(const rct_model *model, uint64_t *random, double *coordinates, double *rates);

/* q after a time h at rates u that change by du: exact to the second order. */
void mixed_advance(const rct_model *model, const double *q, const double *u, const double *du,
                   double h, double *q_after, double *u_after);

#endif
