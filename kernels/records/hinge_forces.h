/* Friction, limits, servos and curves at the hinges of rows (riccatree/force.h). Each row has a
 * list of entries. An entry holds what the lanes have of one kind on one coordinate, and zeros
 * where they have none. Entries are ordered by kind and coordinate, so that the sum of a lane does
 * not depend on its neighbours. */
#ifndef RCT_KERNELS_RECORDS_HINGE_FORCES_H
#define RCT_KERNELS_RECORDS_HINGE_FORCES_H

#include <stdint.h>

typedef enum rct_hinge_force_kind {
    HINGE_COULOMB, /* friction without and with breakaway */
    HINGE_STRIBECK,
    HINGE_LIMIT,
    HINGE_SERVO, /* to a target that is fixed or moves steadily, along a sine, by a table */
    HINGE_SERVO_SINE,
    HINGE_SERVO_TABLE,
    HINGE_CURVE_COORDINATE,
    HINGE_CURVE_RATE,
    HINGE_CURVE_TIME,
    HINGE_FORCE_KINDS
} rct_hinge_force_kind;

/* Numbers of a lane, by kind; curves have none. */
enum {
    FRICTION_COULOMB = 0,  /* N, N m                          */
    FRICTION_MORE = 1,     /* N, N m: breakaway less coulomb  */
    FRICTION_STRIBECK = 2, /* m/s, rad/s                      */
    FRICTION_SLIP = 3,     /* m/s, rad/s                      */
    LIMIT_STIFFNESS = 0,   /* N/m, N m/rad                    */
    LIMIT_DAMPING = 1,     /* N s/m, N m s/rad                */
    LIMIT_LOWER = 2,       /* m, rad                          */
    LIMIT_UPPER = 3,       /* m, rad                          */
    SERVO_STIFFNESS = 0,   /* N/m, N m/rad                    */
    SERVO_DAMPING = 1,     /* N s/m, N m s/rad                */
    SERVO_MOST = 2,        /* N, N m: saturation, or infinity */
    SERVO_TARGET = 3,      /* m, rad                          */
    SERVO_RATE = 4,        /* m/s, rad/s                      */
    SERVO_AMPLITUDE = 5,   /* m, rad                          */
    SERVO_FREQUENCY = 6,   /* rad/s                           */
    SERVO_PHASE = 7,       /* rad                             */
    HINGE_FORCE_FIELDS = 8
};

/* Friction at a ball hinge has no coordinate: it acts along the rate of the hinge. */
enum { HINGE_WHOLE = -1 };

typedef struct rct_hinge_force {
    int32_t kind, coordinate;
} rct_hinge_force;

/* A natural cubic spline: numbers [rows][2], then its second derivatives [rows]; two rows at
 * least. */
typedef struct rct_hinge_table {
    const double *numbers;
    int64_t rows;
} rct_hinge_table;

#endif
