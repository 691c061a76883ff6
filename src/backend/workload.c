/* What evaluations of a model ask of a backend (workload.h). */
#include "backend/workload.h"

#include "model/bodies.h"
#include "model/forces/force_check.h"
#include "model/model.h"

rct_workload rct_workload_of(const rct_model *model, const rct_solver_options *options,
                             int64_t members)
{
    static const int swept = 1 << RCT_FORCE_WRENCH | RCT_FORCES_AT_HINGES;
    rct_workload work = {.by_host = options->user_forces || model->loop_count > 0,
                         .loops = model->loop_count * members,
                         .threads = options->threads};
    for (int64_t b = 0; b < model->count; b++) {
        const rct_body *body = rct_bodies_at(model->bodies, b);
        work.narrow += body->hinge == RCT_HINGE_BALL;
        work.wide += body->hinge != RCT_HINGE_BALL && body->hinge != RCT_HINGE_FIXED;
        work.trees += model->bodies->parent[b] == RCT_GROUND;
    }
    for (int32_t i = 0; i < model->force_count; i++) {
        work.by_host = work.by_host || (swept >> model->forces[i].type & 1) == 0;
    }
    work.narrow *= members;
    work.wide *= members;
    work.trees *= members;
    return work;
}
