/* Loops: connections of bodies besides the hinges of the tree. A closure joins two bodies, or a
 * body and the ground, as a hinge would. A relation ties coordinates of hinges to one another or to
 * time. Both are part of the model. A loop that is not active has no effect; it can be made active
 * while a solver runs (rct_solver_set_loop_active).
 */
#ifndef RICCATREE_LOOP_H
#define RICCATREE_LOOP_H

#include <riccatree/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A closure is a hinge from `other`, its parent, to `body`. The closure frame on `other` has its
 * origin at `other_at`, in the axes of `other`, and `other_orientation` turns its axes into those
 * of `other`. The closure frame on the body has `at` and `orientation` in the same way. As for a
 * hinge of the tree, axes are given in the closure frame, and at coordinates 0 the two frames
 * coincide.
 *
 * The planar types are for systems that move in one plane, perpendicular to `axis`: they leave out
 * the constraints that the motion in the plane meets anyway, so that no constraint is redundant.
 *
 * In the table, Z = axis, X is perpendicular to it (axis2 where the type has one, else any), Y = Z
 * x X, all of the frame on `other`; x y z belong to the frame on the body; d goes from the point on
 * `other` to the point on the body.
 *
 *     type               condition                                                constraints
 *     fixed              d = 0; x, y, z on X, Y, Z                                6
 *     ball               d = 0                                                    3
 *     revolute           d = 0; z on Z                                            5
 *     prismatic          d along Z; x, y, z on X, Y, Z                            5
 *     universal          d = 0; axis2 of the body perpendicular to axis of other  4
 *     cylindrical        d along Z; z on Z                                        4
 *     planar             d across Z; z on Z                                       3
 *     distance           |d| = length                                             1
 *     planar_revolute    d.X = d.Y = 0                                            2
 *     planar_prismatic   d.Y = 0; x on X                                          2
 *     planar_fixed       d.X = d.Y = 0; x on X                                    3
 *     slot               d.Y = 0: the point of the body moves on the line         1
 *                        along X
 *     relation           sum of factor q = s(t) = offset + rate t                 1
 *                        + acceleration t^2 / 2
 *                        + amplitude sin(angular_frequency t + phase),
 *                        or s(t) by a table
 *     cam                |D| = s(angle of D from X about Z), D the part of d      1
 *                        across Z: the point of the body moves on the outline s
 */
typedef enum rct_loop_type {
    RCT_LOOP_FIXED = 0,
    RCT_LOOP_BALL = 1,
    RCT_LOOP_REVOLUTE = 2,
    RCT_LOOP_PRISMATIC = 3,
    RCT_LOOP_UNIVERSAL = 4,
    RCT_LOOP_CYLINDRICAL = 5,
    RCT_LOOP_PLANAR = 6,
    RCT_LOOP_DISTANCE = 7,
    RCT_LOOP_PLANAR_REVOLUTE = 8,
    RCT_LOOP_PLANAR_PRISMATIC = 9,
    RCT_LOOP_PLANAR_FIXED = 10,
    RCT_LOOP_SLOT = 11,
    RCT_LOOP_RELATION = 12,
    RCT_LOOP_CAM = 13,
} rct_loop_type;

enum { RCT_LOOP_TYPES = 14, RCT_LOOP_MOST_CONSTRAINTS = 6, RCT_LOOP_HARMONICS = 8 };

/* The name of a type, "fixed", "planar_revolute", ...; NULL for a number that is no type. */
RCT_API const char *rct_loop_type_name(rct_loop_type type);

/* The number of constraints of a loop of the type. */
RCT_API int32_t rct_loop_constraints(rct_loop_type type);

/* One coordinate in a relation. */
typedef struct rct_loop_term {
    int32_t body;    /* the body whose hinge it is: one with axes, not fixed, ball or free */
    int32_t freedom; /* number of the coordinate of this hinge, from 0 */
    double factor;   /* not 0 */
} rct_loop_term;

/* A loop. Start from rct_loop_default(). A field that the type does not use must keep its
 * default. */
