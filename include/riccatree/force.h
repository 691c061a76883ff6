/* What acts on a system besides gravity and what its hinges exert: forces on bodies, springs between points,
 * and the motion of the ground. All of it is part of the model.
 */
#ifndef RICCATREE_FORCE_H
#define RICCATREE_FORCE_H

#include <riccatree/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Types of forces. */
typedef enum rct_force_type {
    RCT_FORCE_WRENCH = 0, /* a constant force and moment on `body`                               */
    RCT_FORCE_SPRING = 1, /* a spring and damper between a point of `body` and one of `other`    */
} rct_force_type;

/* Start from rct_force_default(). What a type has no use for must keep its default. */
typedef struct rct_force {
    rct_force_type type;
    int32_t body;     /* id; spring: or RCT_GROUND                                              */
    double at[3];     /* m, point of the body from its hinge point, body axes (ground: inertial) */
    int in_body_axes; /* wrench: 1: force and moment turn with the body; 0: inertial axes       */
    double force[3];  /* N, wrench: acts at the point                                           */
    double moment[3]; /* N m, wrench                                                            */
    int32_t other;    /* spring: id or RCT_GROUND                                               */
    double other_at[3]; /* m, spring: point of the other body                                     */
    double stiffness;   /* N/m, spring, >= 0: pulls by stiffness (distance - length)              */
    double damping;     /* N s/m, spring, >= 0: and by damping (rate of the distance)             */
    double length;      /* m, spring, >= 0. At distance 0 the direction is undetermined: no force */
} rct_force;

/* a wrench of nothing on body 0; other = RCT_GROUND */
RCT_API void rct_force_init(rct_out out);
static inline rct_force rct_force_default(void)
{
    rct_force x;
    rct_force_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

/* Append a force; its number is that of forces before. RCT_ERROR_MODEL: an unknown type, numbers that are not
 * finite, negative stiffness, damping or length, both ends on the ground or on one body, fields that the type has no
 * use for. Bodies may be added later; rct_model_check looks for them. `index` may be NULL. */
RCT_API rct_status rct_model_add_force_sized(rct_model *model, rct_in force, int32_t *index,
                                             rct_error *error);
static inline rct_status rct_model_add_force(rct_model *model, const rct_force *force,
                                             int32_t *index, rct_error *error)
{
    return rct_model_add_force_sized(model, rct_in_of(force, sizeof *force, 0, 0), index, error);
}
RCT_API int32_t rct_model_force_count(const rct_model *model);
/* copies force number `index` out */
RCT_API rct_status rct_model_force_sized(const rct_model *model, int32_t index, rct_out force,
                                         rct_error *error);
static inline rct_status rct_model_force(const rct_model *model, int32_t index, rct_force *force,
                                         rct_error *error)
{
    return rct_model_force_sized(model, index, rct_out_of(force, sizeof *force, 0, 0), error);
}

/* Motion of the ground, which carries every body hinged to it, but not springs that end on it, gravity, or free
 * hinges: those stay inertial. It turns about an axis through its origin, which moves:
 *
 *     position p(t) = velocity t + acceleration t^2 / 2        angle(t) = rate t + angular_acceleration t^2 / 2
 *
 * or, with a table, by the natural cubic splines through its rows (t, x, y, z, angle), before the first and
 * after the last on as they end, at constant velocity. */
typedef struct rct_base {
    double velocity[3];          /* m/s, inertial axes                                           */
    double acceleration[3];      /* m/s^2, inertial axes                                         */
    double axis[3];              /* inertial axes, any length > 0, normalized on entry           */
    double rate;                 /* rad/s                                                        */
    double angular_acceleration; /* rad/s^2                                                      */
    int32_t rows;                /* of the table, 0: none; else at least 2, velocity .. zero     */
    const double *table;         /* [rows][5] s, m, m, m, rad; times increase; copied            */
} rct_base;

/* at rest, axis z, no table */
RCT_API void rct_base_init(rct_out out);
static inline rct_base rct_base_default(void)
{
    rct_base x;
    rct_base_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

/* RCT_ERROR_MODEL: numbers that are not finite, an axis of zero length, times that do not increase, one row, a
 * table beside the constants. */
RCT_API rct_status rct_model_set_base_sized(rct_model *model, rct_in base, rct_error *error);
static inline rct_status rct_model_set_base(rct_model *model, const rct_base *base,
                                            rct_error *error)
{
    return rct_model_set_base_sized(model, rct_in_of(base, sizeof *base, 0, 0), error);
}
/* the table lives with the model */
RCT_API void rct_model_base_sized(const rct_model *model, rct_out base);
static inline void rct_model_base(const rct_model *model, rct_base *base)
{
    rct_model_base_sized(model, rct_out_of(base, sizeof *base, 0, 0));
}

/* Where the ground is at time t, inertial axes. */
typedef struct rct_base_motion {
    double orientation[4];          /* quaternion, ground axes to inertial */
    double angular_velocity[3];     /* rad/s                               */
    double angular_acceleration[3]; /* rad/s^2                             */
    double position[3];             /* m, of its origin                    */
    double velocity[3];             /* m/s                                 */
    double acceleration[3];         /* m/s^2                               */
} rct_base_motion;

/* Where the ground is at time t, s. */
RCT_API void rct_model_base_motion_sized(const rct_model *model, double time, rct_out motion);
static inline void rct_model_base_motion(const rct_model *model, double time,
                                         rct_base_motion *motion)
{
    rct_model_base_motion_sized(model, time, rct_out_of(motion, sizeof *motion, 0, 0));
}

#ifdef __cplusplus
}
#endif
#endif
