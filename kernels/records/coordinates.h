/* Coordinates, rates and efforts of all hinges as the caller has them, body after body (riccatree/solver.h): what crosses
 * between his arrays and the rows of sheaves.
 */
#ifndef RCT_KERNELS_RECORDS_COORDINATES_H
#define RCT_KERNELS_RECORDS_COORDINATES_H

#include "kernels/records/sheaves.h"

#include <stdint.h>

/* Where the numbers of hinges begin in an array of the caller: behind `each` of every body before, where all hinges are of one type;
 * else those of blocks of bodies, and from there on those of links, by label, which fit into 16 bits. */
enum { RCT_PLACE_BODIES = 1024 }; /* of a block */
typedef struct rct_number_places {
    int64_t each;    /* 0: as the arrays have them                                               */
    int64_t *block;  /* [bodies / RCT_PLACE_BODIES + 1]                                          */
    int16_t *within; /* [links]                                                                  */
} rct_number_places;

typedef struct rct_hinge_places {
    const int32_t *head; /* [links] body whose hinge carries the link                            */
    rct_number_places coordinates, rates;
} rct_hinge_places;

static inline int64_t rct_hinge_place(const int32_t *head, const rct_number_places *numbers,
                                      int64_t label)
{
    return numbers->each > 0
               ? numbers->each * head[label]
               : numbers->block[head[label] / RCT_PLACE_BODIES] + numbers->within[label];
}

/* The kernels of one width, on the sheaves [first, end) whose rows have `lanes` lanes, a multiple of it. Quaternions are units in
 * rows; rates of absolute hinges are in link axes there, in inertial axes outside. */
/* How far states are moved along the derivatives of rates in the results: coordinates by `positions` times them, rates by `rates` times them,
 * of each link its share besides; of those whose share is 0 no bit changes. */
typedef struct rct_move {
    double positions, rates;
    const double *share; /* [links] by label; NULL: all */
} rct_move;

/* Numbers beside the state, laid out as it is, in slots: a state that is kept, where a step starts, and slopes, the derivatives of
 * states. For implicit stages (src/integrate/implicit.c) besides: p and v of the stage; K and C, rate by rate, in the places of
 * coordinates and of rates; efforts of the user, in those of rates. */
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

/* What a sum of slopes is for: a state; one at which an implicit stage is swept, with p and v, and the efforts that these make at hinges
 * with axes, besides those of the user; the last one of a step of such stages, under those of the user alone. */
typedef enum rct_stage_kind {
    RCT_STAGE_EXPLICIT,
    RCT_STAGE_IMPLICIT,
    RCT_STAGE_LAST
} rct_stage_kind;

/* A sum of slopes, each by its weight, s. `fresh`: the last one is that of the state under the results, which leaves it in its slot
 * first: of an implicit stage of `delta` seconds, where that is not 0, that at the rates v + delta a. */
typedef struct rct_weighing {
    int32_t count;
    int32_t fresh;
    int32_t slot[RCT_MOST_SLOPES];
    double weight[RCT_MOST_SLOPES];
    rct_stage_kind stage;
    double delta;
    double other[RCT_MOST_SLOPES]; /* weights of p and v */
} rct_weighing;

/* What springs and dampers at ball hinges do in an implicit stage besides the state, in trees whose links all have an orientation of
 * their own (kernels/laws/hold_step.h): how the ground turns, rad/s and rad/s^2, inertial axes; and where the states of links are, as
 * rct_packing.at has it. Threads that are lanes have in its place that of what each link hangs on, links of the trunk behind the others,
 * or RCT_ON_GROUND. */
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

typedef struct rct_coordinate_kernels {
    /* To `state`, laid out as s->state; 0 if any is no state: a number that is not finite, an orientation without length. */
    int (*put)(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
               const rct_hinge_places *places, const double *coordinates, const double *rates,
               double *state);

    /* From `numbers`, a state or p and v; inertial axes by the orientation of the state. Either array may be NULL. */
    void (*take)(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                 const rct_hinge_places *places, double *numbers, double *coordinates,
                 double *rates);

    /* Efforts, one a rate, to the loads of rows (LOAD_EFFORT). Rows get HAS_LOAD with the first that is not 0. */
    void (*put_efforts)(const rct_sheaves *s, uint16_t *has, int32_t lanes, int32_t first,
                        int32_t end, const rct_hinge_places *places, const double *efforts);

    /* The derivatives of rates, from the results of the state; and to them. */
    void (*take_derivatives)(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                             const rct_hinge_places *places, double *derivatives);
    void (*put_derivatives)(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                            const rct_hinge_places *places, const double *derivatives);

    /* Numbers of the caller, one a rate, to a slot as they are: to the places of coordinates (NULL: none) and to those of rates. Rows
     * get HAS_LOAD with the first that is not 0. */
    void (*put_rates)(const rct_sheaves *s, uint16_t *has, int32_t lanes, int32_t first,
                      int32_t end, const rct_hinge_places *places, const double *of_coordinates,
                      const double *of_rates, double *slot);

    /* Along these derivatives: coordinates by `positions` times them and rates by `rates` times them, to `state` as `put`; absolute
     * hinges turn by rotation vectors, and their rates keep their inertial axes. And `largest`, or the largest of them: that turn links at their
     * hinges, and others. */
    int (*move)(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end, const rct_move *by,
                double *state);
    void (*largest)(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                    double largest[2]);

    /* The state becomes that where the step starts and a sum of slopes, quaternions as units. */
    void (*weigh)(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                  const rct_weighing *by);

    /* The size of a sum as an error of the step from there to the state: the largest number, of coordinates rad and `length`, of
     * rates rad/s and lengths/s, or parts of the rates there are where these are above 1. INFINITY: not all are finite. */
    double (*size)(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                   const rct_weighing *by, double length);

    /* Moments at ball hinges, to the efforts there are. */
    void (*hold)(const rct_sheaves *s, int32_t lanes, int32_t first, int32_t end,
                 const rct_holding *by);
} rct_coordinate_kernels;

#endif
