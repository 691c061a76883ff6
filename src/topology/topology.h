/* The stages of planning, in the order they run. Each fills its part of the plan. */
#ifndef RCT_TOPOLOGY_TOPOLOGY_H
#define RCT_TOPOLOGY_TOPOLOGY_H

#include "topology/plan.h"

/* A link before it is labelled: ids in the order heads are met. */
typedef struct rct_raw_link {
    int32_t head;          /* body id                                                */
    int32_t parent;        /* raw link id, or RCT_GROUND                             */
    double mass;           /* kg                                                     */
    double com[3];         /* m, from the origin, link axes                          */
    double com_inertia[6]; /* kg m^2, about the centre of mass, link axes            */
    double at[3];          /* m, origin in the parent's link axes (ground: inertial) */
    double frame[4];       /* link axes at q = 0 to the parent's link axes           */
} rct_raw_link;

/* Writes plan->order: body ids, parents before children. The model has passed rct_model_check. */
rct_status rct_order_bodies(rct_plan *plan, rct_error *error);

/* Writes where bodies are (with raw link ids) and links.count, and gives the raw links, which the
 * caller releases. */
rct_status rct_weld_bodies(rct_plan *plan, rct_raw_link **links, rct_error *error);

/* Labels the links; writes plan->places.head, the parents and children of plan->links, the counts. `label`
 * [links] gives raw id -> label. */
rct_status rct_label_links(rct_plan *plan, const rct_raw_link *links, int32_t *label,
                           rct_error *error);

/* Body axes to the axes of the link whose head the body is: those that suit the hinge
 * (kernels/records/links.h); for ball and free hinges the body's own. */
void rct_link_axes(const rct_body *body, double quaternion[4]);

/* Writes kinds, records, where states begin, and levers, in label order. RCT_ERROR_MEMORY. */
rct_status rct_write_records(rct_plan *plan, const rct_raw_link *links, const int32_t *label,
                             rct_error *error);

/* RCT_ERROR_MODEL naming the first link on a ball hinge that can spin about an axis with nothing to
 * resist it. */
rct_status rct_check_spin(const rct_plan *plan, const rct_model *model, rct_error *error);

/* Writes plan->wrench, its begins and has_inertial_wrenches, from the surroundings. */
rct_status rct_list_forces(rct_plan *plan, rct_error *error);

#endif
