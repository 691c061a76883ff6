/* Robots of our own (robots.h): cylinders, one behind the other, in limbs that hang on bodies of
 * earlier limbs. Rounded numbers, in the size of a man. */
#include "bench/peers/robots.h"

#include <math.h>
#include <string.h>

typedef struct link {
    char axis;           /* x, y or z of a revolute hinge; f: free                      */
    double at[3], to[3]; /* m, hinge in axes of the parent, the other end in own axes   */
    double mass, radius; /* kg, m                                                       */
} link;

typedef struct limb {
    const link *link;
    int32_t links;
    int32_t parent; /* of the first body                          */
    double side;    /* -1: the mirror image, across y             */
} limb;

static const link arm[] = {
    {'z', {0.0, 0.0, 0.12}, {0.0, 0.0, 0.20}, 4.0, 0.070},
    {'y', {0.0, 0.0, 0.20}, {0.0, 0.0, 0.22}, 3.6, 0.065},
    {'z', {0.0, 0.0, 0.22}, {0.0, 0.0, 0.20}, 3.0, 0.060},
    {'y', {0.0, 0.0, 0.20}, {0.0, 0.0, 0.20}, 2.7, 0.055},
    {'z', {0.0, 0.0, 0.20}, {0.0, 0.0, 0.19}, 1.7, 0.050},
    {'y', {0.0, 0.0, 0.19}, {0.0, 0.0, 0.10}, 1.6, 0.045},
    {'z', {0.0, 0.0, 0.10}, {0.0, 0.0, 0.08}, 0.5, 0.040},
};
static const link trunk[] = {
    {'f', {0.0, 0.0, 0.00}, {0.0, 0.0, 0.10}, 10.0, 0.12}, /* pelvis */
    {'z', {0.0, 0.0, 0.10}, {0.0, 0.0, 0.05}, 2.0, 0.08},
    {'y', {0.0, 0.0, 0.05}, {0.0, 0.0, 0.45}, 15.0, 0.14}, /* chest  */
    {'z', {0.0, 0.0, 0.45}, {0.0, 0.0, 0.05}, 0.5, 0.04},
    {'y', {0.0, 0.0, 0.05}, {0.0, 0.0, 0.20}, 3.5, 0.09}, /* head   */
};
static const link left_leg[] = {
    {'z', {0.0, 0.1, -0.05}, {0.0, 0.0, -0.05}, 2.0, 0.06},
    {'x', {0.0, 0.0, -0.05}, {0.0, 0.0, -0.05}, 2.0, 0.06},
    {'y', {0.0, 0.0, -0.05}, {0.0, 0.0, -0.38}, 6.0, 0.07}, /* thigh */
    {'y', {0.0, 0.0, -0.38}, {0.0, 0.0, -0.38}, 3.5, 0.05}, /* shank */
    {'y', {0.0, 0.0, -0.38}, {0.0, 0.0, -0.05}, 0.7, 0.04},
    {'x', {0.0, 0.0, -0.05}, {0.15, 0.0, -0.03}, 1.2, 0.03}, /* foot  */
};
static const link left_arm[] = {
    {'y', {0.0, 0.15, 0.40}, {0.0, 0.05, 0.0}, 1.5, 0.05},
    {'x', {0.0, 0.05, 0.0}, {0.0, 0.0, -0.05}, 1.0, 0.05},
    {'z', {0.0, 0.0, -0.05}, {0.0, 0.0, -0.25}, 2.2, 0.045}, /* upper arm */
    {'y', {0.0, 0.0, -0.25}, {0.0, 0.0, -0.05}, 0.6, 0.04},
    {'z', {0.0, 0.0, -0.05}, {0.0, 0.0, -0.20}, 1.3, 0.04}, /* forearm   */
    {'y', {0.0, 0.0, -0.20}, {0.0, 0.0, -0.04}, 0.3, 0.03},
    {'x', {0.0, 0.0, -0.04}, {0.0, 0.0, -0.12}, 0.5, 0.035}, /* hand      */
};
enum { PELVIS = 0, CHEST = 2, MOST_LIMBS = 5 };

