/* Riccatree by the contract of peers (peer.h), on the public interface; it chooses everything
 * except the threads.
 *
 * Its revolute coordinates are the neutral ones, as are those of a free body except its angular
 * velocity. Turns and rates of ball hinges and free bodies are absolute and in inertial axes:
 * with R the turn of a body, w its angular velocity, p its parent,
 *
 *     R = R_p R_rel      w = w_p + R u      w' = w'_p + R u' + w x R u */
#include "bench/peers/peer.h"

#include <riccatree/riccatree.h>

#include "core/rotation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The orientation and angular velocity of a body, in inertial axes. */
typedef struct motion {
    double turn[4], rate[3], acceleration[3];
} motion;

typedef struct made_riccatree {
    const bench_system *system;
    rct_solver *solver;
    motion *motion; /* [bodies], work space of adopt and yield */
} made_riccatree;

static void free_riccatree(void *made)
{
    made_riccatree *m = made;
    if (m != NULL) {
        rct_solver_free(m->solver);
        free(m->motion);
        free(m);
    }
}

static int add_loop(rct_model *model, const bench_loop *from, rct_error *error)
{
    rct_loop loop = rct_loop_default();
    loop.type = from->ball ? RCT_LOOP_BALL : RCT_LOOP_PLANAR_REVOLUTE;
    loop.body = from->body;
    loop.other = from->other;
    memcpy(loop.at, from->at, sizeof loop.at);
    memcpy(loop.other_at, from->other_at, sizeof loop.other_at);
    if (!from->ball) {
        memcpy(loop.axis, from->axis, sizeof loop.axis);
    }
    return rct_model_add_loop(model, &loop, NULL, error) == RCT_OK;
}

static rct_model *model_of(const bench_system *system, rct_error *error)
{
    rct_model *model = rct_model_create(system->name, error);
    int good = model != NULL && rct_model_set_gravity(model, system->gravity, error) == RCT_OK;
    for (int32_t i = 0; good && i < system->bodies; i++) {
        const bench_body *from = &system->body[i];
        rct_body body = rct_body_default();
        body.parent = from->parent;
        body.hinge = from->free ? RCT_HINGE_FREE : from->ball ? RCT_HINGE_BALL : RCT_HINGE_REVOLUTE;
        memcpy(body.hinge_at, from->at, sizeof body.hinge_at);
        if (!from->ball) {
            memcpy(body.hinge_axis, from->axis, sizeof body.hinge_axis);
        }
        body.mass = from->mass;
        memcpy(body.com, from->com, sizeof body.com);
        memcpy(body.inertia, from->inertia, sizeof body.inertia);
        good = rct_model_add_body(model, &body, NULL, error) == RCT_OK;
    }
    for (int32_t i = 0; good && i < system->loops; i++) {
        good = add_loop(model, &system->loop[i], error);
    }
    if (!good) {
        rct_model_free(model);
        model = NULL;
    }
    return model;
}

static void *make_riccatree(const bench_system *system, char *reason)
{
    rct_error error = {.text = "no memory"};
    rct_solver_options options = rct_solver_options_default();
    options.backend = "cpu";
    options.threads = system->threads;
    options.as_given = system->loops > 0; /* calls set states in which loops are closed */
    made_riccatree *m = calloc(1, sizeof *m);
    if (m != NULL) {
        m->system = system;
        m->motion = calloc((size_t)system->bodies, sizeof *m->motion);
        rct_model *model = m->motion != NULL ? model_of(system, &error) : NULL;
        m->solver = model != NULL ? rct_solver_create(model, &options, &error) : NULL;
        rct_model_free(model);
    }
    if (m == NULL || m->solver == NULL) {
        snprintf(reason, BENCH_REASON, "%.*s", BENCH_REASON - 1, error.text);
        free_riccatree(m);
        m = NULL;
    }
    return m;
}

static const motion ground = {.turn = {1.0}};

