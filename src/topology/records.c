/* Write the constant records of the links in label order (layout: kernels/links.h). */
#include "core/memory.h"
#include "topology/topology.h"

#include <string.h>

/* J_O = J_C + m (c.c 1 - c c^T) */
static void write_sweep_record(const rct_raw_link *link, double *record)
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

/* Own part of the inertia record; the outboard part of the mass moment is added tips to roots. */
static void write_inertia_record(const rct_raw_link *link, double *record)
{
    memcpy(record + LINK_COM_INERTIA, link->com_inertia, sizeof link->com_inertia);
    for (int i = 0; i < 3; i++) {
        record[LINK_MASS_MOMENT + i] = link->mass * link->com[i];
    }
}

rct_status rct_write_records(rct_plan *plan, const rct_raw_link *links, int32_t count,
                             const int32_t *label, rct_error *error)
{
    double *outboard = rct_allocate(count, sizeof *outboard, "the records of links", error);
    if (outboard == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < count; i++) {
        write_sweep_record(&links[i], plan->sweep_records + (int64_t)label[i] * LINK_FIELDS);
        write_inertia_record(&links[i],
                             plan->inertia_records + (int64_t)label[i] * LINK_INERTIA_FIELDS);
    }
    for (int32_t l = count - 1; l >= 0; l--) {
        const double *record = plan->sweep_records + (int64_t)l * LINK_FIELDS;
        const int32_t parent = plan->parent[l];
        outboard[l] += record[LINK_MASS];
        if (parent != RCT_GROUND) {
            double *up = plan->inertia_records + (int64_t)parent * LINK_INERTIA_FIELDS;
            outboard[parent] += outboard[l];
            for (int i = 0; i < 3; i++) {
                up[LINK_MASS_MOMENT + i] += outboard[l] * record[LINK_AT + i];
            }
        }
    }
    rct_release(outboard);
    return RCT_OK;
}
