/* Models of Riccatree's families as neutral systems (system.h): read through the public interface, absolute states of ball
 * hinges made relative. */
#include "bench/peers/families.h"

#include "core/rotation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a body stands and turns, inertial axes. */
typedef struct pose {
    double turn[4], rate[3];
} pose;

static const double perturbed = 0.5; /* rad, rad/s */

int bench_families(const bench_family **families)
{
    static const rct_hinge_type revolute = RCT_HINGE_REVOLUTE;
    static const int32_t chains[2][8] = {{1, 4, 7, 16, 31, 64, 1000, 10000},
                                         {1, 4, 7, 16, 31, 64, 1000, 33334}};
    static bench_family all[20];
    int count = 0;
    for (int k = 0; k < 16; k++) {
        const rct_hinge_type hinge = k < 8 ? revolute : RCT_HINGE_BALL;
        all[count++] = (bench_family){"chain", hinge, chains[k / 8][k % 8], 1};
    }
    all[count++] = (bench_family){"random", revolute, 64, 1};
    all[count++] = (bench_family){"random", revolute, 1000, 1};
    all[count++] = (bench_family){"chain", revolute, 7, 8};
    all[count++] = (bench_family){"chain", revolute, 7, 512};
    *families = all;
    return count;
}

/* The state of a body on a ball hinge: relative to the parent, in its own axes. */
static void take_ball(bench_system *system, const bench_body *to, const rct_body *body,
                      const pose *parent, pose *own)
{
    const double *p = parent->turn;
    const double back[4] = {p[0], -p[1], -p[2], -p[3]};
    double r[3][3], slip[3];
    memcpy(own->turn, body->orientation, sizeof own->turn);
    memcpy(own->rate, body->angular_velocity, sizeof own->rate);
    rct_quaternion_product(back, own->turn, system->q + to->q);
    rct_rotation(own->turn, r);
    for (int k = 0; k < 3; k++) {
        slip[k] = own->rate[k] - parent->rate[k];
    }
    rct_rotate_back(r, slip, system->u + to->u);
}

/* Of body i on a revolute hinge the angle of the family, but a rate for the axis it has here: what its parent has about
 * that is taken off, so that rates do not add up along a path. */
static void take_revolute(bench_system *system, int32_t i, const rct_body *body, const pose *parent,
                          pose *own)
{
    const bench_body *to = &system->body[i];
    const double angle = body->position[0], s = sin(0.5 * angle), *axis = to->axis;
    const double turn[4] = {cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]};
    double r[3][3], turned[3];
    rct_quaternion_product(parent->turn, turn, own->turn);
    rct_rotation(own->turn, r);
    rct_rotate(r, axis, turned);
    system->q[to->q] = angle;
    system->u[to->u] = perturbed * sin(1.0 + i) - rct_dot(turned, parent->rate);
    for (int k = 0; k < 3; k++) {
        own->rate[k] = parent->rate[k] + system->u[to->u] * turned[k];
    }
}

/* What does not move of body i; the axis by its number in its system. 0: the neutral file has no words for it. */
static int take_body(bench_system *system, int32_t i, const rct_body *body, int32_t number)
{
    bench_body *to = &system->body[i];
    to->parent = body->parent;
    to->ball = body->hinge == RCT_HINGE_BALL;
    memcpy(to->at, body->hinge_at, sizeof to->at);
    to->axis[number % 3] = 1.0;
    to->mass = body->mass;
    memcpy(to->com, body->com, sizeof to->com);
    memcpy(to->inertia, body->inertia, sizeof to->inertia);
    return body->parent < i && (to->ball || body->hinge == RCT_HINGE_REVOLUTE);
}

/* Body after body: all that does not move, then the state. */
static int take(bench_system *system, const rct_model *model, const bench_family *family)
{
    static const pose ground = {.turn = {1.0}};
    pose *poses = calloc((size_t)system->bodies, sizeof *poses);
    int good = poses != NULL;
    rct_body body = rct_body_default();
    for (int32_t i = 0; good && i < system->bodies; i++) {
        good = rct_model_body(model, i, &body, NULL) == RCT_OK &&
               take_body(system, i, &body, i % family->bodies);
    }
    good = good && bench_system_count(system);
    for (int32_t i = 0; good && i < system->bodies; i++) {
        const bench_body *to = &system->body[i];
        const pose *parent = to->parent < 0 ? &ground : &poses[to->parent];
        good = rct_model_body(model, i, &body, NULL) == RCT_OK;
        if (to->ball) {
            take_ball(system, to, &body, parent, &poses[i]);
        } else {
            take_revolute(system, i, &body, parent, &poses[i]);
        }
    }
    free(poses);
    return good;
}

bench_system *bench_system_make(const bench_family *wanted, char *reason)
{
    rct_error error = {.text = ""};
    rct_family family = rct_family_default();
    family.family = wanted->family;
    family.hinge = wanted->hinge;
    family.bodies = wanted->bodies;
    family.systems = wanted->systems;
    family.perturb = perturbed;
    rct_model *model = rct_model_generate(&family, &error);
    if (model == NULL) {
        snprintf(reason, BENCH_REASON, "%.*s", BENCH_REASON - 1, error.text);
        return NULL;
    }
    bench_system *system = bench_system_create(rct_model_body_count(model));
    if (system == NULL || !take(system, model, wanted)) {
        snprintf(reason, BENCH_REASON, "%s: not a tree of revolute and ball hinges, or no memory",
                 wanted->family);
        bench_system_free(system);
        system = NULL;
    } else {
        rct_model_gravity(model, system->gravity);
        snprintf(system->name, sizeof system->name, "%s-%s-%d%s%.0d", wanted->family,
                 rct_hinge_name(wanted->hinge), (int)wanted->bodies,
                 wanted->systems > 1 ? "-times-" : "",
                 wanted->systems > 1 ? (int)wanted->systems : 0);
    }
    rct_model_free(model);
    return system;
}
