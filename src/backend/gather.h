/* States, loads and results of a packing on the host: between label order and rows. */
#ifndef RCT_BACKEND_GATHER_H
#define RCT_BACKEND_GATHER_H

#include "kernels/records/coordinates.h"
#include "topology/packing.h"

/* The numbers of link `label` to or from where its row has them. */
void rct_copy_state(const rct_packing *packing, int32_t label, double *numbers, int in);

/* Arrays that cross between a packing and who is above: one, or coordinates and rates; or how states move, slopes are weighed, or balls
 * held; and to or from which slot. */
typedef struct rct_arrays {
    double *one, *two;
    const rct_move *by;
    const rct_weighing *weighing;
    const rct_holding *holding;
    int slot;
} rct_arrays;

/* What crosses of the sheaves [first, end) of `rows`; 0 if it must not. */
typedef int rct_crossing(const rct_packing *packing, const rct_rows *rows, int32_t first,
                         int32_t end, const rct_arrays *of);

/* In label order, as rct_backend has it. */
rct_crossing rct_scatter_state, rct_gather_state, rct_gather_accelerations;

/* In the order of the caller, by the kernels that rct_choose_coordinate_kernels has chosen. Coordinates and rates are put beside the states, 0 if any is
 * no state; once all are, rct_take_over lets them take the place of these. */
void rct_choose_coordinate_kernels(rct_packing *packing);
rct_crossing rct_put_coordinates, rct_take_coordinates, rct_put_efforts, rct_take_derivatives,
    rct_put_derivatives;
void rct_take_over(rct_packing *packing);

/* By the derivatives of rates in the results, as of->by says, put beside the
 * states as above but at another place, so that the start of a step is still at hand; rct_take_moved exchanges the two. And
 * `largest`, or the largest of them in some sheaves: that turn links at their hinges, and others. */
rct_crossing rct_move_coordinates;
void rct_take_moved(rct_packing *packing);
void rct_largest_derivatives(const rct_rows *rows, int32_t first, int32_t end, double largest[2]);

/* By slopes, as of->weighing says, in place; and the size of their sum in some sheaves, or `most` where that is more. */
rct_crossing rct_weigh_slopes;
double rct_slopes_size(const rct_rows *rows, int32_t first, int32_t end, const rct_weighing *by,
                       double length, double most);

/* Numbers of rates to of->slot, and coordinates and rates, or p and v, from there. Moments of ball hinges in implicit stages. */
rct_crossing rct_put_rates, rct_take_slot, rct_hold_balls;

/* Efforts in the loads of some links, or of all where `links` is NULL, to an array of the caller. */
void rct_gather_efforts(const rct_packing *packing, const int32_t *links, int32_t count,
                        double *efforts);

/* A state, or a slope, from one slot to another. */
void rct_copy_slot(const rct_rows *rows, int to, int from);

/* Of all sheaves, one after the other. */
int rct_cross(const rct_packing *packing, rct_crossing *what, const rct_arrays *of);

/* Of some links alone. */
void rct_gather_links(const rct_packing *packing, const int32_t *links, int32_t count,
                      double *state);
void rct_scatter_loads(const rct_packing *packing, const int32_t *links, int32_t count,
                       const double *loads);

/* What comes to the rotors of some links in implicit stages, [count][3]. */
void rct_scatter_rotors(const rct_packing *packing, const int32_t *links, int32_t count,
                        const double *rotors);

/* The ground of the next evaluations; trees with a gravity of their own find in the records of their paths what reaches
 * them from there. */
void rct_sheaves_set_ground(rct_packing *packing, const rct_ground *ground);

/* Whether the numbers of link `label` are finite, its angles not beyond those with a sine, and finite those of the rotations made of its orientation where that is absolute:
 * they divide by the squares of products of two. */
int rct_state_is_finite(const rct_plan *plan, int32_t label, const double *numbers);

#endif
