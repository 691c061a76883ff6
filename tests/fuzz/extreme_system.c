/* Random systems at the ends of what is physical (extreme_system.h). */
#include "tests/fuzz/extreme_system.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_FREE = ((1 << RCT_HINGE_TYPES) - 1) & ~(1 << RCT_HINGE_FREE) };

/* A size of 10^-decades to 10^decades. */
static double size_of(uint64_t *random, double decades)
{
    return pow(10.0, draw_between(random, -decades, decades));
}

static int chance(uint64_t *random, double share)
{
    return draw_between(random, 0.0, 1.0) < share;
}

static void draw_arm(uint64_t *random, double hard, double arm[3])
{
    const double size = size_of(random, 1.5 * hard);
    for (int i = 0; i < 3; i++) {
        arm[i] = chance(random, 0.3) ? 0.0 : draw_between(random, -size, size);
    }
}

/* Points along three axes: a ball, a thin rod or a disc, rotated. Moments of `mass` at `reach`. */
static void draw_inertia(uint64_t *random, double hard, double reach, rct_body *body)
{
    double m[3][3], square[3], full[3][3];
    const int kind = (int)draw_between(random, 0.0, 3.0);
    const double thin =
        size_of(random, 3.0 * hard) * (hard > 0.5 && chance(random, 0.2) ? 0.0 : 0.1);
    draw_rotation(random, m);
    for (int i = 0; i < 3; i++) {
        const double r =
            kind == 0 || (kind == 1 ? i == 0 : i > 0) ? reach : reach * fmin(thin, 1.0);
        square[i] = body->mass * r * r * draw_between(random, 0.5, 1.0);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            full[i][j] = 0.0;
            for (int k = 0; k < 3; k++) {
                const double moment = square[0] + square[1] + square[2] - square[k];
                full[i][j] += m[i][k] * moment * m[j][k];
            }
        }
    }
    const double packed[6] = {full[0][0], full[1][1], full[2][2],
                              full[0][1], full[0][2], full[1][2]};
    memcpy(body->inertia, packed, sizeof packed);
}

/* The second axis of a universal hinge comes as close to the first as its type allows. */
static void draw_axes(uint64_t *random, double hard, rct_body *body)
{
    double m[3][3];
    draw_rotation(random, m);
    memcpy(body->hinge_axis, m[0], sizeof body->hinge_axis);
    if (rct_hinge_coordinates(body->hinge) >= 2 && body->hinge != RCT_HINGE_CYLINDRICAL) {
        const double apart = body->hinge == RCT_HINGE_UNIVERSAL
                                 ? pow(10.0, -draw_between(random, 0.0, 2.9 * hard))
                                 : 1.0;
        for (int i = 0; i < 3; i++) {
            body->hinge_axis2[i] = m[0][i] * (1.0 - apart) + apart * m[1][i];
        }
    }
    if (body->hinge == RCT_HINGE_HELICAL) {
        body->hinge_pitch = size_of(random, 3.0 * hard);
    }
}

static void draw_start(uint64_t *random, double hard, rct_body *body)
{
    const int absolute = body->hinge == RCT_HINGE_BALL || body->hinge == RCT_HINGE_FREE;
    const double rate = chance(random, 0.3) ? 0.0 : size_of(random, 6.0 * hard);
    const int freedoms = rct_hinge_freedoms(body->hinge);
    if (absolute) {
        draw_numbers(random, body->orientation, 4, 1.0);
        draw_numbers(random, body->angular_velocity, 3, rate);
    }
    for (int i = 0; i < freedoms - (absolute ? 3 : 0); i++) {
        body->position[i] = chance(random, 0.2) ? 0.0 : draw_between(random, -3.0, 3.0);
        body->rate[i] = draw_between(random, -rate, rate);
    }
}

static void draw_loads(uint64_t *random, double hard, rct_body *body)
{
    const int absolute = body->hinge == RCT_HINGE_BALL || body->hinge == RCT_HINGE_FREE;
    for (int i = 0; !absolute && i < rct_hinge_freedoms(body->hinge); i++) {
        body->stiffness[i] = size_of(random, 4.0 * hard);
        body->damping[i] = size_of(random, 4.0 * hard);
        body->applied[i] = draw_between(random, -1.0, 1.0) * size_of(random, 4.0 * hard);
        body->armature[i] = chance(random, 0.3) ? size_of(random, 6.0 * hard) : 0.0;
    }
}

static rct_hinge_type draw_hinge(uint64_t *random, int hinges)
{
    int type = 0;
    do {
        type = (int)draw_between(random, 0.0, RCT_HINGE_TYPES);
    } while ((hinges >> type & 1) == 0);
    return (rct_hinge_type)type;
}

static void add_body(uint64_t *random, double hard, int hinges, int32_t i, rct_model *model)
{
    rct_body body = rct_body_default();
    rct_error error = {.text = ""};
    body.parent = i == 0 || chance(random, 0.1) ? RCT_GROUND
                  : chance(random, 0.7)         ? i - 1
                                                : (int32_t)draw_between(random, 0.0, i);
    const int free = body.parent == RCT_GROUND && chance(random, 0.2);
    body.hinge = free ? RCT_HINGE_FREE : draw_hinge(random, hinges);
    body.mass = size_of(random, 6.0 * hard);
    draw_arm(random, hard, body.com);
    draw_inertia(random, hard, size_of(random, 1.5 * hard), &body);
    if (body.hinge != RCT_HINGE_FREE) {
        draw_arm(random, hard, body.hinge_at);
    }
    if (body.hinge != RCT_HINGE_FREE && body.hinge != RCT_HINGE_BALL) {
        draw_numbers(random, body.hinge_orientation, 4, 1.0);
    }
    if (rct_hinge_freedoms(body.hinge) > 0 && body.hinge != RCT_HINGE_FREE &&
        body.hinge != RCT_HINGE_BALL) {
        draw_axes(random, hard, &body);
    }
    draw_start(random, hard, &body);
    if (chance(random, 0.3)) {
        draw_loads(random, hard, &body);
    }
    if (rct_model_add_body(model, &body, NULL, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

rct_model *extreme_system(uint64_t seed, double hard)
{
    static const int kinds[] = {NOT_FREE,
                                1 << RCT_HINGE_BALL,
                                1 << RCT_HINGE_REVOLUTE,
                                1 << RCT_HINGE_UNIVERSAL,
                                1 << RCT_HINGE_HELICAL | 1 << RCT_HINGE_REVOLUTE,
                                1 << RCT_HINGE_BALL | 1 << RCT_HINGE_PRISMATIC |
                                    1 << RCT_HINGE_FIXED};
    uint64_t random = seed;
    const int hinges = kinds[seed % (sizeof kinds / sizeof kinds[0])];
    const int32_t bodies = 1 + (int32_t)draw_between(&random, 0.0, EXTREME_BODIES);
    rct_model *model = rct_model_create("extreme", NULL);
    assert_non_null(model);
    for (int32_t i = 0; i < bodies; i++) {
        add_body(&random, hard, hinges, i, model);
    }
    return model;
}
