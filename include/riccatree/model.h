/* The model, which the user describes: bodies, hinges, gravity, initial state.
 *
 * Units are SI. "Inertial" quantities are given in the axes of the ground, "body" quantities in the
 * axes of the body. The origin of a body is its hinge point, where its hinge to the parent sits.
 * Quaternions are w x y z and turn body axes into the axes named; they are normalized on entry.
 */
#ifndef RICCATREE_MODEL_H
#define RICCATREE_MODEL_H

#include <riccatree/sized.h>
#include <riccatree/status.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RCT_GROUND ((int32_t)-1) /* the parent of a body that is hinged to the ground */

enum { RCT_NAME_SIZE = 128 }; /* bytes of the longest body or model name, with the closing zero */

/* Hinges, their coordinates q and their rates u. The hinge frame coincides with the body frame at q
 * = 0: its origin is the hinge point in the parent, and `hinge_orientation` turns its axes into the
 * parent's. Axes are given in the hinge frame.
 *
 *     type         q                        u                      from hinge frame to body
 *     fixed        none                     none                   none
 *     ball         orientation (4)          angular velocity (3)   any rotation; absolute
 *     revolute     angle, rad               rad/s                  turn about axis
 *     prismatic    displacement, m          m/s                    shift along axis
 *     universal    angles 1, 2, rad         rad/s                  turn about axis, then about
 *                                                                  axis2, turned with it
 *     cylindrical  angle, displacement,     rad/s, m/s             turn about axis, shift along
 *                  rad, m                                          axis
 *     planar       x, y, angle,             m/s, m/s, rad/s        shift by x along axis2 and by
 *                  m, m, rad                                       y along axis x axis2, then
 *                                                                  turn about axis
 *     helical      angle, rad               rad/s                  turn about axis, shift along
 *                                                                  it by pitch times angle
 *     free         orientation (4), hinge   angular velocity (3),  any pose; absolute; on the
 *                  point position, m (3)    velocity, m/s (3)      ground only
 *
 * Absolute: the orientation is a quaternion from body axes to inertial axes; angular velocity
 * (rad/s), position and velocity are in inertial axes. */
typedef enum rct_hinge_type {
    RCT_HINGE_FIXED = 0, /* no freedom: the body is welded to its parent */
    RCT_HINGE_BALL = 1,
    RCT_HINGE_REVOLUTE = 2,
    RCT_HINGE_PRISMATIC = 3,
    RCT_HINGE_UNIVERSAL = 4,
    RCT_HINGE_CYLINDRICAL = 5,
    RCT_HINGE_PLANAR = 6,
    RCT_HINGE_HELICAL = 7,
    RCT_HINGE_FREE = 8,
} rct_hinge_type;

enum { RCT_HINGE_TYPES = 9 };

/* The name of a type, "fixed", "ball", ...; NULL for a number that is no type. */
RCT_API const char *rct_hinge_name(rct_hinge_type type);

/* The number of coordinates and of rates of a hinge, in the order of the types: q 0 4 1 1 2 2 3 1
 * 7, u 0 3 1 1 2 2 3 1 6. */
RCT_API int32_t rct_hinge_coordinates(rct_hinge_type type);
RCT_API int32_t rct_hinge_freedoms(rct_hinge_type type);

/* The unit of coordinate and of rate i of a hinge: "rad", "m", or "1" in a quaternion; "rad/s" or
 * "m/s". NULL where the type has no such number. */
RCT_API const char *rct_hinge_coordinate_unit(rct_hinge_type type, int32_t i);
RCT_API const char *rct_hinge_rate_unit(rct_hinge_type type, int32_t i);

/* One body with the hinge that joins it to its parent. Start from rct_body_default(). A field that
 * the hinge type does not use must keep its default; rct_model_add_body refuses other values. */
