/* Meshes: binary STL, and the mass by pyramids (mesh.h). */
#include "import/mesh.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/read_file.h"
#include "core/rotation.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------------------------ */

/* A heading, the number of triangles; for each triangle its normal, three corners and two bytes. */
enum { HEAD = 80, COUNT_BYTES = 4, ROW = 50, CORNERS_AT = 12 };

/* -1: not a binary STL file. */
static int64_t count_of(const char *bytes, int64_t size)
{
    uint32_t count = 0;
    if (size >= HEAD + COUNT_BYTES) {
        memcpy(&count, bytes + HEAD, sizeof count);
    }
    return count > 0 && size == HEAD + COUNT_BYTES + (int64_t)count * ROW ? (int64_t)count : -1;
}

static int read_triangle(rct_triangle *triangle, const char *row, const double scale[3])
{
    float corner[9];
    int finite = 1;
    memcpy(corner, row + CORNERS_AT, sizeof corner);
    for (int i = 0; i < 9; i++) {
        triangle->corner[i / 3][i % 3] = (double)corner[i] * scale[i % 3];
        finite = finite && isfinite(triangle->corner[i / 3][i % 3]);
    }
    return finite;
}

static rct_status read_rows(rct_mesh *mesh, const char *row, const double scale[3],
                            rct_error *error)
{
    for (int64_t i = 0; i < mesh->count; i++, row += ROW) {
        if (!read_triangle(&mesh->triangle[i], row, scale)) {
            return rct_fail(error, RCT_ERROR_SYNTAX, "triangle %" PRId64 " is not finite", i);
        }
    }
    return RCT_OK;
}

rct_status rct_mesh_read(rct_mesh *mesh, const char *path, const double scale[3], rct_error *error)
{
    int64_t size = 0;
    char *bytes = rct_read_regular_file(path, "the mesh", &size, error);
    *mesh = (rct_mesh){.count = bytes != NULL ? count_of(bytes, size) : -1};
    rct_status status = bytes != NULL ? RCT_OK : error->status;
    if (status == RCT_OK && mesh->count < 0) {
        status = rct_fail(error, RCT_ERROR_SYNTAX, "it is not a binary STL file");
    }
    if (status == RCT_OK) {
        mesh->triangle = rct_allocate(mesh->count, sizeof *mesh->triangle, "a mesh", error);
        status = mesh->triangle != NULL ? read_rows(mesh, bytes + HEAD + COUNT_BYTES, scale, error)
                                        : RCT_ERROR_MEMORY;
    }
    rct_release(bytes);
    return status;
}

/* ---- mass --------------------------------------------------------------------------------- */

/* The pyramid of a triangle and an apex. */
typedef struct pyramid {
    double corner[3][3]; /* from the apex */
    double centre[3];    /* of the triangle, from the apex */
    double area, volume;
} pyramid;

static pyramid pyramid_of(const rct_triangle *triangle, const double from[3], int is_signed)
{
    pyramid p;
    double edge[2][3], across[3];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            p.corner[i][k] = triangle->corner[i][k] - from[k];
        }
        edge[0][k] = triangle->corner[1][k] - triangle->corner[0][k];
        edge[1][k] = triangle->corner[2][k] - triangle->corner[0][k];
        p.centre[k] = (p.corner[0][k] + p.corner[1][k] + p.corner[2][k]) / 3.0;
    }
    rct_cross(edge[0], edge[1], across);
    p.area = 0.5 * sqrt(rct_dot(across, across));
    p.volume = rct_dot(across, p.centre) / 6.0;
    p.volume = is_signed ? p.volume : fabs(p.volume);
    return p;
}

/* The mean of the centres of all triangles, weighted by area; not finite if the area is 0. */
static void find_middle(const rct_mesh *mesh, double middle[3])
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    double sum[3] = {0.0, 0.0, 0.0}, area = 0.0;
    for (int64_t i = 0; i < mesh->count; i++) {
        const pyramid p = pyramid_of(&mesh->triangle[i], origin, 0);
        area += p.area;
        for (int k = 0; k < 3; k++) {
            sum[k] += p.area * p.centre[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        middle[k] = sum[k] / area;
    }
}

/* The centre of mass of a pyramid is three quarters of the way from its apex. */
static void find_com(const rct_mesh *mesh, const double middle[3], int is_signed, double com[3])
{
    double sum[3] = {0.0, 0.0, 0.0}, volume = 0.0;
    for (int64_t i = 0; i < mesh->count; i++) {
        const pyramid p = pyramid_of(&mesh->triangle[i], middle, is_signed);
        volume += p.volume;
        for (int k = 0; k < 3; k++) {
            sum[k] += p.volume * 0.75 * p.centre[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        com[k] = middle[k] + sum[k] / volume;
    }
}

/* Second moments about the apex: V/20 (a a* + b b* + c c* + s s*), s = a + b + c. */
static void add_moments(double moments[6], const pyramid *p)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) {
        double sum = 9.0 * p->centre[row[k]] * p->centre[column[k]];
        for (int i = 0; i < 3; i++) {
            sum += p->corner[i][row[k]] * p->corner[i][column[k]];
        }
        moments[k] += p->volume / 20.0 * sum;
    }
}

rct_mass rct_mesh_mass(const rct_mesh *mesh, int is_signed)
{
    rct_mass m = {.mass = 0.0};
    double middle[3], moments[6] = {0.0};
    find_middle(mesh, middle);
    find_com(mesh, middle, is_signed, m.com);
    for (int64_t i = 0; i < mesh->count; i++) {
        const pyramid p = pyramid_of(&mesh->triangle[i], m.com, is_signed);
        m.mass += p.volume;
        add_moments(moments, &p);
    }
    if (!(fabs(m.mass) > 0.0 && isfinite(m.mass))) {
        return (rct_mass){.mass = 0.0};
    }
    const double way = m.mass > 0.0 ? 1.0 : -1.0; /* all triangles may face inward */
    const double trace = moments[0] + moments[1] + moments[2];
    for (int k = 0; k < 6; k++) {
        m.inertia[k] = way * ((k < 3 ? trace : 0.0) - moments[k]);
    }
    m.mass *= way;
    return m;
}
