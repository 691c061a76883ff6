/* Writes the constant records of the links in label order (layout: kernels/records/links.h), where
 * their states lie, and the levers of gravity. */
#include "core/rotation.h"
#include "topology/topology.h"

#include <math.h>
#include <string.h>

/* J_O = J_C + m (c.c 1 - c c^T) */
static void write_body(const rct_raw_link *link, double *record)
{
    const double m = link->mass;
    const double *c = link->com;
    const double *j = link->com_inertia;
    record[LINK_MASS] = m;
    memcpy(record + LINK_COM, c, 3 * sizeof *c);
    record[LINK_INERTIA + 0] = j[0] + m * (c[1] * c[1] + c[2] * c[2]);
    record[LINK_INERTIA + 1] = j[1] + m * (c[0] * c[0] + c[2] * c[2]);
    record[LINK_INERTIA + 2] = j[2] + m * (c[0] * c[0] + c[1] * c[1]);
    record[LINK_INERTIA + 3] = j[3] - m * c[0] * c[1];
    record[LINK_INERTIA + 4] = j[4] - m * c[0] * c[2];
    record[LINK_INERTIA + 5] = j[5] - m * c[1] * c[2];
    memcpy(record + LINK_AT, link->at, sizeof link->at);
}

/* Fields that hinges other than balls need. */
static void write_turn(const rct_plan *plan, const rct_raw_link *link, double *record)
{
    const rct_body *head = rct_bodies_at(plan->bodies, link->head);
    double *parameter = record + LINK_PARAMETER, m[3][3], axis[3];
    rct_rotation(link->frame, m);
    memcpy(record + LINK_FRAME, m, sizeof m);
    parameter[0] = head->hinge_pitch;
    parameter[1] = 0.0;
    if (head->hinge == RCT_HINGE_UNIVERSAL) {
        rct_rotation(rct_plan_seat(plan, link->head)->orientation, m);
        rct_rotate(m, head->hinge_axis, axis);
        parameter[0] = sqrt(axis[0] * axis[0] + axis[1] * axis[1]);
        parameter[1] = axis[2];
    }
}

/* Tips to roots: the mass beyond each hinge, and its moment about the origin of the link as if that
 * mass were at the next hinges. */
static void write_levers(const rct_plan *plan)
{
    const rct_links *links = &plan->links;
    for (int32_t l = 0; l < links->count; l++) {
        const double *record = rct_link_record(links, l);
        double *own = plan->levers + (int64_t)l * LEVER_FIELDS;
        own[LEVER_MASS] = 0.0;
        for (int i = 0; i < 3; i++) {
            own[LEVER_MOMENT + i] = record[LINK_MASS] * record[LINK_COM + i];
        }
    }
    for (int32_t l = links->count - 1; l >= 0; l--) {
        const double *record = rct_link_record(links, l);
        double *own = plan->levers + (int64_t)l * LEVER_FIELDS;
        own[LEVER_MASS] += record[LINK_MASS];
        if (links->parent[l] != RCT_GROUND) {
            double *up = plan->levers + (int64_t)links->parent[l] * LEVER_FIELDS;
            up[LEVER_MASS] += own[LEVER_MASS];
            for (int i = 0; i < 3; i++) {
                up[LEVER_MOMENT + i] += own[LEVER_MASS] * record[LINK_AT + i];
            }
        }
    }
}

rct_status rct_write_records(rct_plan *plan, const rct_raw_link *raw, const int32_t *label,
                             rct_error *error)
{
    rct_links *links = &plan->links;
    plan->records.size = links->fields * (int32_t)sizeof(double);
    plan->records.count = 0;
    for (int32_t i = 0; i < links->count; i++) {
        const int64_t l = label[i];
        const rct_hinge_type type = rct_bodies_at(plan->bodies, raw[i].head)->hinge;
        double record[LINK_ALL_FIELDS];
        links->kind[l] = (uint8_t)type;
        if (links->each == 0) {
            links->state_at[l + 1] = rct_hinge_coordinates(type) + rct_hinge_freedoms(type);
        }
        write_body(&raw[i], record);
        if (links->fields > LINK_FIELDS) {
            write_turn(plan, &raw[i], record);
        }
        if (rct_distinct_put(&plan->records, record, i, links->count, &links->record[l],
                             "the records of a plan", error) != RCT_OK) {
            return RCT_ERROR_MEMORY;
        }
    }
    links->records = plan->records.records;
    for (int32_t l = 0; l < links->count && links->each == 0; l++) {
        links->state_at[l + 1] += links->state_at[l];
    }
    write_levers(plan);
    return RCT_OK;
}
