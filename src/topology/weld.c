/* Welds bodies joined by fixed hinges into links: one origin, one set of axes (the head's), one
 * mass, centre of mass and inertia. Bodies welded to the ground belong to no link and never
 * move. */
#include "core/memory.h"
#include "core/rotation.h"
#include "topology/topology.h"

#include <string.h>

/* Where body b sits: a hinge with freedoms starts a link, a fixed hinge continues the parent's.
 * Returns its link. */
static int32_t place(rct_plan *plan, int32_t b, rct_seat *own)
{
    const rct_body *body = rct_bodies_at(plan->bodies, b);
    const int32_t parent = plan->bodies->parent[b];
    *own = (rct_seat){.orientation = {1.0, 0.0, 0.0, 0.0}};
    if (body->hinge != RCT_HINGE_FIXED) {
        rct_link_axes(body, own->orientation);
        return plan->links.count++;
    }
    if (parent == RCT_GROUND) {
        memcpy(own->position, body->hinge_at, sizeof own->position);
        memcpy(own->orientation, body->hinge_orientation, sizeof own->orientation);
        return RCT_GROUND;
    }
    const rct_seat *up = rct_plan_seat(plan, parent);
    double m[3][3];
    rct_rotation(up->orientation, m);
    rct_rotate(m, body->hinge_at, own->position);
    for (int i = 0; i < 3; i++) {
        own->position[i] += up->position[i];
    }
    rct_quaternion_product(up->orientation, body->hinge_orientation, own->orientation);
    return plan->link_of[parent];
}

/* The link's origin and axes in its parent link (ground: inertial axes). */
static void hang(const rct_plan *plan, int32_t head, rct_raw_link *link)
{
    const rct_body *body = rct_bodies_at(plan->bodies, head);
    const int32_t parent = plan->bodies->parent[head];
    const double *own = rct_plan_seat(plan, head)->orientation;
    const double back[4] = {own[0], -own[1], -own[2], -own[3]};
    double hinge[4];
    link->head = head;
    link->parent = RCT_GROUND;
    memcpy(link->at, body->hinge_at, sizeof link->at);
    rct_quaternion_product(body->hinge_orientation, back, hinge);
    memcpy(link->frame, hinge, sizeof hinge);
    if (parent != RCT_GROUND) {
        const rct_seat *up = rct_plan_seat(plan, parent);
        double m[3][3];
        link->parent = plan->link_of[parent];
        rct_rotation(up->orientation, m);
        rct_rotate(m, body->hinge_at, link->at);
        rct_quaternion_product(up->orientation, hinge, link->frame);
        for (int i = 0; i < 3; i++) {
            link->at[i] += up->position[i];
        }
    }
}

void rct_plan_hinge_frame(const rct_plan *plan, int64_t label, double quaternion[4])
{
    const rct_body *body = rct_bodies_at(plan->bodies, plan->places.head[label]);
    const int32_t parent = plan->bodies->parent[plan->places.head[label]];
    memcpy(quaternion, body->hinge_orientation, sizeof body->hinge_orientation);
    if (parent != RCT_GROUND) {
        rct_quaternion_product(rct_plan_seat(plan, parent)->orientation, body->hinge_orientation,
                               quaternion);
    }
}

/* Centre of mass of a body in link axes. */
static void body_com(const rct_body *body, const rct_seat *at, double com[3])
{
    double m[3][3];
    rct_rotation(at->orientation, m);
    rct_rotate(m, body->com, com);
    for (int i = 0; i < 3; i++) {
        com[i] += at->position[i];
    }
}

/* Add mass and move the centre of mass by its share; exact for the head alone. */
static void add_mass(rct_raw_link *link, const rct_body *body, const rct_seat *at)
{
    const int welded = body->hinge == RCT_HINGE_FIXED;
    double com[3];
    body_com(body, at, com);
    link->mass += body->mass;
    const double share = link->mass > 0.0 ? body->mass / link->mass : 0.0;
    for (int i = 0; i < 3; i++) {
        link->com[i] += welded ? (com[i] - link->com[i]) * share : com[i];
    }
}

/* R J R^T + m (d.d 1 - d d^T), d from the link's centre of mass to the body's. */
static void add_inertia(rct_raw_link *link, const rct_body *body, const rct_seat *at)
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

/* Links and seats of all bodies, parents first. */
static rct_status place_all(rct_plan *plan, rct_error *error)
{
    rct_status status = RCT_OK;
    plan->links.count = 0;
    plan->seats.size = sizeof(rct_seat);
    plan->seats.count = 0;
    for (int32_t i = 0; i < plan->body_count && status == RCT_OK; i++) {
        const int32_t b = plan->order[i];
        rct_seat seat;
        plan->link_of[b] = place(plan, b, &seat);
        status = rct_distinct_put(&plan->seats, &seat, i, plan->body_count, &plan->seat_of[b],
                                  "the bodies of a plan", error);
    }
    return status;
}

rct_status rct_weld_bodies(rct_plan *plan, rct_raw_link **links, rct_error *error)
{
    if (place_all(plan, error) != RCT_OK) {
        return RCT_ERROR_MEMORY;
    }
    *links = rct_allocate(plan->links.count, sizeof **links, "the links", error);
    if (*links == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < plan->body_count; i++) {
        const int32_t b = plan->order[i];
        const rct_body *body = rct_bodies_at(plan->bodies, b);
        if (plan->link_of[b] != RCT_GROUND) {
            rct_raw_link *link = &(*links)[plan->link_of[b]];
            if (body->hinge != RCT_HINGE_FIXED) {
                hang(plan, b, link);
            }
            add_mass(link, body, rct_plan_seat(plan, b));
        }
    }
    for (int32_t i = 0; i < plan->body_count; i++) {
        const int32_t b = plan->order[i];
        if (plan->link_of[b] != RCT_GROUND) {
            add_inertia(&(*links)[plan->link_of[b]], rct_bodies_at(plan->bodies, b),
                        rct_plan_seat(plan, b));
        }
    }
    return RCT_OK;
}
