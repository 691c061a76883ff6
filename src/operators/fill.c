/* Rows of H, hinge points, centres of mass and inertias of all bodies in inertial axes (fill.h). A hinge frame
 * has the axes R_h = R_parent R_hinge; the second axis of a universal hinge is the same in the body. */
#include "operators/fill.h"

#include "core/memory.h"
#include "core/rotation.h"
#include "model/hinge_types.h"

#include <stddef.h>
#include <string.h>

/* The tree and the arrays it shows. */
typedef struct filled_tree {
    rct_operator_tree shown; /* first, so that it is freed by its address */
    int32_t *parent;
    rct_hinge_type *hinge;
    int64_t *first;
    double *H, *armature, *point, *mass, *com, *inertia;
} filled_tree;

static int allocate(filled_tree *t, const rct_body *bodies, int32_t n, rct_error *error)
{
    static const char what[] = "operators";
    const int64_t one = sizeof(double);
    t->first = rct_allocate(n + (int64_t)1, sizeof *t->first, what, error);
    if (t->first == NULL) {
        return 0;
    }
    for (int32_t i = 0; i < n; i++) {
        t->first[i + 1] = t->first[i] + rct_hinge_freedoms(bodies[i].hinge);
    }
    t->parent = rct_allocate(n, sizeof *t->parent, what, error);
    t->hinge = rct_allocate(n, sizeof *t->hinge, what, error);
    t->H = rct_allocate(t->first[n], 7 * one, what, error);
    t->point = rct_allocate(n, 13 * one, what, error);
    if (t->parent == NULL || t->hinge == NULL || t->H == NULL || t->point == NULL) {
        return 0;
    }
    t->armature = t->H + 6 * t->first[n];
    t->mass = t->point + 3 * (int64_t)n;
    t->com = t->mass + n;
    t->inertia = t->com + 3 * (int64_t)n;
    return 1;
}

/* R J R^T, xx yy zz xy xz yz. */
static void turn_inertia(double R[3][3], const double j[6], double out[6])
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    double own[3][3] = {{j[0], j[3], j[4]}, {j[3], j[1], j[5]}, {j[4], j[5], j[2]}};
    for (int k = 0; k < 6; k++) {
        double half[3];
        rct_rotate(own, R[column[k]], half);
        out[k] = R[row[k]][0] * half[0] + R[row[k]][1] * half[1] + R[row[k]][2] * half[2];
    }
}

/* R_h */
static void hinge_axes(const rct_body *body, const rct_operator_state *state, double out[3][3])
{
    double turn[4];
    rct_quaternion_product(body->parent == RCT_GROUND
                               ? state->ground.orientation
                               : state->orientation + 4 * (int64_t)body->parent,
                           body->hinge_orientation, turn);
    rct_rotation(turn, out);
}

/* Rows [freedoms][6] of a hinge, R of its body. The second axis about which a hinge turns goes with the body. */
static void write_rows(const rct_body *body, const rct_operator_state *state, double R[3][3],
                       double *H)
{
    const rct_hinge_type type = body->hinge;
    const int absolute = rct_hinge_uses(type, RCT_KEY_ORIENTATION) > 0;
    double axes[3][3], direction[3];
    hinge_axes(body, state, axes);
    for (int k = 0; k < rct_hinge_freedoms(type); k++) {
        double *row = H + 6 * k;
        if (absolute) {
            row[k] = 1.0;
            continue;
        }
        rct_hinge_direction(direction, type, k, body->hinge_axis, body->hinge_axis2);
        if (!rct_hinge_turns(type, k)) {
            rct_rotate(axes, direction, row + 3);
            continue;
        }
        rct_rotate(rct_hinges[type].freedom[k] == RCT_TURN_2 ? R : axes, direction, row);
        for (int i = 0; rct_hinge_uses(type, RCT_KEY_PITCH) > 0 && i < 3; i++) {
            row[3 + i] = body->hinge_pitch * row[i];
        }
    }
}

void rct_operator_tree_refill(rct_operator_tree *tree, const rct_body *bodies,
                              const rct_operator_state *state)
{
    filled_tree *t = (filled_tree *)(void *)tree;
    const int32_t n = tree->n;
    memcpy(t->point, state->position, (size_t)n * 3 * sizeof *t->point);
    for (int64_t i = 0; i < n; i++) {
        double R[3][3];
        rct_rotation(state->orientation + 4 * i, R);
        rct_rotate(R, bodies[i].com, t->com + 3 * i);
        turn_inertia(R, bodies[i].inertia, t->inertia + 6 * i);
        write_rows(&bodies[i], state, R, t->H + 6 * t->first[i]);
    }
    tree->rates = state->rates;
    tree->load = state->load;
    tree->ground = state->ground;
    memcpy(tree->gravity, state->gravity, sizeof tree->gravity);
}

/* What no state changes. */
static void show(filled_tree *t, const rct_body *bodies, int32_t n)
{
    int rotors = 0;
    for (int32_t i = 0; i < n; i++) {
        t->parent[i] = bodies[i].parent;
        t->hinge[i] = bodies[i].hinge;
        t->mass[i] = bodies[i].mass;
        for (int k = 0; k < rct_hinge_uses(bodies[i].hinge, RCT_KEY_ARMATURE); k++) {
            t->armature[t->first[i] + k] = bodies[i].armature[k];
            rotors = rotors || bodies[i].armature[k] != 0.0;
        }
    }
    t->shown = (rct_operator_tree){.n = n,
                                   .parent = t->parent,
                                   .hinge = t->hinge,
                                   .first = t->first,
                                   .H = t->H,
                                   .armature = rotors ? t->armature : NULL,
                                   .point = t->point,
                                   .mass = t->mass,
                                   .com = t->com,
                                   .inertia = t->inertia};
}

rct_operator_tree *rct_operator_tree_create(const rct_body *bodies, int32_t n,
                                            const rct_operator_state *state, rct_error *error)
{
    filled_tree *t = rct_allocate(1, sizeof *t, "operators", error);
    if (t == NULL || !allocate(t, bodies, n, error)) {
        rct_operator_tree_free((rct_operator_tree *)(void *)t);
        return NULL;
    }
    show(t, bodies, n);
    rct_operator_tree_refill(&t->shown, bodies, state);
    return &t->shown;
}

void rct_operator_tree_free(rct_operator_tree *tree)
{
    filled_tree *t = (filled_tree *)(void *)tree;
    if (t != NULL) {
        rct_release(t->first);
        rct_release(t->parent);
        rct_release(t->hinge);
        rct_release(t->H);
        rct_release(t->point);
        rct_release(t);
    }
}
