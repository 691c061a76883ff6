/* Random trees of every hinge type, with everything that a model can have: springs and dampers at
 * hinges, forces on bodies, springs between points, a moving ground. */
#ifndef RCT_TESTS_HINGE_SYSTEM_H
#define RCT_TESTS_HINGE_SYSTEM_H

#include "tests/support/systems/random_system.h"

enum { ALL_HINGES = (1 << RCT_HINGE_TYPES) - 1 };

typedef struct hinge_system {
    random_system tree; /* shape, bodies, order of ids, spin and seed; `fixed` is not used */
    int hinges;         /* 1 << type for every drawn type; free only on the ground              */
    int joint_forces;   /* 1: stiffness, damping, applied forces at hinges, rotors at some      */
    int no_rotors;      /* 1: at none                                                           */
    int32_t forces;     /* wrenches and springs, about half of each                             */
    int32_t acting;     /* friction, limits, servos, curves, cables and drag                    */
    int smooth;         /* 1: only those without edges                                          */
    int floating;       /* 1: bodies on the ground have free hinges                             */
    int ground_moves;   /* 1: it accelerates and turns; 2: by a table                           */
} hinge_system;

/* NULL on failure. */
rct_model *hinge_system_create(const hinge_system *system);

/* The number of coordinates and rates of a model. */
int64_t hinge_coordinates(const rct_model *model);
int64_t hinge_freedoms(const rct_model *model);

/* Those of its initial state, to be freed. NULL on failure. */
double *initial_coordinates(const rct_model *model);
double *initial_rates(const rct_model *model);

#endif
