/* The natural sizes of accelerations and hinge forces: their sizes if nothing cancelled. They
 * come from gravity, the acceleration of spinning bodies, and the effect of each load on its
 * body; docs/accuracy.md says why. Lengths are added, not vectors, so a size is 0 only if
 * nothing acts, and never the rounding error of a sum. */
#include "compare/compare.h"
#include "state.h"

#include <math.h>
#include <stdlib.h>

/* The loads on each body. */
typedef struct loads {
    const rct_model *model;
    cli_state state;
    double *force, *moment; /* [n] N, N m */
    int64_t *places;        /* cli_hinge_places */
} loads;

/* Add to a body and to its parent. */
static void add(double *of, int32_t body, int32_t parent, double size)
{
    of[body] += size;
    if (parent != RCT_GROUND) {
        of[parent] += size;
    }
}

static double relative_spin(const loads *all, int32_t body, int32_t parent)
{
    static const double still[3] = {0.0, 0.0, 0.0};
    return cli_distance(all->state.spin + 3 * body,
                        parent == RCT_GROUND ? still : all->state.spin + 3 * parent);
}

/* The angle of the body against the frame of its ball hinge. */
static double turn_at(const loads *all, int32_t b, const rct_body *body)
{
    static const double still[4] = {1.0, 0.0, 0.0, 0.0};
    const double *own = all->state.orientation + 4 * b, *f = body->hinge_orientation;
    const double *up =
        body->parent == RCT_GROUND ? still : all->state.orientation + 4 * body->parent;
    const double hinge[4] = {up[0] * f[0] - up[1] * f[1] - up[2] * f[2] - up[3] * f[3],
                             up[0] * f[1] + up[1] * f[0] + up[2] * f[3] - up[3] * f[2],
                             up[0] * f[2] - up[1] * f[3] + up[2] * f[0] + up[3] * f[1],
                             up[0] * f[3] + up[1] * f[2] - up[2] * f[1] + up[3] * f[0]};
    const double half = cli_dot(hinge + 1, own + 1) + hinge[0] * own[0];
    return 2.0 * acos(fmin(fabs(half), 1.0));
}

static void add_hinge(loads *all, int32_t b, const rct_body *body, const double *q, const double *u)
{
    if (body->hinge == RCT_HINGE_BALL) {
        const double spin = relative_spin(all, b, body->parent);
        const double damping = fmax(body->damping[0], fmax(body->damping[1], body->damping[2]));
        const double stiffness =
            fmax(body->stiffness[0], fmax(body->stiffness[1], body->stiffness[2]));
        add(all->moment, b, body->parent, damping * spin + stiffness * turn_at(all, b, body));
        return;
    }
    const bool relative = body->hinge != RCT_HINGE_FREE;
    for (int k = 0; relative && k < rct_hinge_freedoms(body->hinge); k++) {
        const double effort = fabs(body->applied[k]) +
                              body->stiffness[k] * fabs(q[k] - body->rest[k]) +
                              body->damping[k] * fabs(u[k]);
        add(cli_is_slide(body->hinge, k) ? all->force : all->moment, b, body->parent, effort);
    }
}

/* Add a force and a moment at a point; the force times its arm is a moment about the hinge
 * point. */
static void add_at(loads *all, int32_t body, const double at[3], double force, double moment)
{
    if (body != RCT_GROUND) {
        all->force[body] += force;
        all->moment[body] += moment + force * cli_length(at);
    }
}

static void add_effort(loads *all, int32_t index, const rct_force *force)
{
    rct_body body = rct_body_default();
    rct_model_body(all->model, force->body, &body, NULL);
    double rate;
    const rct_force_effort effort = cli_effort(all->model, &all->state, all->places, index, &rate);
    add(cli_is_slide(body.hinge, force->coordinate) ? all->force : all->moment, force->body,
        body.parent, fabs(effort.effort));
}

static void add_drag(loads *all, const rct_force *drag)
{
    double gravity[3];
    cli_pushed pushed[CLI_DRAG_POINTS];
    rct_model_gravity(all->model, gravity);
    cli_drag(&all->state, drag, gravity, pushed);
    for (int k = 0; k < CLI_DRAG_POINTS; k++) {
        add_at(all, drag->body, drag->end, cli_length(pushed[k].force), 0.0);
    }
}

