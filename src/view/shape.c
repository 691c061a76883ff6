/* The shape of a body: that of the model, or one from its mass and inertia: a rod if its mass
 * lies away from the hinge point, else a box. */
#include "view/view.h"

#include <math.h>

enum { CAPSULE, BOX };

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* A capsule from the hinge point through the centre of mass, and as far behind it. Its
 * quaternion turns z to that direction: half the turn about z x u, (1 + u_z, -u_y, u_x, 0). */
static void make_rod(const double com[3], float shape[RCT_VIEW_SHAPE])
{
    const double length = 2.0 * length_of(com), radius = length / 20.0;
    const double u[3] = {2.0 * com[0] / length, 2.0 * com[1] / length, 2.0 * com[2] / length};
    const int down = u[2] < -0.999999;
    const double q[3] = {down ? 0.0 : 1.0 + u[2], down ? 1.0 : -u[1], down ? 0.0 : u[0]};
    const double norm = length_of(q);
    shape[0] = CAPSULE;
    shape[1] = (float)radius;
    shape[2] = (float)(length - 2.0 * radius);
    for (int i = 0; i < 3; i++) {
        shape[4 + i] = (float)com[i];
        shape[7 + i] = (float)(q[i] / norm);
    }
}

/* A box with the mass and the moments of inertia about body axes. I_yy + I_zz - I_xx is the
 * integral of 2 x^2, which is m a^2 / 6 for an edge a. */
static void make_box(const rct_body *body, float shape[RCT_VIEW_SHAPE])
{
    const double *inertia = body->inertia, sum = inertia[0] + inertia[1] + inertia[2];
    const double least = sum > 0.0 ? 0.02 * sqrt(6.0 * sum / body->mass) : 0.0;
    shape[0] = BOX;
    for (int i = 0; i < 3; i++) {
        const double square = sum > 0.0 ? 6.0 * (sum - 2.0 * inertia[i]) / body->mass : 0.0;
        shape[1 + i] = (float)(sum > 0.0 ? fmax(sqrt(fmax(0.0, square)), least) : 0.1);
        shape[4 + i] = (float)body->com[i];
    }
    shape[7] = 1.0F;
}

void rct_view_shape_given(const rct_shape *given, float shape[RCT_VIEW_SHAPE])
{
    const int box = given->type == RCT_SHAPE_BOX;
    shape[0] = (float)given->type;
    shape[1] = (float)(box ? given->size[0] : given->radius);
    shape[2] = (float)(box ? given->size[1] : given->length);
    shape[3] = (float)given->size[2];
    for (int i = 0; i < 3; i++) {
        shape[4 + i] = (float)given->at[i];
    }
    for (int i = 0; i < 4; i++) {
        shape[7 + i] = (float)given->orientation[i];
    }
}

void rct_view_shape_of(const rct_body *body, float shape[RCT_VIEW_SHAPE])
{
    const double *inertia = body->inertia;
    const double mass = body->mass > 0.0 ? body->mass : 1.0; /* without mass there is no inertia */
    const double gyration = sqrt((inertia[0] + inertia[1] + inertia[2]) / (2.0 * mass));
    const double arm = length_of(body->com);
    for (int i = 0; i < RCT_VIEW_SHAPE; i++) {
        shape[i] = 0.0F;
    }
    if (arm > 0.0 && arm >= 0.5 * gyration) {
        make_rod(body->com, shape);
    } else {
        make_box(body, shape);
    }
}