typedef struct rct_body {
    const char *name; /* NULL or "": the body is called "body<id>" */
    int32_t parent;   /* id of the parent, which may be added later, or RCT_GROUND */
    rct_hinge_type hinge;
    double hinge_at[3];          /* m, hinge point in the parent's axes (ground: inertial); free:
                                  * 0 */
    double hinge_orientation[4]; /* hinge frame to parent axes; free, and ball without stiffness:
                                  * identity */
    double hinge_axis[3];        /* hinge frame, any length > 0, normalized on entry */
    double hinge_axis2[3];       /* universal: at least 1e-3 rad from axis; planar: made
                                  * perpendicular to axis */
    double hinge_pitch;          /* m/rad, helical */
    double mass;                 /* kg, >= 0; if 0, the inertia is 0 and a body with mass must
                                  * hang on this one */
    double com[3];               /* m, centre of mass from the hinge point, body axes */
    double inertia[6];           /* kg m^2, xx yy zz xy xz yz about the centre of mass, body axes */
    double orientation[4];       /* initial, body axes to inertial; ball and free */
    double angular_velocity[3];  /* rad/s, initial, inertial axes; ball and free */
    double position[3];          /* relative hinge: initial q; free: initial position, m */
    double rate[3];              /* relative hinge: initial u; free: initial velocity, m/s */

    /* Effort of the hinge. Relative hinge: applied - stiffness (q - rest) - damping u on each
     * rate, N or N m. Ball hinge: stiffness and damping are three numbers each, about x, y, z;
     * if [1] and [2] are 0, [0] applies to every axis and is copied to them on entry. With theta
     * the rotation vector, at most pi long, that turns the hinge frame onto the axes of the
     * body, the energy of the spring is 1/2 theta . stiffness theta, theta in the hinge frame;
     * it is at rest where the two frames coincide. The moment of the damper is -damping (w - w
     * of the parent), in the axes of the body. Free hinge: none. */
    double stiffness[3]; /* N/m or N m/rad, >= 0 */
    double rest[3];      /* m or rad, relative hinges only */
    double damping[3];   /* N s/m or N m s/rad, >= 0: viscous friction */
    double applied[3];   /* N or N m, relative hinges only */

    /* Rotor inertia on each rate of a relative hinge. It adds 1/2 armature u^2 to the kinetic
     * energy and armature to the diagonal of the mass matrix, and nothing to the momenta of
     * bodies. Ball and free hinges: none. */
    double armature[3]; /* kg or kg m^2, >= 0 */
} rct_body;

/* Defaults: hung on the ground by a ball hinge at the origin, unit quaternions, axis z, axis2 x, at
 * rest, everything else 0. */