typedef struct rct_loop {
    const char *name; /* NULL or "": the loop is called "loop<number>" */
    rct_loop_type type;
    int active;                  /* 1: it holds from the start */
    int32_t body;                /* id */
    double at[3];                /* m, point of the body from its hinge point, body axes */
    double orientation[4];       /* closure frame to body axes */
    int32_t other;               /* id, not `body`, or RCT_GROUND */
    double other_at[3];          /* m, as `at` (ground: from its origin, in its axes; if the
                                  * ground moves, the point moves with it) */
    double other_orientation[4]; /* closure frame to axes of `other` */
    double axis[3];              /* closure frame, any length > 0, normalized on entry; not used
                                  * by fixed, ball, distance */
    double axis2[3];             /* universal: not along axis; planar_prismatic, slot, cam: made
                                  * perpendicular to axis */
    double length;               /* m, distance only, > 0 */

    /* Relation: gears, differentials, prescribed motion. The unit of the sum follows from
     * factors and coordinates. */
    int32_t term_count;
    const rct_loop_term *terms; /* [term_count] copied */
    double offset, rate, acceleration;

    /* Cam: the outline at polar angle z is s(z) = radius + sum over k from 1 of cosine[k - 1]
     * cos k z + sine[k - 1] sin k z, in m (seed 003, eq. B.5); positive everywhere. */
    double radius, cosine[RCT_LOOP_HARMONICS], sine[RCT_LOOP_HARMONICS];

    /* Relation: an oscillation of the sum; or a table instead of offset, rate, acceleration and
     * sine: the natural cubic spline through its rows (t, sum), continued by straight lines
     * before the first row and after the last. */
    double amplitude, angular_frequency, phase; /* unit of the sum; rad/s; rad */
    int64_t rows;                               /* at least 2; 0: no table */
    const double *table;                        /* [rows][2], times in s increase; copied */
} rct_loop;

/* Set the outline of a cam from a table: radii (m) at `count` angles 2 pi i / count, beginning at
 * X. Up to 17 radii (an odd count) the outline passes through all of them; with more it is the
 * least-squares fit. Writes radius, cosine and sine of the loop. Returns the largest distance (m)
 * of a radius from the outline; NaN for fewer than 3 radii or NULL, and then nothing is written. */
RCT_API double rct_loop_set_outline(rct_loop *loop, const double *radii, int64_t count);

/* Defaults: a ball closure of body 0 to the ground, active, at both origins, unit quaternions, axis
 * z, axis2 x, everything else 0. */
RCT_API void rct_loop_init(rct_out out);
static inline rct_loop rct_loop_default(void)
{
    rct_loop x;
    rct_loop_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

/* Append a loop; its number is the number of loops before it. `index` may be NULL. Bodies may be
 * added later; rct_model_check looks for them. RCT_ERROR_MODEL: an unknown type, numbers that are
 * not finite, a quaternion or axis of zero length, parallel axes, a closure of a body to itself, a
 * distance or an outline that is not positive, a relation without terms, with a factor of 0 or with
 * one coordinate twice, a name given twice, fields that the type does not use. */
RCT_API rct_status rct_model_add_loop_sized(rct_model *model, rct_in loop, int32_t *index,
                                            rct_error *error);
static inline rct_status rct_model_add_loop(rct_model *model, const rct_loop *loop, int32_t *index,
                                            rct_error *error)
{
    return rct_model_add_loop_sized(model, rct_in_of(loop, sizeof *loop, 0, 0), index, error);
}
RCT_API int32_t rct_model_loop_count(const rct_model *model);

/* Copy loop number `index` out; its name, terms and table live as long as the model. */
RCT_API rct_status rct_model_loop_sized(const rct_model *model, int32_t index, rct_out loop,
                                        rct_error *error);
static inline rct_status rct_model_loop(const rct_model *model, int32_t index, rct_loop *loop,
                                        rct_error *error)
{
    return rct_model_loop_sized(model, index, rct_out_of(loop, sizeof *loop, 0, 0), error);
}

/* The value that the sum of a relation must have at `time` (s), and its first and second
 * derivatives by time, in `motion`. RCT_ERROR_ARGUMENT: no such relation. */
RCT_API rct_status rct_model_loop_motion(const rct_model *model, int32_t index, double time,
                                         double motion[3], rct_error *error);

/* The name of a loop, "loop<number>" if it has none; and the number of the loop called `name`, or
 * -1. */
RCT_API void rct_model_loop_name(const rct_model *model, int32_t index, char name[RCT_NAME_SIZE]);
RCT_API int32_t rct_model_find_loop(const rct_model *model, const char *name);

#ifdef __cplusplus
}
#endif
#endif
