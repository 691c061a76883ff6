/* The axes of links, which suit their hinges (kernels/records/links.h). */
#include "core/rotation.h"
#include "topology/topology.h"

#include <math.h>
#include <string.h>

static void normalize(double *v, int count)
{
    double square = 0.0;
    for (int i = 0; i < count; i++) {
        square += v[i] * v[i];
    }
    const double length = sqrt(square);
    for (int i = 0; i < count; i++) {
        v[i] /= length;
    }
}

/* The shortest turn that brings unit vector a onto z. */
static void onto_z(const double a[3], double q[4])
{
    const double turn[4] = {1.0 + a[2], a[1], -a[0], 0.0}; /* 1 + a.z, a x z */
    const double around_x[4] = {0.0, 1.0, 0.0, 0.0};       /* a = -z */
    const double *from = a[2] > -0.9 ? turn : around_x;
    memcpy(q, from, 4 * sizeof *q);
    if (a[2] <= -0.9) { /* first half a turn about x, then the rest, which is short */
        const double turned[3] = {a[0], -a[1], -a[2]};
        const double rest[4] = {1.0 + turned[2], turned[1], -turned[0], 0.0};
        rct_quaternion_product(rest, around_x, q);
    }
    normalize(q, 4);
}

/* Adds to q the turn about z that brings v, already in axes `q`, into the x z plane, x > 0. It uses
 * no angles, so the bits do not depend on a library of functions. */
static void then_into_xz(const double v[3], double q[4])
{
    double m[3][3], seen[3], both[4];
    rct_rotation(q, m);
    rct_rotate(m, v, seen);
    const double x = seen[0], y = seen[1], r = sqrt(x * x + y * y);
    double turn[4] = {r + x, 0.0, 0.0, -y}; /* tan(angle / 2) = y / (r + x) = (r - x) / y */
    if (x < 0.0) {
        turn[0] = y;
        turn[3] = x - r;
    }
    normalize(turn, 4);
    rct_quaternion_product(turn, q, both);
    memcpy(q, both, sizeof both);
}

void rct_link_axes(const rct_body *body, double quaternion[4])
{
    static const double none[4] = {1.0, 0.0, 0.0, 0.0};
    memcpy(quaternion, none, sizeof none);
    if (body->hinge == RCT_HINGE_BALL || body->hinge == RCT_HINGE_FREE) {
        return;
    }
    if (body->hinge == RCT_HINGE_UNIVERSAL) {
        onto_z(body->hinge_axis2, quaternion);
        then_into_xz(body->hinge_axis, quaternion);
    } else {
        onto_z(body->hinge_axis, quaternion);
        if (body->hinge == RCT_HINGE_PLANAR) {
            then_into_xz(body->hinge_axis2, quaternion);
        }
    }
}
