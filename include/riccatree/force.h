/* Forces besides gravity and the hinge fields of rct_body: forces on bodies and between points,
 * friction, limits, servos and curves at hinges, and the motion of the ground. All of them are part
 * of the model.
 */
#ifndef RICCATREE_FORCE_H
#define RICCATREE_FORCE_H

#include <riccatree/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Types of forces. A force at a hinge acts on one rate u of a hinge with axes, at its coordinate q,
 * as `applied` of rct_body does, in N or N m:
 *
 *     friction   -(coulomb + (breakaway - coulomb) exp(-(u / stribeck)^2)) tanh(u / slip)
 *     limit      -(stiffness x + damping u), x the distance of q above `upper` or, negative, below
 *                `lower`; 0 between the two, and where it would pull
 *     servo      stiffness (g - q) + damping (dg/dt - u), at most `saturation` in size, towards
 *                g = target + target_rate t + amplitude sin(angular_frequency t + phase), or g by
 *                a table (t, g)
 *     curve      by a table (x, effort), x one of q, u, t
 *
 * Friction also acts at ball hinges, with coordinate 0: with w the angular velocity of the body
 * relative to its parent, the moment is opposite to w, and its size is that of the friction at u =
 * |w|. Tables are natural cubic splines through their rows, continued by straight lines before the
 * first row and after the last. */
typedef enum rct_force_type {
    RCT_FORCE_WRENCH = 0,   /* a constant force and moment on `body` */
    RCT_FORCE_SPRING = 1,   /* a spring and damper between a point of `body` and a point of
                             * `other` */
    RCT_FORCE_FRICTION = 2, /* at a hinge: dry friction, regularized */
    RCT_FORCE_LIMIT = 3,    /* at a hinge: stops, one-sided springs and dampers */
    RCT_FORCE_SERVO = 4,    /* at a hinge: a drive that follows a position and its rate */
    RCT_FORCE_CURVE = 5,    /* at a hinge: a table over coordinate, rate or time */
    RCT_FORCE_CABLE = 6,    /* as a spring, but it only pulls: zero where it is shorter than
                             * `length` or would push */
    RCT_FORCE_DRAG = 7,     /* drag and buoyancy of a slender body in a fluid */
} rct_force_type;

enum { RCT_FORCE_TYPES = 8 };

/* The name of a type, "wrench", "spring", ...; NULL for a number that is no type. */
RCT_API const char *rct_force_type_name(rct_force_type type);

/* The argument of the table of a curve. */
typedef enum rct_curve_over {
    RCT_OVER_COORDINATE = 0, /* a nonlinear spring; it has an energy */
    RCT_OVER_RATE = 1,       /* a nonlinear damper */
    RCT_OVER_TIME = 2,
} rct_curve_over;

/* The name of an argument, "coordinate", "rate", "time"; NULL for another number. */
RCT_API const char *rct_curve_over_name(rct_curve_over over);

/* A force. Start from rct_force_default(). A field that the type does not use must keep its
 * default. */
typedef struct rct_force {
    rct_force_type type;
    int32_t body;       /* id; spring, cable: id or RCT_GROUND */
    double at[3];       /* m, point of the body from its hinge point, body axes (ground:
                         * inertial); not used at hinges; drag: start of the slender body */
    int in_body_axes;   /* wrench: 1: force and moment turn with the body; 0: inertial axes */
    double force[3];    /* N, wrench: acts at the point `at` */
    double moment[3];   /* N m, wrench */
    int32_t other;      /* spring, cable: id or RCT_GROUND */
    double other_at[3]; /* m, spring, cable: point of the other body */
    double stiffness;   /* >= 0; spring, cable: N/m, pulls by stiffness (distance - length);
                         * limit, servo: N/m or N m/rad */
    double damping;     /* >= 0; spring, cable: N s/m, pulls by damping (rate of the distance);
                         * limit, servo: N s/m or N m s/rad */
    double length;      /* m, spring, cable, >= 0. At distance 0 the direction is undetermined:
                         * no force acts */

    int32_t coordinate;       /* at a hinge: number of the coordinate, from 0; friction of balls:
                               * 0 */
    rct_curve_over over;      /* curve */
    double lower, upper;      /* m or rad, limit: lower <= upper */
    double coulomb;           /* N or N m, friction, >= 0: far from rest */
    double breakaway;         /* N or N m, friction: near rest, >= coulomb; 0: same as coulomb */
    double stribeck;          /* m/s or rad/s, friction, > 0 if breakaway is not 0 */
    double slip;              /* m/s or rad/s, friction, > 0: far smaller rates count as sticking */
    double target;            /* m or rad, servo */
    double target_rate;       /* m/s or rad/s, servo */
    double amplitude;         /* m or rad, servo */
    double angular_frequency; /* rad/s, servo */
    double phase;             /* rad, servo */
    double saturation;        /* N or N m, servo, >= 0; 0: no limit */

    /* Drag: a rod from `at` to `end` in a fluid of `density` that flows with velocity `current`.
     * With v the velocity of the fluid relative to a point of the rod's axis, v_t along that
     * axis and v_n across it, a length ds feels 1/2 density diameter (normal |v_n| v_n + pi
     * tangential |v_t| v_t) ds, integrated by Gauss's rule with RCT_DRAG_POINTS points. The
     * buoyancy -(density V) gravity of the volume V acts at the middle of the rod. */
    double end[3];     /* m, body axes, not equal to `at` */
    double diameter;   /* m, > 0 */
    double density;    /* kg/m^3, >= 0 */
    double normal;     /* >= 0, coefficient */
    double tangential; /* >= 0, coefficient */
    double current[3]; /* m/s, inertial axes */

    int64_t rows;        /* rows of the table; curve: at least 2; servo: 0 for no table, else at
                          * least 2, with its target and sine zero */
    const double *table; /* [rows][2], first column increasing; copied */
} rct_force;

