/* The effect of rounding on a system (extreme_system.h). */
#include "tests/fuzz/extreme_system.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/draw.h"
#include "tests/support/must.h"

#include <riccatree/force.h>
#include <riccatree/loop.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* For a body: bounds of its rotation rate and its reach, and of the force that its hinge passes on:
 * sizes, in which nothing cancels. */
typedef struct carried {
    double rate, arm, reach;
    double mass, inertia; /* of what it carries, about its hinge point */
    double force, moment;
} carried;

static double sum_of(const double v[3])
{
    return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

static void own(carried *c, const rct_body *b, const carried *parent)
{
    const double g = 9.81;
    double loads = 0.0;
    for (int k = 0; k < 3; k++) {
        loads += fabs(b->stiffness[k] * (b->position[k] - b->rest[k])) +
                 fabs(b->damping[k] * b->rate[k]) + fabs(b->applied[k]);
    }
    c->arm = sum_of(b->hinge_at) + sum_of(b->position);
    c->rate = (parent != NULL ? parent->rate : 0.0) + sum_of(b->angular_velocity) + sum_of(b->rate);
    c->reach = (parent != NULL ? parent->reach : 0.0) + c->arm;
    const double com = sum_of(b->com), square = c->rate * c->rate;
    c->mass = b->mass;
    c->inertia = b->mass * com * com + sum_of(b->inertia);
    c->force = b->mass * (g + square * (c->reach + com)) + loads;
    c->moment = c->force * com + square * sum_of(b->inertia) + loads;
}

static void carry(carried *parent, const carried *c)
{
    parent->mass += c->mass;
    parent->inertia += 2.0 * (c->inertia + c->mass * c->arm * c->arm);
    parent->force += c->force;
    parent->moment += c->moment + c->force * c->arm;
}

static void move(uint64_t *random, double *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        const double way = draw_between(random, -1.5, 1.5);
        if (numbers[i] != 0.0 && fabs(way) > 0.5) {
            numbers[i] = nextafter(numbers[i], way > 0.0 ? INFINITY : -INFINITY);
        }
    }
}

static void round_body(uint64_t *random, rct_body *b, const carried *c)
{
    const int absolute = b->hinge == RCT_HINGE_BALL || b->hinge == RCT_HINGE_FREE;
    const double more =
        draw_between(random, 0.2, 1.0) * DBL_EPSILON * (c->inertia - sum_of(b->inertia));
    double scale = 1.0;
    move(random, &scale, 1);
    for (int k = 0; k < 6; k++) {
        b->inertia[k] = b->inertia[k] * scale + (k < 3 ? fmax(more, 0.0) : 0.0);
    }
    b->mass += draw_between(random, 0.2, 1.0) * DBL_EPSILON * (c->mass - b->mass);
    move(random, &b->mass, 1);
    move(random, b->com, 3);
    move(random, b->hinge_at, 3);
    move(random, absolute ? b->orientation : b->hinge_orientation,
         b->hinge == RCT_HINGE_PRISMATIC ? 0 : 4);
    move(random, b->angular_velocity, 3);
    move(random, b->hinge_axis2, b->hinge == RCT_HINGE_UNIVERSAL ? 3 : 0);
    double *along[] = {b->position, b->rate, b->stiffness, b->damping, b->applied, b->armature};
    for (int k = 0; k < 6; k++) {
        move(random, along[k], 3);
    }
}

static void add_forces(uint64_t *random, rct_model *model, int32_t body, const carried *c)
{
    rct_force f = rct_force_default();
    f.body = body;
    draw_numbers(random, f.force, 3, DBL_EPSILON * c->force);
    draw_numbers(random, f.moment, 3, DBL_EPSILON * c->moment);
    assert_int_equal(rct_model_add_force(model, &f, NULL, NULL), RCT_OK);
}

/* A point of a body with this reach, and a frame there. */
static void round_end(uint64_t *random, double at[3], double frame[4], double reach)
{
    for (int k = 0; k < 3; k++) {
        at[k] += draw_between(random, -1.0, 1.0) * DBL_EPSILON * (reach + fabs(at[k]));
    }
    for (int k = 0; k < 4; k++) {
        frame[k] += draw_between(random, -1.0, 1.0) * DBL_EPSILON;
    }
}

static void round_loops(uint64_t *random, const rct_model *model, rct_model *rounded,
                        const carried *c)
{
    for (int32_t i = 0; i < rct_model_loop_count(model); i++) {
        static const double upright[4] = {1.0, 0.0, 0.0, 0.0};
        rct_loop loop;
        double frame[2][4];
        rct_model_loop(model, i, &loop, NULL);
        memcpy(frame[0], loop.orientation, sizeof frame[0]);
        memcpy(frame[1], loop.other_orientation, sizeof frame[1]);
        if (loop.type != RCT_LOOP_RELATION) {
            round_end(random, loop.at, frame[0], c[loop.body].reach);
            round_end(random, loop.other_at, frame[1], loop.other >= 0 ? c[loop.other].reach : 0.0);
        }
        if (memcmp(loop.orientation, upright, sizeof upright) !=
            0) { /* of a type that has frames */
            memcpy(loop.orientation, frame[0], sizeof frame[0]);
            memcpy(loop.other_orientation, frame[1], sizeof frame[1]);
        }
        assert_int_equal(rct_model_add_loop(rounded, &loop, NULL, NULL), RCT_OK);
    }
}

rct_model *extreme_rounded(const rct_model *model, uint64_t seed)
{
    carried c[EXTREME_BODIES];
    rct_body body[EXTREME_BODIES];
    const int32_t bodies = rct_model_body_count(model);
    rct_model *rounded = rct_model_create("rounded", NULL);
    uint64_t random = seed;
    for (int32_t i = 0; i < bodies; i++) {
        rct_model_body(model, i, &body[i], NULL);
        own(&c[i], &body[i], body[i].parent >= 0 ? &c[body[i].parent] : NULL);
    }
    for (int32_t i = bodies - 1; i >= 0; i--) {
        if (body[i].parent >= 0) {
            carry(&c[body[i].parent], &c[i]);
        }
    }
    for (int32_t i = 0; i < bodies; i++) {
        round_body(&random, &body[i], &c[i]);
        must_add(rounded, &body[i]);
    }
    for (int32_t i = 0; i < bodies; i++) {
        add_forces(&random, rounded, i, &c[i]);
    }
    round_loops(&random, model, rounded, c);
    return rounded;
}
