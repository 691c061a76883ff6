/* MuJoCo by the contract of peers (peer.h).
 *
 * Timed are the calls that mj_forward makes for a system without contacts, limits, actuators and
 * sensors, one by one, which is faster for small systems than mj_forward with all of these
 * disabled: positions, the mass matrix, its factors, the bias, a solve. Systems with loops go
 * through mj_forward: equalities of two sites, `connect`, as stiff as possible, solimp 0.9999.
 * Coordinates of ball hinges are the neutral ones, those of free bodies have the position and
 * the velocity first; bodies have another order. */
#include "bench/peers/peer.h"

#include <mujoco/mujoco.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double hardest = 0.9999;   /* of an equality, mjMAXIMP */
static const double most_numbers = 2e7; /* of a mass matrix: beyond it a call takes a minute */

typedef struct made_mujoco {
    const bench_system *system;
    mjModel *model;
    mjData *data;
    int *joint; /* [bodies] */
} made_mujoco;

static void free_mujoco(void *made)
{
    made_mujoco *m = made;
    if (m != NULL) {
        mj_deleteData(m->data);
        mj_deleteModel(m->model);
        free(m->joint);
        free(m);
    }
}

/* Numbers in half of the mass matrix: for each body its freedoms times those on the way to the
 * ground. 0: memory is short. */
static double matrix_numbers(const bench_system *system)
{
    double numbers = 0.0;
    double *above = calloc((size_t)system->bodies, sizeof *above);
    for (int32_t i = 0; above != NULL && i < system->bodies; i++) {
        const bench_body *body = &system->body[i];
        const int own = bench_freedoms(body);
        above[i] = own + (body->parent < 0 ? 0.0 : above[body->parent]);
        numbers += own * above[i];
    }
    free(above);
    return numbers;
}

static mjsJoint *add_body(mjsBody *parent, const bench_body *from, mjsBody **added)
{
    mjsBody *body = mjs_addBody(parent, NULL);
    mjsJoint *joint = mjs_addJoint(body, NULL);
    memcpy(body->pos, from->at, sizeof body->pos);
    body->mass = from->mass;
    memcpy(body->ipos, from->com, sizeof body->ipos);
    memcpy(body->fullinertia, from->inertia, sizeof body->fullinertia);
    body->explicitinertial = 1;
    joint->type = from->free ? mjJNT_FREE : from->ball ? mjJNT_BALL : mjJNT_HINGE;
    if (!from->ball) {
        memcpy(joint->axis, from->axis, sizeof joint->axis);
    }
    *added = body;
    return joint;
}

/* A site at a point of a body, with the name `side` and the number of the loop. */
static void add_site(mjsBody *body, const double at[3], const char *name)
{
    mjsSite *site = mjs_addSite(body, NULL);
    memcpy(site->pos, at, sizeof site->pos);
    mjs_setName(site->element, name);
}

static void add_loop(mjSpec *spec, mjsBody **body, const bench_loop *loop, int number)
{
    char name[2][BENCH_NAME];
    mjsEquality *equality = mjs_addEquality(spec, NULL);
    snprintf(name[0], sizeof name[0], "%d", number);
    snprintf(name[1], sizeof name[1], "other %d", number);
    add_site(body[loop->body], loop->at, name[0]);
    add_site(body[loop->other], loop->other_at, name[1]);
    equality->type = mjEQ_CONNECT;
    equality->objtype = mjOBJ_SITE;
    mjs_setString(equality->name1, name[0]);
    mjs_setString(equality->name2, name[1]);
    equality->solimp[0] = equality->solimp[1] = hardest;
}

/* The model, and the number of the joint of each body. */
static int compile(made_mujoco *m, mjSpec *spec, char *reason)
{
    const int32_t bodies = m->system->bodies;
    mjsBody **body = calloc((size_t)bodies, sizeof *body);
    mjsJoint **joint = calloc((size_t)bodies, sizeof *joint);
    m->joint = calloc((size_t)bodies, sizeof *m->joint);
    if (body != NULL && joint != NULL && m->joint != NULL) {
        memcpy(spec->option.gravity, m->system->gravity, sizeof spec->option.gravity);
        spec->option.disableflags =
            mjDSBL_CONTACT | mjDSBL_ACTUATION | (m->system->loops > 0 ? 0 : mjDSBL_CONSTRAINT);
        for (int32_t i = 0; i < bodies; i++) {
            const bench_body *from = &m->system->body[i];
            mjsBody *parent = from->parent < 0 ? mjs_findBody(spec, "world") : body[from->parent];
            joint[i] = add_body(parent, from, &body[i]);
        }
        for (int32_t i = 0; i < m->system->loops; i++) {
            add_loop(spec, body, &m->system->loop[i], (int)i);
        }
        m->model = mj_compile(spec, NULL);
        if (m->model == NULL) {
            snprintf(reason, BENCH_REASON, "%s", mjs_getError(spec));
        }
        for (int32_t i = 0; m->model != NULL && i < bodies; i++) {
            m->joint[i] = mjs_getId(joint[i]->element);
        }
    }
    free(body);
    free(joint);
    return m->model != NULL;
}

