/* The model: what the user describes. Bodies, hinges, gravity, initial state.
 *
 * Units are SI. "Inertial" quantities are given in the axes of the ground; "body" quantities in the
 * axes of the body, whose origin is its own hinge point (where its hinge to the parent sits).
 * Quaternions are w x y z and turn body axes into the axes named; they are normalized on entry.
 */
#ifndef RICCATREE_MODEL_H
#define RICCATREE_MODEL_H

#include <riccatree/sized.h>
#include <riccatree/status.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RCT_GROUND ((int32_t)-1) /* the parent of a body that hangs on the ground */

enum { RCT_NAME_SIZE = 128 }; /* bytes of the longest body or model name, closing zero included */

/* Hinges, and their coordinates q and rates u. The hinge frame is that of the body at q = 0: its origin is
 * the hinge point in the parent, `hinge_orientation` turns its axes into the parent's. Axes are given in it.
 *
 *     type          q                            u                      from the hinge frame to the body
 *     fixed         none                         none                   none
 *     ball          orientation, absolute (4)    angular velocity (3)   any turn
 *     revolute      angle, rad                   rad/s                  turn about axis
 *     prismatic     displacement, m              m/s                    along axis
 *     universal     angles 1, 2, rad             rad/s                  turn about axis, then about axis2, which
 *                                                                       the first turn takes along
 *     cylindrical   angle, rad; displacement, m  rad/s, m/s             turn about axis, along axis
 *     planar        x, y, m; angle, rad          m/s, rad/s             by x along axis2 and y along axis x axis2,
 *                                                                       then turn about axis
 *     helical       angle, rad                   rad/s                  turn about axis, by pitch times the angle
 *                                                                       along it
 *     free          orientation (4), position    angular velocity (3),  anywhere: coordinates and rates are
 *                   of the hinge point, m (3)    velocity, m/s (3)      absolute; on the ground only
 *
 * Absolute: orientation is a quaternion, body axes to inertial; angular velocity, position and velocity are
 * in inertial axes. */
