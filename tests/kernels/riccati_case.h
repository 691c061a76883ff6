/* Hinges of every type and laws below them, drawn at random, for tests of riccati's kernels. Behind METHOD_RICCATI. */
#ifndef RCT_TESTS_RICCATI_CASE_H
#define RCT_TESTS_RICCATI_CASE_H

#include "kernels/sweeps/rows.h"
#include "tests/support/draw.h"

#include <math.h>
#include <string.h>

/* A hinge with all numbers that its kind needs, and forces along its freedoms; `armed`: with
 * rotors. */
typedef struct hinge_case {
    int kind, n;
    link_lanes link;
    link_motion motion;
    double load[3];
    double h[6][6]; /* H by freedoms: the first three numbers of a column are r'' */
    double tau[6];
    int armed;
    vec3 armature;
    double d[6][6]; /* of the freedoms */
} hinge_case;

static inline void free_along(hinge_case *c, const double *axis, int angular, double tau)
{
    memcpy(c->h[c->n] + (angular ? 3 : 0), axis, 3 * sizeof *axis);
    c->tau[c->n++] = tau;
}

/* Rotors of rates; those of the displacements of a planar hinge are along the hinge frame. */
static inline void draw_rotors(uint64_t *random, hinge_case *c)
{
    double own[3];
    for (int i = 0; i < 3; i++) {
        own[i] = draw_between(random, 0.0, 3.0) < 1.0 ? 0.0 : draw_between(random, 0.0, 5.0);
        c->d[i][i] = own[i];
    }
    c->armed = 1;
    c->armature = (vec3){own[0], own[1], own[2]};
    if (c->kind == RCT_HINGE_PLANAR) {
        const double x = c->motion.c, y = c->motion.s;
        c->d[0][0] = x * x * own[0] + y * y * own[1];
        c->d[1][1] = y * y * own[0] + x * x * own[1];
        c->d[0][1] = c->d[1][0] = x * y * (own[1] - own[0]);
    }
}

/* Links and loads as in kernels/records/states.h. */
static inline hinge_case draw_hinge(uint64_t *random, int kind)
{
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    hinge_case c = {.kind = kind};
    const double angle = draw_between(random, -2.0, 2.0), p = draw_between(random, -0.5, 0.5);
    const double x = draw_between(random, 0.5, 0.9), z = sqrt(1.0 - x * x);
    c.motion.c = cos(angle), c.motion.s = sin(angle);
    c.link.parameter[0] = kind == RCT_HINGE_HELICAL ? p : x;
    c.link.parameter[1] = z;
    draw_numbers(random, c.load, 3, 5.0);
    const double first[3] = {x * c.motion.c, -x * c.motion.s, z};
    switch (kind) {
    case RCT_HINGE_PRISMATIC: free_along(&c, axes[2], 0, c.load[0]); break;
    case RCT_HINGE_HELICAL:
        free_along(&c, axes[2], 1, c.load[0]);
        c.h[0][2] = p;
        break;
    case RCT_HINGE_UNIVERSAL:
        free_along(&c, first, 1, c.load[0]);
        free_along(&c, axes[2], 1, c.load[1]);
        break;
    case RCT_HINGE_CYLINDRICAL:
        free_along(&c, axes[2], 1, c.load[0]);
        free_along(&c, axes[2], 0, c.load[1]);
        break;
    case RCT_HINGE_PLANAR:
        free_along(&c, axes[0], 0, c.load[0]);
        free_along(&c, axes[1], 0, c.load[1]);
        free_along(&c, axes[2], 1, c.load[2]);
        break;
    case RCT_HINGE_BALL:
        for (int i = 0; i < 3; i++) {
            free_along(&c, axes[i], 1, c.load[i]);
        }
        break;
    case RCT_HINGE_FREE:
        for (int i = 0; i < 6; i++) {
            free_along(&c, axes[i % 3], i / 3, 0.0);
        }
        break;
    default: free_along(&c, axes[2], 1, c.load[0]); break;
    }
    if (hinge_has_axes(kind) && draw_between(random, 0.0, 1.0) < 0.5) {
        draw_rotors(random, &c);
    }
    return c;
}

/* S of a point that carries some bodies, plus an unsymmetric part of up to `skew`. */
static inline riccati draw_law(uint64_t *random, double skew)
{
    double a[6][6];
    wide_handle record;
    double s[6][6] = {{0.0}};
    draw_numbers(random, a[0], 36, 1.0);
    for (int i = 0; i < 36; i++) {
        for (int k = 0; k < 6; k++) {
            s[i / 6][i % 6] += a[k][i / 6] * a[k][i % 6];
        }
        s[i / 6][i % 6] += i / 6 == i % 6 ? 1.0 : 0.0;
    }
    record.ll = (sym3){s[0][0], s[1][1], s[2][2], s[0][1], s[0][2], s[1][2]};
    record.aa = (sym3){s[3][3], s[4][4], s[5][5], s[3][4], s[3][5], s[4][5]};
    record.la =
        (mat3){s[0][3], s[0][4], s[0][5], s[1][3], s[1][4], s[1][5], s[2][3], s[2][4], s[2][5]};
    riccati z = riccati_of_record(&record);
    for (int i = 0; i < 36; i++) {
        z.s.m[i / 6][i % 6] += draw_between(random, -skew, skew);
    }
    draw_numbers(random, z.e.v, 6, 5.0);
    return z;
}

#endif
