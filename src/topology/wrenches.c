/* The wrenches of the model by the links they act on. */
#include "core/memory.h"
#include "core/rotation.h"
#include "model/model.h"
#include "topology/topology.h"

#include <string.h>

/* The link that force `i` is a wrench on, or RCT_GROUND. */
static int32_t pushed_link(const rct_plan *plan, int32_t i)
{
    const rct_force *f = &plan->surroundings->forces[i];
    return f->type == RCT_FORCE_WRENCH ? plan->placement[f->body].link : RCT_GROUND;
}

rct_status rct_list_wrenches(rct_plan *plan, int32_t links, rct_error *error)
{
    const int32_t forces = plan->surroundings->force_count;
    int32_t count = 0;
    for (int32_t i = 0; i < forces; i++) {
        const int pushes = pushed_link(plan, i) != RCT_GROUND;
        count += pushes;
        plan->has_inertial_wrenches |= pushes && !plan->surroundings->forces[i].in_body_axes;
    }
    if (count == 0) {
        return RCT_OK;
    }
    plan->wrench = rct_allocate(count, sizeof *plan->wrench, "the wrenches", error);
    plan->wrench_begin =
        rct_allocate((int64_t)links + 2, sizeof *plan->wrench_begin, "the wrenches", error);
    if (plan->wrench == NULL || plan->wrench_begin == NULL) {
        return RCT_ERROR_MEMORY;
    }
    int32_t *next = plan->wrench_begin + 1; /* where the next of a link goes; then, where it ends */
    for (int32_t i = 0; i < forces; i++) {
        if (pushed_link(plan, i) != RCT_GROUND) {
            next[pushed_link(plan, i) + 1]++;
        }
    }
    for (int32_t l = 0; l < links; l++) {
        next[l + 1] += next[l];
    }
    for (int32_t i = 0; i < forces; i++) {
        if (pushed_link(plan, i) != RCT_GROUND) {
            plan->wrench[next[pushed_link(plan, i)]++] = i;
        }
    }
    return RCT_OK;
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
        const rct_placement *body = &plan->placement[f->body];
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
