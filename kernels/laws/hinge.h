/* Everything that differs from hinge to hinge: which coordinates the hinge leaves free, the order
 * in which they are solved, and the derivatives of its own rates. `kind` is a constant wherever
 * these functions are called, and so is whether there are rotors: `rotor` is NULL where rows have
 * none (kernels/laws/rotor.h). */
#ifndef RCT_KERNELS_LAWS_HINGE_H
#define RCT_KERNELS_LAWS_HINGE_H

#include "kernels/laws/rotor.h"

#include <stddef.h>

/* Whether hinges of this type may have rotors. */
LANE_INLINE int hinge_has_axes(int kind)
{
    return kind != RCT_HINGE_BALL && kind != RCT_HINGE_FREE;
}

/* The number of freedoms, and coordinate number i to be solved. */
LANE_INLINE int hinge_freedoms(int kind)
{
    switch (kind) {
    case RCT_HINGE_UNIVERSAL:
    case RCT_HINGE_CYLINDRICAL: return 2;
    case RCT_HINGE_BALL:
    case RCT_HINGE_PLANAR: return 3;
    case RCT_HINGE_FREE: return 6;
    default: return 1;
    }
}

LANE_INLINE int hinge_coordinates(int kind)
{
    return kind == RCT_HINGE_BALL || kind == RCT_HINGE_FREE ? hinge_freedoms(kind) + 1
                                                            : hinge_freedoms(kind);
}

LANE_INLINE int hinge_solved(int kind, int i)
{
    switch (kind) {
    case RCT_HINGE_PRISMATIC: return LZ;
    case RCT_HINGE_UNIVERSAL: return i == 0 ? AZ : AX;
    case RCT_HINGE_CYLINDRICAL: return i == 0 ? AZ : LZ;
    case RCT_HINGE_PLANAR: return i == 0 ? AZ : i == 1 ? LX : LY;
    case RCT_HINGE_BALL: return AX + i;
    case RCT_HINGE_FREE: return i < 3 ? AX + i : i - 3;
    default: return AZ; /* revolute, helical */
    }
}

/* The coordinates that are zero in S once a hinge is solved, by bits. Those of helical and
 * universal hinges are not along single axes of the link, and with rotors (`armed`) none is
 * zero. */
LANE_INLINE int hinge_vanishing(int kind, int armed)
{
    int bits = 0;
    if (armed) {
        return 0;
    }
    if (kind == RCT_HINGE_HELICAL || kind == RCT_HINGE_UNIVERSAL) {
        return kind == RCT_HINGE_UNIVERSAL ? 1 << AZ : 0;
    }
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        bits |= 1 << hinge_solved(kind, i);
    }
    return bits;
}

/* F_k along the coordinate solved at place i, from the efforts at the hinge, one a rate: for planar
 * hinges along x, y in link axes, for balls a moment in link axes. */
LANE_INLINE real hinge_tau(int kind, int i, const link_lanes *link, const hinge_rotor *rotor,
                           const real load[3])
{
    switch (kind) {
    case RCT_HINGE_UNIVERSAL: { /* M_z = tau_2, and x M_x + z M_z = tau_1 about the first axis */
        if (i == 0) {
            return load[1];
        }
        const real x = lane_quotient(load[0] - link->parameter[1] * load[1], link->parameter[0]);
        return rotor != NULL ? x + rotor->shear * load[1] : x;
    }
    case RCT_HINGE_PLANAR:
        if (rotor != NULL && i > 0) {
            return i == 1 ? rotor->c * load[0] - rotor->s * load[1]
                          : rotor->c * load[1] + rotor->s * load[0];
        }
        return i == 0 ? load[2] : load[i - 1];
    case RCT_HINGE_FREE: return lane_set(0.0);
    default: return load[i];
    }
}

/* The open outboard end seen from a link (wide_step.h). */
typedef struct wide_through {
    real e[6][6];   /* rows: here, columns: there */
    real h[6];      /* m/s^2, rad/s^2             */
    real psi[6][6]; /* upper half                 */
} wide_through;

