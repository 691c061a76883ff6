/* Meshes: the triangles of a file, and the mass they enclose. */
#ifndef RCT_IMPORT_MESH_H
#define RCT_IMPORT_MESH_H

#include "import/mass.h"

#include <riccatree/status.h>

#include <stdint.h>

typedef struct rct_triangle {
    double corner[3][3]; /* m */
} rct_triangle;

/* The corners of the file, scaled; free by rct_release. */
typedef struct rct_mesh {
    int64_t count;
    rct_triangle *triangle;
} rct_mesh;

/* Read a binary STL file and scale all corners by `scale`. RCT_ERROR_IO, RCT_ERROR_SYNTAX for
 * another format, RCT_ERROR_MEMORY. */
rct_status rct_mesh_read(rct_mesh *mesh, const char *path, const double scale[3], rct_error *error);

/* The mass at density 1 kg/m^3, which is the volume; 0 if the mesh encloses none. It is the sum
 * of pyramids from one point to all triangles. If `is_signed`, the pyramids of triangles that
 * face the point are subtracted, which is exact for closed surfaces. Otherwise all are added, as
 * in MJCF by default, which gives more for a surface that is not convex. */
rct_mass rct_mesh_mass(const rct_mesh *mesh, int is_signed);

#endif
