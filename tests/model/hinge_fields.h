/* The fields of a hinge, by number, and the types that use them. */
#ifndef RCT_TESTS_HINGE_FIELDS_H
#define RCT_TESTS_HINGE_FIELDS_H

#include <riccatree/model.h>

enum {
    AT,
    FRAME,
    AXIS,
    AXIS2,
    PITCH,
    ORIENTATION,
    ANGULAR_VELOCITY,
    POSITION,
    RATE,
    STIFFNESS,
    REST,
    DAMPING,
    APPLIED,
    ARMATURE,
    FIELDS
};

/* Its numbers. */
double *field_of(rct_body *body, int field);

/* Whether number k of a field is used, as include/riccatree/model.h says. */
int is_of_use(rct_hinge_type type, int field, int k);

#endif
