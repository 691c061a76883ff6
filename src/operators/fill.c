/* Rows of H, levers, centres of mass and inertias of all bodies in inertial axes (fill.h). A hinge
 * frame has the axes R_h = R_parent R_hinge; the second axis of a universal hinge is the same in
 * the body. */
#include "operators/fill.h"

#include "core/memory.h"
#include "core/rotation.h"
#include "model/hinge_types.h"

#include <stddef.h>
#include <string.h>

/* The tree, and the arrays it points to. */
typedef struct filled_tree {
    rct_operator_tree shown; /* first, so that its address frees the whole */
    int32_t *parent;
    rct_hinge_type *hinge;
    int64_t *first;
    double *H, *armature, *lever, *mass, *com, *inertia, *own_com, *own_inertia, *turn;
} filled_tree;

static int allocate(filled_tree *t, const rct_bodies *bodies, int32_t n, rct_error *error)
{
    static const char what[] = "operators";
    const int64_t one = sizeof(double);
    t->first = rct_allocate(n + (int64_t)1, sizeof *t->first, what, error);
    if (t->first == NULL) {
        return 0;
    }
    for (int32_t i = 0; i < n; i++) {
        t->first[i + 1] = t->first[i] + rct_hinge_freedoms(rct_bodies_at(bodies, i)->hinge);
    }
    t->parent = rct_allocate(n, sizeof *t->parent, what, error);
    t->hinge = rct_allocate(n, sizeof *t->hinge, what, error);
    t->H = rct_allocate(t->first[n], 7 * one, what, error);
    t->lever = rct_allocate(n, 31 * one, what, error);
    if (t->parent == NULL || t->hinge == NULL || t->H == NULL || t->lever == NULL) {
        return 0;
    }
    t->armature = t->H + 6 * t->first[n];
    t->mass = t->lever + 3 * (int64_t)n;
    t->com = t->mass + n;
    t->inertia = t->com + 3 * (int64_t)n;
    t->own_com = t->inertia + 6 * (int64_t)n;
    t->own_inertia = t->own_com + 3 * (int64_t)n;
    t->turn = t->own_inertia + 6 * (int64_t)n;
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

static int is_absolute(rct_hinge_type type)
{
    return rct_hinge_uses(type, RCT_KEY_ORIENTATION) > 0;
}

static const double *carrier_orientation(int64_t parent, const rct_operator_state *state)
{
    return parent == RCT_GROUND ? state->ground.orientation : state->orientation + 4 * parent;
}

/* R_h */
static void hinge_axes(const rct_body *body, const double *carrier, double out[3][3])
{
    double turn[4];
    rct_quaternion_product(carrier, body->hinge_orientation, turn);
    rct_rotation(turn, out);
}

/* Rows [freedoms][6] of a hinge with `carrier` the axes of its parent and R those of its body; rows
 * of ball and free hinges are fixed. The second axis of a hinge turns with the body. */
static void write_rows(const rct_body *body, const double *carrier, double R[3][3], double *H)
{
    const rct_hinge_type type = body->hinge;
    double axes[3][3], direction[3];
    if (is_absolute(type)) {
        return;
    }
    hinge_axes(body, carrier, axes);
    for (int k = 0; k < rct_hinge_freedoms(type); k++) {
        double *row = H + 6 * k;
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

/* R_parent at, and the slide of the hinge: its coordinates along the linear parts of its rows. */
static void write_lever(const rct_body *body, const double *carrier, const double *q,
                        const double *H, double lever[3])
{
    double R[3][3];
    rct_rotation(carrier, R);
    rct_rotate(R, body->hinge_at, lever);
    for (int k = 0; !is_absolute(body->hinge) && k < rct_hinge_freedoms(body->hinge); k++) {
        for (int i = 0; i < 3; i++) {
            lever[i] += q[k] * H[6 * k + 3 + i];
        }
    }
}

void rct_operator_tree_refill_body(rct_operator_tree *tree, const rct_bodies *bodies,
                                   const rct_operator_state *state, int64_t i, const double *q)
{
    filled_tree *t = (filled_tree *)(void *)tree;
    const rct_body *body = rct_bodies_at(bodies, i);
    const double *carrier = carrier_orientation(t->parent[i], state);
    double *H = t->H + 6 * t->first[i], R[3][3];
    rct_rotation(state->orientation + 4 * i, R);
    memcpy(t->turn + 9 * i, R, sizeof R);
    rct_rotate(R, body->com, t->com + 3 * i);
    turn_inertia(R, body->inertia, t->inertia + 6 * i);
    write_rows(body, carrier, R, H);
    write_lever(body, carrier, q, H, t->lever + 3 * i);
}

void rct_operator_tree_hold(rct_operator_tree *tree, const rct_bodies *bodies, const double *rotors)
{
    filled_tree *t = (filled_tree *)(void *)tree;
    tree->armature = t->armature;
    tree->holds = 0;
    for (int64_t i = 0; i < tree->n; i++) {
        const rct_body *body = rct_bodies_at(bodies, i);
        for (int64_t r = t->first[i]; r < t->first[i + 1]; r++) {
            const int rotor = r - t->first[i] < rct_hinge_uses(body->hinge, RCT_KEY_ARMATURE);
            t->armature[r] = rotors[r] + (rotor ? body->armature[r - t->first[i]] : 0.0);
            tree->holds = tree->holds || (body->hinge == RCT_HINGE_BALL && rotors[r] != 0.0);
        }
    }
}

void rct_operator_tree_refill(rct_operator_tree *tree, const rct_bodies *bodies,
                              const rct_operator_state *state)
{
    const double *q = state->coordinates;
    for (int64_t i = 0; i < tree->n; i++) {
        rct_operator_tree_refill_body(tree, bodies, state, i, q);
        q += rct_hinge_coordinates(rct_bodies_at(bodies, i)->hinge);
    }
    tree->rates = state->rates;
    tree->load = state->load;
    tree->ground = state->ground;
    tree->gravity = state->gravity;
    tree->systems = state->systems;
}

/* Set the fields that no state changes. */
static void show(filled_tree *t, const rct_bodies *bodies, int32_t n)
{
    int rotors = 0;
    for (int32_t i = 0; i < n; i++) {
        const rct_body *body = rct_bodies_at(bodies, i);
        t->parent[i] = bodies->parent[i];
        t->hinge[i] = body->hinge;
        t->mass[i] = body->mass;
        memcpy(t->own_com + 3 * (int64_t)i, body->com, sizeof body->com);
        memcpy(t->own_inertia + 6 * (int64_t)i, body->inertia, sizeof body->inertia);
        for (int k = 0; is_absolute(body->hinge) && k < rct_hinge_freedoms(body->hinge); k++) {
            t->H[6 * (t->first[i] + k) + k] = 1.0;
        }
        for (int k = 0; k < rct_hinge_uses(body->hinge, RCT_KEY_ARMATURE); k++) {
            t->armature[t->first[i] + k] = body->armature[k];
            rotors = rotors || body->armature[k] != 0.0;
        }
    }
    t->shown = (rct_operator_tree){.n = n,
                                   .parent = t->parent,
                                   .hinge = t->hinge,
                                   .first = t->first,
                                   .H = t->H,
                                   .armature = rotors ? t->armature : NULL,
                                   .lever = t->lever,
                                   .mass = t->mass,
                                   .com = t->com,
                                   .inertia = t->inertia,
                                   .own_com = t->own_com,
                                   .own_inertia = t->own_inertia,
                                   .turn = t->turn};
}

rct_operator_tree *rct_operator_tree_create(const rct_bodies *bodies, int32_t n,
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
        rct_release(t->lever);
        rct_release(t);
    }
}
