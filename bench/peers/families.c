/* Models of Riccatree's families, and of robots, as neutral systems (system.h): read through the
 * public interface, absolute states of ball hinges made relative. If bodies of a model come
 * before their parents, they are taken from the last to the first. */
#include "bench/peers/families.h"

#include "bench/peers/robots.h"

#include "core/rotation.h"

#include <riccatree/riccatree.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The orientation and angular velocity of a body, inertial axes. */
typedef struct pose {
    double turn[4], rate[3];
} pose;

static const double perturbed = 0.5; /* rad, rad/s */

static int open_families(bench_family *all)
{
    static const rct_hinge_type revolute = RCT_HINGE_REVOLUTE;
    static const int32_t chains[2][9] = {{1, 4, 7, 16, 31, 64, 1000, 10000, 1000000},
                                         {1, 4, 7, 16, 31, 64, 1000, 33334, 1000000}};
    int count = 0;
    for (int k = 0; k < 18; k++) {
        const rct_hinge_type hinge = k < 9 ? revolute : RCT_HINGE_BALL;
        all[count++] = (bench_family){"chain", hinge, chains[k / 9][k % 9], 1};
    }
    all[count++] = (bench_family){"branch", RCT_HINGE_BALL, 33334, 1};
    all[count++] = (bench_family){"random", revolute, 64, 1};
    all[count++] = (bench_family){"random", revolute, 1000, 1};
    all[count++] = (bench_family){"arm", revolute, 7, 1};
    all[count++] = (bench_family){"humanoid", revolute, 31, 1};
    all[count++] = (bench_family){"chain", revolute, 7, 8};
    all[count++] = (bench_family){"chain", revolute, 7, 512};
    all[count++] = (bench_family){"arm", revolute, 7, 1000};
    all[count++] = (bench_family){"humanoid", revolute, 31, 1000};
    return count;
}

/* For each of four sizes: four-bars side by side, the same number of separate ones, a necklace. */
static int closed_families(bench_family *all)
{
    int count = 0;
    for (int32_t n = 10; n <= 10000; n *= 10) {
        all[count++] = (bench_family){"fourbars", RCT_HINGE_REVOLUTE, 2 * n + 1, 1};
    }
    for (int32_t n = 10; n <= 10000; n *= 10) {
        all[count++] = (bench_family){"fourbars", RCT_HINGE_REVOLUTE, 3, n};
    }
    for (int32_t n = 10; n <= 10000; n *= 10) {
        all[count++] = (bench_family){"necklace", RCT_HINGE_BALL, n, 1};
    }
    return count;
}

int bench_families(int closed, const bench_family **families)
{
    static bench_family all[27];
    *families = all;
    return closed ? closed_families(all) : open_families(all);
}

/* Body i on a ball hinge, whose turn and rate are absolute: make them relative to the parent, in
 * the body's own axes; for a free body, position and velocity follow. */
static void take_ball(bench_system *system, int state, int32_t i, const pose *parent, pose *own,
                      const double *turn, const double *rate)
{
    const bench_body *to = &system->body[i];
    const double *p = parent->turn;
    const double back[4] = {p[0], -p[1], -p[2], -p[3]};
    double r[3][3], slip[3];
    memcpy(own->turn, turn, sizeof own->turn);
    memcpy(own->rate, rate, sizeof own->rate);
    rct_quaternion_product(back, own->turn, system->q[state] + to->q);
    rct_rotation(own->turn, r);
    for (int k = 0; k < 3; k++) {
        slip[k] = own->rate[k] - parent->rate[k];
    }
    rct_rotate_back(r, slip, system->u[state] + to->u);
    if (to->free) {
        memcpy(system->q[state] + to->q + 4, turn + 4, 3 * sizeof *turn);
        memcpy(system->u[state] + to->u + 3, rate + 3, 3 * sizeof *rate);
    }
}

/* Body i on a revolute hinge. If no loop ties rates, it gets a rate about its axis here less the
 * parent's rate about that axis, so that rates do not add up along a path. */
