/* States, loads and results of a packing on the host: between label order and rows. */
#ifndef RCT_BACKEND_GATHER_H
#define RCT_BACKEND_GATHER_H

#include "kernels/records/coordinates.h"
#include "topology/packing.h"

/* The numbers of link `label` to or from its row. */
void rct_copy_state(const rct_packing *packing, int32_t label, double *numbers, int in);

/* Arrays that are copied between a packing and its caller: one array, or coordinates and rates; or
 * how states move, slopes are weighed, or balls held; and which slot is meant. */
typedef struct rct_arrays {
    double *one, *two;
    const rct_move *by;
    const rct_weighing *weighing;
    const rct_holding *holding;
    int slot;
} rct_arrays;

/* One copy for the sheaves [first, end) of `rows`; 0 if it is refused. */
typedef int rct_crossing(const rct_packing *packing, const rct_rows *rows, int32_t first,
                         int32_t end, const rct_arrays *of);

/* In label order, as in rct_backend. */
rct_crossing rct_scatter_state, rct_gather_state, rct_gather_accelerations;

/* In the order of the caller, by the kernels that rct_choose_coordinate_kernels has chosen.
 * Coordinates and rates are put beside the states; 0 if any is not a state. Once all are,
 * rct_take_over makes them the states. */
void rct_choose_coordinate_kernels(rct_packing *packing);
rct_crossing rct_put_coordinates, rct_take_coordinates, rct_put_efforts, rct_take_derivatives,
    rct_put_derivatives;
void rct_take_over(rct_packing *packing);

/* Moves by the derivatives of rates in the results, as of->by says. The result is put beside the
 * states, at another place than above, so that the start of a step is kept; rct_take_moved
 * exchanges the two. And the larger of `largest` and the derivatives in some sheaves: of those that
 * turn links at their hinges, and of the others. */
rct_crossing rct_move_coordinates;
void rct_take_moved(rct_packing *packing);
void rct_largest_derivatives(const rct_rows *rows, int32_t first, int32_t end, double largest[2]);

/* Moves by slopes, as of->weighing says, in place; and the larger of `most` and the size of their
 * sum in some sheaves. */
rct_crossing rct_weigh_slopes;
double rct_slopes_size(const rct_rows *rows, int32_t first, int32_t end, const rct_weighing *by,
                       double length, double most);

/* Numbers of rates to of->slot; and coordinates and rates, or p and v, from there. Moments of ball
 * hinges in implicit stages. */
rct_crossing rct_put_rates, rct_take_slot, rct_hold_balls;

/* Efforts in the loads of some links, or of all where `links` is NULL, to an array of the
 * caller. */
void rct_gather_efforts(const rct_packing *packing, const int32_t *links, int32_t count,
                        double *efforts);

/* A state, or a slope, from one slot to another. */
void rct_copy_slot(const rct_rows *rows, int to, int from);

/* For some links only. */
void rct_gather_links(const rct_packing *packing, const int32_t *links, int32_t count,
                      double *state);
void rct_scatter_loads(const rct_packing *packing, const int32_t *links, int32_t count,
                       const double *loads);

/* What is added to the rotors of some links in implicit stages, [count][3]. */
void rct_scatter_rotors(const rct_packing *packing, const int32_t *links, int32_t count,
                        const double *rotors);

/* The ground of the next evaluations. For trees with a gravity of their own, the records of their
 * paths get what reaches them from the ground. */
void rct_sheaves_set_ground(rct_packing *packing, const rct_ground *ground);

/* Whether the numbers of link `label` are finite, its angles small enough to have a sine, and its
 * rotation finite where its orientation is absolute: rotations divide by the squares of products of
 * two. */
int rct_state_is_finite(const rct_plan *plan, int32_t label, const double *numbers);

#endif
