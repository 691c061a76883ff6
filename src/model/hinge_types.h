/* Hinges as data, in two tables. The first has the keys by which a body describes its hinge and
 * its start. The second has for every type of hinge its name, the number of coordinates and
 * rates, how many numbers of every key it uses, and its freedoms. The check of a body, model
 * files, recordings, imports, families, the paths of ensembles, and rct_hinge_name,
 * rct_hinge_coordinates and rct_hinge_freedoms (riccatree/model.h) are made from these tables. */
#ifndef RCT_MODEL_HINGE_TYPES_H
#define RCT_MODEL_HINGE_TYPES_H

#include <riccatree/model.h>

#include <stddef.h>

/* In the order of a model file. */
enum {
    RCT_KEY_AT,
    RCT_KEY_FRAME,
    RCT_KEY_AXIS,
    RCT_KEY_AXIS2,
    RCT_KEY_PITCH,
    RCT_KEY_STIFFNESS,
    RCT_KEY_REST,
    RCT_KEY_DAMPING,
    RCT_KEY_APPLIED,
    RCT_KEY_ARMATURE,
    RCT_KEY_POSITION,
    RCT_KEY_RATE,
    RCT_KEY_VELOCITY, /* the same numbers of the body as RCT_KEY_RATE */
    RCT_KEY_ORIENTATION,
    RCT_KEY_ANGULAR_VELOCITY,
    RCT_HINGE_KEYS
};

typedef struct rct_hinge_key {
    const char *section, *name; /* in a model file: "hinge" or "initial", and the key in it */
    size_t offset;              /* in rct_body                                              */
    int width;                  /* numbers there                                            */
    const char *subject;        /* in errors                                                */
    const char *unit, *axes, *description;
    const char *advice; /* what to add if a model file lacks this required key; NULL: optional */
} rct_hinge_key;

extern const rct_hinge_key rct_hinge_keys[RCT_HINGE_KEYS];

/* The motion of a freedom of a hinge with axes: a turn about an axis or a slide along it, 1
 * axis, 2 axis2, 3 axis x axis2. The first turn carries the axis of the second along. */
typedef enum rct_hinge_freedom {
    RCT_TURN_1,
    RCT_TURN_2,
    RCT_SLIDE_1,
    RCT_SLIDE_2,
    RCT_SLIDE_3
} rct_hinge_freedom;

typedef struct rct_hinge_traits {
    const char *name;
    int32_t coordinates, freedoms;
    int32_t uses[RCT_HINGE_KEYS]; /* numbers of the key; 0: the type does not use it */
    int32_t required;             /* 1 << key of the keys that a model file must give  */
    rct_hinge_freedom freedom[3]; /* only hinges with axes                             */
} rct_hinge_traits;

extern const rct_hinge_traits rct_hinges[RCT_HINGE_TYPES];

static inline int rct_hinge_uses(rct_hinge_type type, int key)
{
    return rct_hinges[type].uses[key];
}

/* Whether one number may stand for the three of the key, which are about three axes. */
static inline int rct_hinge_even(rct_hinge_type type, int key)
{
    return type == RCT_HINGE_BALL && (key == RCT_KEY_STIFFNESS || key == RCT_KEY_DAMPING);
}

/* Whether freedom k of a hinge with axes turns; otherwise it slides. */
static inline int rct_hinge_turns(rct_hinge_type type, int k)
{
    return rct_hinges[type].freedom[k] <= RCT_TURN_2;
}

/* Whether the turning coordinates of a hinge with axes are small enough. From 2^50 rad on,
 * neighbouring doubles are a large part of a turn apart, and an angle has no sine
 * (kernels/lane/angle.h). */
int rct_hinge_is_turned(rct_hinge_type type, const double *coordinates);

/* The direction of freedom k in the hinge frame. */
void rct_hinge_direction(double out[3], rct_hinge_type type, int k, const double axis[3],
                         const double axis2[3]);

/* Whether the hinge is a ball hinge with springs. */
static inline int rct_bends(const rct_body *body)
{
    return body->hinge == RCT_HINGE_BALL &&
           (body->stiffness[0] != 0.0 || body->stiffness[1] != 0.0 || body->stiffness[2] != 0.0);
}

/* Whether the hinge is a ball hinge with springs or dampers. */
static inline int rct_holds(const rct_body *body)
{
    return rct_bends(body) ||
           (body->hinge == RCT_HINGE_BALL &&
            (body->damping[0] != 0.0 || body->damping[1] != 0.0 || body->damping[2] != 0.0));
}

/* The numbers of a key in a body. */
static inline const double *rct_hinge_numbers(const rct_body *body, int key)
{
    return (const double *)(const void *)((const char *)body + rct_hinge_keys[key].offset);
}

static inline double *rct_hinge_numbers_in(rct_body *body, int key)
{
    return (double *)(void *)((char *)body + rct_hinge_keys[key].offset);
}

#endif
