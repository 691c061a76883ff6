/* Random planar trees, drawn, and as models (planar_tree.h). */
#include "tests/reference/planar_tree.h"

#include "tests/support/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a b, and a* b where `conjugate` is 1. */
static void product(const double a[4], int conjugate, const double b[4], double p[4])
{
    const double s = conjugate ? -1.0 : 1.0, x = s * a[1], y = s * a[2], z = s * a[3];
    p[0] = a[0] * b[0] - x * b[1] - y * b[2] - z * b[3];
    p[1] = a[0] * b[1] + x * b[0] + y * b[3] - z * b[2];
    p[2] = a[0] * b[2] - x * b[3] + y * b[0] + z * b[1];
    p[3] = a[0] * b[3] + x * b[2] - y * b[1] + z * b[0];
}

/* q v q*, or q* v q where `back` is 1. */
static void rotate(const double q[4], int back, const double v[3], double out[3])
{
    const double conjugate[4] = {q[0], -q[1], -q[2], -q[3]}, pure[4] = {0.0, v[0], v[1], v[2]};
    double half[4], whole[4];
    product(back ? conjugate : q, 0, pure, half);
    product(half, 0, back ? q : conjugate, whole);
    memcpy(out, whole + 1, 3 * sizeof *out);
}

static void draw_unit(uint64_t *seed, double q[4])
{
    double square = 0.0;
    while (square < 0.1 || square > 1.0) {
        draw_numbers(seed, q, 4, 1.0);
        square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    }
    for (int k = 0; k < 4; k++) {
        q[k] /= sqrt(square);
    }
}

static tree_body draw_body(int i, int branching, uint64_t *seed)
{
    static const rct_hinge_type types[8] = {
        RCT_HINGE_REVOLUTE,  RCT_HINGE_REVOLUTE,  RCT_HINGE_REVOLUTE, RCT_HINGE_REVOLUTE,
        RCT_HINGE_PRISMATIC, RCT_HINGE_PRISMATIC, RCT_HINGE_PLANAR,   RCT_HINGE_FIXED};
    tree_body b = {.parent = i - 1, .sense = draw_bits(seed) % 2 ? 1.0 : -1.0};
    if (branching) {
        b.parent = (int)(draw_bits(seed) % (uint64_t)(i + 1)) - 1;
    }
    b.hinge = i == 0 ? RCT_HINGE_REVOLUTE : types[draw_bits(seed) % 8];
    draw_numbers(seed, b.at, 3, 1.0);
    draw_numbers(seed, b.com, 3, 0.5);
    b.turn = draw_between(seed, -3.0, 3.0);
    b.along = draw_between(seed, -3.0, 3.0);
    b.m = draw_between(seed, 0.5, 2.0);
    b.J = draw_between(seed, 0.05, 0.5);
    for (int j = 0; j < rct_hinge_freedoms(b.hinge); j++) {
        b.z[j] = draw_between(seed, -1.5, 1.5);
        b.u[j] = draw_between(seed, -2.0, 2.0);
        b.stiffness[j] = draw_between(seed, 0.0, 3.0);
        b.rest[j] = draw_between(seed, -1.0, 1.0);
        b.damping[j] = draw_between(seed, 0.0, 1.0);
        b.applied[j] = draw_between(seed, -2.0, 2.0);
    }
    draw_unit(seed, b.axes);
    return b;
}

static int draw_end(const planar_tree *tree, uint64_t *seed)
{
    return (int)(draw_bits(seed) % (uint64_t)tree->n);
}