enum { RCT_DRAG_POINTS = 5 };

/* Defaults: a wrench of zero on body 0; other = RCT_GROUND. */
RCT_API void rct_force_init(rct_out out);
static inline rct_force rct_force_default(void)
{
    rct_force x;
    rct_force_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

/* Append a force; its number is the number of forces before it. `index` may be NULL. Bodies may be
 * added later; rct_model_check looks for bodies and coordinates. RCT_ERROR_MODEL: an unknown type,
 * numbers that are not finite or violate the conditions in rct_force, both ends on the ground or on
 * one body, fields that the type does not use. */
RCT_API rct_status rct_model_add_force_sized(rct_model *model, rct_in force, int32_t *index,
                                             rct_error *error);
static inline rct_status rct_model_add_force(rct_model *model, const rct_force *force,
                                             int32_t *index, rct_error *error)
{
    return rct_model_add_force_sized(model, rct_in_of(force, sizeof *force, 0, 0), index, error);
}
RCT_API int32_t rct_model_force_count(const rct_model *model);
/* Copy force number `index` out; its table lives as long as the model. */
RCT_API rct_status rct_model_force_sized(const rct_model *model, int32_t index, rct_out force,
                                         rct_error *error);
static inline rct_status rct_model_force(const rct_model *model, int32_t index, rct_force *force,
                                         rct_error *error)
{
    return rct_model_force_sized(model, index, rct_out_of(force, sizeof *force, 0, 0), error);
}

/* The effect of a force at a hinge on its rate u, at coordinate q. */
typedef struct rct_force_effort {
    double effort;        /* N or N m */
    double by_coordinate; /* derivative of effort by q, N/m or N m/rad */
    double by_rate;       /* derivative of effort by u, N s/m or N m s/rad */
    double energy;        /* J; limits, and curves over the coordinate */
    double kept;          /* N or N m, -d energy / dq: the conservative part of the effort */
} rct_force_effort;

/* Evaluate force number `index` at time t (s), coordinate q and rate u; for friction at a ball
 * hinge, u is the size of the angular velocity. RCT_ERROR_ARGUMENT: no such force, or not one at a
 * hinge. */
RCT_API rct_status rct_model_force_effort_sized(const rct_model *model, int32_t index, double time,
                                                double coordinate, double rate, rct_out effort,
                                                rct_error *error);
static inline rct_status rct_model_force_effort(const rct_model *model, int32_t index, double time,
                                                double coordinate, double rate,
                                                rct_force_effort *effort, rct_error *error)
{
    return rct_model_force_effort_sized(model, index, time, coordinate, rate,
                                        rct_out_of(effort, sizeof *effort, 0, 0), error);
}

/* Motion of the ground. It carries every body hinged to it; springs that end on the ground, gravity
 * and free hinges do not follow it: they stay inertial. The ground turns about an axis through its
 * origin, and the origin moves:
 *
 *     position p(t) = velocity t + acceleration t^2 / 2
 *     angle(t) = rate t + angular_acceleration t^2 / 2
 *
 * With a table, it moves by the natural cubic splines through the rows (t, x, y, z, angle) instead,
 * and at constant velocity before the first row and after the last. */
typedef struct rct_base {
    double velocity[3];          /* m/s, inertial axes */
    double acceleration[3];      /* m/s^2, inertial axes */
    double axis[3];              /* inertial axes, any length > 0, normalized on entry */
    double rate;                 /* rad/s */
    double angular_acceleration; /* rad/s^2 */
    int32_t rows;                /* rows of the table; 0: no table; else at least 2, and the
                                  * constants are zero */
    const double *table;         /* [rows][5] s, m, m, m, rad; times increase; copied */
} rct_base;

/* Defaults: at rest, axis z, no table. */
RCT_API void rct_base_init(rct_out out);
static inline rct_base rct_base_default(void)
{
    rct_base x;
    rct_base_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

/* Set the motion of the ground. RCT_ERROR_MODEL: numbers that are not finite, an axis of zero
 * length, times that do not increase, a table of one row, a table together with constants. */
RCT_API rct_status rct_model_set_base_sized(rct_model *model, rct_in base, rct_error *error);
static inline rct_status rct_model_set_base(rct_model *model, const rct_base *base,
                                            rct_error *error)
{
    return rct_model_set_base_sized(model, rct_in_of(base, sizeof *base, 0, 0), error);
}
/* Get the motion of the ground; its table lives as long as the model. */
RCT_API void rct_model_base_sized(const rct_model *model, rct_out base);
static inline void rct_model_base(const rct_model *model, rct_base *base)
{
    rct_model_base_sized(model, rct_out_of(base, sizeof *base, 0, 0));
}

/* Pose and motion of the ground at one time, in inertial axes. */
typedef struct rct_base_motion {
    double orientation[4];          /* quaternion, ground axes to inertial */
    double angular_velocity[3];     /* rad/s */
    double angular_acceleration[3]; /* rad/s^2 */
    double position[3];             /* m, of its origin */
    double velocity[3];             /* m/s */
    double acceleration[3];         /* m/s^2 */
} rct_base_motion;

/* Get the pose and the motion of the ground at `time` (s). */
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
