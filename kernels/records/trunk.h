/* The trunk of a tree: what joins segments and tasks, swept one node after the other. A node is a link, a row of
 * its own, or a segment or a task that hangs on the trunk, known by the record of its path.
 */
#ifndef RCT_KERNELS_RECORDS_TRUNK_H
#define RCT_KERNELS_RECORDS_TRUNK_H

#include "kernels/records/sheaves.h"

/* What a node that is no closed path knows while it is swept. */
enum {
    TRUNK_FRAME = 0,   /* 12: of the link; of a segment, of its last link              (outward)  */
    TRUNK_SHARE = 12,  /* 27: S and e of all that hangs on it                          (inward)   */
    TRUNK_POSE = 12,   /* 21: its pose or that of its last link                        (before)   */
    TRUNK_MOTION = 39, /* 6: its acceleration; of a segment, that of its last link     (outward)  */
    TRUNK_TURN = 45,   /* 7: orientation and rate of what narrow paths hang on         (outward)  */
    TRUNK_FORCE = 52,  /* 6: of what a link hangs on                         (outward, results)   */
    TRUNK_ROW = 58,    /* scratch of the row of a link                                            */
    TRUNK_CLOSED = 58, /* 42: of a wide segment K E^T by rows, K (h - Psi e)           (inward)   */
    TRUNK_FIELDS = TRUNK_ROW + ROW_GAINS + ROW_GAIN_FIELDS * MOST_FREEDOMS
};

/* What a node is, besides a link or a closed path (0): a segment, one with a narrow end, a closed narrow path. */
enum { NODE_OPEN = 1, NODE_NARROW = 2, NODE_TWIG = 3 };

/* Behind a narrow end; FOLLOWS_IN_LANES: the moment there is left by others. */
#define NOTHING_FOLLOWS  INT64_MIN
#define FOLLOWS_IN_LANES INT64_MAX

/* Whether a node is on the way to links whose poses are wanted, and whether others than nodes read its own. */
enum { NODE_PASSED = 1, NODE_SHOWN = 2 };

typedef struct rct_trunk {
    int32_t count; /* nodes, parents before children                                              */
    int32_t *parent;      /* [count] node, or -1: the ground                                     */
    int32_t *row;         /* [count] row of a link, or -1                                        */
    int64_t *path;        /* [count] place of the record of a path that is no link               */
    int32_t *kind;        /* [count] NODE_OPEN and others                                        */
    double *at;           /* [count][3] m, where narrow paths hang, axes of the link they hang on */
    int32_t *last_label;  /* [count] of the last link of a segment                          */
    const double *states; /* where those of the last links of narrow segments are:          */
    int64_t *last_state;  /* [count] where one begins, fields `state_stride` apart           */
    int32_t state_stride;
    int32_t *slot; /* [count] its place in `work`; -1: a closed path                      */
    int32_t slots;
    int64_t *
        follows; /* [count] the link on the hinge behind a narrow end: its place in `lanes`, row * W +
                         lane, or ~row of a link of the trunk                                       */
    const rct_sheaves *lanes;
    int32_t stride; /* how far apart the fields of such a record lie                       */
    double *paths;  /* these records                                                       */
    double *work;   /* [slots][TRUNK_FIELDS]                                               */
} rct_trunk;

/* The path from one node of the trunk to another further inward: the wrench that comes there of one on the first, E, and
 * how the first gives way to it while the other rests, Psi; linear parts first, in the axes and about the origin of either, of
 * segments those of the last link, of narrow ends about the hinge there. Its first components alone pass: of closed paths
 * none, 3 at ball hinges of narrow paths, else 6. */
enum { THROUGH_NUMBERS = 72 };
typedef struct rct_through {
    int64_t passes;
    double numbers[THROUGH_NUMBERS]; /* E [6][passes], then Psi [passes][passes] */
} rct_through;

/* The kernels of a method. Faults name nodes. */
typedef struct rct_trunk_kernels {
    /* Frames of the nodes, left with segments and tasks. */
    void (*guide)(const rct_sheaves *rows, const rct_trunk *trunk);

    /* The poses of nodes, as is wanted of each [count], or shown of all if that is NULL: of a link, and of the last link of a
     * segment whose reach is known. */
    void (*pose)(const rct_sheaves *rows, const rct_trunk *trunk, const int8_t *wanted,
                 const rct_places *places);

    /* Outermost first, segments closed; then innermost first, segments and tasks reached. `settled`: `settle` has left the
     * accelerations of the nodes, and their forces are not found. */
    rct_sweep_result (*inward)(const rct_sheaves *rows, const rct_trunk *trunk);
    rct_sweep_result (*outward)(const rct_sheaves *rows, const rct_trunk *trunk, int settled,
                                int stage, double dt);

    /* After `inward`: the path of node n to what it hangs on. Of such paths, one a node, those from node `from` to node `stop`,
     * links both, or to the ground (-1), joined; and how nodes move under wrenches on them alone, [count][6] both, to which the
     * wrenches of all that hangs on a node are added. */
    void (*through)(const rct_sheaves *rows, const rct_trunk *trunk, int32_t n, rct_through *to);
    void (*walk)(const rct_trunk *trunk, const rct_through *paths, int32_t from, int32_t stop,
                 double e[6][6], double psi[6][6]);
    void (*respond)(const rct_trunk *trunk, const rct_through *paths, double *wrenches,
                    double *motions);

    /* Add the last answer of `respond`, its wrenches and motions, to the accelerations of nodes and to what segments get at
     * their ends; or replace these by `alone` times the answer, unless that is 0. */
    void (*settle)(const rct_trunk *trunk, const double *wrenches, const double *motions,
                   double alone);
} rct_trunk_kernels;

extern const rct_trunk_kernels rct_trunk_abi;
extern const rct_trunk_kernels rct_trunk_abi_rows;
extern const rct_trunk_kernels rct_trunk_riccati;
extern const rct_trunk_kernels rct_trunk_riccati_rows;

#endif
