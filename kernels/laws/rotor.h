/* Rotor inertia of hinges. A rotor turns or slides with a rate of a hinge. With D its inertia, A
 * the acceleration of the link and R what reaches it, the effort along coordinate k is tau_k - D
 * (A_k - R_k), and
 *
 *     A_k = (tau_k + D R_k - e_k - E_k lambda) / (S_kk + D) - g . A      g_j = S_jk / (S_kk + D), g_k = -D / (S_kk + D)
 *     S'  = S - S_k S_k^T / (S_kk + D)      e'_k = tau_k - D y           E'_k = -g_k E_k
 *
 * so that rows k do not vanish. In an implicit stage of delta seconds dampers c and springs k at
 * hinges count as additional rotors of delta c + delta^2 k (src/integrate/implicit.c), at ball
 * hinges about the axes of the link. D is diagonal in the rates. Where rates are not single
 * coordinates of the link, the coordinates are changed first: with axes of a universal hinge that
 * are not perpendicular the second rate is part of the first turn (A_z = B_z + z/x A_x, x as turned
 * by the angle about z), and the displacements of a planar hinge are along its frame.
 */
#ifndef RCT_KERNELS_LAWS_ROTOR_H
#define RCT_KERNELS_LAWS_ROTOR_H

#include "kernels/laws/six.h"

/* The rotors of a hinge whose type may have any. */
typedef struct hinge_rotor {
    real d[3];  /* kg, kg m^2, of coordinates in the order in which they are solved */
    real shear; /* universal: z/x where the second rate has a rotor, else 0         */
    /* universal: cosine, sine of the angle; planar: the same where the two D differ, else 1, 0 */
    real c, s;
} hinge_rotor;

/* `armature`: D by rates. */
LANE_INLINE hinge_rotor hinge_rotor_of(int kind, const link_lanes *link, const link_motion *m,
                                       vec3 armature)
{
    const real zero = lane_set(0.0), one = lane_set(1.0);
    const real x = link->parameter[0], z = link->parameter[1];
    hinge_rotor r = {{armature.x, armature.y, armature.z}, zero, m->c, m->s};
    if (kind == RCT_HINGE_UNIVERSAL) {
        r.d[0] = armature.y;
        r.d[1] = lane_quotient(armature.x, x * x);
        r.shear = lane_select(lane_greater(armature.y, zero), lane_quotient(z, x), zero);
    }
    if (kind == RCT_HINGE_PLANAR) {
        const mask differ =
            lane_greater(armature.x, armature.y) | lane_greater(armature.y, armature.x);
        r.d[0] = armature.z, r.d[1] = armature.x, r.d[2] = armature.y;
        r.c = lane_select(differ, m->c, one);
        r.s = lane_select(differ, m->s, zero);
    }
    return r;
}

/* To coordinates in which D is diagonal (`way` 1), or back (-1; constant). */
LANE_INLINE void six_to_rates(int kind, six *x, const hinge_rotor *r, int way)
{
    const real p = way > 0 ? r->shear : -r->shear;
    if (kind == RCT_HINGE_UNIVERSAL) {
        six_shear(x, AZ, AX, p * r->c);
        six_shear(x, AZ, AY, -(p * r->s));
    }
    if (kind == RCT_HINGE_PLANAR) {
        six_turn(x, LX, r->c, way > 0 ? -r->s : r->s);
    }
}

/* The same for accelerations. */
LANE_INLINE void list_to_rates(int kind, real a[6], const hinge_rotor *r, int way)
{
    const real p = way > 0 ? r->shear : -r->shear, s = way > 0 ? r->s : -r->s;
    if (kind == RCT_HINGE_UNIVERSAL) {
        a[AZ] = a[AZ] - p * (r->c * a[AX] - r->s * a[AY]);
    }
    if (kind == RCT_HINGE_PLANAR) {
        const real x = a[LX], y = a[LY];
        a[LX] = r->c * x - s * y;
        a[LY] = r->c * y + s * x;
    }
}

#endif