static void take_revolute(bench_system *system, int state, int32_t i, const pose *parent, pose *own,
                          const double *angle, const double *rate)
{
    const bench_body *to = &system->body[i];
    const double s = sin(0.5 * *angle), *axis = to->axis;
    const double turn[4] = {cos(0.5 * *angle), s * axis[0], s * axis[1], s * axis[2]};
    double r[3][3], turned[3];
    rct_quaternion_product(parent->turn, turn, own->turn);
    rct_rotation(own->turn, r);
    rct_rotate(r, axis, turned);
    system->q[state][to->q] = *angle;
    system->u[state][to->u] =
        system->loops > 0 ? *rate : perturbed * sin(1.0 + i) - rct_dot(turned, parent->rate);
    for (int k = 0; k < 3; k++) {
        own->rate[k] = parent->rate[k] + system->u[state][to->u] * turned[k];
    }
}

/* The constant data of body i without its parent; families without loops have axes x, y and z in
 * turn. 0: the neutral file cannot express it. */
static int take_body(bench_system *system, int32_t i, const rct_body *body,
                     const bench_family *family)
{
    bench_body *to = &system->body[i];
    to->free = body->hinge == RCT_HINGE_FREE;
    to->ball = to->free || body->hinge == RCT_HINGE_BALL;
    memcpy(to->at, body->hinge_at, sizeof to->at);
    if (system->loops > 0 || bench_robot_bodies(family->family) > 0) {
        memcpy(to->axis, body->hinge_axis, sizeof to->axis);
    } else {
        to->axis[i % family->bodies % 3] = 1.0;
    }
    to->mass = body->mass;
    memcpy(to->com, body->com, sizeof to->com);
    memcpy(to->inertia, body->inertia, sizeof to->inertia);
    return to->parent < i && (to->ball || body->hinge == RCT_HINGE_REVOLUTE);
}

static int take_loop(bench_loop *to, const rct_loop *loop)
{
    to->body = loop->body;
    to->other = loop->other;
    to->ball = loop->type == RCT_LOOP_BALL;
    memcpy(to->at, loop->at, sizeof to->at);
    memcpy(to->other_at, loop->other_at, sizeof to->other_at);
    memcpy(to->axis, loop->axis, sizeof to->axis);
    return loop->other != RCT_GROUND && (to->ball || loop->type == RCT_LOOP_PLANAR_REVOLUTE);
}

/* 1: bodies of the system are those of the model from the last to the first. */
static int reversed(const rct_model *model)
{
    rct_body body = rct_body_default();
    return rct_model_body(model, 0, &body, NULL) == RCT_OK && body.parent > 0;
}

/* All constant data. */
static int take(bench_system *system, const rct_model *model, const bench_family *family)
{
    const int32_t last = reversed(model) ? system->bodies - 1 : 0;
    int good = 1;
    rct_body body = rct_body_default();
    rct_loop loop = rct_loop_default();
    for (int32_t i = 0; good && i < system->bodies; i++) {
        good = rct_model_body(model, abs(last - i), &body, NULL) == RCT_OK;
        system->body[i].parent = body.parent < 0 ? -1 : abs(last - body.parent);
        good = good && take_body(system, i, &body, family);
    }
    for (int32_t i = 0; good && i < system->loops; i++) {
        good =
            rct_model_loop(model, i, &loop, NULL) == RCT_OK && take_loop(&system->loop[i], &loop);
    }
    return good && bench_system_count(system);
}

/* Close four-bars: standing rods are parallel to the first of their system, lying rods do not
 * turn. */
static void close_fourbars(const bench_family *family, int32_t bodies, double *q, double *u)
{
    for (int32_t i = 0; i < bodies; i++) {
        const int32_t number = i % family->bodies;
        const double way = number % 2 == 0 ? 1.0 : -1.0;
        q[i] = way * q[i - number];
        u[i] = way * u[i - number];
    }
}

/* Close necklaces: rods of the second half are opposite to those of the first, by half a turn
 * about y, and turn as they do. */
static void close_necklace(const bench_family *family, int32_t bodies, double *q, double *u)
{
    static const double half_turn[4] = {0.0, 0.0, 1.0, 0.0};
    const int32_t half = family->bodies / 2;
    for (int32_t i = 0; i < bodies; i++) {
        if (i % family->bodies >= half) {
            rct_quaternion_product(q + 4 * (int64_t)(i - half), half_turn, q + 4 * (int64_t)i);
            memcpy(u + 3 * (int64_t)i, u + 3 * (int64_t)(i - half), 3 * sizeof *u);
        }
    }
}