RCT_API void rct_body_init(rct_out out);
static inline rct_body rct_body_default(void)
{
    rct_body x;
    rct_body_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

/* A model: bodies, hinges, forces, loops. */
typedef struct rct_model rct_model;

/* Create an empty model with gravity (0, 0, -9.81) m/s^2. NULL on failure. `name` may be NULL. */
RCT_API rct_model *rct_model_create(const char *name, rct_error *error);
/* Free a model. */
RCT_API void rct_model_free(rct_model *model);

/* The name of a model; it lives as long as the model. */
RCT_API const char *rct_model_name(const rct_model *model);
/* Set the gravity, m/s^2, inertial axes. RCT_ERROR_MODEL for numbers that are not finite. */
RCT_API rct_status rct_model_set_gravity(rct_model *model, const double gravity[3],
                                         rct_error *error);
/* Get the gravity, m/s^2, inertial axes. */
RCT_API void rct_model_gravity(const rct_model *model, double gravity[3]);

/* Append a body; its id is the number of bodies before it. `id` may be NULL. RCT_ERROR_MODEL for
 * what the body alone shows to be wrong: numbers that are not finite, negative mass, inertia that
 * is not positive semidefinite or violates the triangle inequality, a quaternion of zero length, a
 * name that is not unique, not UTF-8, "ground" or "previous", or a field that the hinge type does
 * not use. */
RCT_API rct_status rct_model_add_body_sized(rct_model *model, rct_in body, int32_t *id,
                                            rct_error *error);
static inline rct_status rct_model_add_body(rct_model *model, const rct_body *body, int32_t *id,
                                            rct_error *error)
{
    return rct_model_add_body_sized(model, rct_in_of(body, sizeof *body, 0, 0), id, error);
}

/* The number of bodies. */
RCT_API int32_t rct_model_body_count(const rct_model *model);

/* Copy body `id` out. `name` is NULL for an unnamed body, else valid until the model is freed. */
RCT_API rct_status rct_model_body_sized(const rct_model *model, int32_t id, rct_out body,
                                        rct_error *error);
static inline rct_status rct_model_body(const rct_model *model, int32_t id, rct_body *body,
                                        rct_error *error)
{
    return rct_model_body_sized(model, id, rct_out_of(body, sizeof *body, 0, 0), error);
}

/* The name of body `id`; "body<id>" if it has none. */
RCT_API void rct_model_body_name(const rct_model *model, int32_t id, char name[RCT_NAME_SIZE]);

/* The id of the body called `name`, or -1. Names of the form "body<id>" of unnamed bodies are found
 * too. */
RCT_API int32_t rct_model_find_body(const rct_model *model, const char *name);

/* Write the end of an error message about a `name` that no body has, as rct_did_you_mean does with
 * the names of the bodies; returns `text`. */
RCT_API const char *rct_model_body_hint(const rct_model *model, const char *name,
                                        const char *advice, char text[RCT_ERROR_TEXT_SIZE]);

/* Check the model as a whole: at least one body, known parents, no body its own ancestor, forces,
 * loops and events that name existing bodies, loops and coordinates (RCT_ERROR_MODEL).
 * rct_solver_create calls it, and also rejects a body whose spin is undetermined. */
RCT_API rct_status rct_model_check(const rct_model *model, rct_error *error);

/* Read a model in JSON format version 1 from a file, or from `size` bytes of memory. NULL on
 * failure; syntax errors carry line and column, model errors the line of the body where it is
 * known. */
RCT_API rct_model *rct_model_read(const char *path, rct_error *error);
RCT_API rct_model *rct_model_parse(const char *text, int64_t size, rct_error *error);

/* Write the model in JSON format version 1, runs of identical bodies as `repeat`. Reading the file
 * gives the same bits. The file appears whole or not at all. */
RCT_API rct_status rct_model_write(const rct_model *model, const char *path, rct_error *error);

/* A benchmark family for rct_model_generate. The rods of all families except `random` and `rod` are
 * uniform cylinders of mass 1 kg, length 1 m, radius 0.05 m along body -z. `rod` is an elastic rod
 * (riccatree/rod.h) that hangs on ball hinges from a clamp or from a pin.
 *
 * Four families have loops; a perturbation moves the bodies apart and leaves the loops as they are:
 * fourbars of 2 N + 1 bodies, revolute whether ball or revolute is asked for; ladder of 3 N, ball
 * or revolute; necklace, ball; hub of 2 N + 1, ball or revolute, its disc free or planar. */
typedef struct rct_family {
    const char *family;   /* chain, branch, fork, comb, binary, random, star; fourbars, ladder,
                           * necklace, hub; rod */
    int64_t bodies;       /* bodies of one system; if the number does not fit the family, the
                           * error names those that do */
    rct_hinge_type hinge; /* ball, fixed: every hinge except those to the ground, which are ball
                           * hinges; others: every hinge, with axis y for bodies with an even
                           * number in their system, x for an odd one (axis2: x, y); helical:
                           * pitch 0.1 m/rad; not free */
    uint64_t seed;        /* used by `random` and by `perturb` */
    double perturb;       /* 0: the family's plain start; p: orientations turned by up to p rad,
                           * angular velocities of bodies changed by up to p rad/s, independently
                           * of their parents; at hinges with axes the same about each axis,
                           * coordinates changed by up to p rad or p / 10 m, slides by up to p
                           * m/s */
    int64_t systems;      /* number of systems side by side in one model, all on the ground; 0
                           * counts as 1. System k has seed + k. Its bodies are k bodies to (k +
                           * 1) bodies - 1; those with names of their own are called
                           * "system<k>.<name>", and so are its loops */

    /* For `rod` only, as in rct_rod (riccatree/rod.h). All 0: the values of rct_rod_default(). */
    double length, density, radius; /* m, kg/m, m */
    double bending[2], twist;       /* N m^2 */
    double delay;                   /* s */
    int64_t pinned;                 /* 1: on a ball hinge without stiffness; 0: clamped */
} rct_family;

/* Defaults: one chain, 100 bodies, ball, seed 1, perturb 0. */
RCT_API void rct_family_init(rct_out out);
static inline rct_family rct_family_default(void)
{
    rct_family x;
    rct_family_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

/* Create a model of a family. NULL on failure. RCT_ERROR_ARGUMENT: an unknown family, a hinge or a
 * size that the family does not have, invalid numbers of a rod, or numbers of a rod given to
 * another family. RCT_ERROR_MEMORY. */
RCT_API rct_model *rct_model_generate_sized(rct_in family, rct_error *error);
static inline rct_model *rct_model_generate(const rct_family *family, rct_error *error)
{
    return rct_model_generate_sized(rct_in_of(family, sizeof *family, 0, 0), error);
}

/* The names of all families, with NULL at the end. */
RCT_API const char *const *rct_family_names(void);

#ifdef __cplusplus
}
#endif
#endif
