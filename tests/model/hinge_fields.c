/* The fields of a hinge (hinge_fields.h). */
#include "tests/model/hinge_fields.h"

#include "tests/support/cmocka_all.h"

double *field_of(rct_body *body, int field)
{
    double *const fields[FIELDS] = {body->hinge_at,
                                    body->hinge_orientation,
                                    body->hinge_axis,
                                    body->hinge_axis2,
                                    &body->hinge_pitch,
                                    body->orientation,
                                    body->angular_velocity,
                                    body->position,
                                    body->rate,
                                    body->stiffness,
                                    body->rest,
                                    body->damping,
                                    body->applied,
                                    body->armature};
    return fields[field];
}

int is_of_use(rct_hinge_type type, int field, int k)
{
    const int ball = type == RCT_HINGE_BALL, is_free = type == RCT_HINGE_FREE;
    const int relative = !ball && !is_free && type != RCT_HINGE_FIXED;
    const int n = relative ? rct_hinge_freedoms(type) : 0;
    switch (field) {
    case AT: return !is_free;
    case FRAME: return !ball && !is_free; /* of a ball with springs alone */
    case AXIS: return relative;
    case AXIS2: return type == RCT_HINGE_UNIVERSAL || type == RCT_HINGE_PLANAR;
    case PITCH: return type == RCT_HINGE_HELICAL;
    case ORIENTATION:
    case ANGULAR_VELOCITY: return ball || is_free;
    case POSITION:
    case RATE: return is_free || k < n;
    case STIFFNESS:
    case DAMPING: return ball || k < n;
    default: return k < n;
    }
}
