/* Weld bodies joined by fixed hinges into links: one origin, one set of axes (the head's), one mass,
 * centre of mass and inertia. Bodies welded to the ground belong to no link and never move. */
#include "core/memory.h"
#include "core/rotation.h"
#include "topology/topology.h"

#include <string.h>

/* Where body b sits: a hinge with freedoms starts a link, a fixed hinge continues the parent's. */
static void place(rct_plan *plan, int32_t b)
{
    const rct_body *body = &plan->bodies[b];
    rct_placement *own = &plan->placement[b];
    *own = (rct_placement){.link = RCT_GROUND, .orientation = {1.0, 0.0, 0.0, 0.0}};
    if (body->hinge != RCT_HINGE_FIXED) {
        own->link = plan->links.count++;
        rct_link_axes(body, own->orientation);
        return;
    }
    own->welded = 1;
    if (body->parent == RCT_GROUND) {
        memcpy(own->position, body->hinge_at, sizeof own->position);
        memcpy(own->orientation, body->hinge_orientation, sizeof own->orientation);
        return;
    }
    const rct_placement *up = &plan->placement[body->parent];
    double m[3][3];
    own->link = up->link;
    rct_rotation(up->orientation, m);
    rct_rotate(m, body->hinge_at, own->position);
    for (int i = 0; i < 3; i++) {
        own->position[i] += up->position[i];
    }
    rct_quaternion_product(up->orientation, body->hinge_orientation, own->orientation);
}

/* The link's origin and axes in its parent link (ground: inertial axes). */
static void hang(const rct_plan *plan, int32_t head, rct_raw_link *link)
{
    const rct_body *body = &plan->bodies[head];
    const double *own = plan->placement[head].orientation;
    const double back[4] = {own[0], -own[1], -own[2], -own[3]};
    double hinge[4];
    link->head = head;
    link->parent = RCT_GROUND;
    memcpy(link->at, body->hinge_at, sizeof link->at);
    rct_quaternion_product(body->hinge_orientation, back, hinge);
    memcpy(link->frame, hinge, sizeof hinge);
    if (body->parent != RCT_GROUND) {
        const rct_placement *up = &plan->placement[body->parent];
        double m[3][3];
        link->parent = up->link;
        rct_rotation(up->orientation, m);
        rct_rotate(m, body->hinge_at, link->at);
        rct_quaternion_product(up->orientation, hinge, link->frame);
        for (int i = 0; i < 3; i++) {
            link->at[i] += up->position[i];
        }
    }
}

/* Centre of mass of a body in link axes. */
static void body_com(const rct_body *body, const rct_placement *at, double com[3])
{
    double m[3][3];
    rct_rotation(at->orientation, m);
    rct_rotate(m, body->com, com);
    for (int i = 0; i < 3; i++) {
        com[i] += at->position[i];
    }
}

/* Add mass and move the centre of mass by its share; exact for the head alone. */
static void add_mass(rct_raw_link *link, const rct_body *body, const rct_placement *at)
{
    double com[3];
    body_com(body, at, com);
    link->mass += body->mass;
    for (int i = 0; i < 3; i++) {
        link->com[i] += at->welded ? (com[i] - link->com[i]) * (body->mass / link->mass) : com[i];
    }
}

/* R J R^T + m (d.d 1 - d d^T), d from the link's centre of mass to the body's. */
static void add_inertia(rct_raw_link *link, const rct_body *body, const rct_placement *at)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1};
    static const int column[6] = {0, 1, 2, 1, 2, 2};
    const double *j = body->inertia;
    const double inertia[3][3] = {{j[0], j[3], j[4]}, {j[3], j[1], j[5]}, {j[4], j[5], j[2]}};
    double m[3][3];
    double d[3];
    rct_rotation(at->orientation, m);
    body_com(body, at, d);
    for (int i = 0; i < 3; i++) {
        d[i] -= link->com[i];
    }
    const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    for (int k = 0; k < 6; k++) {
        double sum = 0.0;
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                sum += m[row[k]][a] * inertia[a][b] * m[column[k]][b];
            }
        }
        const double steiner = (row[k] == column[k] ? square : 0.0) - d[row[k]] * d[column[k]];
        link->com_inertia[k] += sum + body->mass * steiner;
    }
}

rct_status rct_weld_bodies(rct_plan *plan, rct_raw_link **links, rct_error *error)
{
    plan->links.count = 0;
    for (int32_t i = 0; i < plan->body_count; i++) {
        place(plan, plan->order[i]);
    }
    *links = rct_allocate(plan->links.count, sizeof **links, "the links", error);
    if (*links == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < plan->body_count; i++) {
        const int32_t b = plan->order[i];
        const rct_placement *at = &plan->placement[b];
        if (at->link != RCT_GROUND) {
            rct_raw_link *link = &(*links)[at->link];
            if (!at->welded) {
                hang(plan, b, link);
            }
            add_mass(link, &plan->bodies[b], at);
        }
    }
    for (int32_t i = 0; i < plan->body_count; i++) {
        const int32_t b = plan->order[i];
        const rct_placement *at = &plan->placement[b];
        if (at->link != RCT_GROUND) {
            add_inertia(&(*links)[at->link], &plan->bodies[b], at);
        }
    }
    return RCT_OK;
}
