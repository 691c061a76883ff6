/* Random systems, the same for the same options on every machine: inertia from real mass
 * distributions, masses log-uniform over three decades, random orientations and angular velocities.
 * */
#ifndef RCT_TESTS_RANDOM_SYSTEM_H
#define RCT_TESTS_RANDOM_SYSTEM_H

#include <riccatree/model.h>

typedef enum random_shape {
    SHAPE_TREE, /* parents drawn from all bodies before, sometimes the ground */
    SHAPE_CHAIN,
    SHAPE_BINARY,
    SHAPE_STAR, /* all hang on the first body                                    */
} random_shape;

typedef struct random_system {
    random_shape shape;
    int32_t bodies;
    double fixed; /* share of fixed hinges, 0 to 1                                              */
    int shuffled; /* 1: ids in random order, so that parents may come after their children      */
    double spin;  /* rad/s, largest component of an angular velocity                            */
    uint64_t seed;
} random_system;

/* NULL on failure. Gravity is that of a new model. */
rct_model *random_system_create(const random_system *system);

#endif