static void draw_forces(planar_tree *tree, uint64_t *seed)
{
    tree->forces = TREE_FORCES;
    for (int k = 0; k < TREE_FORCES; k++) {
        tree_force *f = &tree->force[k];
        *f = (tree_force){.body = draw_end(tree, seed), .other = -1};
        draw_numbers(seed, f->at, 3, 1.0);
        if (k % 2 == 0) {
            f->in_body_axes = k % 4 == 0;
            draw_numbers(seed, f->force, 3, 5.0);
            draw_numbers(seed, f->moment, 3, 5.0);
        } else {
            f->type = RCT_FORCE_SPRING;
            f->other = k > 1 && tree->n > 1 ? (f->body + 1) % tree->n : -1;
            draw_numbers(seed, f->other_at, 3, 1.0);
            f->stiffness = draw_between(seed, 0.0, 9.0);
            f->damping = draw_between(seed, 0.0, 2.0);
            f->length = draw_between(seed, 0.0, 1.0);
        }
    }
}

planar_tree planar_tree_draw(int n, int branching, uint64_t seed)
{
    planar_tree tree = {.n = n, .time = 0.5};
    draw_bits(&seed);
    draw_unit(&seed, tree.plane);
    draw_numbers(&seed, tree.gravity, 3, 10.0);
    for (int i = 0; i < n; i++) {
        tree.body[i] = draw_body(i, branching, &seed);
        tree.id[i] = i;
    }
    for (int i = n - 1; i > 0; i--) { /* shuffled */
        const int j = (int)(draw_bits(&seed) % (uint64_t)(i + 1)), keep = tree.id[i];
        tree.id[i] = tree.id[j];
        tree.id[j] = keep;
    }
    draw_forces(&tree, &seed);
    if (draw_bits(&seed) % 2) {
        draw_numbers(&seed, tree.base_velocity, 2, 1.0);
        draw_numbers(&seed, tree.base_acceleration, 2, 3.0);
        tree.base_rate = draw_between(&seed, -1.0, 1.0);
        tree.base_angular_acceleration = draw_between(&seed, -3.0, 3.0);
    }
    return tree;
}

void planar_tree_to_inertial(const planar_tree *tree, const double v[3], double out[3])
{
    rotate(tree->plane, 0, v, out);
}

double planar_tree_sign(const tree_body *body, int j)
{
    const int plain =
        body->hinge == RCT_HINGE_PRISMATIC || (body->hinge == RCT_HINGE_PLANAR && j == 0);
    return plain ? 1.0 : body->sense;
}

/* From planar frame of a body, or the plane's axes for the ground, to the axes of the model. */
static void to_model(const planar_tree *tree, int i, const double v[3], double out[3])
{
    if (i < 0) {
        rotate(tree->plane, 0, v, out);
    } else {
        rotate(tree->body[i].axes, 1, v, out);
    }
}

/* axes^T [a c 0; c b 0; 0 0 J] axes. */
static void set_inertia(const tree_body *body, double inertia[6])
{
    const double a = 0.6 * body->J, b = 0.7 * body->J, c = 0.1 * body->J;
    double column[3][3];
    for (int k = 0; k < 3; k++) {
        const double unit[3] = {k == 0, k == 1, k == 2};
        double seen[3];
        rotate(body->axes, 0, unit, seen);
        const double turned[3] = {a * seen[0] + c * seen[1], c * seen[0] + b * seen[1],
                                  body->J * seen[2]};
        rotate(body->axes, 1, turned, column[k]);
    }
    const double six[6] = {column[0][0], column[1][1], column[2][2],
                           column[0][1], column[0][2], column[1][2]};
    memcpy(inertia, six, sizeof six);
}

