/* States, loads and results of a packing on the host: between label order and rows. */
#ifndef RCT_BACKEND_GATHER_H
#define RCT_BACKEND_GATHER_H

#include "topology/packing.h"

/* The numbers of link `label` to or from where its row has them. */
void rct_copy_state(const rct_packing *packing, int32_t label, double *numbers, int in);

/* All of them, as rct_backend has them. */
void rct_scatter_state(const rct_packing *packing, const double *state);
void rct_gather_state(const rct_packing *packing, double *state);
void rct_gather_links(const rct_packing *packing, const int32_t *links, int32_t count,
                      double *state);
void rct_scatter_loads(const rct_packing *packing, const int32_t *links, int32_t count,
                       const double *loads);
void rct_gather_accelerations(const rct_packing *packing, double *accelerations);
void rct_gather_rates(const rct_packing *packing, double *rates);

/* Forces at the hinges of narrow rows, [links][3], link axes; NaN elsewhere. */
void rct_gather_forces(const rct_packing *packing, double *forces);

/* The ground of the next evaluations; trees with a gravity of their own find in the records of their paths what reaches
 * them from there. */
void rct_sheaves_set_ground(rct_packing *packing, const rct_ground *ground);

/* Whether the numbers of link `label` are finite, and those of the rotations made of its orientation where that is absolute:
 * they divide by the squares of products of two. */
int rct_state_is_finite(const rct_plan *plan, int32_t label, const double *numbers);

#endif
