/* The wrenches of the model by the links they act on. */
#include "core/memory.h"
#include "core/rotation.h"
#include "model/model.h"
#include "topology/sorting.h"
#include "topology/topology.h"

#include <string.h>

/* The link that force `i` is a wrench on, or RCT_GROUND. */
static int32_t pushed_link(const rct_plan *plan, int32_t i)
{
    const rct_force *f = &plan->surroundings->forces[i];
    return f->type == RCT_FORCE_WRENCH ? plan->link_of[f->body] : RCT_GROUND;
}

rct_status rct_list_wrenches(rct_plan *plan, rct_error *error)
{
    const int32_t forces = plan->surroundings->force_count, links = plan->links.count;
    int32_t *link = rct_allocate(forces, sizeof *link, "the wrenches", error);
    int32_t count = 0;
    for (int32_t i = 0; i < forces && link != NULL; i++) {
        link[i] = pushed_link(plan, i);
        count += link[i] != RCT_GROUND;
        plan->has_inertial_wrenches |=
            link[i] != RCT_GROUND && !plan->surroundings->forces[i].in_body_axes;
    }
    rct_status status = link == NULL ? RCT_ERROR_MEMORY : RCT_OK;
    if (count > 0) {
        const rct_array lists[] = {RCT_ARRAY(plan->wrench, count),
                                   RCT_ARRAY(plan->wrench_begin, (int64_t)links + 1)};
        status = rct_allocate_arrays(lists, 2, "the wrenches", error);
    }
    if (count > 0 && status == RCT_OK) {
        rct_sort_by_key(plan->wrench, plan->wrench_begin, link, forces, links);
    }
    rct_release(link);
    return status;
}

static void add(double to[3], const double v[3])
{
    for (int i = 0; i < 3; i++) {
        to[i] += v[i];
    }
}

/* A wrench that turns with its body: rotated to link axes, about the origin of the link. */
static void add_turning(const rct_force *f, double m[3][3], const double at[3], double *record)
{
    double force[3], moment[3], arm[3];
    rct_rotate(m, f->force, force);
    rct_rotate(m, f->moment, moment);
    rct_cross(at, force, arm);
    add(record + WRENCH_FORCE, force);
    add(record + WRENCH_MOMENT, moment);
    add(record + WRENCH_MOMENT, arm);
}

static void add_inertial(const rct_force *f, const double at[3], double *record)
{
    add(record + WRENCH_INERTIAL_FORCE, f->force);
    add(record + WRENCH_INERTIAL_MOMENT, f->moment);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            record[WRENCH_ARMS + 3 * i + j] += at[i] * f->force[j];
        }
    }
}

void rct_link_wrench(const rct_plan *plan, int32_t label, double record[WRENCH_FIELDS])
{
    memset(record, 0, WRENCH_FIELDS * sizeof *record);
    for (int32_t k = plan->wrench_begin[label]; k < plan->wrench_begin[label + 1]; k++) {
        const rct_force *f = &plan->surroundings->forces[plan->wrench[k]];
        const rct_seat *body = rct_plan_seat(plan, f->body);
        double m[3][3], at[3];
        rct_rotation(body->orientation, m);
        rct_rotate(m, f->at, at);
        add(at, body->position);
        if (f->in_body_axes) {
            add_turning(f, m, at, record);
        } else {
            add_inertial(f, at, record);
        }
    }
}