static void add_spring(loads *all, const rct_force *spring)
{
    double place[2][3], motion[2][3];
    cli_state_point(&all->state, spring->body, spring->at, place[0], motion[0]);
    cli_state_point(&all->state, spring->other, spring->other_at, place[1], motion[1]);
    const double size =
        spring->stiffness * fabs(cli_distance(place[0], place[1]) - spring->length) +
        spring->damping * cli_distance(motion[0], motion[1]);
    add_at(all, spring->body, spring->at, size, 0.0);
    add_at(all, spring->other, spring->other_at, size, 0.0);
}

static void add_loads(loads *all)
{
    const double *q = all->state.coordinates, *u = all->state.rates;
    for (int32_t b = 0; b < rct_model_body_count(all->model); b++) {
        rct_body body = rct_body_default();
        rct_model_body(all->model, b, &body, NULL);
        add_hinge(all, b, &body, q, u);
        q += rct_hinge_coordinates(body.hinge);
        u += rct_hinge_freedoms(body.hinge);
    }
    for (int32_t i = 0; i < rct_model_force_count(all->model); i++) {
        rct_force force = rct_force_default();
        rct_model_force(all->model, i, &force, NULL);
        if (force.type == RCT_FORCE_SPRING || force.type == RCT_FORCE_CABLE) {
            add_spring(all, &force);
        } else if (force.type == RCT_FORCE_DRAG) {
            add_drag(all, &force);
        } else if (force.type != RCT_FORCE_WRENCH) {
            add_effort(all, i, &force);
        } else {
            add_at(all, force.body, force.at, cli_length(force.force), cli_length(force.moment));
        }
    }
}

/* Loads as accelerations of the bodies on which they act, if these have mass, and as forces;
 * moments are divided by the length of bodies. */
static void size_loads(const loads *all, double length, double *linear, double *force)
{
    for (int32_t b = 0; b < rct_model_body_count(all->model); b++) {
        rct_body body = rct_body_default();
        rct_model_body(all->model, b, &body, NULL);
        const double load = all->force[b] + (length > 0.0 ? all->moment[b] / length : 0.0);
        *linear = body.mass > 0.0 ? fmax(*linear, load / body.mass) : *linear;
        *force = fmax(*force, load);
    }
}

/* Shorten every link that is followed, so that all bodies together take few steps. */
static int32_t root_of(int32_t *parent, int32_t body)
{
    while (parent[body] != RCT_GROUND && parent[parent[body]] != RCT_GROUND) {
        parent[body] = parent[parent[body]];
        body = parent[body];
    }
    return parent[body] != RCT_GROUND ? parent[body] : body;
}

double cli_heaviest_tree(const rct_model *model, const double *linear, double at_least)
{
    const int32_t count = rct_model_body_count(model);
    double heaviest = 0.0;
    double *numbers = cli_numbers(3 * (int64_t)count, "the masses of trees");
    if (numbers == NULL) {
        return NAN;
    }
    double *weight = numbers, *tree = numbers + count;
    int32_t *parent = (int32_t *)(tree + count);
    for (int32_t i = 0; i < count; i++) { /* a parent may come after its children */
        rct_body body = rct_body_default();
        rct_model_body(model, i, &body, NULL);
        weight[i] = body.mass * fmax(at_least, linear != NULL ? cli_length(linear + 3 * i) : 0.0);
        parent[i] = body.parent;
    }
    for (int32_t i = 0; i < count; i++) {
        double *sum = &tree[root_of(parent, i)];
        *sum += weight[i];
        heaviest = fmax(heaviest, *sum);
    }
    free(numbers);
    return heaviest;
}

bool cli_natural_sizes(const rct_model *model, const rct_solver *solver, double sizes[CLI_COMPARED])
{
    const int64_t n = rct_model_body_count(model);
    loads all = {.model = model,
                 .force = cli_numbers(2 * n, "what acts"),
                 .places = cli_hinge_places(model)};
    if (all.force == NULL || all.places == NULL || !cli_state_create(&all.state, solver)) {
        free(all.force);
        free(all.places);
        return false;
    }
    all.moment = all.force + n;
    add_loads(&all);
    rct_census census;
    rct_model_take_census(model, &census);
    const double spin = cli_largest_length(all.state.spin, n);
    double linear = fmax(census.gravity, spin * spin * census.length), force = 0.0;
    const double weight = cli_heaviest_tree(model, NULL, linear);
    size_loads(&all, census.length, &linear, &force);
    sizes[CLI_LINEAR] = linear;
    sizes[CLI_ANGULAR] = census.length > 0.0 ? linear / census.length : 0.0;
    sizes[CLI_FORCE] = weight + force;
    cli_state_free(&all.state);
    free(all.force);
    free(all.places);
    return !isnan(weight);
}
