/* The regular families: chain, branch, fork, comb, binary, star. Each function adds the bodies
 * of its family in order. z is up, gravity is -z; all bodies of a family start with the same
 * orientation. */
#include "model/families/families.h"
#include "model/names.h"

#include <math.h>

/* Rods in a row, lower end to upper end, the first on the ground at the origin. All start along
 * inertial +x, because a hanging chain at rest would stay there. */
void rct_layout_chain(rct_layout *layout)
{
    /* a quarter turn about -y takes body -z to inertial +x */
    const double half = sqrt(0.5);
    for (int32_t i = 0; i < layout->count; i++) {
        rct_body body = rct_layout_rod(i - 1, 0.0, 0.0, i == 0 ? 0.0 : -1.0);
        body.orientation[0] = half;
        body.orientation[2] = -half;
        rct_layout_add(layout, body);
    }
}

/* The branch system of seed 000, Fig. 1(a): elements 1 to N = 2 n - 1. The odd elements are
 * bodies, so body id i is element 2 i + 1 and has the name "body<element>". Body N hangs on the
 * ceiling at the origin, N-2 on N, and so on down to 13. Body 11 hangs on 13 by its middle,
 * horizontal along x; its end at x = -0.5 m carries 3 and 3 carries 1; its end at +0.5 m carries
 * 9, 9 carries 7, 7 carries 5. All bodies start with identity orientation: 11 horizontal, the
 * rest vertical. The right side of 11 carries one body more, so the system starts to move by
 * itself. */
void rct_layout_branch(rct_layout *layout)
{
    const int32_t bar = 5; /* element 11 */
    for (int32_t i = 0; i < layout->count; i++) {
        rct_body body = rct_layout_rod(i + 1, 0.0, 0.0, -1.0);
        if (i == bar) {
            body = rct_layout_cylinder(1.0, 1.0, 0);
            body.parent = i + 1;
            body.hinge_at[2] = -1.0;
        } else if (i == 1 || i == 4) { /* elements 3 and 9 */
            body = rct_layout_rod(bar, i == 1 ? -0.5 : 0.5, 0.0, 0.0);
        } else if (i == layout->count - 1) {
            body = rct_layout_rod(RCT_GROUND, 0.0, 0.0, 0.0);
        }
        char name[RCT_NAME_SIZE];
        rct_answer(name, NULL, "body", 2 * (int64_t)i + 1);
        body.name = name;
        rct_layout_add(layout, body);
    }
}

/* A crossbar of 3 m and 3 kg along x, hung on the ground by its middle, with four subchains of
 * rods at x = -1.5, -0.5, 0.5, 1.5 m. Their lengths differ by at most one rod; the longer ones
 * come first. */
void rct_layout_fork(rct_layout *layout)
{
    rct_layout_add(layout, rct_layout_cylinder(3.0, 3.0, 0));
    int32_t id = 1;
    for (int32_t prong = 0; prong < 4; prong++) {
        const int32_t length = (layout->count - 1) / 4 + (prong < (layout->count - 1) % 4 ? 1 : 0);
        for (int32_t i = 0; i < length; i++, id++) {
            const rct_body body = i == 0 ? rct_layout_rod(0, (double)prong - 1.5, 0.0, 0.0)
                                         : rct_layout_rod(id - 1, 0.0, 0.0, -1.0);
            rct_layout_add(layout, body);
        }
    }
}

/* A spine of ceil(n / 2) rods. The lower end of every spine rod carries a tooth of one rod and
 * the next spine rod; with odd n the last spine rod has no tooth. Spine and teeth alternate in
 * body order. */
void rct_layout_comb(rct_layout *layout)
{
    rct_layout_add(layout, rct_layout_rod(RCT_GROUND, 0.0, 0.0, 0.0));
    for (int32_t i = 1; i < layout->count; i++) {
        const int32_t spine = i % 2 == 1 ? i - 1 : i - 2;
        rct_layout_add(layout, rct_layout_rod(spine, 0.0, 0.0, -1.0));
    }
}

/* A complete binary tree filled level by level: body i carries 2 i + 1 at x = -0.25 m and 2 i + 2 at
 * x = +0.25 m beside its lower end. */
void rct_layout_binary(rct_layout *layout)
{
    rct_layout_add(layout, rct_layout_rod(RCT_GROUND, 0.0, 0.0, 0.0));
    for (int32_t i = 1; i < layout->count; i++) {
        const double x = i % 2 == 1 ? -0.25 : 0.25;
        rct_layout_add(layout, rct_layout_rod((i - 1) / 2, x, 0.0, -1.0));
    }
}

/* A sphere of 1 kg and radius R = 0.5 m (moment 2/5 m R^2), hung on the ground by its top, with
 * n - 1 rods around its equator. They are at ((1 - t^2), 2 t) / (1 + t^2), with t rising evenly
 * from 0 to 1 in each quarter: all on the circle without sine or cosine, and nearly evenly
 * spread. */
void rct_layout_star(rct_layout *layout)
{
    const double radius = 0.5;
    rct_body hub = rct_body_default();
    hub.mass = 1.0;
    hub.com[2] = -radius;
    for (int i = 0; i < 3; i++) {
        hub.inertia[i] = 0.4 * radius * radius;
    }
    rct_layout_add(layout, hub);
    const int64_t rods = (int64_t)layout->count - 1;
    for (int64_t i = 0; i < rods; i++) {
        const int64_t quarter = 4 * i / rods;
        const double t = (double)(4 * i - quarter * rods) / (double)rods;
        const double u = radius * (1.0 - t * t) / (1.0 + t * t);
        const double v = radius * 2.0 * t / (1.0 + t * t);
        const double place[4][2] = {{u, v}, {-v, u}, {-u, -v}, {v, -u}};
        rct_layout_add(layout, rct_layout_rod(0, place[quarter][0], place[quarter][1], -radius));
    }
}
