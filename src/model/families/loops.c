/* The families with loops: fourbars, ladder, necklace, hub. They set hinges and starts
 * themselves. The loops are closed until a perturbation opens them; the solver closes them
 * again. */
#include "model/families/families.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* A uniform thin rod of 1 kg and 1 m along body `axis` (0 x, 1 y, 2 z), `way` 1 or -1, from its
 * hinge point; its inertia about itself is 0.00125 kg m^2. */
static rct_body thin_rod(int32_t parent, int axis, double way)
{
    rct_body body = rct_layout_cylinder(1.0, 1.0, axis);
    for (int i = 0; i < 3; i++) {
        body.inertia[i] = i == axis ? body.inertia[i] : 1.0 / 12.0;
    }
    body.com[axis] = 0.5 * way;
    body.parent = parent;
    return body;
}

/* N four-bars side by side (IFToMM A02): rods 2 i stand on the ground at x = i; rods 2 i + 1 lie
 * on their tops and reach to the next ones, where loops close them. All hinges turn about z,
 * gravity is -y. At the start the rods are upright and the tops move at 1 m/s along x; rates are
 * relative, so that the lying rods do not turn. */
void rct_layout_fourbars(rct_layout *layout)
{
    const double down[3] = {0.0, -9.81, 0.0};
    layout->status = rct_model_set_gravity(layout->model, down, layout->error);
    for (int32_t i = 0; i < layout->count; i++) {
        const int32_t lies = i % 2, pair = i / 2;
        rct_body body = thin_rod(lies ? i - 1 : RCT_GROUND, lies ? 0 : 1, 1.0);
        body.hinge = RCT_HINGE_REVOLUTE;
        body.hinge_at[0] = lies ? 0.0 : (double)pair;
        body.hinge_at[1] = lies ? 1.0 : 0.0;
        body.rate[0] = lies ? 1.0 : -1.0;
        rct_layout_place(layout, body);
    }
    for (int32_t i = 1; i < layout->count; i += 2) {
        rct_loop loop = rct_loop_default();
        loop.type = RCT_LOOP_PLANAR_REVOLUTE;
        loop.body = i;
        loop.at[0] = 1.0;
        loop.other = i + 1;
        loop.other_at[1] = 1.0;
        rct_layout_close(layout, loop);
    }
}

/* A body on a revolute hinge about y or a ball hinge that turns at the absolute `rate` (rad/s)
 * about y; its parent turns at `before`. */
static rct_body turning(const rct_layout *layout, rct_body body, double rate, double before)
{
    body.hinge = layout->family->hinge;
    if (body.hinge == RCT_HINGE_REVOLUTE) {
        body.hinge_axis[1] = 1.0;
        body.hinge_axis[2] = 0.0;
        body.rate[0] = rate - before;
    } else {
        body.angular_velocity[1] = rate;
    }
    return body;
}

/* A closure of the type of the hinges: ball, or revolute about y in the plane. */
static rct_loop closed_as(const rct_layout *layout, int32_t body, int32_t other)
{
    rct_loop loop = rct_loop_default();
    loop.body = body;
    loop.other = other;
    if (layout->family->hinge == RCT_HINGE_REVOLUTE) {
        loop.type = RCT_LOOP_PLANAR_REVOLUTE;
        loop.axis[1] = 1.0;
        loop.axis[2] = 0.0;
    }
    return loop;
}

/* Two rails of rods hang from the ceiling at x = 0 and x = 1 m, rungs join them: rods 3 i are
 * the left rail, 3 i + 1 the right rail, 3 i + 2 the rungs. Rungs hang on the left rail, and a
 * closure of the hinge type joins them to the right rail. The rails start straight and swing at
 * 1 rad/s about y. Every loop runs through the ceiling. */
void rct_layout_ladder(rct_layout *layout)
{
    for (int32_t i = 0; i < layout->count; i++) {
        const int32_t first = i - i % 3;
        const int top = first == 0, rung = i % 3 == 2;
        rct_body body = thin_rod(rung  ? first
                                 : top ? RCT_GROUND
                                       : i - 3,
                                 rung ? 0 : 2, rung ? 1.0 : -1.0);
        body.hinge_at[0] = top && i == 1 ? 1.0 : 0.0;
        body.hinge_at[2] = top && !rung ? 0.0 : -1.0;
        body = turning(layout, body, rung ? 0.0 : 1.0, rung || !top ? 1.0 : 0.0);
        rct_layout_place(layout, body);
    }
    for (int32_t i = 2; i < layout->count; i += 3) {
        rct_loop loop = closed_as(layout, i, i - 1);
        loop.at[0] = 1.0;
        loop.other_at[2] = -1.0;
        rct_layout_close(layout, loop);
    }
}

