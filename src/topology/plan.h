/* The plan: the model made ready for sweeps. Bodies welded by fixed hinges become one link; links
 * are labelled so that every parent stands before its children and every longest path is one run of
 * consecutive labels; the constants of each link lie in the records the kernels read.
 *
 *     model --order--> bodies, parents first --weld--> links --label--> label order --> records
 *
 * A plan is const once made, except for rct_plan_renew. It owns all arrays below. A root is a link
 * hinged to the ground, a tip a link with no outboard link, a junction one with two or more.
 */
#ifndef RCT_TOPOLOGY_PLAN_H
#define RCT_TOPOLOGY_PLAN_H

#include "kernels/records/coordinates.h"
#include "kernels/records/measures.h"
#include "kernels/records/states.h"
#include "model/bodies.h"

#include <riccatree/force.h>
#include <riccatree/model.h>

#include <stddef.h>

/* Where a body sits in its link. Ground stands for a link at rest in inertial axes. Most bodies
 * share their seat with many others. */
typedef struct rct_seat {
    double position[3];    /* m, hinge point of the body from the link's origin, link axes */
    double orientation[4]; /* body axes to link axes                                       */
} rct_seat;

typedef struct rct_plan {
    /* counts, written by plan.c */
    int32_t body_count;
    int32_t root_count;
    int32_t tip_count;
    int32_t junction_count;
    int32_t depth;     /* links on the longest path                                 */
    int32_t branching; /* most outboard links of one link                           */
    double gravity[3]; /* m/s^2, inertial axes; rct_plan_gravity has that of a body */
    int32_t systems;   /* as in the model (model/model.h)                           */
    /* `systems` where each has its own gravity, for partitions of whole trees; else 0 */
    int32_t gravities;
    int yields;      /* 1: springs and dampers at hinges may be those of implicit stages */
    int has_efforts; /* springs, dampers, applied forces or rotors at hinges             */
    int bends;       /* springs at ball hinges                                           */
    int rubs;        /* friction at ball hinges                                          */
    int timed;       /* forces at hinges that change with time alone as well             */
    int has_inertial_wrenches;     /* constant forces or moments in inertial axes */
    int64_t coordinates, freedoms; /* of all hinges                               */
    rct_model *surroundings;       /* no bodies, but forces, loops, the ground    */

    /* bodies, written by order.c and weld.c, [body_count] by body id */
    int32_t *order;     /* body ids, parents before children             */
    rct_bodies *bodies; /* shared with the model, which may go or change */
    int32_t *link_of;   /* label of the link, or RCT_GROUND              */
    int32_t *seat_of;
    rct_distinct seats;  /* rct_seat       */
    double *own_gravity; /* [gravities][3] */

    /* links, written by label.c and records.c, by label */
    rct_links links;         /* counts and arrays handed to the kernels         */
    rct_distinct records;    /* those of links                                  */
    rct_hinge_places places; /* where the numbers of links begin, body after body */
    double *levers;          /* [links.count][LEVER_FIELDS] */

    /* written by wrenches.c; NULL where no wrench acts on a link */
    int32_t *wrench;       /* forces of the surroundings, link after link */
    int32_t *wrench_begin; /* [links.count + 1]                           */

    /* as wrench and wrench_begin, of forces at hinges */
    int32_t *effort, *effort_begin;
} rct_plan;

/* NULL on failure: RCT_ERROR_MODEL (as rct_model_check, or a link whose spin is undetermined),
 * RCT_ERROR_MEMORY. */
rct_plan *rct_plan_create(const rct_model *model, rct_error *error);
void rct_plan_free(rct_plan *plan);

/* What differs between the model and the one the plan was made from ("bodies", "gravity", "forces",
 * "loops", "motion of the ground"), names aside; NULL: nothing. */
const char *rct_plan_differs(const rct_plan *plan, const rct_model *model);

/* Whether the model differs from that of the plan only in numbers: bodies, hinges, parents, and
 * what forces act on are the same, and there are no loops. */
int rct_plan_fits(const rct_plan *plan, const rct_model *model);

/* Takes the numbers of a model that fits, as if the plan were made of it. What was made of the plan
 * must be renewed as well. After a failure, as in rct_plan_create, the plan can only be freed. */
rct_status rct_plan_renew(rct_plan *plan, const rct_model *model, rct_error *error);

static inline const rct_seat *rct_plan_seat(const rct_plan *plan, int64_t body)
{
    return (const rct_seat *)plan->seats.records + plan->seat_of[body];
}

/* Prepares the plan for implicit stages, before anything is made of it: springs and dampers at
 * hinges yield, and where balls have any, or friction, all balls are wide. */
void rct_plan_yield(rct_plan *plan);

/* The quaternion that turns the axes of the hinge frame of a link into those of the link it hangs
 * on. */
void rct_plan_hinge_frame(const rct_plan *plan, int64_t label, double quaternion[4]);

/* Whether link i transmits at its hinge only forces, and moments that are known. */
static inline int rct_links_pass(const rct_links *links, int32_t i)
{
    return links->kind[i] == RCT_HINGE_BALL && !links->wide;
}

/* The link of a body, or the ground. */
static inline int32_t rct_plan_link(const rct_plan *plan, int32_t body)
{
    return body == RCT_GROUND ? RCT_GROUND : plan->link_of[body];
}

/* Whether the hinge of a body is fixed; else it is the head of its link. */
static inline int rct_plan_welds(const rct_plan *plan, int64_t body)
{
    const int32_t link = plan->link_of[body];
    return link == RCT_GROUND || plan->places.head[link] != body;
}

/* The hinge of a body, read from an array that is denser than bodies. */
static inline rct_hinge_type rct_plan_hinge(const rct_plan *plan, int64_t body)
{
    return rct_plan_welds(plan, body) ? RCT_HINGE_FIXED
                                      : (rct_hinge_type)plan->links.kind[plan->link_of[body]];
}

/* Whether the coordinates of link `label` are angles with a sine where its hinge turns
 * (rct_hinge_is_turned). */
int rct_plan_is_turned(const rct_plan *plan, int32_t label, const double *coordinates);

/* m/s^2, inertial axes, of the tree that the body is in. */
static inline const double *rct_plan_gravity(const rct_plan *plan, int64_t body)
{
    return plan->gravities > 0 ? plan->own_gravity + 3 * (body % plan->gravities) : plan->gravity;
}

/* Whether rows have efforts at hinges, or may have them in implicit stages. */
static inline int rct_plan_resists(const rct_plan *plan)
{
    return plan->has_efforts || (plan->yields && plan->effort_begin != NULL);
}

/* Where the coordinates of the hinge of a link begin among those of all; and the rates. */
static inline int64_t rct_plan_coordinates_at(const rct_plan *plan, int64_t label)
{
    return rct_hinge_place(plan->places.head, &plan->places.coordinates, label);
}

static inline int64_t rct_plan_rates_at(const rct_plan *plan, int64_t label)
{
    return rct_hinge_place(plan->places.head, &plan->places.rates, label);
}

/* The sum of the wrenches on a link (kernels/records/states.h), for a plan with wrenches. */
void rct_link_wrench(const rct_plan *plan, int32_t label, double record[WRENCH_FIELDS]);

/* Bytes held by the plan. */
int64_t rct_plan_bytes(const rct_plan *plan);

#endif