typedef enum rct_hinge_type {
    RCT_HINGE_FIXED = 0, /* no freedom: the body is welded to its parent                         */
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

/* "fixed", "ball", ...; NULL for a number that is no type. */
RCT_API const char *rct_hinge_name(rct_hinge_type type);

/* How many coordinates and rates a hinge has: q 0 4 1 1 2 2 3 1 7, u 0 3 1 1 2 2 3 1 6. */
RCT_API int32_t rct_hinge_coordinates(rct_hinge_type type);
RCT_API int32_t rct_hinge_freedoms(rct_hinge_type type);

/* One body with the hinge that joins it to its parent. Start from rct_body_default(). What a hinge has no
 * use for must keep its default: it would be ignored in silence. */
typedef struct rct_body {
    const char *name; /* NULL or "": the body is called "body<id>"                               */
    int32_t parent;   /* id of the parent, which may be added later, or RCT_GROUND               */
    rct_hinge_type hinge;
    double hinge_at[3]; /* m, hinge point in the parent's axes (ground: inertial); free: 0 */
    double hinge_orientation[4]; /* hinge frame to parent axes; free: identity                   */
    double hinge_axis[3];        /* hinge frame, any length > 0, normalized on entry             */
    double hinge_axis2[3]; /* universal: 1e-3 rad from axis; planar: made perpendicular to axis */
    double hinge_pitch;    /* m/rad, helical                                               */
    double mass;       /* kg, >= 0; with 0 the inertia is 0, and something with mass hangs on it */
    double com[3];     /* m, centre of mass from the hinge point, body axes            */
    double inertia[6]; /* kg m^2, xx yy zz xy xz yz about the centre of mass, body axes*/
    double orientation[4];      /* initial, body axes to inertial; ball and free                */
    double angular_velocity[3]; /* rad/s, initial, inertial axes; ball and free                 */
    double position[3];         /* initial q of a relative hinge; free: position, m             */
    double rate[3];             /* initial u of a relative hinge; free: velocity, m/s           */

    /* At the hinge, on each rate of a relative hinge: applied - stiffness (q - rest) - damping u, N or N m.
     * Of a ball hinge stiffness and damping, three numbers each, about x, y, z; if [1] and [2] are 0, [0] is about every axis, and is
     * copied to them on entry. With theta the rotation vector, of length up to pi, that turns the hinge frame onto the axes of the
     * body, its energy is 1/2 theta . stiffness theta, theta in the hinge frame: it is at rest where the two coincide. Damping is
     * in the axes of the body: the moment -damping (w - w of the parent) there. Free: none. */
    double stiffness[3]; /* N/m or N m/rad, >= 0                                                  */
    double rest[3];      /* m or rad, of relative hinges                                         */
    double damping[3];   /* N s/m or N m s/rad, >= 0: viscous friction                           */
    double applied[3];   /* N or N m, of relative hinges                                         */

    /* Rotor inertia on each rate of a relative hinge: it adds 1/2 armature u^2 to the kinetic energy, and armature to the
     * diagonal of the mass matrix; momenta of bodies are without it. Ball and free: none. */
    double armature[3]; /* kg or kg m^2, >= 0                                                    */
} rct_body;

/* Hung on the ground by a ball hinge at the origin, unit quaternions, axis z, axis2 x, at rest, everything
 * else 0. */
RCT_API void rct_body_init(rct_out out);
static inline rct_body rct_body_default(void)
{
    rct_body x;
    rct_body_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

/* What the user describes: bodies, hinges, forces, loops. */
typedef struct rct_model rct_model;

/* An empty model with gravity (0, 0, -9.81) m/s^2. NULL on failure. `name` may be NULL. */
RCT_API rct_model *rct_model_create(const char *name, rct_error *error);
/* Free a model. */
RCT_API void rct_model_free(rct_model *model);

/* The name of a model; it lives as long as the model. */
RCT_API const char *rct_model_name(const rct_model *model);
RCT_API rct_status rct_model_set_gravity(rct_model *model, const double gravity[3],
                                         rct_error *error); /* m/s^2, inertial axes */
/* m/s^2, inertial axes. */
RCT_API void rct_model_gravity(const rct_model *model, double gravity[3]);

/* Append a body; its id is the number of bodies before it. Checks what can be seen on the body
 * alone: finite numbers, mass >= 0, inertia positive semidefinite and within the triangle
 * inequality, quaternions of non-zero length, a unique name in UTF-8 other than "ground" and
 * "previous" (RCT_ERROR_MODEL). `id` may be NULL. */
RCT_API rct_status rct_model_add_body_sized(rct_model *model, rct_in body, int32_t *id,
                                            rct_error *error);
static inline rct_status rct_model_add_body(rct_model *model, const rct_body *body, int32_t *id,
                                            rct_error *error)
{
    return rct_model_add_body_sized(model, rct_in_of(body, sizeof *body, 0, 0), id, error);
}

/* How many bodies were added. */
RCT_API int32_t rct_model_body_count(const rct_model *model);

/* Copy body `id` out. The `name` is NULL for an unnamed body, else valid until the model is freed.*/
RCT_API rct_status rct_model_body_sized(const rct_model *model, int32_t id, rct_out body,
                                        rct_error *error);
static inline rct_status rct_model_body(const rct_model *model, int32_t id, rct_body *body,
                                        rct_error *error)
{
    return rct_model_body_sized(model, id, rct_out_of(body, sizeof *body, 0, 0), error);
}

/* The name of body `id`, made up as "body<id>" if it has none. */
RCT_API void rct_model_body_name(const rct_model *model, int32_t id, char name[RCT_NAME_SIZE]);

/* The id of the body called `name`, or -1. Finds made-up names too. */
RCT_API int32_t rct_model_find_body(const rct_model *model, const char *name);

/* The end of an error about a `name` that no body has: rct_did_you_mean of the names of the bodies. */
RCT_API const char *rct_model_body_hint(const rct_model *model, const char *name,
                                        const char *advice, char text[RCT_ERROR_TEXT_SIZE]);

/* Check what only the whole shows (RCT_ERROR_MODEL): at least one body, known parents, no body its
 * own ancestor, forces on known bodies. Called by rct_solver_create, which also rejects a body whose
 * spin is undetermined. */
RCT_API rct_status rct_model_check(const rct_model *model, rct_error *error);

/* Read a model in JSON format version 1 from a file or from memory. NULL on failure; syntax errors
 * carry line and column, model errors the line of the body where it is known. */
RCT_API rct_model *rct_model_read(const char *path, rct_error *error);
RCT_API rct_model *rct_model_parse(const char *text, int64_t size, rct_error *error);

/* Write the model in JSON format version 1, runs of identical bodies as `repeat`. Numbers are
 * written so that reading gives the same bits. The file appears whole or not at all. */
RCT_API rct_status rct_model_write(const rct_model *model, const char *path, rct_error *error);

/* A benchmark family made by rct_model_generate. The rods of all families but `random` and `rod` are uniform
 * cylinders of mass 1 kg, length 1 m, radius 0.05 m along body -z. `rod` is an elastic rod (riccatree/rod.h) that
 * hangs from a clamp, or pinned, on ball hinges. Four others have loops, which stay as they are
 * between bodies that a perturbation moves apart: fourbars of 2 N + 1 bodies, revolute whether ball or revolute is asked
 * for; ladder of 3 N, ball or revolute; necklace, ball; hub of 2 N + 1, ball or revolute, its disc free or planar. */
typedef struct rct_family {
    const char *family; /* chain, branch, fork, comb, binary, random, star; fourbars, ladder,
                             necklace, hub; rod                                                    */
    int64_t bodies;     /* of one system; each family names those it has in the error           */
    rct_hinge_type
        hinge;       /* ball, fixed: every hinge but those to the ground, which are ball hinges;
                             others: every hinge, axes by the number of the body in its system: y if it
                             is even, x if it is odd (axis2: x, y); helical: pitch 0.1 m/rad; not free */
    uint64_t seed;   /* of `random`, and of `perturb`                                        */
    double perturb;  /* 0: the family's plain start; p: orientations turned by up to p rad, bodies
                             faster by up to p rad/s, whatever their parents do; hinges with axes: so about
                             each, coordinates by up to p rad or p / 10 m, slides by up to p m/s */
    int64_t systems; /* so many side by side in one model, all on the ground; 0 counts as 1.
                             System k is the one of seed + k: its bodies are k bodies to (k + 1)
                             bodies - 1, those with names of their own are "system<k>.<name>",
                             loops likewise                                                       */

    /* Of `rod` alone, as in rct_rod (riccatree/rod.h). All 0: those of rct_rod_default(). */
    double length, density, radius; /* m, kg/m, m                                            */
    double bending[2], twist;       /* N m^2                                                 */
    double delay;                   /* s                                                     */
    int64_t pinned;                 /* 1: on a ball hinge that nothing resists; 0: clamped   */
} rct_family;

/* one chain, 100 bodies, ball, seed 1, perturb 0 */
RCT_API void rct_family_init(rct_out out);
static inline rct_family rct_family_default(void)
{
    rct_family x;
    rct_family_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

/* A model of a family. NULL on failure: RCT_ERROR_ARGUMENT for a family, a hinge or a size that there is not, numbers of a rod that no
 * rod has, or that are given to another family, RCT_ERROR_MEMORY. */
RCT_API rct_model *rct_model_generate_sized(rct_in family, rct_error *error);
static inline rct_model *rct_model_generate(const rct_family *family, rct_error *error)
{
    return rct_model_generate_sized(rct_in_of(family, sizeof *family, 0, 0), error);
}

/* The names of all families, NULL at the end. */
RCT_API const char *const *rct_family_names(void);

#ifdef __cplusplus
}
#endif
#endif
