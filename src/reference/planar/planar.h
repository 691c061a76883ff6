/* Planar multibody systems in the terms of seed 003: bodies with three reference point
 * coordinates q_i = (R_i, theta_i), joints with coordinates z, loops closed by constraints. A
 * body comes before those it carries; the ground, body RCT_GROUND, has a prescribed motion. All
 * numbers are in quadruple precision; SI units, angles counterclockwise. A bar on a vector of
 * the paper, for a body's own axes, is written in words here. */
#ifndef RCT_REFERENCE_PLANAR_PLANAR_H
#define RCT_REFERENCE_PLANAR_PLANAR_H

#include "core/pool.h"
#include "reference/quad.h"

#include <riccatree/model.h>

/* Vectors of the plane and turns. */
typedef struct quad2 {
    quad x[2];
} quad2;

static inline quad2 quad2_add(quad2 a, quad2 b)
{
    return (quad2){{a.x[0] + b.x[0], a.x[1] + b.x[1]}};
}

static inline quad2 quad2_scale(quad s, quad2 a)
{
    return (quad2){{s * a.x[0], s * a.x[1]}};
}

static inline quad2 quad2_less(quad2 a, quad2 b)
{
    return (quad2){{a.x[0] - b.x[0], a.x[1] - b.x[1]}};
}

static inline quad quad2_dot(quad2 a, quad2 b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1];
}

/* I~ a, eq. 3. */
static inline quad2 quad2_tilde(quad2 a)
{
    return (quad2){{-a.x[1], a.x[0]}};
}

/* A a, with A given by (cos, sin). As complex numbers: the product. */
static inline quad2 quad2_turned(quad2 A, quad2 a)
{
    return (quad2){{A.x[0] * a.x[0] - A.x[1] * a.x[1], A.x[1] * a.x[0] + A.x[0] * a.x[1]}};
}

/* (cos, sin) of an angle. */
static inline quad2 quad2_of_angle(quad angle)
{
    quad2 A;
    quad_sine_cosine(angle, &A.x[1], &A.x[0]);
    return A;
}

enum { PLANAR_HARMONICS = 4, PLANAR_WAVES = 8, PLANAR_MOST_BODIES = 200 };

/* Coordinates z of a joint, in this order, and the place of the body. P is the joint point on
 * the body:
 *
 *     fixed          none              P at `from`
 *     revolute       angle             P at `from`; eq. 15
 *     prismatic      displacement      P at `from` + z h; eq. 19
 *     point-to-line  displacement,     P at `from` + z_1 h, turned by z_2; eq. B.2
 *                    angle
 *     cam-follower   polar angle of    P on the outline of the previous body, whose centre is `from`, at the
 *                    contact, angle    polar angle z_1, turned by z_2; eq. B.6 with a relative angle
 *     floating       x, y, angle       P at `from` + z_1 h + z_2 h turned by a right angle, turned by z_3
 *
 * The body's frame is turned from that of the previous body by theta_c, and by the angle if
 * there is one. */
typedef enum rct_planar_joint_type {
    PLANAR_FIXED,
    PLANAR_REVOLUTE,
    PLANAR_PRISMATIC,
    PLANAR_POINT_TO_LINE,
    PLANAR_CAM_FOLLOWER,
    PLANAR_FLOATING,
} rct_planar_joint_type;

/* The cam: s(z) = radius + sum_k cosine[k] cos (k + 1) z + sine[k] sin (k + 1) z, m, eq. B.5. */
typedef struct rct_planar_outline {
    quad radius, cosine[PLANAR_HARMONICS], sine[PLANAR_HARMONICS];
} rct_planar_outline;

typedef struct rct_planar_joint {
    rct_planar_joint_type type;
    quad2 from;   /* m, in the axes of the previous body (Q of the prismatic joint)             */
    quad2 to;     /* m, P in the axes of the body (S of the prismatic joint)                    */
    quad2 h;      /* unit vector in the axes of the previous body                               */
    quad theta_c; /* rad                                                                        */
    rct_planar_outline outline;
    quad stiffness[3], rest[3], damping[3], applied[3]; /* on each coordinate, as in rct_body     */
} rct_planar_joint;

typedef struct rct_planar_body {
    /* body i - 1 of the paper: smaller than its own number, or RCT_GROUND */
    int32_t parent;
    rct_planar_joint joint;
    quad m;    /* kg                                                                           */
    quad J;    /* kg m^2, about the centre of mass                                             */
    quad2 u_C; /* m, centre of mass, body axes                                                 */
} rct_planar_body;

/* In inertial axes. */
typedef struct rct_planar_load {
    int32_t body;
    quad2 force; /* N, at the centre of mass                                                     */
    quad moment; /* N m, about it                                                                */
} rct_planar_load;

/* Constraints that close loops. C, with r the points and u those from the origins of the body
 * frames:
 *
 *     revolute       r_i - r_o                                           eq. 56
 *     prismatic      theta_i - theta_o - theta_c, (I~ h_o)^T (r_o - r_i) eq. 57
 *     point-to-line  (I~ h_o)^T (r_o - r_i)
 *     cam            |r_i - r_o| - s(z), z the angle of r_i - r_o from h_o       eq. B.5 */
typedef enum rct_planar_closure_type {
    PLANAR_CLOSE_REVOLUTE,
    PLANAR_CLOSE_PRISMATIC,
    PLANAR_CLOSE_POINT_TO_LINE,
    PLANAR_CLOSE_CAM,
} rct_planar_closure_type;