LANE_INLINE void through_solve(wide_through *t, int k, int done, const hinge_rotor *rotor,
                               const six_gain *gain) /* 120 */
{
    real row[6];
    LANE_UNROLL
    for (int c = 0; c < 6; c++) {
        row[c] = t->e[k][c];
        t->e[k][c] = rotor != NULL ? -(gain->g[k] * row[c]) : lane_set(0.0);
    }
    LANE_UNROLL
    for (int j = 0; j < 6; j++) {
        if (j != k && (done >> j & 1) == 0) {
            LANE_UNROLL
            for (int c = 0; c < 6; c++) {
                t->e[j][c] = t->e[j][c] - gain->g[j] * row[c];
            }
        }
    }
    LANE_UNROLL
    for (int c = 0; c < 6; c++) {
        const real scaled = row[c] * gain->inverse;
        t->h[c] = t->h[c] + row[c] * gain->y;
        LANE_UNROLL
        for (int d = c; d < 6; d++) {
            t->psi[c][d] = t->psi[c][d] + scaled * row[d];
        }
    }
}

/* Rows of E follow the changes of coordinates of S. */
LANE_INLINE void through_shear(wide_through *t, int k, int j, real p)
{
    LANE_UNROLL
    for (int c = 0; c < 6; c++) {
        t->e[j][c] = t->e[j][c] + p * t->e[k][c];
    }
}

LANE_INLINE void through_turn(wide_through *t, int i, real c, real s)
{
    LANE_UNROLL
    for (int k = 0; k < 6; k++) {
        const real a = t->e[i][k], b = t->e[i + 1][k];
        t->e[i][k] = c * a + s * b;
        t->e[i + 1][k] = c * b - s * a;
    }
}

LANE_INLINE void through_to_rates(int kind, wide_through *t, const hinge_rotor *r, int way)
{
    const real p = way > 0 ? r->shear : -r->shear;
    if (kind == RCT_HINGE_UNIVERSAL) {
        through_shear(t, AZ, AX, p * r->c);
        through_shear(t, AZ, AY, -(p * r->s));
    }
    if (kind == RCT_HINGE_PLANAR) {
        through_turn(t, LX, r->c, way > 0 ? -r->s : r->s);
    }
}

/* Solve all coordinates of a hinge: S, e become those beyond the hinge. */
LANE_INLINE mask hinge_eliminate(int kind, const link_lanes *link, const link_motion *m,
                                 const hinge_rotor *rotor, const real load[3], six *x,
                                 six_gain *gain)
{
    const real ulps = lane_set(0x1p-48), least = lane_set(PIVOT_LEAST);
    const real linear = ulps * (x->s[0][0] + x->s[1][1] + x->s[2][2]) + least;
    real angular = ulps * (x->s[3][3] + x->s[4][4] + x->s[5][5]) + least;
    mask regular = lane_greater(lane_set(1.0), lane_set(0.0));
    int done = 0;
    if (kind == RCT_HINGE_HELICAL) {
        const real p = link->parameter[0];
        angular = angular + p * p * linear;
        six_shear(x, LZ, AZ, p);
    }
    if (rotor != NULL) {
        six_to_rates(kind, x, rotor, 1);
    }
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        const int k = hinge_solved(kind, i);
        if (kind == RCT_HINGE_UNIVERSAL && i == 1) {
            six_turn(x, AX, m->c, -m->s);
        }
        gain[i] =
            six_solve(x, k, done, hinge_tau(kind, i, link, rotor, load),
                      rotor != NULL ? &rotor->d[i] : NULL, k < AX ? linear : angular, &regular);
        done |= rotor != NULL ? 0 : 1 << k;
    }
    if (kind == RCT_HINGE_HELICAL) {
        six_shear(x, LZ, AZ, -link->parameter[0]);
    }
    if (kind == RCT_HINGE_UNIVERSAL) {
        six_turn(x, AX, m->c, m->s);
    }
    if (rotor != NULL) {
        six_to_rates(kind, x, rotor, -1);
    }
    return regular;
}

