/* (S, e) of the Riccati recursion beyond a smooth hinge, and the force handle of kernels/abi_step.h that
 * says the same: there m = 0, W' is free, and F = -q = S A + e. What segments pass on. */
#ifndef RCT_KERNELS_RICCATI_HANDLE_H
#define RCT_KERNELS_RICCATI_HANDLE_H

#include "kernels/riccati_step.h"

static inline mat3 mat3_minus(mat3 a)
{
    return (mat3){-a.xx, -a.xy, -a.xz, -a.yx, -a.yy, -a.yz, -a.zx, -a.zy, -a.zz};
}

static inline riccati riccati_none(void)
{
    riccati z;
    for (int i = 0; i < 6; i++) {
        z.e.v[i] = lane_set(0.0);
        for (int j = 0; j < 6; j++) {
            z.s.m[i][j] = lane_set(0.0);
        }
    }
    return z;
}

/* Beyond a smooth hinge, as a force handle F = -q = S A + e: S = -S_qr, symmetric but for rounding,
 * and e = -e_q. */
static inline abi_handle riccati_handle(const riccati *z)
{
    const mat3 s = mat6_block(&z->s, 3, 0);
    return (abi_handle){{-s.xx, -s.yy, -s.zz, -s.xy, -s.xz, -s.yz},
                        vec3_scale(lane_set(-1.0), vec6_lower(&z->e))};
}

/* And back. */
static inline riccati riccati_of_handle(abi_handle handle)
{
    const sym3 s = handle.s;
    riccati z = riccati_none();
    mat6_set_block(&z.s, 3, 0,
                   (mat3){-s.xx, -s.xy, -s.xz, -s.xy, -s.yy, -s.yz, -s.xz, -s.yz, -s.zz});
    z.e = vec6_of(vec3_zero(), vec3_scale(lane_set(-1.0), handle.e));
    return z;
}

#endif
