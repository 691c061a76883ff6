/* Coordinates, rates and efforts of all hinges as the caller has them, body after body
 * (riccatree/solver.h), and their way between the caller's arrays and the rows of sheaves.
 */
#ifndef RCT_KERNELS_RECORDS_COORDINATES_H
#define RCT_KERNELS_RECORDS_COORDINATES_H

#include "kernels/records/sheaves.h"

#include <stdint.h>

/* Where the numbers of hinges begin in an array of the caller. Where all hinges are of one type,
 * every body has `each` numbers. Else `block` says where those of a block of bodies begin, and
 * `within` where in the block those of a link begin, by label, in 16 bits. */
enum { RCT_PLACE_BODIES = 1024 }; /* bodies of a block */
typedef struct rct_number_places {
    int64_t each;    /* numbers of a body; 0: types differ, see `block` */
    int64_t *block;  /* [bodies / RCT_PLACE_BODIES + 1]                 */
    int16_t *within; /* [links]                                         */
} rct_number_places;

typedef struct rct_hinge_places {
    int32_t *head; /* [links] body whose hinge carries the link */
    rct_number_places coordinates, rates;
} rct_hinge_places;

static inline int64_t rct_hinge_place(const int32_t *head, const rct_number_places *numbers,
                                      int64_t label)
{
    return numbers->each > 0
               ? numbers->each * head[label]
               : numbers->block[head[label] / RCT_PLACE_BODIES] + numbers->within[label];
}

/* How far states are moved along the derivatives of rates in the results: coordinates by
 * `positions` times them, rates by `rates` times them, both times the share of the link. Where the
 * share is 0, no bit changes. */
typedef struct rct_move {
    double positions, rates;
    const double *share; /* [links] by label; NULL: all */
} rct_move;

/* Slots: numbers beside the state, in the layout of the state. They hold a state that is kept, the
 * state where a step starts, and slopes (derivatives of states). For implicit stages
 * (src/integrate/implicit.c) they also hold p and v of the stage; K and C, rate by rate, in the
 * places of coordinates and of rates; and the user's efforts in the places of rates. */
enum {
    RCT_SLOT_STATE = -1,
    RCT_SLOT_KEPT,
    RCT_SLOT_START,
    RCT_SLOT_SLOPES,
    RCT_MOST_SLOPES = 7,
    RCT_SLOT_OTHER = RCT_SLOT_SLOPES + 6,
    RCT_SLOT_RESISTANCES,
    RCT_SLOT_GIVEN,
    RCT_IMPLICIT_SLOTS
};

/* What a sum of slopes is for: an explicit stage; an implicit stage, with p and v, whose efforts at
 * hinges with axes are added to the user's; or the last state of a step of implicit stages, with
 * the user's efforts alone. */
typedef enum rct_stage_kind {
    RCT_STAGE_EXPLICIT,
    RCT_STAGE_IMPLICIT,
    RCT_STAGE_LAST
} rct_stage_kind;

/* A sum of slopes, each with its weight, s. `fresh`: the last slope is that of the state under the
 * results and is first written to its slot; in an implicit stage (`delta` seconds, not 0) it is the
 * slope at the rates v + delta a. */
typedef struct rct_weighing {
    int32_t count;
    int32_t fresh;
    int32_t slot[RCT_MOST_SLOPES];
    double weight[RCT_MOST_SLOPES];
    rct_stage_kind stage;
    double delta;
    double other[RCT_MOST_SLOPES]; /* weights of p and v */
} rct_weighing;

/* What springs and dampers at ball hinges do in an implicit stage besides their part at the state,
 * in trees whose links all have an orientation of their own (kernels/laws/hold_step.h): how the
 * ground turns, rad/s and rad/s^2, inertial axes; and where the states of links are, as
 * rct_packing.at has it. For threads that are lanes, `at` has instead where the state of the link
 * is that each link hangs on (links of the trunk behind the others), or RCT_ON_GROUND. */
#define RCT_ON_GROUND INT64_MIN
typedef struct rct_holding {
    double delta; /* s */
    double ground[2][3];
    const int32_t *parent; /* [links] */
    const int64_t *at;     /* [links] */
    const rct_sheaves *lanes, *links;
    int64_t width; /* of rows of `lanes` */
} rct_holding;

/* The numbers of a slot. */
static inline double *rct_slot(const rct_sheaves *s, int64_t slot)
{
    return slot == RCT_SLOT_STATE ? s->state : s->slots + slot * s->slot;
}

/* The kernels of one width, on the sheaves [first, end), whose rows have `lanes` lanes, a multiple
 * of the width. In rows, quaternions are units and rates of absolute hinges are in link axes; in
 * the caller's arrays these rates are in inertial axes. */
typedef struct rct_coordinate_kernels {
    /* From the caller to `state`, laid out as s->state. 0 if any is not a state: a number that is
     * not finite, an orientation of length zero. */
    int (*put)(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
               const rct_hinge_places *places, const double *coordinates, const double *rates,
               double *state);

    /* From `numbers`, a state or p and v, to the caller; into inertial axes by the orientation of
     * the state. Either array may be NULL. */
    void (*take)(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                 const rct_hinge_places *places, double *numbers, double *coordinates,
                 double *rates);

    /* Efforts, one a rate, into the loads of rows (LOAD_EFFORT). Once an effort is not 0, rows get
     * HAS_LOAD. */
    void (*put_efforts)(const rct_sheaves *s, uint16_t *has, int32_t lanes, int32_t first,
                        int32_t end, const rct_hinge_places *places, const double *efforts);

    /* The derivatives of rates, from the results of the state to the caller; and back. */
    void (*take_derivatives)(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                             const rct_hinge_places *places, double *derivatives);
    void (*put_derivatives)(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                            const rct_hinge_places *places, const double *derivatives);

    /* Numbers of the caller, one a rate, to a slot unchanged: to the places of coordinates (NULL:
     * none) and to those of rates. Once a number is not 0, rows get HAS_LOAD. */
    void (*put_rates)(const rct_sheaves *s, uint16_t *has, int32_t lanes, int32_t first,
                      int32_t end, const rct_hinge_places *places, const double *of_coordinates,
                      const double *of_rates, double *slot);

    /* Moves coordinates by `positions` times these derivatives and rates by `rates` times them, to
     * `state` as `put` does. Absolute hinges turn by rotation vectors, and their rates keep their
     * inertial axes. `largest`: the larger of the old value and the largest derivative, one for
     * those that turn links at their hinges and one for the others. */
    int (*move)(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end, const rct_move *by,
                double *state);
    void (*largest)(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                    double largest[2]);

    /* The state becomes the state where the step starts plus a sum of slopes, with unit
     * quaternions. */
    void (*weigh)(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                  const rct_weighing *by);

    /* The size of a sum as an error of the step: the largest number, of coordinates in rad and in
     * `length`, of rates in rad/s and lengths/s, or relative to the rates there where these are
     * above 1. INFINITY: not all are finite. */
    double (*size)(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                   const rct_weighing *by, double length);

    /* Adds moments at ball hinges to the efforts. */
    void (*hold)(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                 const rct_holding *by);
} rct_coordinate_kernels;

extern const rct_coordinate_kernels rct_coordinates_rows; /* lanes of 1 with vectors of 4 */

#endif
