/* The family `random`: a tree and bodies without regularity, for tests that must not pass by
 * symmetry. Every body is drawn from its own stream, so a longer model begins with the shorter
 * one of the same seed. */
#include "model/families/draw.h"
#include "model/families/families.h"

static const double root_chance = 1.0 / 32.0; /* chance that a body hangs on the ground */

/* Streams 2 id belong to the perturbation, 2 id + 1 to the bodies; this stream belongs to the
 * tree. */
static const uint64_t tree_stream = (uint64_t)1 << 40;

static void draw_in_cube(rct_draw *draw, double half, double x[3])
{
    for (int i = 0; i < 3; i++) {
        x[i] = rct_draw_between(draw, -half, half);
    }
}

/* The previous body with chance `chaining`, else any earlier one: from bushy trees to near
 * chains. */
static int32_t draw_parent(rct_draw *draw, int32_t id, double chaining)
{
    int32_t parent = RCT_GROUND;
    if (id > 0 && rct_draw_unit(draw) >= root_chance) {
        const int next = rct_draw_unit(draw) < chaining;
        parent = next ? id - 1 : rct_draw_index(draw, id);
    }
    return parent;
}

/* R diag(J) R^T in the order xx yy zz xy xz yz, R the rotation of quaternion q. */
static void rotate_inertia(const double moments[3], const double q[4], double inertia[6])
{
    const double w = q[0];
    const double x = q[1];
    const double y = q[2];
    const double z = q[3];
    const double r[3][3] = {
        {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)},
        {2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)},
        {2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)},
    };
    const int places[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int i = 0; i < 6; i++) {
        const double *a = r[places[i][0]];
        const double *b = r[places[i][1]];
        inertia[i] = a[0] * moments[0] * b[0] + a[1] * moments[1] * b[1] + a[2] * moments[2] * b[2];
    }
}

/* Second moments s_i = m l_i^2 of a real mass distribution along its principal axes give moments
 * s_j + s_k, which satisfy the triangle inequality with room to spare. */
static void draw_inertia(rct_draw *draw, rct_body *body)
{
    double second[3];
    for (int i = 0; i < 3; i++) {
        const double size = rct_draw_between(draw, 0.05, 0.5); /* m, radius of gyration */
        second[i] = body->mass * size * size;
    }
    const double moments[3] = {second[1] + second[2], second[0] + second[2], second[0] + second[1]};
    double axes[4];
    rct_draw_on_sphere(draw, axes, 4);
    rotate_inertia(moments, axes, body->inertia);
}

/* Masses are log-uniform over ten octaves (three decades) from 1/32 to 32 kg; hinge points and
 * centres of mass lie within half a metre; orientations are arbitrary; angular velocities are up
 * to 1 rad/s on each axis and are the rates of hinges with axes. */
void rct_layout_random(rct_layout *layout)
{
    rct_draw tree = rct_draw_start(layout->family->seed, tree_stream);
    const double chaining = rct_draw_unit(&tree);
    for (int32_t i = 0; i < layout->count; i++) {
        rct_draw draw = rct_draw_start(layout->family->seed, 2 * (uint64_t)i + 1);
        rct_body body = rct_body_default();
        body.parent = draw_parent(&draw, i, chaining);
        draw_in_cube(&draw, 0.5, body.hinge_at);
        draw_in_cube(&draw, 0.5, body.com);
        body.mass = rct_draw_log(&draw, 10) / 32.0;
        draw_inertia(&draw, &body);
        rct_draw_on_sphere(&draw, body.orientation, 4);
        draw_in_cube(&draw, 1.0, body.angular_velocity);
        rct_draw_on_sphere(&draw, body.hinge_orientation, 4);
        rct_layout_add(layout, body);
    }
}
