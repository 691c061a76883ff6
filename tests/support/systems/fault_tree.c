/* Trees in which every line mass can be made singular by a pose (fault_tree.h). */
#include "tests/support/systems/fault_tree.h"

#include "tests/support/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BRANCHED = 112 };

/* Side chains of the first path: the places where they hang, and their lengths. */
static const int32_t sides[][2] = {{4, 1},  {10, 3}, {14, 1}, {17, 4}, {20, 12},
                                   {22, 9}, {30, 2}, {33, 5}, {33, 2}, {40, 1}};
static const int32_t paths[] = {44, 25, 3};

static void *need(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static void make(rct_body *body, int line, int solid, int32_t i)
{
    if (solid) {
        body->mass = 1.0 + 0.01 * i;
        body->com[1] = 0.2;
        body->inertia[0] = body->inertia[1] = body->inertia[2] = 0.1;
    } else if (line) {
        body->mass = 2.0 + 0.01 * i;
        body->com[2] = -0.5;
        body->inertia[0] = body->inertia[1] = body->mass / 12.0;
    } else {
        body->mass = 1.0 + 0.02 * i;
        body->com[2] = -1.0;
    }
}

/* The place where an outboard link hangs on a link. */
static void hang(rct_body *body, int on_line, int arm)
{
    body->hinge_at[0] = !on_line ? 1.0 : arm ? 0.5 : 0.0;
    body->hinge_at[2] = -1.0;
}

/* The outboard link of each link that is the arm, and the links that have none. */
static void find_arms(const int32_t *parent, int32_t n, int side, int32_t *arm, int32_t *outboard)
{
    for (int32_t i = 0; i < n; i++) {
        arm[i] = -1;
    }
    for (int32_t i = 0; i < n; i++) {
        if (parent[i] >= 0) {
            const int32_t p = parent[i];
            outboard[p]++;
            arm[p] = side || arm[p] < 0 ? i : arm[p];
        }
    }
}

/* Sites from the arms of all links. */
static void find_sites(fault_tree *tree, const int *line, const int32_t *outboard,
                       const int32_t *arm)
{
    for (int32_t i = 0; i < tree->bodies; i++) {
        const int32_t bar = arm[i];
        const int site = line[i] && bar >= 0 && !line[bar] && outboard[bar] > 0;
        const int32_t next = site ? arm[bar] : -1;
        tree->arm[i] = site ? bar : -1;
        tree->second[i] =
            site && outboard[bar] == 1 && !line[next] && outboard[next] > 0 ? next : -1;
    }
}

static void draw_state(fault_tree *tree)
{
    uint64_t random = 29;
    draw_numbers(&random, tree->rate, 3 * tree->bodies, 1.0);
    for (int32_t i = 0; i < tree->bodies; i++) {
        double *q = tree->orientation + 4 * (int64_t)i;
        double square = 0.0;
        draw_numbers(&random, q, 4, 1.0);
        for (int k = 0; k < 4; k++) {
            square += q[k] * q[k];
        }
        for (int k = 0; k < 4; k++) {
            q[k] /= sqrt(square);
        }
    }
}

static void add_bodies(fault_tree *tree, fault_kind kind, const int32_t *parent)
{
    const int32_t n = tree->bodies;
    int32_t *arm = need((size_t)n, sizeof *arm), *outboard = need((size_t)n, sizeof *outboard);
    int32_t *depth = need((size_t)n, sizeof *depth);
    int *line = need((size_t)n, sizeof *line);
    find_arms(parent, n, kind.side, arm, outboard);
    for (int32_t i = 0; i < n; i++) {
        rct_body body = rct_body_default();
        const int32_t p = parent[i];
        depth[i] = p >= 0 ? depth[p] + 1 : 0;
        line[i] = (depth[i] + kind.phase) % kind.period == 0;
        body.parent = p;
        make(&body, line[i], outboard[i] == 0, i);
        if (p >= 0) {
            hang(&body, line[p], arm[p] == i);
        }
        memcpy(body.orientation, tree->orientation + 4 * (int64_t)i, sizeof body.orientation);
        memcpy(body.angular_velocity, tree->rate + 3 * (int64_t)i, sizeof body.angular_velocity);
        if (rct_model_add_body(tree->model, &body, NULL, NULL) != RCT_OK) {
            abort();
        }
    }
    find_sites(tree, line, outboard, arm);
    free(line);
    free(depth);
    free(outboard);
    free(arm);
}

static fault_tree *create(fault_kind kind, int32_t n, const int32_t *parent)
{
    fault_tree *tree = need(1, sizeof *tree);
    tree->model = rct_model_create("faults", NULL);
    tree->bodies = n;
    tree->arm = need((size_t)n, sizeof *tree->arm);
    tree->second = need((size_t)n, sizeof *tree->second);
    tree->orientation = need(4 * (size_t)n, sizeof *tree->orientation);
    tree->rate = need(3 * (size_t)n, sizeof *tree->rate);
    if (tree->model == NULL) {
        abort();
    }
    draw_state(tree);
    add_bodies(tree, kind, parent);
    return tree;
}

fault_tree *fault_tree_chain(fault_kind kind, int32_t bodies)
{
    int32_t *parent = need((size_t)bodies, sizeof *parent);
    for (int32_t i = 0; i < bodies; i++) {
        parent[i] = i - 1;
    }
    fault_tree *tree = create(kind, bodies, parent);
    free(parent);
    return tree;
}

fault_tree *fault_tree_branched(fault_kind kind)
{
    int32_t parent[BRANCHED];
    int32_t n = 0;
    for (size_t p = 0; p < sizeof paths / sizeof paths[0]; p++) {
        for (int32_t k = 0; k < paths[p]; k++, n++) {
            parent[n] = k > 0 ? n - 1 : RCT_GROUND;
        }
    }
    for (size_t s = 0; s < sizeof sides / sizeof sides[0]; s++) {
        for (int32_t k = 0; k < sides[s][1]; k++, n++) {
            parent[n] = k > 0 ? n - 1 : sides[s][0];
        }
    }
    if (n != BRANCHED) {
        abort();
    }
    return create(kind, n, parent);
}

void fault_tree_free(fault_tree *tree)
{
    if (tree != NULL) {
        rct_model_free(tree->model);
        free(tree->arm);
        free(tree->second);
        free(tree->orientation);
        free(tree->rate);
        free(tree);
    }
}

void fault_tree_product(const double p[4], const double q[4], double out[4])
{
    out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[1 + i] = p[0] * q[1 + i] + p[1 + i] * q[0] + p[1 + j] * q[1 + k] - p[1 + k] * q[1 + j];
    }
}

void fault_tree_align(const fault_tree *tree, int32_t i, int deep, double *orientation)
{
    static const double about_z[4] = {2.0, 0.0, 0.0, 1.0}; /* lengths are taken out on entry */
    static const double y_to_z[4] = {1.0, 1.0, 0.0, 0.0};
    const double *line = orientation + 4 * (int64_t)i;
    double *bar = orientation + 4 * (int64_t)tree->arm[i];
    if (deep) {
        fault_tree_product(line, about_z, bar);
        fault_tree_product(bar, y_to_z, orientation + 4 * (int64_t)tree->second[i]);
    } else {
        memcpy(bar, line, 4 * sizeof *bar);
    }
}