/* The same for an open end, by the gains of its hinge. */
LANE_INLINE void hinge_eliminate_through(int kind, const link_lanes *link, const link_motion *m,
                                         const hinge_rotor *rotor, const six_gain *gain,
                                         wide_through *t)
{
    int done = 0;
    if (kind == RCT_HINGE_HELICAL) {
        through_shear(t, LZ, AZ, link->parameter[0]);
    }
    if (rotor != NULL) {
        through_to_rates(kind, t, rotor, 1);
    }
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        const int k = hinge_solved(kind, i);
        if (kind == RCT_HINGE_UNIVERSAL && i == 1) {
            through_turn(t, AX, m->c, -m->s);
        }
        through_solve(t, k, done, rotor, &gain[i]);
        done |= rotor != NULL ? 0 : 1 << k;
    }
    if (kind == RCT_HINGE_HELICAL) {
        through_shear(t, LZ, AZ, -link->parameter[0]);
    }
    if (kind == RCT_HINGE_UNIVERSAL) {
        through_turn(t, AX, m->c, m->s);
    }
    if (rotor != NULL) {
        through_to_rates(kind, t, rotor, -1);
    }
}

/* The acceleration of the link from what reaches it: solves the coordinates of its hinge, last ones
 * first. */
LANE_INLINE spatial hinge_accelerate(int kind, const link_lanes *link, const link_motion *m,
                                     const hinge_rotor *rotor, const six_gain *gain,
                                     spatial reached)
{
    real a[6];
    six_list(reached, a);
    if (kind == RCT_HINGE_HELICAL) {
        a[LZ] = a[LZ] - link->parameter[0] * a[AZ];
    }
    if (rotor != NULL) {
        list_to_rates(kind, a, rotor, 1);
    }
    if (kind == RCT_HINGE_UNIVERSAL) {
        const real x = a[AX], y = a[AY];
        a[AX] = m->c * x - m->s * y;
        a[AY] = m->c * y + m->s * x;
    }
    LANE_UNROLL
    for (int i = hinge_freedoms(kind) - 1; i >= 0; i--) {
        if (kind == RCT_HINGE_UNIVERSAL && i == 0) { /* back before angle 2 is solved */
            const real x = a[AX], y = a[AY];
            a[AX] = m->c * x + m->s * y;
            a[AY] = m->c * y - m->s * x;
        }
        a[hinge_solved(kind, i)] = six_answer(&gain[i], a);
    }
    if (rotor != NULL) {
        list_to_rates(kind, a, rotor, -1);
    }
    if (kind == RCT_HINGE_HELICAL) {
        a[LZ] = a[LZ] + link->parameter[0] * a[AZ];
    }
    return six_unlist(a);
}

/* Derivatives of the coordinates q and rates u of a hinge, from the acceleration A of its link and
 * from what reaches the link. `gravity`: inertial axes. */
LANE_INLINE void hinge_derivatives(int kind, const link_lanes *link, const link_motion *m,
                                   spatial a, spatial reached, const real *q, const real *u,
                                   vec3 gravity, real *dq, real *du)
{
    const vec3 l = vec3_sub(a.l, reached.l), turn = vec3_sub(a.a, reached.a);
    LANE_UNROLL
    for (int i = 0; i < hinge_freedoms(kind); i++) {
        dq[i] = u[i];
    }
    switch (kind) {
    case RCT_HINGE_BALL:
    case RCT_HINGE_FREE: {
        const quat own = {q[0], q[1], q[2], q[3]};
        const quat rate = quat_rate(own, (vec3){u[0], u[1], u[2]});
        dq[0] = rate.w, dq[1] = rate.x, dq[2] = rate.y, dq[3] = rate.z;
        du[0] = a.a.x, du[1] = a.a.y, du[2] = a.a.z;
        if (kind == RCT_HINGE_FREE) {
            const vec3 out = vec3_add(mat3_apply(quat_rotation(own), a.l), gravity);
            dq[4] = u[3], dq[5] = u[4], dq[6] = u[5];
            du[3] = out.x, du[4] = out.y, du[5] = out.z;
        }
        break;
    }
    case RCT_HINGE_PRISMATIC: du[0] = l.z; break;
    case RCT_HINGE_UNIVERSAL:
        du[0] = lane_quotient(m->c * turn.x - m->s * turn.y, link->parameter[0]);
        du[1] = turn.z - link->parameter[1] * du[0];
        break;
    case RCT_HINGE_CYLINDRICAL: du[0] = turn.z, du[1] = l.z; break;
    case RCT_HINGE_PLANAR:
        du[0] = m->c * l.x - m->s * l.y, du[1] = m->c * l.y + m->s * l.x;
        du[2] = turn.z;
        break;
    default: du[0] = turn.z; break; /* revolute, helical */
    }
}