static const motion *parent_of(const made_riccatree *m, int32_t i)
{
    const int32_t parent = m->system->body[i].parent;
    return parent < 0 ? &ground : &m->motion[parent];
}

/* Three numbers along the freedoms of a body, in axes of the body. */
static void along(const bench_body *body, const double *u, double out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = body->ball ? u[k] : *u * body->axis[k];
    }
}

/* Turn and rate of body i, whose parent has its own already; `r` becomes R, `slip` R u. */
static void move(made_riccatree *m, int32_t i, const double *q, const double *u, double r[3][3],
                 double slip[3])
{
    const bench_body *body = &m->system->body[i];
    const motion *parent = parent_of(m, i);
    motion *own = &m->motion[i];
    const double c = cos(0.5 * q[body->q]), s = sin(0.5 * q[body->q]);
    const double turned[4] = {c, s * body->axis[0], s * body->axis[1], s * body->axis[2]};
    double rate[3];
    rct_quaternion_product(parent->turn, body->ball ? q + body->q : turned, own->turn);
    rct_rotation(own->turn, r);
    along(body, u + body->u, rate);
    rct_rotate(r, rate, slip);
    for (int k = 0; k < 3; k++) {
        own->rate[k] = parent->rate[k] + slip[k];
    }
}

static void adopt_riccatree(void *made, const double *q, const double *u, double *own_q,
                            double *own_u)
{
    made_riccatree *m = made;
    for (int32_t i = 0; i < m->system->bodies; i++) {
        const bench_body *body = &m->system->body[i];
        double r[3][3], slip[3];
        move(m, i, q, u, r, slip);
        if (body->ball) {
            memcpy(own_q + body->q, m->motion[i].turn, sizeof m->motion[i].turn);
            memcpy(own_u + body->u, m->motion[i].rate, sizeof m->motion[i].rate);
        } else {
            own_q[body->q] = q[body->q];
            own_u[body->u] = u[body->u];
        }
        if (body->free) {
            memcpy(own_q + body->q + 4, q + body->q + 4, 3 * sizeof *q);
            memcpy(own_u + body->u + 3, u + body->u + 3, 3 * sizeof *u);
        }
    }
}

static void yield_riccatree(void *made, const double *q, const double *u, const double *own_du,
                            double *du)
{
    made_riccatree *m = made;
    for (int32_t i = 0; i < m->system->bodies; i++) {
        const bench_body *body = &m->system->body[i];
        const motion *parent = parent_of(m, i);
        motion *own = &m->motion[i];
        double r[3][3], slip[3], turning[3], x[3];
        move(m, i, q, u, r, slip);
        rct_cross(own->rate, slip, turning);
        if (body->ball) {
            memcpy(own->acceleration, own_du + body->u, sizeof own->acceleration);
            for (int k = 0; k < 3; k++) {
                x[k] = own->acceleration[k] - parent->acceleration[k] - turning[k];
            }
            rct_rotate_back(r, x, du + body->u);
        } else {
            du[body->u] = own_du[body->u];
            along(body, du + body->u, x);
            rct_rotate(r, x, own->acceleration);
            for (int k = 0; k < 3; k++) {
                own->acceleration[k] += parent->acceleration[k] + turning[k];
            }
        }
        if (body->free) {
            memcpy(du + body->u + 3, own_du + body->u + 3, 3 * sizeof *du);
        }
    }
}

static int forward_riccatree(void *made, const double *own_q, const double *own_u, double *own_du)
{
    rct_solver *solver = ((made_riccatree *)made)->solver;
    return rct_solver_forward(solver, 1, own_q, own_u, NULL, own_du, NULL) == RCT_OK;
}

const bench_peer bench_riccatree = {
    .name = "Riccatree",
    .version = BENCH_VERSION,
    .call = "rct_solver_forward",
    .closing = "rct_solver_forward",
    .make = make_riccatree,
    .free = free_riccatree,
    .adopt = adopt_riccatree,
    .yield = yield_riccatree,
    .forward = forward_riccatree,
};
