/* Masses and shapes are those of random_system; hinges, forces and the motion of the ground are
 * drawn here. */
#include "tests/support/systems/hinge_system.h"

#include "tests/support/systems/acting_forces.h"

#include "tests/support/draw.h"

#include <riccatree/force.h>

#include <stdlib.h>
#include <string.h>

static rct_hinge_type draw_type(uint64_t *state, int hinges, int on_ground)
{
    for (int tries = 0; tries < 1000; tries++) {
        const int type = (int)draw_between(state, 0.0, RCT_HINGE_TYPES);
        if ((hinges >> type & 1) != 0 && (type != RCT_HINGE_FREE || on_ground)) {
            return (rct_hinge_type)type;
        }
    }
    return RCT_HINGE_BALL;
}

static void draw_nonnegative(uint64_t *state, double *numbers, int count, double size)
{
    for (int i = 0; i < count; i++) {
        numbers[i] = draw_between(state, 0.0, size);
    }
}

static void draw_state(uint64_t *state, double spin, rct_body *body)
{
    const int absolute = body->hinge == RCT_HINGE_BALL || body->hinge == RCT_HINGE_FREE;
    const int32_t others = rct_hinge_freedoms(body->hinge) - (absolute ? 3 : 0);
    if (absolute) {
        draw_numbers(state, body->orientation, 4, 1.0);
        draw_numbers(state, body->angular_velocity, 3, spin);
    }
    draw_numbers(state, body->position, others, 1.2);
    draw_numbers(state, body->rate, others, spin);
}

/* Rotors at about a third of the hinges, drawn separately, so that all other numbers stay the same
 * as without. */
static void draw_armature(uint64_t state, rct_body *body)
{
    const int axes = body->hinge != RCT_HINGE_BALL && body->hinge != RCT_HINGE_FREE;
    if (axes && draw_between(&state, 0.0, 3.0) < 1.0) {
        draw_nonnegative(&state, body->armature, rct_hinge_freedoms(body->hinge), 2.0);
    }
}

/* Springs at about half of the ball hinges, and dampers that differ from axis to axis at half of
 * them, drawn separately as well. */
static void draw_bending(uint64_t state, rct_body *body)
{
    if (draw_between(&state, 0.0, 2.0) < 1.0) {
        const int numbers = draw_between(&state, 0.0, 3.0) < 1.0 ? 1 : 3;
        draw_numbers(&state, body->hinge_orientation, 4, 1.0);
        draw_nonnegative(&state, body->stiffness, numbers, 10.0);
    }
    if (draw_between(&state, 0.0, 2.0) < 1.0) {
        draw_nonnegative(&state, body->damping + 1, 2, 3.0);
    }
}

static void draw_joint_forces(uint64_t *state, const hinge_system *system, rct_body *body)
{
    const int32_t freedoms = rct_hinge_freedoms(body->hinge);
    if (!system->no_rotors) {
        draw_armature(*state ^ UINT64_C(0x726f746f72), body);
    }
    if (body->hinge == RCT_HINGE_BALL) {
        draw_nonnegative(state, body->damping, 1, 3.0);
        draw_bending(*state ^ UINT64_C(0x62656e64), body);
    } else if (body->hinge != RCT_HINGE_FREE) {
        draw_nonnegative(state, body->stiffness, freedoms, 10.0);
        draw_nonnegative(state, body->damping, freedoms, 3.0);
        draw_numbers(state, body->rest, freedoms, 1.0);
        draw_numbers(state, body->applied, freedoms, 5.0);
    }
}

/* sin^2 of the angle between two directions: with almost parallel axes a universal joint is almost
 * a pin. */
static double sine2(const double a[3], const double b[3])
{
    const double aa = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    const double bb = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
    const double ab = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    return 1.0 - ab * ab / (aa * bb);
}

static void draw_hinge(uint64_t *state, const hinge_system *system, rct_body *body)
{
    const rct_body plain = rct_body_default();
    const int on_ground = body->parent == RCT_GROUND;
    const int hinges = system->floating && on_ground ? 1 << RCT_HINGE_FREE : system->hinges;
    body->hinge = draw_type(state, hinges, on_ground);
    memcpy(body->hinge_orientation, plain.hinge_orientation, sizeof plain.hinge_orientation);
    memcpy(body->orientation, plain.orientation, sizeof plain.orientation);
    memset(body->angular_velocity, 0, sizeof body->angular_velocity);
    if (body->hinge == RCT_HINGE_FREE) {
        memset(body->hinge_at, 0, sizeof body->hinge_at);
    } else if (body->hinge != RCT_HINGE_BALL) {
        draw_numbers(state, body->hinge_orientation, 4, 1.0);
    }
    if (body->hinge != RCT_HINGE_FREE && body->hinge != RCT_HINGE_BALL &&
        body->hinge != RCT_HINGE_FIXED) {
        draw_numbers(state, body->hinge_axis, 3, 1.0);
    }
    if (body->hinge == RCT_HINGE_UNIVERSAL || body->hinge == RCT_HINGE_PLANAR) {
        do {
            draw_numbers(state, body->hinge_axis2, 3, 1.0);
        } while (sine2(body->hinge_axis, body->hinge_axis2) < 0.3);
    }
    if (body->hinge == RCT_HINGE_HELICAL) {
        draw_numbers(state, &body->hinge_pitch, 1, 0.3);
    }
    draw_state(state, system->tree.spin, body);
    if (system->joint_forces) {
        draw_joint_forces(state, system, body);
    }
}