static void *make_mujoco(const bench_system *system, char *reason)
{
    const double numbers = matrix_numbers(system);
    snprintf(reason, BENCH_REASON, "no memory");
    if (numbers > most_numbers) {
        snprintf(reason, BENCH_REASON, "its mass matrix would have %.1e numbers", numbers);
        return NULL;
    }
    made_mujoco *m = calloc(1, sizeof *m);
    if (m != NULL) {
        m->system = system;
        mjSpec *spec = mj_makeSpec();
        m->data = spec != NULL && compile(m, spec, reason) ? mj_makeData(m->model) : NULL;
        mj_deleteSpec(spec);
    }
    if (m != NULL && m->data == NULL) {
        free_mujoco(m);
        m = NULL;
    }
    return m;
}

static void adopt_mujoco(void *made, const double *q, const double *u, double *own_q, double *own_u)
{
    const made_mujoco *m = made;
    for (int32_t i = 0; i < m->system->bodies; i++) {
        const bench_body *body = &m->system->body[i];
        const int j = m->joint[i], moved = body->free ? 3 : 0;
        double *to_q = own_q + m->model->jnt_qposadr[j], *to_u = own_u + m->model->jnt_dofadr[j];
        memcpy(to_q + moved, q + body->q, (body->ball ? 4 : 1) * sizeof *q);
        memcpy(to_u + moved, u + body->u, (body->ball ? 3 : 1) * sizeof *u);
        memcpy(to_q, q + body->q + (moved ? 4 : 0), (size_t)moved * sizeof *q);
        memcpy(to_u, u + body->u + moved, (size_t)moved * sizeof *u);
    }
}

static void yield_mujoco(void *made, const double *q, const double *u, const double *own_du,
                         double *du)
{
    const made_mujoco *m = made;
    (void)q;
    (void)u;
    for (int32_t i = 0; i < m->system->bodies; i++) {
        const bench_body *body = &m->system->body[i];
        const double *own = own_du + m->model->jnt_dofadr[m->joint[i]];
        const int moved = body->free ? 3 : 0;
        memcpy(du + body->u, own + moved, (body->ball ? 3 : 1) * sizeof *du);
        memcpy(du + body->u + moved, own, (size_t)moved * sizeof *du);
    }
}

static int forward_mujoco(void *made, const double *own_q, const double *own_u, double *own_du)
{
    const made_mujoco *m = made;
    const mjModel *model = m->model;
    mjData *d = m->data;
    memcpy(d->qpos, own_q, (size_t)model->nq * sizeof *own_q);
    memcpy(d->qvel, own_u, (size_t)model->nv * sizeof *own_u);
    if (model->neq > 0) {
        mj_forward(model, d);
        memcpy(own_du, d->qacc, (size_t)model->nv * sizeof *own_du);
        return d->nefc == 3 * model->neq;
    }
    mj_kinematics(model, d);
    mj_comPos(model, d);
    mj_makeM(model, d);
    mj_factorM(model, d);
    mj_comVel(model, d);
    mj_rne(model, d, 0, d->qfrc_bias);
    for (int i = 0; i < model->nv; i++) {
        d->qfrc_smooth[i] = -d->qfrc_bias[i];
    }
    mj_solveM(model, d, own_du, d->qfrc_smooth, 1);
    return 1;
}

const bench_peer *bench_peer_here(int number)
{
    static char version[64];
    static const bench_peer peer = {
        .name = "MuJoCo",
        .version = version,
        .call = "mj_kinematics, mj_comPos, mj_makeM, mj_factorM, mj_comVel, mj_rne, mj_solveM",
        .closing = "mj_forward, equality connect, solimp 0.9999",
        .make = make_mujoco,
        .free = free_mujoco,
        .adopt = adopt_mujoco,
        .yield = yield_mujoco,
        .forward = forward_mujoco,
    };
    snprintf(version, sizeof version, "%s, as its wheel comes", mj_versionString());
    return number == 0 ? &peer : NULL;
}