static const struct robot {
    const char *name;
    int32_t bodies;
    limb limb[MOST_LIMBS];
} robots[] = {
    {"arm", 7, {{arm, 7, RCT_GROUND, 1.0}}},
    {"humanoid",
     31,
     {{trunk, 5, RCT_GROUND, 1.0},
      {left_leg, 6, PELVIS, 1.0},
      {left_leg, 6, PELVIS, -1.0},
      {left_arm, 7, CHEST, 1.0},
      {left_arm, 7, CHEST, -1.0}}},
};

static const struct robot *find(const char *name)
{
    for (size_t k = 0; k < sizeof robots / sizeof robots[0]; k++) {
        if (strcmp(robots[k].name, name) == 0) {
            return &robots[k];
        }
    }
    return NULL;
}

int32_t bench_robot_bodies(const char *name)
{
    const struct robot *robot = find(name);
    return robot != NULL ? robot->bodies : 0;
}

/* A uniform cylinder from the hinge to `to`. */
static void fill(rct_body *body, const double to[3], double radius)
{
    const double square = to[0] * to[0] + to[1] * to[1] + to[2] * to[2];
    const double along = 0.5 * body->mass * radius * radius;
    const double across = 0.5 * along + body->mass * square / 12.0;
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) {
        body->inertia[k] =
            (k < 3 ? across : 0.0) + (along - across) * to[row[k]] * to[column[k]] / square;
    }
    for (int k = 0; k < 3; k++) {
        body->com[k] = 0.5 * to[k];
    }
}

/* Numbers of a state, different ones for each body and k. */
static double drawn(int32_t body, int k, double most)
{
    return most * sin(1.0 + 7.0 * body + 2.0 * k);
}

static void start(rct_body *body, int32_t number, double perturb)
{
    body->position[0] = drawn(number, 0, perturb);
    if (body->hinge == RCT_HINGE_FREE) {
        for (int k = 0; k < 3; k++) {
            body->orientation[k + 1] = drawn(number, k, 0.5 * perturb);
            body->angular_velocity[k] = drawn(number, k + 3, perturb);
            body->position[k] = drawn(number, k + 6, perturb);
            body->rate[k] = drawn(number, k + 9, perturb);
        }
    }
}

/* Add the bodies of a limb; those of its robot begin at `first`. */
static int add_limb(rct_model *model, const limb *of, int32_t first, double perturb,
                    rct_error *error)
{
    int good = 1;
    for (int32_t i = 0; good && i < of->links; i++) {
        const link *from = &of->link[i];
        const int32_t number = rct_model_body_count(model);
        const double to[3] = {from->to[0], of->side * from->to[1], from->to[2]};
        rct_body body = rct_body_default();
        body.hinge = from->axis == 'f' ? RCT_HINGE_FREE : RCT_HINGE_REVOLUTE;
        body.parent = i > 0 ? number - 1 : of->parent < 0 ? RCT_GROUND : first + of->parent;
        memcpy(body.hinge_at, from->at, sizeof body.hinge_at);
        body.hinge_at[1] *= of->side;
        if (from->axis != 'f') {
            memset(body.hinge_axis, 0, sizeof body.hinge_axis);
            body.hinge_axis[from->axis - 'x'] = 1.0;
        }
        body.mass = from->mass;
        fill(&body, to, from->radius);
        start(&body, number, perturb);
        good = rct_model_add_body(model, &body, NULL, error) == RCT_OK;
    }
    return good;
}

rct_model *bench_robot_model(const char *name, int64_t systems, double perturb, rct_error *error)
{
    const struct robot *robot = find(name);
    rct_model *model = rct_model_create(name, error);
    int good = model != NULL;
    for (int64_t k = 0; good && k < systems; k++) {
        const int32_t first = rct_model_body_count(model);
        for (int l = 0; good && l < MOST_LIMBS; l++) {
            good = add_limb(model, &robot->limb[l], first, perturb, error);
        }
    }
    if (!good) {
        rct_model_free(model);
        model = NULL;
    }
    return model;
}