static rct_force draw_force(uint64_t *state, int32_t bodies)
{
    rct_force f = rct_force_default();
    f.body = (int32_t)draw_between(state, 0.0, bodies);
    draw_numbers(state, f.at, 3, 1.0);
    if (draw_between(state, 0.0, 1.0) < 0.5) {
        f.in_body_axes = draw_between(state, 0.0, 1.0) < 0.5;
        draw_numbers(state, f.force, 3, 10.0);
        draw_numbers(state, f.moment, 3, 5.0);
    } else {
        f.type = RCT_FORCE_SPRING;
        f.other = (int32_t)draw_between(state, 0.0, bodies);
        f.other = f.other == f.body ? RCT_GROUND : f.other;
        draw_numbers(state, f.other_at, 3, 1.0);
        f.stiffness = draw_between(state, 0.0, 10.0);
        f.damping = draw_between(state, 0.0, 3.0);
        f.length = draw_between(state, 0.0, 1.0);
    }
    return f;
}

static rct_status draw_base(uint64_t *state, int kind, rct_model *model)
{
    double table[4][5];
    rct_base base = rct_base_default();
    draw_numbers(state, base.axis, 3, 1.0);
    if (kind == 1) {
        draw_numbers(state, base.velocity, 3, 1.0);
        draw_numbers(state, base.acceleration, 3, 3.0);
        draw_numbers(state, &base.rate, 1, 1.0);
        draw_numbers(state, &base.angular_acceleration, 1, 2.0);
    } else {
        for (int i = 0; i < 4; i++) {
            table[i][0] = i - 1.0;
            draw_numbers(state, table[i] + 1, 4, 0.5);
        }
        base.rows = 4;
        base.table = &table[0][0];
    }
    return rct_model_set_base(model, &base, NULL);
}

rct_model *hinge_system_create(const hinge_system *system)
{
    uint64_t state = system->tree.seed ^ UINT64_C(0x6d69786564);
    rct_model *tree = random_system_create(&system->tree);
    rct_model *model = rct_model_create("hinges", NULL);
    rct_status status = tree != NULL && model != NULL ? RCT_OK : RCT_ERROR_MEMORY;
    const double gravity[3] = {1.3, -2.1, -9.4};
    if (status == RCT_OK) {
        status = rct_model_set_gravity(model, gravity, NULL);
    }
    for (int32_t i = 0; i < system->tree.bodies && status == RCT_OK; i++) {
        rct_body body;
        rct_model_body(tree, i, &body, NULL);
        draw_hinge(&state, system, &body);
        status = rct_model_add_body(model, &body, NULL, NULL);
    }
    for (int32_t k = 0; k < system->forces && status == RCT_OK; k++) {
        const rct_force force = draw_force(&state, system->tree.bodies);
        status = rct_model_add_force(model, &force, NULL, NULL);
    }
    rct_draw acting = rct_draw_start(system->tree.seed, 32);
    if (status == RCT_OK) {
        status = add_acting(model, &acting, system->acting, system->smooth);
    }
    if (system->ground_moves && status == RCT_OK) {
        status = draw_base(&state, system->ground_moves, model);
    }
    rct_model_free(tree);
    if (status != RCT_OK) {
        rct_model_free(model);
        return NULL;
    }
    return model;
}

int64_t hinge_coordinates(const rct_model *model)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < rct_model_body_count(model); i++) {
        rct_body body;
        rct_model_body(model, i, &body, NULL);
        sum += rct_hinge_coordinates(body.hinge);
    }
    return sum;
}

int64_t hinge_freedoms(const rct_model *model)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < rct_model_body_count(model); i++) {
        rct_body body;
        rct_model_body(model, i, &body, NULL);
        sum += rct_hinge_freedoms(body.hinge);
    }
    return sum;
}

static void append(double *all, int64_t *at, const double *numbers, int count)
{
    memcpy(all + *at, numbers, (size_t)count * sizeof *numbers);
    *at += count;
}

double *initial_coordinates(const rct_model *model)
{
    double *q = malloc((size_t)(hinge_coordinates(model) + 1) * sizeof *q);
    int64_t at = 0;
    for (int32_t i = 0; i < rct_model_body_count(model) && q != NULL; i++) {
        rct_body body;
        rct_model_body(model, i, &body, NULL);
        const int absolute = body.hinge == RCT_HINGE_BALL || body.hinge == RCT_HINGE_FREE;
        const int rest = rct_hinge_coordinates(body.hinge) - (absolute ? 4 : 0);
        append(q, &at, body.orientation, absolute ? 4 : 0);
        append(q, &at, body.position, rest);
    }
    return q;
}

double *initial_rates(const rct_model *model)
{
    double *u = malloc((size_t)(hinge_freedoms(model) + 1) * sizeof *u);
    int64_t at = 0;
    for (int32_t i = 0; i < rct_model_body_count(model) && u != NULL; i++) {
        rct_body body;
        rct_model_body(model, i, &body, NULL);
        const int absolute = body.hinge == RCT_HINGE_BALL || body.hinge == RCT_HINGE_FREE;
        const int rest = rct_hinge_freedoms(body.hinge) - (absolute ? 3 : 0);
        append(u, &at, body.angular_velocity, absolute ? 3 : 0);
        append(u, &at, body.rate, rest);
    }
    return u;
}
