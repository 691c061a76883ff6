/* Factors of Lambda + E for many rows on one tree, without Lambda: an elimination that moves outward over the reduced tree, as
 * a front (frontal method: Irons 1970).
 *
 * What rows exert, f_i in all on node i, gives way by the sum over nodes of f_i* Upsilon_i f_i, and f_i is what rows
 * exert right there and what comes from the nodes outboard, E_c f_c. The front is the function that is left of this sum
 * when all that lies inboard is done with,
 *
 *     1/2 y* K y - g* y        y: f of the nodes it has come to, and rows that it has met one end of
 *
 * K of a node is how it gives way with all rows that are done with closed. A row is eliminated once all that it touches is in: its
 * pivot is positive, whatever the tree. What rows exert comes to the front by pieces as one wrench: ends that a body moves
 * alike cancel before anything is squared. Where a front stays narrow, along a chain with loops, rails of a ladder, arms of a
 * hub, the cost is linear in nodes and rows. */
#ifndef RCT_CLOSURE_FRONT_H
#define RCT_CLOSURE_FRONT_H

#include "closure/reduced_tree.h"
#include "kernels/lane/blocks.h"

/* Six numbers of a node or of a bundle have a slot in the front while they are in it. */
typedef enum rct_front_kind {
    RCT_FRONT_ROOT,   /* a node on the ground comes in                                       */
    RCT_FRONT_NODE,   /* a node comes in, by the path to the one it hangs on                 */
    RCT_FRONT_BUNDLE, /* a bundle comes in                                                   */
    RCT_FRONT_TOUCH,  /* what its rows exert on a node                                       */
    RCT_FRONT_PIECE,  /* how a piece couples its rows, which are in                          */
    RCT_FRONT_PIVOTS, /* a bundle is eliminated and leaves                                   */
} rct_front_kind;

typedef struct rct_front_step {
    unsigned char kind;
    unsigned char last; /* node `at` leaves: all that it has is in                            */
    int32_t at,
        with;      /* slots of a node and of what is added to it; else of what comes or goes     */
    int32_t item;  /* node, bundle, touch or piece                                       */
    int32_t count; /* other slots in use                                                 */
    int64_t first; /* where they are listed                                              */
} rct_front_step;

enum { RCT_FRONT_ROWS_AT_ONCE = 6 };

/* Rows one after the other that touch the same nodes, as those of a closure do. */
typedef struct rct_front_bundle {
    int32_t row, rows;
    int32_t touch; /* the first of its touches */
    int32_t slot;  /* while it is in */
    int64_t share; /* where its shares begin   */
} rct_front_bundle;

/* A node that rows of a bundle exert something on, there or through a piece. */
typedef struct rct_front_touch {
    int32_t bundle, node;
} rct_front_touch;

typedef struct rct_front_piece {
    int32_t node;  /* its root */
    int32_t first; /* of its bundles */
} rct_front_piece;

typedef struct rct_front {
    const rct_reduced_tree *reduced;
    const rct_block_kernels *blocks;
    int32_t bundles, touches, pieces, steps, slots;
    rct_front_bundle *bundle; /* [bundles + 1]                                       */
    int32_t *bundle_of;       /* [rows]                                              */
    rct_front_touch *touch;   /* [touches]                                           */
    int32_t *touch_of_end;    /* [ends] or -1                                        */
    rct_front_piece *piece;   /* [pieces + 1]                                        */
    int32_t *of_piece;        /* bundles of all pieces                               */
    rct_front_step *step;     /* [steps]                                             */
    int32_t *others;          /* other slots of all steps                            */
    double (*E)[6][6];        /* [nodes] of their paths                              */
    double (*Upsilon)[6][6];  /* [nodes] likewise                                    */
    double (*B)[6][6];        /* [touches] of a row, the wrench on the node          */
    double (*L)[6][6];        /* [bundles] L L* are its pivots; its diagonal inverted */
    double (*K)[6][6];        /* [slots][slots]                                      */
    double (*share)[6];       /* of bundles in other slots, L^-1 K, row after row    */
    double (*vector)[6];      /* [slots]                                             */
    double *moves;            /* [rows] the most that one end gives way by itself    */
    double *pivot;            /* [rows] squares on the diagonals of L                */
} rct_front;

/* Bundles, touches and pieces (bundles.c). 0: no memory. */
int rct_front_list(rct_front *front, rct_reduced_tree *reduced, rct_pool *pool, rct_error *error);

/* Steps (order.c), and how many shares they leave; -1: no memory. */
int64_t rct_front_order(rct_front *front, rct_pool *pool, rct_error *error);

/* Of a reduced tree, of whose pool it is. NULL: RCT_ERROR_MEMORY. */
rct_front *rct_front_create(rct_reduced_tree *reduced, rct_pool *pool, rct_error *error);

/* Where the wrench of a row goes that comes to a touch. */
static inline double *rct_front_wrench(const rct_front *front, int32_t touch, int32_t row)
{
    return front->B[touch][row - front->bundle[front->touch[touch].bundle].row];
}

/* Wrenches of ends right on its nodes, once the reduced tree has them. What comes to it by pieces, and paths, are written after that
 * (admittance_matrix.c). */
void rct_front_write_ends(rct_front *front);

/* Whether all that is written is finite. */
int rct_front_finite(const rct_front *front);

/* Factor Lambda, with the numbers of pieces, and `shift` [rows] on its diagonal; and what rows move, 0 where it does not get to.
 * RCT_ERROR_SINGULAR: a pivot is no more than `least` [rows]. */
rct_status rct_front_factor(rct_front *front, const double *numbers, const double *shift,
                            const double *least, rct_error *error);

/* x [rows] = (Lambda + E)^-1 x */
void rct_front_solve(rct_front *front, double *x);

#endif
