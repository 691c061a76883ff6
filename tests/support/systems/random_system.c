/* Random systems. Every body is a set of a few point masses, whose centre of mass and inertia a
 * real body can have. Numbers come from splitmix64. */
#include "tests/support/systems/random_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 6 };

static uint64_t next_bits(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static double uniform(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double)(next_bits(state) >> 11) * 0x1p-53);
}

/* Uniform in 0 .. count - 1, except for a bias of 2^-32. */
static int32_t below(uint64_t *state, int32_t count)
{
    return (int32_t)((next_bits(state) >> 32) * (uint64_t)count >> 32);
}

static void draw(uint64_t *state, double *numbers, int count, double size)
{
    for (int i = 0; i < count; i++) {
        numbers[i] = uniform(state, -size, size);
    }
}

/* Mass, centre of mass and inertia of POINTS point masses scattered about a random point. */
static void draw_masses(uint64_t *state, rct_body *body)
{
    double point[POINTS][3];
    double share[POINTS];
    double centre[3];
    double sum = 0.0;
    draw(state, centre, 3, 0.5);
    body->mass = pow(10.0, uniform(state, -1.5, 1.5));
    for (int p = 0; p < POINTS; p++) {
        draw(state, point[p], 3, 0.4);
        share[p] = uniform(state, 0.2, 1.0);
        sum += share[p];
    }
    for (int p = 0; p < POINTS; p++) {
        for (int a = 0; a < 3; a++) {
            point[p][a] += centre[a];
            body->com[a] += share[p] / sum * point[p][a];
        }
    }
    for (int p = 0; p < POINTS; p++) {
        const double m = body->mass * share[p] / sum;
        const double x = point[p][0] - body->com[0];
        const double y = point[p][1] - body->com[1];
        const double z = point[p][2] - body->com[2];
        const double part[6] = {y * y + z * z, x * x + z * z, x * x + y * y,
                                -x * y,        -x * z,        -y * z};
        for (int k = 0; k < 6; k++) {
            body->inertia[k] += m * part[k];
        }
    }
}

static int32_t draw_parent(uint64_t *state, random_shape shape, int32_t i)
{
    if (i == 0) {
        return RCT_GROUND;
    }
    switch (shape) {
    case SHAPE_CHAIN: return i - 1;
    case SHAPE_BINARY: return (i - 1) / 2;
    case SHAPE_STAR: return 0;
    case SHAPE_TREE: break;
    }
    return uniform(state, 0.0, 1.0) < 0.05 ? RCT_GROUND : below(state, i);
}

static rct_body draw_body(uint64_t *state, const random_system *system, int32_t i)
{
    rct_body body = rct_body_default();
    body.parent = draw_parent(state, system->shape, i);
    draw_masses(state, &body);
    draw(state, body.hinge_at, 3, 1.0);
    if (uniform(state, 0.0, 1.0) < system->fixed) {
        body.hinge = RCT_HINGE_FIXED;
        draw(state, body.hinge_orientation, 4, 1.0);
    } else {
        draw(state, body.orientation, 4, 1.0);
        draw(state, body.angular_velocity, 3, system->spin);
    }
    return body;
}

/* id[i]: the id of the i-th body drawn. */
static void draw_ids(uint64_t *state, const random_system *system, int32_t *id)
{
    for (int32_t i = 0; i < system->bodies; i++) {
        id[i] = i;
    }
    for (int32_t i = system->bodies - 1; i > 0 && system->shuffled; i--) {
        const int32_t j = below(state, i + 1);
        const int32_t swap = id[i];
        id[i] = id[j];
        id[j] = swap;
    }
}

rct_model *random_system_create(const random_system *system)
{
    uint64_t state = system->seed;
    const size_t count = (size_t)system->bodies;
    rct_body *bodies = malloc(count * sizeof *bodies);
    int32_t *id = malloc(count * sizeof *id);
    rct_model *model = rct_model_create("random", NULL);
    rct_status status = bodies != NULL && id != NULL && model != NULL ? RCT_OK : RCT_ERROR_MEMORY;
    if (status == RCT_OK) {
        draw_ids(&state, system, id);
        for (int32_t i = 0; i < system->bodies; i++) {
            bodies[id[i]] = draw_body(&state, system, i);
            const int32_t parent = bodies[id[i]].parent;
            bodies[id[i]].parent = parent == RCT_GROUND ? RCT_GROUND : id[parent];
        }
    }
    for (int32_t i = 0; i < system->bodies && status == RCT_OK; i++) {
        status = rct_model_add_body(model, &bodies[i], NULL, NULL);
    }
    if (status != RCT_OK) {
        rct_model_free(model);
        model = NULL;
    }
    free(id);
    free(bodies);
    return model;
}
