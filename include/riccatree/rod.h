/* Elastic rods, modelled as bodies on ball hinges that bend and twist. */
#ifndef RICCATREE_ROD_H
#define RICCATREE_ROD_H

#include <riccatree/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A straight uniform rod along z of its frame, in `bodies` equal cylinders of length h = length /
 * bodies. Between two cylinders is a ball hinge of stiffness bending / h about x and y and twist /
 * h about z. At a clamped start the distance to the middle of the first cylinder is h / 2, and the
 * stiffness is twice that. Deflections and frequencies of rods that do not stretch or shear are
 * correct within O(h^2). */
typedef struct rct_rod {
    int32_t parent;        /* id of an existing body, or RCT_GROUND */
    int32_t bodies;        /* at least 1 */
    double at[3];          /* m, its start, in the parent's axes (ground: inertial) */
    double orientation[4]; /* its frame to the parent's axes, normalized on entry */
    double length;         /* m, > 0 */
    double density;        /* kg/m, > 0 */
    double radius;         /* m, > 0: radius of the cylinders */
    double bending[2];     /* N m^2, >= 0: EI about x and y; not about x alone without the others */
    double twist;          /* N m^2, >= 0: GJ */
    double delay;          /* s, >= 0: damping = delay times stiffness */
    int64_t pinned;        /* 1: starts on a ball hinge without stiffness; 0: clamped */
} rct_rod;

/* Defaults: on the ground at the origin, with the frame of the parent, clamped; 100 bodies, 1 m, 1
 * kg/m, radius 0.01 m, bending and twist 1 N m^2, no dampers. */
RCT_API void rct_rod_init(rct_out out);
static inline rct_rod rct_rod_default(void)
{
    rct_rod x;
    rct_rod_init(rct_out_of(&x, sizeof x, 0, 0));
    return x;
}

/* Append the bodies of a rod, which moves with its parent at the start. Each body has its hinge
 * point at its start and the axes of the frame. `first`, which may be NULL, gets the id of the
 * first body; the others follow. RCT_ERROR_ARGUMENT for numbers outside the ranges above,
 * RCT_ERROR_MODEL for a parent that does not exist; RCT_ERROR_MEMORY. On failure some bodies may
 * have been added. */
RCT_API rct_status rct_model_add_rod_sized(rct_model *model, rct_in rod, int32_t *first,
                                           rct_error *error);
static inline rct_status rct_model_add_rod(rct_model *model, const rct_rod *rod, int32_t *first,
                                           rct_error *error)
{
    return rct_model_add_rod_sized(model, rct_in_of(rod, sizeof *rod, 0, 0), first, error);
}

#ifdef __cplusplus
}
#endif
#endif
