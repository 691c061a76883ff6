/* Factors of Lambda + E for many rows on one tree, without Lambda: an elimination that moves
 * outward over the reduced tree, as a front (frontal method: Irons 1970).
 *
 * With f_i the total force on node i, rows give way by the sum over nodes of f_i* Upsilon_i f_i.
 * f_i is what rows exert right at the node, plus the force from the nodes outboard, E_c f_c. The
 * front is the part of this sum that is left when everything inboard is eliminated,
 *
 *     1/2 y* K y - g* y        y: f of the nodes in the front, and rows with one end met
 *
 * K of a node is how it gives way with all eliminated rows closed. A row is eliminated once
 * everything that it touches is in the front; its pivot is positive for any tree. The forces of
 * rows on a piece come to the front as one wrench: ends that a body moves alike cancel before
 * anything is squared. Where a front stays narrow, such as along a chain with loops, rails of a
 * ladder, arms of a hub, the cost is linear in nodes and rows. */
#ifndef RCT_CLOSURE_FRONT_H
#define RCT_CLOSURE_FRONT_H

#include "closure/reduced_tree.h"
#include "kernels/lane/blocks.h"

/* The kinds of steps. Six numbers of a node or of a bundle have a slot in the front while they are
 * in it. */
typedef enum rct_front_kind {
    RCT_FRONT_ROOT,   /* a node on the ground comes in */
    RCT_FRONT_NODE,   /* a node comes in, by the path to its parent */
    RCT_FRONT_BUNDLE, /* a bundle comes in */
    RCT_FRONT_TOUCH,  /* the forces of its rows on a node */
    RCT_FRONT_PIECE,  /* the coupling of rows by a piece; the rows are in */
    RCT_FRONT_PIVOTS, /* a bundle is eliminated and leaves */
} rct_front_kind;

typedef struct rct_front_step {
    unsigned char kind;
    unsigned char last; /* node `at` leaves: all its parts are in */
    int32_t at, with;   /* slots of a node and of its addition; else of what comes or goes */
    int32_t item;       /* node, bundle, touch or piece */
    int32_t count;      /* number of other slots in use */
    int64_t first;      /* place of their list */
} rct_front_step;

enum { RCT_FRONT_ROWS_AT_ONCE = 6 };

/* Consecutive rows that touch the same nodes, as those of a closure do. */
typedef struct rct_front_bundle {
    int32_t row, rows;
    int32_t touch; /* the first of its touches */
    int32_t slot;  /* while it is in */
    int64_t share; /* where its shares begin */
} rct_front_bundle;

/* A node on which rows of a bundle exert forces, there or through a piece. */
typedef struct rct_front_touch {
    int32_t bundle, node;
} rct_front_touch;

typedef struct rct_front_piece {
    int32_t node;  /* root of the piece */
    int32_t first; /* first of its bundles */
} rct_front_piece;

typedef struct rct_front {
    const rct_reduced_tree *reduced;
    const rct_block_kernels *blocks;
    int32_t bundles, touches, pieces, steps, slots;
    rct_front_bundle *bundle; /* [bundles + 1] */
    int32_t *bundle_of;       /* [rows] */
    rct_front_touch *touch;   /* [touches] */
    int32_t *touch_of_end;    /* [ends] or -1 */
    rct_front_piece *piece;   /* [pieces + 1] */
    int32_t *of_piece;        /* bundles of all pieces */
    rct_front_step *step;     /* [steps] */
    int32_t *others;          /* other slots of all steps */
    double (*E)[6][6];        /* [nodes] of their paths */
    double (*Upsilon)[6][6];  /* [nodes] likewise */
    double (*B)[6][6];        /* [touches] wrench of each row on the node */
    double (*L)[6][6];        /* [bundles] L L* of its pivots; the diagonal is inverted */
    double (*K)[6][6];        /* [slots][slots] */
    double (*share)[6];       /* of bundles in other slots, L^-1 K, row by row */
    double (*vector)[6];      /* [slots] */
    double *moves;            /* [rows] the most by which one end alone gives way */
    double *pivot;            /* [rows] squared diagonals of L */
} rct_front;

/* List bundles, touches and pieces (bundles.c). 0: no memory. */
int rct_front_list(rct_front *front, rct_reduced_tree *reduced, rct_pool *pool, rct_error *error);

/* List the steps (order.c); returns how many shares they leave; -1: no memory. */
int64_t rct_front_order(rct_front *front, rct_pool *pool, rct_error *error);

/* The front of a reduced tree, in the same pool. NULL: RCT_ERROR_MEMORY. */
rct_front *rct_front_create(rct_reduced_tree *reduced, rct_pool *pool, rct_error *error);

/* The place of the wrench of a row at a touch. */
static inline double *rct_front_wrench(const rct_front *front, int32_t touch, int32_t row)
{
    return front->B[touch][row - front->bundle[front->touch[touch].bundle].row];
}

/* Write the wrenches of ends right on its nodes, once the reduced tree has them. Wrenches by
 * pieces, and paths, are written afterwards (admittance_matrix.c). */
void rct_front_write_ends(rct_front *front);

/* Whether all numbers written are finite. */
int rct_front_finite(const rct_front *front);

/* Factor Lambda, with the numbers of pieces, and `shift` [rows] on its diagonal; and find how far
 * rows move, 0 for rows that it does not reach. RCT_ERROR_SINGULAR: a pivot is not above `least`
 * [rows]. */
rct_status rct_front_factor(rct_front *front, const double *numbers, const double *shift,
                            const double *least, rct_error *error);

/* x [rows] = (Lambda + E)^-1 x */
void rct_front_solve(rct_front *front, double *x);

#endif