static rct_body model_body(const planar_tree *tree, int i)
{
    static const double none[4] = {1.0, 0.0, 0.0, 0.0};
    const tree_body *t = &tree->body[i];
    rct_body body = rct_body_default();
    const double turn[4] = {cos(t->turn / 2), 0.0, 0.0, sin(t->turn / 2)};
    const double normal[3] = {0.0, 0.0, t->sense}, along[3] = {cos(t->along), sin(t->along), 0.0};
    double part[4];
    body.parent = t->parent < 0 ? RCT_GROUND : tree->id[t->parent];
    body.hinge = t->hinge;
    to_model(tree, t->parent, t->at, body.hinge_at);
    product(turn, 0, t->axes, part);
    product(t->parent < 0 ? tree->plane : none, 0, part, body.hinge_orientation);
    if (t->parent >= 0) {
        product(tree->body[t->parent].axes, 1, part, body.hinge_orientation);
    }
    if (t->hinge == RCT_HINGE_REVOLUTE || t->hinge == RCT_HINGE_PLANAR) {
        to_model(tree, i, normal, body.hinge_axis);
    } else if (t->hinge == RCT_HINGE_PRISMATIC) {
        to_model(tree, i, along, body.hinge_axis);
    }
    if (t->hinge == RCT_HINGE_PLANAR) {
        to_model(tree, i, along, body.hinge_axis2);
    }
    body.mass = t->m;
    to_model(tree, i, t->com, body.com);
    set_inertia(t, body.inertia);
    for (int j = 0; j < rct_hinge_freedoms(t->hinge); j++) {
        const double sign = planar_tree_sign(t, j);
        body.position[j] = sign * t->z[j];
        body.rate[j] = sign * t->u[j];
        body.stiffness[j] = t->stiffness[j];
        body.damping[j] = t->damping[j];
        body.rest[j] = sign * t->rest[j];
        body.applied[j] = sign * t->applied[j];
    }
    return body;
}

static rct_force model_force(const planar_tree *tree, const tree_force *f)
{
    rct_force force = rct_force_default();
    const int axes = f->in_body_axes ? f->body : -1;
    force.type = f->type;
    force.body = tree->id[f->body];
    force.other = f->other < 0 ? RCT_GROUND : tree->id[f->other];
    to_model(tree, f->body, f->at, force.at);
    if (f->type == RCT_FORCE_WRENCH) {
        force.in_body_axes = f->in_body_axes;
        to_model(tree, axes, f->force, force.force);
        to_model(tree, axes, f->moment, force.moment);
    } else {
        to_model(tree, f->other, f->other_at, force.other_at);
        force.stiffness = f->stiffness;
        force.damping = f->damping;
        force.length = f->length;
    }
    return force;
}

static void must(rct_status status)
{
    if (status != RCT_OK) {
        abort();
    }
}

rct_model *planar_tree_model(const planar_tree *tree)
{
    rct_model *model = rct_model_create("planar tree", NULL);
    double v[3];
    rotate(tree->plane, 0, tree->gravity, v);
    must(rct_model_set_gravity(model, v, NULL));
    for (int id = 0; id < tree->n; id++) {
        for (int i = 0; i < tree->n; i++) {
            if (tree->id[i] == id) {
                const rct_body body = model_body(tree, i);
                must(rct_model_add_body(model, &body, NULL, NULL));
            }
        }
    }
    for (int k = 0; k < tree->forces; k++) {
        const rct_force force = model_force(tree, &tree->force[k]);
        must(rct_model_add_force(model, &force, NULL, NULL));
    }
    rct_base base = rct_base_default();
    const double normal[3] = {0.0, 0.0, 1.0};
    const double velocity[3] = {tree->base_velocity[0], tree->base_velocity[1], 0.0};
    const double acceleration[3] = {tree->base_acceleration[0], tree->base_acceleration[1], 0.0};
    rotate(tree->plane, 0, normal, base.axis);
    rotate(tree->plane, 0, velocity, base.velocity);
    rotate(tree->plane, 0, acceleration, base.acceleration);
    base.rate = tree->base_rate;
    base.angular_acceleration = tree->base_angular_acceleration;
    must(rct_model_set_base(model, &base, NULL));
    return model;
}

void planar_tree_state(const planar_tree *tree, double *coordinates, double *rates)
{
    int at = 0;
    for (int id = 0; id < tree->n; id++) {
        for (int i = 0; i < tree->n; i++) {
            const tree_body *t = &tree->body[i];
            for (int j = 0; tree->id[i] == id && j < rct_hinge_freedoms(t->hinge); j++, at++) {
                coordinates[at] = planar_tree_sign(t, j) * t->z[j];
                rates[at] = planar_tree_sign(t, j) * t->u[j];
            }
        }
    }
}