/* The second state of a system without loops: all turns reversed. */
static void reverse(bench_system *system)
{
    memcpy(system->q[1], system->q[0], (size_t)system->coordinates * sizeof *system->q[0]);
    memcpy(system->u[1], system->u[0], (size_t)system->freedoms * sizeof *system->u[0]);
    for (int32_t i = 0; i < system->bodies; i++) {
        system->q[1][system->body[i].q] *= -1.0; /* of a quaternion: the other turn */
    }
}

/* A state from the coordinates and rates of all hinges of a model, those of balls absolute. 0:
 * memory is short. */
static int take_state(bench_system *system, const rct_model *model, int state, const double *q,
                      const double *u)
{
    const int turned = reversed(model);
    static const pose ground = {.turn = {1.0}};
    pose *poses = calloc((size_t)system->bodies, sizeof *poses);
    for (int32_t i = 0; poses != NULL && i < system->bodies; i++) {
        const bench_body *to = &system->body[i];
        const pose *parent = to->parent < 0 ? &ground : &poses[to->parent];
        const int32_t at_q = turned ? system->coordinates - to->q - bench_coordinates(to) : to->q;
        const int32_t at_u = turned ? system->freedoms - to->u - bench_freedoms(to) : to->u;
        (to->ball ? take_ball : take_revolute)(system, state, i, parent, &poses[i], q + at_q,
                                               u + at_u);
    }
    free(poses);
    return poses != NULL;
}

/* Coordinates and rates at the start of a model, with its loops open. */
static int start_of(const rct_model *model, double *q, double *u, rct_error *error)
{
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    options.as_given = 1;
    rct_solver *solver = rct_solver_create(model, &options, error);
    if (solver != NULL) {
        rct_solver_get_coordinates(solver, q, u);
    }
    rct_solver_free(solver);
    return solver != NULL;
}

static rct_model *generate(const bench_family *wanted, int state, rct_error *error)
{
    static const uint64_t between = 1000000; /* seeds: each of many systems has its own */
    if (wanted->bodies == bench_robot_bodies(wanted->family)) {
        return bench_robot_model(wanted->family, wanted->systems, perturbed, error);
    }
    rct_family family = rct_family_default();
    family.family = wanted->family;
    family.hinge = wanted->hinge;
    family.bodies = wanted->bodies;
    family.systems = wanted->systems;
    family.seed += (uint64_t)state * between;
    family.perturb = perturbed;
    return rct_model_generate(&family, error);
}

static int take_states(bench_system *system, const bench_family *wanted, rct_error *error)
{
    double *q = calloc((size_t)system->coordinates, sizeof *q);
    double *u = calloc((size_t)system->freedoms, sizeof *u);
    int good = q != NULL && u != NULL;
    for (int s = 0; s < (system->loops > 0 ? BENCH_STATES : 1) && good; s++) {
        rct_model *model = generate(wanted, s, error);
        good = model != NULL && start_of(model, q, u, error);
        if (good && system->loops > 0) {
            (system->body[0].ball ? close_necklace : close_fourbars)(wanted, system->bodies, q, u);
        }
        good = good && take_state(system, model, s, q, u);
        rct_model_free(model);
    }
    if (good && system->loops == 0) {
        reverse(system);
    }
    free(q);
    free(u);
    return good;
}

bench_system *bench_system_make(const bench_family *wanted, char *reason)
{
    rct_error error = {.text = ""};
    rct_model *model = generate(wanted, 0, &error);
    bench_system *system = NULL;
    if (model != NULL) {
        system = bench_system_create(rct_model_body_count(model), rct_model_loop_count(model));
        snprintf(
            error.text, sizeof error.text,
            "%s: not a tree of revolute and ball hinges closed by pins and balls, or no memory",
            wanted->family);
    }
    if (system != NULL && take(system, model, wanted) && take_states(system, wanted, &error)) {
        rct_model_gravity(model, system->gravity);
        snprintf(system->name, sizeof system->name, "%s-%s-%d%s%.0d", wanted->family,
                 rct_hinge_name(wanted->hinge), (int)wanted->bodies,
                 wanted->systems > 1 ? "-times-" : "",
                 wanted->systems > 1 ? (int)wanted->systems : 0);
    } else {
        snprintf(reason, BENCH_REASON, "%.*s", BENCH_REASON - 1, error.text);
        bench_system_free(system);
        system = NULL;
    }
    rct_model_free(model);
    return system;
}
