/* The trunk of a run as loops held in the junction see it. Links that loops hold are nodes of the
 * trunk, which the host sweeps once everything else has been condensed. Nodes are numbered, parents
 * first.
 */
#ifndef RCT_BACKEND_HELD_H
#define RCT_BACKEND_HELD_H

#include "kernels/records/trunk.h"

#include <riccatree/status.h>

typedef struct rct_held_trunk {
    const rct_trunk_kernels *kernels;
    const rct_sheaves *rows; /* the links of the trunk */
    const rct_trunk *trunk;
    const int32_t *label; /* [trunk->count] of the first link of each node, ascending */

    /* NULL: no loops are held */
    rct_through *paths; /* [trunk->count] of each node to what it hangs on, as condensed last */
    double *wrenches, *motions; /* [trunk->count][6] */
} rct_held_trunk;

/* Room for the other fields of a held trunk whose first fields are set. */
rct_status rct_held_create(rct_held_trunk *held, rct_error *error);
void rct_held_free(rct_held_trunk *held);
int64_t rct_held_bytes(const rct_held_trunk *held);

/* The node of a link, or of the piece of a path that contains the link. */
int32_t rct_held_node(const int32_t *label, int32_t count, int32_t link);

/* The paths of nodes [begin, end) of `context`, a held trunk swept inward. */
void rct_held_find_paths(void *context, int64_t begin, int64_t end);

/* For condensed nodes: E and Psi of a path, from one link to another or to the ground (-1); the
 * acceleration of a link, as in read_accelerations; and the derivatives of the rates of its hinge,
 * one with axes. */
void rct_held_through(const rct_held_trunk *held, int32_t from, int32_t stop, double e[6][6],
                      double psi[6][6]);
void rct_held_read(const rct_held_trunk *held, int32_t node, double acceleration[6]);
const double *rct_held_derivatives(const rct_held_trunk *held, int32_t node);

/* Accelerations of the nodes condensed last under wrenches alone. First call rct_held_wrenches,
 * which gives [nodes][6], all 0, and write the wrenches there; then read [nodes][6]. settle: adds
 * the last answer to the accelerations of the nodes, or replaces them by `alone` times it, unless
 * that is 0. */
double *rct_held_wrenches(rct_held_trunk *held);
const double *rct_held_respond(rct_held_trunk *held);
void rct_held_settle(rct_held_trunk *held, double alone);

#endif
