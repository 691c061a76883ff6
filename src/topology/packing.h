/* The packing of a plan: tasks in bushes, segments in sheaves of their own, and the links of
 * the trunk one a row (layout: kernels/records/sheaves.h). It changes where numbers are, not
 * results.
 */
#ifndef RCT_TOPOLOGY_PACKING_H
#define RCT_TOPOLOGY_PACKING_H

#include "kernels/records/coordinates.h"
#include "kernels/records/trunk.h"
#include "topology/constants.h"
#include "topology/partition.h"

/* The links of some paths in rows of lanes, with all they own. */
typedef struct rct_rows {
    int32_t lanes;
    rct_sheaves sheaves;
    int64_t rows;
    int64_t room;    /* number of sheaves for which there is room */
    int64_t padding; /* neutral links                             */
    int64_t unlike;  /* rows with several hinge types             */
    int32_t slots;   /* beside the states                         */

    /* owned arrays behind `sheaves` */
    int32_t *first_sheaf;
    int64_t *first_row;
    int64_t *path_at;
    int32_t *label;
    int32_t *kinds;
    int32_t *kind_lanes;
    int32_t *starts;
    int32_t *grounded;
    int32_t *inside;
    int32_t *coordinates;
    int8_t *narrow;
    int64_t *state_at;
    int64_t *result_at;
    int64_t *first_kid;
    int32_t *kid;
    int32_t *twigs_begin;
    int32_t *up;
    int32_t *beside;
    int32_t *trunk;
    int32_t *behind; /* twigs.behind, where segments are packed in order */
    int32_t *turn;
    int64_t *first_twig;
    int32_t *twig;
    int32_t *twig_label; /* [][W] as `twig`: the first links, -1: none */
    double *twig_at;
    double *own_gravity;
    int64_t *first_hinge_force; /* [rows + 1], NULL: not in rows */
    rct_hinge_force *hinge_entry;
    int32_t *hinge_force;
    rct_hinge_table *hinge_table;
    int64_t forces; /* of the model, if they are in rows                  */
    uint16_t *has;  /* rows whose links have ever had loads keep HAS_LOAD */
    rct_constants constants;
    rct_constants efforts;  /* of what acts at hinges, if anything does */
    rct_constants wrenches; /* on links                                 */
    rct_constants hinge_numbers;

    const rct_coordinate_kernels *coordinate_kernels; /* of the backend, on the host */
} rct_rows;

typedef struct rct_packing {
    const rct_plan *plan;
    const rct_partition *partition;
    int in_order;    /* whether narrow segments are ordered by label              */
    rct_rows lanes;  /* tasks and segments                                        */
    rct_rows links;  /* the links of the trunk, single lanes, each a path         */
    rct_trunk trunk; /* the arrays of nodes are owned                             */
    int64_t *at;     /* [links] row * lanes + lane in `lanes`, or ~row in `links` */

    int32_t *node_label; /* [trunk.count] the link, or the first of the piece */
} rct_packing;

/* Plan and partition must outlive the packing. Small systems get `wanted` bushes. `in_order`:
 * narrow segments stand in the order of their labels, and know which of them continue others
 * (twigs.behind). NULL on failure (RCT_ERROR_MEMORY). All coordinates and rates are zero,
 * quaternions are units. */
rct_packing *rct_packing_create(const rct_plan *plan, const rct_partition *partition, int32_t lanes,
                                int32_t wanted, int in_order, rct_error *error);

/* Takes the numbers of the renewed plan, for a packing without segments: constants, and states as
 * at first. After RCT_ERROR_MEMORY it can only be freed. */
rct_status rct_packing_renew(rct_packing *packing, rct_error *error);
void rct_packing_free(rct_packing *packing);
int64_t rct_packing_bytes(const rct_packing *packing);

/* Links in lanes that are in wide sheaves. */
int32_t rct_packing_wide(const rct_packing *packing);

/* Puts the plan's forces at hinges into the rows, if there are any; without this call they must be
 * loads. RCT_ERROR_MEMORY. */
rct_status rct_packing_add_hinge_forces(rct_packing *packing, rct_error *error);

/* Room for loads (kernels/records/states.h), zero at first. */
rct_status rct_packing_add_loads(rct_packing *packing, rct_error *error);

/* Frees states, results and loads of lanes, where those are on a device. */
void rct_packing_drop_states(rct_packing *packing);

/* Room for `slots` states or slopes beside the states of rows (kernels/records/coordinates.h).
 * RCT_ERROR_MEMORY. */
rct_status rct_rows_add_slots(rct_rows *rows, int32_t slots, rct_error *error);

/* Where link `label` is: its rows, row and lane. */
const rct_rows *rct_packing_find(const rct_packing *packing, int32_t label, int64_t *row,
                                 int32_t *lane);

#endif
