/* Meshes: the triangles of a file, and the mass of what they bound. */
#ifndef RCT_IMPORT_MESH_H
#define RCT_IMPORT_MESH_H

#include "import/mass.h"

#include <riccatree/status.h>

#include <stdint.h>

typedef struct rct_triangle {
    double corner[3][3]; /* m */
} rct_triangle;

/* Corners as the file has them, scaled; rct_release. */
typedef struct rct_mesh {
    int64_t count;
    rct_triangle *triangle;
} rct_mesh;

/* A binary STL file, all corners times `scale`. RCT_ERROR_IO, RCT_ERROR_SYNTAX for what is none, RCT_ERROR_MEMORY. */
rct_status rct_mesh_read(rct_mesh *mesh, const char *path, const double scale[3], rct_error *error);

/* Filled by density 1 kg/m^3, so that the mass is the volume, 0 of what bounds none. By pyramids from one point to all triangles: those that a
 * triangle turns its back to count against the others if `is_signed`, which is exact for closed surfaces; else they add up, as
 * in MJCF by default, which is more where a surface is not convex. */
rct_mass rct_mesh_mass(const rct_mesh *mesh, int is_signed);

#endif
