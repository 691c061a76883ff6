/* What bodies look like: capsules, boxes, spheres and cylinders, for those who draw them (riccatree/view.h). A shape has no mass, and
 * nothing collides with it. A body may have any number of shapes; one without is drawn by its mass and inertia.
 */
#ifndef RICCATREE_SHAPE_H
#define RICCATREE_SHAPE_H

#include <riccatree/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a shape is. */
typedef enum rct_shape_type {
    RCT_SHAPE_CAPSULE = 0, /* a cylinder along its z axis, and half a ball at either end */
    RCT_SHAPE_BOX = 1,     /* its edges are along its axes                               */
    RCT_SHAPE_SPHERE = 2,
    RCT_SHAPE_CYLINDER = 3, /* along its z axis                                           */
} rct_shape_type;

enum { RCT_SHAPE_TYPES = 4 };

/* "capsule", "box", "sphere", "cylinder"; NULL for a number that is no type. */
RCT_API const char *rct_shape_type_name(rct_shape_type type);

/* Start from rct_shape_default(). What its type has no use for must keep its default: it would be ignored in silence. */
typedef struct rct_shape {
    rct_shape_type type;
    int32_t body; /* id of the body                                                          */
    double at[3]; /* m, body axes: its centre, from the hinge point of the body              */
    double orientation
        [4];        /* its axes to body axes, normalized on entry                              */
    double radius;  /* m, > 0: capsule, sphere, cylinder                                       */
    double length;  /* m, > 0: cylinder; capsule, between the centres of its half balls        */
    double size[3]; /* m, > 0: box, its edges along x, y, z                                    */
} rct_shape;

/* A capsule of body 0 at its hinge point, axes as those of the body, all else 0. */
RCT_API void rct_shape_init(rct_out out);
static inline rct_shape rct_shape_default(void)
{
    rct_shape x;
    rct_shape_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

/* Add a shape of a body that is in the model. Shapes are numbered by their bodies, those of one body as they are added: those of
 * later bodies get higher numbers by it, and many are best added in the order of bodies. RCT_ERROR_MODEL names the body: a number
 * that is not finite, a radius, length or edge that is not positive, a quaternion of zero length, what the type has no use for.
 * `index` may be NULL. */
RCT_API rct_status rct_model_add_shape_sized(rct_model *model, rct_in shape, int32_t *index,
                                             rct_error *error);
static inline rct_status rct_model_add_shape(rct_model *model, const rct_shape *shape,
                                             int32_t *index, rct_error *error)
{
    return rct_model_add_shape_sized(model, rct_in_of(shape, sizeof *shape, 0, 0), index, error);
}

/* Of all bodies. */
RCT_API int32_t rct_model_shape_count(const rct_model *model);

/* How many shapes body `body` has, and in `first`, which may be NULL, the number of the first one. */
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
