/* Shapes of bodies for drawing (riccatree/view.h): capsules, boxes, spheres and cylinders. A shape
 * has no mass and collides with nothing. A body may have any number of shapes; a body without one
 * is drawn from its mass and inertia.
 */
#ifndef RICCATREE_SHAPE_H
#define RICCATREE_SHAPE_H

#include <riccatree/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The types of shapes. */
typedef enum rct_shape_type {
    RCT_SHAPE_CAPSULE = 0, /* a cylinder along its z axis with half a ball at each end */
    RCT_SHAPE_BOX = 1,     /* its edges are along its axes */
    RCT_SHAPE_SPHERE = 2,
    RCT_SHAPE_CYLINDER = 3, /* along its z axis */
} rct_shape_type;

enum { RCT_SHAPE_TYPES = 4 };

/* The name of a type, "capsule", "box", "sphere", "cylinder"; NULL for a number that is no type. */
RCT_API const char *rct_shape_type_name(rct_shape_type type);

/* A shape. Start from rct_shape_default(). A field that the type does not use must keep its
 * default; rct_model_add_shape refuses other values. */
typedef struct rct_shape {
    rct_shape_type type;
    int32_t body;          /* id of the body */
    double at[3];          /* m, body axes: its centre, from the hinge point of the body */
    double orientation[4]; /* its axes to body axes, normalized on entry */
    double radius;         /* m, > 0: capsule, sphere, cylinder */
    double length;         /* m, > 0: cylinder; capsule: distance between the centres of its half
                            * balls */
    double size[3];        /* m, > 0: box: its edges along x, y, z */
} rct_shape;

/* Defaults: a capsule of body 0 at its hinge point, with the axes of the body, everything else
 * 0. */
RCT_API void rct_shape_init(rct_out out);
static inline rct_shape rct_shape_default(void)
{
    rct_shape x;
    rct_shape_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

/* Add a shape to a body of the model. `index` may be NULL. Shapes are numbered in body order, those
 * of one body in the order of adding; an added shape raises the numbers of shapes of later bodies.
 * It is fastest to add many shapes in the order of bodies. RCT_ERROR_MODEL names the body: a number
 * that is not finite, a radius, length or edge that is not positive, a quaternion of zero length, a
 * field that the type does not use. */
RCT_API rct_status rct_model_add_shape_sized(rct_model *model, rct_in shape, int32_t *index,
                                             rct_error *error);
static inline rct_status rct_model_add_shape(rct_model *model, const rct_shape *shape,
                                             int32_t *index, rct_error *error)
{
    return rct_model_add_shape_sized(model, rct_in_of(shape, sizeof *shape, 0, 0), index, error);
}

/* The number of shapes of all bodies. */
RCT_API int32_t rct_model_shape_count(const rct_model *model);

/* The number of shapes of body `body`; `first`, which may be NULL, gets the number of its first
 * shape. */
RCT_API int32_t rct_model_body_shapes(const rct_model *model, int32_t body, int32_t *first);

/* Copy shape `index` out. */
RCT_API rct_status rct_model_shape_sized(const rct_model *model, int32_t index, rct_out shape,
                                         rct_error *error);
static inline rct_status rct_model_shape(const rct_model *model, int32_t index, rct_shape *shape,
                                         rct_error *error)
{
    return rct_model_shape_sized(model, index, rct_out_of(shape, sizeof *shape, 0, 0), error);
}

#ifdef __cplusplus
}
#endif
#endif