/* Call step(TYPE) for the hinge type `kind`, with a constant in every case. */
#define HINGE_AXES_CASES(step)                                                                     \
    case RCT_HINGE_PRISMATIC: {                                                                    \
        step(RCT_HINGE_PRISMATIC);                                                                 \
        break;                                                                                     \
    }                                                                                              \
    case RCT_HINGE_UNIVERSAL: {                                                                    \
        step(RCT_HINGE_UNIVERSAL);                                                                 \
        break;                                                                                     \
    }                                                                                              \
    case RCT_HINGE_CYLINDRICAL: {                                                                  \
        step(RCT_HINGE_CYLINDRICAL);                                                               \
        break;                                                                                     \
    }                                                                                              \
    case RCT_HINGE_PLANAR: {                                                                       \
        step(RCT_HINGE_PLANAR);                                                                    \
        break;                                                                                     \
    }                                                                                              \
    case RCT_HINGE_HELICAL: {                                                                      \
        step(RCT_HINGE_HELICAL);                                                                   \
        break;                                                                                     \
    }

/* ONE_HINGE: the type that all hinges are known to have. */
#ifdef ONE_HINGE
#define HINGE_CASES(kind, step)                                                                    \
    (void)(kind);                                                                                  \
    step(ONE_HINGE);
#else
#define HINGE_CASES(kind, step)                                                                    \
    switch (kind) {                                                                                \
    case RCT_HINGE_BALL: {                                                                         \
        step(RCT_HINGE_BALL);                                                                      \
        break;                                                                                     \
    }                                                                                              \
        HINGE_AXES_CASES(step)                                                                     \
    case RCT_HINGE_FREE: {                                                                         \
        step(RCT_HINGE_FREE);                                                                      \
        break;                                                                                     \
    }                                                                                              \
    default: {                                                                                     \
        step(RCT_HINGE_REVOLUTE);                                                                  \
        break;                                                                                     \
    }                                                                                              \
    }
#endif

/* For types that may have rotors; balls have them only in implicit stages. */
#define HINGE_ROTOR_CASES(kind, step)                                                              \
    switch (kind) {                                                                                \
    case RCT_HINGE_BALL: {                                                                         \
        step(RCT_HINGE_BALL);                                                                      \
        break;                                                                                     \
    }                                                                                              \
        HINGE_AXES_CASES(step)                                                                     \
    default: {                                                                                     \
        step(RCT_HINGE_REVOLUTE);                                                                  \
        break;                                                                                     \
    }                                                                                              \
    }

/* Return step(TYPE) for the types of most rotors, before a call for the others: the call passes the
 * law through memory. Threads of devices have all types in place. */
#ifdef __cplusplus
#define HINGE_ROTOR_IN_PLACE(kind, step)
#else
#define HINGE_ROTOR_IN_PLACE(kind, step)                                                           \
    if ((kind) == RCT_HINGE_REVOLUTE) {                                                            \
        return step(RCT_HINGE_REVOLUTE);                                                           \
    }                                                                                              \
    if ((kind) == RCT_HINGE_BALL) {                                                                \
        return step(RCT_HINGE_BALL);                                                               \
    }
#endif

#endif
