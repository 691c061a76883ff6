/* Loops: what joins bodies besides the hinges of the tree. A closure joins two bodies, or a body and the ground, as a
 * hinge would; a relation ties coordinates of hinges to one another or to time. Both are part of the model. A loop
 * that is not active is carried along and can be made active while a solver runs (rct_solver_set_loop_active).
 */
#ifndef RICCATREE_LOOP_H
#define RICCATREE_LOOP_H

#include <riccatree/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A closure is a hinge from `other`, its parent, to `body`. The closure frame has its origin at `other_at` in the axes
 * of `other`, which `other_orientation` turns it into; its like on the body is at `at` and `orientation`. The hinge is
 * closed as a hinge of the tree is: axes are given in the closure frame, and at coordinates 0 the two frames are one.
 * The planar ones are for systems that move in one plane, across `axis`: they leave out what the plane sees to, so
 * that no constraint is there twice. With Z = axis, X across it (axis2 where the type has one, else any), Y = Z x X of
 * the frame on `other`, x y z of that on the body, and d from the point on `other` to the point on the body:
 *
 *     type               what it asks for                                           constraints
 *     fixed              d = 0; x, y, z on X, Y, Z                                  6
 *     ball               d = 0                                                      3
 *     revolute           d = 0; z on Z                                              5
 *     prismatic          d along Z; x, y, z on X, Y, Z                              5
 *     universal          d = 0; axis2 of the body perpendicular to axis of other    4
 *     cylindrical        d along Z; z on Z                                          4
 *     planar             d across Z; z on Z                                         3
 *     distance           |d| = length                                               1
 *     planar_revolute    d.X = d.Y = 0                                              2
 *     planar_prismatic   d.Y = 0; x on X                                            2
 *     planar_fixed       d.X = d.Y = 0; x on X                                      3
 *     slot               d.Y = 0: the point of the body moves on the line along X   1
 *     relation           sum of factor q = s(t): offset + rate t + acceleration     1
 *                        t^2 / 2 + amplitude sin(angular_frequency t + phase), or a
 *                        table
 *     cam                |D| = s(angle of D from X about Z), D the part of d        1
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

/* "fixed", "planar_revolute", ...; NULL for a number that is no type. */
RCT_API const char *rct_loop_type_name(rct_loop_type type);

/* How many constraints a loop of the type is. */
RCT_API int32_t rct_loop_constraints(rct_loop_type type);

/* One coordinate in a relation. */
typedef struct rct_loop_term {
    int32_t body;    /* whose hinge: one with axes, not fixed, ball or free                      */
    int32_t freedom; /* which of its coordinates, from 0                                         */
    double factor;   /* not 0                                                                    */
} rct_loop_term;

/* Start from rct_loop_default(). What a type has no use for must keep its default. */
typedef struct rct_loop {
    const char *name; /* NULL or "": the loop is called "loop<number>"                           */
    rct_loop_type type;
    int active;   /* 1: it holds from the start                                              */
    int32_t body; /* id                                                                      */
    double at[3]; /* m, point of the body from its hinge point, body axes                    */
    double orientation[4]; /* closure frame to body axes                                         */
    int32_t other;         /* id or RCT_GROUND, not `body`                                       */
    double other_at[3];    /* m, as `at` (ground: from its origin, in its axes, which it takes along
                              when it moves)                                                     */
    double other_orientation[4]; /* closure frame to axes of `other`                             */
    double axis[3]; /* closure frame, any length > 0, normalized on entry; not of fixed,
                              ball, distance                                                    */
    double axis2
        [3]; /* universal: not along axis; planar_prismatic, slot, cam: made perpendicular to it */
    double length; /* m, distance, > 0                                                         */

    /* relation: gears, differentials, prescribed motion */
    int32_t term_count;
    const rct_loop_term *terms; /* [term_count] copied                                           */
    double offset, rate, acceleration;

    /* cam: m, the outline at polar angle z is s(z) = radius + sum over k from 1 of cosine[k - 1] cos k z +
     * sine[k - 1] sin k z (seed 003, eq. B.5); positive everywhere */
    double radius, cosine[RCT_LOOP_HARMONICS], sine[RCT_LOOP_HARMONICS];

    /* relation: a motion that swings; or by a table in place of offset, rate, acceleration and sine, the natural cubic spline through rows (t, sum), before the
     * first and after the last straight on */
    double amplitude, angular_frequency, phase; /* of the sum, rad/s, rad */
    int64_t rows;                               /* at least 2; 0: none    */
    const double *table;                        /* [rows][2] times increase; copied */
} rct_loop;

/* The outline of a cam by a table: radii (m) at `count` angles 2 pi i / count, from X on. Of up to 17 radii (an odd count) the
 * outline goes through all of them; of more it is the closest one in the sense of least squares. Writes radius, cosine and
 * sine of the loop; gives the largest distance (m) of a radius from the outline, NaN for less than 3 radii or NULL, of which
 * nothing is written. */
RCT_API double rct_loop_set_outline(rct_loop *loop, const double *radii, int64_t count);

/* A ball closure of body 0 to the ground, active, at both origins, unit quaternions, axis z, axis2 x, all else 0. */
RCT_API void rct_loop_init(rct_out out);
static inline rct_loop rct_loop_default(void)
{
    rct_loop x;
    rct_loop_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

/* Append a loop; its number is that of loops before. RCT_ERROR_MODEL: an unknown type, numbers that are not finite, a
 * quaternion or axis of zero length, axes that are parallel, a closure of a body to itself, a distance that is not
 * positive, an outline that is not, a relation without terms or with a factor of 0 or one coordinate twice, a name given
 * twice, fields that the type has no use for. Bodies may be added later; rct_model_check looks for them. `index` may be NULL. */
RCT_API rct_status rct_model_add_loop_sized(rct_model *model, rct_in loop, int32_t *index,
                                            rct_error *error);
static inline rct_status rct_model_add_loop(rct_model *model, const rct_loop *loop, int32_t *index,
                                            rct_error *error)
{
    return rct_model_add_loop_sized(model, rct_in_of(loop, sizeof *loop, 0, 0), index, error);
}
RCT_API int32_t rct_model_loop_count(const rct_model *model);

/* Copy loop number `index` out; its name, terms and table live with the model. */
RCT_API rct_status rct_model_loop_sized(const rct_model *model, int32_t index, rct_out loop,
                                        rct_error *error);
static inline rct_status rct_model_loop(const rct_model *model, int32_t index, rct_loop *loop,
                                        rct_error *error)
{
    return rct_model_loop_sized(model, index, rct_out_of(loop, sizeof *loop, 0, 0), error);
}

/* What the sum of a relation must be at time t, s, and its first and second derivative. RCT_ERROR_ARGUMENT: no such relation. */
RCT_API rct_status rct_model_loop_motion(const rct_model *model, int32_t index, double time,
                                         double motion[3], rct_error *error);

/* The name of a loop, made up as "loop<number>" if it has none; and the number of the loop called `name`, or -1. */
RCT_API void rct_model_loop_name(const rct_model *model, int32_t index, char name[RCT_NAME_SIZE]);
RCT_API int32_t rct_model_find_loop(const rct_model *model, const char *name);

#ifdef __cplusplus
}
#endif
#endif
