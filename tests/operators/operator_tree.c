/* Fills the struct of the operators of trees from poses (operator_tree.h). */
#include "tests/operators/operator_tree.h"

#include "model/model.h"
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

/* Room for everything, by kind. */
typedef struct numbers {
    int64_t *first;
    double *H, *lever, *mass, *com, *inertia, *load, *own_com, *own_inertia, *turn;
    int32_t *parent;
    rct_hinge_type *hinge;
} numbers;

static numbers room(int64_t n, int64_t rates, void **memory)
{
    numbers x;
    const int64_t doubles = 6 * rates + 37 * n, whole = n + 1;
    char *at = calloc(1, (size_t)(8 * (doubles + whole) + 4 * n) + (size_t)n * sizeof *x.hinge);
    assert_non_null(at);
    *memory = at;
    x.first = (int64_t *)(void *)at;
    x.H = (double *)(void *)(at + 8 * whole);
    x.lever = x.H + 6 * rates;
    x.mass = x.lever + 3 * n;
    x.com = x.mass + n;
    x.inertia = x.com + 3 * n;
    x.load = x.inertia + 6 * n;
    x.own_com = x.load + 6 * n;
    x.own_inertia = x.own_com + 3 * n;
    x.turn = x.own_inertia + 6 * n;
    x.parent = (int32_t *)(void *)(x.turn + 9 * n);
    x.hinge = (rct_hinge_type *)(void *)(x.parent + n);
    return x;
}

/* R J R^T by its columns. */
static void turn_inertia(const spatial_case *c, int32_t i, double out[6])
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) {
        double unit[3] = {0.0, 0.0, 0.0}, turned[3];
        unit[column[k]] = 1.0;
        spatial_inertia(c, i, unit, turned);
        out[k] = turned[row[k]];
    }
}

rct_operator_tree operator_tree_of(const spatial_case *c, void **memory)
{
    const numbers x = room(c->n, c->freedoms, memory);
    for (int32_t i = 0; i < c->n; i++) {
        const rct_spatial_pose *own = &c->pose[i];
        x.parent[i] = c->model->bodies->parent[i];
        x.hinge[i] = rct_bodies_at(c->model->bodies, i)->hinge;
        x.first[i + 1] = x.first[i] + own->freedoms;
        memcpy(x.H + 6 * x.first[i], own->H, (size_t)own->freedoms * sizeof own->H[0]);
        memcpy(x.lever + 3 * i, own->l, sizeof own->l);
        memcpy(x.load + 6 * i, own->load, sizeof own->load);
        x.mass[i] = rct_bodies_at(c->model->bodies, i)->mass;
        spatial_apply(&own->R, rct_bodies_at(c->model->bodies, i)->com, x.com + 3 * i);
        memcpy(x.own_com + 3 * i, rct_bodies_at(c->model->bodies, i)->com,
               sizeof rct_bodies_at(c->model->bodies, i)->com);
        memcpy(x.own_inertia + 6 * i, rct_bodies_at(c->model->bodies, i)->inertia,
               sizeof rct_bodies_at(c->model->bodies, i)->inertia);
        memcpy(x.turn + 9 * i, own->R.a, sizeof own->R.a);
        turn_inertia(c, i, x.inertia + 6 * i);
    }
    rct_operator_tree tree = {.n = c->n,
                              .parent = x.parent,
                              .hinge = x.hinge,
                              .first = x.first,
                              .H = x.H,
                              .lever = x.lever,
                              .mass = x.mass,
                              .com = x.com,
                              .inertia = x.inertia,
                              .own_com = x.own_com,
                              .own_inertia = x.own_inertia,
                              .turn = x.turn,
                              .rates = c->u,
                              .load = x.load,
                              .gravity = c->model->gravity,
                              .systems = 1};
    rct_model_base_motion(c->model, c->time, &tree.ground);
    return tree;
}