typedef struct rct_planar_closure {
    rct_planar_closure_type type;
    int32_t body, other; /* i, o                                                                 */
    quad2 at, other_at;  /* m, body axes                                                         */
    quad2 h;             /* unit vector, axes of `other`                                         */
    quad theta_c;
    quad radius, cosine[PLANAR_WAVES], sine[PLANAR_WAVES]; /* m, of a cam                        */
} rct_planar_closure;

typedef struct rct_planar_system {
    int32_t n_b, loads, closures;
    rct_pool pool;
    rct_planar_body *body;
    rct_planar_load *load;
    rct_planar_closure *closure;
    quad2 gravity;
    quad q_0[3], q_dot_0[3], q_ddot_0[3]; /* of the ground                                       */
    quad a, b; /* 1/s, Baumgarte's coefficients, eq. 60; 0: none                                 */
} rct_planar_system;

/* Room for this many of each; call rct_planar_free even if it fails. RCT_ERROR_UNSUPPORTED for
 * more than PLANAR_MOST_BODIES, RCT_ERROR_MEMORY. */
rct_status rct_planar_make(rct_planar_system *system, int32_t n_b, int32_t loads, int32_t closures,
                           rct_error *error);
void rct_planar_free(rct_planar_system *system);

int32_t rct_planar_constraints(rct_planar_closure_type type);

/* One joint coordinate: a revolute joint about r, or a prismatic one along h, which moves with
 * the previous body; h changes by k with the coordinate (for a cam, d^2 a / dz^2). Inertial
 * axes. */
typedef struct rct_planar_column {
    int32_t body;
    int turns;
    quad2 r, h, k;
} rct_planar_column;

/* The data of one state. Rows of V are those of q. The rows of the ground, body RCT_GROUND, come
 * before the first row of q, q., V and bias, and before the first turn. */
typedef struct rct_planar_state {
    const rct_planar_system *system;
    int64_t n_c, constraints;
    int64_t *first;            /* [n_b + 1] first coordinate of each body's joint                */
    rct_planar_column *column; /* [n_c]                                                          */
    quad *z, *z_dot;           /* [n_c]                                                          */
    quad *q, *q_dot;           /* [3 n_b]                                                        */
    quad2 *turn;               /* [n_b] cos, sin of theta: A of the paper                        */
    quad *V;                   /* [3 n_b][n_c] eq. 21; D T R_d in semi-recursive II, eq. 49      */
    quad *bias;                /* [3 n_b] q.. if z.. is zero: V. z., eq. 22; D T d + e, eq. 49 */
    quad *Q_e;                 /* [3 n_b] external forces on q                                   */
    quad *M;                   /* [n_c][n_c] lower triangle; eqs. 44, 51                         */
    quad *Q;                   /* [n_c] Q_v + Q_e of eqs. 48, 55, and forces at the joints       */
    quad *C_z;                 /* [constraints][n_c] eq. 58                                      */
    quad *Q_c;                 /* [constraints] right-hand side of eq. 61                        */
    quad *z_ddot, *lambda;     /* the solution                                                   */
    quad *q_ddot;              /* [3 n_b]                                                        */
    int32_t dependent;         /* the closure of the error, or -1                                 */
    quad residual;             /* relative size of the last correction                           */
    rct_pool pool;
} rct_planar_state;

/* NULL if memory is short. z and z. are zero. */
rct_planar_state *rct_planar_state_create(const rct_planar_system *system, rct_error *error);
void rct_planar_state_free(rct_planar_state *state);

/* From z: positions q, A and the columns; eqs. 15, 19, B.2, B.6. */
void rct_planar_place(rct_planar_state *state);

/* From q, q., z, z.: forces on bodies, Q_e, and at the joints, the first part of Q. */
void rct_planar_forces(rct_planar_state *state);

/* From V, bias and q.: C_z and Q_c - 2 a C. - b^2 C; eqs. 47, 54, 58, 60. `violation` (may be
 * NULL) gets C and C. [2][constraints]. */
void rct_planar_close(rct_planar_state *state, quad *violation);

/* The action of closure k on its body by its multipliers, -C_q^T lambda: a force at its point
 * there and a moment. Inertial axes. */
void rct_planar_reaction(const rct_planar_state *state, int32_t k, const quad *lambda, quad2 *force,
                         quad *moment);

/* Quantities of a body: the mass matrix M_i = integral rho L^T L times x, and the quadratic
 * velocity vector Q_v,i; after eq. 44. */
void rct_planar_mass(const rct_planar_state *state, int32_t i, const quad x[3], quad y[3]);
void rct_planar_centrifugal(const rct_planar_state *state, int32_t i, quad y[3]);

/* Point of a body, or of the ground, from the origin of its frame, inertial axes. */
static inline quad2 rct_planar_arm(const rct_planar_state *state, int64_t i, quad2 at)
{
    return quad2_turned(state->turn[i], at);
}

/* The place of a body, from q, or its velocity, from q., without the angle. */
static inline quad2 rct_planar_point(const quad *rows, int64_t i)
{
    return (quad2){{rows[3 * i], rows[3 * i + 1]}};
}

/* From z and z.: q, q., V, bias, M, Q; and by formulation 1 or 2, from these, z.., lambda and
 * q.. of eq. 61 or 63. RCT_ERROR_SINGULAR names the body or the closure. */
void rct_semi_recursive_1(rct_planar_state *state);
rct_status rct_semi_recursive_2(rct_planar_state *state, rct_error *error);
rct_status rct_planar_evaluate(int which, rct_planar_state *state, rct_error *error);

#endif
