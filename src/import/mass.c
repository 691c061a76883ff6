/* Mass, centre and inertia: moved, added, and of solid shapes. */
#include "import/mass.h"

#include "core/rotation.h"

#include <string.h>

static const double pi = 3.14159265358979323846;

/* J' = R J R^T */
static void turn_inertia(double inertia[6], const double turn[4])
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const double *j = inertia;
    double own[3][3] = {{j[0], j[3], j[4]}, {j[3], j[1], j[5]}, {j[4], j[5], j[2]}}, r[3][3];
    rct_rotation(turn, r);
    for (int k = 0; k < 6; k++) {
        double half[3];
        rct_rotate(own, r[row[k]], half);
        inertia[k] = rct_dot(half, r[column[k]]);
    }
}

void rct_mass_move(rct_mass *mass, const rct_place *place)
{
    double com[3];
    rct_place_point(com, place, mass->com);
    memcpy(mass->com, com, sizeof com);
    turn_inertia(mass->inertia, place->turn);
}

/* About the common centre: J1 + J2 + m1 m2 / m (d^2 1 - d d^T), d from one centre to the other. */
void rct_mass_add(rct_mass *sum, const rct_mass *more)
{
    const double mass = sum->mass + more->mass, share = mass > 0.0 ? more->mass / mass : 0.0;
    const double reduced = sum->mass * share;
    double d[3];
    for (int i = 0; i < 3; i++) {
        d[i] = more->com[i] - sum->com[i];
        sum->com[i] += d[i] * share;
    }
    const double apart[6] = {d[1] * d[1] + d[2] * d[2],
                             d[0] * d[0] + d[2] * d[2],
                             d[0] * d[0] + d[1] * d[1],
                             -d[0] * d[1],
                             -d[0] * d[2],
                             -d[1] * d[2]};
    for (int i = 0; i < 6; i++) {
        sum->inertia[i] += more->inertia[i] + reduced * apart[i];
    }
    sum->mass = mass;
}

int rct_solid_sizes(rct_solid shape)
{
    static const int sizes[RCT_SOLIDS] = {1, 2, 3, 2, 3};
    return sizes[shape];
}

static double ball_volume(double r)
{
    return 4.0 / 3.0 * pi * r * r * r;
}

static double cylinder_volume(double r, double half)
{
    return 2.0 * pi * r * r * half;
}

double rct_solid_volume(rct_solid shape, const double size[3])
{
    const double a = size[0], b = size[1], c = size[2];
    switch (shape) {
    case RCT_SOLID_SPHERE: return ball_volume(a);
    case RCT_SOLID_CAPSULE: return cylinder_volume(a, b) + ball_volume(a);
    case RCT_SOLID_ELLIPSOID: return 4.0 / 3.0 * pi * a * b * c;
    case RCT_SOLID_CYLINDER: return cylinder_volume(a, b);
    case RCT_SOLID_BOX: return 8.0 * a * b * c;
    }
    return 0.0;
}

static void set_three(rct_mass *m, double xx, double yy, double zz)
{
    m->inertia[0] = xx, m->inertia[1] = yy, m->inertia[2] = zz;
}

/* Two half balls of mass m/2 each, with centres 3/8 r beyond the ends of the cylinder and
 * moments 83/320 r^2 across: m (2/5 r^2 + h^2 + 3/4 h r) in all. */
static void capsule(rct_mass *m, double r, double h)
{
    const double ends = m->mass * ball_volume(r) / (ball_volume(r) + cylinder_volume(r, h));
    const double middle = m->mass - ends;
    const double across =
        middle * (r * r / 4.0 + h * h / 3.0) + ends * (0.4 * r * r + h * h + 0.75 * h * r);
    set_three(m, across, across, middle * r * r / 2.0 + ends * 0.4 * r * r);
}

rct_mass rct_solid_mass(rct_solid shape, const double size[3], double mass)
{
    const double a = size[0], b = size[1], c = size[2];
    rct_mass m = {.mass = mass};
    switch (shape) {
    case RCT_SOLID_SPHERE:
        set_three(&m, 0.4 * mass * a * a, 0.4 * mass * a * a, 0.4 * mass * a * a);
        break;
    case RCT_SOLID_CAPSULE: capsule(&m, a, b); break;
    case RCT_SOLID_CYLINDER: {
        const double across = mass * (a * a / 4.0 + b * b / 3.0);
        set_three(&m, across, across, mass * a * a / 2.0);
        break;
    }
    case RCT_SOLID_ELLIPSOID:
    case RCT_SOLID_BOX: {
        const double part = mass / (shape == RCT_SOLID_BOX ? 3.0 : 5.0);
        set_three(&m, part * (b * b + c * c), part * (a * a + c * c), part * (a * a + b * b));
        break;
    }
    }
    return m;
}
