/* Systems cut into their independent parts (apart.h). A part is a neutral system of its own; its
 * coordinates and rates are a range of those of the whole. */
#include "bench/peers/apart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A model that parts share. */
typedef struct apart_model {
    bench_system *system;
    void *made;
} apart_model;

typedef struct apart_part {
    int32_t model;
    int32_t q, u; /* where its coordinates and rates begin in the whole */
} apart_part;

typedef struct made_apart {
    const bench_peer *peer;
    int32_t parts, models;
    apart_part *part;
    apart_model *model;
} made_apart;

static void free_apart(void *made)
{
    made_apart *m = made;
    if (m != NULL) {
        for (int32_t k = 0; k < m->models; k++) {
            if (m->model[k].made != NULL) {
                m->peer->free(m->model[k].made);
            }
            bench_system_free(m->model[k].system);
        }
        free(m->part);
        free(m->model);
        free(m);
    }
}

/* first[i]: the first body of the part of body i. */
static void find_parts(const bench_system *system, int32_t *first)
{
    for (int32_t i = 0; i < system->bodies; i++) {
        const int32_t parent = system->body[i].parent;
        first[i] = parent < 0 ? i : parent;
    }
    for (int32_t i = 0; i < system->loops; i++) {
        const bench_loop *loop = &system->loop[i];
        const int32_t low = loop->body < loop->other ? loop->body : loop->other;
        const int32_t high = loop->body + loop->other - low;
        first[high] = low < first[high] ? low : first[high];
    }
    int32_t reach = system->bodies;
    for (int32_t i = system->bodies - 1; i >= 0;
         i--) { /* the least body that this or a later one joins */
        reach = first[i] < reach ? first[i] : reach;
        first[i] = reach;
    }
    for (int32_t i = 0; i < system->bodies; i++) {
        first[i] = first[i] < i ? first[i - 1] : i;
    }
}

/* Bodies `from` to `to` - 1 and their loops, the first of which is `loop`. NULL: memory is
 * short. */
static bench_system *cut(const bench_system *whole, int32_t from, int32_t to, int32_t loop)
{
    int32_t loops = 0;
    while (loop + loops < whole->loops && whole->loop[loop + loops].body < to) {
        loops++;
    }
    bench_system *system = bench_system_create(to - from, loops);
    if (system != NULL) {
        memcpy(system->name, whole->name, sizeof system->name);
        memcpy(system->gravity, whole->gravity, sizeof system->gravity);
        memcpy(system->body, whole->body + from, (size_t)(to - from) * sizeof *system->body);
        memcpy(system->loop, whole->loop + loop, (size_t)loops * sizeof *system->loop);
        for (int32_t i = 0; i < to - from; i++) {
            system->body[i].parent -= system->body[i].parent < 0 ? 0 : from;
        }
        for (int32_t i = 0; i < loops; i++) {
            system->loop[i].body -= from;
            system->loop[i].other -= from;
        }
        if (!bench_system_count(system)) {
            bench_system_free(system);
            system = NULL;
        }
    }
    return system;
}

static int same(const bench_system *a, const bench_system *b)
{
    return a->bodies == b->bodies && a->loops == b->loops &&
           memcmp(a->body, b->body, (size_t)a->bodies * sizeof *a->body) == 0 &&
           memcmp(a->loop, b->loop, (size_t)a->loops * sizeof *a->loop) == 0;
}

/* The number of the model of a part, made if none exists yet. -1: `reason` says why not. */
static int32_t model_of(made_apart *m, bench_system *part, char *reason)
{
    int32_t k = 0;
    while (k < m->models && !same(m->model[k].system, part)) {
        k++;
    }
    if (k < m->models) {
        bench_system_free(part);
        return k;
    }
    m->model[m->models++].system = part;
    m->model[k].made = m->peer->make(part, reason);
    return m->model[k].made != NULL ? k : -1;
}

static int add_parts(made_apart *m, const bench_system *system, const int32_t *first, char *reason)
{
    int32_t loop = 0;
    for (int32_t from = 0, to; from < system->bodies; from = to) {
        to = from + 1;
        while (to < system->bodies && first[to] == from) {
            to++;
        }
        bench_system *part = cut(system, from, to, loop);
        if (part == NULL) {
            snprintf(reason, BENCH_REASON, "no memory");
            return 0;
        }
        loop += part->loops;
        const bench_body *body = &system->body[from];
        const int32_t model = model_of(m, part, reason);
        m->part[m->parts++] = (apart_part){.model = model, .q = body->q, .u = body->u};
        if (model < 0) {
            return 0;
        }
    }
    return 1;
}

void *bench_apart_make(const bench_peer *peer, const bench_system *system, char *reason)
{
    made_apart *m = calloc(1, sizeof *m);
    int32_t *first = calloc((size_t)system->bodies, sizeof *first);
    int good = m != NULL && first != NULL;
    snprintf(reason, BENCH_REASON, "no memory");
    if (good) {
        m->peer = peer;
        m->part = calloc((size_t)system->bodies, sizeof *m->part);
        m->model = calloc((size_t)system->bodies, sizeof *m->model);
        good = m->part != NULL && m->model != NULL;
    }
    if (good) {
        find_parts(system, first);
        good = add_parts(m, system, first, reason);
    }
    free(first);
    if (!good) {
        free_apart(m);
        m = NULL;
    }
    return m;
}

static void adopt_apart(void *made, const double *q, const double *u, double *own_q, double *own_u)
{
    const made_apart *m = made;
    for (int32_t k = 0; k < m->parts; k++) {
        const apart_part *p = &m->part[k];
        m->peer->adopt(m->model[p->model].made, q + p->q, u + p->u, own_q + p->q, own_u + p->u);
    }
}

static void yield_apart(void *made, const double *q, const double *u, const double *own_du,
                        double *du)
{
    const made_apart *m = made;
    for (int32_t k = 0; k < m->parts; k++) {
        const apart_part *p = &m->part[k];
        m->peer->yield(m->model[p->model].made, q + p->q, u + p->u, own_du + p->u, du + p->u);
    }
}

static int forward_apart(void *made, const double *own_q, const double *own_u, double *own_du)
{
    const made_apart *m = made;
    int good = 1;
    for (int32_t k = 0; k < m->parts && good; k++) {
        const apart_part *p = &m->part[k];
        good = m->peer->forward(m->model[p->model].made, own_q + p->q, own_u + p->u, own_du + p->u);
    }
    return good;
}

const bench_peer bench_apart = {
    .free = free_apart,
    .adopt = adopt_apart,
    .yield = yield_apart,
    .forward = forward_apart,
};