/* Rods on ball hinges, each on the end of the one before, as a regular polygon in the x z plane
 * that hangs by a corner: rod k of n points along (cos a, 0, -sin a), a = (2 k + 1) pi / n,
 * which is -z turned by a - pi / 2 about y. A loop closes the end of the last rod to the
 * beginning of the first. The ring starts at rest and collapses. */
void rct_layout_necklace(rct_layout *layout)
{
    for (int32_t k = 0; k < layout->count; k++) {
        const double half = pi * (2.0 * k + 1.0) / (2.0 * layout->count) - 0.25 * pi;
        rct_body body = thin_rod(k - 1, 2, -1.0);
        body.hinge_at[2] = k == 0 ? 0.0 : -1.0;
        body.orientation[0] = cos(half);
        body.orientation[2] = sin(half);
        rct_layout_place(layout, body);
    }
    rct_loop loop = rct_loop_default();
    loop.name = "clasp";
    loop.body = layout->count - 1;
    loop.at[2] = -1.0;
    loop.other = 0;
    rct_layout_close(layout, loop);
}

/* One of the two rods of an arm of the hub, on the ground or on the rod before. The parent of
 * the rod is turned by twice `half` about y. Orientations of ball hinges are absolute, those of
 * revolute ones relative. */
static rct_body arm_rod(const rct_layout *layout, rct_body body, double half, double rate,
                        double before)
{
    const double turn[4] = {cos(half), 0.0, sin(half), 0.0};
    body = turning(layout, body, rate, before);
    if (body.hinge == RCT_HINGE_BALL) {
        memcpy(body.orientation, turn, sizeof turn);
    } else if (body.parent == RCT_GROUND) {
        memcpy(body.hinge_orientation, turn, sizeof turn);
    }
    return body;
}

/* A disc in the x z plane, of 1 kg and radius sqrt(2) m, and N arms of two rods each from the
 * ground to its rim. In axes turned by 2 pi i / N about y, rod 2 i + 1 goes from (2, 0) m to (2,
 * 1), rod 2 i + 2 from there to (1, 1), where a loop closes it to the disc. The disc is free, or
 * on a planar hinge if the others are revolute. The disc and the first rods turn at 1 rad/s
 * about y, the second rods the other way. */
void rct_layout_hub(rct_layout *layout)
{
    const int32_t arms = (layout->count - 1) / 2;
    const int flat = layout->family->hinge == RCT_HINGE_REVOLUTE;
    const double inertia[3] = {0.5, 1.0, 0.5};
    rct_body disc = rct_layout_cylinder(1.0, 1.0, 1);
    memcpy(disc.inertia, inertia, sizeof inertia);
    disc.hinge = flat ? RCT_HINGE_PLANAR : RCT_HINGE_FREE;
    disc.hinge_axis[1] = flat ? 1.0 : disc.hinge_axis[1];
    disc.hinge_axis[2] = flat ? 0.0 : disc.hinge_axis[2];
    disc.rate[2] = flat ? 1.0 : 0.0;
    disc.angular_velocity[1] = flat ? 0.0 : 1.0;
    disc.name = "hub";
    rct_layout_place(layout, disc);
    for (int32_t i = 0; i < arms; i++) {
        const double half = pi * i / arms, c = cos(2.0 * half), s = sin(2.0 * half);
        rct_body rod = thin_rod(RCT_GROUND, 2, 1.0);
        rod.hinge_at[0] = 2.0 * c;
        rod.hinge_at[2] = -2.0 * s;
        rct_layout_place(layout, arm_rod(layout, rod, half, 1.0, 0.0));
        rod = thin_rod(2 * i + 1, 0, -1.0);
        rod.hinge_at[2] = 1.0;
        rct_layout_place(layout, arm_rod(layout, rod, half, -1.0, 1.0));
        rct_loop loop = closed_as(layout, 2 * i + 2, 0);
        loop.at[0] = -1.0;
        loop.other_at[0] = c + s;
        loop.other_at[2] = c - s;
        rct_layout_close(layout, loop);
    }
}
