/* The wrenches of the model, and its forces at hinges, by the links they act on. */
#include "core/error.h"
#include "core/memory.h"
#include "core/rotation.h"
#include "model/forces/force_check.h"
#include "model/model.h"
#include "topology/sorting.h"
#include "topology/topology.h"

#include <string.h>

/* Lists forces of some types, bits 1 << type, by the links of their bodies. */
typedef struct by_links {
    int types;
    int32_t **sorted, **begin; /* [], [links + 1]; NULL stays where there are none */
} by_links;

static rct_status list(const rct_plan *plan, by_links out, rct_error *error)
{
    const rct_model *model = plan->surroundings;
    const int32_t forces = model->force_count, links = plan->links.count;
    int32_t *link = rct_allocate(forces, sizeof *link, "the forces by links", error);
    int32_t count = 0;
    for (int32_t i = 0; i < forces && link != NULL; i++) {
        const rct_force *f = &model->forces[i];
        link[i] = (out.types >> f->type & 1) != 0 ? plan->link_of[f->body] : RCT_GROUND;
        count += link[i] != RCT_GROUND;
    }
    rct_status status = link == NULL ? RCT_ERROR_MEMORY : RCT_OK;
    if (count > 0) {
        const rct_array lists[] = {RCT_ARRAY(*out.sorted, count),
                                   RCT_ARRAY(*out.begin, (int64_t)links + 1)};
        status = rct_allocate_arrays(lists, 2, "the forces by links", error);
    }
    if (count > 0 && status == RCT_OK) {
        rct_sort_by_key(*out.sorted, *out.begin, link, forces, links);
    }
    rct_release(link);
    return status;
}

rct_status rct_list_forces(rct_plan *plan, rct_error *error)
{
    const by_links wrenches = {1 << RCT_FORCE_WRENCH, &plan->wrench, &plan->wrench_begin};
    const by_links efforts = {RCT_FORCES_AT_HINGES, &plan->effort, &plan->effort_begin};
    rct_status status = list(plan, wrenches, error);
    RCT_THEN(status, list(plan, efforts, error));
    for (int32_t i = 0; i < plan->surroundings->force_count; i++) {
        const rct_force *f = &plan->surroundings->forces[i];
        plan->has_inertial_wrenches |=
            f->type == RCT_FORCE_WRENCH && !f->in_body_axes && plan->link_of[f->body] != RCT_GROUND;
        plan->timed |= (f->type == RCT_FORCE_SERVO &&
                        (f->rows > 0 || f->amplitude != 0.0 || f->target_rate != 0.0)) ||
                       (f->type == RCT_FORCE_CURVE && f->over == RCT_OVER_TIME);
        plan->rubs |=
            f->type == RCT_FORCE_FRICTION && rct_plan_hinge(plan, f->body) == RCT_HINGE_BALL;
    }
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

/* The first one acts at the point of the record. */
static void add_inertial(const rct_force *f, int first, const double at[3], double *record)
{
    double *point = record + WRENCH_INERTIAL_AT;
    if (first) {
        add(point, at);
    }
    add(record + WRENCH_INERTIAL_FORCE, f->force);
    add(record + WRENCH_INERTIAL_MOMENT, f->moment);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            record[WRENCH_ARMS + 3 * i + j] += (at[i] - point[i]) * f->force[j];
        }
    }
}

void rct_link_wrench(const rct_plan *plan, int32_t label, double record[WRENCH_FIELDS])
{
    int inertial = 0;
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
            add_inertial(f, inertial++ == 0, at, record);
        }
    }
}
